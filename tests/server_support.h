#ifndef TEST_SERVER_SUPPORT_H
#define TEST_SERVER_SUPPORT_H

/* Python servers that tests start on loopback and talk to. */
#include "support.h"
#include <fcntl.h>
#include <jansson.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct served {
    pid_t pid;
    int lifeline; /* its standard input: it ends when this is closed */
    int port;
};

static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int read_port(int fd)
{
    char text[16] = "";
    size_t n = 0;
    while (n + 1 < sizeof text && read(fd, text + n, 1) == 1 && text[n] != '\n')
        n++;
    return atoi(text);
}

/* Starts tests/servers/SCRIPT and waits for its port; 0 when it does not start. */
static inline struct served serve(const char *script, const char *const *more)
{
    const char *root = getenv("GPA_SOURCE_ROOT"), *python = getenv("PYTHON");
    char path[1024];
    const char *words[8] = {python != NULL ? python : "/usr/bin/python3", path};
    char *argv[8];
    int in[2], out[2];
    struct served s = {0, -1, 0};
    snprintf(path, sizeof path, "%s/tests/servers/%s", root != NULL ? root : ".",
             script);
    for (size_t i = 0; more != NULL && more[i] != NULL && i < 5; i++)
        words[2 + i] = more[i];
    memcpy(argv, words, sizeof argv);
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    s.pid = fork();
    if (s.pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        execv(argv[0], argv);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFD, FD_CLOEXEC); /* no later server keeps it open */
    s.lifeline = in[1];
    s.port = read_port(out[0]);
    close(out[0]);
    return s;
}

static inline void end_server(struct served *s)
{
    if (s->pid <= 0)
        return;
    close(s->lifeline);
    waitpid(s->pid, NULL, 0);
    s->pid = 0;
}

/* The body of a GET, by hand: tests must not depend on what they test. */
static inline char *fetch(const struct served *s, const char *path, char *out,
                          size_t size)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)s->port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    size_t n = 0;
    ssize_t got;
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    snprintf(out, size, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
             path);
    assert_int_equal(write(fd, out, strlen(out)), strlen(out));
    while (n + 1 < size && (got = read(fd, out + n, size - 1 - n)) > 0)
        n += (size_t)got;
    out[n] = '\0';
    close(fd);
    char *body = strstr(out, "\r\n\r\n");
    assert_non_null(body);
    return body + 4;
}

/* What the server saw of a model: a JSON object, to be json_decref'd. */
static inline json_t *seen(const struct served *s, const char *name)
{
    char path[128];
    static char reply[1 << 16];
    snprintf(path, sizeof path, "/seen/%s", name);
    json_t *root =
        json_loads(fetch(s, path, reply, sizeof reply), JSON_ALLOW_NUL, NULL);
    assert_non_null(root);
    return root;
}

static inline long seen_count(const struct served *s, const char *name, const char *key)
{
    json_t *root = seen(s, name);
    const json_t *value = json_object_get(root, key);
    long n = json_is_array(value) ? (long)json_array_size(value)
                                  : (long)json_integer_value(value);
    json_decref(root);
    return n;
}

static inline int open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 1024; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

#endif
