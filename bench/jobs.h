#ifndef BENCH_JOBS_H
#define BENCH_JOBS_H

#include <gpa/gpa.h>
#include <stddef.h>

/* The problems, as bench/sets.py writes them:
 *
 *     model SPEC
 *     config TEXT                       (or - for none)
 *     job NAME n d eta nu a b kappa     then n lines `y x_1 ... x_d`
 *
 * n > 1 rows are explained together. A mistake in the file ends the program. */
typedef struct job {
    char name[64];
    size_t n, d;
    double eta, nu, a, b, kappa;
    double *x, *y, *f; /* f: the model's predictions of the rows */
} job;

typedef struct jobs {
    gpa_model *model;
    job *list;
    size_t count;
} jobs;

void jobs_open(jobs *all, const char *path);
void jobs_close(jobs *all);

#endif
