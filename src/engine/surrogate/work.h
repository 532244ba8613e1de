#ifndef GPAI_ENGINE_SURROGATE_WORK_H
#define GPAI_ENGINE_SURROGATE_WORK_H
#include "engine/marginals/marginals.h"
#include "engine/surrogate/free_draws.h"
#include "engine/surrogate/lines.h"
#include "engine/surrogate/sweeps.h"

/* What the files of this corner share: one surrogate while its distributions are being
 * worked out (docs/methods.md, "The distribution of each input's perturbation"). The
 * rounds, the shares and the steps of the fit were chosen on seven models against runs
 * of millions of draws; the rest keeps arithmetic and memory within bounds. */
enum {
    GPAI_SURROGATE_FIRST = 32, /* draws of the prior, before the rounds */
    GPAI_SURROGATE_ROUND = 88, /* draws of a round at least */
    GPAI_SURROGATE_LEAST = 2,  /* rounds */
    GPAI_SURROGATE_ROUNDS = 5,
    /* a failed test may be followed by further rounds, and the last fit has none */
    GPAI_SURROGATE_FITS = GPAI_SURROGATE_ROUNDS + 4,
    GPAI_SURROGATE_TEST = 8,    /* draws kept to test the last fit where its mass is */
    GPAI_SURROGATE_TENTHS = 10, /* of the prior of an input: see beside.c */
    GPAI_SURROGATE_CHAINS = 1024,
    GPAI_SURROGATE_FINAL_SWEEPS = 3, /* of the last fit */
    GPAI_SURROGATE_FREE = 16384,     /* free draws that there is room for */
    /* as many must carry their weight: moments of fewer are none. Chosen */
    GPAI_SURROGATE_LEAST_FREE = 50,
    GPAI_SURROGATE_CHUNK = 1024 /* points predicted together */
};

typedef struct gpai_surrogate {
    gpai_problem *p;
    const gpai_space *s;
    const gpai_vectors *v;
    size_t axes, n, draws, ld; /* ld: draws in whole vectors */
    size_t batch;              /* draws asked together at most */
    bool stepped;              /* f is */
    gpai_cells cells;
    gpai_lines lines;
    gpai_sobol prior, free;
    gpai_rng rng, moves; /* of the sweeps, of the rows beside */
    gpai_kriging kriging;
    gpai_kriging_fit fit[GPAI_SURROGATE_FITS];
    gpai_widened *lik; /* GPAI_SURROGATE_FITS by n */
    double *table;     /* GPAI_SURROGATE_FITS by n by GPAI_WIDENED + 1 */
    double power[GPAI_SURROGATE_FITS];     /* of its likelihood: see find_power */
    double log_norm[GPAI_SURROGATE_FITS];  /* of its posterior */
    size_t count[GPAI_SURROGATE_FITS];     /* draws from it; the last one's stays 0 */
    size_t begin[GPAI_SURROGATE_FITS + 1]; /* where the draws after it begin, */
    size_t prior_of[GPAI_SURROGATE_FITS];  /* and how many of those are of the prior */
    size_t prior_count, done, fits;        /* draws of the prior, of all; fits so far */
    size_t beside;                         /* rows that are no draws: the last ones */
    gpai_free_draws free_draws;
    gpai_sweeps sweeps;
    double **middle;        /* axes: z of each value, where they are few; or NULL */
    double *middles;        /* theirs */
    double *chain;          /* GPAI_SURROGATE_CHAINS by axes */
    double *before;         /* axes by most cells: the masses of the last round */
    double *centre, *scale; /* axes: of their cells */
    size_t wide;            /* most cells */
    bool swept, drawn;      /* the last round had sweeps; so had the one before it */
    double change;          /* since then */
    size_t chains;          /* of the last round */
    gpai_rng after;         /* random numbers behind its own */
    double fitted;          /* share of its free draws that is effective; 0: none yet */
    double *z, *f, *log_w;  /* draws by axes, by n, by 1 */
    size_t *met;            /* axes by GPAI_SURROGATE_TENTHS: rows there */
    double *root;           /* draws: softened weights */
    double *log_q;          /* GPAI_SURROGATE_FITS by draws: density over the prior's */
    double *delta;          /* batch by d */
    double *snapped;        /* GPAI_SURROGATE_CHUNK by axes */
    double *predicted;      /* n by GPAI_SURROGATE_CHUNK */
    double *error;          /* n: mean square errors of the last fit, */
    double *v_t;            /* and without what is outlying */
    const gpai_paid *paid;
    double *known_z, *known_f;  /* most by axes, by n: those in use */
    unsigned char *use;         /* paid->known: see rows.c */
    size_t usable, known, most; /* that can be used, that are, that have room */
    double ess;
    bool still, tested, failed;
    double off; /* what the test found, in noise scales */
    double *block, *free_block;
} gpai_surrogate;

