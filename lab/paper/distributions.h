#ifndef GPA_LAB_PAPER_DISTRIBUTIONS_H
#define GPA_LAB_PAPER_DISTRIBUTIONS_H
#include "lab/paper/paper.h"

/* What is to be shown of an explanation's distributions. */
struct distributions {
    const char *name, *title, *caption; /* of the files; of the table; of the picture */
    const char *const *inputs;
    size_t hidden;                /* this input is left out; SIZE_MAX: none is */
    const gpa_attribution *other; /* its normal distributions beside them, or NULL */
};

/* A table of them, input by input (MAP, mean, 90 % interval, information), and the
 * picture. */
gpa_status paper_distributions(struct paper *p, const struct distributions *of,
                               const gpa_explanation *e, gpa_error *err);

#endif
