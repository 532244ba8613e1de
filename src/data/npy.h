#ifndef GPAI_DATA_NPY_H
#define GPAI_DATA_NPY_H
#include "data/table.h"

/* The first bytes of every .npy file. */
#define GPAI_NPY_MAGIC        "\x93NUMPY"
#define GPAI_NPY_MAGIC_LENGTH 6

/* Fills a new table from a NumPy array: versions 1 to 3, one or two axes, either order
 * in memory and either order of bytes; integers, booleans and reals of 2, 4 and 8
 * bytes. The columns are x1, x2, … NaN is missing, an infinity is no number; integers
 * beyond 2^53 are rounded to doubles. */
gpa_status gpai_npy_parse(gpa_table *t, const char *bytes, size_t size,
                          const gpa_table_options *opt, gpa_error *err);

#endif
