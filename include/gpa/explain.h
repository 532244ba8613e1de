#ifndef GPA_EXPLAIN_H
#define GPA_EXPLAIN_H
#include <gpa/input.h>
#include <gpa/model.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Rows of inputs with what was observed: a plain view of arrays that somebody else
 * owns, x row-major, n by d. Frozen: it will not grow, so it carries no size of its
 * own.
 */
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
 * (s->f must be there). Of 8 rows or more, those beyond 4.5 (1 + 4 / n) times the usual
 * spread (the median of |y - f - median|, times 1.4826) are left out where they are at
 * most 6 %, or one, and would make it more than 1.2 times as large; or those beyond 6
 * times where they are at most a tenth and would make it more than 1.5 times as large.
 * GPA_NUMERIC when it is 0, but for rounding, or not finite.
 */
GPA_API GPA_CHECKED gpa_status gpa_residual_sigma(const gpa_sample *s, double *sigma,
                                                  gpa_error *err);

/**
 * Anomaly scores a_t = -ln N(y_t | f_t, sigma^2) of every row (eq. 1) into `score`, and
 * their mean, the collective score (eq. 2), into `*collective` (may be NULL). One that
 * would be too large for a number is 1e300; where most are, sigma is too small for the
 * rows: GPA_NUMERIC.
 */
GPA_API GPA_CHECKED gpa_status gpa_score(const gpa_sample *s, double sigma,
                                         double *score, double *collective,
                                         gpa_error *err);

/**
 * Told how far something is, always on the calling thread: `done` of `total`, which is
 * 0 where the end is not known. Anything but 0 ends the work with GPA_STOPPED.
 */
typedef int (*gpa_progress_fn)(void *ctx, uint64_t done, uint64_t total);

/** How the most probable perturbation is found. */
typedef enum gpa_solver {
    GPA_SOLVER_AUTO = 0,
    GPA_SOLVER_PAPER = 1,     /* Algorithm 2, seeded random slopes */
    GPA_SOLVER_PAPER_DET = 2, /* the same with deterministic slope nodes */
    GPA_SOLVER_FAST = 3,      /* the default: 20 to 40 times fewer model rows */
    GPA_SOLVER_THOROUGH = 4   /* fast, then a search for the lowest objective */
} gpa_solver;

/** Which distribution of each input's perturbation is computed. */
typedef enum gpa_marginals {
    GPA_MARGINALS_AUTO = 0,
    GPA_MARGINALS_NONE = 1,
    GPA_MARGINALS_PAPER = 2,     /* the others held at the MAP, on the paper's grid */
    GPA_MARGINALS_EXACT = 3,     /* importance sampling of the joint posterior */
    GPA_MARGINALS_SURROGATE = 4, /* the same through a kriging model of f: few rows */
    GPA_MARGINALS_PLUGIN = 5 /* the others held at the MAP, the whole line covered */
} gpa_marginals;

/** How the noise scale b of the observations is chosen when b0 is not given. */
typedef enum gpa_noise {
    GPA_NOISE_AUTO = 0,
    GPA_NOISE_CONSTANT = 1, /* b = a0 sigma^2 / cb for every row */
    GPA_NOISE_LOCAL = 2 /* b(x) of appendix D from the rows around x, divided by cb */
} gpa_noise;

/** Whether and how the probabilities of the culprits are computed. */
typedef enum gpa_culprit_mode {
    GPA_CULPRIT_AUTO = 0,
    GPA_CULPRIT_ON = 1,    /* plausibility judged jointly; one, two or three inputs */
    GPA_CULPRIT_BASIC = 2, /* input by input; one or two inputs */
    GPA_CULPRIT_OFF = 3
} gpa_culprit_mode;

