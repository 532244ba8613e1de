#include "engine/smooth.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The work is done on the cosine series of the masses, cos(pi k u): a reflected
 * Gaussian kernel of width h multiplies its k-th coefficient by exp(-(pi k h)^2 / 2).
 */
enum { HALF = GPAI_CELLS / 2, TERMS = 96 };

static const double PI = 3.14159265358979323846;
static const double NARROWEST = 1.5 / GPAI_CELLS, WIDEST = 1;

/* Coefficients vary by about 1/ess; a margin against under-smoothing, because weights
 * that happen to be large come with their whole neighbourhood. */
static const double MARGIN = 1.5;

/* Values of cos(pi k u_j) at the first half of the cells (the other half mirrors them
 * with sign (-1)^k), from those of k - 1 and k - 2. */
struct waves {
    double *twice; /* 2 cos(pi u_j) */
    double *before, *now;
};

static void start_waves(struct waves *w)
{
    for (size_t j = 0; j < HALF; j++) {
        w->before[j] = 1;
        w->now[j] = cos(PI * ((double)j + 0.5) / GPAI_CELLS);
        w->twice[j] = 2 * w->now[j];
    }
}

static void next_wave(struct waves *w)
{
    double *restrict before = w->before;
    const double *restrict now = w->now, *restrict twice = w->twice;
    for (size_t j = 0; j < HALF; j++)
        before[j] = twice[j] * now[j] - before[j];
    w->before = w->now;
    w->now = before;
}

static double product(const double *a, const double *b)
{
    double s0 = 0, s1 = 0;
    for (size_t j = 0; j < HALF; j += 2) {
        s0 += a[j] * b[j];
        s1 += a[j + 1] * b[j + 1];
    }
    return s0 + s1;
}

/* a[k] = sum of mass_j cos(pi k u_j) for k = 1 .. TERMS. */
static void analyse(const double *mass, double *scratch, double *a)
{
    double *even = scratch, *odd = even + HALF;
    struct waves w = {odd + HALF, odd + 2 * HALF, odd + 3 * HALF};
    for (size_t j = 0; j < HALF; j++) {
        even[j] = mass[j] + mass[GPAI_CELLS - 1 - j];
        odd[j] = mass[j] - mass[GPAI_CELLS - 1 - j];
    }
    start_waves(&w);
    for (size_t k = 1; k <= TERMS; k++) {
        a[k] = product(w.now, k % 2 == 0 ? even : odd);
        next_wave(&w);
    }
}

/* Unbiased estimate of the mean square error at width h, up to a constant: with g_k the
 * kernel's factor and v_k the variance of a_k, sum of (g_k^2 - 2 g_k) a_k^2 + 2 g_k
 * v_k. */
static double risk(const double *a, double ess, double h)
{
    double x = PI * h, r = exp(-0.5 * x * x); /* g_k = r^(k^2) */
    double g = 1, step = r, sum = 0;
    for (size_t k = 1; k <= TERMS && g > 1e-9; k++) {
        g *= step;
        step *= r * r;
        double twice = 2 * k <= TERMS ? a[2 * k] : 0;
        double v = MARGIN * fmax(0.5 + 0.5 * twice - a[k] * a[k], 0) / ess;
        sum += (g * g - 2 * g) * a[k] * a[k] + 2 * g * v;
    }
    return sum;
}

static double best_width(const double *a, double ess)
{
    double best = NARROWEST, least = HUGE_VAL;
    for (double h = NARROWEST; h < WIDEST; h *= 1.12) {
        double now = risk(a, ess, h);
        if (now < least) {
            least = now;
            best = h;
        }
    }
    return best;
}

/* The smoothed masses from their series: for kernels wide enough that it has ended. */
static void synthesise(double *mass, double h, double *scratch, const double *a)
{
    double *even = scratch, *odd = even + HALF;
    struct waves w = {odd + HALF, odd + 2 * HALF, odd + 3 * HALF};
    memset(scratch, 0, 2 * HALF * sizeof *scratch);
    start_waves(&w);
    for (size_t k = 1; k <= TERMS; k++) {
        double x = PI * h * (double)k, c = 2 * a[k] * exp(-0.5 * x * x);
        double *restrict sum = k % 2 == 0 ? even : odd;
        const double *restrict wave = w.now;
        if (x > 7)
            break;
        for (size_t j = 0; j < HALF; j++)
            sum[j] += c * wave[j];
        next_wave(&w);
    }
    for (size_t j = 0; j < HALF; j++) {
        mass[j] = fmax((1 + even[j] + odd[j]) / GPAI_CELLS, 0);
        mass[GPAI_CELLS - 1 - j] = fmax((1 + even[j] - odd[j]) / GPAI_CELLS, 0);
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
        mass[j] /= total;
}

void gpai_smooth(double *mass, double ess, double *scratch)
{
    double a[TERMS + 1] = {0};
    analyse(mass, scratch, a);
    double h = best_width(a, ess);
    if (PI * h * TERMS > 6)
        synthesise(mass, h, scratch, a);
    else
        convolve(mass, h, scratch);
}
