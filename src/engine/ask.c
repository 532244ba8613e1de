#include "engine/ask.h"
#include "base/alloc.h"
#include "base/status.h"
#include "model/model.h"
#include <math.h>
#include <string.h>

/* A probe buffer beyond this many doubles (32 MiB) buys no speed any more; a call is
 * then handed to the model in several pieces. Chosen: more than any cache holds. */
enum { MOST_DOUBLES = 1 << 22 };

static size_t fitting_rows(const gpai_problem *p, size_t largest)
{
    size_t rows = MOST_DOUBLES / (p->d > 0 ? p->d : 1);
    size_t batch = gpa_model_batch(p->model);
    if (rows > batch)
        rows = batch;
    if (rows > largest)
        rows = largest;
    return rows > 0 ? rows : 1;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_problem *p = work;
    p->probe = gpai_take(a, p->capacity, p->d);
    p->base = gpai_take(a, p->n, p->d);
}

gpa_status gpai_problem_open(gpai_problem *p, size_t largest, gpa_error *err)
{
    p->capacity = fitting_rows(p, largest);
    p->block = gpai_carve_bare(lay_out, p); /* written before it is read */
    return p->block != NULL ? GPA_OK : gpai_nomem(err, "explain");
}

void gpai_problem_close(gpai_problem *p)
{
    gpai_free(p->block);
    p->block = NULL;
}

bool gpai_problem_affords(const gpai_problem *p, uint64_t rows)
{
    return p->budget == 0 || (p->rows <= p->budget && rows <= p->budget - p->rows);
}

/* The level nearest to v. */
static double nearest(const gpai_exact *e, double v)
{
    size_t from = 0, to = e->levels - 1;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (v - e->level[middle] <= e->level[middle + 1] - v)
            to = middle;
        else
            from = middle + 1;
    }
    return e->level[from];
}

double gpai_exact_move(const gpai_exact *e, double x, double unit, double delta)
{
    double by = unit * delta;
    if (delta == 0 || isnan(x))
        return x + by;
    switch (e->to) {
    case GPAI_EXACT_SHIFT:
        return x + nearbyint(by);
    case GPAI_EXACT_WHOLE:
        return nearbyint(x + by);
    case GPAI_EXACT_LEVEL:
        return nearest(e, x + by);
    case GPAI_EXACT_NOT:
        break;
    }
    return x + by;
}

/* Input k of row t moved by delta. */
static inline double moved(const gpai_problem *p, size_t t, size_t k, double delta)
{
    double x = p->x[t * p->d + k];
    return p->exact == NULL ? x + p->unit[k] * delta
                            : gpai_exact_move(&p->exact[k], x, p->unit[k], delta);
}

/* Row t moved by delta. */
static inline void move_row(const gpai_problem *p, size_t t, const double *delta,
                            double *restrict out)
{
    const double *x = p->x + t * p->d, *unit = p->unit;
    size_t d = p->d;
    if (p->exact == NULL)
        for (size_t k = 0; k < d; k++)
            out[k] = x[k] + unit[k] * delta[k];
    else
        for (size_t k = 0; k < d; k++)
            out[k] = moved(p, t, k, delta[k]);
}

/* The rows of the observed points moved by delta. */
static void move_rows(const gpai_problem *p, const double *delta, double *out)
{
    for (size_t t = 0; t < p->n; t++)
        move_row(p, t, delta, out + t * p->d);
}

/* A place in an ordered sequence of rows that may not fit into the buffer at once. */
struct filling {
    gpai_problem *p;
    size_t held; /* rows waiting in p->probe */
    double *out; /* where their predictions go */
    gpa_error *err;
};

static size_t count_nonfinite(const double *y, size_t n)
{
    double even = 0, odd = 0; /* 0 times a number is 0, unless it is not finite */
    size_t count = 0, i = 0;
    for (; i + 1 < n; i += 2) {
        even += 0 * y[i];
        odd += 0 * y[i + 1];
    }
    if (i < n)
        even += 0 * y[i];
    for (i = 0; !(even + odd == 0) && i < n; i++)
        count += isfinite(y[i]) ? 0 : 1;
    return count;
}

gpa_status gpai_ask(gpai_problem *p, const double *x, size_t n, double *f,
                    gpa_error *err)
{
    if (p->progress != NULL && p->progress(p->progress_ctx, p->rows, p->budget) != 0)
        return gpai_fail(err, GPA_STOPPED, "explain: stopped");
    static const gpai_asked CHANGED = {.word = "changed row"};
    gpa_status st = gpai_model_predict(p->model, x, n, CHANGED, f, err);
    if (st != GPA_OK)
        return st;
    p->nonfinite += count_nonfinite(f, n);
    p->rows += n;
    return GPA_OK;
}

static gpa_status flush(struct filling *w)
{
    if (w->held == 0)
        return GPA_OK;
    gpa_status st = gpai_ask(w->p, w->p->probe, w->held, w->out, w->err);
    w->out += w->held;
    w->held = 0;
    return st;
}

