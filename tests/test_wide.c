/* The vector arithmetic of sampled distributions: right, and the same bytes on every
 * instruction set. */
#include "sampling_support.h"

#include "base/math/matrix.h"
#include "base/math/vectors.h"
#include "engine/marginals/marginals.h"
#include "engine/math/smooth.h"

enum { N = 1000, DRAWS = 36, M = 11, STRIDE = 16, RANK = 10 };
enum { HALF = GPAI_CELLS / 2, TERMS = GPAI_SMOOTH_TERMS, WIDTHS = GPAI_SMOOTH_WIDTHS };

static void logarithms(void **state)
{
    (void)state;
    static const double some[8] = {1,     0.5,      2,          1e-300,
                                   1e300, 1 + 1e-9, 0.70710678, 3e-5};
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double x[N];
        for (size_t i = 0; i < N; i++)
            x[i] = i < 8 ? some[i] : pow(1.013, (double)i - 500);
        v->log(x, N);
        for (size_t i = 0; i < N; i++) {
            double want = log(i < 8 ? some[i] : pow(1.013, (double)i - 500));
            assert_close(x[i], want, 1e-14 + 1e-15 * fabs(want));
        }
        assert_true(x[0] == 0);
    }
}

/* Draws with zeros behind their M numbers, and weights. */
struct draws {
    double row[DRAWS * STRIDE], w[DRAWS];
};

static void fill_draws(struct draws *d)
{
    gpai_rng rng = gpai_rng_make(3, 1);
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < DRAWS; i++) {
        d->w[i] = i % 7 == 0 ? 0 : gpai_rng_unit(&rng);
        for (size_t a = 0; a < M; a++)
            d->row[i * STRIDE + a] = gpai_rng_normal(&rng);
    }
}

static void gram_matrices(void **state)
{
    (void)state;
    struct draws d;
    fill_draws(&d);
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double g[M * STRIDE] = {0}, by[4 * STRIDE];
        g[STRIDE] = 5; /* it adds */
        v->gram(d.row, d.w, DRAWS, M, STRIDE, by, g);
        for (size_t a = 0; a < M; a++)
            for (size_t b = 0; b <= a; b++) {
                double want = a == 1 && b == 0 ? 5 : 0;
                for (size_t i = 0; i < DRAWS; i++)
                    want += d.w[i] * d.row[i * STRIDE + a] * d.row[i * STRIDE + b];
                assert_close(g[a * STRIDE + b], want, 1e-12);
            }
    }
}

/* A lower triangle, a mean and points, RANK by GPAI_VDRAWS. */
struct points {
    double lower[RANK * RANK], mean[RANK], at[RANK * GPAI_VDRAWS];
};

static void fill_points(struct points *p)
{
    gpai_rng rng = gpai_rng_make(4, 1);
    for (size_t i = 0; i < RANK; i++) {
        p->mean[i] = gpai_rng_normal(&rng);
        for (size_t j = 0; j < RANK; j++)
            p->lower[i * RANK + j] = j <= i ? gpai_rng_normal(&rng) : 1e300;
        for (size_t k = 0; k < GPAI_VDRAWS; k++)
            p->at[i * GPAI_VDRAWS + k] = gpai_rng_normal(&rng);
    }
}

static void differences_of_squares(void **state)
{
    (void)state;
    struct points p;
    fill_points(&p);
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double room[RANK * GPAI_VDRAWS], out[GPAI_VDRAWS];
        v->squares(p.at, p.mean, p.lower, RANK, room, out);
        for (size_t k = 0; k < GPAI_VDRAWS; k++) {
            double want = 0;
            for (size_t i = 0; i < RANK; i++) {
                double x = p.at[i * GPAI_VDRAWS + k], white = 0;
                for (size_t j = 0; j <= i; j++)
                    white +=
                        p.lower[i * RANK + j] * (p.at[j * GPAI_VDRAWS + k] - p.mean[j]);
                want += x * x - white * white;
            }
            assert_close(out[k], want, 1e-12 * (1 + fabs(want)));
        }
    }
}

