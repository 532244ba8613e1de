#ifndef GPAI_BASE_RNG_H
#define GPAI_BASE_RNG_H
#include <stddef.h>
#include <stdint.h>

/* Random numbers as a value that can be copied, made from a seed and a stream number
 * (a task, never a thread): the same pair gives the same numbers everywhere. */
typedef struct gpai_rng {
    uint64_t s[4];
} gpai_rng;

gpai_rng gpai_rng_make(uint64_t seed, uint64_t stream);

/* The mixing function of splitmix64, and the step between its states. */
#define GPAI_RNG_STEP UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t gpai_rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t gpai_rng_bits(gpai_rng *rng);
double gpai_rng_unit(gpai_rng *rng);   /* [0, 1), 53 bits */
double gpai_rng_normal(gpai_rng *rng); /* N(0, 1), one draw per number */

#endif