/* work.c: memory */
/* Draws of the prior before the rounds. */
size_t gpai_surrogate_first(const gpai_surrogate *w);
size_t gpai_surrogate_round(const gpai_surrogate *w, size_t first);
/* Draws of a test. */
size_t gpai_surrogate_tests(const gpai_surrogate *w);
/* Draws that are kept for tests: for two, where there are enough. */
size_t gpai_surrogate_kept(const gpai_surrogate *w);
gpa_status gpai_surrogate_open(gpai_surrogate *w, const gpai_profile *profile,
                               uint64_t seed, uint64_t stream, gpa_error *err);
void gpai_surrogate_close(gpai_surrogate *w);
/* n places z as the surrogate knows them: all of a value are one. */
void gpai_surrogate_snap(const gpai_surrogate *w, double *z, size_t n);

/* rows.c: rows of the model and their weights */
/* Finds out which known answers can be used. */
void gpai_surrogate_know(gpai_surrogate *w);
/* Takes over up to so many that are not yet, evenly spaced ones of too many. */
void gpai_surrogate_use(gpai_surrogate *w, size_t most);
/* Asks the model for the draws from w->done up to `end` and for so many rows before
 * those that are beside already, in one call, and hands them to kriging. */
gpa_status gpai_surrogate_ask(gpai_surrogate *w, size_t end, size_t beside,
                              gpa_error *err);
/* total[i] += power ln lik~ of the points z (n by axes) under a fit. */
void gpai_surrogate_likelihood(const gpai_surrogate *w, size_t fit, double power,
                               const double *z, size_t n, double *total);
/* ln of the density of fit c's posterior over the prior's, at the draws from `from`. */
void gpai_surrogate_component(gpai_surrogate *w, size_t c, size_t from);
/* Weights of the true rows; false when no prediction is finite. */
bool gpai_surrogate_weigh(gpai_surrogate *w);
/* exp(power (log_w - peak)) over its sum into `to`; how many draws carry it. */
double gpai_surrogate_share(const gpai_surrogate *w, double power, double peak,
                            double *to);
/* The mean of likelihood over what each draw's own round was drawn from. Later rounds
 * are left out of it, unlike in the weights: a fit is exact at the rows it was made
 * from, and their share of the evidence would come out too small. */
double gpai_surrogate_evidence(const gpai_surrogate *w);

/* fit.c */
/* Fits all rows asked so far; the fit's own error goes with it. The last fit is the one
 * behind the result: it takes more pains, and has no round after it. */
gpa_status gpai_surrogate_fit(gpai_surrogate *w, bool last, gpa_error *err);
/* The largest error of the last fit, in noise scales. */
double gpai_surrogate_error(const gpai_surrogate *w);

/* beside.c: chooses so many rows beside the last fit's posterior, before those that are
 * there already. */
void gpai_surrogate_move(gpai_surrogate *w, size_t count);

/* draws.c: its posterior */
size_t gpai_surrogate_free(const gpai_surrogate *w);
/* Free draws of the last fit's posterior; passes until they fit it, or as well as a
 * normal can. Other draws each round, so that none is picked twice. */
bool gpai_surrogate_sample(gpai_surrogate *w, size_t n, double power, size_t passes,
                           double enough);
/* The marginals of this round, and what they changed. Where f is not finite everywhere
 * there are none: the free draws must do. */
void gpai_surrogate_look(gpai_surrogate *w);
/* Asks `count` rows: draws of the prior, rows beside the last fit's posterior, and for
 * the rest draws of it. */
gpa_status gpai_surrogate_next(gpai_surrogate *w, size_t prior, size_t beside,
                               size_t count, gpa_error *err);
/* Chains of the last round that few draws carry begin again, at as many free draws as
 * there is room for. */
void gpai_surrogate_begin_anew(gpai_surrogate *w);
/* The last fit's posterior becomes the result. */
void gpai_surrogate_show(gpai_surrogate *w);

#endif
