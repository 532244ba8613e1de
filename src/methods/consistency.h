#ifndef GPAI_CONSISTENCY_H
#define GPAI_CONSISTENCY_H
#include <gpa/compare.h>

/* Mean and standard deviation of each figure over n rows; NaN figures are left out. */
void gpai_consistency(const gpa_agreement *a, size_t n, gpa_consistency *out);

#endif
