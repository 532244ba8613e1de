#ifndef GPA_LAB_PLANTED_H
#define GPA_LAB_PLANTED_H
#include "lab/planted/plant.h"
#include "lab/planted/summary.h"

/* A set of planted faults and what came of it. */
struct set_result {
    const char *name; /* borrowed */
    char *model;      /* NULL when it was skipped */
    char reason[200]; /* why it was */
    size_t inputs, rows;
    double sigma;
    const struct summary *summary;
};

/* The whole benchmark, for writing. */
struct planted_result {
    struct set_result *sets;
    struct summary *summaries; /* of those that were run */
    size_t n_sets, n_run;
    struct marked *marked;    /* of those */
    bool tables;              /* sets are shown in a line each */
    struct summary mean, all; /* when more than one was run */
    const struct asked_method *methods[METHODS_MOST];
    size_t n_methods;
    uint64_t seed;
    const struct planting *planting; /* NULL with --cases */
    const char *const *inputs;       /* with planting */
};

void result_table(gpa_text *t, const struct planted_result *r);
void result_json(gpa_text *t, const struct planted_result *r);

/* Runs `gpa bench planted`, whose words have been read, for a program started by this
 * name; the exit code. */
int planted_run(const gpai_options *a, const char *program);

#endif
