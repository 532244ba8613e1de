#define _GNU_SOURCE  /* pipe2, F_SETPIPE_SZ, posix_spawn_file_actions_addclosefrom_np  \
                      */
#include "model/exec/child.h"
#include "base/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 }; /* a batch goes through without waiting for the reader */

/* Closes it, if it is open, and makes it -1. */
static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Out of the way of 0, 1 and 2, which a caller may have closed. */
static bool move_up(int *fd)
{
    if (*fd > STDERR_FILENO)
        return true;
    int high = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    shut(fd);
    *fd = high;
    return high >= 0;
}

/* A pipe that other programs do not inherit; its end `ours`, 0 to read or 1 to write,
 * never blocks. `wide`: for batches of rows. False leaves what there is of it, or -1.
 */
static bool open_pipe(int ends[2], int ours, bool wide)
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    if (wide)
        (void)fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* less does, too */
    return move_up(&ends[0]) && move_up(&ends[1]) &&
           fcntl(ends[ours], F_SETFL, O_NONBLOCK) == 0;
}

/* Ours are close-on-exec; those of the program that uses this library may not be. */
static int close_others(posix_spawn_file_actions_t *a)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    return posix_spawn_file_actions_addclosefrom_np(a, STDERR_FILENO + 1);
#else
    (void)a;
    return 0;
#endif
}

/* The signals as a fresh program expects them, whatever this one ignores or blocks. */
static int plain_signals(posix_spawnattr_t *attr)
{
    static const int numbers[] = {SIGPIPE, SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                  SIGCHLD, SIGUSR1, SIGUSR2, SIGXFSZ};
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&defaults, numbers[i]);
    int code = posix_spawnattr_setsigmask(attr, &none);
    return code != 0 ? code : posix_spawnattr_setsigdefault(attr, &defaults);
}

/* Runs a program, found along PATH, in process group `group` (0: one of its own), with
 * these as its standard input, output and error (-1: nowhere) and no other descriptors,
 * and with its signals as a shell would give them. Gives 0, or an error number as errno
 * has them and *pid = 0. */
static int launch(pid_t *pid, char **argv, pid_t group, const int stdio[3])
{
    posix_spawn_file_actions_t a;
    posix_spawnattr_t attr;
    pid_t started = 0;
    *pid = 0;
    int code = posix_spawn_file_actions_init(&a);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attr);
    if (code != 0)
        goto done;
    code = posix_spawnattr_setflags(
        &attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (code == 0)
        code = posix_spawnattr_setpgroup(&attr, group);
    if (code == 0)
        code = plain_signals(&attr);
    for (int i = 0; i < 3 && code == 0; i++)
        code = stdio[i] >= 0
                   ? posix_spawn_file_actions_adddup2(&a, stdio[i], i)
                   : posix_spawn_file_actions_addopen(&a, i, "/dev/null", O_RDWR, 0);
    if (code == 0)
        code = close_others(&a);
    if (code == 0)
        code = posix_spawnp(&started, argv[0], &a, &attr, argv, environ);
    *pid = code == 0 ? started : 0;
    posix_spawnattr_destroy(&attr);
done:
    posix_spawn_file_actions_destroy(&a);
    return code;
}

enum { PATIENCE_MS = 200, LISTEN_BYTES = 16384 };

enum { READ = 0, WRITE = 1 };

static void close_pipe(int ends[2])
{
    shut(&ends[READ]);
    shut(&ends[WRITE]);
}

/* The guard reads a pipe that this process holds open. When even a kill -9 of this
 * process ends that, it gives the model a second to see the end of its own input, and
 * then ends the group. Where there is no shell the model goes without. */
static void start_guard(gpai_child *c)
{
    char name[] = "/bin/sh", flag[] = "-c", what[] = "read x; sleep 1; kill -9 0";
    char *argv[] = {name, flag, what, NULL};
    int life[2];
    if (open_pipe(life, WRITE, false)) {
        const int stdio[3] = {life[READ], -1, -1};
        c->guarded = launch(&c->group, argv, 0, stdio) == 0;
        if (c->guarded) {
            c->life = life[WRITE];
            life[WRITE] = -1;
        }
    }
    close_pipe(life);
}

int gpai_child_start(gpai_child **out, char **argv)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1}, words[2] = {-1, -1}, code = 0;
    *out = NULL;
    gpai_child *c = gpai_calloc(1, sizeof *c);
    if (c == NULL)
        return ENOMEM;
    *c = (gpai_child){.owner = getpid(), .to = -1, .from = -1, .words = -1, .life = -1};
    if (!open_pipe(to, WRITE, true) || !open_pipe(from, READ, true) ||
        !open_pipe(words, READ, false)) {
        code = errno;
        goto done;
    }
    start_guard(c);
    const int stdio[3] = {to[READ], from[WRITE], words[WRITE]};
    code = launch(&c->pid, argv, c->group, stdio);
    if (code != 0)
        goto done;
    c->group = c->guarded ? c->group : c->pid;
    c->to = to[WRITE];
    c->from = from[READ];
    c->words = words[READ];
    to[WRITE] = from[READ] = words[READ] = -1;
