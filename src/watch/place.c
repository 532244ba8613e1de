#include "watch/place.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUT_END = 4096 }; /* bytes of --out by which it is known again */

static bool is_file(int fd, struct stat *file)
{
    return fstat(fd, file) == 0 && S_ISREG(file->st_mode);
}

gpa_status place_out_key(const struct watch *w, uint64_t *key, gpa_error *err)
{
    char end[OUT_END];
    size_t n = w->written < OUT_END ? (size_t)w->written : OUT_END;
    struct stat file;
    int fd;
    *key = 0;
    if (w->out.path == NULL || !is_file(w->out.fd, &file))
        return GPA_OK;
    TEMP_RETRY(fd, open(w->out.path, O_RDONLY | O_CLOEXEC));
    ssize_t got = fd >= 0 ? pread(fd, end, n, (off_t)(w->written - n)) : -1;
    gpa_status st = GPA_OK;
    if (got < 0)
        st = gpai_fail(err, GPA_IO, "--out: cannot read %.200s, as --state must: %s",
                       w->out.path, strerror(errno));
    else
        *key = map_key(end, (size_t)got);
    if (fd >= 0)
        (void)close(fd);
    return st;
}

gpa_status place_in_out(struct watch *w, gpa_error *err)
{
    struct stat file;
    uint64_t key;
    if (w->out.path == NULL || !is_file(w->out.fd, &file))
        return GPA_OK;
    if (w->out_key == 0) { /* there was no file: it begins with what is there */
        w->written = (uint64_t)file.st_size;
        return GPA_OK;
    }
    gpa_status st = place_out_key(w, &key, err);
    if (st != GPA_OK)
        return st;
    if ((uint64_t)file.st_size < w->written || key != w->out_key)
        return gpai_fail(err, GPA_DATA,
                         "--out: %.200s is not what it was when the state was saved; "
                         "give that file, or remove the state to begin anew",
                         w->out.path);
    if (ftruncate(w->out.fd, (off_t)w->written) != 0)
        return gpai_fail(err, GPA_IO, "cannot write %.200s: %s", w->out.path,
                         strerror(errno));
    return GPA_OK;
}

/* Whether a file holds, up to where we were, what it held. */
static bool is_same_file(const struct watch *w)
{
    const struct position *p = &w->position;
    struct stat file;
    if (!is_file(w->lines.fd, &file) || p->bytes == 0 || p->last > LINE_MOST ||
        p->last > p->bytes || p->last == 0)
        return false;
    char *line = gpai_calloc(p->last, 1);
    if (line == NULL)
        return false;
    ssize_t got = pread(w->lines.fd, line, p->last, (off_t)p->bytes - (off_t)p->last);
    size_t n = got > 0 ? (size_t)got : 0;
    bool whole = n == p->last;
    n -= n > 0 && line[n - 1] == '\n';
    n -= n > 0 && line[n - 1] == '\r';
    bool is = whole && map_key(line, n) == p->key;
    gpai_free(line);
    return is;
}

gpa_status place_in_lines(struct watch *w, gpa_error *err)
{
    bool header = false;
    const struct line line = {w->header->data, w->header->length, w->header->length,
                              false};
    if (is_same_file(w) &&
        lseek(w->lines.fd, (off_t)w->position.bytes, SEEK_SET) >= 0) {
        w->lines.taken = w->position.bytes;
        w->lines.skipping = w->position.inside != 0;
        say("going on behind byte %ju of the lines", (uintmax_t)w->position.bytes);
        if (w->header->length == 0)
            return GPA_OK;
        w->begun = true;
        return fields_begin(&w->fields, &line, &header, err);
    }
    say("going on behind %ju lines, with those that come now",
        (uintmax_t)w->judge.counts.lines);
    w->position = (struct position){.bytes = 0};
    return GPA_OK;
}
