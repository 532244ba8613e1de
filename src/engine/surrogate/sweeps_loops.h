/* Loops of sweeps.c for one instruction set: every number of a block of chains on its
 * own, so that all sets give the same bytes. Floats: what they lose is far below any
 * surrogate's error. */
#define VF NAMED(sweep_floats)
#define VI NAMED(sweep_ints)
#define VN NAMED(sweep_numbers)
typedef float VF __attribute__((vector_size(8 * LANES), aligned(4), __may_alias__));
typedef unsigned VI __attribute__((vector_size(8 * LANES)));
typedef int VN __attribute__((vector_size(8 * LANES)));
enum { NAMED(parts) = GPAI_CHAINS / (2 * LANES) };

FN VF NAMED(loadf)(const float *x)
{
    return *(const VF *)x;
}

/* cover[i][c] = sum_k |at[k][c] - row[i][k]| for `rows` rows i, without axis `but`. */
TARGET static void NAMED(distances)(const float *at, const float *row, size_t axes,
                                    size_t but, size_t rows, float *restrict cover)
{
    enum { PARTS = NAMED(parts) };
    for (size_t i = 0; i < rows; i++, cover += GPAI_CHAINS, row += axes) {
        VF sum[PARTS] = {{0}};
        for (size_t k = 0; k < axes; k++)
            for (size_t c = 0; c < PARTS && k != but; c++) {
                VF gap = NAMED(loadf)(at + k * GPAI_CHAINS + c * 2 * LANES) - row[k];
                sum[c] += (VF)((VI)gap & 0x7fffffffu);
            }
        for (size_t c = 0; c < PARTS; c++)
            *(VF *)(cover + c * 2 * LANES) = sum[c];
    }
}

/* The larger and the smaller of two. The compilers do not find the instruction in the
 * words, whose bytes are the same. */
#if GPAI_X86 && LANES == 8
#define VMAX(a, b) ((VF)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define VMIN(a, b) ((VF)_mm512_min_ps((__m512)(a), (__m512)(b)))
#elif GPAI_X86 && LANES == 4
#define VMAX(a, b) ((VF)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define VMIN(a, b) ((VF)_mm256_min_ps((__m256)(a), (__m256)(b)))
#elif GPAI_X86
#define VMAX(a, b) ((VF)_mm_max_ps((__m128)(a), (__m128)(b)))
#define VMIN(a, b) ((VF)_mm_min_ps((__m128)(a), (__m128)(b)))
#else
#define VPICK(yes, a, b) ((VF)(((VI)(a) & (VI)(yes)) | ((VI)(b) & ~(VI)(yes))))
#define VMAX(a, b)       VPICK((a) > (b), a, b)
#define VMIN(a, b)       VPICK((a) < (b), a, b)
#endif

/* exp(|at[c] - row[i]|) (LEAVE) and its inverse (ENTER) of a part of the chains, from
 * the exponentials of both: e^at, e^row and their inverses. */
#define LEAVE(c)                                                                       \
    VMAX(up[i] * NAMED(loadf)(back + (c)*2 * LANES),                                   \
         down[i] * NAMED(loadf)(at + (c)*2 * LANES))
#define ENTER(c)                                                                       \
    VMIN(old_up[i] * NAMED(loadf)(old_back + (c)*2 * LANES),                           \
         old_down[i] * NAMED(loadf)(old_at + (c)*2 * LANES))

/* Puts an axis into the cover and takes another out of it: cover[i][c] is divided by
 * exp(-|at[c] - row[i]|), after times that of the first four. */
TARGET static void NAMED(change)(const float *old_up, const float *old_down,
                                 const float *old_at, const float *old_back,
                                 const float *up, const float *down, const float *at,
                                 const float *back, size_t rows, float *restrict cover)
{
    for (size_t i = 0; i < rows; i++, cover += GPAI_CHAINS)
        for (size_t c = 0; c < NAMED(parts); c++) {
            VF *to = (VF *)(cover + c * 2 * LANES);
            *to = *to * ENTER(c) * LEAVE(c);
        }
}
#undef LEAVE
#undef ENTER

/* f[j][c] = sum_i cover[i][c] weight[i] exp(-|grid[j] - row[i]|), the kernel's sum on a
 * whole grid: what lies left of a place fades by `fade` on the way to the next, and
 * likewise from the right. Rows in the order of `row`, those in (grid[j - 1], grid[j]]
 * from start[j] on; left and right hold their weights as seen from the two ends. */
TARGET static void NAMED(conditional)(const float *cover, const uint32_t *row,
                                      const uint32_t *start, size_t cells,
                                      const float *left, const float *right,
                                      const float *fade, float *f)
{
    enum { PARTS = NAMED(parts) };
    VF sum[PARTS] = {{0}};
    for (size_t j = 0; j < cells; j++) {
        for (size_t c = 0; c < PARTS; c++)
            sum[c] *= fade[j];
        for (size_t i = start[j]; i < start[j + 1]; i++)
            for (size_t c = 0; c < PARTS; c++)
                sum[c] += left[i] *
                          NAMED(loadf)(cover + row[i] * GPAI_CHAINS + c * 2 * LANES);
        for (size_t c = 0; c < PARTS; c++)
            *(VF *)(f + j * GPAI_CHAINS + c * 2 * LANES) = sum[c];
    }
    memset(sum, 0, sizeof sum);
    for (size_t j = cells; j-- > 0;) {
        for (size_t i = start[j + 1]; i < start[j + 2]; i++)
            for (size_t c = 0; c < PARTS; c++)
                sum[c] += right[i] *
                          NAMED(loadf)(cover + row[i] * GPAI_CHAINS + c * 2 * LANES);
        for (size_t c = 0; c < PARTS; c++) {
            *(VF *)(f + j * GPAI_CHAINS + c * 2 * LANES) += sum[c];
            sum[c] *= fade[j];
        }
    }
}

