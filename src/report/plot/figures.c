#include "report/plot/figures.h"
#include "base/alloc.h"
#include "base/status.h"
#include <gpa/plot.h>
#include <math.h>
#include <stdio.h>

static bool all_held(const gpai_view *v)
{
    for (size_t k = 0; k < v->d; k++)
        if (!gpai_view_held(v, k))
            return false;
    return true;
}

static bool may_move(const gpai_view *v, size_t k)
{
    return !gpai_view_held(v, k);
}

static bool any(const gpai_view *v, size_t k)
{
    (void)v;
    (void)k;
    return true;
}

static bool has_profile(const gpai_view *v, size_t k)
{
    return gpa_explanation_axis(v->e, k) != NULL;
}

static void fill(gpai_inputs *list, const gpai_view *v, size_t most,
                 bool (*shown)(const gpai_view *, size_t))
{
    most = most < GPAI_FIGURE_INPUTS ? most : GPAI_FIGURE_INPUTS;
    list->n = 0;
    for (size_t i = 0; i < v->d && list->n < most; i++) {
        size_t k = v->order[i];
        if (!shown(v, k))
            continue;
        list->k[list->n] = k;
        list->names[list->n] = gpai_name_input(v->info, k, list->room[list->n]);
        list->n++;
    }
}

void gpai_figure_inputs(gpai_inputs *list, const gpai_view *v, size_t most)
{
    fill(list, v, most, all_held(v) ? any : may_move);
}

void gpai_profile_inputs(gpai_inputs *list, const gpai_view *v, size_t most)
{
    fill(list, v, most, has_profile);
}

const char *gpai_change_label(double width)
{
    return width > 0 && width < 400 ? "change, in spreads"
                                    : "change, in units of the input's spread";
}

double gpai_axis_mean(const gpai_view *v, size_t k, size_t i)
{
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    double sum = 0;
    for (size_t row = 0; row < v->n; row++)
        sum += a->f[i * v->n + row];
    return sum / (double)v->n;
}

gpa_status gpai_figure_alone(gpa_text *t, const gpai_view *v, double width, size_t most,
                             gpa_error *err)
{
    enum { POINT, LOW, HIGH, WEIGHT, COLUMNS };
    double at[COLUMNS][GPAI_FIGURE_INPUTS];
    gpai_inputs list;
    gpai_figure_inputs(&list, v, most);
    if (v->c == NULL || list.n == 0)
        return GPA_OK;
    for (size_t i = 0; i < list.n; i++) {
        at[POINT][i] = v->c->median[list.k[i]];
        at[LOW][i] = v->c->low[list.k[i]];
        at[HIGH][i] = v->c->high[list.k[i]];
        at[WEIGHT][i] = gpai_view_blame(v, list.k[i]);
    }
    const gpa_forest_plot plot = {.struct_size = sizeof plot,
                                  .width = width,
                                  .n = list.n,
                                  .names = list.names,
                                  .point = at[POINT],
                                  .low90 = at[LOW],
                                  .high90 = at[HIGH],
                                  .weight = at[WEIGHT],
                                  .x_label = gpai_change_label(width)};
    return gpa_plot_forest(t, &plot, err);
}

gpa_status gpai_figure_forest(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err)
{
    enum { POINT, LOW50, HIGH50, LOW90, HIGH90, WEIGHT, COLUMNS };
    double at[COLUMNS][GPAI_FIGURE_INPUTS];
    gpai_inputs list;
    char note[80];
    gpai_figure_inputs(&list, v, most);
    for (size_t i = 0; i < list.n; i++) {
        const gpa_marginal *m = gpa_explanation_marginal(v->e, list.k[i]);
        at[POINT][i] = v->delta[list.k[i]];
        at[LOW50][i] = m != NULL ? m->interval50[0] : (double)NAN;
        at[HIGH50][i] = m != NULL ? m->interval50[1] : (double)NAN;
        at[LOW90][i] = m != NULL ? m->interval90[0] : (double)NAN;
        at[HIGH90][i] = m != NULL ? m->interval90[1] : (double)NAN;
        at[WEIGHT][i] = (double)(list.n - i); /* they are sorted already */
    }
    snprintf(note, sizeof note, "%s first%s",
             v->c != NULL ? "likeliest culprit" : "largest change",
             list.n < v->d ? "; not all inputs" : "");
    const gpa_forest_plot plot = {.struct_size = sizeof plot,
                                  .width = width,
                                  .note = note,
                                  .n = list.n,
                                  .names = list.names,
                                  .point = at[POINT],
                                  .low50 = at[LOW50],
                                  .high50 = at[HIGH50],
                                  .low90 = at[LOW90],
                                  .high90 = at[HIGH90],
                                  .weight = at[WEIGHT],
                                  .x_label = "change, in usual spreads"};
    return gpa_plot_forest(t, &plot, err);
}

/* The curve of input k into `x` and `f`: the change in its own unit, and the mean of f.
 */
static gpa_plot_curve curve_of(const gpai_view *v, size_t k, double *x, double *f)
{
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    for (size_t i = 0; i < a->points; i++) {
        x[i] = gpai_raw(a->change[i], v->unit[k]);
        f[i] = gpai_axis_mean(v, k, i);
    }
    return (gpa_plot_curve){x, f, a->points};
}

gpa_status gpai_figure_profiles(gpa_text *t, const gpai_view *v, double width,
                                size_t most, gpa_error *err)
{
    gpai_inputs list;
    gpa_profile profiles[GPAI_FIGURE_INPUTS];
    size_t points = 0;
    gpai_profile_inputs(&list, v, most);
    if (list.n == 0)
        return GPA_OK;
    for (size_t i = 0; i < list.n; i++)
        points += gpa_explanation_axis(v->e, list.k[i])->points;
    double *block = gpai_calloc(2 * points, sizeof *block), *next = block;
    if (block == NULL)
        return gpai_nomem(err, "report");
    for (size_t i = 0; i < list.n; i++) {
        size_t k = list.k[i], m = gpa_explanation_axis(v->e, k)->points;
        bool open = v->c == NULL || !(v->c->low[k] * v->c->high[k] > 0);
        profiles[i] = (gpa_profile){
            .name = list.names[i],
            .f = curve_of(v, k, next, next + m),
            .map = open ? (double)NAN : gpai_raw(v->c->median[k], v->unit[k])};
        next += 2 * m;
    }
    const gpa_profile_plot plot = {.struct_size = sizeof plot,
                                   .width = width,
                                   .n = list.n,
                                   .profiles = profiles,
                                   .y = v->y_mean,
                                   .noise = v->n == 1 ? v->s->sigma : (double)NAN,
                                   .here = 0,
                                   .x_label = "change, in its own unit",
                                   .y_label =
                                       v->n > 1 ? "prediction, mean" : "prediction"};
    gpa_status st = gpa_plot_profiles(t, &plot, err);
    gpai_free(block);
    return st;
}
