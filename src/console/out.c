#include "console/out.h"
#include "base/status.h"
#include "console/inputs.h"
#include "console/pack.h"
#include "console/terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void out_prepare(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) /* a file opened later must not become stdout */
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    temp_guard();
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
    errno = 0;
    o->open = temp_open(&o->temp, o->path, permissions(old));
    o->is_temp = true;
    if (o->open) {
        o->fd = o->temp.fd;
        return GPA_OK;
    }
    return errno == ENOMEM ? gpai_fail(err, GPA_NOMEM, "out of memory")
                           : cannot(o, err);
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
    o->open = false;
    st = pack_open(&o->pack, path, err);
    if (st != GPA_OK)
        return st;
    if (!exists || S_ISREG(old.st_mode))
        return open_temp(o, exists ? &old : NULL, err);
    TEMP_RETRY(o->fd, open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC));
    o->open = o->fd >= 0;
    return o->open ? GPA_OK : cannot(o, err);
}

gpa_status out_append(struct outputs *all, struct out *o, const char *path,
                      uint64_t *length, gpa_error *err)
{
    struct stat file;
    *o = (struct out){.fd = STDOUT_FILENO};
    gpa_status st = claim(all, path, err);
    if (st != GPA_OK || is_stdout(path))
        return st;
    st = pack_open(&o->pack, path, err);
    if (st == GPA_OK && o->pack != NULL)
        st = gpai_fail(
            err, GPA_INVALID,
            "%.300s: what is added to is not compressed: name it without .gz or "
            ".zst",
            path);
    if (st != GPA_OK)
        return st;
    o->path = strdup(path);
    if (o->path == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    const int how = O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC;
    TEMP_RETRY(o->fd, open(path, how | O_EXCL, 0666));
    o->made = o->fd >= 0;
    if (!o->made)
        TEMP_RETRY(o->fd, open(path, how, 0666));
    o->open = o->fd >= 0;
    if (!o->open || fstat(o->fd, &file) != 0)
        return cannot(o, err);
    *length = S_ISREG(file.st_mode) ? (uint64_t)file.st_size : 0;
    int locked = 0;
    if (S_ISREG(file.st_mode))
        TEMP_RETRY(locked, flock(o->fd, LOCK_EX | LOCK_NB));
    return locked == 0 || errno != EWOULDBLOCK /* some file systems have no locks */
               ? GPA_OK
               : gpai_fail(err, GPA_IO, "cannot write %.200s: another gpa adds to it",
                           path);
}

void out_unmake(const struct out *o)
{
    struct stat file;
    if (o->made && o->open && fstat(o->fd, &file) == 0 && file.st_size == 0)
        (void)unlink(o->path); /* ours alone: it is locked */
}

/* Bytes as they are. */
static gpa_status put(void *to, const char *bytes, size_t n, gpa_error *err)
{
    const struct out *o = to;
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

gpa_status out_write(struct out *o, const char *bytes, size_t n, gpa_error *err)
{
    return o->pack != NULL ? pack_write(o->pack, bytes, n, false, put, o, err)
                           : put(o, bytes, n, err);
}

gpa_status out_text(struct out *o, gpa_text *t, gpa_error *err)
{
    gpa_status st = out_write(o, gpa_text_data(t), gpa_text_length(t), err);
    gpa_text_clear(t);
    return st;
}

gpa_status out_finish(struct out *o, gpa_error *err)
{
    if (o->path == NULL || !o->open)
        return GPA_OK;
    gpa_status st =
        o->pack != NULL ? pack_write(o->pack, "", 0, true, put, o, err) : GPA_OK;
    if (st != GPA_OK)
        return st;
    o->open = false;
    if (o->is_temp)
        return temp_finish(&o->temp) ? GPA_OK : cannot(o, err);
    /* devices and pipes cannot be synchronised, and need not */
    return close(o->fd) == 0 || errno == EINTR ? GPA_OK : cannot(o, err);
}

gpa_status out_commit_all(struct out *const *outs, size_t n, gpa_error *err)
{
    gpa_status st = GPA_OK;
    size_t placed = 0;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = out_finish(outs[i], err);
    temp_hold_signals(true);
    for (; placed < n && st == GPA_OK; placed++)
        if (outs[placed]->is_temp && !temp_place(&outs[placed]->temp, placed + 1 == n))
            st = cannot(outs[placed], err);
    for (; st != GPA_OK && placed > 0; placed--)
        temp_undo(&outs[placed - 1]->temp);
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        if (outs[i]->is_temp)
            temp_drop(&outs[i]->temp);
    temp_hold_signals(false);
    return st;
}

gpa_status out_commit(struct out *o, gpa_error *err)
{
    return out_commit_all(&o, 1, err);
}

/* Whether a path is that of an output. */
static bool is_output(const struct outputs *all, const char *path)
{
    struct file_id id;
    bool known = all != NULL && file_identify(path, &id), is = false;
    for (size_t i = 0; known && i < all->n; i++)
        is = is || file_same(&all->open[i], &id);
    return is;
}

gpa_status out_folder(const struct outputs *all, const char *path, bool *made,
                      gpa_error *err)
{
    char *part = strdup(path);
    gpa_status st = part != NULL ? GPA_OK : gpai_fail(err, GPA_NOMEM, "out of memory");
    struct stat there;
    *made = false;
    for (size_t n = part != NULL ? strlen(part) : 0; n > 1 && part[n - 1] == '/'; n--)
        part[n - 1] = '\0';
    if (st == GPA_OK && is_output(all, part))
        st = gpai_fail(err, GPA_INVALID,
                       "%.200s would be both a folder of pictures and an output", path);
    for (char *at = part; st == GPA_OK && *at != '\0';) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        char kept = *at;
        *at = '\0';
        int done;
        TEMP_RETRY(done, mkdir(part, 0777));
        *made = done == 0;
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
    if (o->is_temp)
        temp_drop(&o->temp);
    else if (o->open && o->path != NULL)
        close(o->fd);
    pack_close(o->pack);
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