done:
    close_pipe(to);
    close_pipe(from);
    close_pipe(words);
    if (code == 0) {
        *out = c;
    } else {
        gpai_child_end(c, false);
        gpai_free(c);
    }
    return code;
}

static void keep_tail(gpai_child *c, const char *bytes, size_t n)
{
    if (n > GPAI_TAIL) {
        bytes += n - GPAI_TAIL;
        n = GPAI_TAIL;
    }
    if (c->tail_used > GPAI_TAIL - n) {
        size_t keep = GPAI_TAIL - n;
        memmove(c->tail, c->tail + c->tail_used - keep, keep);
        c->tail_used = keep;
    }
    memcpy(c->tail + c->tail_used, bytes, n);
    c->tail_used += n;
}

/* Reads what there is on its standard error. False: no more will come. */
static bool listen_to(gpai_child *c)
{
    char bytes[LISTEN_BYTES];
    if (c->words < 0)
        return false;
    ssize_t n = read(c->words, bytes, sizeof bytes);
    if (n > 0)
        keep_tail(c, bytes, (size_t)n);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        shut(&c->words);
    return n > 0;
}

void gpai_child_hang_up(gpai_child *c)
{
    shut(&c->to);
    shut(&c->from);
}

/* It stays a zombie, so that nobody else gets its number before its group is dealt
 * with. 1: dead, 0: not, -1: the program around us reaps strangers, and the number is
 * no longer ours to signal. */
static int peek(const gpai_child *c)
{
    siginfo_t info = {.si_pid = 0};
    int code = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    if (code != 0 && errno == ECHILD)
        return -1;
    return code == 0 && info.si_pid == c->pid;
}

static bool ends_within(gpai_child *c, int ms)
{
    for (int waited = 0; c->pid > 0; waited++) {
        int dead = peek(c);
        if (dead > 0)
            return true;
        if (dead < 0) {
            c->group = c->guarded ? c->group : 0;
            c->pid = 0;
        } else if (waited >= ms) {
            return false;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
    return true;
}

/* Its group, and itself with a group of its own where it has left that one. */
static void signal_all(const gpai_child *c, int number)
{
    if (c->group > 0)
        kill(-c->group, number);
    if (c->pid > 0) {
        kill(-c->pid, number);
        kill(c->pid, number);
    }
}

static int reap(pid_t pid)
{
    int status = -1;
    pid_t who;
    do
        who = waitpid(pid, &status, 0);
    while (who < 0 && errno == EINTR);
    return who == pid ? status : -1;
}

static void end_group(gpai_child *c, bool patiently)
{
    c->gone = ends_within(c, patiently ? PATIENCE_MS : 0);
    if (!c->gone) {
        signal_all(c, SIGTERM);
        (void)ends_within(c, PATIENCE_MS);
    }
    signal_all(c, SIGKILL);
    c->status = c->pid > 0 ? reap(c->pid) : -1;
    if (c->guarded)
        (void)reap(c->group);
}

void gpai_child_end(gpai_child *c, bool patiently)
{
    if (c->owner == getpid()) /* a fork of the process that started it has no say */
        end_group(c, patiently);
    for (int i = 0; i < 1024 && listen_to(c); i++)
        continue; /* its last words; somebody outside the group might go on for ever */
    gpai_child_hang_up(c);
    shut(&c->words);
    shut(&c->life);
    c->pid = c->group = 0;
}

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

size_t gpai_sending_left(const gpai_sending *s)
{
    size_t left = 0;
    for (int i = 0; i < GPAI_PIECES; i++)
        left += s->left[i];
    return left;
}

static void send_some(gpai_child *c, gpai_sending *s)
{
    struct iovec pieces[GPAI_PIECES];
    int n = 0;
    for (int i = 0; i < GPAI_PIECES; i++)
        if (s->left[i] > 0) /* writev has no const */
            pieces[n++] = (struct iovec){(void *)(uintptr_t)s->bytes[i], s->left[i]};
    ssize_t done = write_quietly(c->to, pieces, n);
    if (done < 0 && errno != EAGAIN && errno != EINTR) {
        shut(&c->to); /* it does not read; whether it has ended, its output will tell */
    }
    for (int i = 0; i < GPAI_PIECES && done > 0; i++) {
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
    bool sends = s != NULL && gpai_sending_left(s) > 0;
    struct pollfd on[3] = {{.fd = c->from, .events = POLLIN},
                           {.fd = c->words, .events = POLLIN},
                           {.fd = sends ? c->to : -1, .events = POLLOUT}};
    int n = poll(on, 3, ms);
    if (n < 0)
        *ended = errno != EINTR;
    if (on[1].revents != 0)
        (void)listen_to(c);
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
            dead = peek(c) != 0;
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
