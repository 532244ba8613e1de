#ifndef GPAI_EXPLAIN_PLOT_H
#define GPAI_EXPLAIN_PLOT_H
#include "report/view.h"

/* What the pictures of one explanation share. */
typedef struct gpai_sketch {
    gpa_report_info info; /* complete */
    gpai_view view;
    size_t *inputs;     /* d: those that may move, as to be shown; all where none may */
    size_t n;           /* how many there are */
    const char **names; /* d, of all inputs */
    char *rooms;        /* for inputs without a name */
    double *numbers;    /* as many as were asked for, zeroed */
} gpai_sketch;

/* Checks, orders the inputs and takes room for so many numbers. */
gpa_status gpai_sketch_make(gpai_sketch *s, const gpa_text *t,
                            const gpa_report_info *info, const gpa_explanation *e,
                            size_t numbers, gpa_error *err);
void gpai_sketch_free(gpai_sketch *s);

/* Where a row stands in the background; its n when it does not. */
size_t gpai_background_place(const gpa_background *b, size_t row);

#endif
