#ifndef GPA_CONSOLE_TEMP_H
#define GPA_CONSOLE_TEMP_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A file on its way to a name: it has none while it is written, where the file system
 * can do that, and else one beside it, which is removed however the program ends (but
 * for a kill -9). */
struct temp {
    int fd;            /* -1: closed */
    const char *path;  /* where it is to appear */
    struct mark *mark; /* the name it has meanwhile; NULL: none */
    bool swapped;      /* it is there, and the old file has its name */
    bool placed;       /* it is there, where there was none */
};

/* All of these give false with errno. */
bool temp_open(struct temp *t, const char *path, mode_t mode);
/* All bytes are on the disk, under a name, and it is closed. */
bool temp_finish(struct temp *t);
/* It appears in its place. `last`: there is nothing left that could fail, so that it
 * need not be undone. */
bool temp_place(struct temp *t, bool last);
/* The old file is back, or none; as far as that can be. */
void temp_undo(struct temp *t);
/* What is left of it goes; for a file that is in its place: of the old one. */
void temp_drop(struct temp *t);

/* At the start of the program: whatever signal ends it removes unfinished files first.
 */
void temp_guard(void);
/* Signals wait, until the next call with false. */
void temp_hold_signals(bool hold);

/* Again while a signal came in between; close() is done in any case. */
#define TEMP_RETRY(result, call)                                                       \
    do                                                                                 \
        (result) = (call);                                                             \
    while ((result) < 0 && errno == EINTR)

#endif
