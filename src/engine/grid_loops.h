/* The loops of grid_kernels.c, written once for vectors of four doubles and compiled
 * for several instruction sets: included there with TARGET and NAMED set, so no guard.
 */

TARGET static void NAMED(times_squares)(const double *u, size_t n, double r,
                                        double scale, double *out)
{
    four one = {1, 1, 1, 1}, level = {r, r, r, r}, s = {scale, scale, scale, scale};
    for (size_t j = 0; j < n; j += 4) {
        four g = level - *(const four *)(const void *)(u + j);
        *(four *)(void *)(out + j) *= one + g * g * s;
    }
}

TARGET static void NAMED(subtract_scaled)(const double *u, size_t n, double by,
                                          double *out)
{
    four b = {by, by, by, by};
    for (size_t j = 0; j < n; j += 4)
        *(four *)(void *)(out + j) -= b * *(const four *)(const void *)(u + j);
}

TARGET static size_t NAMED(lowest)(const double *v, size_t n)
{
    const double top = HUGE_VAL;
    four best = {top, top, top, top};
    four_bits index = {0, 1, 2, 3}, at = index, step = {4, 4, 4, 4};
    for (size_t j = 0; j < n; j += 4) {
        four x = *(const four *)(const void *)(v + j);
        four_bits lower = x < best;
        best = (four)((lower & (four_bits)x) | (~lower & (four_bits)best));
        at = (lower & index) | (~lower & at);
        index += step;
    }
    size_t lane = 0;
    for (size_t k = 1; k < 4; k++)
        if (best[k] < best[lane] || (best[k] == best[lane] && at[k] < at[lane]))
            lane = k;
    return (size_t)at[lane];
}

#undef TARGET
#undef NAMED