static double wave(size_t k, size_t cell)
{
    return cos(3.14159265358979323846 * (double)k * ((double)cell + 0.5) / GPAI_CELLS);
}

/* Something to analyse: four rows of HALF numbers, and the first two waves. */
struct series {
    double twice[HALF], fold[4 * HALF], wave[2 * HALF], c[TERMS + 1];
};

static void fill_series(struct series *s)
{
    gpai_rng rng = gpai_rng_make(5, 1);
    for (size_t j = 0; j < HALF; j++) {
        s->twice[j] = 2 * wave(1, j);
        s->wave[j] = wave(1, j);
        s->wave[HALF + j] = wave(2, j);
    }
    for (size_t j = 0; j < 4 * HALF; j++)
        s->fold[j] = gpai_rng_unit(&rng) / HALF;
    for (size_t k = 0; k <= TERMS; k++)
        s->c[k] = gpai_rng_normal(&rng);
}

static void cosine_series(void **state)
{
    (void)state;
    const gpai_smooth_set *set;
    for (size_t i = 0; (set = gpai_smooth_set_at(i)) != NULL; i++) {
        struct series s;
        double a[2][TERMS + 1];
        fill_series(&s);
        set->analyse(s.twice, s.fold, s.wave, a[0], a[1]);
        for (size_t h = 0; h < 2; h++)
            for (size_t k = 1; k <= TERMS; k++) {
                const double *part = s.fold + (2 * h + (k + 1) % 2) * HALF;
                double want = 0;
                for (size_t j = 0; j < HALF; j++)
                    want += part[j] * wave(k, j);
                assert_close(a[h][k], want, 1e-11);
            }
    }
    /* a number of terms that is not a multiple of four: the rest are zeros */
    for (size_t i = 0; (set = gpai_smooth_set_at(i)) != NULL; i++) {
        struct series s;
        enum { USED = 42 };
        fill_series(&s);
        memset(s.c + USED + 1, 0, (TERMS - USED) * sizeof *s.c);
        memset(s.fold, 0, sizeof s.fold);
        set->synthesise(s.twice, s.c, USED, s.wave, s.fold);
        for (size_t j = 0; j < HALF; j++) {
            double want[2] = {0};
            for (size_t k = 1; k <= USED; k++)
                want[(k + 1) % 2] += s.c[k] * wave(k, j);
            assert_close(s.fold[j], want[0], 1e-10);
            assert_close(s.fold[HALF + j], want[1], 1e-10);
        }
    }
}

static void risks(void **state)
{
    (void)state;
    struct series s;
    gpai_smoother smoother;
    fill_series(&s);
    gpai_smoother_make(&smoother);
    const gpai_smooth_set *set;
    for (size_t i = 0; (set = gpai_smooth_set_at(i)) != NULL; i++) {
        double out[WIDTHS];
        set->risks(smoother.factor, s.fold, s.c, out);
        for (size_t w = 0; w < WIDTHS; w++) {
            double want = 0;
            for (size_t k = 1; k <= TERMS; k++) {
                double g = pow(smoother.factor[w], (double)(k * k));
                want += g * (g * s.fold[k] + s.c[k]);
            }
            assert_close(out[w], want, 1e-7);
        }
    }
}

/* Two histograms at once are what each is alone. */
static void pairs_are_singles(void **state)
{
    (void)state;
    double mass[4][GPAI_CELLS], scratch[GPAI_SMOOTH_SCRATCH];
    for (size_t j = 0; j < GPAI_CELLS; j++) {
        mass[0][j] = mass[2][j] = (double)(j * 7919 % 13) / (6 * GPAI_CELLS);
        mass[1][j] = mass[3][j] = j == 50 || j == 60 ? 0.5 : 0;
    }
    gpai_smoother s;
    gpai_smoother_make(&s);
    gpai_smooth_two(&s, mass[0], mass[1], 300, scratch);
    gpai_smooth_two(&s, mass[2], NULL, 300, scratch);
    gpai_smooth_two(&s, mass[3], NULL, 300, scratch);
    assert_memory_equal(mass[0], mass[2], 2 * sizeof mass[0]);
}

