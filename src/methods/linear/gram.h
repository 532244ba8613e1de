#ifndef GPAI_METHODS_LINEAR_GRAM_H
#define GPAI_METHODS_LINEAR_GRAM_H
#include "base/math/vectors.h"

/* Vectors that are worth adding at once. Chosen: 32 columns of them fit a cache. */
enum { GPAI_GRAM_DEPTH = 256 };

/* g += the sum of z z' over `depth` vectors of m numbers, its lower half at least. The
 * vectors and the columns of g (there are ld) are ld = gpai_spd_ld(m) numbers apart,
 * zeros from m on. The same bytes on every processor. */
void gpai_gram_add(const gpai_vectors *v, const double *z, size_t m, size_t ld,
                   size_t depth, double *g);

#endif
