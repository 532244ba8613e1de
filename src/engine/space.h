#ifndef GPAI_ENGINE_SPACE_H
#define GPAI_ENGINE_SPACE_H
#include "engine/prior.h"
#include "engine/problem.h"
#include <gpa/explain.h>

/* What may move, and how: the axes of a problem. An axis is one free input, or one
 * group of one-hot inputs that move together. Frozen inputs have none. A place on an
 * axis is one number, its value: delta_k in units for an input, the number of the
 * category for a group. Every search and every sampler goes through axes, so nothing
 * infeasible is ever asked. */
typedef enum gpai_axis_kind {
    GPAI_AXIS_PLAIN,  /* any delta_k in [lo, hi] */
    GPAI_AXIS_STEP,   /* whole steps of the input: delta_k = j step in [lo, hi] */
    GPAI_AXIS_CHOICE, /* one of the categories of a one-hot group */
} gpai_axis_kind;

typedef struct gpai_axis {
    gpai_axis_kind kind;
    size_t input;         /* PLAIN, STEP: the input */
    double lo, hi;        /* feasible values; +-HUGE_VAL without a bound */
    double step;          /* STEP: length of one step, in units */
    const size_t *member; /* CHOICE: its inputs, one per category */
    size_t members;
    size_t now;        /* CHOICE: the category the rows are in */
    double u_lo, u_hi; /* PLAIN, STEP: prior probability below lo, below hi */
    int side; /* +-1: 0 lies below lo, above hi; then in logs, as it may be tiny: */
    double log_near,
        log_share; /* ln P(|delta| > nearer end); of it, ln P(> other end) */
} gpai_axis;

typedef struct gpai_space {
    size_t d, axes;
    gpai_axis *axis;    /* ascending by (first) input */
    size_t *axis_of;    /* d: which axis an input belongs to, or `axes` when frozen */
    const double *x;    /* d: the first observed row */
    const double *unit; /* d */
    gpai_prior prior;
    bool zero_feasible; /* whether delta = 0 is allowed */
    void *block;
} gpai_space;

/* What the user forbade. NULL or 0 where nothing is. Bounds are in the data's units. */
typedef struct gpai_limits {
    const unsigned char *frozen;  /* d flags */
    const double *lower, *upper;  /* d each; not finite: no bound */
    const unsigned char *integer; /* d flags */
    const size_t *group;          /* d: 0, or the number (from 1) of a one-hot group */
} gpai_limits;

/* The axes of problem p (n, d, x, unit, eta, nu are used). GPA_INVALID when the limits
 * contradict each other or the rows. gpai_space_close frees. */
gpa_status gpai_space_open(gpai_space *s, const gpai_problem *p,
                           const gpai_limits *limits, gpa_error *err);
void gpai_space_close(gpai_space *s);

/* Changes the prior; axes and bounds stay. */
void gpai_space_set_prior(gpai_space *s, double eta, double nu);

/* Whether an axis is PLAIN and without bounds: all such axes have the same values. */
bool gpai_axis_is_free(const gpai_axis *a);

/* The feasible value nearest to v. */
double gpai_axis_snap(const gpai_axis *a, double v);

/* Reads an axis' value from delta, writes it into delta. */
double gpai_axis_value(const gpai_space *s, size_t axis, const double *delta);
void gpai_axis_set(const gpai_space *s, size_t axis, double value, double *delta);

/* What a value costs: eta/2 |.|^2 + eta nu |.|_1 over the axis' inputs. */
double gpai_axis_penalty(const gpai_space *s, size_t axis, double value);

/* The prior's quantile on the feasible values: u in (0, 1), uniform under the prior.
 * The inverse, for PLAIN axes, is gpai_axis_cdf. */
double gpai_axis_quantile(const gpai_space *s, size_t axis, double u);
double gpai_axis_cdf(const gpai_space *s, size_t axis, double value);

/* Moves delta to the nearest feasible point. */
void gpai_space_project(const gpai_space *s, double *delta);

/* What the options say may not move, or only so far (docs/methods.md, "Limits"). The
 * options are resolved. */

/* The axes of a problem under these limits; gpai_space_close frees. */
gpa_status gpai_limits_space(gpai_space *s, const gpai_problem *p,
                             const gpa_explain_options *o, gpa_error *err);

/* Flags of the d inputs that move in whole steps, integers and one-hot members, into
 * *whole, to be freed; NULL when there is none. */
gpa_status gpai_limits_whole(unsigned char **whole, size_t d,
                             const gpa_explain_options *o, gpa_error *err);

/* Whether a one-hot group cannot move although it might: the rows are in different
 * categories of it and have no move in common. */
bool gpai_limits_split_group(const gpai_space *s, size_t n,
                             const gpa_explain_options *o);

/* Limits that one of the rows cannot obey, whatever is asked: GPA_INVALID naming it,
 * before the first result is handed over. */
gpa_status gpai_limits_check(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *o, gpa_error *err);

#endif
