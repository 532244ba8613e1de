#include "base/text/text.h"
#include "cli/commands.h"
#include "console/args.h"
#include "console/out.h"
#include "console/terminal.h"
#include <gpa/attribute.h>

/* The paper's comparison chart, then what the scores are. */
static void write_table(gpa_text *f)
{
    static const char LINE[] = "  %-8s  %-13s  %-13s  %-11s  %-11s  %s\n";
    gpai_text_printf(f, LINE, "", "training-", "baseline-", "y-sensitive",
                     "built-in UQ", "reference point");
    gpai_text_printf(f, "  %-8s  %-13s  %s\n", "name", "data-free", "input-free");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        gpai_text_printf(f, LINE, m->name, m->training_data_free ? "yes" : "no",
                         m->baseline_free ? "yes" : "no", m->sees_y ? "yes" : "no",
                         m->distribution ? "yes" : "no", m->reference_point);
    }
    gpai_text_add(
        f, "\nAll of them see the model only through its predictions. Their scores:\n");
    for (size_t i = 0; i < gpa_method_count(); i++)
        gpai_text_printf(f, "  %-8s  %s\n", gpa_method_at(i)->name,
                         gpa_method_at(i)->gives);
}

/* JSON, or CSV. The texts are the library's own: they hold no quotes or backslashes. */
static void write_list(gpa_text *f, bool json)
{
    static const char *const WORDS[] = {"false", "true"};
    gpai_text_add(f, json ? "{\"format\":\"gpa-methods/1\",\"methods\":["
                          : "name,title,training_data_free,baseline_free,sees_y,"
                            "distribution,reference_point,gives\n");
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *m = gpa_method_at(i);
        gpai_text_add(f, !json ? "" : i > 0 ? ",\n" : "\n");
        gpai_text_printf(
            f,
            json ? "{\"name\":\"%s\",\"title\":\"%s\",\"training_data_free\":%s,"
                   "\"baseline_free\":%s,\"sees_y\":%s,\"distribution\":%s,"
                   "\"reference_point\":\"%s\",\"gives\":\"%s\"}"
                 : "%s,\"%s\",%s,%s,%s,%s,\"%s\",\"%s\"\n",
            m->name, m->title, WORDS[m->training_data_free], WORDS[m->baseline_free],
            WORDS[m->sees_y], WORDS[m->distribution], m->reference_point, m->gives);
    }
    gpai_text_add(f, json ? "]}\n" : "");
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
        if (format == GPA_FORMAT_TABLE)
            write_table(text);
        else
            write_list(text, format == GPA_FORMAT_JSON);
        st = gpai_text_seal(text, 0, &err);
    }
    if (st == GPA_OK)
        st = out_whole(&(struct outputs){.given = a}, a->text[OPT_OUT], text, &err);
    gpa_text_free(text);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
