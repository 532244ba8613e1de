#include "base/text/json.h"
#include "report/json/parts.h"
#include "report/view.h"
#include "report/write.h"
#include "result/explanation.h"
#include <gpa/version.h>
#include <math.h>
#include <string.h>

/* What JSON holds besides when pictures are to be drawn from it (info->full). */

/* Which rows these are, in words. */
static void kept_field(gpa_text *t, const gpa_background *b)
{
    gpai_json_key(t, "kept");
    if (b->n >= b->total)
        gpai_text_add(t, "\"all rows\"");
    else
        gpai_text_printf(t,
                         "\"%zu of %zu rows: evenly spaced ones and those that are "
                         "explained\"",
                         b->n, b->total);
}

/* The names of all rows, where they have names. */
static void ids_field(gpa_text *t, const gpa_report_info *info)
{
    char room[GPAI_NAME_SIZE];
    const gpa_background *b = info->background;
    if (info->ids == NULL)
        return;
    gpai_json_new_line(t);
    gpai_json_open(t, "ids", "[");
    for (size_t i = 0; i < b->n; i++)
        gpai_json_text_item(t, gpai_name_row(info, gpai_reference_row(b, i), room));
    gpai_text_add(t, "]");
}

static void reference_field(gpa_text *t, const gpa_report_info *info)
{
    const gpa_background *b = info->background;
    const gpai_kinds_table x = {b->x, b->n, b->d};
    gpai_json_open(t, "background", "{");
    gpai_json_count_field(t, "total", b->total);
    kept_field(t, b);
    gpai_json_new_line(t);
    gpai_json_open(t, "rows", "[");
    for (size_t i = 0; i < b->n; i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpai_reference_row(b, i));
    gpai_text_add(t, "]");
    ids_field(t, info);
    gpai_json_new_line(t);
    gpai_json_values_field(t, info, "x", &x);
    gpai_json_new_line(t);
    gpai_json_array_field(t, "y", b->y, b->n, "missing in the data");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "f", b->f, b->n, "no finite prediction");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "score", b->score, b->n, "sigma is not known");
    gpai_text_add(t, "}");
}

/* The outcome's name and the rows to see the explained ones against. */
static void reference_fields(gpa_text *t, const gpa_report_info *info)
{
    gpai_json_text_field(t, "target", info->target);
    gpai_json_new_line(t);
    if (info->background != NULL)
        reference_field(t, info);
    else
        gpai_json_null_field(t, "background", "not known");
    gpai_json_new_line(t);
}

void gpai_json_head(gpa_text *t, const gpa_report_info *info, const char *format)
{
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "format", format);
    gpai_json_text_field(t, "version",
                         info->version != NULL ? info->version : gpa_version());
    gpai_json_new_line(t);
    gpai_json_key(t, "options");
    gpai_text_add(t, info->options_json != NULL ? info->options_json : "{}");
    gpai_json_new_line(t);
    gpai_json_text_field(t, "input_digest", info->input_digest);
    gpai_json_text_field(t, "model_probe_digest", info->model_digest);
}

void gpai_json_notes_field(gpa_text *t, const gpa_report_info *info)
{
    if (info->n_notes == 0)
        return;
    gpai_json_open(t, "notes", "[");
    for (size_t i = 0; i < info->n_notes; i++)
        gpai_json_text_item(t, info->notes[i]);
    gpai_text_add(t, "]");
    gpai_json_new_line(t);
}

static void model_field(gpa_text *t, const gpa_report_info *info,
                        const gpa_explanation *e)
{
    gpai_json_open(t, "model", "{");
    gpai_json_text_field(t, "spec", info->model_spec);
    if (e != NULL)
        gpai_json_count_field(t, "inputs", gpa_explanation_dim(e));
    else
        gpai_json_null_field(t, "inputs", "nothing was explained");
    gpai_text_add(t, "}");
}

static void scale_field(gpa_text *t, const gpa_report_info *info,
                        const gpa_explanation *e)
{
    size_t d = e != NULL ? gpa_explanation_dim(e) : 0;
    const double *unit = e != NULL ? gpa_explanation_unit(e) : NULL;
    const char *why = e != NULL ? "not known" : "nothing was explained";
    gpai_json_open(t, "scale", "{");
    gpai_json_array_field(t, "center", e != NULL ? info->center : NULL, d, why);
    gpai_json_array_field(t, "unit", unit, d, why);
    gpai_text_add(t, "}");
}

