#include "lab/planted/chance.h"
#include "base/rng.h"

/* SplitMix64 (Steele, Lea, Flood 2014), its state mixed from all that names it. */
struct random_stream random_named(uint64_t seed, const char *purpose, uint64_t number)
{
    uint64_t state = gpai_rng_mix(seed + GPAI_RNG_STEP);
    for (; *purpose != '\0'; purpose++)
        state = gpai_rng_mix(state ^ (unsigned char)*purpose);
    return (struct random_stream){gpai_rng_mix(state ^ gpai_rng_mix(number + 1))};
}

double random_unit(struct random_stream *s)
{
    return (double)(gpai_rng_mix(s->state += GPAI_RNG_STEP) >> 11) * 0x1p-53;
}

size_t random_below(struct random_stream *s, size_t n)
{
    size_t i = (size_t)(random_unit(s) * (double)n);
    return i < n ? i : n - 1;
}

double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    double next = i + 1 < n ? sorted[i + 1] : sorted[i];
    /* also where both are infinite */
    return next == sorted[i] ? next : sorted[i] + (at - (double)i) * (next - sorted[i]);
}
