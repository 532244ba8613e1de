#ifndef GPA_SCORE_H
#define GPA_SCORE_H
#include <gpa/model.h>
#include <gpa/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rows of inputs with what was observed. Borrowed arrays; x is row-major, n by d. */
typedef struct gpa_sample {
    const double *x; /* inputs in the model's own units */
    const double *y; /* observed outcomes, n */
    const double *f; /* what the model predicts for them, n; NULL when not known yet */
    size_t n, d;
} gpa_sample;

/**
 * Predicts every row of `s`. A row without a finite prediction is GPA_NUMERIC and
 * named. `f` receives n numbers.
 */
GPA_API GPA_CHECKED gpa_status gpa_predict_observed(gpa_model *m, const gpa_sample *s,
                                                    double *f, gpa_error *err);

/**
 * The predictive standard deviation: that of y - f about its mean over the rows of `s`
 * (s->f must be there). GPA_NUMERIC when it is 0 or not finite.
 */
GPA_API GPA_CHECKED gpa_status gpa_residual_sigma(const gpa_sample *s, double *sigma,
                                                  gpa_error *err);

/**
 * Anomaly scores a_t = -ln N(y_t | f_t, sigma^2) of every row (eq. 1) into `score`, and
 * their mean, the collective score (eq. 2), into `*collective` (may be NULL).
 */
GPA_API GPA_CHECKED gpa_status gpa_score(const gpa_sample *s, double sigma,
                                         double *score, double *collective,
                                         gpa_error *err);

#ifdef __cplusplus
}
#endif
#endif
