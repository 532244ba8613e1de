#ifndef GPAI_DATA_SLURP_H
#define GPAI_DATA_SLURP_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a whole file, or standard input for "-", into fresh memory (gpai_free) with a
 * zero byte after the end. Refuses more than max_bytes. Directories, missing files and
 * read errors are GPA_IO with the path and the reason. */
gpa_status gpai_slurp(char **bytes, size_t *size, const char *path, size_t max_bytes,
                      gpa_error *err);

/* Whether a path is that of a plain file, which gives the same bytes when it is read
 * again, unless somebody changes it. */
bool gpai_is_file(const char *path);

/* Gives memory back to the system, all whole pages between two bytes of a block of
 * one's own; what was in them is lost. */
void gpai_forget(char *from, const char *to);

#endif
