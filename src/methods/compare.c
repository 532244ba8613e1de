#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/workers.h"
#include "engine/explain.h"
#include "engine/settings.h"
#include "engine/space.h"
#include "methods/attribute.h"
#include "methods/consistency.h"
#include "result/comparison.h"
#include "result/explanation.h"
#include <gpa/model.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void gpa_compare_options_init_sized(gpa_compare_options *opt, size_t size)
{
    static const gpa_compare_options defaults = {
        .struct_size = sizeof defaults, .threads = 1, .flip = true};
    gpai_sized_init(opt, size, &defaults, sizeof defaults);
}

/* Rows on workers that have a model each. */
struct rows {
    gpa_model *model;
    const gpa_sample *all;
    const size_t *names; /* numbers of the rows of `all` in the data; NULL: the same */
    gpa_explain_options explain; /* resolved; sigma known, where it can be */
    gpai_progress progress;
};

static gpa_status open_model(void *ctx, void **own, gpa_error *err)
{
    const struct rows *q = ctx;
    gpa_model *m = NULL;
    gpa_status st = gpa_model_clone(&m, q->model, err);
    *own = m;
    return st;
}

static void close_model(void *own)
{
    gpa_model_free(own);
}

static gpa_status check_range(const char *unit, const gpa_sample *all,
                              const size_t *rows, size_t n, gpa_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= all->n)
            return gpai_fail(err, GPA_INVALID, "%s: row %zu, but there are %zu rows",
                             unit, rows[i], all->n);
    return GPA_OK;
}

static gpa_status settle(struct rows *q, const gpa_explain_options *given,
                         const size_t *rows, size_t n, gpa_error *err)
{
    gpa_explain_options *e = &q->explain;
    gpa_status st = gpai_options_resolve(e, given, q->all->d, err);
    if (st == GPA_OK)
        st = gpai_limits_check(q->all, rows, n, e, err);
    if (st == GPA_OK && isnan(e->sigma) &&
        gpa_residual_sigma(q->all, &e->sigma, NULL) != GPA_OK)
        e->sigma = (double)NAN; /* each explanation, or gpa and lc, say what is wrong */
    return st;
}

/* A model that fails was asked about a row that is not in the data: says near which. */
static gpa_status tell_row(const struct rows *q, size_t row, gpa_status st,
                           gpa_error *err)
{
    if (st != GPA_MODEL || err == NULL)
        return st;
    const gpa_error why = *err;
    return gpai_fail(err, st, "at changed copies of row %zu: %.440s",
                     q->names != NULL ? q->names[row] : row, why.message);
}

/* Rows explained one by one, each as gpa_explain would. */
struct many {
    struct rows on;
    const size_t *rows;
    gpa_explanation_sink sink;
    void *sink_ctx;
    gpai_known *known;
};

static gpa_status explain_row(void *ctx, void *own, size_t i, void **result,
                              gpa_error *err)
{
    struct many *q = ctx;
    gpa_explanation *e = NULL;
    size_t row = q->rows[i], d = q->on.all->d;
    gpa_explain_options o = q->on.explain;
    gpa_sample s = {.x = q->on.all->x + row * d,
                    .y = q->on.all->y + row,
                    .f = q->on.all->f + row,
                    .n = 1,
                    .d = d};
    if (o.context == NULL) {
        o.context = q->on.all;
        o.context_rows = &row;
    }
    o.progress = q->on.progress.tell != NULL ? gpai_progress_ends : NULL;
    o.progress_ctx = &q->on.progress;
    gpa_status st = gpai_explain_known(&e, own, &s, &o, q->known, err);
    if (st == GPA_OK)
        e->rows[0] = row; /* as it stands in `all`, whatever the context */
    *result = e;
    return tell_row(&q->on, row, st, err);
}

static gpa_status hand_over(void *ctx, size_t i, const void *result, gpa_error *err)
{
    struct many *q = ctx;
    gpa_status st = q->sink(q->sink_ctx, i, result, err);
    atomic_store(&q->on.progress.done, i + 1);
    return st == GPA_OK ? gpai_progress_tell(&q->on.progress, err) : st;
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
    return gpai_explain_named(m, all, NULL, rows, n_rows, threads, opt, sink, ctx, err);
}

