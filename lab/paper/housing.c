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
    struct showing *s = ctx;
    (void)index;
    return paper_distributions(s->p, &s->of, e, err);
}

/* One kind of distribution of the change that the top rows share. */
static gpa_status show_kind(struct paper *p, const char *set, size_t top,
                            const char *marginals, const char *hidden,
                            struct distributions of, gpa_error *err)
{
    const struct setting kind[] = {{"marginals", marginals, 0}, {NULL, NULL, 0}};
    struct showing ctx = {p, of};
    gpa_study *s = NULL;
    gpa_status st =
        data_set_ask(&s, p, data_set_find(set), "explain", top, true, kind, err);
    if (st == GPA_OK) {
        ctx.of.inputs = s->inputs;
        ctx.of.hidden = data_set_input(s, hidden);
        st = gpa_study_explain(s, NULL, 0, true, show, &ctx, err);
    }
    gpa_study_free(s);
    return st;
}

/* The paper's distribution, and the exact one, of the same rows. */
static gpa_status both_kinds(struct paper *p, const char *set, size_t top,
                             const gpa_attribution *other, const char *hidden,
                             const char *const names[2], const char *const captions[2],
                             gpa_error *err)
{
    gpa_status st = show_kind(
        p, set, top, "paper", hidden,
        (struct distributions){
            .name = names[0],
            .title = "Distributions as published (the other inputs held at the MAP)",
            .caption = captions[0],
            .other = other},
        err);
    if (st != GPA_OK)
        return st;
    return show_kind(p, set, top, "exact", hidden,
                     (struct distributions){
                         .name = names[1],
                         .title = "Distributions without holding anything (exact)",
                         .caption = captions[1]},
                     err);
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
    static const struct setting BAYLIME[] = {
        {"methods", "baylime", 0}, {"flip", "off", 0}, {NULL, NULL, 0}};
    gpa_study *s = NULL;
    gpa_comparison *c = NULL;
    paper_heading(p, "Boston Housing");
    paper_say(p,
              "The random forest uses all 13 inputs; the input B is left out of what "
              "is shown, for the reasons the paper gives.");
    gpa_status st =
        data_set_ask(&s, p, data_set_find("boston"), "compare", 1, false, BAYLIME, err);
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
    gpa_status st = data_set_ask(&s, p, data_set_find("california"), "explain", TOP,
                                 true, NULL, err);
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
