#ifndef GPAI_METHODS_CONSISTENCY_H
#define GPAI_METHODS_CONSISTENCY_H
#include "result/comparison.h"

/* Mean and standard deviation of each figure over n rows; NaN figures are left out. */
void gpai_consistency(const gpa_agreement *a, size_t n, gpa_consistency *out);

/* When all cells are filled: the consistency of every method with gpa. */
gpa_status gpai_comparison_finish(gpa_comparison *c, gpa_error *err);

#endif
