#ifndef GPAI_ENGINE_CULPRIT_CULPRIT_H
#define GPAI_ENGINE_CULPRIT_CULPRIT_H
#include "engine/culprit/density/crowd.h"
#include "engine/culprit/exchange.h"
#include "engine/culprit/moves.h"
#include "engine/culprit/subsets.h"
#include "engine/profile.h"
#include <gpa/explain.h>

/* Who did it: every hypothesis "these inputs are wrong, all others right" has an
 * evidence: the sum over what their values might have been of the chance that what is
 * recorded is a wrong reading of them, of how plausible the repaired row is, and of the
 * likelihood. So has "y is off". One input, two and three are compared. Reference rows,
 * where there are some, say what is plausible. */

typedef struct gpai_culprit_options {
    gpa_culprit_mode mode;   /* ON or BASIC */
    double sigma;            /* spread of y - f on normal rows */
    double spread;           /* of f on normal rows; NaN: not known */
    double output_prior;     /* P(y or the model) beforehand; NaN: as of every input */
    const gpai_crowd *crowd; /* of the axes of the space; NULL: none */
} gpai_culprit_options;

typedef struct gpai_culprit {
    size_t d, axes;
    /* one per input; the members of a one-hot group have `probability` in common and
     * `single` in equal parts; held inputs have 0 */
    double *probability; /* P(input k wrong), alone or with others, if any is */
    double *single;      /* P(it is k), if exactly one is; adds up to 1 */
    double *median;      /* of delta_k in units if k alone moved; NaN of a choice, and
                            of a missing value */
    double *low, *high;  /* its 90 % interval */
    size_t *set90;       /* fewest inputs whose `single` reach 0.9, likeliest first */
    size_t n_set90;
    size_t first;  /* the input with the largest `probability` */
    double output; /* P(no input, but y or the model) */
    gpa_verdict verdict;
    size_t reference; /* reference rows the answer rests on; 0: none */

    double *axis_probability, *axis_single, *axis_evidence; /* per axis; the last ln */
    double *varies;      /* axes: P(each row by another amount), if it alone is wrong */
    bool *silent;        /* axes: f is blind to it, and it does not fit (context.h) */
    double *guessed;     /* axes: the share of its evidence that f has no value for */
    gpai_single *alone;  /* axes: places, and ln of their evidence */
    gpai_subset *subset; /* all that were compared, with their evidence */
    size_t subsets;
    double input_evidence, output_evidence; /* ln Z, ln E_y */
    double *evidence[4]; /* d: ln of the sum over the subsets with an input: itself, of
                            two, of three, exchanged */
    size_t likeliest;    /* the subset of the largest posterior weight */
    double p_likeliest;  /* which is this, if an input is wrong */
    double *block;
} gpai_culprit;

/* f is asked some six units away and no farther. A value further out than
 * that (a slipped decimal point) could never be repaired, so its unit grows with its
 * distance from the median (d; NaN: not known; NULL: none is). d units; gives whether
 * one is not the problem's own. */
bool gpai_culprit_units(const gpai_problem *p, const double *median, double *unit);

/* Gives the space the prior of culprits, and plans what its axes might have been, and
 * which of them might be exchanged. crowd: of its axes, or NULL (no axis may then be a
 * gap, and nothing is exchanged). Both to be freed. */
gpa_status gpai_culprit_plan(gpai_moves **moves, gpai_exchanges *exchanges,
                             const gpai_problem *p, gpai_space *s,
                             const gpai_crowd *crowd, gpa_error *err);

/* Rows that gpai_culprit_ask asks at most, in all its calls. */
uint64_t gpai_culprit_rows(const gpai_space *s, size_t n);

/* f along all axes as the culprit search wants it, into a new profile: 24 moves of a
 * line, whatever is listed, and the exchanges, in two calls: the second asks every
 * other move of a line, but for those between two that are answered alike. Beyond 25
 * axes 8 of a line, and then 24 of the 8 likeliest. `f`: the predictions of the rows,
 * where they are known, or NULL. The problem must be open (its a, b, eta and nu are not
 * used). gpai_profile_close frees.
 */
gpa_status gpai_culprit_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const gpai_moves *moves, gpai_exchanges *exchanges,
                            double sigma, const double *f, gpa_error *err);

/* The verdict from such a profile, without asking the model. gpai_culprit_close frees.
 */
gpa_status gpai_culprit_weigh(gpai_culprit *c, const gpai_problem *p,
                              const gpai_space *s, const gpai_moves *moves,
                              const gpai_exchanges *exchanges, const gpai_profile *r,
                              const gpai_culprit_options *opt, gpa_error *err);
void gpai_culprit_close(gpai_culprit *c);

/* The first place at which the shares in an axis' evidence reach u; NaN: it has none.
 */
double gpai_culprit_quantile(const gpai_single *alone, double u);

#endif
