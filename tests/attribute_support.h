#ifndef ATTRIBUTE_SUPPORT_H
#define ATTRIBUTE_SUPPORT_H

/* What the tests of ig, eig and sv share: small models and one way to run a method. */
#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include <gpa/gpa.h>

/* Options with their explain options, so that a test writes only what it means. */
struct asked {
    gpa_attribute_options opt;
    gpa_explain_options explain;
};

static inline void asked_init(struct asked *o)
{
    gpa_attribute_options_init(&o->opt);
    gpa_explain_options_init(&o->explain);
    o->opt.explain = &o->explain;
}

static inline gpa_attribution *attribute(const char *name, gpa_model *m, gpa_sample s,
                                         struct asked *o)
{
    gpa_attribution *a = NULL;
    gpa_error err;
    o->opt.explain = &o->explain;
    if (gpa_attribute(&a, name, m, &s, &o->opt, &err) != GPA_OK)
        fail_msg("%s: %s", name, err.message);
    return a;
}

/* Runs the method and keeps the scores only. */
static inline void scores(const char *name, gpa_model *m, gpa_sample s, struct asked *o,
                          double *score)
{
    gpa_attribution *a = attribute(name, m, s, o);
    memcpy(score, gpa_attribution_score(a), s.d * sizeof *score);
    gpa_attribution_free(a);
}

static inline double total(const double *v, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += v[k];
    return sum;
}

/* Relative distance of two vectors. */
static inline double distance(const double *v, const double *want, size_t n)
{
    double off = 0, size = 0;
    for (size_t k = 0; k < n; k++) {
        off += (v[k] - want[k]) * (v[k] - want[k]);
        size += want[k] * want[k];
    }
    return sqrt(off / size);
}

enum { LINEAR_D = 4 };

static const double LINEAR_W[LINEAR_D] = {1.5, -2, 0, 0.25};

static inline int linear(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = 3;
        for (size_t k = 0; k < d; k++)
            y[i] += LINEAR_W[k] * x[i * d + k];
    }
    return 0;
}

enum { QUADRATIC_D = 3 };

/* f = x'Ax/2 + b'x */
static const double QUADRATIC_A[QUADRATIC_D][QUADRATIC_D] = {
    {2, -1, 0.5}, {-1, 0.5, 3}, {0.5, 3, -1}};
static const double QUADRATIC_B[QUADRATIC_D] = {1, -2, 0.5};

static inline int quadratic(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *z = x + i * d;
        y[i] = 0;
        for (size_t j = 0; j < d; j++)
            for (size_t k = 0; k < d; k++)
                y[i] += 0.5 * z[j] * QUADRATIC_A[j][k] * z[k];
        for (size_t k = 0; k < d; k++)
            y[i] += QUADRATIC_B[k] * z[k];
    }
    return 0;
}

/* Its integrated gradients, and (theorem of section 4.2) its Shapley values, from x0 to
 * x: the gradient half way. */
static inline void quadratic_ig(const double *x, const double *x0, double *want)
{
    for (size_t j = 0; j < QUADRATIC_D; j++) {
        double slope = QUADRATIC_B[j];
        for (size_t k = 0; k < QUADRATIC_D; k++)
            slope += QUADRATIC_A[j][k] * 0.5 * (x[k] + x0[k]);
        want[j] = (x[j] - x0[j]) * slope;
    }
}

static inline gpa_model *callback(gpa_predict_fn f, size_t d)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_from_callback(&m, f, NULL, d, NULL), GPA_OK);
    return m;
}

/* Rows of numbers in [-1, 1). */
static inline void fill_random(double *x, size_t n, uint64_t stream)
{
    gpai_rng rng = gpai_rng_make(77, stream);
    for (size_t i = 0; i < n; i++)
        x[i] = 2 * gpai_rng_unit(&rng) - 1;
}

/* No number at some places. */
static inline int holes(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    linear(ctx, x, n, d, y);
    for (size_t i = 0; i < n; i++)
        if (x[i * d] > 0.2 && x[i * d] < 0.4)
            y[i] = (double)NAN;
    return 0;
}

/* Differences beyond the largest double. */
static inline int huge_steps(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i * d] > 0 ? 1.7e308 : -1.7e308;
    return 0;
}

struct stops {
    uint64_t calls, done, total, stop_at;
};

static inline int count_progress(void *ctx, uint64_t done, uint64_t all)
{
    struct stops *s = ctx;
    assert_true(done <= all && all > 0);
    assert_true(done >= s->done);
    s->done = done;
    s->total = all;
    return ++s->calls == s->stop_at;
}

/* Told to the end; stopped where the caller says so. */
static inline void check_progress(const char *name, gpa_model *m, gpa_sample s,
                                  struct asked *o)
{
    struct stops p = {0};
    gpa_attribution *a = NULL;
    gpa_error err;
    o->opt.progress = count_progress;
    o->opt.progress_ctx = &p;
    gpa_attribution_free(attribute(name, m, s, o));
    assert_true(p.calls > 1);
    assert_int_equal(p.done, p.total);
    for (uint64_t k = 1; k <= 2; k++) {
        p = (struct stops){.stop_at = k};
        assert_int_equal(gpa_attribute(&a, name, m, &s, &o->opt, &err), GPA_STOPPED);
        assert_null(a);
    }
    o->opt.progress = NULL;
}

/* Each allocation fails in turn: a status, nothing leaked (the sanitizer counts), and
 * the next run works. */
static inline void check_memory(const char *name, gpa_model *m, gpa_sample s,
                                struct asked *o)
{
    gpa_status st = GPA_NOMEM;
    size_t k = 0;
    while (st != GPA_OK) {
        gpa_attribution *a = NULL;
        gpai_alloc_fail_at(++k, false);
        st = gpa_attribute(&a, name, m, &s, &o->opt, NULL);
        gpai_alloc_fail_at(0, false);
        assert_true(st == GPA_OK || (st == GPA_NOMEM && a == NULL));
        gpa_attribution_free(a);
        assert_true(k < 50);
    }
    assert_true(k > 4);
}

/* The observed y is nowhere in the answer. */
static inline void check_no_y(const char *name, gpa_model *m, gpa_sample s,
                              struct asked *o)
{
    const double y[2] = {1e6, -3};
    double with[32], without[32];
    assert_true(s.n <= 2 && s.d <= 32);
    s.y = NULL;
    scores(name, m, s, o, without);
    s.y = y;
    scores(name, m, s, o, with);
    assert_memory_equal(with, without, s.d * sizeof *with);
}

#endif
