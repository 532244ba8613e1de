#ifndef GPA_CLI_OTHER_METHODS_H
#define GPA_CLI_OTHER_METHODS_H
#include "cli/args.h"
#include "cli/load.h"
#include <gpa/attribute.h>

/* What the command line says about the methods beside gpa, and which ones to run. */
struct other_methods {
    gpa_attribute_options opt; /* opt.explain is left to the caller */
    const char **names;        /* --methods, or NULL: all */
    size_t n_names;
    double *baseline;
    size_t *sv_rows, *sv_orders;
    char *list;
};

gpa_status other_methods_read(struct other_methods *o, const struct load *l,
                              const struct args *a, gpa_error *err);
void other_methods_free(struct other_methods *o);

#endif
