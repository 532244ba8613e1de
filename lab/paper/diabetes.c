#include "console/say.h"
#include "lab/paper/data_set.h"
#include "lab/write.h"
#include <stdlib.h>
#include <string.h>

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

static gpa_status show_scores(struct paper *p, const struct paper_set *s,
                              const gpa_comparison *c, gpa_error *err)
{
    size_t n = gpa_comparison_methods(c);
    struct grid g = {.name = "diabetes",
                     .title = "Scores of the top outlier, method by method",
                     .columns = n + 1};
    grid_text(&g, "input");
    for (size_t j = 0; j < n; j++)
        grid_text(&g, "%s", gpa_comparison_method(c, j)->label);
    for (size_t k = 0; k < s->test.d; k++) {
        grid_text(&g, "%s", s->features[k]);
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
    return paper_table(p, &g, err);
}

static gpa_status draw(struct paper *p, const struct paper_set *s,
                       const gpa_comparison *c, gpa_error *err)
{
    const double *delta = gpa_attribution_score(gpa_comparison_at(c, 0, 0));
    size_t inputs[2], row = s->order[0];
    gpa_report_info info = paper_set_info(s, p);
    gpa_status st = gpa_plot_comparison(p->svg, &info, c, 0, err);
    if (st == GPA_OK)
        st = paper_figure(
            p, "diabetes-litmus",
            "Figure 6: normalised scores of the top outlier. GPA and LC say "
            "which way each input is off; the others repeat the model's "
            "slope or how unusual the row is, whatever y was.",
            err);
    if (st != GPA_OK)
        return st;
    largest_two(delta, s->test.d, inputs);
    gpa_scatter_plot plot = paper_set_scatter(s, inputs);
    plot.marked = &row;
    plot.n_marked = 1;
    plot.delta = delta;
    st = gpa_plot_scatter(p->svg, &plot, err);
    return st != GPA_OK
               ? st
               : paper_figure(p, "diabetes-scatter",
                              "Figure 5, left: the two inputs with the largest "
                              "scores against y in the held-out rows "
                              "(standardised); the arrow ends at x + delta.",
                              err);
}

gpa_status paper_diabetes(struct paper *p, gpa_error *err)
{
    struct paper_set s;
    gpa_comparison *c = NULL;
    gpa_compare_options how;
    paper_heading(p, "Diabetes");
    gpa_status st = paper_set_open(&s, p, "diabetes", err);
    if (st != GPA_OK)
        goto done;
    gpa_explain_options explain = paper_set_options(p, &s, 1);
    gpa_attribute_options methods = paper_set_methods(&s, &explain);
    gpa_compare_options_init(&how);
    how.attribute = &methods;
    how.threads = p->threads;
    st = gpa_compare(&c, s.model, &s.test, s.order, 1, &how, err);
    if (st == GPA_OK)
        st = show_scores(p, &s, c, err);
    if (st == GPA_OK)
        st = draw(p, &s, c, err);
done:
    gpa_comparison_free(c);
    paper_set_free(&s);
    return st;
}