/** Which reference rows say what is plausible. */
typedef enum gpa_plausible {
    GPA_PLAUSIBLE_AUTO = 0,
    GPA_PLAUSIBLE_DATA = 1,      /* the context, without the explained rows */
    GPA_PLAUSIBLE_REFERENCE = 2, /* opt->reference */
    GPA_PLAUSIBLE_NONE = 3
} gpa_plausible;

/** What is asked about a missing input, for models that take missing ones. Either way
 * no delta moves it. */
typedef enum gpa_missing {
    GPA_MISSING_AUTO = 0, /* ask */
    GPA_MISSING_ASK = 1,  /* which value would have been normal? */
    GPA_MISSING_HOLD = 2  /* nothing: it is never accused */
} gpa_missing;

/** What it comes to. */
typedef enum gpa_verdict {
    GPA_VERDICT_UNKNOWN = 0, /* culprits were not computed */
    GPA_VERDICT_NORMAL = 1,  /* within 2 sigma, and no drift */
    GPA_VERDICT_INPUT = 2,   /* one input stands out */
    GPA_VERDICT_TIED = 3,    /* several cannot be told apart */
    GPA_VERDICT_OUTPUT = 4   /* no input: the outcome or the model is at fault */
} gpa_verdict;

/** How far an explanation is. */
typedef enum gpa_stage {
    GPA_STAGE_WHOLE = 0,   /* all that was asked for is there */
    GPA_STAGE_VERDICT = 1, /* the culprits; no change, no distributions */
    GPA_STAGE_CHANGE = 2   /* and the most probable change */
} gpa_stage;

/** Names as on the command line ("paper-det"); NULL for a value outside the enum. */
GPA_API const char *gpa_solver_name(gpa_solver solver);
GPA_API const char *gpa_marginals_name(gpa_marginals marginals);
GPA_API const char *gpa_noise_name(gpa_noise noise);
GPA_API const char *gpa_culprit_mode_name(gpa_culprit_mode mode);
GPA_API const char *gpa_plausible_name(gpa_plausible plausible);
GPA_API const char *gpa_missing_name(gpa_missing missing);
GPA_API const char *gpa_verdict_name(gpa_verdict verdict);

/** One attribution: a perturbation of the inputs shared by one or more rows. */
typedef struct gpa_explanation gpa_explanation;

/**
 * Shown an explanation after each of its stages but the last, on the thread that makes
 * it; gpa_explanation_stage says how far it is. Anything but 0: that is enough, and the
 * explanation stays as it is.
 */
typedef int (*gpa_stage_fn)(void *ctx, const gpa_explanation *e);

/**
 * What an explanation may be told. Fill with gpa_explain_options_init; a number that is
 * NaN, or a count that is 0, is chosen automatically and reported in the result.
 */
