#ifndef GPAI_BASE_MATH_SOBOL_H
#define GPAI_BASE_MATH_SOBOL_H
#include "base/rng.h"
#include <gpa/status.h>
#include <stddef.h>
#include <stdint.h>

/* How many dimensions are Sobol points, as many as sobol_table.h has; any beyond are
 * plain seeded uniforms. */
enum { GPAI_SOBOL_DIMENSIONS = 1111 };

/* Scrambled Sobol points: a random linear scramble of the digits plus a random shift,
 * both from (seed, stream). Numbers stay 1e-9 away from 0 and 1. Any 2^k points in a
 * row that start at a multiple of 2^k have one number in each of 2^k equal parts of
 * (0, 1), in every dimension below GPAI_SOBOL_DIMENSIONS. */
typedef struct gpai_sobol {
    size_t d, even;  /* dimensions; those of them that are Sobol points */
    uint32_t next;   /* number of the next point; they repeat after 2^32 */
    gpai_rng rest;   /* for the dimensions beyond */
    uint32_t *plain; /* even by 32: direction numbers */
    uint32_t *turn;  /* 32 by even: the same, scrambled */
    uint32_t *at;    /* even: digits of the next point */
    void *block;
} gpai_sobol;

/* GPA_NOMEM is the only failure. gpai_sobol_close frees. */
gpa_status gpai_sobol_open(gpai_sobol *s, size_t d, uint64_t seed, uint64_t stream,
                           gpa_error *err);
void gpai_sobol_close(gpai_sobol *s);

/* Starts again at point 0 with another scramble; allocates nothing. */
void gpai_sobol_restart(gpai_sobol *s, uint64_t seed, uint64_t stream);

/* The next n points into u (n by d). */
void gpai_sobol_fill(gpai_sobol *s, size_t n, double *u);

#endif
