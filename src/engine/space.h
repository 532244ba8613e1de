#ifndef GPAI_ENGINE_SPACE_H
#define GPAI_ENGINE_SPACE_H
#include "engine/prior.h"
#include "engine/problem.h"
#include <gpa/explain.h>

/* What may move, and how: the axes of a problem. An axis is one free input, or one
 * group of one-hot columns that move together. Held inputs have none. A place on an
 * axis is one number, its value: delta_k in units for a number, the number of the level
 * for a choice. Every search and every sampler goes through axes, so nothing infeasible
 * is ever asked. */
typedef enum gpai_axis_kind {
    GPAI_AXIS_PLAIN, /* any delta_k in [lo, hi] */
    GPAI_AXIS_STEP,  /* whole steps of the input: delta_k = base + j step in [lo, hi] */
    GPAI_AXIS_CHOICE, /* one of several levels: a flag, a code, a one-hot group */
} gpai_axis_kind;

typedef struct gpai_axis {
    gpai_axis_kind kind;
    size_t input;        /* the input; of a choice its first column */
    const gpa_input *in; /* what it is; NULL: nobody said */
    double lo, hi;       /* feasible values; +-HUGE_VAL without a bound */
    bool apart; /* PLAIN, STEP: 0, the row as it is, is feasible besides [lo, hi] or
                   the steps: the row itself breaks what is known of the input */
    bool gap; /* a row has no value (NaN): values are x itself, in the input's own unit
                 (a choice: levels), and none stands for the row as it is */
    double step, base;    /* STEP: length of one step, and a place on it, in units */
    const size_t *member; /* CHOICE: its columns */
    size_t members;
    size_t levels;       /* CHOICE: those that can be proposed, from 0 */
    const double *level; /* levels: of a single column; NULL: one-hot (below) */
    size_t now; /* CHOICE: the level the rows are in; `levels`: another one, which
                   is the value `levels` and cannot be entered again */
    const size_t *order; /* CHOICE: its values in the order of their predictions, for
                            samplers; NULL: as they are */
    double u_lo, u_hi;   /* PLAIN, STEP: prior probability below lo, below hi */
    int side; /* +-1: 0 lies below lo, above hi; then in logs, as it may be tiny: */
    double log_near,
        log_share; /* ln P(|delta| > nearer end); of it, ln P(> other end) */
} gpai_axis;

/* How many values a choice has: its levels, and the one that is none of them. */
static inline size_t gpai_axis_choices(const gpai_axis *a)
{
    return a->levels + (a->now == a->levels ? 1 : 0);
}

/* What column `member` of a choice holds in a level: of a one-hot group 1 in the column
 * of the level; all are 0 in the level after the last column. */
static inline double gpai_axis_level(const gpai_axis *a, size_t level, size_t member)
{
    return a->level != NULL ? a->level[level] : level == member ? 1 : 0;
}

typedef struct gpai_space {
    size_t d, axes;
    gpai_axis *axis;    /* ascending by (first) input; gaps after all others */
    size_t *axis_of;    /* d: which axis an input belongs to, or `axes` when held */
    const double *x;    /* d: the first observed row */
    const double *unit; /* d */
    gpai_prior prior;
    size_t split;     /* choices that cannot move: the rows are in different levels */
    size_t *split_in; /* d: their first inputs */
    void *block;
} gpai_space;

/* What the user forbade, and what the inputs are. NULL or 0 where nothing is. Bounds
 * are in the data's units. */
typedef struct gpai_limits {
    const unsigned char *frozen;  /* d flags */
    const double *lower, *upper;  /* d each; not finite: no bound */
    const unsigned char *integer; /* d flags */
    const size_t *group;          /* d: 0, or the number (from 1) of a one-hot group */
    const gpa_input *inputs;      /* d; what is forbidden above wins over it */
    const char *const *names;     /* d, for messages; or NULL */
    bool gaps;                    /* axes for missing values, too */
    bool each; /* several rows: each may need another change to be what it can be */
    bool published; /* the paper's solvers: a missing value is a number like others */
} gpai_limits;

