#ifndef GPA_WATCH_NORMAL_H
#define GPA_WATCH_NORMAL_H
#include "study/study.h"
#include "watch/records.h"

/* What is normal: rows, and what follows from them. It follows ordinary rows, slowly:
 * every TEACH_EVERY-th of them takes the place of the oldest, and when an eighth was
 * renewed, sigma and the units are taken anew. All of it depends on the rows alone,
 * never on the clock or on how they were bundled. */

enum { NORMAL_ROWS = 4096, TEACH_EVERY = 32 };

struct normal {
    gpai_normal now; /* borrows from the rest */
    size_t n, d;
    double *block; /* owns the arrays */
    double *x, *y, *f, *center, *unit;
    struct force force; /* renewed: the oldest row is the next to go */
    uint64_t taught;    /* ordinary rows so far */
    double factor;      /* sigma is this times the spread of the ordinary rows */
    double given;       /* --threshold; NaN: four sigma */
    bool follow, keep_sigma, keep_units;
};

gpa_status normal_open(struct normal *w, const gpa_study *s, const gpai_options *a,
                       gpa_error *err);
void normal_close(struct normal *w);

/* An ordinary row, y less the offset; whether anything changed for the next one. */
bool normal_teach(struct normal *w, const double *x, double y, double f);
/* What follows from sigma: to be called when it was set. */
void normal_settle(struct normal *w);

/* How many of the rows are anomalies themselves. */
size_t normal_strange(const struct normal *w);

#endif