void gpai_json_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    const gpa_summary *s = e != NULL ? gpa_explanation_summary(e) : NULL;
    gpai_json_head(t, info, "gpa-explanation/1");
    gpai_json_new_line(t);
    model_field(t, info, e);
    gpai_json_inputs_field(t, info, e != NULL ? gpa_explanation_dim(e) : 0);
    gpai_json_new_line(t);
    scale_field(t, info, e);
    gpai_json_new_line(t);
    gpai_json_text_field(t, "solver", s != NULL ? gpa_solver_name(s->solver) : NULL);
    gpai_json_text_field(t, "marginals",
                         s != NULL ? gpa_marginals_name(s->marginals) : NULL);
    gpai_json_count_field(t, "seed", info->seed);
    gpai_json_new_line(t);
    gpai_json_notes_field(t, info);
    if (info->full)
        reference_fields(t, info);
    gpai_json_open(t, "explanations", "[");
}

gpa_status gpai_json_end(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    (void)err;
    gpai_text_add(t, "]");
    if (info->shard_json != NULL) {
        gpai_json_new_line(t);
        gpai_json_key(t, "shard");
        gpai_text_add(t, info->shard_json);
    }
    gpai_text_add(t, "}\n");
    return GPA_OK;
}

static void rows_fields(gpa_text *t, const gpai_view *v)
{
    char room[GPAI_NAME_SIZE];
    gpai_json_open(t, "rows", "[");
    for (size_t i = 0; i < v->n; i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpa_explanation_row(v->e, i));
    gpai_text_add(t, "]");
    gpai_json_open(t, "ids", "[");
    for (size_t i = 0; i < v->n; i++)
        gpai_json_text_item(t,
                            gpai_name_row(v->info, gpa_explanation_row(v->e, i), room));
    gpai_text_add(t, "]");
}

static void prior_field(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    const char *unknown = "not used: b0 was given";
    gpai_json_open(t, "prior", "{");
    gpai_json_real_field(t, "eta", s->eta, "not used");
    gpai_json_real_field(t, "nu", s->nu, "not used");
    gpai_json_real_field(t, "a0", s->a0, "not used");
    gpai_json_array_field(t, "b0", v->b, v->n, "not used");
    gpai_json_real_field(t, "sigma", s->sigma, unknown);
    gpai_json_real_field(t, "cb", s->cb, unknown);
    gpai_json_real_field(t, "kappa", s->kappa, "not used by this solver");
    gpai_json_text_field(
        t, "noise", s->noise == GPA_NOISE_AUTO ? "given" : gpa_noise_name(s->noise));
    gpai_text_add(t, "}");
}

static void run_fields(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_json_real_field(t, "objective", s->objective,
                         "no finite prediction at x + delta");
    gpai_json_real_field(t, "objective_zero", s->objective_zero,
                         "no finite prediction at x");
    gpai_json_real_field(t, "stationarity", s->stationarity,
                         v->e->stepped ? GPAI_STEPPED : "no finite slope at x + delta");
    gpai_json_new_line(t);
    gpai_json_bool_field(t, "converged", s->converged);
    gpai_json_bool_field(t, "budget_hit", s->budget_hit);
    gpai_json_count_field(t, "iterations", s->iterations);
    gpai_json_count_field(t, "model_rows", s->model_rows);
    gpai_json_count_field(t, "model_calls", s->model_calls);
    gpai_json_open(t, "rows_by_stage", "{");
    gpai_json_count_field(t, "map", s->rows_map);
    gpai_json_count_field(t, "check", s->rows_check);
    gpai_json_count_field(t, "marginals", s->rows_marginals);
    gpai_json_count_field(t, "culprit", s->rows_culprit);
    gpai_text_add(t, "}");
    gpai_json_count_field(t, "nonfinite_rows", s->nonfinite_rows);
}

/* Why there are no culprits: the note about it, or they were not wanted. */
static void no_culprit(gpa_text *t, const gpa_explanation *e, const char *name)
{
    const char *why = gpai_result_noted(e, GPAI_NO_CULPRITS);
    gpai_json_null_field(t, name, why != NULL ? why : "not asked for");
}