typedef struct gpa_explain_options {
    size_t struct_size;
    gpa_solver solver;
    gpa_marginals marginals;
    gpa_noise noise;
    uint64_t seed;

    /* the paper's letters */
    double eta; /* precision of the perturbation's prior */
    double nu;  /* its l1 share */
    double a0; /* shape of the noise precision's gamma prior: 2 a0 degrees of freedom */
    double b0; /* its rate; overrides sigma, cb and noise */
    double cb; /* virtual samples: b is divided by it */
    double sigma; /* predictive standard deviation of y - f; else from `context` */
    double kappa; /* first step length of the paper's solver */

    double slope_sd;           /* eta_1: spread of the slope perturbations, in units */
    size_t slope_nodes;        /* how many of them */
    const double *slope_list;  /* or the very perturbations h */
    size_t slope_list_length;  /* how many there are in slope_list */
    const double *delta_init;  /* first delta, d numbers in units; or NULL */
    size_t max_iter;           /* iterations at most */
    double tol;                /* relative change at which it stops */
    size_t grid_points;        /* points of each distribution's grid */
    size_t budget;             /* model rows at most; 0: as many as it takes */
    const double *unit;        /* d units in which delta is measured; NULL: 1 */
    double kernel_width;       /* eta_0 of b(x), in units */
    double kernel_floor;       /* w_0 of b(x) */
    const gpa_sample *context; /* rows with y and f that sigma and b(x) rest on */
    const size_t
        *context_rows;    /* where the explained rows stand in it; NULL: nowhere */
    size_t marginal_rows; /* model rows per explained row, for exact and surrogate */

    /* what may not move, or only so far; d entries each, or NULL */
    const unsigned char *frozen;  /* non-zero: stays */
    const double *lower, *upper;  /* of x + delta, in the data's units; NaN: no bound */
    const unsigned char *integer; /* non-zero: moves in whole steps of 1 */
    const size_t *onehot;         /* non-zero: the number of its one-hot group */

    gpa_culprit_mode culprit;
    gpa_plausible plausible;
    const gpa_sample *reference; /* x, n, d of rows for GPA_PLAUSIBLE_REFERENCE */

    /* Asked before each question to the model: rows asked so far, and the budget as the
     * total. gpa_explain_many: explanations, of all there will be. */
    gpa_progress_fn progress;
    void *progress_ctx;

    /* d: what each input is; NULL: numbers. What the user forbids above wins. The
     * solvers of the paper take every input as a number. */
    const gpa_input *inputs;
    gpa_missing missing;
    double spread;       /* of f over normal rows; else from `context` */
    double output_prior; /* P(y or the model is wrong) before anything is seen, against
                            an input; NaN: as likely as every single input */
    gpa_stage_fn stage;  /* NULL: nobody waits for the stages */
    void *stage_ctx;
    const char *const *names; /* d: what notes and errors call the inputs; NULL: input
                                 1, input 2, … */
    bool every_witness;       /* rows say what is plausible also where their outcome
                                 contradicts the model, or a value lies far from all others */
} gpa_explain_options;

#define gpa_explain_options_init(opt)                                                  \
    gpa_explain_options_init_sized((opt), sizeof *(opt))
GPA_API void gpa_explain_options_init_sized(gpa_explain_options *opt, size_t size);

/** The numbers of an explanation that are not per input. Grows at the end. */
typedef struct gpa_summary {
    gpa_solver solver;       /* what was really used */
    gpa_marginals marginals; /* likewise */
    gpa_noise noise;         /* GPA_NOISE_AUTO when b0 was given */
    double eta, nu, a0, cb, sigma,
        kappa;             /* cb, sigma: NaN when b0 made them needless */
    double objective;      /* J(delta) + eta nu |delta|_1, without constants */
    double objective_zero; /* the same at delta = 0 */
    double stationarity;   /* largest violation of the optimality condition; NaN where
                              f is stepped, as trees are: slopes say nothing there */
    bool converged;        /* no tested move of any input, alone or in pairs, lowers the
                              objective by more than 1e-3; where f is stepped, 0.05 */
    bool budget_hit;
    size_t iterations;
    uint64_t model_rows, model_calls;
    uint64_t rows_map, rows_check, rows_marginals; /* model_rows by stage */
    uint64_t nonfinite_rows; /* perturbed points without a prediction; dropped */
    double ess;              /* effective draws behind the marginals; NaN: no draws */
    double surrogate_error;  /* of the surrogate, in noise scales, and above 4 where
                                too few draws carry it or its last rows still changed
                                it much; NaN: none used */
    uint64_t rows_culprit;   /* model_rows by stage, too */
    double marginal_change;  /* how far the surrogate's last round of rows changed its
                                marginals at most (total variation); NaN: not known */
    bool marginals_still; /* it stopped because of that, before its rows were spent */
} gpa_summary;

