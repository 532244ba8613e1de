#ifndef GPAI_ENGINE_CULPRIT_VERDICT_H
#define GPAI_ENGINE_CULPRIT_VERDICT_H
#include "engine/culprit/subsets.h"
#include <gpa/explain.h>

/* From evidence to probabilities and a verdict: what is believed before anything is
 * seen, and where the lines are drawn. All its constants are in verdict.c. */
typedef struct gpai_causes {
    size_t axes;
    const gpai_subset *subset; /* in any order; every axis alone among them */
    size_t subsets;
    bool reference; /* reference rows said what is plausible */
    bool triples;   /* three inputs may be wrong at once */
    double output;  /* ln evidence of "y or the model" */
    double prior;   /* P(y or the model) beforehand; NaN: as of every input */
    double guessed; /* P(an input whose true value lies where f has no value) */
    size_t rows;    /* that are explained together; 0: one */
    double rms;     /* root mean square of (y - f) / sigma */
    double errors;  /* several rows: their mean, in standard errors */
} gpai_causes;

/* ln Z, the evidence of "an input"; P(axis, if an input is wrong) into `probability`,
 * and the subsets' shares into `weight`. */
double gpai_causes_inputs(const gpai_causes *c, double *weight, double *probability);

/* P(axis, if exactly one is wrong). */
void gpai_causes_single(const gpai_causes *c, double *single);

/* P(no input, but y or the model). `inputs`: ln Z. */
double gpai_causes_output(const gpai_causes *c, double inputs);

/* Whether the deviation is nothing unusual, whoever it is. */
bool gpai_causes_normal(const gpai_causes *c);

/* best: the largest probability of an axis. */
gpa_verdict gpai_causes_verdict(const gpai_causes *c, double best, double output);

#endif
