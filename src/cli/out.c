#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/out.h"
#include "cli/say.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Unfinished files, for the signal handler: the one thing that has to be global. */
enum { FILES = 4 };
static char *volatile unfinished[FILES];

static void on_signal(int number)
{
    for (int i = 0; i < FILES; i++)
        if (unfinished[i] != NULL)
            unlink(unfinished[i]);
    _exit(128 + number);
}

void out_prepare(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) /* a file opened later must not become stdout */
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, stop = {.sa_handler = on_signal};
    sigemptyset(&ignore.sa_mask);
    sigfillset(&stop.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &stop, NULL);
    }
}

static void remember(char *path)
{
    for (int i = 0; i < FILES; i++) {
        if (unfinished[i] == NULL) {
            unfinished[i] = path;
            return;
        }
    }
}

static void forget(const char *path)
{
    for (int i = 0; i < FILES; i++)
        if (unfinished[i] == path)
            unfinished[i] = NULL;
}

static const char *name(const struct out *o)
{
    return o->path != NULL ? o->path : "standard output";
}

static gpa_status cannot(const struct out *o, gpa_error *err)
{
    return fail(err, GPA_IO, "cannot write %s: %s", name(o), strerror(errno));
}

/* The permissions a new file gets, or those of the file that is replaced. */
static mode_t permissions(const struct stat *old)
{
    if (old != NULL)
        return old->st_mode & 0777;
    mode_t mask = umask(022);
    umask(mask);
    return 0666 & ~mask;
}

static gpa_status open_temp(struct out *o, const struct stat *old, gpa_error *err)
{
    size_t size = strlen(o->path) + sizeof ".XXXXXX";
    sigset_t all, before;
    o->temp = malloc(size);
    if (o->temp == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    snprintf(o->temp, size, "%s.XXXXXX", o->path);
    sigfillset(&all); /* no signal between making the file and remembering it */
    sigprocmask(SIG_BLOCK, &all, &before);
    o->fd = mkstemp(o->temp);
    o->open = o->fd >= 0;
    if (o->open)
        remember(o->temp);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!o->open) {
        gpa_status st = cannot(o, err);
        free(o->temp);
        o->temp = NULL;
        return st;
    }
    return fchmod(o->fd, permissions(old)) == 0 ? GPA_OK : cannot(o, err);
}

static bool is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0;
}

gpa_status out_open(struct out *o, const char *path, gpa_error *err)
{
    struct stat old;
    *o = (struct out){.fd = STDOUT_FILENO};
    if (is_stdout(path)) {
        o->open = true;
        return GPA_OK;
    }
    bool exists = stat(path, &old) == 0;
    o->path = exists ? realpath(path, NULL) : strdup(path); /* through links */
    if (o->path == NULL)
        return fail(err, GPA_IO, "cannot write %s: %s", path, strerror(errno));
    if (!exists || S_ISREG(old.st_mode))
        return open_temp(o, exists ? &old : NULL, err);
    o->fd = open(path, O_WRONLY | O_NOCTTY);
    o->open = o->fd >= 0;
    return o->open ? GPA_OK : cannot(o, err);
}

void out_open_memory(struct out *o, struct memory *m)
{
    *o = (struct out){.fd = -1, .memory = m};
}

static gpa_status remember_bytes(struct memory *m, const char *bytes, size_t n,
                                 gpa_error *err)
{
    if (n > m->room - m->size) {
        size_t room = 2 * m->room + n;
        char *more = room >= n ? realloc(m->bytes, room) : NULL;
        if (more == NULL)
            return fail(err, GPA_NOMEM, "out of memory");
        m->bytes = more;
        m->room = room;
    }
    memcpy(m->bytes + m->size, bytes, n);
    m->size += n;
    return GPA_OK;
}

gpa_status out_write(struct out *o, const char *bytes, size_t n, gpa_error *err)
{
    if (o->memory != NULL)
        return n > 0 ? remember_bytes(o->memory, bytes, n, err) : GPA_OK;
    while (n > 0) {
        ssize_t done = write(o->fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return cannot(o, err);
        bytes += done;
        n -= (size_t)done;
    }
    return GPA_OK;
}

gpa_status out_commit(struct out *o, gpa_error *err)
{
    if (o->path == NULL)
        return GPA_OK;
    /* devices and pipes cannot be synchronised, and need not */
    if (o->temp != NULL && fsync(o->fd) != 0 && errno != EINVAL)
        return cannot(o, err);
    o->open = false;
    if (close(o->fd) != 0)
        return cannot(o, err);
    if (o->temp == NULL)
        return GPA_OK;
    if (rename(o->temp, o->path) != 0)
        return cannot(o, err);
    forget(o->temp);
    free(o->temp);
    o->temp = NULL;
    return GPA_OK;
}

gpa_status out_folder(const char *path, bool *made, gpa_error *err)
{
    char *part = strdup(path);
    gpa_status st = part != NULL ? GPA_OK : fail(err, GPA_NOMEM, "out of memory");
    struct stat there;
    *made = false;
    for (char *at = part; st == GPA_OK && *at != '\0';) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        char kept = *at;
        *at = '\0';
        *made = mkdir(part, 0777) == 0;
        if (!*made && errno != EEXIST && stat(part, &there) != 0)
            st = fail(err, GPA_IO, "cannot make the folder %.300s: %s", part,
                      strerror(errno));
        *at = kept;
    }
    if (st == GPA_OK && (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)))
        st = fail(err, GPA_IO, "%.300s is not a folder", path);
    free(part);
    return st;
}

void out_discard(struct out *o)
{
    if (o->open && o->path != NULL)
        close(o->fd);
    if (o->temp != NULL) {
        unlink(o->temp);
        forget(o->temp);
    }
    free(o->temp);
    free(o->path);
    *o = (struct out){0};
}
