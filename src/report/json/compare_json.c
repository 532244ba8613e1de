#include "base/text/json.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/write.h"
#include <gpa/version.h>
#include <math.h>
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

static void open_object(gpa_text *t, const char *name)
{
    gpai_json_key(t, name);
    gpai_text_add(t, "{");
}

/* Scores by method; a method without an answer is null, with the reason. */
static void scores_field(gpa_text *t, const gpa_comparison *c, size_t i)
{
    open_object(t, "scores");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        gpai_json_array_field(
            t, name_of(c, j), a != NULL ? gpa_attribution_score(a) : NULL,
            gpa_comparison_dim(c), a != NULL ? "not finite" : why_not(c, i, j));
    }
    gpai_text_add(t, "}");
}

/* Spreads of the methods that have them. */
static void sd_field(gpa_text *t, const gpa_comparison *c, size_t i)
{
    open_object(t, "sd");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        if (a != NULL && gpa_attribution_sd(a) != NULL)
            gpai_json_array_field(t, name_of(c, j), gpa_attribution_sd(a),
                                  gpa_comparison_dim(c), "not finite");
    }
    gpai_text_add(t, "}");
}

static void run_fields(gpa_text *t, const gpa_comparison *c, size_t i)
{
    static const char *const names[] = {"model_rows", "model_calls", "iterations"};
    for (size_t what = 0; what < 3; what++) {
        open_object(t, names[what]);
        for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
            const gpa_attribution *a = gpa_comparison_at(c, i, j);
            if (a != NULL)
                gpai_json_count_field(t, name_of(c, j),
                                      what == 0   ? gpa_attribution_model_rows(a)
                                      : what == 1 ? gpa_attribution_model_calls(a)
                                                  : gpa_attribution_iterations(a));
        }
        gpai_text_add(t, "}");
    }
    open_object(t, "converged");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        if (a != NULL)
            gpai_json_bool_field(t, name_of(c, j), gpa_attribution_converged(a));
    }
    gpai_text_add(t, "}");
}

static const char *why_unknown(const gpa_comparison *c, size_t i, size_t j)
{
    if (gpa_comparison_at(c, i, j) == NULL)
        return why_not(c, i, j);
    return gpa_comparison_y(c, i) == gpa_comparison_f(c, i) ? "y equals f"
                                                            : "not tried";
}

/* What each method says when y is reflected about f, and whether it noticed. */
static void flip_fields(gpa_text *t, const gpa_comparison *c, size_t i)
{
    open_object(t, "reacts");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        int reacts = gpa_comparison_reacts(c, i, j);
        if (reacts >= 0)
            gpai_json_bool_field(t, name_of(c, j), reacts == 1);
        else
            gpai_json_null_field(t, name_of(c, j), why_unknown(c, i, j));
    }
    gpai_text_add(t, "}");
    open_object(t, "flip");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const double *flipped = gpa_comparison_flipped(c, i, j);
        if (flipped != NULL)
            gpai_json_array_field(t, name_of(c, j), flipped, gpa_comparison_dim(c),
                                  "not finite");
    }
    gpai_text_add(t, "}");
}

/* A number beside the scores: lime's intercept and the like. */
static void extra_field(gpa_text *t, const gpa_comparison *c, size_t i)
{
    open_object(t, "extra");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        if (a == NULL || gpa_attribution_extra_name(a) == NULL)
            continue;
        open_object(t, name_of(c, j));
        gpai_json_text_field(t, "name", gpa_attribution_extra_name(a));
        gpai_json_real_field(t, "value", gpa_attribution_extra(a), "not finite");
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "}");
}

static void skipped_field(gpa_text *t, const gpa_comparison *c, size_t i)
{
    open_object(t, "skipped");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        if (gpa_comparison_at(c, i, j) == NULL)
            gpai_json_text_field(t, name_of(c, j), why_not(c, i, j));
    gpai_text_add(t, "}");
}

static void notes_field(gpa_text *t, const gpa_comparison *c, size_t i)
{
    open_object(t, "notes");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        if (a == NULL || gpa_attribution_note(a, 0) == NULL)
            continue;
        gpai_json_key(t, name_of(c, j));
        for (size_t k = 0; gpa_attribution_note(a, k) != NULL; k++) {
            gpai_text_add(t, k > 0 ? "," : "[");
            gpai_json_string(t, gpa_attribution_note(a, k));
        }
        gpai_text_add(t, "]");
    }
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
    gpai_json_new_line(t);
    scores_field(t, c, i);
    gpai_json_new_line(t);
    sd_field(t, c, i);
    gpai_json_new_line(t);
    run_fields(t, c, i);
    gpai_json_new_line(t);
    flip_fields(t, c, i);
    gpai_json_new_line(t);
    extra_field(t, c, i);
    skipped_field(t, c, i);
    notes_field(t, c, i);
    gpai_text_add(t, "}");
}

static void spread_field(gpa_text *t, const char *name, const gpa_spread *s)
{
    open_object(t, name);
    gpai_json_real_field(t, "mean", s->mean, "it exists for no row");
    gpai_json_real_field(t, "sd", s->sd, "it takes two rows");
    gpai_json_count_field(t, "n", s->n);
    gpai_text_add(t, "}");
}

static void consistency_field(gpa_text *t, const gpa_comparison *c)
{
    open_object(t, "consistency");
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
        open_object(t, name_of(c, j));
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
    gpai_json_key(t, "methods");
    gpai_text_add(t, "[");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        gpai_text_add(t, j > 0 ? "," : "");
        gpai_json_string(t, name_of(c, j));
    }
    gpai_text_add(t, "]");
}

void gpai_json_comparison_body(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c)
{
    gpai_json_key(t, "rows");
    gpai_text_add(t, "[");
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
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "format", "gpa-comparison/1");
    gpai_json_text_field(t, "version",
                         info->version != NULL ? info->version : gpa_version());
    gpai_json_new_line(t);
    gpai_json_key(t, "options");
    gpai_text_add(t, info->options_json != NULL ? info->options_json : "{}");
    gpai_json_new_line(t);
    gpai_json_text_field(t, "input_digest", info->input_digest);
    gpai_json_text_field(t, "model_probe_digest", info->model_digest);
    open_object(t, "model");
    gpai_json_text_field(t, "spec", info->model_spec);
    gpai_json_count_field(t, "inputs", gpa_comparison_dim(c));
    gpai_text_add(t, "}");
    gpai_json_new_line(t);
    gpai_json_features_field(t, info, gpa_comparison_dim(c));
    methods_field(t, c);
    gpai_json_count_field(t, "seed", info->seed);
    if (info->full)
        gpai_json_text_field(t, "target", info->target);
    gpai_json_new_line(t);
    gpai_json_comparison_body(t, info, c);
    gpai_text_add(t, "}\n");
    return GPA_OK;
}
