#include "engine/math/smooth.h"
#include "base/math/special.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The work is done on the cosine series of the masses, cos(pi k u): a reflected
 * Gaussian kernel of width h multiplies its k-th coefficient by exp(-(pi k h)^2 / 2).
 * Waves are kept at the first half of the cells; the other half mirrors them with sign
 * (-1)^k. */
enum { HALF = GPAI_CELLS / 2, TERMS = GPAI_SMOOTH_TERMS, WIDTHS = GPAI_SMOOTH_WIDTHS };

/* Chosen: a narrower kernel is less than the cells themselves, a wider one flat; steps
 * of 12 % are finer than the risk's minimum is sharp, and GPAI_SMOOTH_WIDTHS of them
 * cover the range. */
static const double NARROWEST = 1.5 / GPAI_CELLS, WIDEST = 1, NEXT_WIDTH = 1.12;

/* Coefficients vary by about 1/ess; a margin against under-smoothing, because weights
 * that happen to be large come with their whole neighbourhood. Chosen between 1 and 2.
 */
static const double MARGIN = 1.5;

#define GPAI_LOOPS "engine/math/smooth_loops.h"
#include "base/cpu_sets.h"

#define SET(x)                                                                         \
    {                                                                                  \
#x, x##_analyse, x##_synthesise, x##_risks                                     \
    }

static const gpai_smooth_set SETS[] = {GPAI_CPU_SETS(SET)};

const gpai_smooth_set *gpai_smooth_set_at(size_t i)
{
    return gpai_cpu_at(SETS, sizeof SETS[0], i);
}

void gpai_smoother_make(gpai_smoother *s)
{
    double h = NARROWEST;
    s->set = gpai_smooth_set_at(0);
    for (size_t j = 0; j < HALF; j++)
        s->twice[j] = 2 * cos(GPAI_PI * ((double)j + 0.5) / GPAI_CELLS);
    for (size_t i = 0; i < WIDTHS; i++, h *= NEXT_WIDTH) {
        s->width[i] = h;
        s->factor[i] = exp(-0.5 * GPAI_PI * h * GPAI_PI * h);
    }
}

/* Waves 1 and 2. */
static void start_waves(const gpai_smoother *s, double *wave)
{
    for (size_t j = 0; j < HALF; j++) {
        wave[j] = 0.5 * s->twice[j];
        wave[HALF + j] = s->twice[j] * wave[j] - 1;
    }
}

/* What waves that are odd (first) or even about the middle see of the masses. */
static void fold_up(const double *mass, double *fold)
{
    for (size_t j = 0; j < HALF; j++) {
        fold[j] = mass[j] - mass[GPAI_CELLS - 1 - j];
        fold[HALF + j] = mass[j] + mass[GPAI_CELLS - 1 - j];
    }
}

/* The width of least risk, which is an unbiased estimate of the mean square error up to
 * a constant: with g_k the kernel's factor and v_k the variance of a_k, the sum of
 * (g_k^2 - 2 g_k) a_k^2 + 2 g_k v_k. */
static size_t best_width(const gpai_smoother *s, const double *a, double ess)
{
    double p[TERMS + 1], q[TERMS + 1], risk[WIDTHS], twice_noise = 2 * MARGIN / ess;
    for (size_t k = 1; k <= TERMS; k++) {
        double twice = 2 * k <= TERMS ? a[2 * k] : 0, square = a[k] * a[k];
        double v = 0.5 + 0.5 * twice - square;
        p[k] = square;
        q[k] = twice_noise * (v > 0 ? v : 0) - 2 * square;
    }
    s->set->risks(s->factor, p, q, risk);
    size_t best = 0;
    for (size_t i = 1; i < WIDTHS && s->width[i] < WIDEST; i++)
        if (risk[i] < risk[best])
            best = i;
    return best;
}

static double cell_mass(double times_cells)
{
    return times_cells > 0 ? times_cells * (1.0 / GPAI_CELLS) : 0;
}

/* The smoothed masses from their series: for kernels wide enough that it has ended. */
static void synthesise(const gpai_smoother *s, double *mass, size_t width,
                       double *scratch, const double *a)
{
    double *fold = scratch, *wave = fold + 2 * HALF, c[TERMS + 1] = {0};
    double step = s->factor[width], r = step * step, g = 1; /* g = factor^(k^2) */
    size_t terms = 0;
    while (terms < TERMS && g > 1e-11) {
        g *= step;
        step *= r;
        terms++;
        c[terms] = 2 * g * a[terms];
    }
    memset(fold, 0, 2 * HALF * sizeof *fold);
    start_waves(s, wave);
    s->set->synthesise(s->twice, c, terms, wave, fold);
    for (size_t j = 0; j < HALF; j++) {
        mass[j] = cell_mass(1 + fold[HALF + j] + fold[j]);
        mass[GPAI_CELLS - 1 - j] = cell_mass(1 + fold[HALF + j] - fold[j]);
    }
}

/* The same by the kernel itself, for narrow ones. */
static void convolve(double *restrict mass, double h, double *restrict room)
{
    double width = h * GPAI_CELLS, total = 1;
    size_t half = (size_t)ceil(5 * width);
    double *middle = room + GPAI_CELLS;
    memcpy(middle, mass, GPAI_CELLS * sizeof *mass);
    for (size_t j = 0; j < half; j++) {
        middle[-1 - (ptrdiff_t)j] = mass[j];
        middle[GPAI_CELLS + j] = mass[GPAI_CELLS - 1 - j];
    }
    for (size_t r = 1; r <= half; r++) {
        double x = (double)r / width, weight = exp(-0.5 * x * x);
        const double *left = middle - r, *right = middle + r;
        for (size_t j = 0; j < GPAI_CELLS; j++)
            mass[j] += weight * (left[j] + right[j]);
        total += 2 * weight;
    }
    for (size_t j = 0; j < GPAI_CELLS; j++)
        mass[j] *= 1 / total;
}

/* With the coefficients a. */
static void smooth_one(const gpai_smoother *s, double *mass, double ess,
                       double *scratch, const double *a)
{
    size_t width = best_width(s, a, ess);
    if (GPAI_PI * s->width[width] * TERMS > 6)
        synthesise(s, mass, width, scratch, a);
    else
        convolve(mass, s->width[width], scratch);
}

void gpai_smooth_two(const gpai_smoother *s, double *mass, double *other, double ess,
                     double *scratch)
{
    double a[TERMS + 1] = {0}, b[TERMS + 1] = {0};
    double *fold = scratch, *wave = fold + 4 * HALF;
    fold_up(mass, fold);
    fold_up(other != NULL ? other : mass, fold + 2 * HALF);
    start_waves(s, wave);
    s->set->analyse(s->twice, fold, wave, a, b);
    smooth_one(s, mass, ess, scratch, a);
    if (other != NULL)
        smooth_one(s, other, ess, scratch, b);
}
