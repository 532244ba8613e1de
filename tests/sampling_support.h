#ifndef SAMPLING_SUPPORT_H
#define SAMPLING_SUPPORT_H
#include "support.h"

#include "base/alloc.h"
#include "base/math/special.h"
#include "base/rng.h"
#include "engine/ask.h"
#include "engine/objective.h"
#include "engine/space.h"
#include "result/explanation.h"

/* A problem to take distributions of, around a C function; everything the model was
 * asked is written down. */
struct rig {
    double (*f)(const double *x);
    size_t n, d;
    double x[64], y[8], b[8], unit[16];
    double a, eta, nu;
    gpai_limits limits;
    uint64_t budget;
    gpai_exact *exact;

    gpa_model *m;
    gpai_problem p;
    gpai_space s;
    gpa_explanation *e;
    double *seen; /* rows asked, d each */
    size_t seen_rows, seen_room;
};

static inline int rig_predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct rig *r = ctx;
    if (r->seen_rows + n > r->seen_room) {
        r->seen_room = 2 * (r->seen_rows + n);
        r->seen = realloc(r->seen, r->seen_room * d * sizeof *r->seen);
    }
    memcpy(r->seen + r->seen_rows * d, x, n * d * sizeof *x);
    r->seen_rows += n;
    for (size_t i = 0; i < n; i++)
        y[i] = r->f(x + i * d);
    return 0;
}

static inline void rig_open(struct rig *r, size_t points)
{
    gpa_error err;
    for (size_t k = 0; k < r->d; k++)
        if (r->unit[k] == 0)
            r->unit[k] = 1;
    assert_int_equal(gpai_space_exact(&r->exact, r->d, &r->limits, &err), GPA_OK);
    assert_int_equal(gpa_model_from_callback(&r->m, rig_predict, r, r->d, &err),
                     GPA_OK);
    r->p = (gpai_problem){.model = r->m,
                          .n = r->n,
                          .d = r->d,
                          .x = r->x,
                          .y = r->y,
                          .unit = r->unit,
                          .exact = r->exact,
                          .b = r->b,
                          .a = r->a,
                          .eta = r->eta,
                          .nu = r->nu,
                          .budget = r->budget};
    assert_int_equal(gpai_problem_open(&r->p, 4096, &err), GPA_OK);
    assert_int_equal(gpai_space_open(&r->s, &r->p, &r->limits, &err), GPA_OK);
    assert_int_equal(gpai_result_new(&r->e, r->n, r->d, points, &err), GPA_OK);
}

static inline void rig_close(struct rig *r)
{
    gpa_explanation_free(r->e);
    gpai_space_close(&r->s);
    gpai_problem_close(&r->p);
    gpai_free(r->exact);
    gpa_model_free(r->m);
    free(r->seen);
    r->e = NULL;
    r->m = NULL;
    r->seen = NULL;
    r->seen_rows = r->seen_room = 0;
}

/* Of a choice nothing but masses, which add up to 1. */
static inline void check_levels(const gpa_marginal *m)
{
    double sum = 0;
    assert_true(isnan(m->map) && isnan(m->mean) && isnan(m->sd) &&
                isnan(m->p_positive) && isnan(m->interval50[0]) &&
                isnan(m->interval90[1]));
    assert_int_equal(m->points, 0);
    for (size_t j = 0; j < m->levels; j++) {
        assert_true(m->mass[j] >= 0 && m->mass[j] <= 1);
        sum += m->mass[j];
    }
    assert_close(sum, 1, 1e-12);
    assert_true(m->information >= 0 && isfinite(m->information));
}

/* What every distribution must be, whatever it shows. */
static inline void check_shape(const gpa_marginal *m)
{
    double area = 0;
    if (m->levels > 0) {
        check_levels(m);
        return;
    }
    assert_true(m->interval90[0] <= m->interval50[0]);
    assert_true(m->interval50[0] <= m->interval50[1]);
    assert_true(m->interval50[1] <= m->interval90[1]);
    assert_true(m->sd >= 0 && isfinite(m->sd) && isfinite(m->mean));
    assert_true(m->p_positive >= 0 && m->p_positive <= 1);
    assert_true(m->information >= 0 && isfinite(m->information));
    for (size_t i = 0; i < m->points; i++) {
        assert_true(isfinite(m->grid[i]) && m->density[i] >= 0 &&
                    isfinite(m->density[i]));
        if (i > 0) {
            double w = m->grid[i] - m->grid[i - 1];
            assert_true(w > 0);
            area += 0.5 * w * (m->density[i] + m->density[i - 1]);
        }
    }
    if (m->points > 0)
        assert_close(area, 1, 1e-12);
}

/* Mass of a shown density in (lo, hi). */
static inline double shown_mass(const gpa_marginal *m, double lo, double hi)
{
    double sum = 0;
    for (size_t i = 1; i < m->points; i++) {
        double a = fmax(lo, m->grid[i - 1]), b = fmin(hi, m->grid[i]);
        double w = m->grid[i] - m->grid[i - 1];
        if (!(b > a))
            continue;
        double at = 0.5 * (a + b) - m->grid[i - 1];
        sum += (b - a) *
               (m->density[i - 1] + at / w * (m->density[i] - m->density[i - 1]));
    }
    return sum;
}

#endif
