#include "base/status.h"
#include "base/workers.h"
#include "engine/settings.h"
#include "engine/space.h"
#include "result/explanation.h"
#include <gpa/explain.h>
#include <gpa/model.h>
#include <math.h>

/* Rows explained one by one, each as gpa_explain would. */
struct many {
    gpa_model *model;
    const gpa_sample *all;
    const size_t *rows;
    gpa_explain_options opt; /* resolved */
    gpa_explanation_sink sink;
    void *sink_ctx;
    gpai_progress progress; /* explanations */
};

static gpa_status open_model(void *ctx, void **own, gpa_error *err)
{
    const struct many *q = ctx;
    gpa_model *m = NULL;
    gpa_status st = gpa_model_clone(&m, q->model, err);
    *own = m;
    return st;
}

static void close_model(void *own)
{
    gpa_model_free(own);
}

static gpa_status explain_row(void *ctx, void *own, size_t i, void **result,
                              gpa_error *err)
{
    struct many *q = ctx;
    gpa_explanation *e = NULL;
    size_t row = q->rows[i], d = q->all->d;
    gpa_explain_options o = q->opt;
    gpa_sample s = {.x = q->all->x + row * d,
                    .y = q->all->y + row,
                    .f = q->all->f + row,
                    .n = 1,
                    .d = d};
    if (o.context == NULL) {
        o.context = q->all;
        o.context_rows = &row;
    }
    o.progress = q->progress.tell != NULL ? gpai_progress_ends : NULL;
    o.progress_ctx = &q->progress;
    gpa_status st = gpa_explain(&e, own, &s, &o, err);
    if (st == GPA_OK)
        e->rows[0] = row; /* as it stands in `all`, whatever the context */
    *result = e;
    return st;
}

static gpa_status hand_over(void *ctx, size_t i, const void *result, gpa_error *err)
{
    struct many *q = ctx;
    gpa_status st = q->sink(q->sink_ctx, i, result, err);
    atomic_store(&q->progress.done, i + 1);
    return st == GPA_OK ? gpai_progress_tell(&q->progress, err) : st;
}

static void drop(void *result)
{
    gpa_explanation_free(result);
}

gpa_status gpa_explain_many(gpa_model *m, const gpa_sample *all, const size_t *rows,
                            size_t n_rows, size_t threads,
                            const gpa_explain_options *opt, gpa_explanation_sink sink,
                            void *ctx, gpa_error *err)
{
    if (m == NULL || all == NULL || all->x == NULL || all->y == NULL ||
        all->f == NULL || (rows == NULL && n_rows > 0) || sink == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "explain: a model, rows with y and f, and a sink are needed");
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i] >= all->n)
            return gpai_fail(err, GPA_INVALID,
                             "explain: row %zu, but there are %zu rows", rows[i],
                             all->n);
    struct many q = {
        .model = m, .all = all, .rows = rows, .sink = sink, .sink_ctx = ctx};
    gpa_status st = gpai_options_resolve(&q.opt, opt, all->d, err);
    if (st != GPA_OK)
        return st;
    st = gpai_limits_check(all, rows, n_rows, &q.opt, err);
    if (st != GPA_OK)
        return st;
    if (isnan(q.opt.sigma) && gpa_residual_sigma(all, &q.opt.sigma, NULL) != GPA_OK)
        q.opt.sigma = (double)NAN; /* each explanation says what is wrong */
    q.progress.unit = "explain";
    q.progress.tell = q.opt.progress;
    q.progress.ctx = q.opt.progress_ctx;
    q.progress.total = n_rows;
    const gpai_workers workers = {.unit = "explain",
                                  .ctx = &q,
                                  .jobs = n_rows,
                                  .open = open_model,
                                  .close = close_model,
                                  .run = explain_row,
                                  .take = hand_over,
                                  .drop = drop,
                                  .progress = &q.progress};
    return gpai_workers_run(&workers, m, threads, err);
}
