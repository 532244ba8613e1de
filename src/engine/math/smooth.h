#ifndef GPAI_ENGINE_MATH_SMOOTH_H
#define GPAI_ENGINE_MATH_SMOOTH_H
#include <stddef.h>

/* Cells of a smoothed histogram, and the doubles of scratch it takes. Chosen: 400 cells
 * of equal prior probability (docs/methods.md, "The distribution of each input's
 * perturbation") are eight for a
 * posterior of a twentieth of the prior's spread; narrower ones get cells of their own
 * (gpai_cells_aim_at). */
enum { GPAI_CELLS = 400, GPAI_SMOOTH_SCRATCH = 3 * GPAI_CELLS };

/* Numbers that do not depend on the masses: whoever smooths several histograms makes
 * them once. */
enum {
    GPAI_SMOOTH_WIDTHS = 56
}; /* as far as 1.12^k reaches WIDEST, and full vectors */
typedef struct gpai_smoother {
    double twice[GPAI_CELLS / 2];     /* 2 cos(pi u_j) at the first half of the cells */
    double width[GPAI_SMOOTH_WIDTHS]; /* of the kernels to choose from */
    double factor[GPAI_SMOOTH_WIDTHS]; /* what they do to the series' first term */
    const struct gpai_smooth_set *set;
} gpai_smoother;

void gpai_smoother_make(gpai_smoother *s);

/* Smooths the GPAI_CELLS masses (of sum 1) of two histograms, in less time than one
 * after the other (`other` may be NULL), that come from `ess` effective draws by a
 * Gaussian kernel, reflected at both ends. Its width is the one of least estimated mean
 * square error: a sample that hardly differs from the uniform is smoothed much, sharp
 * peaks little (never less than 1.5 cells). */
void gpai_smooth_two(const gpai_smoother *s, double *mass, double *other, double ess,
                     double *scratch);

/* The loops of smoothing. Every instruction set gives the same bytes. */
enum { GPAI_SMOOTH_TERMS = 96 }; /* chosen: beyond, narrow kernels are convolved */
typedef struct gpai_smooth_set {
    const char *name;
    /* a[k] = the sum of wave_k part_k over the first half of the cells, for k = 1 ..
     * GPAI_SMOOTH_TERMS, wave_k = cos(pi k u). `wave` holds waves 1 and 2, from which
     * the others follow; `fold` holds part_k for odd and for even k. The same for a
     * second histogram: b and the second half of `fold`. */
    void (*analyse)(const double *twice, const double *fold, double *wave, double *a,
                    double *b);
    /* fold += the sums of c[k] wave_k over odd and over even k, 0 < k <= terms; c is 0
     * beyond, as far as the next multiple of four */
    void (*synthesise)(const double *twice, const double *c, size_t terms, double *wave,
                       double *fold);
    /* out[i] = the sum over k of g (g p[k] + q[k]), g = factor[i]^(k^2) */
    void (*risks)(const double *factor, const double *p, const double *q, double *out);
} gpai_smooth_set;

/* The i-th instruction set that this machine has, fastest first; NULL beyond the last.
 */
const gpai_smooth_set *gpai_smooth_set_at(size_t i);

#endif