static void verdict_field(gpa_text *t, const gpai_view *v)
{
    if (v->c == NULL) {
        no_culprit(t, v->e, "verdict");
        return;
    }
    gpai_json_open(t, "verdict", "{");
    gpai_json_text_field(t, "kind", gpa_verdict_name(v->c->verdict));
    gpai_json_key(t, "text");
    size_t start = t->length;
    gpai_say_verdict(t, v);
    gpai_json_string_tail(t, start);
    gpai_text_add(t, "}");
}

/* Names of columns, also of those of a group. */
static void columns_field(gpa_text *t, const gpai_view *v, const char *name,
                          const size_t *columns, size_t n)
{
    gpai_json_open(t, name, "[");
    for (size_t i = 0; i < n; i++) {
        char room[GPAI_NAME_SIZE];
        gpai_json_text_item(t, gpai_name_input(v->info, columns[i], room));
    }
    gpai_text_add(t, "]");
}

/* The likeliest idea: which inputs, and how. */
static void likeliest_field(gpa_text *t, const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    if (c->n_likeliest == 0)
        return;
    gpai_json_open(t, "likeliest", "{");
    columns_field(t, v, "inputs", c->likeliest, c->n_likeliest);
    gpai_json_bool_field(t, "exchanged", c->exchanged);
    gpai_json_real_field(t, "probability", c->p_likeliest, "not found");
    gpai_text_add(t, "}");
}

/* What the probabilities are made of. */
static void evidence_field(gpa_text *t, const gpai_view *v)
{
    static const char *const names[4] = {"one", "two", "three", "exchanged"};
    const gpa_culprit *c = v->c;
    if (c->evidence[0] == NULL)
        return;
    gpai_json_open(t, "evidence", "{");
    for (size_t i = 0; i < 4; i++)
        gpai_json_array_field(t, names[i], c->evidence[i], v->d, "not compared");
    gpai_json_real_field(t, "output", c->output_evidence, "not found");
    gpai_text_add(t, "}");
}

static void culprit_field(gpa_text *t, const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    if (c == NULL) {
        no_culprit(t, v->e, "culprit");
        return;
    }
    gpai_json_open(t, "culprit", "{");
    gpai_json_array_field(t, "probability", c->probability, v->d, "not found");
    gpai_json_array_field(t, "single", c->single, v->d, "not found");
    gpai_json_array_field(t, "responsible", c->responsible, v->d, "not found");
    gpai_json_real_field(t, "output", c->output, "not found");
    columns_field(t, v, "set90", c->set90, c->n_set90);
    gpai_json_alone_field(t, v);
    gpai_json_output_field(t, v);
    likeliest_field(t, v);
    if (v->e->n_far > 0)
        columns_field(t, v, "far", v->e->far, v->e->n_far);
    if (v->info->full)
        evidence_field(t, v);
    gpai_json_text_field(t, "plausible", gpa_plausible_name(c->plausible));
    gpai_json_count_field(t, "plausible_rows", c->plausible_rows);
    gpai_text_add(t, "}");
}

void gpai_json_blame_fields(gpa_text *t, const gpai_view *v)
{
    verdict_field(t, v);
    culprit_field(t, v);
}

/* What holds for the whole table comes first. */
static void notes_field(gpa_text *t, const gpa_report_info *info,
                        const gpa_explanation *e)
{
    gpai_json_open(t, "notes", "[");
    for (size_t i = 0; i < info->n_notes; i++)
        gpai_json_text_item(t, info->notes[i]);
    for (size_t i = 0; gpa_explanation_note(e, i) != NULL; i++)
        gpai_json_text_item(t, gpa_explanation_note(e, i));
    gpai_text_add(t, "]");
}

static bool has_change(const gpai_view *v)
{
    return gpa_explanation_stage(v->e) != GPA_STAGE_VERDICT;
}

