#include "lab/paper/data_set.h"

/* Which inputs GPA blames most. */
static void largest_two(const double *score, size_t d, size_t out[2])
{
    out[0] = out[1] = 0;
    for (size_t k = 1; k < d; k++)
        if (score[k] * score[k] > score[out[0]] * score[out[0]])
            out[0] = k;
    out[1] = out[0] == 0 && d > 1 ? 1 : 0;
    for (size_t k = 0; k < d; k++)
        if (k != out[0] && score[k] * score[k] > score[out[1]] * score[out[1]])
            out[1] = k;
}

static gpa_status show_scores(struct paper *p, const gpa_study *s,
                              const gpa_comparison *c, gpa_error *err)
{
    size_t n = gpa_comparison_methods(c);
    struct grid g = {.name = "diabetes",
                     .title = "Scores of the top outlier, method by method",
                     .columns = n + 1};
    grid_text(&g, "input");
    for (size_t j = 0; j < n; j++)
        grid_text(&g, "%s", gpa_comparison_method(c, j)->label);
    for (size_t k = 0; k < s->d; k++) {
        grid_text(&g, "%s", s->inputs[k]);
        for (size_t j = 0; j < n; j++)
            grid_number(&g, 3, gpa_attribution_score(gpa_comparison_at(c, 0, j))[k]);
    }
    grid_text(&g, "model rows");
    for (size_t j = 0; j < n; j++)
        grid_number(&g, 0,
                    (double)gpa_attribution_model_rows(gpa_comparison_at(c, 0, j)));
    grid_text(&g, "reacts to y");
    for (size_t j = 0; j < n; j++)
        grid_text(&g, "%s", gpa_comparison_reacts(c, 0, j) == 1 ? "yes" : "no");
    return paper_table(p, &g, GPA_OK, err);
}

static gpa_status draw(struct paper *p, const gpa_study *s, const gpa_comparison *c,
                       gpa_error *err)
{
    const double *delta = gpa_attribution_score(gpa_comparison_at(c, 0, 0));
    size_t inputs[2];
    gpa_status st = gpa_plot_comparison(p->svg, gpa_study_info(s), c, 0, err);
    st = paper_figure(p, "diabetes-litmus",
                      "Figure 6: normalised scores of the top outlier. GPA and LC say "
                      "which way each input is off; the others repeat the model's "
                      "slope or how unusual the row is, whatever y was.",
                      st, err);
    if (st != GPA_OK)
        return st;
    largest_two(delta, s->d, inputs);
    st = data_set_scatter(p, s, inputs, delta, err);
    return paper_figure(p, "diabetes-scatter",
                        "Figure 5, left: the two inputs with the largest "
                        "scores against y in the held-out rows "
                        "(standardised); the arrow ends at x + delta.",
                        st, err);
}

gpa_status paper_diabetes(struct paper *p, gpa_error *err)
{
    gpa_study *s = NULL;
    gpa_comparison *c = NULL;
    paper_heading(p, "Diabetes");
    gpa_status st =
        data_set_ask(&s, p, data_set_find("diabetes"), "compare", 1, false, "", err);
    if (st == GPA_OK)
        st = gpa_study_compare(s, NULL, 0, &c, err);
    if (st == GPA_OK)
        st = show_scores(p, s, c, err);
    if (st == GPA_OK)
        st = draw(p, s, c, err);
    gpa_comparison_free(c);
    gpa_study_free(s);
    return st;
}
