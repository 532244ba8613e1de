#ifndef GPAI_RESULT_COMPARISON_H
#define GPAI_RESULT_COMPARISON_H
#include "result/attribution.h"
#include <gpa/compare.h>

/* What one method says about one row. */
typedef struct gpai_compared {
    gpa_attribution *a; /* NULL: nothing, and `skipped` says why */
    char *skipped;      /* owned */
    double *flipped;    /* d, when has_flipped */
    bool has_flipped;
    int reacts;
    gpa_agreement agreement; /* with gpa; NaN where there is none */
    bool agrees;             /* whether both said something */
} gpai_compared;

struct gpa_comparison {
    size_t n, d, m;               /* rows, inputs, methods */
    bool flip;                    /* whether there is room for reflected scores */
    double *block;                /* owns the arrays below */
    size_t *row;                  /* n */
    double *y, *f;                /* n each */
    const gpa_method **method;    /* m */
    gpai_compared *cell;          /* n by m */
    double *flipped;              /* n by m by d, or NULL */
    gpa_consistency *consistency; /* m */
    bool *consistent;             /* m: whether there is one */
};

/* Room for n rows, d inputs and m methods; flip: and for the scores with y reflected.
 */
gpa_status gpai_comparison_new(gpa_comparison **out, size_t n, size_t d, size_t m,
                               bool flip, gpa_error *err);

gpai_compared *gpai_comparison_cell(const gpa_comparison *c, size_t i, size_t j);

/* What gpa said about a row and who is responsible there; NULL: nothing of that. */
const gpa_attribution *gpai_comparison_gpa(const gpa_comparison *c, size_t i);

#endif
