/* Factor, inverse and solution of positive definite matrices: what they multiply back
 * to, for sizes around the blocks and vectors of the code. */
#include "support.h"

#include "base/alloc.h"
#include "base/math/spd.h"
#include "base/rng.h"

static const size_t sizes[] = {1, 2, 7, 8, 9, 16, 31, 32, 33, 63, 65, 100, 161};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

struct matrices {
    size_t n, ld;
    double *a;     /* as it was */
    double *other; /* room for a second one */
    double *work;  /* a copy to be worked on */
    double *scratch, *x;
};

/* B B' + n / 10 on the diagonal, with B of normals. */
static struct matrices make(size_t n)
{
    size_t ld = gpai_spd_ld(n);
    struct matrices m = {.n = n, .ld = ld};
    gpai_rng rng = gpai_rng_make(n, 1);
    m.a = gpai_calloc(ld * ld, sizeof *m.a);
    m.other = gpai_calloc(ld * ld, sizeof *m.a);
    m.work = gpai_calloc(ld * ld, sizeof *m.a);
    m.scratch = gpai_calloc(gpai_spd_scratch(n), sizeof *m.a);
    m.x = gpai_calloc(ld, sizeof *m.a);
    for (size_t i = 0; i < n * n; i++)
        m.other[i] = gpai_rng_normal(&rng);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                m.a[j * ld + i] += m.other[i * n + k] * m.other[j * n + k];
            m.a[j * ld + i] += i == j ? 0.1 * (double)n : 0;
        }
    memcpy(m.work, m.a, ld * ld * sizeof *m.a);
    return m;
}

static void drop(struct matrices *m)
{
    gpai_free(m->x);
    gpai_free(m->scratch);
    gpai_free(m->work);
    gpai_free(m->other);
    gpai_free(m->a);
}

static void factor_multiplies_back(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        struct matrices m = make(sizes[s]);
        assert_true(gpai_spd_factor(gpai_vectors_at(0), m.work, m.n, m.ld));
        for (size_t j = 0; j < m.n; j++)
            for (size_t i = j; i < m.n; i++) {
                double sum = 0;
                for (size_t k = 0; k <= j; k++)
                    sum += m.work[k * m.ld + i] * m.work[k * m.ld + j];
                assert_close(sum, m.a[j * m.ld + i], 1e-12 * (double)m.n);
            }
        drop(&m);
    }
}

static void inverses_and_solution(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        struct matrices m = make(sizes[s]);
        const gpai_vectors *v = gpai_vectors_at(0);
        assert_true(gpai_spd_factor(v, m.work, m.n, m.ld));
        gpai_spd_invert_factor(v, m.work, m.n, m.ld, m.scratch);
        for (size_t j = 0; j < m.n; j++)
            for (size_t i = 0; i < m.ld; i++)
                assert_true((i >= j && i < m.n) || m.work[j * m.ld + i] == 0);
        for (size_t i = 0; i < m.n; i++)
            m.x[i] = i % 3 == 0 ? 1 : -0.5;
        gpai_spd_solve(v, m.work, m.n, m.ld, m.x, m.scratch);
        gpai_spd_inverse(v, m.work, m.n, m.ld, m.other);
        for (size_t i = 0; i < m.n; i++) {
            double back = 0;
            for (size_t k = 0; k < m.n; k++)
                back += m.a[k * m.ld + i] * m.x[k];
            assert_close(back, i % 3 == 0 ? 1 : -0.5, 1e-10);
            for (size_t j = 0; j < m.n; j++) {
                double sum = 0;
                for (size_t k = 0; k < m.n; k++)
                    sum += m.a[k * m.ld + i] *
                           m.work[k >= j ? j * m.ld + k : k * m.ld + j];
                assert_close(sum, i == j ? 1 : 0, 1e-10);
            }
        }
        drop(&m);
    }
}

static void refuses_what_is_not_definite(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        struct matrices m = make(sizes[s]);
        m.work[(m.n - 1) * m.ld + m.n - 1] = -1;
        assert_false(gpai_spd_factor(gpai_vectors_at(0), m.work, m.n, m.ld));
        memcpy(m.work, m.a, m.ld * m.ld * sizeof *m.a);
        m.work[m.n - 1] = (double)NAN; /* row n - 1 of column 0 */
        assert_false(gpai_spd_factor(gpai_vectors_at(0), m.work, m.n, m.ld));
        drop(&m);
    }
}

static void same_bytes_everywhere(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        struct matrices first = make(sizes[s]);
        size_t bytes = first.ld * first.n * sizeof *first.a;
        const gpai_vectors *v;
        for (size_t set = 0; (v = gpai_vectors_at(set)) != NULL; set++) {
            struct matrices m = make(sizes[s]);
            assert_true(gpai_spd_factor(v, m.work, m.n, m.ld));
            gpai_spd_invert_factor(v, m.work, m.n, m.ld, m.scratch);
            gpai_spd_inverse(v, m.work, m.n, m.ld, m.other);
            if (set == 0)
                memcpy(first.work, m.work, bytes);
            assert_memory_equal(first.work, m.work, bytes);
            drop(&m);
        }
        drop(&first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_multiplies_back),
        cmocka_unit_test(inverses_and_solution),
        cmocka_unit_test(refuses_what_is_not_definite),
        cmocka_unit_test(same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
