/* The loops of grid_kernels.c for one instruction set, for base/cpu_sets.h: vectors of
 * four doubles with every set, for an axis has few places. */

/* factor (1 + (r - u)^2 scale) */
FN void NAMED(multiply)(const double *u, const double *factor, double r, double scale,
                        four *out)
{
    four one = {1, 1, 1, 1}, level = {r, r, r, r}, s = {scale, scale, scale, scale};
    four g = level - *four_at(u);
    *out = *four_at(factor) * (one + g * g * s);
}

TARGET static void NAMED(times_squares)(const double *u, size_t n, double r,
                                        double scale, double *out)
{
    for (size_t j = 0; j < n; j += 4) {
        four x;
        NAMED(multiply)(u + j, out + j, r, scale, &x);
        *(four *)(void *)(out + j) = x;
    }
}

/* The smaller of two numbers in every lane, the one of lower index of equals. */
FN void NAMED(take_lower)(four *low, four_bits *at, const four *other,
                          const four_bits *elsewhere)
{
    four_bits less = *other < *low;
    four_bits first = (*other == *low) & (*elsewhere < *at), take = less | first;
    *low = (four)((take & (four_bits)*other) | (~take & (four_bits)*low));
    *at = (take & *elsewhere) | (~take & *at);
}

/* The smallest of two vectors of minima, and where. */
FN size_t NAMED(first_lowest)(four *best, four_bits *at, four *other,
                              four_bits *elsewhere)
{
    NAMED(take_lower)(best, at, other, elsewhere);
    *other = __builtin_shufflevector(*best, *best, 2, 3, 0, 1);
    *elsewhere = __builtin_shufflevector(*at, *at, 2, 3, 0, 1);
    NAMED(take_lower)(best, at, other, elsewhere);
    *other = __builtin_shufflevector(*best, *best, 1, 0, 3, 2);
    *elsewhere = __builtin_shufflevector(*at, *at, 1, 0, 3, 2);
    NAMED(take_lower)(best, at, other, elsewhere);
    return (size_t)(*at)[0];
}

/* Keeps x where it is lower, and its index. */
FN void NAMED(keep_lower)(four *low, four_bits *at, const four *x,
                          const four_bits *index)
{
    four_bits lower = *x < *low;
    *low = (four)((lower & (four_bits)*x) | (~lower & (four_bits)*low));
    *at = (lower & *index) | (~lower & *at);
}

/* Two running minima, so that one need not wait for the other. */
TARGET static size_t NAMED(lowest)(const double *v, size_t n)
{
    const double top = HUGE_VAL;
    four best = {top, top, top, top}, other = best;
    four_bits index = {0, 1, 2, 3}, next = {4, 5, 6, 7}, at = index, elsewhere = index;
    const four_bits step = {8, 8, 8, 8};
    for (size_t j = 0; j < n; j += 8, index += step, next += step) {
        four x = *four_at(v + j), y = *four_at(v + j + 4);
        NAMED(keep_lower)(&best, &at, &x, &index);
        NAMED(keep_lower)(&other, &elsewhere, &y, &next);
    }
    return NAMED(first_lowest)(&best, &at, &other, &elsewhere);
}

TARGET static size_t NAMED(lowest_product)(const double *u, const double *factor,
                                           size_t n, double r, double scale,
                                           double *value)
{
    const double top = HUGE_VAL;
    four best = {top, top, top, top}, other = best;
    four_bits index = {0, 1, 2, 3}, next = {4, 5, 6, 7}, at = index, elsewhere = index;
    const four_bits step = {8, 8, 8, 8};
    for (size_t j = 0; j < n; j += 8, index += step, next += step) {
        four x, y;
        NAMED(multiply)(u + j, factor + j, r, scale, &x);
        NAMED(multiply)(u + j + 4, factor + j + 4, r, scale, &y);
        NAMED(keep_lower)(&best, &at, &x, &index);
        NAMED(keep_lower)(&other, &elsewhere, &y, &next);
    }
    size_t first = NAMED(first_lowest)(&best, &at, &other, &elsewhere);
    *value = best[0];
    return first;
}

/* Two vectors of multipliers at once, place by place: nothing is stored in between. */
TARGET static void NAMED(cheapest)(const double *cost, const double *u, size_t places,
                                   size_t stride, size_t rows, const double *by,
                                   size_t *at)
{
    const double top = HUGE_VAL;
    for (size_t k = 0; k < GPAI_GRID_LANES; k += 8) {
        four best = {top, top, top, top}, other = best;
        four_bits index = {0, 0, 0, 0}, here = index, there = index;
        const four_bits step = {1, 1, 1, 1};
        for (size_t j = 0; j < places; j++, index += step) {
            four x = {cost[j], cost[j], cost[j], cost[j]}, y = x;
            for (size_t t = 0; t < rows; t++) {
                const double v = u[t * stride + j], *own = by + t * GPAI_GRID_LANES + k;
                four by_four = {v, v, v, v};
                x -= *four_at(own) * by_four;
                y -= *four_at(own + 4) * by_four;
            }
            NAMED(keep_lower)(&best, &here, &x, &index);
            NAMED(keep_lower)(&other, &there, &y, &index);
        }
        for (size_t i = 0; i < 4; i++) {
            at[k + i] = (size_t)here[i];
            at[k + 4 + i] = (size_t)there[i];
        }
    }
}