/* The first half: the rows, and the change that was found, if that is known yet. */
static void change_fields(gpa_text *t, const gpai_view *v)
{
    const gpai_kinds_table x = {v->x, v->n, v->d};
    rows_fields(t, v);
    gpai_json_values_field(t, v->info, "x", &x);
    gpai_json_array_field(t, "y", v->y, v->n, "missing in the data");
    gpai_json_array_field(t, "f", v->f, v->n, "no finite prediction");
    gpai_json_array_field(t, "score", v->score, v->n, "sigma is not known");
    if (!has_change(v))
        return;
    gpai_json_new_line(t);
    prior_field(t, v);
    gpai_json_new_line(t);
    gpai_json_delta_fields(t, v);
    gpai_json_new_line(t);
    gpai_json_array_field(t, "f_moved", v->f_moved, v->n,
                          "no finite prediction at x + delta");
    run_fields(t, v);
}

/* When the surrogate had enough, where there was one. */
static void surrogate_fields(gpa_text *t, const gpa_summary *s)
{
    if (!isfinite(s->surrogate_error))
        return;
    gpai_json_real_field(t, "marginal_change", s->marginal_change,
                         "there was but one round, or none was compared");
    gpai_json_text_field(t, "marginal_stop", s->marginals_still ? "still" : "cap");
}

/* The distributions, and what they rest on. */
static void distribution_fields(gpa_text *t, const gpai_view *v)
{
    gpai_json_real_field(t, "ess", v->s->ess, "no draws were made");
    gpai_json_real_field(t, "surrogate_error", v->s->surrogate_error,
                         "no surrogate was used");
    surrogate_fields(t, v->s);
    gpai_json_new_line(t);
    gpai_json_marginals_field(t, v);
    gpai_json_new_line(t);
}

gpa_status gpai_json_explanation(gpa_text *t, const gpai_view *v, size_t index,
                                 gpa_error *err)
{
    (void)err;
    gpai_text_add(t, index > 0 ? ",\n{" : "\n{");
    change_fields(t, v);
    gpai_json_new_line(t);
    gpai_json_kinds_field(t, v);
    verdict_field(t, v);
    gpai_json_new_line(t);
    culprit_field(t, v);
    gpai_json_new_line(t);
    if (gpa_explanation_stage(v->e) == GPA_STAGE_WHOLE)
        distribution_fields(t, v);
    notes_field(t, v->info, v->e);
    if (v->info->full) {
        gpai_json_new_line(t);
        gpai_json_profiles_field(t, v);
    }
    gpai_text_add(t, "}");
    return GPA_OK;
}

/* What the scores are of, so that nobody takes them for those of something else. */
static void scored_fields(gpa_text *t, const gpa_report_info *info,
                          const gpa_score_list *list)
{
    if (info->options_json == NULL)
        return;
    gpai_json_key(t, "options");
    gpai_text_add(t, info->options_json);
    gpai_json_new_line(t);
    gpai_json_text_field(t, "input_digest", info->input_digest);
    gpai_json_text_field(t, "model_probe_digest", info->model_digest);
    if (list->left_out == NULL)
        return;
    gpai_json_open(t, "left_out", "[");
    for (size_t i = 0; i < list->sample->n; i++)
        if (list->left_out[i] != NULL) {
            gpai_json_comma(t);
            gpai_text_add(t, "{");
            gpai_json_count_field(t, "row", i);
            gpai_json_text_field(t, "why", list->left_out[i]);
            gpai_text_add(t, "}");
        }
    gpai_text_add(t, "]");
}

void gpai_json_scores(gpa_text *t, const gpa_report_info *info,
                      const gpa_score_list *list)
{
    char room[GPAI_NAME_SIZE];
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "format", "gpa-scores/1");
    gpai_json_real_field(t, "sigma", list->sigma, "not known");
    if (isfinite(list->collective))
        gpai_json_real_field(t, "collective", list->collective, "");
    if (info->n_notes > 0 || info->options_json != NULL)
        gpai_json_new_line(t);
    gpai_json_notes_field(t, info);
    scored_fields(t, info, list);
    gpai_json_open(t, "rows", "[");
    for (size_t i = 0; i < list->n_shown; i++) {
        size_t row = list->order[i];
        gpai_text_add(t, i > 0 ? ",\n{" : "\n{");
        gpai_json_count_field(t, "row", row);
        gpai_json_text_field(t, "id", gpai_name_row(info, row, room));
        gpai_json_real_field(t, "y", list->sample->y[row], "missing in the data");
        gpai_json_real_field(t, "f", list->sample->f[row], "no finite prediction");
        gpai_json_real_field(t, "score", list->score[row], "sigma is not known");
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "]}\n");
}