/* Every function on the same numbers: all sets must agree with the first in all bits.
 */
struct everything {
    double log[N], gram[M * STRIDE], squares[GPAI_VDRAWS];
    double a[TERMS + 1], b[TERMS + 1], fold[4 * HALF], risk[WIDTHS];
};

static void run_all(const gpai_vectors *v, const gpai_smooth_set *set,
                    struct everything *e)
{
    struct draws d;
    struct points p;
    struct series s;
    double by[4 * STRIDE], room[RANK * GPAI_VDRAWS];
    gpai_smoother smoother;
    gpai_rng rng = gpai_rng_make(6, 1);
    memset(e, 0, sizeof *e);
    for (size_t i = 0; i < N; i++)
        e->log[i] = exp(20 * gpai_rng_normal(&rng));
    fill_draws(&d);
    fill_points(&p);
    fill_series(&s);
    gpai_smoother_make(&smoother);
    v->log(e->log, N);
    v->gram(d.row, d.w, DRAWS, M, STRIDE, by, e->gram);
    for (size_t a = 0; a < M; a++) /* what lies above the diagonal may differ */
        for (size_t b = a + 1; b < STRIDE; b++)
            e->gram[a * STRIDE + b] = 0;
    v->squares(p.at, p.mean, p.lower, RANK, room, e->squares);
    set->analyse(s.twice, s.fold, s.wave, e->a, e->b);
    fill_series(&s);
    set->synthesise(s.twice, s.c, TERMS, s.wave, e->fold);
    set->risks(smoother.factor, s.fold, s.c, e->risk);
}

static void same_bytes_everywhere(void **state)
{
    (void)state;
    static struct everything first, other;
    run_all(gpai_vectors_at(0), gpai_smooth_set_at(0), &first);
    for (size_t s = 1; gpai_vectors_at(s) != NULL; s++) {
        assert_non_null(gpai_smooth_set_at(s));
        run_all(gpai_vectors_at(s), gpai_smooth_set_at(s), &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

/* Without a prediction to the right of 0: a NaN with a sign, as processors make them.
 */
static double left(const double *x)
{
    return x[0] > 0 ? copysign((double)NAN, -1) : x[0] < -50 ? 1e200 : x[0] + x[1];
}

/* Of several rows any one without a prediction, whichever comes first, takes a draw's
 * weight away. Rows stand at -10, and one at -1: delta is below 1. */
static void every_row_counts(void **state)
{
    (void)state;
    for (size_t at = 0; at < 3; at++) {
        struct rig r = {
            .f = left, .n = 3, .d = 2, .a = 5.5, .eta = 0.1, .nu = 0.5, .b = {9, 9, 9}};
        gpai_sampling out;
        for (size_t t = 0; t < 3; t++) {
            r.x[2 * t] = t == at ? -1 : -10;
            r.y[t] = r.x[2 * t] + 3; /* draws it to the right */
        }
        rig_open(&r, 100);
        assert_int_equal(gpai_marginal_exact(&r.p, &r.s, 512, 1, 1, r.e, &out, NULL),
                         GPA_OK);
        assert_true(out.ess > 20 && r.p.nonfinite > 20);
        assert_true(r.e->marginals[0].interval90[1] < 1.1);
        assert_true(r.e->marginals[0].mean + 3 * r.e->marginals[0].sd > 1);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms),
        cmocka_unit_test(gram_matrices),
        cmocka_unit_test(differences_of_squares),
        cmocka_unit_test(cosine_series),
        cmocka_unit_test(risks),
        cmocka_unit_test(pairs_are_singles),
        cmocka_unit_test(same_bytes_everywhere),
        cmocka_unit_test(every_row_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
