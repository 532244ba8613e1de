#include "model/exec/child.h"
#include "base/alloc.h"
#include "model/exec/launch.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 200, LISTEN_BYTES = 16384 };

enum { READ = 0, WRITE = 1 };

static void close_pipe(int ends[2])
{
    gpai_shut(&ends[READ]);
    gpai_shut(&ends[WRITE]);
}

/* The guard reads a pipe that this process holds open. When even a kill -9 of this
 * process ends that, it gives the model a second to see the end of its own input, and
 * then ends the group. Where there is no shell the model goes without. */
static void start_guard(gpai_child *c)
{
    char name[] = "/bin/sh", flag[] = "-c", what[] = "read x; sleep 1; kill -9 0";
    char *argv[] = {name, flag, what, NULL};
    int life[2];
    if (gpai_pipe(life, WRITE, false)) {
        const int stdio[3] = {life[READ], -1, -1};
        c->guarded = gpai_launch(&c->group, argv, 0, stdio) == 0;
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
    if (!gpai_pipe(to, WRITE, true) || !gpai_pipe(from, READ, true) ||
        !gpai_pipe(words, READ, false)) {
        code = errno;
        goto done;
    }
    start_guard(c);
    const int stdio[3] = {to[READ], from[WRITE], words[WRITE]};
    code = gpai_launch(&c->pid, argv, c->group, stdio);
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

bool gpai_child_listen(gpai_child *c)
{
    char bytes[LISTEN_BYTES];
    if (c->words < 0)
        return false;
    ssize_t n = read(c->words, bytes, sizeof bytes);
    if (n > 0)
        keep_tail(c, bytes, (size_t)n);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        gpai_shut(&c->words);
    return n > 0;
}

void gpai_child_hang_up(gpai_child *c)
{
    gpai_shut(&c->to);
    gpai_shut(&c->from);
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

bool gpai_child_is_dead(const gpai_child *c)
{
    return peek(c) != 0;
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
    for (int i = 0; i < 1024 && gpai_child_listen(c); i++)
        continue; /* its last words; somebody outside the group might go on for ever */
    gpai_child_hang_up(c);
    gpai_shut(&c->words);
    gpai_shut(&c->life);
    c->pid = c->group = 0;
}
