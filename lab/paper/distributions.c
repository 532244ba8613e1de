#include "lab/paper/distributions.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>

enum { CURVE = 101 };

/* A normal distribution as a ridge; x and y hold CURVE numbers each. */
static gpa_ridge normal(double mean, double sd, double *x, double *y)
{
    for (size_t i = 0; i < CURVE; i++) {
        double z = -4 + 8 * (double)i / (CURVE - 1);
        x[i] = mean + z * sd;
        y[i] = exp(-z * z / 2) / (sd * 2.5066282746310002);
    }
    return (gpa_ridge){.density = {x, y, CURVE},
                       .map = (double)NAN,
                       .mean = mean,
                       .interval50 = {mean - 0.674490 * sd, mean + 0.674490 * sd},
                       .interval90 = {mean - 1.644854 * sd, mean + 1.644854 * sd}};
}

static gpa_ridge ridge(const gpa_marginal *m)
{
    return (gpa_ridge){.density = {m->grid, m->density, m->points},
                       .map = m->map,
                       .mean = m->mean,
                       .interval50 = {m->interval50[0], m->interval50[1]},
                       .interval90 = {m->interval90[0], m->interval90[1]}};
}

static gpa_status draw(struct paper *p, const struct distributions *of,
                       const gpa_explanation *e, gpa_error *err)
{
    size_t d = gpa_explanation_dim(e), n = 0;
    gpa_ridge_plot plot;
    gpa_ridge *left = gpai_calloc(2 * d, sizeof *left), *right = left + d;
    const char **names = gpai_calloc(d, sizeof *names);
    double *curves = gpai_calloc(2 * CURVE * d, sizeof *curves);
    gpa_status st = left == NULL || names == NULL || curves == NULL
                        ? gpai_nomem(err, "paper")
                        : GPA_OK;
    for (size_t k = 0; k < d && st == GPA_OK; k++) {
        if (k == of->hidden)
            continue;
        left[n] = ridge(gpa_explanation_marginal(e, k));
        if (of->other != NULL)
            right[n] = normal(gpa_attribution_score(of->other)[k],
                              gpa_attribution_sd(of->other)[k], curves + 2 * n * CURVE,
                              curves + (2 * n + 1) * CURVE);
        names[n++] = of->inputs[k];
    }
    gpa_ridge_plot_init(&plot);
    plot.n = n;
    plot.names = names;
    plot.ridges = left;
    plot.beside = of->other != NULL ? right : NULL;
    plot.heads[0] = "GPA";
    plot.heads[1] = "BayLIME";
    plot.x_labels[0] = "change of the input, in its standard deviations";
    plot.x_labels[1] = "slope";
    plot.common_height = true;
    if (st == GPA_OK)
        st = gpa_plot_ridges(p->svg, &plot, err);
    gpai_free(curves);
    gpai_free(names);
    gpai_free(left);
    return paper_figure(p, of->name, of->caption, st, err);
}

gpa_status paper_distributions(struct paper *p, const struct distributions *of,
                               const gpa_explanation *e, gpa_error *err)
{
    static const char *const HEADS[] = {"input",     "MAP", "mean",       "sd",
                                        "90 % from", "to",  "information"};
    struct grid g = {.name = of->name, .title = of->title, .columns = 7};
    grid_texts(&g, HEADS, 7);
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        const gpa_marginal *m = gpa_explanation_marginal(e, k);
        if (k == of->hidden)
            continue;
        const double numbers[] = {m->map,           m->mean,          m->sd,
                                  m->interval90[0], m->interval90[1], m->information};
        grid_text(&g, "%s", of->inputs[k]);
        for (size_t i = 0; i < 6; i++)
            grid_number(&g, 3, numbers[i]);
    }
    gpa_status st = paper_table(p, &g, GPA_OK, err);
    return st == GPA_OK ? draw(p, of, e, err) : st;
}
