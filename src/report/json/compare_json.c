#include "base/text/json.h"
#include "report/json/parts.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/write.h"
#include <string.h>

static const char *name_of(const gpa_comparison *c, size_t j)
{
    return gpa_comparison_method(c, j)->name;
}

static const char *why_not(const gpa_comparison *c, size_t i, size_t j)
{
    const char *why = gpa_comparison_skipped(c, i, j);
    return why != NULL ? why : "no answer";
}

/* What one method says about one row, under its name. What follows writes it in one of
 * the objects of FIELDS; nothing where it has none. */
struct answer {
    const gpa_comparison *c;
    size_t i, j;
    const char *name;
    const gpa_attribution *a; /* NULL: none */
};

static void numbers(gpa_text *t, const struct answer *of, const double *v)
{
    if (v != NULL)
        gpai_json_array_field(t, of->name, v, gpa_comparison_dim(of->c), "not finite");
}

static void score(gpa_text *t, const struct answer *of)
{
    if (of->a != NULL)
        numbers(t, of, gpa_attribution_score(of->a));
    else
        gpai_json_null_field(t, of->name, why_not(of->c, of->i, of->j));
}

static void sd(gpa_text *t, const struct answer *of)
{
    numbers(t, of, gpa_attribution_sd(of->a));
}

static void responsible(gpa_text *t, const struct answer *of)
{
    numbers(t, of, gpa_attribution_responsible(of->a));
}

static void output(gpa_text *t, const struct answer *of)
{
    if (gpa_attribution_responsible(of->a) != NULL)
        gpai_json_real_field(t, of->name, gpa_attribution_output(of->a), "not found");
}

static void model_rows(gpa_text *t, const struct answer *of)
{
    gpai_json_count_field(t, of->name, gpa_attribution_model_rows(of->a));
}

static void model_calls(gpa_text *t, const struct answer *of)
{
    gpai_json_count_field(t, of->name, gpa_attribution_model_calls(of->a));
}

static void iterations(gpa_text *t, const struct answer *of)
{
    gpai_json_count_field(t, of->name, gpa_attribution_iterations(of->a));
}

static void converged(gpa_text *t, const struct answer *of)
{
    gpai_json_bool_field(t, of->name, gpa_attribution_converged(of->a));
}

/* Whether it noticed that y was reflected about f. */
static void reacts(gpa_text *t, const struct answer *of)
{
    int noticed = gpa_comparison_reacts(of->c, of->i, of->j);
    bool equal = gpa_comparison_y(of->c, of->i) == gpa_comparison_f(of->c, of->i);
    if (noticed >= 0)
        gpai_json_bool_field(t, of->name, noticed == 1);
    else
        gpai_json_null_field(t, of->name,
                             of->a == NULL ? why_not(of->c, of->i, of->j)
                             : equal       ? "y equals f"
                                           : "not tried");
}

/* What it says then. */
static void flip(gpa_text *t, const struct answer *of)
{
    numbers(t, of, gpa_comparison_flipped(of->c, of->i, of->j));
}

/* A number beside the scores: lime's intercept and the like. */
static void extra(gpa_text *t, const struct answer *of)
{
    if (gpa_attribution_extra_name(of->a) == NULL)
        return;
    gpai_json_open(t, of->name, "{");
    gpai_json_text_field(t, "name", gpa_attribution_extra_name(of->a));
    gpai_json_real_field(t, "value", gpa_attribution_extra(of->a), "not finite");
    gpai_text_add(t, "}");
}

static void skipped(gpa_text *t, const struct answer *of)
{
    if (of->a == NULL)
        gpai_json_text_field(t, of->name, why_not(of->c, of->i, of->j));
}

static void notes(gpa_text *t, const struct answer *of)
{
    if (gpa_attribution_note(of->a, 0) == NULL)
        return;
    gpai_json_open(t, of->name, "[");
    for (size_t k = 0; gpa_attribution_note(of->a, k) != NULL; k++)
        gpai_json_text_item(t, gpa_attribution_note(of->a, k));
    gpai_text_add(t, "]");
}

static const struct field {
    const char *name;
    void (*write)(gpa_text *, const struct answer *);
    bool new_line; /* before it */
    bool always;   /* also for a method without an answer */
} FIELDS[] = {
    {"scores", score, true, true},
    {"responsible", responsible, true, false},
    {"output", output, false, false},
    {"sd", sd, true, false},
    {"model_rows", model_rows, true, false},
    {"model_calls", model_calls, false, false},
    {"iterations", iterations, false, false},
    {"converged", converged, false, false},
    {"reacts", reacts, true, true},
    {"flip", flip, false, true},
    {"extra", extra, true, false},
    {"skipped", skipped, false, true},
    {"notes", notes, false, false},
};

