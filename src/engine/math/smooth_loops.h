/* The loops of gpai_smooth_set for one instruction set, for base/cpu_sets.h. */

/* Four waves at cell j, w0 and w1 from `wave`, where the two after them go. */
#define NEXT_WAVES                                                                     \
    VD t = NAMED(load)(twice + j), w0 = NAMED(load)(wave + j),                         \
       w1 = NAMED(load)(wave + HALF + j), w2 = t * w1 - w0, w3 = t * w2 - w1,          \
       w4 = t * w3 - w2;                                                               \
    *(VD *)(wave + j) = w4;                                                            \
    *(VD *)(wave + HALF + j) = t * w4 - w3;

/* Eight partial sums, whatever the vectors' width. */
FN double NAMED(total)(const double *lane)
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
           ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

TARGET static void NAMED(analyse)(const double *twice, const double *fold, double *wave,
                                  double *a, double *b)
{
    double lane[8][8];
    for (size_t k = 1; k <= GPAI_SMOOTH_TERMS; k += 4) {
        for (size_t first = 0; first < 8; first += LANES) {
            const VD zero = {0};
            VD s0 = zero, s1 = zero, s2 = zero, s3 = zero;
            VD t0 = zero, t1 = zero, t2 = zero, t3 = zero;
            for (size_t j = first; j < HALF; j += 8) {
                NEXT_WAVES
                VD odd = NAMED(load)(fold + j), even = NAMED(load)(fold + HALF + j);
                s0 += w0 * odd;
                s1 += w1 * even;
                s2 += w2 * odd;
                s3 += w3 * even;
                odd = NAMED(load)(fold + 2 * HALF + j);
                even = NAMED(load)(fold + 3 * HALF + j);
                t0 += w0 * odd;
                t1 += w1 * even;
                t2 += w2 * odd;
                t3 += w3 * even;
            }
            *(VD *)(lane[0] + first) = s0;
            *(VD *)(lane[1] + first) = s1;
            *(VD *)(lane[2] + first) = s2;
            *(VD *)(lane[3] + first) = s3;
            *(VD *)(lane[4] + first) = t0;
            *(VD *)(lane[5] + first) = t1;
            *(VD *)(lane[6] + first) = t2;
            *(VD *)(lane[7] + first) = t3;
        }
        for (size_t i = 0; i < 4; i++) {
            a[k + i] = NAMED(total)(lane[i]);
            b[k + i] = NAMED(total)(lane[4 + i]);
        }
    }
}

TARGET static void NAMED(synthesise)(const double *twice, const double *c, size_t terms,
                                     double *wave, double *fold)
{
    for (size_t k = 1; k <= terms; k += 4)
        for (size_t j = 0; j < HALF; j += LANES) {
            NEXT_WAVES
            VD *odd = (VD *)(fold + j), *even = (VD *)(fold + HALF + j);
            *odd += c[k] * w0 + c[k + 2] * w2;
            *even += c[k + 1] * w1 + c[k + 3] * w3;
        }
}

/* Eight kernels at a time, until nothing is left of the narrowest. */
TARGET static void NAMED(risks)(const double *factor, const double *p, const double *q,
                                double *out)
{
    enum { PARTS = 8 / LANES };
    for (size_t i = 0; i < GPAI_SMOOTH_WIDTHS; i += 8) {
        VD r[PARTS], g[PARTS], step[PARTS], sum[PARTS] = {{0}};
        for (size_t v = 0; v < PARTS; v++) {
            step[v] = NAMED(load)(factor + i + v * LANES);
            r[v] = step[v] * step[v];
            g[v] = (VD){0} + 1;
        }
        for (size_t k = 1; k <= GPAI_SMOOTH_TERMS && g[0][0] > 1e-9; k++)
            for (size_t v = 0; v < PARTS; v++) {
                g[v] *= step[v];
                step[v] *= r[v];
                sum[v] += g[v] * (g[v] * p[k] + q[k]);
            }
        for (size_t v = 0; v < PARTS; v++)
            *(VD *)(out + i + v * LANES) = sum[v];
    }
}

#undef NEXT_WAVES
