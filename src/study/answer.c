#include "base/alloc.h"
#include "base/status.h"
#include "methods/attribute.h"
#include "result/comparison.h"
#include "result/explanation.h"
#include "study/study.h"
#include <math.h>
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
        else if (s->unfit[rows[i]] != 0)
            return gpai_study_refuse(s, rows[i], err);
    return GPA_OK;
}

/* Rows of the data among those that can be used: NULL and `rows` themselves where none
 * was left out; to be freed. */
static gpa_status find_places(const gpa_study *s, const size_t *rows, size_t n,
                              size_t **owned, const size_t **places, gpa_error *err)
{
    *owned = NULL;
    *places = rows;
    if (s->place == NULL)
        return GPA_OK;
    *places = *owned = gpai_calloc(n, sizeof **owned);
    for (size_t i = 0; *owned != NULL && i < n; i++)
        (*owned)[i] = s->place[rows[i]];
    return *owned != NULL ? GPA_OK : gpai_nomem(err, "study");
}

/* Explanations on their way to the caller, whose rows stand in the data. */
struct handing {
    const gpa_study *s;
    gpa_explanation_sink sink;
    void *ctx;
};

static gpa_status hand_over(void *ctx, size_t index, const gpa_explanation *e,
                            gpa_error *err)
{
    const struct handing *h = ctx;
    for (size_t t = 0; h->s->row != NULL && t < e->n; t++)
        e->rows[t] = h->s->row[e->rows[t]];
    return h->sink(h->ctx, index, e, err);
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

/* An explanation on its way, whose rows stand in the data too. */
static int show_stage(void *ctx, const gpa_explanation *e)
{
    const gpa_study *s = ctx;
    for (size_t t = 0; s->row != NULL && t < e->n; t++)
        e->rows[t] = s->row[e->rows[t]];
    int ends = s->stage(s->stage_ctx, e);
    for (size_t t = 0; s->place != NULL && t < e->n; t++)
        e->rows[t] = s->place[e->rows[t]];
    return ends;
}

/* Changes rows as --set says, and asks what the model predicts for them then. */
static gpa_status edit(const gpa_study *s, double *x, double *y, double *f, size_t n,
                       gpa_error *err)
{
    if (s->n_edits == 0)
        return GPA_OK;
    for (size_t i = 0; i < n * s->n_edits; i++) {
        const gpai_edit *e = &s->edits[i % s->n_edits];
        double *to =
            e->input < s->d ? &x[i / s->n_edits * s->d + e->input] : &y[i / s->n_edits];
        *to = e->value;
    }
    return gpa_model_predict(s->model, x, n, f, err);
}

gpa_status gpai_study_edited(gpa_study *s, double **x, double **y, double **f,
                             gpa_error *err)
{
    size_t n = s->chosen.n, d = s->d;
    *x = gpai_calloc(n, (d + 2) * sizeof **x);
    if (*x == NULL)
        return gpai_nomem(err, "study");
    *y = *x + n * d;
    *f = *y + n;
    for (size_t i = 0; i < n; i++) {
        size_t row = s->chosen.rows[i];
        memcpy(*x + i * d, s->x + row * d, d * sizeof **x);
        (*y)[i] = s->y[row];
        (*f)[i] = s->f[row];
    }
    gpa_status st = edit(s, *x, *y, *f, n, err);
    if (st != GPA_OK)
        gpai_free(*x);
    return st;
}

/* Whether the rows were not chosen for what their deviations are, and nobody said how
 * noisy y is: without the rows that are farthest off the others would seem too good. */
static bool are_named(const gpa_study *s)
{
    const bool *given = s->given.given;
    return !given[OPT_SIGMA] && !given[OPT_TOP] && !given[OPT_THRESHOLD];
}

/* Rows as one explanation, the index-th: their own sample, with all rows around them.
 */
static gpa_status explain_together(gpa_study *s, const size_t *rows, size_t n,
                                   size_t index, const struct handing *to,
                                   gpa_error *err)
{
    const gpa_sample *all = &s->sample;
    size_t d = s->d;
    gpa_explain_options o = settings(s);
    gpa_explanation *e = NULL;
    double *x = gpai_calloc(n, (d + 2) * sizeof *x);
    if (x == NULL)
        return gpai_nomem(err, "study");
    double *y = x + n * d, *f = y + n;
    for (size_t i = 0; i < n; i++) {
        memcpy(x + i * d, all->x + rows[i] * d, d * sizeof *x);
        y[i] = all->y[rows[i]];
        f[i] = all->f[rows[i]];
    }
    const gpa_sample sample = {.x = x, .y = y, .f = f, .n = n, .d = d};
    if (o.context == NULL) {
        o.context = &s->sample;
        o.context_rows = rows;
        if (n > 1 && are_named(s))
            o.sigma = (double)NAN; /* that of the others */
    }
    if (s->stage != NULL) {
        o.stage = show_stage;
        o.stage_ctx = s;
    }
    gpa_status st = edit(s, x, y, f, n, err);
    if (st == GPA_OK)
        st = gpa_explain(&e, s->model, &sample, &o, err);
    if (st == GPA_OK) {
        memcpy(e->rows, rows, n * sizeof *rows); /* as they stand in the sample */
        st = hand_over((void *)(uintptr_t)to, index, e, err);
    }
    gpa_explanation_free(e);
    gpai_free(x);
    return st;
}

/* Each row on its own; on several workers unless rows were changed, or there are others
 * who ask. */
static gpa_status explain_each(gpa_study *s, const size_t *rows, size_t n,
                               struct handing *to, gpa_error *err)
{
    const gpa_explain_options o = settings(s);
    gpa_status st = GPA_OK;
    if (s->n_edits == 0 && s->base == NULL)
        return gpai_explain_named(s->model, &s->sample, s->row, rows, n,
                                  gpai_options_threads(&s->given, n), &o, hand_over, to,
                                  err);
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = explain_together(s, rows + i, 1, i, to, err);
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
    struct handing h = {.s = s, .sink = sink, .ctx = ctx};
    const size_t *places;
    size_t *owned;
    st = find_places(s, rows, n, &owned, &places, err);
    if (st == GPA_OK)
        st = together ? explain_together(s, places, n, 0, &h, err)
                      : explain_each(s, places, n, &h, err);
    gpai_free(owned);
    return st;
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

/* The sample with some of its rows changed as --set says; out->x owns it. */
static gpa_status edit_sample(const gpa_study *s, const size_t *places, size_t n,
                              gpa_sample *out, gpa_error *err)
{
    const gpa_sample *all = &s->sample;
    size_t d = all->d, m = all->n;
    double *x = gpai_calloc(m, (d + 2) * sizeof *x);
    if (x == NULL)
        return gpai_nomem(err, "study");
    double *y = x + m * d, *f = y + m;
    memcpy(x, all->x, m * d * sizeof *x);
    memcpy(y, all->y, m * sizeof *y);
    memcpy(f, all->f, m * sizeof *f);
    *out = (gpa_sample){.x = x, .y = y, .f = f, .n = m, .d = d};
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = edit(s, x + places[i] * d, y + places[i], f + places[i], 1, err);
    if (st != GPA_OK)
        gpai_free(x);
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
    if (s->given.bit != IN_COMPARE)
        return gpai_fail(err, GPA_INVALID, "study: it was not opened for a comparison");
    const gpa_explain_options explain = settings(s);
    const size_t *places;
    size_t *owned;
    st = find_places(s, rows, n, &owned, &places, err);
    if (st != GPA_OK)
        return st;
    gpa_compare_options_init(&o);
    s->others.opt.explain = &explain;
    s->others.opt.progress = s->progress;
    s->others.opt.progress_ctx = s->progress_ctx;
    o.attribute = &s->others.opt;
    o.methods = s->others.names;
    o.n_methods = s->others.n_names;
    o.threads = gpai_options_threads(&s->given, n);
    o.flip = !gpai_options_is(&s->given, OPT_FLIP, "off");
    gpa_sample sample = s->sample;
    double *edited = NULL;
    if (s->n_edits > 0) {
        st = edit_sample(s, places, n, &sample, err);
        edited = st == GPA_OK ? (double *)(uintptr_t)sample.x : NULL;
    }
    if (st == GPA_OK)
        st = gpai_compare_edited(out, s->model, &sample, &s->sample, s->row, places, n,
                                 &o, err);
    for (size_t i = 0; st == GPA_OK && s->row != NULL && i < n; i++)
        (*out)->row[i] = s->row[(*out)->row[i]];
    gpai_free(edited);
    gpai_free(owned);
    return st;
}
