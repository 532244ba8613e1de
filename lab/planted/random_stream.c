#include "lab/planted/random_stream.h"
#include "lab/write.h"

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct dice dice_make(uint64_t seed, const char *purpose, uint64_t number)
{
    uint64_t state = mix(seed + UINT64_C(0x9e3779b97f4a7c15));
    for (; *purpose != '\0'; purpose++)
        state = mix(state ^ (unsigned char)*purpose);
    return (struct dice){mix(state ^ mix(number + 1))};
}

double dice_unit(struct dice *d)
{
    d->state += UINT64_C(0x9e3779b97f4a7c15);
    return (double)(mix(d->state) >> 11) * 0x1p-53;
}

size_t dice_below(struct dice *d, size_t n)
{
    size_t i = (size_t)(dice_unit(d) * (double)n);
    return i < n ? i : n - 1;
}
