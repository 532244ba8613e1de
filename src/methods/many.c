#include "base/alloc.h"
#include "base/status.h"
#include "engine/settings.h"
#include "engine/stages.h"
#include "methods/crew.h"
#include "result/explanation.h"
#include <gpa/explain.h>
#include <gpa/model.h>
#include <math.h>
#include <string.h>

struct many {
    const gpa_sample *all;
    const size_t *rows;
    gpa_explain_options opt; /* resolved */
    gpa_explanation_sink sink;
    void *sink_ctx;
};

static gpa_status explain_row(void *ctx, gpa_model *m, size_t i, void **result,
                              gpa_error *err)
{
    const struct many *q = ctx;
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
    gpa_status st = gpa_explain(&e, m, &s, &o, err);
    if (st == GPA_OK)
        e->rows[0] = row; /* as it stands in `all`, whatever the context */
    *result = e;
    return st;
}

static gpa_status hand_over(void *ctx, size_t i, const void *result, gpa_error *err)
{
    const struct many *q = ctx;
    return q->sink(q->sink_ctx, i, result, err);
}

static void drop(void *result)
{
    gpa_explanation_free(result);
}

gpa_status gpai_check_limits(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *o, gpa_error *err)
{
    if (o->lower == NULL && o->upper == NULL && o->onehot == NULL)
        return GPA_OK;
    double *unit = gpai_calloc(all->d, sizeof *unit);
    if (unit == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < all->d; k++)
        unit[k] = o->unit != NULL ? o->unit[k] : 1;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n_rows && st == GPA_OK; i++) {
        gpai_run r = {.opt = o, .err = err};
        gpai_problem p = {.n = 1,
                          .d = all->d,
                          .x = all->x + rows[i] * all->d,
                          .unit = unit,
                          .eta = 1};
        st = gpai_run_space(&r, &p, &r.s);
        gpai_space_close(&r.s);
        if (st == GPA_INVALID && err != NULL) {
            static const char unit_name[] = "explain: ";
            gpa_error inner = *err;
            size_t skip = strncmp(inner.message, unit_name, sizeof unit_name - 1) == 0
                              ? sizeof unit_name - 1
                              : 0;
            st = gpai_fail(err, st, "%srow %zu: %.400s", unit_name, rows[i],
                           inner.message + skip);
        }
    }
    gpai_free(unit);
    return st;
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
    struct many q = {.all = all, .rows = rows, .sink = sink, .sink_ctx = ctx};
    gpa_status st = gpai_options_resolve(&q.opt, opt, all->d, err);
    if (st != GPA_OK)
        return st;
    st = gpai_check_limits(all, rows, n_rows, &q.opt, err);
    if (st != GPA_OK)
        return st;
    if (isnan(q.opt.sigma) && gpa_residual_sigma(all, &q.opt.sigma, NULL) != GPA_OK)
        q.opt.sigma = (double)NAN; /* each explanation says what is wrong */
    const gpai_crew crew = {.unit = "explain",
                            .ctx = &q,
                            .jobs = n_rows,
                            .run = explain_row,
                            .take = hand_over,
                            .drop = drop};
    return gpai_crew_run(&crew, m, threads, err);
}
