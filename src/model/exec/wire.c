#include "model/exec/wire.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000, MILLISECOND = 1000000;

enum { LOOK_MS = 100 }; /* how often a silent child is checked for life */

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

int64_t gpai_deadline(double seconds)
{
    const double for_ever = 1e9; /* 30 years */
    if (!(seconds > 0 && seconds < for_ever))
        return INT64_MAX;
    return now() + (int64_t)(seconds * (double)SECOND);
}

/* Milliseconds to wait, as poll wants them: rounded up, -1 for ever. */
static int wait_ms(int64_t deadline)
{
    if (deadline == INT64_MAX)
        return -1;
    int64_t left = deadline - now();
    if (left <= 0)
        return 0;
    left = (left + MILLISECOND - 1) / MILLISECOND;
    return left < INT_MAX ? (int)left : INT_MAX;
}

/* A child that does not read any more must not end this process, whose signals are not
 * ours to change: SIGPIPE is held back, and taken away if it is this write's. */
static ssize_t write_quietly(int fd, const struct iovec *pieces, int n)
{
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t done = writev(fd, pieces, n);
    int code = errno;
    if (done < 0 && code == EPIPE && sigismember(&pending, SIGPIPE) != 1) {
        const struct timespec at_once = {0};
        while (sigtimedwait(&broken, NULL, &at_once) < 0 && errno == EINTR)
            continue;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return done;
}

static void send_some(gpai_child *c, gpai_sending *s)
{
    struct iovec pieces[2];
    int n = 0;
    for (int i = 0; i < 2; i++)
        if (s->left[i] > 0) /* writev has no const */
            pieces[n++] = (struct iovec){(void *)(uintptr_t)s->bytes[i], s->left[i]};
    ssize_t done = write_quietly(c->to, pieces, n);
    if (done < 0 && errno != EAGAIN && errno != EINTR) {
        close(c->to); /* it does not read; whether it has ended, its output will tell */
        c->to = -1;
    }
    for (int i = 0; i < 2 && done > 0; i++) {
        size_t part = (size_t)done < s->left[i] ? (size_t)done : s->left[i];
        s->bytes[i] = (const char *)s->bytes[i] + part;
        s->left[i] -= part;
        done -= (ssize_t)part;
    }
}

/* False: the end. */
static bool read_some(gpai_child *c, char *into, size_t size, size_t *got)
{
    ssize_t n = read(c->from, into + *got, size - *got);
    if (n > 0)
        *got += (size_t)n;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* One round: waits for something to do, does it. False: nothing happened. */
static bool round_trip(gpai_child *c, gpai_sending *s, char *into, size_t size,
                       size_t *got, int ms, bool *ended)
{
    bool sends = s != NULL && s->left[0] + s->left[1] > 0;
    struct pollfd on[3] = {{.fd = c->from, .events = POLLIN},
                           {.fd = c->words, .events = POLLIN},
                           {.fd = sends ? c->to : -1, .events = POLLOUT}};
    int n = poll(on, 3, ms);
    if (n < 0)
        *ended = errno != EINTR;
    if (on[1].revents != 0)
        (void)gpai_child_listen(c);
    if (on[2].revents != 0)
        send_some(c, s);
    if (on[0].revents != 0)
        *ended = !read_some(c, into, size, got);
    return n != 0;
}

gpai_talk gpai_wire_read(gpai_child *c, gpai_sending *s, void *into, size_t size,
                         size_t *got, int64_t deadline)
{
    bool ended = false, dead = false;
    while (*got < size) {
        int left = wait_ms(deadline);
        int ms = left < 0 || left > LOOK_MS ? LOOK_MS : left;
        bool busy = round_trip(c, s, into, size, got, dead ? 0 : ms, &ended);
        /* somebody whom it started may hold its output open after its death */
        if (ended || (dead && !busy))
            return GPAI_TALK_ENDED;
        if (!busy)
            dead = gpai_child_is_dead(c);
        /* past the deadline what is there already still counts: we may have been
         * suspended, not the child */
        if (left == 0 && *got < size && !dead)
            return GPAI_TALK_LATE;
    }
    return GPAI_TALK_FINE;
}

gpai_talk gpai_wire_stray(gpai_child *c, void *into, size_t size, size_t *got)
{
    *got = 0;
    return read_some(c, into, size, got) ? GPAI_TALK_FINE : GPAI_TALK_ENDED;
}
