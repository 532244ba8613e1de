#include "base/math/matrix.h"
#include "base/cpu.h"
#include <math.h>
#include <string.h>

bool gpai_cholesky(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - gpai_dot(row, a + j * n, j)) / a[j * n + j];
        double rest = row[i] - gpai_dot(row, row, i);
        if (!(rest > 0 && isfinite(rest)))
            return false;
        row[i] = sqrt(rest);
        memset(row + i + 1, 0, (n - i - 1) * sizeof *row);
    }
    return true;
}

void gpai_cholesky_solve(const double *l, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++)
        b[i] = (b[i] - gpai_dot(l + i * n, b, i)) / l[i * n + i];
    for (size_t i = n; i-- > 0;) {
        b[i] /= l[i * n + i];
        for (size_t j = 0; j < i; j++)
            b[j] -= l[i * n + j] * b[i];
    }
}

void gpai_lower_invert(const double *l, size_t n, double *inverse)
{
    memset(inverse, 0, n * n * sizeof *inverse);
    for (size_t j = 0; j < n; j++) {
        inverse[j * n + j] = 1 / l[j * n + j];
        for (size_t i = j + 1; i < n; i++) {
            double sum = 0;
            for (size_t k = j; k < i; k++)
                sum += l[i * n + k] * inverse[k * n + j];
            inverse[i * n + j] = -sum / l[i * n + i];
        }
    }
}

void gpai_lower_times(const double *l, size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = gpai_dot(l + i * n, x, i + 1);
}

static const double LN2 = 0.69314718055994530942;
static const unsigned long long LOW_MANTISSA = 0x3fe6a09e667f3bcd; /* sqrt(1/2) */
static const unsigned long long MANTISSA = 0xfffffffffffff;
static const unsigned long long BIAS = 0x4000000000000000;  /* 1024 as an exponent */
static const unsigned long long WHOLE = 0x4330000000000000; /* 2^52 as a double */
static const double WHOLE_BIAS = 0x1p52 + 1024;

/* 2 / (2 k + 1), lowest power first: 2e-15. */
enum { LOG_DEGREE = 8 };
static const double LOG[] = {2,        2.0 / 3,  2.0 / 5,  2.0 / 7, 2.0 / 9,
                             2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17};

#if GPAI_X86
#define LANES    8
#define TARGET   __attribute__((target("avx512f")))
#define NAMED(x) avx512_##x
#include "base/math/matrix_wide.h"

#define LANES    4
#define TARGET   __attribute__((target("avx2")))
#define NAMED(x) avx2_##x
#include "base/math/matrix_wide.h"
#endif

#define LANES 2
#define TARGET
#define NAMED(x) plain_##x
#include "base/math/matrix_wide.h"

static const gpai_wide SETS[] = {
#if GPAI_X86
    {"avx512", avx512_log, avx512_gram, avx512_squares},
    {"avx2", avx2_log, avx2_gram, avx2_squares},
#endif
    {"plain", plain_log, plain_gram, plain_squares},
};

const gpai_wide *gpai_wide_at(size_t i)
{
    size_t first = gpai_cpu_lacks();
    return i < sizeof SETS / sizeof SETS[0] - first ? &SETS[first + i] : NULL;
}
