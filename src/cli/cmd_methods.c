#include "base/text/text.h"
#include "cli/commands.h"
#include "console/args.h"
#include "console/out.h"
#include "console/terminal.h"
#include <gpa/attribute.h>

static const char *yes(bool value)
{
    return value ? "yes" : "no";
}

/* The paper's comparison chart, then what the scores are. */
static void write_table(gpa_text *f)
{
    gpai_text_printf(f, "  %-8s  %-13s  %-13s  %-11s  %-11s  %s\n  %-8s  %-13s  %s\n",
                     "", "training-", "baseline-", "y-sensitive", "built-in UQ",
                     "reference point", "name", "data-free", "input-free");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        gpai_text_printf(f, "  %-8s  %-13s  %-13s  %-11s  %-11s  %s\n", m->name,
                         yes(m->training_data_free), yes(m->baseline_free),
                         yes(m->sees_y), yes(m->distribution), m->reference_point);
    }
    gpai_text_printf(
        f, "\nAll of them see the model only through its predictions. Their scores:\n");
    for (size_t i = 0; i < gpa_method_count(); i++)
        gpai_text_printf(f, "  %-8s  %s\n", gpa_method_at(i)->name,
                         gpa_method_at(i)->gives);
}

/* The texts are the library's own: they hold no quotes or backslashes. */
static void write_json(gpa_text *f)
{
    gpai_text_printf(f, "{\"format\":\"gpa-methods/1\",\"methods\":[");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        gpai_text_printf(
            f,
            "%s\n{\"name\":\"%s\",\"title\":\"%s\",\"training_data_free\":%s,"
            "\"baseline_free\":%s,\"sees_y\":%s,\"distribution\":%s,"
            "\"reference_point\":\"%s\",\"gives\":\"%s\"}",
            i > 0 ? "," : "", m->name, m->title,
            m->training_data_free ? "true" : "false",
            m->baseline_free ? "true" : "false", m->sees_y ? "true" : "false",
            m->distribution ? "true" : "false", m->reference_point, m->gives);
    }
    gpai_text_printf(f, "]}\n");
}

static void write_csv(gpa_text *f)
{
    gpai_text_printf(f,
                     "name,title,training_data_free,baseline_free,sees_y,distribution,"
                     "reference_point,gives\n");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        gpai_text_printf(
            f, "%s,\"%s\",%s,%s,%s,%s,\"%s\",\"%s\"\n", m->name, m->title,
            m->training_data_free ? "true" : "false",
            m->baseline_free ? "true" : "false", m->sees_y ? "true" : "false",
            m->distribution ? "true" : "false", m->reference_point, m->gives);
    }
}

int cmd_methods(const gpai_options *a)
{
    gpa_error err = {0};
    gpa_format format;
    gpa_text *text = NULL;
    gpa_status st = args_format(a, &format, &err);
    if (st == GPA_OK)
        st = gpa_text_new(&text, &err);
    if (st == GPA_OK) {
        (format == GPA_FORMAT_JSON  ? write_json
         : format == GPA_FORMAT_CSV ? write_csv
                                    : write_table)(text);
        st = gpai_text_seal(text, 0, &err);
    }
    if (st == GPA_OK)
        st = out_whole(a, text, &err);
    gpa_text_free(text);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