gpa_status gpai_explain_named(gpa_model *m, const gpa_sample *all, const size_t *names,
                              const size_t *rows, size_t n_rows, size_t threads,
                              const gpa_explain_options *opt, gpa_explanation_sink sink,
                              void *ctx, gpa_error *err)
{
    if (m == NULL || all == NULL || all->x == NULL || all->y == NULL ||
        all->f == NULL || (rows == NULL && n_rows > 0) || sink == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "explain: a model, rows with y and f, and a sink are needed");
    struct many q = {.on = {.model = m, .all = all, .names = names},
                     .rows = rows,
                     .sink = sink,
                     .sink_ctx = ctx};
    gpa_status st = check_range("explain", all, rows, n_rows, err);
    if (st == GPA_OK)
        st = settle(&q.on, opt, rows, n_rows, err);
    if (st == GPA_OK)
        st = gpai_known_new(&q.known, err);
    if (st != GPA_OK)
        return st;
    q.on.progress = (gpai_progress){.unit = "explain",
                                    .tell = q.on.explain.progress,
                                    .ctx = q.on.explain.progress_ctx,
                                    .total = n_rows};
    const gpai_workers workers = {.unit = "explain",
                                  .ctx = &q,
                                  .jobs = n_rows,
                                  .open = open_model,
                                  .close = close_model,
                                  .run = explain_row,
                                  .take = hand_over,
                                  .drop = drop,
                                  .progress = &q.on.progress};
    st = gpai_workers_run(&workers, m, threads, err);
    gpai_known_free(q.known);
    return st;
}

/* One comparison under way. Jobs are rows, and each writes its own cells only. */
struct comparing {
    struct rows on; /* its progress counts methods on rows, reflected ones too */
    const gpa_sample *context; /* the rows as they are in the data */
    gpa_comparison *c;
    gpa_compare_options opt;
    gpa_attribute_options attribute; /* the caller's, over the defaults */
};

/* A row that is compared. */
struct at {
    struct comparing *w;
    gpa_model *m;
    size_t i;
    const gpa_attribution *gpa; /* what the others are measured against, or NULL */
    gpa_sample others; /* the rows that stand for a reference that nobody gave */
    double *block;     /* owns them */
    size_t gaps;       /* so many more have gaps */
};

/* The others of the data say what is usual where no reference does, the same that say
 * what is plausible. The methods know no missing values. */
static gpa_status take_others(struct at *at, gpa_error *err)
{
    const gpa_sample *from = at->w->context, *given = at->w->attribute.reference;
    size_t row[GPAI_CROWD_MOST], d = from->d;
    if (given != NULL && given->x != NULL && given->n > 0)
        return GPA_OK;
    size_t n = gpai_other_rows(from->n, &at->w->c->row[at->i], 1, row);
    if (!at->w->on.explain.every_witness)
        n = gpai_witnesses(from, at->w->on.explain.inputs, row, n);
    if (n < GPAI_CROWD_ENOUGH)
        return GPA_OK;
    at->block = gpai_calloc(n, (d + 1) * sizeof *at->block);
    if (at->block == NULL)
        return gpai_nomem(err, "compare");
    double *f = at->block + n * d;
    at->others = (gpa_sample){.x = at->block, .f = f, .d = d};
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < d && isfinite(from->x[row[i] * d + k]))
            k++;
        if (k < d)
            continue;
        memcpy(at->block + at->others.n * d, from->x + row[i] * d, d * sizeof *f);
        f[at->others.n++] = from->f[row[i]];
    }
    at->gaps = n - at->others.n;
    return GPA_OK;
}

static gpa_attribute_options options_at(const struct at *at)
{
    enum { EIG_ROWS = 20 }; /* chosen: each asks a thousand rows of ten inputs */
    gpa_attribute_options o = at->w->attribute;
    if (at->others.n < GPAI_CROWD_ENOUGH)
        return o;
    o.reference = &at->others;
    o.eig_rows = o.eig_rows == 0 ? EIG_ROWS : o.eig_rows;
    return o;
}

