#ifndef GPAI_DATA_LEVELS_H
#define GPAI_DATA_LEVELS_H
#include <gpa/data.h>

/* The dictionary of a column: its texts as codes 0, 1, 2, … */

enum { GPAI_MOST_LEVELS = 100000 }; /* more texts than that are no input */

typedef struct gpai_levels {
    size_t n;
    char **name; /* by code: those given, then the others in the order of their bytes */
    double *code; /* of each row, then of each row of the other table; NaN: missing */
    size_t *slot; /* hash table from names to code + 1; 0 is free */
    size_t n_slots;
} gpai_levels;

/* The texts of a column, and of the same column in another table (NULL: there is none).
 * `given` (n_given names) fixes the first codes, whether or not the texts occur. What
 * is missing has no code (gpai_table_missing). A column of numbers has texts, too: true
 * and false, numbers with the zeros in front of them, numbers in their shortest form.
 * GPA_DATA when there are more than GPAI_MOST_LEVELS, GPA_INVALID when a name is given
 * twice. To be closed in any case. */
gpa_status gpai_levels_open(gpai_levels *l, const gpa_table *t, size_t column,
                            const gpa_table *other, size_t other_column,
                            const char *const *given, size_t n_given, gpa_error *err);

void gpai_levels_close(gpai_levels *l);

/* The code of a text; l->n: it is none. */
size_t gpai_levels_find(const gpai_levels *l, const char *text);

#endif
