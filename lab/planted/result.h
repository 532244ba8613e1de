#ifndef GPA_LAB_BENCH_TABLE_H
#define GPA_LAB_BENCH_TABLE_H
#include "lab/planted/plant.h"
#include "lab/planted/summary.h"
#include <stdio.h>

/* A set of planted faults and what came of it. */
struct bench_set {
    char *name, *model; /* model: NULL when it was skipped */
    char reason[200];   /* why it was */
    size_t inputs, rows;
    double sigma;
    struct tally tally;
};

/* The whole benchmark, for writing. */
struct bench {
    struct bench_set *sets;
    size_t n_sets, n_run;
    struct tally mean; /* when more than one was run */
    const struct rival *rivals[RIVALS_MOST];
    size_t n_rivals;
    uint64_t seed;
    const struct planting *planting; /* NULL with --cases */
    const char *const *features;     /* with planting */
};

void bench_write_table(FILE *f, const struct bench *b);
void bench_write_json(FILE *f, const struct bench *b);

#endif
