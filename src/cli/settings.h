#ifndef GPA_CLI_SETTINGS_H
#define GPA_CLI_SETTINGS_H
#include "cli/args.h"
#include "cli/limits.h"
#include "cli/load.h"
#include "cli/select.h"
#include <gpa/explain.h>

/* The options of an explanation as the command line gives them. */
struct settings {
    gpa_explain_options opt; /* borrows from the rest and from the loaded data */
    double *slopes, *start;  /* read from files */
    struct limits limits;
};

/* Reads them for the data at hand. */
gpa_status settings_read(struct settings *s, const struct load *l, const struct args *a,
                         gpa_error *err);
void settings_free(struct settings *s);

/* What gpa explain and gpa compare begin with: the model, the rows, those chosen among
 * them, and the options. */
gpa_status settings_prepare(struct settings *s, struct load *l,
                            struct selection *chosen, const struct args *a,
                            gpa_error *err);

/* What reports say about it; `*options`, to be freed, are the options as JSON. */
gpa_status settings_describe(gpa_report_info *info, char **options,
                             const struct load *l, const struct selection *chosen,
                             const struct args *a, gpa_error *err);

/* --threads, or the cores there are; no more than there are jobs. */
size_t settings_threads(const struct args *a, size_t jobs);

#endif
