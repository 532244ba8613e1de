#include "cli/commands.h"
#include "cli/format.h"
#include "cli/out.h"
#include "cli/say.h"
#include <gpa/method.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *yes(bool value)
{
    return value ? "yes" : "no";
}

/* The paper's comparison chart, then what the scores are. */
static void write_table(FILE *f)
{
    fprintf(f, "  %-8s  %-13s  %-13s  %-11s  %-11s  %s\n  %-8s  %-13s  %s\n", "",
            "training-", "baseline-", "y-sensitive", "built-in UQ", "reference point",
            "name", "data-free", "input-free");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        fprintf(f, "  %-8s  %-13s  %-13s  %-11s  %-11s  %s\n", m->name,
                yes(m->training_data_free), yes(m->baseline_free), yes(m->sees_y),
                yes(m->distribution), m->reference_point);
    }
    fprintf(
        f, "\nAll of them see the model only through its predictions. Their scores:\n");
    for (size_t i = 0; i < gpa_method_count(); i++)
        fprintf(f, "  %-8s  %s\n", gpa_method_at(i)->name, gpa_method_at(i)->gives);
}

/* The texts are the library's own: they hold no quotes or backslashes. */
static void write_json(FILE *f)
{
    fprintf(f, "{\"format\":\"gpa-methods/1\",\"methods\":[");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        fprintf(f,
                "%s\n{\"name\":\"%s\",\"title\":\"%s\",\"training_data_free\":%s,"
                "\"baseline_free\":%s,\"sees_y\":%s,\"distribution\":%s,"
                "\"reference_point\":\"%s\",\"gives\":\"%s\"}",
                i > 0 ? "," : "", m->name, m->title,
                m->training_data_free ? "true" : "false",
                m->baseline_free ? "true" : "false", m->sees_y ? "true" : "false",
                m->distribution ? "true" : "false", m->reference_point, m->gives);
    }
    fprintf(f, "]}\n");
}

static void write_csv(FILE *f)
{
    fprintf(f, "name,title,training_data_free,baseline_free,sees_y,distribution,"
               "reference_point,gives\n");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        fprintf(f, "%s,\"%s\",%s,%s,%s,%s,\"%s\",\"%s\"\n", m->name, m->title,
                m->training_data_free ? "true" : "false",
                m->baseline_free ? "true" : "false", m->sees_y ? "true" : "false",
                m->distribution ? "true" : "false", m->reference_point, m->gives);
    }
}

int cmd_methods(const struct args *a)
{
    gpa_error err = {0};
    struct out o = {0};
    gpa_format format;
    char *text = NULL;
    size_t size = 0;
    gpa_status st = chosen_format(a, &format, &err);
    FILE *f = st == GPA_OK ? open_memstream(&text, &size) : NULL;
    if (st == GPA_OK && f == NULL)
        st = fail(&err, GPA_NOMEM, "out of memory");
    if (st == GPA_OK) {
        (format == GPA_FORMAT_JSON  ? write_json
         : format == GPA_FORMAT_CSV ? write_csv
                                    : write_table)(f);
        if (fclose(f) != 0)
            st = fail(&err, GPA_NOMEM, "out of memory");
    }
    if (st == GPA_OK)
        st = out_open(&o, a->text[OPT_OUT], &err);
    if (st == GPA_OK)
        st = out_write(&o, text, size, &err);
    if (st == GPA_OK)
        st = out_commit(&o, &err);
    out_discard(&o);
    free(text);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
