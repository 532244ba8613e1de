#include "watch/lines/feed.h"
#include "base/alloc.h"
#include "base/status.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 8 << 20, PIECE = 1 << 16 };

struct feed {
    int from, wake[2];
    pthread_t thread;
    pthread_mutex_t lock;
    char *ring, *piece;
    uint64_t begin; /* bytes that were handed out, */
    uint64_t end;   /* that are there, in whole lines, */
    uint64_t tail;  /* and of a line that has not come to its end */
    bool dropping;  /* such a line is too much */
    bool ended;
    uint64_t dropped;
};

/* Bytes of one line, with its end or without. */
static void add(struct feed *f, const char *bytes, size_t n)
{
    if (!f->dropping && f->tail + n - f->begin > ROOM) {
        f->dropping = true;
        f->tail = f->end;
    }
    for (size_t i = 0; !f->dropping && i < n;) {
        size_t at = (size_t)(f->tail % ROOM);
        size_t part = n - i < ROOM - at ? n - i : ROOM - at;
        memcpy(f->ring + at, bytes + i, part);
        f->tail += part;
        i += part;
    }
    if (bytes[n - 1] != '\n')
        return;
    f->dropped += f->dropping;
    f->dropping = false;
    f->end = f->tail;
}

static void take(struct feed *f, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n;) {
        const char *line = memchr(bytes + i, '\n', n - i);
        size_t part = line != NULL ? (size_t)(line - bytes) + 1 - i : n - i;
        add(f, bytes + i, part);
        i += part;
    }
}

static void *run(void *ctx)
{
    struct feed *f = ctx;
    for (ssize_t got = 1; got != 0;) {
        got = read(f->from, f->piece, PIECE);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        pthread_mutex_lock(&f->lock);
        if (got > 0)
            take(f, f->piece, (size_t)got);
        else
            f->end = f->tail; /* the last line may have no end */
        f->ended = got <= 0;
        got = got > 0;
        pthread_mutex_unlock(&f->lock);
        (void)!write(f->wake[1], "", 1); /* full: it knows already */
    }
    return NULL;
}

gpa_status feed_open(struct feed **out, int from, gpa_error *err)
{
    struct feed *f = *out = gpai_calloc(1, sizeof *f);
    if (f == NULL)
        return gpai_nomem(err, "watch");
    f->from = from;
    f->ring = gpai_calloc(ROOM, 1);
    f->piece = gpai_calloc(PIECE, 1);
    if (f->ring == NULL || f->piece == NULL)
        return gpai_nomem(err, "watch");
    pthread_mutex_init(&f->lock, NULL);
    if (pipe(f->wake) != 0)
        return gpai_fail(err, GPA_IO, "no pipe: %s", strerror(errno));
    for (size_t i = 0; i < 2; i++) {
        (void)fcntl(f->wake[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(f->wake[i], F_SETFL, O_NONBLOCK);
    }
    if (pthread_create(&f->thread, NULL, run, f) != 0)
        return gpai_fail(err, GPA_IO, "no thread to read with");
    (void)pthread_detach(f->thread);
    return GPA_OK;
}

int feed_ready(const struct feed *f)
{
    return f->wake[0];
}

ssize_t feed_read(struct feed *f, char *to, size_t n)
{
    char bytes[64];
    pthread_mutex_lock(&f->lock);
    uint64_t there = f->end - f->begin;
    bool ended = f->ended;
    n = there < n ? (size_t)there : n;
    for (size_t i = 0; i < n;) {
        size_t at = (size_t)(f->begin % ROOM);
        size_t part = n - i < ROOM - at ? n - i : ROOM - at;
        memcpy(to + i, f->ring + at, part);
        f->begin += part;
        i += part;
    }
    if (f->begin == f->end && !ended) /* all is taken: it wakes us when there is more */
        while (read(f->wake[0], bytes, sizeof bytes) > 0)
            continue;
    pthread_mutex_unlock(&f->lock);
    if (n > 0 || ended)
        return (ssize_t)n;
    errno = EAGAIN;
    return -1;
}

uint64_t feed_dropped(struct feed *f)
{
    pthread_mutex_lock(&f->lock);
    uint64_t n = f->dropped;
    f->dropped = 0;
    pthread_mutex_unlock(&f->lock);
    return n;
}