/* Which rows stood for the reference. */
static void note_others(const struct at *at, const gpai_method *method,
                        gpa_attribution *a)
{
    gpa_attribute_options o = at->w->attribute;
    size_t all = at->w->context->n - 1, n = at->others.n + at->gaps;
    char gaps[60] = "";
    if (!gpai_attribute_lacks_reference(method, &o))
        return;
    if (at->gaps > 0)
        snprintf(gaps, sizeof gaps, ", without %zu that have gaps", at->gaps);
    if (n < all)
        gpai_attribution_note(a,
                              "%zu evenly spaced ones of the %zu "
                              "other rows stand for the reference%s",
                              n, all, gaps);
    else
        gpai_attribution_note(a, "the %zu other rows stand for the reference%s", n,
                              gaps);
}

/* A method on one row, with y as it is or reflected. What gpa settled on is shared with
 * lc alone: the others must not learn anything that comes from y. */
static gpa_status attribute(const struct at *at, const gpai_method *method, double y,
                            gpa_attribution **out, gpa_error *err)
{
    struct comparing *w = at->w;
    gpa_attribute_options o = options_at(at);
    gpa_explain_options e = w->on.explain;
    const size_t row = w->c->row[at->i];
    gpa_sample s = {.x = w->on.all->x + row * w->on.all->d,
                    .y = &y,
                    .f = w->on.all->f + row,
                    .n = 1,
                    .d = w->on.all->d};
    if (e.context == NULL) { /* else rows that this one is not among */
        e.context = w->context;
        e.context_rows = &row;
    }
    /* as gpa_explain does, whose search shares what the culprits ask: the same delta */
    if (e.culprit == GPA_CULPRIT_AUTO)
        e.culprit = GPA_CULPRIT_ON;
    if (method->run != gpai_attribute_gpa)
        e.inputs = NULL; /* numbers, as published */
    if (method->run == gpai_lc && at->gpa != NULL) {
        e.eta = at->gpa->eta;
        e.sigma = at->gpa->sigma;
    }
    o.explain = &e;
    o.progress = e.progress = gpai_progress_ends;
    o.progress_ctx = e.progress_ctx = &w->on.progress;
    return gpa_attribute(out, method->name, at->m, &s, &o, err);
}

/* A method that has no number for this row says so; nothing else goes wrong. */
static gpa_status excuse(gpai_compared *cell, gpa_status st, const gpa_error *why,
                         gpa_error *err)
{
    if (st != GPA_NUMERIC) {
        if (st != GPA_OK && err != NULL)
            *err = *why;
        return st;
    }
    cell->skipped = gpai_strdup(why->message);
    return cell->skipped != NULL ? GPA_OK : gpai_nomem(err, "compare");
}

/* Whether the scores differ. Nothing at all from a method that sees y (out of budget,
 * or y is no surprise) says nothing about what it sees. */
static int reaction(const gpai_method *method, const double *a, const double *b,
                    size_t d)
{
    bool nothing = gpa_method_find(method->name)->sees_y;
    for (size_t k = 0; k < d; k++) {
        if (a[k] != b[k])
            return 1;
        nothing = nothing && a[k] == 0;
    }
    return nothing ? -1 : 0;
}

/* Everything else equal, y is reflected about f: a method that sees y must react. */
static gpa_status reflect(const struct at *at, const gpai_method *method,
                          gpai_compared *cell, gpa_error *err)
{
    const gpa_comparison *c = at->w->c;
    const size_t i = at->i;
    gpa_attribution *a = NULL;
    gpa_error why;
    if (cell->a == NULL || c->y[i] == c->f[i] || !isfinite(c->y[i]))
        return GPA_OK; /* nothing to reflect */
    gpa_status st = attribute(at, method, 2 * c->f[i] - c->y[i], &a, &why);
    if (st == GPA_OK) {
        memcpy(cell->flipped, a->score, c->d * sizeof *cell->flipped);
        cell->has_flipped = true;
        cell->reacts = reaction(method, cell->a->score, cell->flipped, c->d);
        if (cell->reacts == 1 && !gpa_method_find(method->name)->sees_y)
            gpai_attribution_note(cell->a,
                                  "its scores changed although it never sees "
                                  "y: the model answers differently each time");
    } else if (st != GPA_NUMERIC && err != NULL) {
        *err = why;
    }
    gpa_attribution_free(a);
    return st == GPA_NUMERIC ? GPA_OK : st;
}

