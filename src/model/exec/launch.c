#define _GNU_SOURCE  /* pipe2, F_SETPIPE_SZ, posix_spawn_file_actions_addclosefrom_np  \
                      */
#include "model/exec/launch.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 }; /* a batch goes through without waiting for the reader */

void gpai_shut(int *fd)
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
    gpai_shut(fd);
    *fd = high;
    return high >= 0;
}

bool gpai_pipe(int ends[2], int ours, bool wide)
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
    static const int numbers[] = {SIGPIPE, SIGINT,  SIGTERM, SIGHUP,
                                  SIGQUIT, SIGCHLD, SIGUSR1, SIGUSR2};
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&defaults, numbers[i]);
    int code = posix_spawnattr_setsigmask(attr, &none);
    return code != 0 ? code : posix_spawnattr_setsigdefault(attr, &defaults);
}

int gpai_launch(pid_t *pid, char **argv, pid_t group, const int stdio[3])
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
