#ifndef GPA_CLI_BACKGROUND_H
#define GPA_CLI_BACKGROUND_H
#include "cli/load.h"
#include "cli/select.h"

/* The rows that the chosen ones are seen against in pictures: all of FILE, or, of more
 * than BACKGROUND_ROWS, evenly spaced ones and the chosen. */
enum { BACKGROUND_ROWS = 2000, BACKGROUND_NUMBERS = 2000000 };

struct background {
    gpa_background view;
    size_t *rows;
    double *numbers;
};

gpa_status background_make(struct background *b, const struct load *l,
                           const struct selection *chosen, gpa_error *err);
void background_free(struct background *b);

#endif