static void field(gpa_text *t, const struct field *f, const gpa_comparison *c, size_t i)
{
    if (f->new_line)
        gpai_json_new_line(t);
    gpai_json_open(t, f->name, "{");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const struct answer of = {c, i, j, name_of(c, j), gpa_comparison_at(c, i, j)};
        if (of.a != NULL || f->always)
            f->write(t, &of);
    }
    gpai_text_add(t, "}");
}

/* As in an explanation of the row. */
static void verdict(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                    size_t i)
{
    gpa_verdict kind = gpa_comparison_verdict(c, i);
    gpai_json_new_line(t);
    if (kind == GPA_VERDICT_UNKNOWN) {
        gpai_json_null_field(t, "verdict", "gpa was not asked, or has no answer");
        return;
    }
    gpai_json_open(t, "verdict", "{");
    gpai_json_text_field(t, "kind", gpa_verdict_name(kind));
    gpai_json_key(t, "text");
    size_t start = t->length;
    gpai_say_compared_verdict(t, info, c, i);
    gpai_json_string_tail(t, start);
    gpai_text_add(t, "}");
}

static void row(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                size_t i)
{
    char room[GPAI_NAME_SIZE];
    size_t number = gpa_comparison_row(c, i);
    gpai_text_add(t, i > 0 ? ",\n{" : "\n{");
    gpai_json_count_field(t, "row", number);
    gpai_json_text_field(t, "id", gpai_name_row(info, number, room));
    gpai_json_real_field(t, "y", gpa_comparison_y(c, i), "missing in the data");
    gpai_json_real_field(t, "f", gpa_comparison_f(c, i), "no finite prediction");
    verdict(t, info, c, i);
    for (size_t k = 0; k < sizeof FIELDS / sizeof *FIELDS; k++)
        field(t, &FIELDS[k], c, i);
    gpai_text_add(t, "}");
}

static void spread_field(gpa_text *t, const char *name, const gpa_spread *s)
{
    gpai_json_open(t, name, "{");
    gpai_json_real_field(t, "mean", s->mean, "it exists for no row");
    gpai_json_real_field(t, "sd", s->sd, "it takes two rows");
    gpai_json_count_field(t, "n", s->n);
    gpai_text_add(t, "}");
}

static void consistency_field(gpa_text *t, const gpa_comparison *c)
{
    gpai_json_open(t, "consistency", "{");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_consistency *v = gpa_comparison_consistency(c, j);
        if (strcmp(name_of(c, j), "gpa") == 0)
            continue; /* it is what the others are compared with */
        if (v == NULL) {
            const char *why = gpai_compare_silent(c, j);
            gpai_json_null_field(t, name_of(c, j),
                                 why != NULL ? why : "gpa has no answer");
            continue;
        }
        gpai_json_open(t, name_of(c, j), "{");
        spread_field(t, "tau", &v->tau);
        spread_field(t, "rho", &v->rho);
        spread_field(t, "smr", &v->smr);
        spread_field(t, "hit25", &v->hit25);
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "}");
}

static void methods_field(gpa_text *t, const gpa_comparison *c)
{
    gpai_json_open(t, "methods", "[");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        gpai_json_text_item(t, name_of(c, j));
    gpai_text_add(t, "]");
}

void gpai_json_comparison_body(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c)
{
    gpai_json_open(t, "rows", "[");
    for (size_t i = 0; i < gpa_comparison_rows(c); i++)
        row(t, info, c, i);
    gpai_text_add(t, "]");
    gpai_json_new_line(t);
    consistency_field(t, c);
}

gpa_status gpai_json_comparison(gpa_text *t, const gpa_report_info *info,
                                const gpa_comparison *c, gpa_error *err)
{
    (void)err;
    gpai_json_head(t, info, "gpa-comparison/1");
    gpai_json_open(t, "model", "{");
    gpai_json_text_field(t, "spec", info->model_spec);
    gpai_json_count_field(t, "inputs", gpa_comparison_dim(c));
    gpai_text_add(t, "}");
    gpai_json_new_line(t);
    gpai_json_inputs_field(t, info, gpa_comparison_dim(c));
    methods_field(t, c);
    gpai_json_count_field(t, "seed", info->seed);
    if (info->full)
        gpai_json_text_field(t, "target", info->target);
    gpai_json_new_line(t);
    gpai_json_notes_field(t, info);
    gpai_json_comparison_body(t, info, c);
    gpai_text_add(t, "}\n");
    return GPA_OK;
}
