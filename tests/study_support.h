#ifndef GPA_TESTS_STUDY_SUPPORT_H
#define GPA_TESTS_STUDY_SUPPORT_H
#include "support.h"

#include <gpa/gpa.h>
#include <math.h>

/* y = 3 a + b, observed with an error of +-0.1 in turn; row 7 has a too high by 2. */
enum { ROWS = 40, DIM = 2, ODD = 7 };

struct world {
    char csv[8192];
    double x[ROWS * DIM], y[ROWS]; /* a, b */
    gpa_table *table;
    gpa_model *model;
    size_t asked;
};

static inline int linear(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct world *w = ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = 3 * x[i * d] + x[i * d + 1];
    w->asked += n;
    return 0;
}

/* Columns a, b, y; or id, b, a, y, where rows have names. */
static inline void make(struct world *w, bool named)
{
    size_t used =
        (size_t)snprintf(w->csv, sizeof w->csv, named ? "id,b,a,y\n" : "a,b,y\n");
    for (size_t i = 0; i < ROWS; i++) {
        double a = sin((double)i), b = cos(2.0 * (double)i);
        w->y[i] = 3 * a + b + (i % 2 == 0 ? 0.1 : -0.1);
        w->x[i * DIM] = a + (i == ODD ? 2 : 0);
        w->x[i * DIM + 1] = b;
        if (named)
            used += (size_t)snprintf(w->csv + used, sizeof w->csv - used, "r%zu,", i);
        used += (size_t)snprintf(w->csv + used, sizeof w->csv - used,
                                 "%.17g,%.17g,%.17g\n", w->x[i * DIM + (size_t)named],
                                 w->x[i * DIM + (size_t)!named], w->y[i]);
    }
    gpa_table_options how;
    gpa_table_options_init(&how);
    how.text_column = named ? "id" : NULL;
    assert_int_equal(gpa_table_parse(&w->table, w->csv, used, "rows.csv", &how, NULL),
                     GPA_OK);
    assert_int_equal(gpa_model_from_callback(&w->model, linear, w, DIM, NULL), GPA_OK);
}

static inline void drop(struct world *w)
{
    gpa_model_free(w->model);
    gpa_table_free(w->table);
}

#endif
