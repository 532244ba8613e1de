#include "console/out.h"
#include "base/status.h"
#include "console/inputs.h"
#include "console/terminal.h"
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
    return gpai_fail(err, GPA_IO, "cannot write %s: %s", name(o), strerror(errno));
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
        return gpai_fail(err, GPA_NOMEM, "out of memory");
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

/* Which file standard output is; one that is no file has an identity of its own. */
static bool identify(const char *path, struct file_id *id)
{
    struct stat there;
    if (!is_stdout(path))
        return file_identify(path, id);
    *id = (struct file_id){.name = "-"};
    if (fstat(STDOUT_FILENO, &there) == 0 && S_ISREG(there.st_mode))
        *id = (struct file_id){.device = there.st_dev, .inode = there.st_ino};
    return true;
}

/* Refuses a path that is an input or another output. */
static gpa_status claim(struct outputs *all, const char *path, gpa_error *err)
{
    struct file_id id;
    const char *what, *to = is_stdout(path) ? "standard output" : path;
    if (!identify(path, &id))
        return GPA_OK; /* opening it will say why */
    for (size_t i = 0; i < all->n; i++)
        if (file_same(&all->open[i], &id))
            return gpai_fail(err, GPA_INVALID,
                             "--html and the results would both go to %.200s", to);
    if (all->given != NULL && file_is_input(all->given, &id, &what))
        return gpai_fail(err, GPA_INVALID, "%s would overwrite %s, %.200s",
                         all->given->bit == IN_REPORT ? "the report" : "the results",
                         what, to);
    if (all->n < OUTPUTS)
        all->open[all->n++] = id;
    return GPA_OK;
}

gpa_status out_open(struct outputs *all, struct out *o, const char *path,
                    gpa_error *err)
{
    struct stat old;
    *o = (struct out){.fd = STDOUT_FILENO};
    gpa_status st = claim(all, path, err);
    o->open = st == GPA_OK;
    if (st != GPA_OK || is_stdout(path))
        return st;
    bool exists = stat(path, &old) == 0;
    o->path = file_follow(path);
    if (o->path == NULL)
        return gpai_fail(err, GPA_IO, "cannot write %s: %s", path, strerror(errno));
    if (!exists || S_ISREG(old.st_mode))
        return open_temp(o, exists ? &old : NULL, err);
    o->fd = open(path, O_WRONLY | O_NOCTTY);
    o->open = o->fd >= 0;
    return o->open ? GPA_OK : cannot(o, err);
}

gpa_status out_write(struct out *o, const char *bytes, size_t n, gpa_error *err)
{
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

gpa_status out_text(struct out *o, gpa_text *t, gpa_error *err)
{
    gpa_status st = out_write(o, gpa_text_data(t), gpa_text_length(t), err);
    gpa_text_clear(t);
    return st;
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
    gpa_status st = part != NULL ? GPA_OK : gpai_fail(err, GPA_NOMEM, "out of memory");
    struct stat there;
    *made = false;
    for (char *at = part; st == GPA_OK && *at != '\0';) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        char kept = *at;
        *at = '\0';
        *made = mkdir(part, 0777) == 0;
        if (!*made && errno != EEXIST && stat(part, &there) != 0)
            st = gpai_fail(err, GPA_IO, "cannot make the folder %.300s: %s", part,
                           strerror(errno));
        *at = kept;
    }
    if (st == GPA_OK && (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)))
        st = gpai_fail(err, GPA_IO, "%.300s is not a folder", path);
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

gpa_status out_whole(struct outputs *all, const char *path, gpa_text *t, gpa_error *err)
{
    struct out o = {0};
    gpa_status st = out_open(all, &o, path, err);
    if (st == GPA_OK)
        st = out_text(&o, t, err);
    if (st == GPA_OK)
        st = out_commit(&o, err);
    out_discard(&o);
    return st;
}
