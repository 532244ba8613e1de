#include "lab/paper/distributions.h"
#include "console/say.h"
#include "lab/write.h"
#include <math.h>
#include <stdlib.h>

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

gpa_status paper_ridges(struct paper *p, const struct paper_set *s,
                        const gpa_explanation *e, const gpa_attribution *other,
                        size_t hidden, gpa_error *err)
{
    size_t d = gpa_explanation_dim(e), n = 0;
    gpa_ridge_plot plot;
    gpa_ridge *left = room(2 * d, sizeof *left), *right = left + d;
    const char **names = room(d, sizeof *names);
    double *curves = room(2 * CURVE * d, sizeof *curves);
    gpa_status st = left == NULL || names == NULL || curves == NULL
                        ? fail(err, GPA_NOMEM, "out of memory")
                        : GPA_OK;
    for (size_t k = 0; k < d && st == GPA_OK; k++) {
        if (k == hidden)
            continue;
        left[n] = ridge(gpa_explanation_marginal(e, k));
        if (other != NULL)
            right[n] =
                normal(gpa_attribution_score(other)[k], gpa_attribution_sd(other)[k],
                       curves + 2 * n * CURVE, curves + (2 * n + 1) * CURVE);
        names[n++] = s->features[k];
    }
    gpa_ridge_plot_init(&plot);
    plot.n = n;
    plot.names = names;
    plot.ridges = left;
    plot.beside = other != NULL ? right : NULL;
    plot.heads[0] = "GPA";
    plot.heads[1] = "BayLIME";
    plot.x_labels[0] = "change of the input, in its standard deviations";
    plot.x_labels[1] = "slope";
    plot.common_height = true;
    if (st == GPA_OK)
        st = gpa_plot_ridges(p->svg, &plot, err);
    free(curves);
    free(names);
    free(left);
    return st;
}

gpa_status paper_distributions(struct paper *p, const struct paper_set *s,
                               const gpa_explanation *e, size_t hidden,
                               const char *name, const char *title, gpa_error *err)
{
    struct grid g = {.name = name, .title = title, .columns = 7};
    const char *heads[] = {"input",     "MAP", "mean",       "sd",
                           "90 % from", "to",  "information"};
    for (size_t i = 0; i < 7; i++)
        grid_text(&g, "%s", heads[i]);
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        const gpa_marginal *m = gpa_explanation_marginal(e, k);
        if (k == hidden)
            continue;
        grid_text(&g, "%s", s->features[k]);
        grid_number(&g, 3, m->map);
        grid_number(&g, 3, m->mean);
        grid_number(&g, 3, m->sd);
        grid_number(&g, 3, m->interval90[0]);
        grid_number(&g, 3, m->interval90[1]);
        grid_number(&g, 3, m->information);
    }
    return paper_table(p, &g, err);
}
