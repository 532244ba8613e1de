#include "base/text/input.h"
#include "base/text/json.h"
#include "report/json/parts.h"
#include "report/view.h"
#include "result/explanation.h"
#include <math.h>

/* What JSON says about each input: values, kinds, changes, distributions. */

static const char MISSING[] = "missing in the data";
static const char NO_HELP[] = "no other level is known to bring f nearer to y";
static const char NO_PREDICTION[] = "no finite prediction along this input";
static const char NO_VALUE[] = "no other value is known to bring f nearer to y";
static const char IS_CHOICE[] = "it has levels";

static void value_field(gpa_text *t, const char *name, const gpa_input *in, double v,
                        const char *why)
{
    gpai_json_key(t, name);
    if (!gpai_json_value(t, in, v))
        gpai_json_reason(t, name, why);
}

/* A column by itself: that of a group is a number. */
static bool column_value(gpa_text *t, const gpa_input *inputs, size_t k, double v)
{
    return inputs != NULL && inputs[k].group == 0 ? gpai_json_value(t, &inputs[k], v)
                                                  : gpai_json_number(t, v);
}

void gpai_json_values_field(gpa_text *t, const gpa_report_info *info, const char *name,
                            const gpai_kinds_table *x)
{
    bool whole = true;
    if (info->inputs == NULL) {
        gpai_json_table_field(t, name, x->x, x->n, x->d, MISSING);
        return;
    }
    gpai_json_open(t, name, "[");
    for (size_t i = 0; i < x->n; i++) {
        gpai_text_add(t, i > 0 ? ",[" : "[");
        for (size_t k = 0; k < x->d; k++) {
            gpai_json_comma(t);
            whole = column_value(t, info->inputs, k, x->x[i * x->d + k]) && whole;
        }
        gpai_text_add(t, "]");
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, name, MISSING);
}

/* Changes as numbers; those between texts are none. */
static void change_field(gpa_text *t, const gpai_view *v, const char *name,
                         const double *change)
{
    bool text = false;
    gpai_json_open(t, name, "[");
    for (size_t k = 0; k < v->d; k++) {
        bool none = gpai_is_text(&v->kinds, k);
        gpai_json_comma(t);
        (void)gpai_json_number(t, none ? (double)NAN : change[k]);
        text = text || none;
    }
    gpai_text_add(t, "]");
    if (text)
        gpai_json_reason(t, name, "between texts there is none: see moved");
}

void gpai_json_delta_fields(gpa_text *t, const gpai_view *v)
{
    change_field(t, v, "delta", v->delta);
    gpai_json_new_line(t);
    change_field(t, v, "delta_raw", v->raw);
    if (v->info->inputs == NULL)
        return;
    bool whole = true;
    gpai_json_new_line(t);
    gpai_json_open(t, "moved", "[");
    for (size_t k = 0; k < v->d; k++) {
        double then =
            gpai_is_group(&v->kinds, k) ? v->x[k] + v->raw[k] : gpai_view_moved(v, k);
        gpai_json_comma(t);
        whole = column_value(t, v->info->inputs, k, then) && whole;
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, "moved", MISSING);
}

/* The levels that may be proposed, by name or as numbers; the numbers behind names
 * that the model does not see. */
static void levels_field(gpa_text *t, const gpa_input *in)
{
    gpai_json_open(t, "levels", "[");
    for (size_t i = 0; i < in->levels; i++) {
        if (in->rare != NULL && in->rare[i])
            continue;
        gpai_json_comma(t);
        (void)gpai_json_value(t, in, in->level[i]);
    }
    gpai_text_add(t, "]");
    if (in->level_name == NULL || in->writing == GPA_WRITING_LEVEL || in->group > 0)
        return;
    gpai_json_open(t, "values", "[");
    for (size_t i = 0; i < in->levels; i++) {
        if (in->rare != NULL && in->rare[i])
            continue;
        gpai_json_comma(t);
        (void)gpai_json_number(t, in->level[i]);
    }
    gpai_text_add(t, "]");
}

static void columns_field(gpa_text *t, const gpai_view *v, size_t k)
{
    char room[GPAI_NAME_SIZE];
    gpai_json_open(t, "columns", "[");
    for (size_t j = k; j < v->d; j++)
        if (v->kinds.first[j] == k)
            gpai_json_text_item(t, gpai_name_input(v->info, j, room));
    gpai_text_add(t, "]");
}

static void limit_field(gpa_text *t, const char *name, const gpa_input *in,
                        double limit)
{
    if (!isfinite(limit))
        return;
    gpai_json_key(t, name);
    (void)gpai_json_value(t, in, limit);
}