/* A polynomial x'Qx + slope'x of count numbers (by GPAI_CHAINS), of which those from
 * `from` to `to` are yet to come: the rest of it is added to `rest`, the factors of
 * those go into `by` (to - from by GPAI_CHAINS). */
TARGET static void NAMED(split)(const double *slope, const double *square,
                                const float *x, size_t count, size_t from, size_t to,
                                float *rest, float *by)
{
    enum { PARTS = NAMED(parts) };
    for (size_t a = 0; a < count; a++) {
        bool open = a >= from && a < to;
        float twice = open ? 2 : 1;
        VF own[PARTS] = {{0}};
        for (size_t c = 0; c < PARTS; c++)
            own[c] += (float)slope[a];
        for (size_t b = 0; b < count && square != NULL; b++) {
            float q = twice * (float)square[a * count + b];
            for (size_t c = 0; c < PARTS && (b < from || b >= to); c++)
                own[c] += q * NAMED(loadf)(x + b * GPAI_CHAINS + c * 2 * LANES);
        }
        for (size_t c = 0; c < PARTS; c++) {
            if (open)
                *(VF *)(by + (a - from) * GPAI_CHAINS + c * 2 * LANES) = own[c];
            else
                *(VF *)(rest + c * 2 * LANES) +=
                    own[c] * NAMED(loadf)(x + a * GPAI_CHAINS + c * 2 * LANES);
        }
    }
}

/* f[j][c] = centre + size (f[j][c] + rest[c] + own[j] + sum_e by[e][c] x[e][j]). */
TARGET static void NAMED(add_trend)(float centre, float size, const float *rest,
                                    const float *by, const float *own, const float *x,
                                    size_t each, size_t cells, float *f)
{
    for (size_t j = 0; j < cells; j++, f += GPAI_CHAINS)
        for (size_t c = 0; c < GPAI_CHAINS; c += 2 * LANES) {
            VF sum = NAMED(loadf)(f + c) + NAMED(loadf)(rest + c) + own[j];
            for (size_t e = 0; e < each; e++)
                sum += x[e * cells + j] * NAMED(loadf)(by + e * GPAI_CHAINS + c);
            *(VF *)(f + c) = centre + size * sum;
        }
}

/* What a table of GPAI_WIDENED places says about residuals f in scales: p (cells by
 * GPAI_CHAINS) is that times weight[j], or, without weights, has it added. A place's
 * value and the step to the next are side by side. */
TARGET static void NAMED(look_up)(const float *table, const float *f,
                                  const float *weight, size_t cells, float *p)
{
    const VF last = (VF){0} + (GPAI_WIDENED - 1);
    for (size_t i = 0; i < cells * GPAI_CHAINS; i += 2 * LANES) {
        VF x = (VF)((VI)NAMED(loadf)(f + i) & 0x7fffffffu), left, step;
        VF at = VMIN(x / (GPAI_WIDENED_HALF + x) * (float)GPAI_WIDENED, last);
        VN j = __builtin_convertvector(at, VN);
        for (size_t l = 0; l < 2 * LANES; l++) {
            left[l] = table[2 * j[l]];
            step[l] = table[2 * j[l] + 1];
        }
        VF said = left + (at - __builtin_convertvector(j, VF)) * step;
        VF *to = (VF *)(p + i);
        *to = weight != NULL ? weight[i / GPAI_CHAINS] * said : *to + said;
    }
}

/* Makes p[j][c] a probability, adds it to total, and counts the cells below u[c]. */
TARGET static void NAMED(draw)(const float *p, size_t cells, const float *u,
                               float *total, float *cell)
{
    const VF one = {0};
    for (size_t c = 0; c < GPAI_CHAINS; c += 2 * LANES) {
        VF sum = {0}, below = {0}, count = {0};
        for (size_t j = 0; j < cells; j++)
            sum += NAMED(loadf)(p + j * GPAI_CHAINS + c);
        sum = (one + 1.0f) / VMAX(sum, one + 1e-37f);
        for (size_t j = 0; j < cells; j++) {
            VF share = sum * NAMED(loadf)(p + j * GPAI_CHAINS + c);
            *(VF *)(total + j * GPAI_CHAINS + c) += share;
            below += share;
            count += (VF)((VI)(one + 1.0f) & (VI)(below < NAMED(loadf)(u + c)));
        }
        *(VF *)(cell + c) = count;
    }
}
#undef VF
#undef VI
#undef VN
#undef VPICK
#undef VMAX
#undef VMIN
