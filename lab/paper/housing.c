#include "lab/paper/data_set.h"
#include "lab/paper/distributions.h"

/* The two data sets of section 6.3, where distributions are looked at. */

struct showing {
    struct paper *p;
    struct distributions of;
};

static gpa_status show(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    const struct showing *s = ctx;
    (void)index;
    return paper_distributions(s->p, &s->of, e, err);
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
        struct showing ctx = {p,
                              {.name = names[i],
                               .title = TITLES[i],
                               .caption = captions[i],
                               .other = i == 0 ? other : NULL}};
        st = data_set_ask(&s, p, data_set_find(set), "explain", top, true, KINDS[i],
                          err);
        if (st == GPA_OK) {
            ctx.of.inputs = s->inputs;
            ctx.of.hidden = data_set_input(s, hidden);
            st = gpa_study_explain(s, NULL, 0, true, show, &ctx, err);
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
