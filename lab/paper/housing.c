#include "base/alloc.h"
#include "base/status.h"
#include "lab/paper/data_set.h"
#include <math.h>

/* The two data sets of section 6.3, where distributions are looked at. */

/* What is to be shown of an explanation's distributions. */
struct distributions {
    struct paper *p;
    const char *name, *title, *caption; /* of the files; of the table; of the picture */
    const char *const *inputs;
    size_t hidden;                /* this input is left out; SIZE_MAX: none is */
    const gpa_attribution *other; /* its normal distributions beside them, or NULL */
};

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

static gpa_status draw(const struct distributions *of, const gpa_explanation *e,
                       gpa_error *err)
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
    plot.width = PAPER_WIDTH;
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
        st = gpa_plot_ridges(of->p->svg, &plot, err);
    gpai_free(curves);
    gpai_free(names);
    gpai_free(left);
    return paper_figure(of->p, of->name, of->caption, st, err);
}

/* A table of them, input by input (MAP, mean, 90 % interval, information), and the
 * picture. */
static gpa_status show(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    const struct distributions *of = ctx;
    static const char *const HEADS[] = {"input",     "MAP", "mean",       "sd",
                                        "90 % from", "to",  "information"};
    struct grid g = {.name = of->name, .title = of->title, .columns = 7};
    (void)index;
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
    gpa_status st = paper_table(of->p, &g, GPA_OK, err);
    return st == GPA_OK ? draw(of, e, err) : st;
}

/* The paper's distribution of the change that the top rows share, and the exact one. */
static gpa_status both_kinds(struct paper *p, const char *set, size_t top,
                             const gpa_attribution *other, const char *hidden,
                             const char *const names[2], const char *const captions[2],
                             gpa_error *err)
{
    static const char *const KINDS[] = {"marginals=paper", "marginals=exact"};
    static const char *const TITLES[] = {
        "Distributions as published (the other inputs held at the MAP)",
        "Distributions without holding anything (exact)"};
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < 2 && st == GPA_OK; i++) {
        gpa_study *s = NULL;
        struct distributions of = {.p = p,
                                   .name = names[i],
                                   .title = TITLES[i],
                                   .caption = captions[i],
                                   .other = i == 0 ? other : NULL};
        st = data_set_ask(&s, p, data_set_find(set), "explain", top, true, KINDS[i],
                          err);
        if (st == GPA_OK) {
            of.inputs = s->inputs;
            of.hidden = data_set_input(s, hidden);
            st = gpa_study_explain(s, NULL, 0, true, show, &of, err);
        }
        gpa_study_free(s);
    }
    return st;
}

gpa_status paper_boston(struct paper *p, gpa_error *err)
{
    static const char *const NAMES[] = {"boston-distributions",
                                        "boston-distributions-exact"};
    static const char *const CAPTIONS[] = {
        "Figure 7, left: score distributions of the top outlier, GPA's and BayLIME's. "
        "BayLIME's all have the same width.",
        "The same row with the true marginal distributions, importance-sampled from "
        "the "
        "joint posterior: what one observation really says about each input."};
    gpa_study *s = NULL;
    gpa_comparison *c = NULL;
    paper_heading(p, "Boston Housing");
    paper_say(p,
              "The random forest uses all 13 inputs; the input B is left out of what "
              "is shown, for the reasons the paper gives.");
    gpa_status st = data_set_ask(&s, p, data_set_find("boston"), "compare", 1, false,
                                 "methods=baylime flip=off", err);
    if (st == GPA_OK)
        st = gpa_study_compare(s, NULL, 0, &c, err);
    if (st == GPA_OK)
        st = both_kinds(p, "boston", 1, gpa_comparison_at(c, 0, 0), "B", NAMES,
                        CAPTIONS, err);
    gpa_comparison_free(c);
    gpa_study_free(s);
    return st;
}

gpa_status paper_california(struct paper *p, gpa_error *err)
{
    enum { TOP = 3 };
    static const char *const NAMES[] = {"california-distributions",
                                        "california-distributions-exact"};
    static const char *const CAPTIONS[] = {
        "Figure 7, right: one change shared by the three top outliers.",
        "The same three rows with the true marginal distributions."};
    gpa_study *s = NULL;
    paper_heading(p, "California Housing");
    gpa_status st =
        data_set_ask(&s, p, data_set_find("california"), "explain", TOP, true, "", err);
    if (st == GPA_OK) {
        const size_t inputs[] = {data_set_input(s, "Latitude"),
                                 data_set_input(s, "Longitude")};
        st = data_set_scatter(p, s, inputs, NULL, err);
    }
    st = paper_figure(p, "california-scatter",
                      "Figure 5, right: where the three top outliers "
                      "are among the held-out rows (standardised).",
                      st, err);
    gpa_study_free(s);
    return st == GPA_OK
               ? both_kinds(p, "california", TOP, NULL, "", NAMES, CAPTIONS, err)
               : st;
}
