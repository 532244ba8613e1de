#include "report/plot/figures.h"
#include "base/alloc.h"
#include "base/status.h"
#include <gpa/plot.h>
#include <math.h>

static bool all_held(const gpai_view *v)
{
    for (size_t k = 0; k < v->d; k++)
        if (!gpai_view_held(v, k))
            return false;
    return true;
}

size_t gpai_figure_inputs(const gpai_view *v, size_t most, size_t *list)
{
    bool any = all_held(v);
    size_t n = 0;
    most = most < GPAI_FIGURE_INPUTS ? most : GPAI_FIGURE_INPUTS;
    for (size_t i = 0; i < v->d && n < most; i++)
        if (any || !gpai_view_held(v, v->order[i]))
            list[n++] = v->order[i];
    return n;
}

size_t gpai_profile_inputs(const gpai_view *v, size_t most, size_t *list)
{
    size_t n = 0;
    most = most < GPAI_FIGURE_INPUTS ? most : GPAI_FIGURE_INPUTS;
    for (size_t i = 0; i < v->d && n < most; i++)
        if (gpa_explanation_axis(v->e, v->order[i]) != NULL)
            list[n++] = v->order[i];
    return n;
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
    size_t list[GPAI_FIGURE_INPUTS], n = gpai_figure_inputs(v, most, list);
    double point[GPAI_FIGURE_INPUTS], low[GPAI_FIGURE_INPUTS], high[GPAI_FIGURE_INPUTS],
        weight[GPAI_FIGURE_INPUTS];
    const char *names[GPAI_FIGURE_INPUTS];
    char room[GPAI_FIGURE_INPUTS][GPAI_NAME_SIZE];
    if (v->c == NULL || n == 0)
        return GPA_OK;
    for (size_t i = 0; i < n; i++) {
        size_t k = list[i];
        names[i] = gpai_name_feature(v->info, k, room[i]);
        point[i] = v->c->median[k];
        low[i] = v->c->low[k];
        high[i] = v->c->high[k];
        weight[i] = gpai_view_blame(v, k);
    }
    gpa_forest_plot plot;
    gpa_forest_plot_init(&plot);
    plot.width = width;
    plot.n = n;
    plot.names = names;
    plot.point = point;
    plot.low90 = low;
    plot.high90 = high;
    plot.weight = weight;
    plot.x_label = width > 0 && width < 400 ? "change, in spreads"
                                            : "change, in units of the input's spread";
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
    size_t list[GPAI_FIGURE_INPUTS], n = gpai_profile_inputs(v, most, list), points = 0;
    gpa_profile profiles[GPAI_FIGURE_INPUTS];
    char room[GPAI_FIGURE_INPUTS][GPAI_NAME_SIZE];
    if (n == 0)
        return GPA_OK;
    for (size_t i = 0; i < n; i++)
        points += gpa_explanation_axis(v->e, list[i])->points;
    double *block = gpai_calloc(2 * points, sizeof *block), *next = block;
    if (block == NULL)
        return gpai_nomem(err, "report");
    for (size_t i = 0; i < n; i++) {
        size_t k = list[i], m = gpa_explanation_axis(v->e, k)->points;
        bool open = v->c == NULL || !(v->c->low[k] * v->c->high[k] > 0);
        profiles[i] = (gpa_profile){
            .name = gpai_name_feature(v->info, k, room[i]),
            .f = curve_of(v, k, next, next + m),
            .map = open ? (double)NAN : gpai_raw(v->c->median[k], v->unit[k])};
        next += 2 * m;
    }
    gpa_profile_plot plot;
    gpa_profile_plot_init(&plot);
    plot.width = width;
    plot.n = n;
    plot.profiles = profiles;
    plot.y = v->y_mean;
    plot.noise = v->n == 1 ? v->s->sigma : (double)NAN;
    plot.here = 0;
    plot.x_label = "change, in its own unit";
    plot.y_label = v->n > 1 ? "prediction, mean" : "prediction";
    gpa_status st = gpa_plot_profiles(t, &plot, err);
    gpai_free(block);
    return st;
}
