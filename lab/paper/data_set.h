#ifndef GPA_LAB_PAPER_DATA_SET_H
#define GPA_LAB_PAPER_DATA_SET_H
#include "lab/paper/paper.h"
#include "study/study.h"

/* One of the paper's data sets. */
struct data_set {
    const char *name, *label; /* "boston", "Boston Housing" */
    const char *kind;         /* of model */
    double kappa, cb, eta;    /* of the paper's table 2 */
    bool per_row;             /* eta and kappa go by the number of rows */
};

const struct data_set *data_set_find(const char *name);

/* Sets options of a study: words "name=value", or "name" for a flag. */
gpa_status study_set_words(gpa_study *s, gpa_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The model, the rows and (for compare) the reference rows in a folder: model.json,
 * test.csv, train.csv. */
gpa_status data_set_files(gpa_study *s, const char *folder, gpa_error *err);

/* Asks `command` (explain or compare) about the `top` held-out rows of highest score,
 * each for itself or `together`, with the paper's choices and then `more` words.
 * The set's model is trained first if need be. To be freed, also on failure. */
gpa_status data_set_ask(gpa_study **out, struct paper *p, const struct data_set *set,
                        const char *command, size_t top, bool together,
                        const char *more, gpa_error *err);

/* Which input has this name; SIZE_MAX: none. */
size_t data_set_input(const gpa_study *s, const char *name);

/* A picture of two inputs against y in the held-out rows, with the chosen rows marked
 * and their change, where it is known. */
gpa_status data_set_scatter(struct paper *p, const gpa_study *s, const size_t inputs[2],
                            const double *delta, gpa_error *err);

#endif
