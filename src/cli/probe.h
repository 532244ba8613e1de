#ifndef GPA_CLI_PROBE_H
#define GPA_CLI_PROBE_H
#include <gpa/model.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBE_SIZES = 5 };

/* Below this a difference is rounding. */
#define PROBE_ROUNDING 1e-9

/* What was found out about a model by asking it. */
struct probe {
    size_t size[PROBE_SIZES];    /* rows of a call: 1, 10, …, 10000 */
    double seconds[PROBE_SIZES]; /* median time of such a call; NaN: not tried */
    size_t rows_asked;           /* in all */
    size_t checked;              /* rows behind the findings below */
    size_t nonfinite;            /* of them, predictions that are no number */
    bool deterministic;          /* the same rows again: the same bytes */
    double alone; /* a row on its own differs from itself in a batch by so much, at
                   * most, relative to its size; NaN: it is sometimes no number */
    bool threads_failed;   /* a call failed that did not before */
    bool threads_equal;    /* several handles at once: the same bytes */
    size_t threads;        /* how many */
    double speedup;        /* rows/s with them, over one; NaN: not measured */
    size_t batch, workers; /* recommended; batch 0: any */
};

/* Asks the model about `n` rows of d inputs in `x` (n at least 1; they are repeated
 * where more are needed). `limit`: seconds after which no longer calls are tried. */
gpa_status probe_model(struct probe *p, gpa_model *m, const double *x, size_t n,
                       double limit, gpa_error *err);

#endif
