#include "base/alloc.h"
#include "base/status.h"
#include "report/plot/figures.h"
#include <gpa/plot.h>
#include <math.h>

/* Pictures with all rows of the data behind them (figures.h). */

static bool explained(const gpai_view *v, size_t row)
{
    for (size_t i = 0; i < v->n; i++)
        if (gpa_explanation_row(v->e, i) == row)
            return true;
    return false;
}

/* What a scatter is drawn from: evenly spaced rows, then the explained ones. */
struct cloud {
    gpai_inputs list;
    size_t n, d;
    double *block, *x, *y, *delta;
    size_t *numbers, *rows, *marked;
};

static gpa_status cloud_new(struct cloud *c, const gpai_view *v, gpa_error *err)
{
    size_t room = GPAI_CLOUD + v->n;
    c->block = gpai_calloc(room * (c->d + 1) + v->n * c->d, sizeof *c->block);
    c->numbers = gpai_calloc(room + v->n, sizeof *c->numbers);
    if (c->block == NULL || c->numbers == NULL)
        return gpai_nomem(err, "report");
    c->x = c->block;
    c->y = c->x + room * c->d;
    c->delta = c->y + room;
    c->rows = c->numbers;
    c->marked = c->rows + room;
    return GPA_OK;
}

static void cloud_add(struct cloud *c, const double *x, double y, size_t row)
{
    for (size_t j = 0; j < c->d; j++)
        c->x[c->n * c->d + j] = x[c->list.k[j]];
    c->y[c->n] = y;
    c->rows[c->n++] = row;
}

static void cloud_fill(struct cloud *c, const gpai_view *v)
{
    const gpa_background *b = v->info->background;
    size_t step = b->n / GPAI_CLOUD + (b->n % GPAI_CLOUD != 0);
    for (size_t i = 0; i < b->n; i += step)
        if (!explained(v, gpai_reference_row(b, i)))
            cloud_add(c, b->x + i * b->d, b->y[i], gpai_reference_row(b, i));
    for (size_t i = 0; i < v->n; i++) {
        c->marked[i] = c->n;
        cloud_add(c, v->x + i * v->d, v->y[i], gpa_explanation_row(v->e, i));
        for (size_t j = 0; j < c->d; j++)
            c->delta[i * c->d + j] = v->raw[c->list.k[j]];
    }
}

gpa_status gpai_figure_scatter(gpa_text *t, const gpai_view *v, double width,
                               size_t most, gpa_error *err)
{
    const gpa_background *b = v->info->background;
    struct cloud c = {.n = 0};
    gpai_figure_inputs(&c.list, v, most);
    c.d = c.list.n;
    if (b == NULL || b->x == NULL || b->y == NULL || b->n == 0 || b->d != v->d ||
        c.d == 0)
        return GPA_OK;
    gpa_status st = cloud_new(&c, v, err);
    if (st != GPA_OK)
        goto done;
    cloud_fill(&c, v);
    const gpa_scatter_plot plot = {.struct_size = sizeof plot,
                                   .width = width,
                                   .n = c.n,
                                   .d = c.d,
                                   .x = c.x,
                                   .y = c.y,
                                   .rows = c.rows,
                                   .names = c.list.names,
                                   .y_label = v->info->target,
                                   .marked = c.marked,
                                   .n_marked = v->n,
                                   .delta = c.delta};
    st = gpa_plot_scatter(t, &plot, err);
done:
    gpai_free(c.numbers);
    gpai_free(c.block);
    return st;
}

static bool any_score(const gpa_background *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (isfinite(b->score[i]))
            return true;
    return false;
}

gpa_status gpai_figure_scores(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err)
{
    (void)most;
    enum { MOST = 100 }; /* marks; more of them hide each other */
    const gpa_report_info *info = v->info;
    const gpa_background *b = info->background;
    size_t marked[MOST], n = 0;
    const char *labels[MOST];
    char room[MOST][GPAI_NAME_SIZE];
    if (b == NULL || b->score == NULL || b->n < 2 || !any_score(b))
        return GPA_OK;
    for (size_t i = 0; info->marked != NULL && i < info->n_marked && n < MOST; i++) {
        marked[n] = gpai_find_row(b->rows, b->n, info->marked[i]);
        if (marked[n] == b->n)
            continue;
        labels[n] = gpai_name_row(info, info->marked[i], room[n]);
        n++;
    }
    const gpa_score_plot plot = {.struct_size = sizeof plot,
                                 .width = width,
                                 .n = b->n,
                                 .score = b->score,
                                 .rows = b->rows,
                                 .marked = marked,
                                 .n_marked = n,
                                 .labels = labels,
                                 .threshold = (double)NAN};
    return gpa_plot_scores(t, &plot, err);
}
