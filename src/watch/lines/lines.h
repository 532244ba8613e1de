#ifndef GPA_WATCH_LINES_LINES_H
#define GPA_WATCH_LINES_LINES_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines of a stream, as they come, in constant memory. */

enum { LINE_MOST = 1 << 20 }; /* bytes; longer ones are passed over */

struct line {
    const char *text; /* without its end */
    size_t length;
    size_t bytes; /* with its end */
    bool cut;     /* it is longer than LINE_MOST */
};

struct feed;
struct lines {
    int fd;
    struct feed *feed; /* it reads in our place; NULL: we do */
    char *buffer;
    size_t start, scanned, end;
    bool skipping;  /* the rest of a line that was too long */
    bool grows;     /* more is written behind the end: a line without its end waits */
    bool ended;     /* no more bytes will come */
    uint64_t taken; /* bytes of the lines that were handed out */
};

gpa_status lines_open(struct lines *l, int fd, gpa_error *err);
void lines_close(struct lines *l);

/* Reads once, what there is; at the end of the input `ended` is set. */
gpa_status lines_fill(struct lines *l, gpa_error *err);

/* Bytes at the end that are no line yet. */
size_t lines_left(const struct lines *l);

/* The next whole line among what was read, there until the next lines_fill; false when
 * more has to be read. */
bool lines_next(struct lines *l, struct line *line);

#endif
