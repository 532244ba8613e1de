#define _DEFAULT_SOURCE /* madvise */
#include "data/slurp.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* First size tried when the length is not known (pipes, terminals, /proc), what counts
 * as large, and the most that is asked of the system at once. */
enum { FIRST = 1 << 16, LARGE = 8 << 20, CHUNK = 1 << 30 };

/* What is read so far; `room` counts the zero byte at the end. */
struct buffer {
    char *bytes;
    size_t size, room;
};

static gpa_status fail_errno(gpa_error *err, const char *path, int code)
{
    char reason[128] = "unknown error";
    (void)!strerror_r(code, reason, sizeof reason);
    return gpai_fail_file(err, GPA_IO, path, "cannot read: %s", reason);
}

static gpa_status fail_large(gpa_error *err, const char *path, size_t max_bytes)
{
    return gpai_bad_file(err, path, "larger than the limit of %zu bytes", max_bytes);
}

/* Opens the file, guesses the memory it needs, and lowers `*most` for a device. */
static gpa_status open_file(int *fd, size_t *guess, const char *path, size_t *most,
                            gpa_error *err)
{
    enum { MOST_OF_A_DEVICE = 64 << 20 }; /* /dev/zero has no end */
    struct stat info;
    if (strcmp(path, "-") == 0)
        *fd = STDIN_FILENO;
    else
        do
            *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (*fd < 0 && errno == EINTR);
    if (*fd < 0 || fstat(*fd, &info) != 0)
        return fail_errno(err, path, errno);
    if (S_ISDIR(info.st_mode))
        return fail_errno(err, path, EISDIR);
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        if ((uintmax_t)info.st_size > *most)
            return fail_large(err, path, *most);
        *guess = (size_t)info.st_size + 2; /* the zero byte, and one to see the end */
    }
    if (S_ISCHR(info.st_mode) && *most > MOST_OF_A_DEVICE)
        *most = MOST_OF_A_DEVICE;
    return GPA_OK;
}

static gpa_status grow(struct buffer *b, size_t room, gpa_error *err)
{
    char *bytes = gpai_regrow(b->bytes, room, 1);
    if (bytes == NULL)
        return gpai_nomem(err, "slurp");
    b->bytes = bytes;
    b->room = room;
    gpai_large(bytes, room);
    return GPA_OK;
}

/* Reads to the end, whatever pieces the system hands out. */
static gpa_status read_all(struct buffer *b, int fd, const char *path, size_t max_bytes,
                           gpa_error *err)
{
    for (;;) {
        if (b->size > max_bytes)
            return fail_large(err, path, max_bytes);
        if (b->size + 1 >= b->room) {
            gpa_status st = b->room > SIZE_MAX / 2 ? gpai_nomem(err, "slurp")
                                                   : grow(b, 2 * b->room, err);
            if (st != GPA_OK)
                return st;
        }
        size_t want = b->room - b->size - 1;
        ssize_t got = read(fd, b->bytes + b->size, want < CHUNK ? want : CHUNK);
        if (got == 0)
            return GPA_OK;
        if (got < 0 && errno != EINTR)
            return fail_errno(err, path, errno);
        if (got > 0)
            b->size += (size_t)got;
    }
}

gpa_status gpai_slurp(char **bytes, size_t *size, const char *path, size_t max_bytes,
                      gpa_error *err)
{
    struct buffer b = {NULL, 0, 0};
    size_t guess = FIRST;
    int fd = -1;
    *bytes = NULL;
    *size = 0;
    gpa_status st = open_file(&fd, &guess, path, &max_bytes, err);
    if (st != GPA_OK)
        goto done;
    st = grow(&b, guess, err);
    if (st != GPA_OK)
        goto done;
    st = read_all(&b, fd, path, max_bytes, err);
    if (st != GPA_OK)
        goto done;
    b.bytes[b.size] = '\0';
    *bytes = b.bytes;
    *size = b.size;
    b.bytes = NULL;
done:
    if (fd > STDIN_FILENO || (fd == STDIN_FILENO && strcmp(path, "-") != 0))
        close(fd); /* nothing was written, so there is nothing to learn from it */
    gpai_free(b.bytes);
    return st;
}

bool gpai_is_file(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

gpa_status gpai_file_open(gpai_file *f, const char *path, size_t max_bytes,
                          gpa_error *err)
{
    size_t guess = 0;
    *f = (gpai_file){.fd = -1, .path = path};
    gpa_status st = gpai_is_file(path) ? GPA_OK : fail_errno(err, path, EINVAL);
    if (st == GPA_OK)
        st = open_file(&f->fd, &guess, path, &max_bytes, err);
    f->size = guess > 2 ? guess - 2 : 0;
    if (st != GPA_OK)
        gpai_file_close(f);
    return st;
}

gpa_status gpai_file_get(const gpai_file *f, size_t at, size_t size, void *to,
                         gpa_error *err)
{
    for (size_t done = 0; done < size;) {
        size_t want = size - done < CHUNK ? size - done : CHUNK;
        ssize_t got = pread(f->fd, (char *)to + done, want, (off_t)(at + done));
        if (got == 0)
            return gpai_fail_file(err, GPA_IO, f->path, "ends while it is read");
        if (got < 0 && errno != EINTR)
            return fail_errno(err, f->path, errno);
        done += got > 0 ? (size_t)got : 0;
    }
    return GPA_OK;
}

void gpai_file_close(gpai_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

void gpai_large(void *block, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t skip = (page - (uintptr_t)block % page) % page;
    if (size >= LARGE) /* should it fail, there are more faults */
        (void)madvise((char *)block + skip, (size - skip) / page * page, MADV_HUGEPAGE);
}

void gpai_forget(char *from, const char *to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = (uintptr_t)to / page * page;
    uintptr_t skip = (page - (uintptr_t)from % page) % page;
    if ((uintptr_t)from + skip < end) /* should it fail, they stay */
        (void)madvise(from + skip, end - (uintptr_t)from - skip, MADV_DONTNEED);
}