/* The axes of problem p (n, d, x, unit, eta, nu are used). GPA_INVALID when the limits
 * contradict each other or the rows. gpai_space_close frees. */
gpa_status gpai_space_open(gpai_space *s, const gpai_problem *p,
                           const gpai_limits *limits, gpa_error *err);
void gpai_space_close(gpai_space *s);

/* Changes the prior; axes and bounds stay. */
void gpai_space_set_prior(gpai_space *s, double eta, double nu);

/* How the d inputs are made exact, into *exact, to be freed; NULL when none needs it.
 * The levels are borrowed from the limits. */
gpa_status gpai_space_exact(gpai_exact **exact, size_t d, const gpai_limits *limits,
                            gpa_error *err);

/* Whether an axis is PLAIN and without bounds: all such axes have the same values. */
bool gpai_axis_is_free(const gpai_axis *a);

/* The feasible value nearest to v, and the nearest one in [lo, hi], where 0 is none of
 * its own. */
double gpai_axis_snap(const gpai_axis *a, double v);
double gpai_axis_inside(const gpai_axis *a, double v);

/* Whether 0 lies outside of [lo, hi], apart from it: the first move is a leap. */
static inline bool gpai_axis_leaps(const gpai_axis *a)
{
    return a->apart && (a->lo > 0 || a->hi < 0);
}

/* Reads an axis' value from delta, writes it into delta. */
double gpai_axis_value(const gpai_space *s, size_t axis, const double *delta);
void gpai_axis_set(const gpai_space *s, size_t axis, double value, double *delta);

/* What a value costs: eta/2 v^2 + eta nu |v|; of another level, however the columns
 * encode it, what a change by one unit costs. */
static inline double gpai_axis_penalty(const gpai_space *s, size_t axis, double value)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind != GPAI_AXIS_CHOICE)
        return gpai_prior_penalty(&s->prior, value);
    return (size_t)value == a->now ? 0 : gpai_prior_penalty(&s->prior, 1);
}

/* The same of all axes together. */
double gpai_space_penalty(const gpai_space *s, const double *delta);

/* The prior's quantile on the feasible values: u in (0, 1), uniform under the prior; a
 * move that cannot be (of an axis apart) leaves the row as it is. The inverse, for
 * PLAIN axes, is gpai_axis_cdf. */
double gpai_axis_quantile(const gpai_space *s, size_t axis, double u);

/* The same for an axis that leaps, by the probability of what lies further away from 0
 * on the side of [lo, hi]: exact where that is small. 0 when it is more than all of
 * them have. */
double gpai_axis_leap(const gpai_space *s, size_t axis, double beyond);
double gpai_axis_beyond(const gpai_space *s, size_t axis, double value);
double gpai_axis_cdf(const gpai_space *s, size_t axis, double value);

/* Moves delta to the nearest feasible point. */
void gpai_space_project(const gpai_space *s, double *delta);

/* What the options say may not move, or only so far (docs/methods.md, "Limits"). The
 * options are resolved. */

/* The axes of a problem under these limits; gpai_space_close frees. For culprits they
 * are the same, but for wider boxes where several rows break what is known of an input
 * (limits.c). gaps: also axes of inputs that are missing in a row, which no delta
 * moves; they come last. */
gpa_status gpai_limits_space(gpai_space *s, const gpai_problem *p,
                             const gpa_explain_options *o, gpa_error *err);
gpa_status gpai_limits_culprits(gpai_space *s, const gpai_problem *p,
                                const gpa_explain_options *o, bool gaps,
                                gpa_error *err);

gpa_status gpai_limits_exact(gpai_exact **exact, size_t d, const gpa_explain_options *o,
                             gpa_error *err);

/* Limits that one of the rows cannot obey, whatever is asked: GPA_INVALID naming it,
 * before the first result is handed over. */
gpa_status gpai_limits_check(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *o, gpa_error *err);

#endif
