#include "base/math/spd.h"
#include <math.h>
#include <string.h>

/* Columns that are worked on together: a multiple of the widest vector. Chosen: a block
 * of 32 by 32 is 8 KiB, a quarter of the nearest cache. */
enum { BLOCK = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t round_up(size_t n)
{
    return (n + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
}

size_t gpai_spd_ld(size_t n)
{
    size_t vectors = round_up(n) / GPAI_VPAD;
    return (vectors % 2 == 0 ? vectors + 1 : vectors) * GPAI_VPAD;
}

size_t gpai_spd_scratch(size_t n)
{
    return BLOCK * (gpai_spd_ld(n) + BLOCK);
}

/* Factors the columns first .. end - 1, from which all columns before have been
 * subtracted. */
static bool factor_block(const gpai_vectors *v, double *a, size_t n, size_t ld,
                         size_t first, size_t end)
{
    for (size_t j = first; j < end; j++) {
        double *column = a + j * ld;
        size_t from = j / GPAI_VPAD * GPAI_VPAD; /* rows above j do not count */
        for (size_t k = first; k < j; k++)
            v->axpy(-a[k * ld + j], a + k * ld + from, n - from, column + from);
        if (!(column[j] > 0) || !isfinite(column[j]))
            return false;
        double root = 1 / sqrt(column[j]);
        for (size_t i = j; i < n; i++)
            column[i] *= root;
    }
    return true;
}

bool gpai_spd_factor(const gpai_vectors *v, double *a, size_t n, size_t ld)
{
    for (size_t j = 0; j < n; j += BLOCK) {
        size_t width = least(BLOCK, n - j);
        v->multiply(-1, a + j, ld, a + j, ld, 1, round_up(n) - j, width, j,
                    a + j * ld + j, ld);
        if (!factor_block(v, a, n, ld, j, j + width))
            return false;
    }
    return true;
}

/* The inverse of the lower triangle in the rows and columns from `at`, into `to`
 * (BLOCK by BLOCK), and back into the matrix. */
static void invert_block(double *l, size_t ld, size_t at, size_t width, double *to)
{
    memset(to, 0, BLOCK * BLOCK * sizeof *to);
    for (size_t j = 0; j < width; j++)
        for (size_t i = j; i < width; i++) {
            double sum = i == j ? 1 : 0;
            for (size_t k = j; k < i; k++)
                sum -= l[(at + k) * ld + at + i] * to[j * BLOCK + k];
            to[j * BLOCK + i] = sum / l[(at + i) * ld + at + i];
        }
    for (size_t j = 0; j < width; j++) {
        memset(l + (at + j) * ld, 0, at * sizeof *l);
        memcpy(l + (at + j) * ld + at, to + j * BLOCK, round_up(width) * sizeof *l);
    }
}

/* Row block by row block: with X the inverse of what is above, the new rows are
 * -D^-1 L X, D the block on the diagonal. */
void gpai_spd_invert_factor(const gpai_vectors *v, double *l, size_t n, size_t ld,
                            double *scratch)
{
    double *inverse = scratch, *product = scratch + BLOCK * BLOCK;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t width = least(BLOCK, n - i), rows = round_up(width);
        memset(product, 0, BLOCK * i * sizeof *product);
        for (size_t j = 0; j < i; j += BLOCK) /* X is 0 above j */
            v->multiply(1, l + j * ld + i, ld, l + j * ld + j, 1, ld, rows, BLOCK,
                        i - j, product + j * BLOCK, BLOCK);
        invert_block(l, ld, i, width, inverse);
        for (size_t j = 0; j < i; j++)
            memset(l + j * ld + i, 0, rows * sizeof *l);
        v->multiply(-1, inverse, BLOCK, product, 1, BLOCK, rows, i, width, l + i, ld);
    }
}

void gpai_spd_solve(const gpai_vectors *v, const double *inverse, size_t n, size_t ld,
                    double *x, double *scratch)
{
    memset(scratch, 0, ld * sizeof *scratch);
    for (size_t j = 0; j < n; j++) {
        size_t from = j / GPAI_VPAD * GPAI_VPAD;
        v->axpy(x[j], inverse + j * ld + from, n - from, scratch + from);
    }
    for (size_t j = 0; j < n; j++) {
        size_t from = j / GPAI_VPAD * GPAI_VPAD;
        x[j] = v->dot(inverse + j * ld + from, scratch + from, n - from);
    }
}

void gpai_spd_inverse(const gpai_vectors *v, double *inverse, size_t n, size_t ld,
                      double *other)
{
    for (size_t j = 0; j < n; j++) {
        memset(other + j * ld, 0, ld * sizeof *other);
        for (size_t i = 0; i <= j; i++)
            other[j * ld + i] = inverse[i * ld + j];
    }
    memset(inverse, 0, ld * n * sizeof *inverse);
    for (size_t i = 0; i < n; i += 2 * GPAI_VPAD) {
        size_t rows = least(2 * GPAI_VPAD, round_up(n) - i);
        size_t columns = least(n, i + 2 * GPAI_VPAD);
        /* Row i of the transpose is 0 before column i. */
        v->multiply(1, other + i * ld + i, ld, other + i * ld, ld, 1, rows, columns,
                    n - i, inverse + i, ld);
    }
}
