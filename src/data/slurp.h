#ifndef GPAI_DATA_SLURP_H
#define GPAI_DATA_SLURP_H
#include <gpa/status.h>
#include <stddef.h>

/* Reads a whole file, or standard input for "-", into fresh memory (gpai_free) with a
 * zero byte after the end. Refuses more than max_bytes. Directories, missing files and
 * read errors are GPA_IO with the path and the reason. */
gpa_status gpai_slurp(char **bytes, size_t *size, const char *path, size_t max_bytes,
                      gpa_error *err);

#endif
