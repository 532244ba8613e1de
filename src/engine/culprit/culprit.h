#ifndef GPAI_ENGINE_CULPRIT_CULPRIT_H
#define GPAI_ENGINE_CULPRIT_CULPRIT_H
#include "engine/profile.h"
#include <gpa/explain.h>

/* Who did it: every hypothesis "these inputs are off by delta, all others are right"
 * gets an evidence, the mean of its likelihood over the prior of delta; so does "y is
 * off". One input, two and three are compared. Reference rows, where there are some,
 * say how plausible the repaired rows are. */

/* The prior of a culprit's move, in units; not the prior of the explanation. Chosen on
 * planted faults: so wide that a fault of several units is no surprise
 * (docs/methods.md, "Who did it"). */
#define GPAI_CULPRIT_ETA 0.1
#define GPAI_CULPRIT_NU  0.5

typedef struct gpai_culprit_options {
    gpa_culprit_mode mode;   /* ON or BASIC */
    double sigma;            /* spread of y - f on normal rows */
    const double *reference; /* reference rows, n_reference by d; NULL: none */
    size_t n_reference;      /* fewer than 20 are as good as none */
} gpai_culprit_options;

typedef struct gpai_culprit {
    size_t d, axes;
    /* one per input; the members of a one-hot group have `probability` in common and
     * `single` in equal parts; frozen inputs have 0 */
    double *probability; /* P(input k moved), alone or with others */
    double *single;      /* evidence of "k alone", adds up to 1 */
    double *median;      /* of delta_k in units if k alone moved */
    double *low, *high;  /* its 90 % interval */
    size_t *set90;       /* fewest inputs whose `single` reach 0.9, likeliest first */
    size_t n_set90;
    size_t first;  /* the input with the largest `probability` */
    double output; /* P(no input: y or the model is at fault) */
    gpa_verdict verdict;
    size_t reference; /* reference rows the answer rests on; 0: none */

    double *axis_probability, *axis_single, *axis_evidence; /* per axis; the last ln */
    double input_evidence, output_evidence; /* ln Z, ln E_y: P(output) = E/(E + M Z) */
    double *block;
} gpai_culprit;

/* Rows that gpai_culprit_ask asks at most, in all its calls. */
uint64_t gpai_culprit_rows(const gpai_space *s, size_t n);

/* f along all axes as the culprit search wants it, into a new profile: 24 moves each in
 * one call; beyond 25 axes 8 each and then 24 of the 8 likeliest. `f`: the predictions
 * of the rows, where they are known, or NULL. The problem must be open (its a, b, eta
 * and nu are not used). gpai_profile_close frees. */
gpa_status gpai_culprit_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            double sigma, const double *f, gpa_error *err);

/* The verdict from such a profile, without asking the model. gpai_culprit_close frees.
 */
gpa_status gpai_culprit_weigh(gpai_culprit *c, const gpai_problem *p,
                              const gpai_space *s, const gpai_profile *r,
                              const gpai_culprit_options *opt, gpa_error *err);
void gpai_culprit_close(gpai_culprit *c);

#endif
