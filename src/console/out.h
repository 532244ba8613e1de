#ifndef GPA_CONSOLE_OUT_H
#define GPA_CONSOLE_OUT_H
#include "console/temp.h"
#include "study/options.h"
#include <sys/types.h>

/* Which file a name stands for, links followed, also when there is none yet. */
struct file_id {
    dev_t device;
    ino_t inode;         /* of the file; of its folder when there is none yet */
    char name[256];      /* then its name in there; else "" */
    dev_t folder_device; /* of a file that is there: the folder it lies in */
    ino_t folder_inode;
};

enum { OUTPUTS = 8 };

/* All that a command writes. No output may be one of its inputs (the data, the model,
 * and whatever else its options name), nor another of its outputs. */
struct outputs {
    const gpai_options *given; /* NULL: nothing is read */
    struct file_id open[OUTPUTS];
    size_t n;
};

/* Somewhere to write: standard output, or a file that appears under its name only when
 * everything is in it. */
struct out {
    int fd;
    bool open;
    char *path;   /* NULL: standard output */
    bool is_temp; /* else it is written in place: a device */
    bool made;    /* to be added to: it was not there before */
    struct temp temp;
    struct pack *pack; /* NULL: as it is */
};

/* The one way to open an output, which is compressed where its name ends in .gz or
 * .zst. `path` NULL, "-" or /dev/stdout is standard output.
 * GPA_INVALID, and nothing touched, when it would destroy an input or another output.
 */
gpa_status out_open(struct outputs *all, struct out *o, const char *path,
                    gpa_error *err);
/* The same for a file that is added to, in place, by one process at a time: how long it
 * is already. */
gpa_status out_append(struct outputs *all, struct out *o, const char *path,
                      uint64_t *length, gpa_error *err);
/* After a failure: a file that was made for it, and is empty, goes again. */
void out_unmake(const struct out *o);
gpa_status out_write(struct out *o, const char *bytes, size_t n, gpa_error *err);
/* The text written out; it is empty afterwards. */
gpa_status out_text(struct out *o, gpa_text *t, gpa_error *err);
/* All of it is written, and safe, but not yet to be seen. */
gpa_status out_finish(struct out *o, gpa_error *err);
/* Makes what was written final: all of them, or none. */
gpa_status out_commit_all(struct out *const *outs, size_t n, gpa_error *err);
gpa_status out_commit(struct out *o, gpa_error *err);
/* Forgets what was not committed; the old file stays. Also after a commit, and for an
 * `out` of zeros. */
void out_discard(struct out *o);

/* A whole text, opened, written and final. */
gpa_status out_whole(struct outputs *all, const char *path, gpa_text *t,
                     gpa_error *err);

/* Makes a folder and those above it where they are missing; *made: it was. GPA_INVALID
 * when it is to be one of the outputs (all: NULL: there are none). */
gpa_status out_folder(const struct outputs *all, const char *path, bool *made,
                      gpa_error *err);

/* At the start of the program: descriptors 0 to 2 exist, a closed pipe and a file that
 * is too large are errors like any other, and a signal that ends the program removes
 * unfinished files first. */
void out_prepare(void);

#endif
