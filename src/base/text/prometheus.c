#include "base/text/prometheus.h"

void gpai_metric_head(gpa_text *t, const char *name, const char *type, const char *help)
{
    gpai_text_printf(t, "# HELP gpa_%s %s\n# TYPE gpa_%s %s\n", name, help, name, type);
}

void gpai_metric_count(gpa_text *t, const char *name, const char *type,
                       const char *help, uint64_t value)
{
    gpai_metric_head(t, name, type, help);
    gpai_text_printf(t, "gpa_%s %ju\n", name, (uintmax_t)value);
}

void gpai_metric_real(gpa_text *t, const char *name, const char *type, const char *help,
                      double value)
{
    gpai_metric_head(t, name, type, help);
    gpai_text_printf(t, "gpa_%s ", name);
    gpai_text_real(t, value);
    gpai_text_add(t, "\n");
}

/* What stands between quotes: names of columns may hold anything. */
static void add_label(gpa_text *t, const char *text)
{
    for (const char *p = text; *p != '\0'; p++)
        if (*p == '\n')
            gpai_text_add(t, "\\n");
        else {
            if (*p == '"' || *p == '\\')
                gpai_text_add(t, "\\");
            gpai_text_bytes(t, p, 1);
        }
}

void gpai_metric_part(gpa_text *t, const char *name, const char *label,
                      const char *text, uint64_t value)
{
    gpai_text_printf(t, "gpa_%s{%s=\"", name, label);
    add_label(t, text);
    gpai_text_printf(t, "\"} %ju\n", (uintmax_t)value);
}
