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

/* A plain file that is read here and there; its path is borrowed. */
typedef struct gpai_file {
    int fd;
    size_t size;
    const char *path;
} gpai_file;

/* Opens it; refuses what is no plain file, and more than max_bytes. To be closed when
 * that is GPA_OK. */
gpa_status gpai_file_open(gpai_file *f, const char *path, size_t max_bytes,
                          gpa_error *err);

/* `size` bytes from `at` on; GPA_IO when they are not there. */
gpa_status gpai_file_get(const gpai_file *f, size_t at, size_t size, void *to,
                         gpa_error *err);

/* "sha256:…" of all of it, as gpa_digest's. */
gpa_status gpai_file_digest(const gpai_file *f, char *out, gpa_error *err);

void gpai_file_close(gpai_file *f);

/* Ends a sum (nettle's) as such a text. */
struct sha256_ctx;
void gpai_digest_end(struct sha256_ctx *context, char *out);

/* Says that a block of one's own, if it is large, will soon be full: fewer faults. */
void gpai_large(void *block, size_t size);

/* Gives memory back to the system, all whole pages between two bytes of a block of
 * one's own; what was in them is lost. */
void gpai_forget(char *from, const char *to);

#endif
