#ifndef GPAI_SMOOTH_H
#define GPAI_SMOOTH_H

/* Cells of a smoothed histogram, and the doubles of scratch it takes. */
enum { GPAI_CELLS = 400, GPAI_SMOOTH_SCRATCH = 3 * GPAI_CELLS };

/* Smooths GPAI_CELLS masses (of sum 1) that come from `ess` effective draws by a
 * Gaussian kernel, reflected at both ends. Its width is the one of least estimated mean
 * square error: a sample that hardly differs from the uniform is smoothed much, sharp
 * features little (never less than 1.5 cells). */
void gpai_smooth(double *mass, double ess, double *scratch);

#endif
