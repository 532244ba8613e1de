#ifndef GPA_CLI_SELECT_H
#define GPA_CLI_SELECT_H
#include "cli/args.h"
#include <gpa/status.h>

/* The rows a command is about, in the order in which it shows them. */
struct selection {
    size_t *rows;
    size_t n;
    char *text; /* --rows in a canonical form, whatever the order given; or NULL */
};

/* Chooses among `n` rows by --rows, --top, --threshold or --all. Without any: all of
 * them when `all`, else the worst. Worst first with --top and `worst_first`, ascending
 * otherwise; ties by row. */
gpa_status select_rows(struct selection *s, const struct args *a, const double *score,
                       size_t n, bool all, bool worst_first, gpa_error *err);
void select_free(struct selection *s);

#endif
