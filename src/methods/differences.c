#include "methods/differences.h"
#include "base/alloc.h"
#include "base/status.h"
#include "model/model.h"
#include <math.h>
#include <string.h>

enum kind { ASKED, KNOWN, RESTART, FOLD };

struct gpai_point {
    gpai_use use;
    enum kind kind;
    double f; /* KNOWN */
};

/* Rows of a chunk: as many as a batch of the model, fewer when they are very wide. */
static size_t chunk_rows(size_t d)
{
    static const size_t NUMBERS = (size_t)1 << 22, LEAST = 64; /* chosen: 32 MiB */
    size_t rows = NUMBERS / d;
    rows = rows < LEAST ? LEAST : rows;
    return rows < GPAI_BATCH_ROWS ? rows : GPAI_BATCH_ROWS;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_differences *q = work;
    q->x = gpai_take(a, q->most_rows, q->d);
    q->f = gpai_take(a, q->most_rows, 1);
    GPAI_TAKE_EACH(a, q->d + 1, 1, &q->sum, &q->mean, &q->square);
    q->list = gpai_take_bytes(a, q->most_points, sizeof *q->list);
}

gpa_status gpai_differences_open(gpai_differences *q, gpai_attribute *w,
                                 uint64_t expected)
{
    size_t d = w->s->d, rows = chunk_rows(d);
    *q = (gpai_differences){.w = w,
                            .d = d,
                            .before = w->a->rows,
                            .expected = expected > 0 ? expected : 1,
                            .most_rows = rows,
                            .most_points = 2 * rows};
    q->block = gpai_carve(lay_out, q);
    return q->block != NULL ? GPA_OK : gpai_nomem(w->err, w->a->method->name);
}

void gpai_differences_close(gpai_differences *q)
{
    gpai_free(q->block);
    *q = (gpai_differences){0};
}

/* Welford's running mean and sum of squared deviations. */
static void fold(gpai_differences *q)
{
    q->units++;
    for (size_t k = 0; k <= q->d; k++) {
        double off = q->sum[k] - q->mean[k];
        q->mean[k] += off / (double)q->units;
        q->square[k] += off * (q->sum[k] - q->mean[k]);
        q->sum[k] = 0;
    }
}

static void use(gpai_differences *q, const gpai_use *u, double f)
{
    if (u->weight != 0)
        q->sum[u->input] += u->weight * (f - q->base);
    if (u->input == q->d)
        q->start = f;
    if (u->base)
        q->base = f;
}

static gpa_status flush(gpai_differences *q)
{
    gpa_status st = GPA_OK;
    if (q->rows > 0)
        st = gpai_attribute_predict(q->w, q->x, q->rows, q->f);
    if (st != GPA_OK)
        return st;
    const double *f = q->f;
    for (const struct gpai_point *p = q->list; p < q->list + q->points; p++) {
        if (p->kind == ASKED)
            use(q, &p->use, *f++);
        else if (p->kind == FOLD)
            fold(q);
        else
            use(q, &p->use, p->kind == KNOWN ? p->f : q->start);
    }
    q->rows = q->points = 0;
    uint64_t done = q->w->a->rows - q->before;
    return gpai_attribute_progress(q->w, done < q->expected ? done : q->expected,
                                   q->expected);
}

static gpa_status append(gpai_differences *q, struct gpai_point p)
{
    if (q->points == q->most_points) {
        gpa_status st = flush(q);
        if (st != GPA_OK)
            return st;
    }
    q->list[q->points++] = p;
    return GPA_OK;
}

gpa_status gpai_differences_ask(gpai_differences *q, const double *row, gpai_use use)
{
    return gpai_differences_ask_moved(q, row, 0, row[0], use);
}

gpa_status gpai_differences_ask_moved(gpai_differences *q, const double *row, size_t k,
                                      double value, gpai_use use)
{
    if (q->rows == q->most_rows || q->points == q->most_points) {
        gpa_status st = flush(q);
        if (st != GPA_OK)
            return st;
    }
    double *copy = q->x + q->rows++ * q->d;
    memcpy(copy, row, q->d * sizeof *row);
    copy[k] = value;
    q->list[q->points++] = (struct gpai_point){.use = use, .kind = ASKED};
    return GPA_OK;
}

gpa_status gpai_differences_know(gpai_differences *q, double f, gpai_use use)
{
    return append(q, (struct gpai_point){.use = use, .kind = KNOWN, .f = f});
}

gpa_status gpai_differences_restart(gpai_differences *q, gpai_use use)
{
    return append(q, (struct gpai_point){.use = use, .kind = RESTART});
}

gpa_status gpai_differences_fold(gpai_differences *q)
{
    return append(q, (struct gpai_point){.kind = FOLD});
}

gpa_status gpai_differences_finish(gpai_differences *q)
{
    gpa_attribution *a = q->w->a;
    gpa_status st = flush(q);
    if (st != GPA_OK)
        return st;
    memcpy(a->score, q->mean, q->d * sizeof *a->score);
    a->extra = q->mean[q->d];
    st = gpai_check_scores(q->w);
    return st == GPA_OK ? gpai_attribute_progress(q->w, q->expected, q->expected) : st;
}

gpa_status gpai_check_scores(gpai_attribute *w)
{
    const gpa_attribution *a = w->a;
    bool good = isfinite(a->extra);
    for (size_t k = 0; k < a->d; k++)
        good = good && isfinite(a->score[k]);
    return good ? GPA_OK
                : gpai_fail(w->err, GPA_NUMERIC,
                            "%s: the predictions differ by more than a number can "
                            "hold: scale the model's output",
                            a->method->name);
}

void gpai_differences_error(const gpai_differences *q, size_t all)
{
    gpa_attribution *a = q->w->a;
    double n = (double)q->units, left = all > 0 ? 1 - n / (double)all : 1;
    a->has_sd = q->units > 1;
    for (size_t k = 0; a->has_sd && k < q->d; k++)
        a->sd[k] = sqrt(fmax(q->square[k], 0) / (n - 1) / n * left);
}

void gpai_hold_frozen(const gpai_attribute *w, const double *x, const double *from,
                      double *row)
{
    const unsigned char *frozen = w->explain->frozen;
    for (size_t k = 0; k < w->s->d; k++)
        row[k] = frozen != NULL && frozen[k] ? x[k] : from[k];
}

double gpai_reference_f(const gpai_attribute *w, size_t r)
{
    const gpa_sample *reference = w->opt->reference;
    const unsigned char *frozen = w->explain->frozen;
    for (size_t k = 0; frozen != NULL && k < w->s->d; k++)
        if (frozen[k])
            return (double)NAN;
    return reference->f == NULL ? (double)NAN : reference->f[r];
}
