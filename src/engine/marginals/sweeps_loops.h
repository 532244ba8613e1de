/* Loops of sweeps.c for one instruction set: every number of a block of chains on its
 * own, so that all sets give the same bytes. */

/* cover[i][c] = start - sum_k scale[k] |at[k][c] - row[k][i]| for `rows` rows i. */
TARGET static void NAMED(distances)(double start, const double *scale, const double *at,
                                    const double *row, size_t ld, size_t axes,
                                    size_t rows, double *cover)
{
    for (size_t i = 0; i < rows; i++, cover += GPAI_CHAINS)
        for (size_t c = 0; c < GPAI_CHAINS; c += LANES) {
            VD sum = {0};
            sum += start;
            for (size_t k = 0; k < axes; k++) {
                VD gap = NAMED(load)(at + k * GPAI_CHAINS + c) - row[k * ld + i];
                gap = (VD)((VL)gap & 0x7fffffffffffffffull);
                sum -= scale[k] * gap;
            }
            *(VD *)(cover + c) = sum;
        }
}

/* cover[i][c] /= exp(-|at[c] - row[i]|), from the exponentials of both: e^at, e^row and
 * their inverses. */
TARGET static void NAMED(leave)(const double *up, const double *down, const double *at,
                                const double *back, size_t rows, double *cover)
{
    for (size_t i = 0; i < rows; i++, cover += GPAI_CHAINS)
        for (size_t c = 0; c < GPAI_CHAINS; c += LANES) {
            VD a = up[i] * NAMED(load)(back + c), b = down[i] * NAMED(load)(at + c);
            VD *to = (VD *)(cover + c);
            *to *= (VD)(((VL)a & (VL)(a > b)) | ((VL)b & ~(VL)(a > b)));
        }
}

/* The same times exp(-|at[c] - row[i]|). */
TARGET static void NAMED(enter)(const double *up, const double *down, const double *at,
                                const double *back, size_t rows, double *cover)
{
    for (size_t i = 0; i < rows; i++, cover += GPAI_CHAINS)
        for (size_t c = 0; c < GPAI_CHAINS; c += LANES) {
            VD a = up[i] * NAMED(load)(back + c), b = down[i] * NAMED(load)(at + c);
            VD *to = (VD *)(cover + c);
            *to *= (VD)(((VL)b & (VL)(a > b)) | ((VL)a & ~(VL)(a > b)));
        }
}

/* f[j][c] = sum_i cover[i][c] weight[i] exp(-|grid[j] - row[i]|), the kernel's sum on a
 * whole grid: what lies left of a place fades by `fade` on the way to the next, and
 * likewise from the right. Rows in the order of `row`, those in (grid[j - 1], grid[j]]
 * from start[j] on; left and right hold their weights as seen from the two ends. */
TARGET static void NAMED(conditional)(const double *cover, const uint32_t *row,
                                      const uint32_t *start, size_t cells,
                                      const double *left, const double *right,
                                      const double *fade, double *f)
{
    enum { PARTS = GPAI_CHAINS / LANES };
    VD sum[PARTS] = {{0}};
    for (size_t j = 0; j < cells; j++) {
        for (size_t c = 0; c < PARTS; c++)
            sum[c] *= fade[j];
        for (size_t i = start[j]; i < start[j + 1]; i++)
            for (size_t c = 0; c < PARTS; c++)
                sum[c] +=
                    left[i] * NAMED(load)(cover + row[i] * GPAI_CHAINS + c * LANES);
        for (size_t c = 0; c < PARTS; c++)
            *(VD *)(f + j * GPAI_CHAINS + c * LANES) = sum[c];
    }
    memset(sum, 0, sizeof sum);
    for (size_t j = cells; j-- > 0;) {
        for (size_t i = start[j + 1]; i < start[j + 2]; i++)
            for (size_t c = 0; c < PARTS; c++)
                sum[c] +=
                    right[i] * NAMED(load)(cover + row[i] * GPAI_CHAINS + c * LANES);
        for (size_t c = 0; c < PARTS; c++) {
            *(VD *)(f + j * GPAI_CHAINS + c * LANES) += sum[c];
            sum[c] *= fade[j];
        }
    }
}
