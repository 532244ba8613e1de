/* The loops of grid_kernels.c for one instruction set, for base/cpu_sets.h: vectors of
 * four doubles with every set, for an axis has few places. */

TARGET static void NAMED(times_squares)(const double *u, size_t n, double r,
                                        double scale, double *out)
{
    four one = {1, 1, 1, 1}, level = {r, r, r, r}, s = {scale, scale, scale, scale};
    for (size_t j = 0; j < n; j += 4) {
        four g = level - *(const four *)(const void *)(u + j);
        *(four *)(void *)(out + j) *= one + g * g * s;
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

/* Two running minima, so that one need not wait for the other. */
TARGET static size_t NAMED(lowest)(const double *v, size_t n)
{
    const double top = HUGE_VAL;
    four best = {top, top, top, top}, other = best;
    four_bits index = {0, 1, 2, 3}, at = index, elsewhere = index;
    const four_bits step = {8, 8, 8, 8}, half = {4, 4, 4, 4};
    for (size_t j = 0; j < n; j += 8) {
        four x = *(const four *)(const void *)(v + j);
        four y = *(const four *)(const void *)(v + j + 4);
        four_bits lower = x < best, less = y < other;
        best = (four)((lower & (four_bits)x) | (~lower & (four_bits)best));
        other = (four)((less & (four_bits)y) | (~less & (four_bits)other));
        at = (lower & index) | (~lower & at);
        elsewhere = (less & (index + half)) | (~less & elsewhere);
        index += step;
    }
    NAMED(take_lower)(&best, &at, &other, &elsewhere);
    other = __builtin_shufflevector(best, best, 2, 3, 0, 1);
    elsewhere = __builtin_shufflevector(at, at, 2, 3, 0, 1);
    NAMED(take_lower)(&best, &at, &other, &elsewhere);
    other = __builtin_shufflevector(best, best, 1, 0, 3, 2);
    elsewhere = __builtin_shufflevector(at, at, 1, 0, 3, 2);
    NAMED(take_lower)(&best, &at, &other, &elsewhere);
    return (size_t)at[0];
}

/* All multipliers at once, place by place: nothing is stored in between. */
TARGET static void NAMED(cheapest)(const double *cost, const double *u, size_t places,
                                   size_t stride, size_t rows, const double *by,
                                   size_t *at)
{
    enum { VECTORS = GPAI_GRID_LANES / 4 };
    const double top = HUGE_VAL;
    four low[VECTORS];
    four_bits where[VECTORS];
    for (size_t k = 0; k < VECTORS; k++) {
        low[k] = (four){top, top, top, top};
        where[k] = (four_bits){0, 0, 0, 0};
    }
    for (size_t j = 0; j < places; j++) {
        int64_t i = (int64_t)j;
        four_bits index = {i, i, i, i};
        for (size_t k = 0; k < VECTORS; k++) {
            four x = {cost[j], cost[j], cost[j], cost[j]};
            for (size_t t = 0; t < rows; t++) {
                double v = u[t * stride + j];
                four by_four =
                    *(const four *)(const void *)(by + t * GPAI_GRID_LANES + 4 * k);
                x -= by_four * (four){v, v, v, v};
            }
            four_bits lower = x < low[k];
            low[k] = (four)((lower & (four_bits)x) | (~lower & (four_bits)low[k]));
            where[k] = (lower & index) | (~lower & where[k]);
        }
    }
    for (size_t k = 0; k < GPAI_GRID_LANES; k++)
        at[k] = (size_t)where[k / 4][k % 4];
}