/* One input as the user sees it. */
static void kind(gpa_text *t, const gpai_view *v, size_t k)
{
    static const char *const writings[] = {NULL, "text", "date", "time"};
    const gpa_input *in = &v->kinds.input[k];
    gpai_json_comma(t);
    gpai_text_add(t, "\n  {");
    gpai_json_text_field(t, "name", v->kinds.name[k]);
    gpai_json_text_field(t, "kind", gpa_kind_name(in->kind));
    gpai_json_bool_field(t, "inferred", in->inferred);
    if (gpai_has_levels(&v->kinds, k) || gpai_is_group(&v->kinds, k))
        levels_field(t, in);
    else {
        limit_field(t, "low", in, in->low);
        limit_field(t, "high", in, in->high);
    }
    if (gpai_is_group(&v->kinds, k))
        columns_field(t, v, k);
    if (in->kind == GPA_KIND_NUMBER && in->whole)
        gpai_json_bool_field(t, "whole", true);
    if (isfinite(in->missing))
        gpai_json_real_field(t, "missing_code", in->missing, "");
    if ((size_t)in->writing < sizeof writings / sizeof *writings &&
        writings[in->writing] != NULL)
        gpai_json_text_field(t, "writing", writings[in->writing]);
    gpai_text_add(t, "}");
}

void gpai_json_kinds_field(gpa_text *t, const gpai_view *v)
{
    if (v->info->inputs == NULL)
        return;
    gpai_json_open(t, "kinds", "[");
    for (size_t i = 0; i < v->inputs; i++)
        kind(t, v, v->kinds.seen[i]);
    gpai_text_add(t, "]");
    gpai_json_new_line(t);
}

/* [{"level":…,"probability":…},…]; levels that are not proposed are left out. */
static void shares_field(gpa_text *t, const gpa_input *in, const double *level,
                         const double *share, size_t n, const char *unknown)
{
    gpai_json_open(t, "levels", "[");
    for (size_t i = 0; i < n; i++) {
        size_t at = gpai_input_level(in, level[i]);
        if (in->rare != NULL && at < in->levels && in->rare[at] && share[i] == 0)
            continue;
        gpai_json_comma(t);
        gpai_text_add(t, "{");
        value_field(t, "level", in, level[i], "as the row is, which is no level");
        if (unknown == NULL)
            gpai_json_real_field(t, "probability", share[i], NO_PREDICTION);
        else
            gpai_json_null_field(t, "probability", unknown);
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "]");
}

/* A level in place of a change. */
static void alone_level(gpa_text *t, const gpai_view *v, size_t k)
{
    static const char *const none[] = {"median", "interval90", "median_raw",
                                       "interval90_raw"};
    const gpa_input *in = &v->kinds.input[k];
    const gpa_alone *a = gpai_view_alone(v, k);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        gpai_json_null_field(t, none[i], IS_CHOICE);
    if (a == NULL || a->levels == 0) {
        gpai_json_null_field(t, "level",
                             gpai_view_held(v, k) ? "it is held" : NO_PREDICTION);
        return;
    }
    value_field(t, "level", in, gpai_view_normal_alone(v, k), NO_HELP);
    shares_field(t, in, a->level, a->probability, a->levels, NULL);
    if (a->missing)
        gpai_json_bool_field(t, "missing", true);
}

/* The value itself, where it is known. */
static void alone_value(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_input *in = &v->kinds.input[k];
    const gpa_alone *a = gpai_view_alone(v, k);
    const char *why = v->n > 1 ? "the rows differ" : NO_VALUE;
    bool none = a == NULL && v->n == 1 && isnan(v->c->median[k]);
    if (a == NULL && !none)
        return;
    value_field(t, "value", in, none ? (double)NAN : a->value, why);
    gpai_json_open(t, "value_interval90", "[");
    bool low = gpai_json_value(t, in, none ? (double)NAN : a->low);
    gpai_text_add(t, ",");
    bool high = gpai_json_value(t, in, none ? (double)NAN : a->high);
    gpai_text_add(t, "]");
    if (!low || !high)
        gpai_json_reason(t, "value_interval90", why);
    if (!none && a->missing)
        gpai_json_bool_field(t, "missing", true);
}

/* delta of one input if it alone moved, in units and in the data's own. */
static void alone(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_culprit *c = v->c;
    const double interval[2] = {c->low[k], c->high[k]};
    const double raw[2] = {gpai_raw(c->low[k], v->unit[k]),
                           gpai_raw(c->high[k], v->unit[k])};
    const char *why = gpai_view_gap(v, k) ? MISSING : NO_VALUE;
    gpai_json_real_field(t, "median", c->median[k], why);
    gpai_json_array_field(t, "interval90", interval, 2, why);
    gpai_json_real_field(t, "median_raw", gpai_raw(c->median[k], v->unit[k]), why);
    gpai_json_array_field(t, "interval90_raw", raw, 2, why);
    alone_value(t, v, k);
}

void gpai_json_output_field(gpa_text *t, const gpai_view *v)
{
    double ends[2], normal = gpai_view_output_normal(v, ends);
    const char *why = v->n > 1 ? "the rows differ" : "sigma is not known";
    gpai_json_open(t, "output_alone", "{");
    gpai_json_real_field(t, "value", normal, why);
    gpai_json_array_field(t, "value_interval90", ends, 2, why);
    gpai_text_add(t, "}");
}

