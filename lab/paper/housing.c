#include "console/say.h"
#include "lab/paper/distributions.h"
#include "lab/write.h"
#include <stdlib.h>

/* The two data sets of section 6.3, where distributions are looked at. */

static gpa_status explain(const struct paper_set *s, const gpa_sample *rows,
                          gpa_explain_options opt, gpa_marginals marginals,
                          gpa_explanation **out, gpa_error *err)
{
    opt.marginals = marginals;
    opt.context = &s->test;
    opt.context_rows = s->order;
    return gpa_explain(out, s->model, rows, &opt, err);
}

/* The paper's distribution, and the exact one, of the same rows. */
static gpa_status both_kinds(struct paper *p, const struct paper_set *s,
                             const gpa_sample *rows, const gpa_attribution *other,
                             size_t hidden, const char *files[2],
                             const char *captions[2], gpa_error *err)
{
    static const gpa_marginals KINDS[] = {GPA_MARGINALS_PAPER, GPA_MARGINALS_EXACT};
    static const char *const TITLES[] = {
        "Distributions as published (the other inputs held at the MAP)",
        "Distributions without holding anything (exact)"};
    gpa_explain_options opt = paper_set_options(p, s, rows->n);
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < 2 && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = explain(s, rows, opt, KINDS[i], &e, err);
        if (st == GPA_OK)
            st = paper_distributions(p, s, e, hidden, files[i], TITLES[i], err);
        if (st == GPA_OK)
            st = paper_ridges(p, s, e, i == 0 ? other : NULL, hidden, err);
        if (st == GPA_OK)
            st = paper_figure(p, files[i], captions[i], err);
        gpa_explanation_free(e);
    }
    return st;
}

gpa_status paper_boston(struct paper *p, gpa_error *err)
{
    const char *files[] = {"boston-distributions", "boston-distributions-exact"};
    const char *captions[] = {
        "Figure 7, left: score distributions of the top outlier, GPA's and BayLIME's. "
        "BayLIME's all have the same width.",
        "The same row with the true marginal distributions, importance-sampled from "
        "the "
        "joint posterior: what one observation really says about each input."};
    struct paper_set s;
    gpa_sample top = {0};
    gpa_attribution *baylime = NULL;
    paper_heading(p, "Boston Housing");
    paper_say(p,
              "The random forest uses all 13 inputs; the input B is left out of what "
              "is shown, for the reasons the paper gives.");
    gpa_status st = paper_set_open(&s, p, "boston", err);
    if (st == GPA_OK)
        st = paper_set_top(&s, 1, &top, err);
    if (st == GPA_OK) {
        gpa_explain_options opt = paper_set_options(p, &s, 1);
        gpa_attribute_options methods = paper_set_methods(&s, &opt);
        st = gpa_attribute(&baylime, "baylime", s.model, &top, &methods, err);
    }
    if (st == GPA_OK)
        st = both_kinds(p, &s, &top, baylime, paper_set_input(&s, "B"), files, captions,
                        err);
    gpa_attribution_free(baylime);
    free((void *)(uintptr_t)top.x);
    paper_set_free(&s);
    return st;
}

static gpa_status draw_scatter(struct paper *p, const struct paper_set *s,
                               const gpa_sample *top, gpa_error *err)
{
    size_t inputs[] = {paper_set_input(s, "Latitude"), paper_set_input(s, "Longitude")};
    gpa_scatter_plot plot = paper_set_scatter(s, inputs);
    plot.marked = s->order;
    plot.n_marked = top->n;
    gpa_status st = gpa_plot_scatter(p->svg, &plot, err);
    return st != GPA_OK ? st
                        : paper_figure(p, "california-scatter",
                                       "Figure 5, right: where the three top outliers "
                                       "are among the held-out rows (standardised).",
                                       err);
}

gpa_status paper_california(struct paper *p, gpa_error *err)
{
    const char *files[] = {"california-distributions",
                           "california-distributions-exact"};
    const char *captions[] = {
        "Figure 7, right: one change shared by the three top outliers.",
        "The same three rows with the true marginal distributions."};
    struct paper_set s;
    gpa_sample top = {0};
    paper_heading(p, "California Housing");
    gpa_status st = paper_set_open(&s, p, "california", err);
    if (st == GPA_OK)
        st = paper_set_top(&s, 3, &top, err);
    if (st == GPA_OK)
        st = draw_scatter(p, &s, &top, err);
    if (st == GPA_OK)
        st = both_kinds(p, &s, &top, NULL, SIZE_MAX, files, captions, err);
    free((void *)(uintptr_t)top.x);
    paper_set_free(&s);
    return st;
}