/** The distribution of one input's perturbation, in units of that input. */
typedef struct gpa_marginal {
    double map, mean, sd;
    double interval50[2], interval90[2];
    double p_positive;  /* P(delta_k > 0) */
    double information; /* divergence from the prior, nats */
    size_t points;
    const double *grid;    /* ascending */
    const double *density; /* integrates to 1 over the grid by the trapezoid rule */

    /* flags, choices and one-hot groups: a probability per level in place of the
     * numbers above, which then are NaN but for `information`; 0: not such an input */
    size_t levels;
    const double *level; /* its value; of a group: the place of its column in the
                            group, from 0; -1: all columns 0; NaN: as the row is, which
                            is none of them */
    const double *mass;  /* adds up to 1 */
} gpa_marginal;

/** Who did it: probabilities over "these inputs are off, all others are right". */
typedef struct gpa_culprit {
    const double *probability; /* d: P(input k is wrong), alone or with others, if any
                                  input is */
    const double *single;      /* d: P(it is k), if exactly one is; adds up to 1 */
    const double *median;      /* d: delta_k if k alone moved, in units */
    const double *low, *high;  /* d: its 90 % interval */
    double output;             /* P(no input: y or the model is at fault) */
    const size_t *set90; /* fewest inputs whose `single` reach 0.9, likeliest first:
                          * where to look if it is an input at all (`output`) */
    size_t n_set90;
    size_t first; /* the input with the largest probability */
    gpa_verdict verdict;
    gpa_plausible plausible; /* DATA, REFERENCE or NONE */
    size_t plausible_rows;   /* how many rows it rests on */
    size_t likeliest[3];     /* the likeliest idea: just these inputs are wrong (of a
                                one-hot group its first column) */
    size_t n_likeliest;
    bool exchanged;     /* the values of the two stand in each other's place */
    double p_likeliest; /* its probability, all in all */
    const double
        *evidence[4];       /* d each: ln evidence of the ideas that input k is wrong:
                               alone, as one of two, as one of three, exchanged with
                               another; -inf: not compared. NULL: not known */
    double output_evidence; /* of the idea that y or the model is */
    const double *responsible; /* d: P(input k is at fault), alone or with others, all
                                  in all: probability (1 - output). This is the number
                                  that every report shows. Several that are wrong at
                                  once all count, so that with `output` they add up to 1
                                  plus P(two) plus 2 P(three) */
} gpa_culprit;

/** What would look normal if one input alone were wrong. */
typedef struct gpa_alone {
    double value;     /* numbers: the median, as it would stand in the row; NaN */
    double low, high; /* its 90 % interval */
    bool missing;     /* the row has no value: it would have been this one */
    /* flags, choices and one-hot groups: the levels as in gpa_marginal; else 0 */
    size_t levels;
    const double *level;
    const double *probability; /* adds up to 1; 0 of the present level */
    size_t best;               /* the likeliest */
} gpa_alone;

/** f along one input, all others as observed: what was asked for the culprits. */
typedef struct gpa_axis {
    size_t points;
    const double *change; /* ascending, in units; NULL for what has levels */
    const double *f;      /* points by rows: f of row t at point i is f[i * rows + t] */
    const double *level;  /* the levels, as in gpa_marginal; NULL for numbers */
    bool gap; /* the row has no value: `change` holds values in the input's own unit */
} gpa_axis;

/**
 * Explains the rows of `s` by one shared perturbation (one row: the usual case).
 * Without s->f the model is asked for it. The noise scale needs one of opt->b0,
 * opt->sigma or opt->context. `opt` may be NULL. A non-finite prediction at an observed
 * row is GPA_NUMERIC; at a perturbed point it is dropped and counted. The result owns
 * copies of everything it shows.
 */
GPA_API GPA_CHECKED gpa_status gpa_explain(gpa_explanation **out, gpa_model *m,
                                           const gpa_sample *s,
                                           const gpa_explain_options *opt,
                                           gpa_error *err);

/**
 * Takes one finished explanation, in the order of the jobs; it is freed afterwards.
 * Anything but GPA_OK stops the work and is returned by gpa_explain_many.
 */
typedef gpa_status (*gpa_explanation_sink)(void *ctx, size_t index,
                                           const gpa_explanation *e, gpa_error *err);

