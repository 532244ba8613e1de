#include "base/alloc.h"
#include "base/status.h"
#include "report/plot/figures.h"
#include "report/words/sentence.h"
#include <gpa/plot.h>
#include <math.h>

/* The distributions of an explanation (figures.h). */

enum { SHOWN = GPAI_FIGURE_INPUTS, STEPS = 160 };

struct picture {
    gpai_inputs list;
    gpa_ridge ridges[SHOWN];
    const char *values[SHOWN];
    gpai_cell value[SHOWN]; /* the change in the data's own units */
    double prior_x[STEPS + 1], prior_y[STEPS + 1];
};

/* The prior over all that the densities cover. Gives whether there is one. */
static bool fill_prior(struct picture *p, const gpai_view *v)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < p->list.n; i++) {
        const gpa_plot_curve *c = &p->ridges[i].density;
        low = c->points > 0 ? fmin(low, c->x[0]) : low;
        high = c->points > 0 ? fmax(high, c->x[c->points - 1]) : high;
    }
    for (size_t i = 0; i <= STEPS; i++) {
        p->prior_x[i] = low + (high - low) * (double)i / STEPS;
        p->prior_y[i] = gpai_view_prior(v, p->prior_x[i]);
    }
    return low < high && isfinite(p->prior_y[0]);
}

static gpa_ridge ridge_of(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    const double none = (double)NAN;
    if (m == NULL)
        return (gpa_ridge){.map = v->delta[k],
                           .mean = none,
                           .interval50 = {none, none},
                           .interval90 = {none, none}};
    return (gpa_ridge){.density = {m->grid, m->density, m->points},
                       .map = v->delta[k],
                       .mean = m->mean,
                       .interval50 = {m->interval50[0], m->interval50[1]},
                       .interval90 = {m->interval90[0], m->interval90[1]}};
}

static void fill(struct picture *p, const gpai_view *v, size_t most)
{
    gpai_figure_inputs(&p->list, v, most);
    for (size_t i = 0; i < p->list.n; i++) {
        size_t k = p->list.k[i];
        p->ridges[i] = ridge_of(v, k);
        p->value[i] = gpai_cell_raw(v->raw[k], false);
        p->values[i] = v->delta[k] != 0 ? p->value[i].text : "no change";
    }
    const gpa_plot_curve prior = {p->prior_x, p->prior_y, STEPS + 1};
    bool there = fill_prior(p, v);
    for (size_t i = 0; i < p->list.n; i++)
        if (there && p->ridges[i].density.points > 0)
            p->ridges[i].prior = prior;
}

gpa_status gpai_figure_ridges(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err)
{
    struct picture *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return gpai_nomem(err, "ridge plot");
    fill(p, v, most);
    const gpa_ridge_plot plot = {.struct_size = sizeof plot,
                                 .width = width,
                                 .n = p->list.n,
                                 .names = p->list.names,
                                 .values = p->values,
                                 .ridges = p->ridges,
                                 .x_labels = {gpai_change_label(width)}};
    gpa_status st = gpa_plot_ridges(t, &plot, err);
    gpai_free(p);
    return st;
}
