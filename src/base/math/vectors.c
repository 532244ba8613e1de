#include "base/math/vectors.h"
#include "base/cpu.h"
#include <math.h>
#include <string.h>

static const double LOG2E = 1.4426950408889634074;
static const double LN2 = 0.69314718055994530942;
static const double SQRT2 = 1.4142135623730950488;
/* ln 2 in two pieces: the first has so few digits that whole multiples are exact. */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;
static const double ROUND = 0x1.8p52; /* adding it rounds to a whole number */

/* 1 / k!, lowest power first: 2e-13 over |r| < ln 2 / 2. */
enum { EXP_DEGREE = 10 };
static const double EXP[] = {
    1,         1,          1.0 / 2,     1.0 / 6,      1.0 / 24,     1.0 / 120,
    1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800};

/* ln m = 2 artanh s = s (2 + 2/3 s^2 + ...), s = (m - 1) / (m + 1), |s| < 0.172. */
enum { LOG_DEGREE = 7 };
static const double LOG[] = {2,       2.0 / 3,  2.0 / 5,  2.0 / 7,
                             2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15};

static const unsigned long long LOW_MANTISSA = 0x3fe6a09e667f3bcd; /* sqrt(1/2) */
static const unsigned long long MANTISSA = 0xfffffffffffff;
static const unsigned long long BIAS = 0x4000000000000000;  /* 1024 as an exponent */
static const unsigned long long WHOLE = 0x4330000000000000; /* 2^52 as a double */
static const double WHOLE_BIAS = 0x1p52 + 1024;

/* The same series to 2e-15, with the exponent split off by whole numbers. */
enum { FINE_DEGREE = 8 };
static const double FINE_LOG[] = {2,        2.0 / 3,  2.0 / 5,  2.0 / 7, 2.0 / 9,
                                  2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17};

/* Chebyshev fits, made with NumPy: ln(Phi(-x) / t) + x^2 / 2 in t = 1 / (1 + 0.3 x)
 * over 0 <= x <= 9; */
enum { CDF_DEGREE = 11 };
static const double CDF[] = {
    -2.122803263006395, 0.9973294220340935,  0.439627250291207, -0.041391774345433285,
    0.8420425048692177, -2.5876382418127966, 5.14876470980721,  -7.649920272455217,
    7.411670280614766,  -4.344797885768786,  1.409770871186875, -0.19580078211339066};

/* and Phi^-1(u) / (2 u - 1) in w / (w + 8), w = -ln(4 u (1 - u)), over w <= 20. */
enum { QUANTILE_DEGREE = 14 };
static const double QUANTILE[] = {
    1.2533141269831194,   2.624941199051726,  3.6696542419597105,  3.047699751981896,
    -0.48876161679983454, 0.5640328526193912, -34.989967149283984, 108.73795016864278,
    -91.50465088286728,   -709.2426530425801, 3849.8533094097183,  -8769.938079822809,
    10559.601252727289,   -6618.439536853984, 1719.4569486485811};

/* Gauss-Hermite nodes for N(0, 1). */
enum { NODES = 7 };
static const double NODE[NODES] = {
    -3.7504397177257425, -2.366759410734541, -1.1544053947399682, 0,
    1.1544053947399682,  2.366759410734541,  3.7504397177257425};
static const double NODE_WEIGHT[NODES] = {
    0.000548268855972217, 0.03075712396758652, 0.2401231786050127,  0.45714285714285724,
    0.2401231786050127,   0.03075712396758652, 0.000548268855972217};

enum { DEPTH = 128 }; /* of a matrix product at once; chosen: two rows of it, 16 KiB */

/* The same for floats; EXP_F is a Chebyshev fit, good to 1e-7. */
static const float FAR = 3e38f; /* further than any row */
static const float LOG2E_F = 1.44269504f, ROUND_F = 0x1.8p23f;
static const float LN2_HIGH_F = 0x1.62e4p-1f, LN2_LOW_F = 0x1.7f7d1cp-20f;
static const float EXP_F[] = {1.0000001192092896f,  1.0f,
                              0.4999886751174927f,  0.16666415333747864f,
                              0.04191756621003151f, 0.008375135250389576f};

#define GPAI_LOOPS "base/math/vectors_loops.h"
#include "base/cpu_sets.h"

#define SET(x)                                                                         \
    {                                                                                  \
#x, x##_exp, x##_decays, x##_log, x##_cdf, x##_quantile, x##_student,          \
            x##_log_sum, x##_mixture, x##_dot, x##_dot_of_three, x##_axpy,             \
            x##_add_gap, x##_multiply, x##_gram, x##_squares, x##_project,             \
            x##_columns, x##_series, x##_cells, x##_kernel_sums, x##_nearest           \
    }

static const gpai_vectors SETS[] = {GPAI_CPU_SETS(SET)};

const gpai_vectors *gpai_vectors_at(size_t i)
{
    return gpai_cpu_at(SETS, sizeof SETS[0], i);
}
