#include "base/rng.h"
#include "base/math/special.h"

/* xoshiro256++ (Blackman and Vigna), its state filled by splitmix64: both are in the
 * public domain as algorithms and pass the usual batteries. */
static uint64_t next(uint64_t *state)
{
    return gpai_rng_mix(*state += GPAI_RNG_STEP);
}

gpai_rng gpai_rng_make(uint64_t seed, uint64_t stream)
{
    gpai_rng rng;
    uint64_t state = seed;
    /* the stream enters through its own mixing, so that (1, 2) and (2, 1) differ */
    uint64_t other = stream ^ UINT64_C(0xd1b54a32d192ed03);
    for (int i = 0; i < 4; i++)
        rng.s[i] = next(&state) ^ next(&other);
    rng.s[3] |= 1; /* never the all-zero state */
    return rng;
}

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t gpai_rng_bits(gpai_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotl(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

double gpai_rng_unit(gpai_rng *rng)
{
    return (double)(gpai_rng_bits(rng) >> 11) * 0x1p-53;
}

double gpai_rng_normal(gpai_rng *rng)
{
    /* by inversion: one draw, one number, so streams stay in step */
    double u = (double)((gpai_rng_bits(rng) >> 12) | 1) * 0x1p-52;
    return gpai_norm_quantile(u);
}
