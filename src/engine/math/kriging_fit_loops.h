/* The trends of kriging_fit.c for one instruction set. */

/* sum[i] += x'Qx + slope'x of count numbers of each of GPAI_VBLOCK points; Q is
 * symmetric. */
TARGET static void NAMED(polynomial)(const double *slope, const double *square,
                                     const double *x, size_t count, double *sum)
{
    enum { PARTS = GPAI_VBLOCK / LANES };
    VD total[PARTS];
    for (size_t p = 0; p < PARTS; p++)
        total[p] = NAMED(load)(sum + p * LANES);
    for (size_t a = 0; a < count; a++) {
        const double *q = square + a * count, *at = x + a * GPAI_VBLOCK;
        VD own[PARTS];
        for (size_t p = 0; p < PARTS; p++)
            own[p] = slope[a] + q[a] * NAMED(load)(at + p * LANES);
        for (size_t b = 0; b < a; b++)
            for (size_t p = 0; p < PARTS; p++)
                own[p] += 2 * q[b] * NAMED(load)(x + b * GPAI_VBLOCK + p * LANES);
        for (size_t p = 0; p < PARTS; p++)
            total[p] += own[p] * NAMED(load)(at + p * LANES);
    }
    for (size_t p = 0; p < PARTS; p++)
        *(VD *)(sum + p * LANES) = total[p];
}
