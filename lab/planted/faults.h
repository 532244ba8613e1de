#ifndef GPA_LAB_FAULTS_H
#define GPA_LAB_FAULTS_H
#include "study/kinds.h"
#include <gpa/gpa.h>
#include <gpa/study.h>
#include <stdbool.h>
#include <stddef.h>

/* Faults planted on purpose, so that who did it is known. */

/* What the cases of one kind have in common. */
struct fault_kind {
    char name[32];
    size_t culprits; /* inputs at fault; 0: the output is */
    size_t rows;     /* per case */
    size_t cases;
};

/* One case: one or more rows that share a fault. */
struct fault {
    size_t kind, n, culprits;
    bool gap;              /* an input is missing; counted for itself */
    double weight;         /* of its P(output), so that all causes are equally likely;
                            * 0: it does not count. Once it was marked */
    double *x, *y;         /* n by d, n: what was observed; x owns all arrays */
    double *repair;        /* d: what undoes the fault, in the data's units */
    double *source;        /* n: the normal rows it was made of */
    unsigned char *guilty; /* d */
};

enum { FAULT_KINDS = 16 };

/* What the values of an input have in common in the unlabelled rows, so that others
 * cannot exist. */
struct habit {
    bool never_negative, whole, two_values;
    double value[2]; /* the lowest and the highest */
};

struct fault_set {
    const char *name; /* borrowed */
    char *model_name; /* for people */
    gpa_study *study; /* has the model, where the set has one of its own */
    gpa_model *model; /* NULL: there is none */
    size_t d;
    double sigma;
    double spread;           /* of f over the unlabelled rows; NaN: not known */
    double *unit;            /* d */
    gpai_known_kinds known;  /* of inputs, where the set has them for itself */
    const gpa_input *inputs; /* d: what they are; NULL: numbers */
    gpa_input *numbers;      /* d: the same with every input but text a number */
    size_t *axis;            /* d: the first column of its one-hot group; else itself */
    struct habit *habits;    /* d */
    struct fault *faults;
    size_t n_faults, room;
    struct fault_kind kinds[FAULT_KINDS];
    size_t n_kinds;
    double *rows;       /* n_rows by d: unlabelled rows */
    double *row_number; /* n_rows: their numbers in the sense of `source` */
    size_t n_rows;
};

/* The kind of this name; n: there is none. */
size_t faults_find_kind(const struct fault_kind *kinds, size_t n, const char *name);

/* Adds a case with n rows of zeros, guilty of nothing. */
gpa_status faults_add(struct fault_set *s, const char *kind, size_t n,
                      struct fault **out, gpa_error *err);

/* Room for what there is by input: after d is known, before cases are added. */
gpa_status faults_inputs(struct fault_set *s, gpa_error *err);

/* Says what the inputs are: `inputs` is borrowed. Columns that `group` (NULL: as in
 * `inputs`) gives one number count as one input, 0 is none. */
void faults_kinds(struct fault_set *s, const gpa_input *inputs, const size_t *group);

/* What the unlabelled rows tell: habits, and how far f spreads. */
gpa_status faults_learn(struct fault_set *s, gpa_error *err);

/* Whether input k cannot have that value. */
bool faults_impossible(const struct fault_set *s, size_t k, double value);

/* Marks input k (of a one-hot group: the group) as guilty. */
void faults_blame(struct fault_set *s, struct fault *f, size_t k);

/* Forgets all but the first `most` cases of each kind. */
void faults_limit(struct fault_set *s, size_t most);

/* The unlabelled rows without a case's own into `out` (n_rows by d); how many. */
size_t faults_others(const struct fault_set *s, const struct fault *f, double *out);

/* The kind that an output fault is told apart from: the first one with one culprit and
 * as many rows; n_kinds when there is none. */
size_t faults_opponent(const struct fault_kind *kinds, size_t n, size_t kind);

void faults_free(struct fault_set *s);

#endif