/**
 * Explains many rows of `all`, each on its own, on `threads` workers. Every explanation
 * equals the one gpa_explain gives for that row alone, whatever the number of workers
 * and the other rows. `all` is also the context, unless opt->context names one that the
 * rows are not among. all->f must be there. The sink is called from the calling thread
 * only. Memory stays constant in `n_rows`.
 */
GPA_API GPA_CHECKED gpa_status gpa_explain_many(gpa_model *m, const gpa_sample *all,
                                                const size_t *rows, size_t n_rows,
                                                size_t threads,
                                                const gpa_explain_options *opt,
                                                gpa_explanation_sink sink, void *ctx,
                                                gpa_error *err);

GPA_API void gpa_explanation_free(gpa_explanation *e);
GPA_API const gpa_summary *gpa_explanation_summary(const gpa_explanation *e);

/** How far it is: GPA_STAGE_WHOLE, unless opt->stage looks at it or has ended it. */
GPA_API gpa_stage gpa_explanation_stage(const gpa_explanation *e);

/** Number of rows explained together. */
GPA_API size_t gpa_explanation_rows(const gpa_explanation *e);

/** Number of inputs. */
GPA_API size_t gpa_explanation_dim(const gpa_explanation *e);

/** The most probable perturbation, one number per input, in units. */
GPA_API const double *gpa_explanation_delta(const gpa_explanation *e);

/** The same in the inputs' own units. */
GPA_API const double *gpa_explanation_delta_raw(const gpa_explanation *e);

/** The unit of each input. */
GPA_API const double *gpa_explanation_unit(const gpa_explanation *e);

/** Where row `t` stands in the context (or t itself without one). */
GPA_API size_t gpa_explanation_row(const gpa_explanation *e, size_t t);

/** The explained rows: inputs (row-major), outcomes, predictions, scores. */
GPA_API const double *gpa_explanation_x(const gpa_explanation *e);
GPA_API const double *gpa_explanation_y(const gpa_explanation *e);
GPA_API const double *gpa_explanation_f(const gpa_explanation *e);

/** Anomaly score of each row (eq. 1); NaN without sigma. */
GPA_API const double *gpa_explanation_score(const gpa_explanation *e);

/** Prediction at x + delta, one per row. */
GPA_API const double *gpa_explanation_f_moved(const gpa_explanation *e);

/** Noise scale b of each row. */
GPA_API const double *gpa_explanation_b(const gpa_explanation *e);

/** The distribution of input `k`; NULL when none was asked for. */
GPA_API const gpa_marginal *gpa_explanation_marginal(const gpa_explanation *e,
                                                     size_t k);

/** Whether the distributions may be shown as known: they rest on at least 50 effective
 * draws (exact), on a surrogate that is off by at most 4 noise scales, that enough
 * draws carry, whatever rows its ess counts, and that its last rows changed little, or
 * on no draws (paper, plugin). False also where there are none. Reports show neither
 * interval nor curve where it is false. */
GPA_API bool gpa_explanation_spread_known(const gpa_explanation *e);

/** The culprits; NULL when they were not asked for, or could not be found. */
GPA_API const gpa_culprit *gpa_explanation_culprit(const gpa_explanation *e);

/** What would look normal if input `k` alone were wrong, several rows: if all have
 * the same value; NULL without culprits, and for an input that is held. The columns of
 * a one-hot group share it. */
GPA_API const gpa_alone *gpa_explanation_alone(const gpa_explanation *e, size_t k);

/** f along input `k`; NULL when it was not asked (no culprits, held). The columns of a
 * one-hot group share it. */
GPA_API const gpa_axis *gpa_explanation_axis(const gpa_explanation *e, size_t k);

/** What the user should know about this explanation, one line each; NULL at the end. */
GPA_API const char *gpa_explanation_note(const gpa_explanation *e, size_t i);

#ifdef __cplusplus
}
#endif
#endif
