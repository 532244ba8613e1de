#ifndef GPA_LAB_PLANT_H
#define GPA_LAB_PLANT_H
#include "console/args.h"
#include "lab/planted/faults.h"

/* Plants faults in the user's own rows. */

enum { PLANTED_KINDS = 4 };

/* What was done. */
struct planting {
    double quantile, threshold; /* of |y - f|: what a fault has to exceed */
    size_t normal;              /* rows to spoil: |y - f| up to the median */
    unsigned char *able;        /* d: a fault of this input can exceed it */
    size_t n_able;
    uint64_t model_rows; /* asked while planting */
    struct {
        const char *kind;
        size_t wanted, made;
    } kinds[PLANTED_KINDS];
};

/* Makes k single faults, k / 2 double ones, k / 2 of the output and k / 4 shared by
 * five rows. `l` has its units and outlives `s`, which borrows its model. */
gpa_status plant(struct fault_set *s, struct planting *p, const gpa_study *l, size_t k,
                 uint64_t seed, gpa_error *err);
void planting_free(struct planting *p);

#endif
