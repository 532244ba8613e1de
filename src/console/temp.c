#define _GNU_SOURCE /* O_TMPFILE, renameat2 */
#include "console/temp.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names of unfinished files, for the signal handler: the one thing that has to be
 * global. None is ever freed, because the handler may be in any thread. */
struct mark {
    struct mark *next;
    atomic_bool there;
    char name[];
};

static _Atomic(struct mark *) marks;

static void remove_unfinished(void)
{
    for (struct mark *m = atomic_load(&marks); m != NULL; m = m->next)
        if (atomic_load(&m->there))
            unlink(m->name);
}

static void on_end(int number)
{
    remove_unfinished();
    _exit(128 + number);
}

/* A mistake of ours still ends as one, with what the system makes of it. */
static void on_crash(int number)
{
    remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static bool is_any_of(int number, const int *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == number)
            return true;
    return false;
}

void temp_guard(void)
{
    static const int KEEP[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGURG,
                               SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};
    static const int CRASH[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                                SIGABRT, SIGTRAP, SIGSYS};
    /* a closed pipe and a file that may not grow are errors like others */
    static const int IGNORE[] = {SIGPIPE, SIGXFSZ};
    struct sigaction old, ignore = {.sa_handler = SIG_IGN}, act = {0};
    sigemptyset(&ignore.sa_mask);
    sigfillset(&act.sa_mask);
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (is_any_of(number, KEEP, sizeof KEEP / sizeof *KEEP) ||
            sigaction(number, NULL, &old) != 0 || old.sa_handler != SIG_DFL)
            continue;
        bool crash = is_any_of(number, CRASH, sizeof CRASH / sizeof *CRASH);
        act.sa_handler = crash ? on_crash : on_end;
        act.sa_flags = crash ? SA_NODEFER : 0;
        sigaction(number,
                  is_any_of(number, IGNORE, sizeof IGNORE / sizeof *IGNORE) ? &ignore
                                                                            : &act,
                  NULL);
    }
}

void temp_hold_signals(bool hold)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &all, NULL);
}

/* The name beside `path`, "PATH.XXXXXX", not yet there. */
static struct mark *make_mark(const char *path)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    struct mark *m = malloc(sizeof *m + size);
    if (m == NULL)
        return NULL;
    snprintf(m->name, size, "%s.XXXXXX", path);
    atomic_init(&m->there, false);
    m->next = atomic_load(&marks);
    while (!atomic_compare_exchange_weak(&marks, &m->next, m))
        continue;
    return m;
}

/* The folder of `path`, to be freed. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    return n == 0 ? strdup(".") : strndup(path, n);
}

/* A file without a name, which nobody ever finds half written; -1 where the system has
 * none, or no way to name it later. */
static int open_nameless(const char *path)
{
    char link[64];
    struct stat there;
    char *folder = folder_of(path);
    int fd = -1;
    if (folder != NULL)
        TEMP_RETRY(fd, open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    free(folder);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (fd >= 0 && stat(link, &there) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool temp_open(struct temp *t, const char *path, mode_t mode)
{
    *t = (struct temp){.fd = open_nameless(path), .path = path};
    if (t->fd < 0) {
        t->mark = make_mark(path);
        if (t->mark == NULL)
            return false;
        temp_hold_signals(true); /* none between making the file and knowing of it */
        do {
            memset(t->mark->name + strlen(path) + 1, 'X', 6);
            t->fd = mkstemp(t->mark->name);
        } while (t->fd < 0 && errno == EINTR);
        atomic_store(&t->mark->there, t->fd >= 0);
        temp_hold_signals(false);
    }
    int done = -1;
    if (t->fd >= 0)
        TEMP_RETRY(done, fchmod(t->fd, mode));
    return done == 0;
}

/* Six letters that are likely to be free. */
static void draw_letters(char *to, unsigned attempt)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"
                                  "Z0123456789";
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    unsigned long long x = (unsigned long long)t.tv_nsec ^
                           (unsigned long long)t.tv_sec << 20 ^
                           (unsigned long long)getpid() << 40;
    x = (x + attempt) * 0x9e3779b97f4a7c15ULL;
    for (int i = 0; i < 6; i++, x /= 62)
        to[i] = LETTERS[(x ^ x >> 32) % 62];
}

/* Gives a file that has none a name beside its place. */
static bool give_name(struct temp *t)
{
    char link[64];
    int done = -1;
    struct mark *m = make_mark(t->path);
    if (m == NULL)
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", t->fd);
    temp_hold_signals(true);
    for (unsigned i = 0; i < 100 && done != 0; i++) {
        draw_letters(m->name + strlen(m->name) - 6, i);
        TEMP_RETRY(done, linkat(AT_FDCWD, link, AT_FDCWD, m->name, AT_SYMLINK_FOLLOW));
        if (done != 0 && errno != EEXIST)
            break;
    }
    atomic_store(&m->there, done == 0);
    temp_hold_signals(false);
    t->mark = m;
    return done == 0;
}

bool temp_finish(struct temp *t)
{
    int done;
    TEMP_RETRY(done, fsync(t->fd));
    if (done != 0 && errno != EINVAL) /* which some file systems do not have */
        return false;
    if (t->mark == NULL && !give_name(t))
        return false;
    int fd = t->fd;
    t->fd = -1;
    return close(fd) == 0 || errno == EINTR;
}

/* Whether there is a folder by now where a file is to be: it could be exchanged. */
static bool is_folder(const char *path)
{
    struct stat there;
    return lstat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

bool temp_place(struct temp *t, bool last)
{
    int done = -1;
    const char *name = t->mark->name;
    if (is_folder(t->path)) {
        errno = EISDIR;
        return false;
    }
    if (!last)
        TEMP_RETRY(done, renameat2(AT_FDCWD, name, AT_FDCWD, t->path, RENAME_EXCHANGE));
    t->swapped = done == 0;
    if (done == 0)
        return true;
    bool new = !last &&errno == ENOENT; /* else the system cannot exchange files */
    TEMP_RETRY(done, rename(name, t->path));
    if (done == 0)
        atomic_store(&t->mark->there, false);
    t->placed = done == 0 && new;
    return done == 0;
}

void temp_undo(struct temp *t)
{
    int done = 0;
    if (t->swapped)
        TEMP_RETRY(done, renameat2(AT_FDCWD, t->mark->name, AT_FDCWD, t->path,
                                   RENAME_EXCHANGE));
    else if (t->placed)
        TEMP_RETRY(done, unlink(t->path));
    t->swapped = t->placed = false;
}

void temp_drop(struct temp *t)
{
    if (t->fd >= 0)
        close(t->fd);
    if (t->mark != NULL && atomic_load(&t->mark->there)) {
        unlink(t->mark->name);
        atomic_store(&t->mark->there, false);
    }
    *t = (struct temp){.fd = -1};
}
