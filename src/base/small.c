#include "base/small.h"
#include <math.h>
#include <string.h>

/* Four sums side by side: the order is fixed, and a chain of additions four times
 * shorter. */
double gpai_dot(const double *a, const double *b, size_t n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

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
