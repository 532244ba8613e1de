#ifndef GPAI_RESULT_EXPLANATION_H
#define GPAI_RESULT_EXPLANATION_H
#include <gpa/explain.h>

/* Why there is no stationarity. */
#define GPAI_STEPPED "f is stepped: its slopes say nothing"

/* What notes begin with that say why there is no answer. */
#define GPAI_NO_CULPRITS  "culprits are not computed: "
#define GPAI_SMALL_BUDGET "the budget of "
#define GPAI_SEARCH_CUT   "the search for the joint change used up its budget"

enum { GPAI_NOTES = 8, GPAI_NOTE_SIZE = 320 };

/* Below so many effective draws a distribution is not known: P(delta > 0) is uncertain
 * by 0.07. A surrogate's draws are free; it must not be off by more noise scales. The
 * worst distribution of an answer was away from gold, on six models of trees and a
 * network, by 0.06 in the median and 0.13 at most where the error was 3 to 4, by 0.12
 * and 0.53 where it was 4 to 6. */
enum { GPAI_FEW_DRAWS = 50, GPAI_FAR_OFF = 4 };

/* Why the distributions are not known; NULL: they are, or there are none. */
const char *gpai_spread_unknown(const gpa_summary *s);

/* The result every method fills. One block of doubles holds all arrays. */
/* probability, single, median, low, high; four evidences */
enum { GPAI_CULPRIT_NUMBERS = 9 };

struct gpa_explanation {
    gpa_summary summary;
    size_t n, d;
    size_t *rows;                        /* n: where each row stands in the context */
    double *block;                       /* owns the arrays below */
    double *x;                           /* n by d */
    double *y, *f, *score, *f_moved, *b; /* n each */
    double *unit, *delta, *delta_raw;    /* d each */
    size_t points;                       /* per distribution; 0: none */
    double *grid, *density;              /* d by points each */
    gpa_marginal *marginals;             /* d, or NULL */
    gpa_culprit culprit;     /* points into culprit_numbers; verdict UNKNOWN: none */
    double *culprit_numbers; /* d by GPAI_CULPRIT_NUMBERS, then room for d indices, then
                                d for `responsible`, then room for d indices: */
    size_t *far, n_far;      /* inputs far from all that is usual, unless accused */
    gpa_alone *alone;        /* d, or NULL */
    double *alone_numbers;   /* owns what they point to */
    double *level_numbers;   /* owns what the marginals of levels point to */
    gpa_axis *axes;          /* d, or NULL */
    double *axis_numbers;    /* owns what they point to */
    char notes[GPAI_NOTES][GPAI_NOTE_SIZE];
    size_t n_notes;
    size_t culprit_notes[2]; /* from, to: those that concern the culprits alone */
    bool stepped;            /* f is stepped: there is no stationarity */
    gpa_stage stage;         /* how far it is */
};

/* An empty result for n rows, d inputs and distributions of so many points (0: none).
 */
gpa_status gpai_result_new(gpa_explanation **out, size_t n, size_t d, size_t points,
                           gpa_error *err);

/* Room for culprits; the arrays of e->culprit point into it afterwards. */
gpa_status gpai_result_add_culprit(gpa_explanation *e, gpa_error *err);

/* Works out culprit.responsible, once the rest is there; the one place that does. */
void gpai_result_blame(gpa_explanation *e);

/* Room for what each input alone would have to be, and so many numbers for it. */
gpa_status gpai_result_add_alone(gpa_explanation *e, size_t numbers, gpa_error *err);

/* Room for f along the inputs: d axes without points, and so many numbers for them. */
gpa_status gpai_result_add_axes(gpa_explanation *e, size_t numbers, gpa_error *err);

/* Adds a line the user should read; beyond GPAI_NOTES lines it is dropped. */
void gpai_result_note(gpa_explanation *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What follows this beginning of a note; NULL: none has it. */
const char *gpai_result_noted(const gpa_explanation *e, const char *beginning);

#endif