void gpai_json_alone_field(gpa_text *t, const gpai_view *v)
{
    gpai_json_open(t, "alone", "[");
    for (size_t k = 0; k < v->d; k++) {
        gpai_json_comma(t);
        gpai_text_add(t, "\n  {");
        if (gpai_has_levels(&v->kinds, k))
            alone_level(t, v, k);
        else
            alone(t, v, k);
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "]");
}

/* A probability per level in place of a curve. */
static void masses(gpa_text *t, const gpai_view *v, const gpa_marginal *m, size_t k)
{
    static const char *const none[] = {"map",        "mean",       "sd",
                                       "interval50", "interval90", "p_positive"};
    const char *unknown =
        gpai_view_marginal(v, k) == NULL ? gpai_spread_unknown(v->s) : NULL;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        gpai_json_null_field(t, none[i], IS_CHOICE);
    if (unknown == NULL)
        gpai_json_real_field(t, "information", m->information, NO_PREDICTION);
    else
        gpai_json_null_field(t, "information", unknown);
    gpai_json_null_field(t, "grid", IS_CHOICE);
    gpai_json_null_field(t, "density", IS_CHOICE);
    shares_field(t, &v->kinds.input[k], m->level, m->mass, m->levels, unknown);
}

/* The most probable change alone: the rest is not known. */
static void peak(gpa_text *t, const gpa_marginal *m, const char *unknown)
{
    static const char *const none[] = {"mean",       "sd",         "interval50",
                                       "interval90", "p_positive", "information",
                                       "grid",       "density"};
    gpai_json_real_field(t, "map", m->map, NO_PREDICTION);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        gpai_json_null_field(t, none[i], unknown);
}

static void curve(gpa_text *t, const gpa_marginal *m)
{
    const char *why = NO_PREDICTION;
    gpai_json_real_field(t, "map", m->map, why);
    gpai_json_real_field(t, "mean", m->mean, why);
    gpai_json_real_field(t, "sd", m->sd, why);
    gpai_json_array_field(t, "interval50", m->interval50, 2, why);
    gpai_json_array_field(t, "interval90", m->interval90, 2, why);
    gpai_json_real_field(t, "p_positive", m->p_positive, why);
    gpai_json_real_field(t, "information", m->information, why);
    gpai_json_curve_field(t, "grid", m->grid, m->points, why);
    gpai_json_curve_field(t, "density", m->density, m->points, why);
}

void gpai_json_marginals_field(gpa_text *t, const gpai_view *v)
{
    char room[GPAI_NAME_SIZE];
    gpai_json_open(t, "marginals", "[");
    for (size_t k = 0; k < v->d; k++) {
        const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
        if (m == NULL)
            continue;
        gpai_json_comma(t);
        gpai_text_add(t, "\n  {");
        gpai_json_text_field(t, "feature", gpai_name_input(v->info, k, room));
        if (m->levels > 0)
            masses(t, v, m, k);
        else if (gpai_view_marginal(v, k) == NULL)
            peak(t, m, gpai_spread_unknown(v->s));
        else
            curve(t, m);
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "]");
}

/* Where f is known along an input: changes, levels, or values that fill a gap. */
static void places_field(gpa_text *t, const gpai_view *v, const gpa_axis *a, size_t k)
{
    if (a->level == NULL) {
        gpai_json_curve_field(t, a->gap ? "values" : "change", a->change, a->points,
                              "not finite");
        return;
    }
    gpai_json_open(t, "levels", "[");
    for (size_t i = 0; i < a->points; i++) {
        gpai_json_comma(t);
        (void)gpai_json_value(t, &v->kinds.input[k], a->level[i]);
    }
    gpai_text_add(t, "]");
}

/* f of one row after the other; in the explanation a point's rows stand together. */
static void profile(gpa_text *t, const gpai_view *v, const gpa_axis *a, size_t k)
{
    bool whole = true;
    gpai_json_comma(t);
    gpai_text_add(t, "\n  {");
    gpai_json_text_field(t, "feature", v->kinds.name[k]);
    places_field(t, v, a, k);
    gpai_json_open(t, "f", "[");
    for (size_t row = 0; row < v->n; row++) {
        gpai_json_comma(t);
        whole = gpai_json_curve(t, a->f + row, a->points, v->n) && whole;
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, "f", "no finite prediction");
    gpai_text_add(t, "}");
}

void gpai_json_profiles_field(gpa_text *t, const gpai_view *v)
{
    size_t known = 0;
    gpai_json_open(t, "profiles", "[");
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->kinds.seen[i];
        const gpa_axis *a = gpa_explanation_axis(v->e, k);
        known += a != NULL;
        if (a != NULL)
            profile(t, v, a, k);
    }
    gpai_text_add(t, "]");
    if (known == 0)
        gpai_json_reason(t, "profiles", "f along the inputs was not asked");
}
