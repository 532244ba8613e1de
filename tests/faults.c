/* Preloaded below a program (tests/test_torture.py): the n-th call of a function of the
 * C library fails, once or for ever, or does only a part of its work. Calls count from
 * the start of main, and only in the programs that GPA_FAULT_IN names, not in their
 * children.
 *
 *   GPA_FAULT        what fails: malloc (with calloc, realloc), read, write (with
 *                    writev), open (with mkstemp), fsync, rename (with linkat), close,
 *                    mkdir
 *   GPA_FAULT_AT     which call, from 1; 0: none
 *   GPA_FAULT_EVER   1: all from there on
 *   GPA_FAULT_ERRNO  a number; 0: read and write do one byte only
 *   GPA_FAULT_COUNT  a file that is told how many calls there were of each, and how
 *                    many descriptors are open at the end that were not at the start
 */
#undef _FILE_OFFSET_BITS /* it would make open and open64 the same name */
#undef _GNU_SOURCE
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { MALLOC, READ, WRITE, OPEN, FSYNC, RENAME, CLOSE, MKDIR, CALLS };
static const char *const NAMES[CALLS] = {"malloc", "read",   "write", "open",
                                         "fsync",  "rename", "close", "mkdir"};

static atomic_ulong counts[CALLS];
static atomic_bool active;
static int which = -1, code;
static unsigned long at;
static bool ever;
static const char *told;

/* Descriptors that whoever started the program left open. */
enum { DESCRIPTORS = 1024 };
static bool open_before[DESCRIPTORS];

static bool is_open(int fd)
{
    return syscall(SYS_fcntl, fd, F_GETFD) >= 0;
}

static bool strikes(enum call call)
{
    if (!atomic_load(&active))
        return false;
    unsigned long n = atomic_fetch_add(&counts[call], 1) + 1;
    return (int)call == which && at > 0 && (ever ? n >= at : n == at);
}

static long number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

static bool is_meant(void)
{
    char exe[4096];
    const char *in = getenv("GPA_FAULT_IN");
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0 || in == NULL)
        return false;
    exe[n] = '\0';
    const char *name = strrchr(exe, '/') + 1, *found = strstr(in, name);
    size_t length = strlen(name);
    return found != NULL && (found == in || found[-1] == ' ') &&
           (found[length] == '\0' || found[length] == ' ');
}

static void tell(void)
{
    char text[512];
    size_t used = 0;
    unsigned left = 0;
    if (!atomic_exchange(&active, false) || told == NULL)
        return;
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        left += is_open(fd) && !open_before[fd];
    for (int i = 0; i < CALLS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %lu\n", NAMES[i],
                                 atomic_load(&counts[i]));
    used += (size_t)snprintf(text + used, sizeof text - used, "left %u\n", left);
    long fd = syscall(SYS_openat, AT_FDCWD, told, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && syscall(SYS_write, fd, text, used) >= 0)
        syscall(SYS_close, fd);
}

static int (*real_main)(int, char **, char **);

static int start(int argc, char **argv, char **env)
{
    const char *call = getenv("GPA_FAULT");
    for (int i = 0; i < CALLS && call != NULL; i++)
        if (strcmp(call, NAMES[i]) == 0)
            which = i;
    at = (unsigned long)number("GPA_FAULT_AT");
    ever = number("GPA_FAULT_EVER") != 0;
    code = (int)number("GPA_FAULT_ERRNO");
    told = getenv("GPA_FAULT_COUNT");
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        open_before[fd] = is_open(fd);
    atomic_store(&active, is_meant());
    int result = real_main(argc, argv, env);
    tell();
    return result;
}

/* POSIX says that dlsym gives functions, too; ISO C does not. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*end)(void),
                      void *stack);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*end)(void),
                      void *stack)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void),
                void (*)(void), void (*)(void), void *);
    void *found = next("__libc_start_main");
    memcpy(&real, &found, sizeof real);
    real_main = main;
    return real(start, argc, argv, init, fini, end, stack);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static bool no_memory(void)
{
    bool struck = strikes(MALLOC);
    if (struck)
        errno = ENOMEM;
    return struck;
}

void *malloc(size_t size)
{
    return no_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return no_memory() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    return no_memory() ? NULL : __libc_realloc(p, size);
}

/* -1 with the errno that was asked for. */
static int fail(void)
{
    errno = code;
    return -1;
}

ssize_t read(int fd, void *into, size_t n)
{
    if (strikes(READ)) {
        if (code != 0)
            return fail();
        n = n > 1 ? 1 : n;
    }
    return syscall(SYS_read, fd, into, n);
}

ssize_t write(int fd, const void *from, size_t n)
{
    if (strikes(WRITE)) {
        if (code != 0)
            return fail();
        n = n > 1 ? 1 : n;
    }
    return syscall(SYS_write, fd, from, n);
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    if (strikes(WRITE)) {
        if (code != 0)
            return fail();
        for (int i = 0; i < n; i++)
            if (pieces[i].iov_len > 0)
                return syscall(SYS_write, fd, pieces[i].iov_base, (size_t)1);
    }
    return syscall(SYS_writev, fd, pieces, n);
}

static int open_file(const char *path, int flags, mode_t mode)
{
    return strikes(OPEN) ? fail()
                         : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Programs call one or the other, whatever their off_t is. */
#define OPEN_AS(name)                                                                  \
    int name(const char *path, int flags, ...)                                         \
    {                                                                                  \
        va_list args;                                                                  \
        va_start(args, flags);                                                         \
        bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;       \
        mode_t mode = makes ? va_arg(args, mode_t) : 0;                                \
        va_end(args);                                                                  \
        return open_file(path, flags, mode);                                           \
    }
#undef open
#undef open64
int open64(const char *path, int flags, ...);
OPEN_AS(open)
OPEN_AS(open64)

#undef mkstemp
#undef mkstemp64
int mkstemp64(char *name);
#define MKSTEMP_AS(name)                                                               \
    int name(char *path)                                                               \
    {                                                                                  \
        int (*real)(char *);                                                           \
        void *found = next(#name);                                                     \
        memcpy(&real, &found, sizeof real);                                            \
        return strikes(OPEN) ? fail() : real(path);                                    \
    }
MKSTEMP_AS(mkstemp)
MKSTEMP_AS(mkstemp64)

int fsync(int fd)
{
    return strikes(FSYNC) ? fail() : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    return strikes(RENAME)
               ? fail()
               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    return strikes(RENAME)
               ? fail()
               : (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    return strikes(RENAME) ? fail()
                           : (int)syscall(SYS_linkat, from_fd, from, to_fd, to, flags);
}

/* It is closed all the same, as Linux does. */
int close(int fd)
{
    bool struck = strikes(CLOSE);
    int done = (int)syscall(SYS_close, fd);
    return struck ? fail() : done;
}

int mkdir(const char *path, mode_t mode)
{
    return strikes(MKDIR) ? fail() : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

void _exit(int status)
{
    tell();
    syscall(SYS_exit_group, status);
    for (;;)
        continue;
}
