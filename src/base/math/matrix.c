#include "base/math/matrix.h"
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

void gpai_lower_solve(const double *l, size_t stride, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++)
        b[i] = (b[i] - gpai_dot(l + i * stride, b, i)) / l[i * stride + i];
}

void gpai_lower_solve_transposed(const double *l, size_t stride, size_t n, double *b)
{
    for (size_t i = n; i-- > 0;) {
        const double *row = l + i * stride;
        b[i] /= row[i];
        for (size_t j = 0; j < i; j++)
            b[j] -= row[j] * b[i];
    }
}

void gpai_cholesky_solve(const double *l, size_t n, double *b)
{
    gpai_lower_solve(l, n, n, b);
    gpai_lower_solve_transposed(l, n, n, b);
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