/* Room for the next row, after emptying a full buffer; NULL when the model failed. */
static inline double *next_row(struct filling *w, gpa_status *st)
{
    if (w->held == w->p->capacity)
        *st = flush(w);
    return *st == GPA_OK ? w->p->probe + w->held++ * w->p->d : NULL;
}

gpa_status gpai_predict_points(gpai_problem *p, const double *deltas,
                               const size_t *index, size_t k, double *f, gpa_error *err)
{
    struct filling w = {.p = p, .out = f, .err = err};
    gpa_status st = GPA_OK;
    p->calls++;
    for (size_t i = 0; i < k; i++) {
        const double *delta = deltas + (index != NULL ? index[i] : i) * p->d;
        for (size_t t = 0; t < p->n; t++) {
            double *row = next_row(&w, &st);
            if (row == NULL)
                return st;
            move_row(p, t, delta, row);
        }
    }
    return flush(&w);
}

/* A row is often short: a loop over pairs is faster than a call of memcpy. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline void copy_row(double *to, const double *from, size_t d)
{
    size_t j = 0;
    for (; j + 1 < d; j += 2)
        *(pair *)(void *)(to + j) = *(const pair *)(const void *)(from + j);
    if (j < d)
        to[j] = from[j];
}

/* Room for one more row, which is row t at p->base; NULL: *st says why. */
static inline double *next_copy(struct filling *w, size_t t, gpa_status *st)
{
    double *row = next_row(w, st);
    if (row != NULL)
        copy_row(row, w->p->base + t * w->p->d, w->p->d);
    return row;
}

/* The n rows at p->base, with input k moved by delta from where it was observed (k = d:
 * as they are). */
static inline gpa_status add_rows(struct filling *w, size_t k, double delta)
{
    const gpai_problem *p = w->p;
    gpa_status st = GPA_OK;
    for (size_t t = 0; t < p->n; t++) {
        double *row = next_copy(w, t, &st);
        if (row == NULL)
            return st;
        if (k < p->d)
            row[k] = moved(p, t, k, delta);
    }
    return GPA_OK;
}

/* Likewise with an axis at a value that is no delta: a level, or that of a gap. */
static gpa_status add_values(struct filling *w, const gpai_axis *a, double value)
{
    const gpai_problem *p = w->p;
    gpa_status st = GPA_OK;
    bool choice = a->kind == GPAI_AXIS_CHOICE,
         stays = choice && (size_t)value == a->now;
    for (size_t t = 0; t < p->n; t++) {
        double *row = next_copy(w, t, &st);
        if (row == NULL)
            return st;
        for (size_t j = 0; choice && j < a->members; j++)
            row[a->member[j]] = stays ? p->x[t * p->d + a->member[j]]
                                      : gpai_axis_level(a, (size_t)value, j);
        if (!choice)
            row[a->input] = value;
    }
    return GPA_OK;
}

gpa_status gpai_predict_inputs(gpai_problem *p, const double *delta,
                               const double *position, size_t nodes, bool with_base,
                               double *f, gpa_error *err)
{
    struct filling w = {.p = p, .out = f, .err = err};
    p->calls++;
    move_rows(p, delta, p->base);
    gpa_status st = with_base ? add_rows(&w, p->d, 0) : GPA_OK;
    for (size_t k = 0; k < p->d; k++)
        for (size_t j = 0; j < nodes && st == GPA_OK; j++)
            st = add_rows(&w, k, position[k * nodes + j]);
    return st == GPA_OK ? flush(&w) : st;
}

/* Likewise with two inputs exchanged. */
static gpa_status add_exchanged(struct filling *w, size_t j, size_t k)
{
    const gpai_problem *p = w->p;
    gpa_status st = GPA_OK;
    for (size_t t = 0; t < p->n; t++) {
        double *row = next_copy(w, t, &st);
        if (row == NULL)
            return st;
        row[j] = p->x[t * p->d + k];
        row[k] = p->x[t * p->d + j];
    }
    return GPA_OK;
}

static gpa_status add_probe(struct filling *w, const gpai_space *s,
                            const gpai_probe *probe)
{
    const gpai_axis *a = &s->axis[probe->axis];
    if (probe->exchanged)
        return add_exchanged(w, a->input, s->axis[probe->other].input);
    return a->kind == GPAI_AXIS_CHOICE || a->gap ? add_values(w, a, probe->value)
                                                 : add_rows(w, a->input, probe->value);
}

gpa_status gpai_predict_probes(gpai_problem *p, const gpai_space *s,
                               const double *delta, const gpai_probe *probe,
                               size_t count, bool with_base, double *f, gpa_error *err)
{
    struct filling w = {.p = p, .out = f, .err = err};
    p->calls++;
    move_rows(p, delta, p->base);
    gpa_status st = with_base ? add_rows(&w, p->d, 0) : GPA_OK;
    for (size_t i = 0; i < count && st == GPA_OK; i++)
        st = add_probe(&w, s, &probe[i]);
    return st == GPA_OK ? flush(&w) : st;
}
