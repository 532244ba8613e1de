#include "report/words/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/view.h"
#include "report/write.h"
#include <gpa/plot.h>

/* The litmus plot of a comparison. */

struct lists {
    const char **inputs, **columns, **reasons; /* one block */
    char *names;                               /* for inputs that have none */
    double *score;
};

static void lists_free(struct lists *l)
{
    gpai_free(l->score);
    gpai_free(l->names);
    gpai_free(l->inputs);
}

static gpa_status lists_make(struct lists *l, size_t d, size_t m, gpa_error *err)
{
    l->inputs = gpai_calloc(d + 2 * m, sizeof *l->inputs);
    l->names = gpai_calloc(d, GPAI_NAME_SIZE);
    l->score =
        m == 0 || d <= SIZE_MAX / m ? gpai_calloc(d * m, sizeof *l->score) : NULL;
    if (l->inputs == NULL || l->names == NULL || l->score == NULL) {
        lists_free(l);
        return gpai_nomem(err, "litmus plot");
    }
    l->columns = l->inputs + d;
    l->reasons = l->columns + m;
    return GPA_OK;
}

static void lists_fill(struct lists *l, const gpa_report_info *info,
                       const gpa_comparison *c, size_t i)
{
    size_t d = gpa_comparison_dim(c), m = gpa_comparison_methods(c);
    for (size_t k = 0; k < d; k++)
        l->inputs[k] = gpai_name_input(info, k, l->names + k * GPAI_NAME_SIZE);
    for (size_t j = 0; j < m; j++) {
        l->columns[j] = gpai_method_label(c, j);
        l->reasons[j] = gpa_comparison_skipped(c, i, j);
        for (size_t k = 0; k < d; k++)
            l->score[k * m + j] = gpai_compare_score(c, i, j, k);
    }
}

gpa_status gpa_plot_comparison(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, size_t i, gpa_error *err)
{
    struct lists l = {.inputs = NULL};
    if (c == NULL || i >= gpa_comparison_rows(c))
        return gpai_fail(err, GPA_INVALID, "litmus plot: no row %zu of a comparison",
                         i);
    size_t d = gpa_comparison_dim(c), m = gpa_comparison_methods(c);
    gpai_report r;
    gpa_status st = gpai_report_take(&r, t, info, err);
    if (st == GPA_OK)
        st = lists_make(&l, d, m, err);
    if (st != GPA_OK)
        return st;
    lists_fill(&l, &r.info, c, i);
    const gpa_litmus_plot p = {.struct_size = sizeof p,
                               .n_inputs = d,
                               .n_columns = m,
                               .inputs = l.inputs,
                               .columns = l.columns,
                               .reasons = l.reasons,
                               .score = l.score};
    st = gpa_plot_litmus(t, &p, err);
    lists_free(&l);
    return st;
}
