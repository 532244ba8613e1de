#ifndef GPAI_ENGINE_ASK_H
#define GPAI_ENGINE_ASK_H
#include "engine/space.h"

/* Every question the engine asks the model goes through here: rows are made in the
 * problem's buffer, in one batched call each, counted, and non-finite answers noted. */

/* The one question: predictions of n rows, which the caller may forbid (GPA_STOPPED).
 */
gpa_status gpai_ask(gpai_problem *p, const double *x, size_t n, double *f,
                    gpa_error *err);

/* Predictions at the k perturbations deltas[index[i]] (d numbers each; index NULL: the
 * first k) into f (k by n). One call, k n rows. */
gpa_status gpai_predict_points(gpai_problem *p, const double *deltas,
                               const size_t *index, size_t k, double *f,
                               gpa_error *err);

/* Predictions along all inputs, feasible or not: first, with_base, at delta itself (n
 * numbers), then at delta with its coordinate k replaced by position[k * nodes + j], n
 * numbers for each k, j in turn. One call, n (d nodes [+ 1]) rows. */
gpa_status gpai_predict_inputs(gpai_problem *p, const double *delta,
                               const double *position, size_t nodes, bool with_base,
                               double *f, gpa_error *err);

/* One axis at one value; or two numbers exchanged, in every row its own. */
typedef struct gpai_probe {
    size_t axis;
    double value;
    bool exchanged;
    size_t other; /* the second axis */
} gpai_probe;

/* Predictions first, with_base, at delta itself (n numbers), then at delta with one
 * axis moved, or two exchanged, for each of `count` probes in turn (n numbers each).
 * One call, n (count
 * [+ 1]) rows. Values must be feasible. */
gpa_status gpai_predict_probes(gpai_problem *p, const gpai_space *s,
                               const double *delta, const gpai_probe *probe,
                               size_t count, bool with_base, double *f, gpa_error *err);

#endif
