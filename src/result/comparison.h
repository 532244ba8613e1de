#ifndef GPAI_RESULT_COMPARISON_H
#define GPAI_RESULT_COMPARISON_H
#include "result/attribution.h"
#include <gpa/compare.h>

/* What one method says about one row. */
typedef struct gpai_cell {
    gpa_attribution *a; /* NULL: nothing, and `skipped` says why */
    char *skipped;      /* owned */
    double *flipped;    /* d, when has_flipped */
    bool has_flipped;
    int reacts;
    gpa_agreement agreement; /* with gpa; NaN where there is none */
    bool agrees;             /* whether both said something */
} gpai_cell;

struct gpa_comparison {
    size_t n, d, m;               /* rows, inputs, methods */
    bool flip;                    /* whether there is room for reflected scores */
    double *block;                /* owns the arrays below */
    size_t *row;                  /* n */
    double *y, *f;                /* n each */
    const gpa_method **method;    /* m */
    gpai_cell *cell;              /* n by m */
    double *flipped;              /* n by m by d, or NULL */
    gpa_consistency *consistency; /* m */
    bool *consistent;             /* m: whether there is one */
};

/* Room for n rows, d inputs and m methods; flip: and for the scores with y reflected.
 */
gpa_status gpai_comparison_new(gpa_comparison **out, size_t n, size_t d, size_t m,
                               bool flip, gpa_error *err);

gpai_cell *gpai_comparison_cell(const gpa_comparison *c, size_t i, size_t j);

/* A comparison that was made elsewhere: what a method said about a row. Borrowed;
 * arrays are of d numbers. */
typedef struct gpai_comparison_entry {
    const char *skipped; /* why it said nothing; the rest then does not count */
    const double *score;
    const double *sd, *flipped; /* NULL: none */
    int reacts;                 /* as gpa_comparison_reacts */
    uint64_t model_rows, model_calls;
    size_t iterations;
    bool converged;
    const char *extra_name; /* NULL: none */
    double extra;
    const char *const *notes;
    size_t n_notes;
} gpai_comparison_entry;

/* Room for it, with methods by their names: GPA_UNSUPPORTED for one that is not known.
 * y and f are NaN. */
gpa_status gpai_comparison_restore(gpa_comparison **out, size_t n, size_t d,
                                   const char *const *methods, size_t m,
                                   gpa_error *err);
gpa_status gpai_comparison_set(gpa_comparison *c, size_t i, size_t j,
                               const gpai_comparison_entry *e, gpa_error *err);

#endif
