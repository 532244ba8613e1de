#include "console/png.h"
#include "base/status.h"
#include "base/text/text.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char PROGRAM[] = "rsvg-convert";

/* Runs it from `in` to `out`; -1: it was not found, else its exit code. */
static int run(const char *const *words, int in, int out, int errors)
{
    char *argv[6] = {NULL}, copy[6][16];
    posix_spawn_file_actions_t a;
    pid_t pid;
    int state = 0;
    for (size_t i = 0; words[i] != NULL; i++) {
        snprintf(copy[i], sizeof copy[i], "%s", words[i]);
        argv[i] = copy[i];
    }
    if (posix_spawn_file_actions_init(&a) != 0)
        return 1;
    int code = posix_spawn_file_actions_adddup2(&a, in, STDIN_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&a, out, STDOUT_FILENO);
    if (code == 0 && errors >= 0)
        code = posix_spawn_file_actions_adddup2(&a, errors, STDERR_FILENO);
    if (code == 0)
        code = posix_spawnp(&pid, PROGRAM, &a, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&a);
    if (code != 0)
        return code == ENOENT ? -1 : 1;
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return 1;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return -1; /* some systems only find out in the child */
    return WIFEXITED(state) ? WEXITSTATUS(state) : 1;
}

gpa_status png_ready(gpa_error *err)
{
    static const char *const words[] = {PROGRAM, "--version", NULL};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int code = nothing >= 0 ? run(words, nothing, nothing, nothing) : 1;
    if (nothing >= 0)
        close(nothing);
    if (code == 0)
        return GPA_OK;
    return gpai_fail(err, GPA_UNSUPPORTED,
                     "--png needs the program %s, which is not there: install it "
                     "(Debian, Ubuntu: librsvg2-bin; Fedora: librsvg2-tools; Homebrew: "
                     "librsvg), or use --svg",
                     PROGRAM);
}

static gpa_status read_back(gpa_text *t, FILE *from, gpa_error *err)
{
    static const char SIGN[] = "\x89PNG\r\n\x1a\n";
    char bytes[65536];
    size_t n;
    gpa_text_clear(t);
    rewind(from);
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        gpai_text_bytes(t, bytes, n);
    if (t->length < 8 || memcmp(t->data, SIGN, 8) != 0)
        return gpai_fail(err, GPA_IO, "--png: %s gave no picture", PROGRAM);
    return gpai_text_seal(t, 0, err);
}

gpa_status png_from(gpa_text *t, gpa_error *err)
{
    static const char *const words[] = {PROGRAM, "-f", "png", "-z", "2", NULL};
    FILE *in = tmpfile(), *out = tmpfile();
    gpa_status st = GPA_OK;
    if (in == NULL || out == NULL || fwrite(t->data, 1, t->length, in) != t->length ||
        fflush(in) != 0 || lseek(fileno(in), 0, SEEK_SET) != 0)
        st = gpai_fail(err, GPA_IO, "--png: no temporary file: %s", strerror(errno));
    else if (run(words, fileno(in), fileno(out), -1) != 0)
        st = gpai_fail(err, GPA_IO, "--png: %s failed", PROGRAM);
    else
        st = read_back(t, out, err);
    if (in != NULL)
        fclose(in);
    if (out != NULL)
        fclose(out);
    return st;
}
