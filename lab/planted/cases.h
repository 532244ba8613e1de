#ifndef GPA_LAB_PLANTED_CASES_H
#define GPA_LAB_PLANTED_CASES_H
#include "lab/planted/faults.h"
#include "study/options.h"
#include <dirent.h>

/* Sets of planted faults in a directory: NAME.csv (cases), NAME.batch.csv (unlabelled
 * rows) and NAME.meta.json (model, sigma, units); gpa(1) has their columns. */

/* The sets in the directory, or those that --set names, in alphabetical order. */
struct case_list {
    struct dirent **sets; /* d_name is NAME */
    size_t n;
};

gpa_status cases_list(struct case_list *l, const gpai_options *a, gpa_error *err);
void cases_list_free(struct case_list *l);

enum { REASON_SIZE = 200 };

/* Reads a set, whose name it borrows, and opens its model. A set whose model is not in
 * its description, nor given, leaves `reason` and no model. `worker` is the program
 * that runs pickled models: for sets that were made here, as a pickle can run anything;
 * else NULL. */
gpa_status cases_read(struct fault_set *s, const gpai_options *a, const char *name,
                      const char *worker, char reason[REASON_SIZE], gpa_error *err);

#endif
