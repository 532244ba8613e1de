#include "watch/lines/lines.h"
#include "base/alloc.h"
#include "base/status.h"
#include "watch/lines/feed.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = LINE_MOST + (1 << 18) };

gpa_status lines_open(struct lines *l, int fd, gpa_error *err)
{
    *l = (struct lines){.fd = fd, .buffer = gpai_calloc(ROOM, 1)};
    return l->buffer != NULL ? GPA_OK : gpai_nomem(err, "watch");
}

void lines_close(struct lines *l)
{
    gpai_free(l->buffer);
    *l = (struct lines){.fd = -1};
}

gpa_status lines_fill(struct lines *l, gpa_error *err)
{
    if (l->start > 0)
        memmove(l->buffer, l->buffer + l->start, l->end - l->start);
    l->end -= l->start;
    l->scanned -= l->start;
    l->start = 0;
    char *to = l->buffer + l->end;
    ssize_t got = l->feed != NULL ? feed_read(l->feed, to, ROOM - l->end)
                                  : read(l->fd, to, ROOM - l->end);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        return gpai_fail(err, GPA_IO, "cannot read the lines: %s", strerror(errno));
    l->end += got > 0 ? (size_t)got : 0;
    l->ended = got == 0;
    return GPA_OK;
}

/* What lies before `stop` is done with, and the line's end behind it. */
static void pass(struct lines *l, size_t stop, bool newline)
{
    size_t next = stop + newline;
    l->taken += next - l->start;
    l->start = l->scanned = next;
}

size_t lines_left(const struct lines *l)
{
    return l->ended && !l->skipping ? l->end - l->start : 0;
}

bool lines_next(struct lines *l, struct line *line)
{
    for (;;) {
        char *end = memchr(l->buffer + l->scanned, '\n', l->end - l->scanned);
        size_t stop = end != NULL ? (size_t)(end - l->buffer) : l->end;
        bool whole = end != NULL || (l->ended && !l->grows && stop > l->start);
        *line = (struct line){l->buffer + l->start, stop - l->start,
                              stop - l->start + (end != NULL), false};
        if (l->skipping) {
            pass(l, stop, end != NULL);
            l->skipping = end == NULL;
            if (end == NULL)
                return false;
            continue;
        }
        if (!whole && line->length < LINE_MOST) {
            l->scanned = l->end;
            return false;
        }
        line->cut = line->length >= LINE_MOST;
        l->skipping = line->cut && !whole;
        pass(l, stop, end != NULL);
        if (line->length > 0 && line->text[line->length - 1] == '\r')
            line->length--;
        return true;
    }
}
