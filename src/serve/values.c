#include "serve/values.h"
#include "base/text/json.h"
#include <math.h>

void values_field(gpa_text *t, const char *name, double v)
{
    gpai_json_key(t, name);
    if (isfinite(v))
        (void)gpai_json_number(t, v);
    else
        gpai_text_add(t, "null");
}

void values_row(gpa_text *t, const char *name, const gpa_study *s, const double *x)
{
    gpai_json_open(t, name, "[");
    for (size_t k = 0; k < s->d; k++) {
        gpai_json_comma(t);
        if (!isfinite(x[k]))
            gpai_text_add(t, "null");
        else if (s->kinds[k].group != 0)
            (void)gpai_json_number(t, x[k]);
        else
            (void)gpai_json_value(t, &s->kinds[k], x[k]);
    }
    gpai_text_add(t, "]");
}

/* What an input is called as the user sees it: of a one-hot group its name. */
static const char *name_of(const gpa_study *s, size_t k)
{
    const gpa_input *in = &s->kinds[k];
    return in->group != 0 && in->name != NULL ? in->name : s->called[k];
}

void values_who(gpa_text *t, struct serving *v, const struct who *w)
{
    gpai_json_text_field(t, "verdict", gpa_verdict_name((gpa_verdict)w->verdict));
    gpai_json_text_field(t, "first", name_of(v->study, w->first));
    gpai_json_open(t, "also", "[");
    for (size_t i = 0; i < w->n_also; i++)
        gpai_json_text_item(t, name_of(v->study, w->also[i]));
    gpai_text_add(t, "]");
    gpai_json_bool_field(t, "exchanged", w->exchanged);
    values_field(t, "responsible", (double)w->responsible);
    values_field(t, "output", (double)w->output);
}