/* Why a method cannot run on these inputs; NULL when it can. */
static const char *hindrance(const struct at *at, const gpai_method *method)
{
    const gpa_input *in = at->w->on.explain.inputs;
    const gpa_attribute_options o = options_at(at);
    if (gpai_attribute_lacks_reference(method, &o))
        return "needs reference rows: give --reference FILE";
    for (size_t k = 0; in != NULL && !method->takes_text && k < at->w->c->d; k++)
        if (in[k].writing == GPA_WRITING_LEVEL)
            return "takes numbers only, and an input is text";
    return NULL;
}

static gpa_status run_cell(const struct at *at, size_t j, gpa_error *err)
{
    gpa_comparison *c = at->w->c;
    gpai_compared *cell = gpai_comparison_cell(c, at->i, j);
    const gpai_method *method = gpai_method_find(c->method[j]->name);
    gpa_status st = GPA_OK;
    const char *why_not = hindrance(at, method);
    if (why_not != NULL) {
        cell->skipped = gpai_strdup(why_not);
        return cell->skipped != NULL ? GPA_OK : gpai_nomem(err, "compare");
    }
    if (cell->a == NULL && cell->skipped == NULL) { /* gpa has run already */
        gpa_error why;
        st = attribute(at, method, c->y[at->i], &cell->a, &why);
        st = excuse(cell, st, &why, err);
    }
    if (st == GPA_OK && cell->a != NULL)
        note_others(at, method, cell->a);
    if (st == GPA_OK && at->w->opt.flip)
        st = reflect(at, method, cell, err);
    if (st == GPA_OK && cell->a != NULL && at->gpa != NULL) {
        st = gpa_agree(at->gpa->score, cell->a->score, c->d, &cell->agreement, err);
        cell->agrees = st == GPA_OK;
    }
    return st;
}

/* gpa comes first: the others are measured against it. */
static gpa_status run_row(void *ctx, void *own, size_t i, void **result, gpa_error *err)
{
    struct comparing *w = ctx;
    struct at at = {.w = w, .m = own, .i = i};
    gpa_comparison *c = w->c;
    gpai_compared apart = {.a = NULL}, *first = &apart;
    const gpai_method *gpa = gpai_method_find("gpa");
    gpa_error why;
    (void)result;
    for (size_t j = 0; j < c->m; j++)
        if (gpai_method_find(c->method[j]->name) == gpa)
            first = gpai_comparison_cell(c, i, j);
    gpa_status st = attribute(&at, gpa, c->y[i], &first->a, &why);
    st = excuse(first, st, &why, err);
    at.gpa = first->a;
    if (st == GPA_OK)
        st = take_others(&at, err);
    for (size_t j = 0; j < c->m && st == GPA_OK; j++) {
        st = run_cell(&at, j, err);
        if (st == GPA_OK)
            st = gpai_progress_count(&w->on.progress, w->opt.flip ? 2 : 1, err);
    }
    gpa_attribution_free(apart.a);
    gpai_free(apart.skipped);
    gpai_free(at.block);
    return tell_row(&w->on, c->row[i], st, err);
}

static gpa_status take_row(void *ctx, size_t i, const void *result, gpa_error *err)
{
    struct comparing *w = ctx;
    (void)i;
    (void)result;
    return w->on.progress.alone ? GPA_OK : gpai_progress_tell(&w->on.progress, err);
}

static gpa_status check_rows(const gpa_model *m, const gpa_sample *all,
                             const size_t *rows, size_t n_rows, gpa_error *err)
{
    if (m == NULL || all == NULL || all->x == NULL || all->y == NULL ||
        all->f == NULL || rows == NULL || n_rows == 0)
        return gpai_fail(err, GPA_INVALID,
                         "compare: a model and rows with y and f are needed");
    if (all->d == 0 || all->d != gpa_model_dim(m))
        return gpai_fail(err, GPA_INVALID,
                         "compare: the rows have %zu inputs, the model takes %zu",
                         all->d, gpa_model_dim(m));
    return check_range("compare", all, rows, n_rows, err);
}

/* The caller's options of whatever size over the defaults; methods NULL becomes the
 * number of all there are. */
