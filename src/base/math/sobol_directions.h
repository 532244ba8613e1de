#ifndef GPAI_BASE_MATH_SOBOL_DIRECTIONS_H
#define GPAI_BASE_MATH_SOBOL_DIRECTIONS_H
#include <stdint.h>

/* Shared by sobol.c and by tools/make_sobol_table.c, which chose its table. */

/* One dimension of a Sobol sequence: a primitive polynomial over GF(2) (bit i is the
 * coefficient of x^i) and a number that stands for a choice of initial numbers. */
typedef struct gpai_sobol_choice {
    uint16_t polynomial, pick;
} gpai_sobol_choice;

/* The i-th initial number (i from 1): odd and below 2^i, by a hash of the dimension and
 * the pick. A table of picks is a tenth of a table of initial numbers. */
static inline uint32_t gpai_sobol_initial(uint32_t dimension, uint32_t pick, int i)
{
    uint64_t z = ((uint64_t)dimension << 32) + ((uint64_t)pick << 8) + (uint64_t)i;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint32_t)(z >> (64 - i)) | 1;
}

/* The 32 direction numbers of a dimension (from 1; dimension 0 is van der Corput's) by
 * Sobol's recurrence. Number k has its lowest set bit at 2^(31 - k). */
static inline void gpai_sobol_directions(uint32_t dimension, gpai_sobol_choice choice,
                                         uint32_t v[32])
{
    int degree = 0;
    while (choice.polynomial >> (degree + 1) != 0)
        degree++;
    for (int k = 0; k < 32; k++) {
        if (dimension == 0) {
            v[k] = UINT32_C(1) << (31 - k);
        } else if (k < degree) {
            v[k] = gpai_sobol_initial(dimension, choice.pick, k + 1) << (31 - k);
        } else {
            v[k] = v[k - degree] ^ (v[k - degree] >> degree);
            for (int i = 1; i < degree; i++)
                if (choice.polynomial >> (degree - i) & 1)
                    v[k] ^= v[k - i];
        }
    }
}

#endif
