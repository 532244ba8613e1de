#include "base/math/sobol.h"
#include "base/alloc.h"
#include "base/math/sobol_directions.h"
#include "base/status.h"
#include <string.h>

#include "base/math/sobol_table.h"

enum { DIGITS = 32 }; /* of the direction numbers: 2^32 points before they repeat */

gpa_status gpai_sobol_open(gpai_sobol *s, size_t d, uint64_t seed, uint64_t stream,
                           gpa_error *err)
{
    *s = (gpai_sobol){.d = d, .even = d};
    if (s->even > GPAI_SOBOL_DIMENSIONS)
        s->even = GPAI_SOBOL_DIMENSIONS;
    s->block = gpai_calloc(s->even + 1, (2 * DIGITS + 1) * sizeof *s->plain);
    if (s->block == NULL)
        return gpai_nomem(err, "sobol");
    s->plain = s->block;
    s->turn = s->plain + DIGITS * s->even;
    s->at = s->turn + DIGITS * s->even;
    for (size_t i = 0; i < s->even; i++) {
        gpai_sobol_choice c = i > 0 ? TABLE[i - 1] : (gpai_sobol_choice){1, 0};
        gpai_sobol_directions((uint32_t)i, c, s->plain + DIGITS * i);
    }
    gpai_sobol_restart(s, seed, stream);
    return GPA_OK;
}

void gpai_sobol_close(gpai_sobol *s)
{
    gpai_free(s->block);
    *s = (gpai_sobol){0};
}

/* turn = L plain for a random lower triangular matrix L with ones on its diagonal:
 * digit j of a number adds column j, four numbers at a time. Number k has no digits
 * beyond k. */
typedef uint32_t quad __attribute__((vector_size(16), aligned(4), __may_alias__));

static void scramble(const uint32_t *plain, gpai_rng *rng, uint32_t *turn)
{
    memset(turn, 0, DIGITS * sizeof *turn);
    for (int j = 0; j < DIGITS; j++) {
        uint32_t digit = UINT32_C(1) << (DIGITS - 1 - j);
        uint32_t column = digit | ((uint32_t)(gpai_rng_bits(rng) >> 32) & (digit - 1));
        for (int k = j - j % 4; k < DIGITS; k += 4) {
            const quad number = *(const quad *)(plain + k);
            *(quad *)(turn + k) ^= (quad)((number & digit) != 0) & column;
        }
    }
}

void gpai_sobol_restart(gpai_sobol *s, uint64_t seed, uint64_t stream)
{
    gpai_rng rng = gpai_rng_make(seed, stream);
    s->next = 0;
    for (size_t i = 0; i < s->even; i++) {
        uint32_t turn[DIGITS];
        scramble(s->plain + DIGITS * i, &rng, turn);
        for (int k = 0; k < DIGITS; k++) /* one line per digit, for the loop below */
            s->turn[(size_t)k * s->even + i] = turn[k];
        s->at[i] = (uint32_t)(gpai_rng_bits(&rng) >> 32);
    }
    s->rest = rng;
}

/* The digit in which the Gray codes of i and i + 1 differ. */
static size_t changed_digit(uint32_t i)
{
    size_t k = 0;
    while (i & 1 && k < DIGITS - 1) {
        i >>= 1;
        k++;
    }
    return k;
}

static double clip(double u)
{
    u = u < 1e-9 ? 1e-9 : u;
    return u > 1 - 1e-9 ? 1 - 1e-9 : u;
}

void gpai_sobol_fill(gpai_sobol *s, size_t n, double *u)
{
    for (size_t p = 0; p < n; p++, u += s->d) {
        size_t even = s->even;
        const uint32_t *turn = s->turn + changed_digit(s->next++) * even;
        uint32_t *at = s->at;
        for (size_t i = 0; i < even; i++) {
            /* vectors know signed numbers only; all of this is exact */
            int32_t centred = (int32_t)(at[i] ^ 0x80000000u);
            u[i] = clip(((double)centred + 2147483648.5) * 0x1p-32);
            at[i] ^= turn[i];
        }
        for (size_t i = even; i < s->d; i++)
            u[i] = clip(gpai_rng_unit(&s->rest));
    }
}
