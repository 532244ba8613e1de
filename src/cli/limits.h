#ifndef GPA_CLI_LIMITS_H
#define GPA_CLI_LIMITS_H
#include "cli/load.h"

/* --freeze, --bounds, --integer, --onehot as arrays over the inputs. */
struct limits {
    unsigned char *frozen, *integer;
    double *lower, *upper;
    size_t *onehot;
};

/* Reads the options and points opt at what they say. */
gpa_status limits_read(struct limits *m, const struct load *l, const struct args *a,
                       gpa_explain_options *opt, gpa_error *err);
void limits_free(struct limits *m);

#endif
