#include "methods/linear/gram.h"

/* Columns at once, as in base/math/spd.c: what is above the diagonal of a block is
 * computed for nothing. */
enum { BLOCK = 32 };

void gpai_gram_add(const gpai_vectors *v, const double *z, size_t m, size_t ld,
                   size_t depth, double *g)
{
    size_t rows = (m + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    for (size_t j = 0; j < m; j += BLOCK) {
        size_t width = m - j < BLOCK ? m - j : BLOCK;
        v->multiply(1, z + j, ld, z + j, ld, 1, rows - j, width, depth, g + j * ld + j,
                    ld);
    }
}
