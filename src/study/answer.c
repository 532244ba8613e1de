#include "base/alloc.h"
#include "base/status.h"
#include "result/explanation.h"
#include "study/study.h"
#include <string.h>

/* The answers of a study that is open. */

static gpa_status check_rows(const gpa_study *s, const size_t *rows, size_t n,
                             gpa_error *err)
{
    if (s == NULL || !s->ready || s->explain.struct_size == 0)
        return gpai_fail(err, GPA_INVALID, "study: it is not open for explanations");
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= s->n)
            return gpai_fail(err, GPA_INVALID,
                             "study: there is no row %zu, only 0 to %zu", rows[i],
                             s->n - 1);
    return GPA_OK;
}

/* What every explanation of these options is told. New rows are judged by the observed
 * reference, among which they are not; the others by all rows of the data. */
static gpa_explain_options settings(const gpa_study *s)
{
    gpa_explain_options o = s->explain;
    o.context = s->observed ? &s->reference : NULL;
    o.progress = s->progress;
    o.progress_ctx = s->progress_ctx;
    return o;
}

/* Rows as one explanation: their own sample, with all rows around them. */
static gpa_status explain_together(gpa_study *s, const size_t *rows, size_t n,
                                   gpa_explanation_sink sink, void *ctx, gpa_error *err)
{
    size_t d = s->d;
    gpa_explain_options o = settings(s);
    gpa_explanation *e = NULL;
    double *x = gpai_calloc(n, (d + 2) * sizeof *x);
    if (x == NULL)
        return gpai_nomem(err, "study");
    double *y = x + n * d, *f = y + n;
    for (size_t i = 0; i < n; i++) {
        memcpy(x + i * d, s->x + rows[i] * d, d * sizeof *x);
        y[i] = s->y[rows[i]];
        f[i] = s->f[rows[i]];
    }
    const gpa_sample sample = {.x = x, .y = y, .f = f, .n = n, .d = d};
    if (o.context == NULL) {
        o.context = &s->sample;
        o.context_rows = rows;
    }
    gpa_status st = gpa_explain(&e, s->model, &sample, &o, err);
    if (st == GPA_OK) {
        memcpy(e->rows, rows, n * sizeof *rows); /* as they stand in the data */
        st = sink(ctx, 0, e, err);
    }
    gpa_explanation_free(e);
    gpai_free(x);
    return st;
}

gpa_status gpa_study_explain(gpa_study *s, const size_t *rows, size_t n, bool together,
                             gpa_explanation_sink sink, void *ctx, gpa_error *err)
{
    if (s != NULL && rows == NULL) {
        rows = s->chosen.rows;
        n = s->chosen.n;
        together = s->given.given[OPT_COLLECTIVE];
    }
    gpa_status st = check_rows(s, rows, n, err);
    if (st != GPA_OK || n == 0)
        return st;
    if (together)
        return explain_together(s, rows, n, sink, ctx, err);
    const gpa_explain_options o = settings(s);
    return gpa_explain_many(s->model, &s->sample, rows, n,
                            gpai_options_threads(&s->given, n), &o, sink, ctx, err);
}

/* Moves what is in an explanation into one of its own: the other, which is freed after
 * it was shown, is left empty. */
struct keep {
    gpa_explanation **out;
    size_t n;
};

static gpa_status take_over(void *ctx, size_t index, const gpa_explanation *e,
                            gpa_error *err)
{
    struct keep *k = ctx;
    gpa_explanation *shown = (gpa_explanation *)(uintptr_t)e; /* the study's own */
    gpa_explanation *mine = gpai_calloc(1, sizeof *mine);
    if (mine == NULL)
        return gpai_nomem(err, "study");
    *mine = *shown;
    *shown = (gpa_explanation){.n = 0};
    k->out[index] = mine;
    k->n = index + 1;
    return GPA_OK;
}

gpa_status gpa_study_explanations(gpa_study *s, const size_t *rows, size_t n,
                                  bool together, gpa_explanation **out, gpa_error *err)
{
    struct keep k = {.out = out};
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "study: nowhere to put explanations");
    gpa_status st = gpa_study_explain(s, rows, n, together, take_over, &k, err);
    for (size_t i = 0; st != GPA_OK && i < k.n; i++) {
        gpa_explanation_free(out[i]);
        out[i] = NULL;
    }
    return st;
}

gpa_status gpa_study_compare(gpa_study *s, const size_t *rows, size_t n,
                             gpa_comparison **out, gpa_error *err)
{
    gpa_compare_options o;
    if (s != NULL && rows == NULL) {
        rows = s->chosen.rows;
        n = s->chosen.n;
    }
    gpa_status st = check_rows(s, rows, n, err);
    if (st != GPA_OK)
        return st;
    if (s->given.bit != IN_COMPARE || s->observed)
        return gpai_fail(err, GPA_INVALID,
                         s->observed
                             ? "compare takes its noise from the data: the reference "
                               "is rows without outcomes"
                             : "study: it was not opened for a comparison");
    gpa_compare_options_init(&o);
    s->others.opt.explain = &s->explain;
    s->others.opt.progress = s->progress;
    s->others.opt.progress_ctx = s->progress_ctx;
    o.attribute = &s->others.opt;
    o.methods = s->others.names;
    o.n_methods = s->others.n_names;
    o.threads = gpai_options_threads(&s->given, n);
    o.flip = !gpai_options_is(&s->given, OPT_FLIP, "off");
    return gpa_compare(out, s->model, &s->sample, rows, n, &o, err);
}
