#ifndef GPA_CLI_OUT_H
#define GPA_CLI_OUT_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What is written into memory; to be freed. */
struct memory {
    char *bytes;
    size_t size, room;
};

/* Somewhere to write: standard output, or a file that appears under its name only when
 * everything is in it, or memory. */
struct out {
    int fd;
    bool open;
    char *path; /* NULL: standard output */
    char *temp; /* written first, then renamed; NULL: written in place (a device) */
    struct memory *memory;
};

/* `path` NULL, "-" or /dev/stdout is standard output. */
gpa_status out_open(struct out *o, const char *path, gpa_error *err);
void out_open_memory(struct out *o, struct memory *m);
gpa_status out_write(struct out *o, const char *bytes, size_t n, gpa_error *err);
/* Makes what was written final. */
gpa_status out_commit(struct out *o, gpa_error *err);
/* Forgets what was not committed; the old file stays. Also after a commit, and for an
 * `out` of zeros. */
void out_discard(struct out *o);

/* Makes a folder and those above it where they are missing; *made: it was. */
gpa_status out_folder(const char *path, bool *made, gpa_error *err);

/* At the start of the program: descriptors 0 to 2 exist, a closed pipe is an error like
 * any other, and a signal that ends the program removes unfinished files first. */
void out_prepare(void);

#endif