static gpa_status resolve(struct comparing *w, const gpa_compare_options *opt,
                          gpa_error *err)
{
    gpa_compare_options *o = &w->opt;
    gpa_compare_options_init(o);
    gpa_status st = gpai_sized_copy(
        o, sizeof *o, opt,
        "compare: options were not filled by gpa_compare_options_init", err);
    if (st != GPA_OK)
        return st;
    if (o->methods == NULL)
        o->n_methods = gpa_method_count();
    if (o->n_methods == 0)
        return gpai_fail(err, GPA_INVALID, "compare: no methods");
    gpa_attribute_options_init(&w->attribute);
    return gpai_sized_copy(
        &w->attribute, sizeof w->attribute, o->attribute,
        "compare: attribute options were not filled by gpa_attribute_options_init",
        err);
}

/* Finds the methods and refuses, before anything is asked, what each would refuse. */
static gpa_status name_methods(struct comparing *w, gpa_error *err)
{
    gpa_comparison *c = w->c;
    for (size_t j = 0; j < c->m; j++) {
        const char *name =
            w->opt.methods != NULL ? w->opt.methods[j] : gpa_method_at(j)->name;
        const gpai_method *method = gpai_method_find(name);
        if (method == NULL)
            return gpai_fail(err, GPA_INVALID,
                             "compare: no method \"%.40s\": see gpa methods",
                             name != NULL ? name : "");
        c->method[j] = gpa_method_find(name);
        for (size_t k = 0; k < j; k++)
            if (c->method[k] == c->method[j])
                return gpai_fail(err, GPA_INVALID, "compare: method %s twice", name);
        gpa_attribute_options o;
        gpa_explain_options e;
        if (gpai_attribute_lacks_reference(method, &w->attribute))
            continue;
        gpa_status st =
            gpai_attribute_resolve(&o, &e, method, &w->attribute, c->d, err);
        if (st != GPA_OK)
            return st;
    }
    return GPA_OK;
}

static gpa_status prepare(struct comparing *w, const size_t *rows, size_t n_rows,
                          gpa_error *err)
{
    const gpa_sample *all = w->on.all;
    gpa_status st = settle(&w->on, w->attribute.explain, rows, n_rows, err);
    if (st == GPA_OK)
        st = gpai_comparison_new(&w->c, n_rows, all->d, w->opt.n_methods, w->opt.flip,
                                 err);
    if (st == GPA_OK)
        st = name_methods(w, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < n_rows; i++) {
        w->c->row[i] = rows[i];
        w->c->y[i] = all->y[rows[i]];
        w->c->f[i] = all->f[rows[i]];
    }
    w->on.progress = (gpai_progress){.unit = "compare",
                                     .tell = w->attribute.progress,
                                     .ctx = w->attribute.progress_ctx,
                                     .total = (uint64_t)n_rows * w->opt.n_methods *
                                              (w->opt.flip ? 2 : 1)};
    return GPA_OK;
}

gpa_status gpa_compare(gpa_comparison **out, gpa_model *m, const gpa_sample *all,
                       const size_t *rows, size_t n_rows,
                       const gpa_compare_options *opt, gpa_error *err)
{
    return gpai_compare_edited(out, m, all, all, NULL, rows, n_rows, opt, err);
}

gpa_status gpai_compare_edited(gpa_comparison **out, gpa_model *m,
                               const gpa_sample *all, const gpa_sample *context,
                               const size_t *names, const size_t *rows, size_t n_rows,
                               const gpa_compare_options *opt, gpa_error *err)
{
    struct comparing w = {.on = {.model = m, .all = all, .names = names},
                          .context = context};
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "compare: nowhere to put the result");
    *out = NULL;
    gpa_status st = check_rows(m, all, rows, n_rows, err);
    if (st == GPA_OK)
        st = resolve(&w, opt, err);
    if (st == GPA_OK)
        st = prepare(&w, rows, n_rows, err);
    const gpai_workers workers = {.unit = "compare",
                                  .ctx = &w,
                                  .jobs = n_rows,
                                  .open = open_model,
                                  .close = close_model,
                                  .run = run_row,
                                  .take = take_row,
                                  .drop = drop, /* NULL: the cells are the result */
                                  .progress = &w.on.progress};
    if (st == GPA_OK)
        st = gpai_workers_run(&workers, m, w.opt.threads, err);
    if (st == GPA_OK)
        st = gpai_comparison_finish(w.c, err);
    if (st != GPA_OK) {
        gpa_comparison_free(w.c);
        return st;
    }
    *out = w.c;
    return GPA_OK;
}
