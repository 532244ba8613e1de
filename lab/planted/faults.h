#ifndef GPA_LAB_FAULTS_H
#define GPA_LAB_FAULTS_H
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
    double *x, *y;         /* n by d, n: what was observed; x owns all arrays */
    double *repair;        /* d: what undoes the fault, in the data's units */
    double *source;        /* n: the normal rows it was made of */
    unsigned char *guilty; /* d */
};

enum { FAULT_KINDS = 16 };

struct fault_set {
    const char *name; /* borrowed */
    char *model_name; /* for people */
    gpa_study *study; /* has the model, where the set has one of its own */
    gpa_model *model; /* NULL: there is none */
    size_t d;
    double sigma;
    double *unit; /* d */
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

/* Marks input k as guilty. */
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
