#define _DEFAULT_SOURCE /* NI_MAXHOST */
#include "watch/metrics.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include "console/terminal.h"
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 32, PATIENCE = 10 }; /* at once; seconds */

struct metrics {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    gpa_text *text;
};

static enum MHD_Result send_text(struct MHD_Connection *c, unsigned status,
                                 const char *text, size_t length)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(
        length, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    if (r == NULL)
        return MHD_NO;
    (void)MHD_add_response_header(r, "Content-Type", "text/plain; version=0.0.4");
    enum MHD_Result done = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return done;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *c, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **own)
{
    struct metrics *m = ctx;
    (void)version;
    (void)data;
    *size = 0;
    if (*own == NULL) { /* the head has come; the rest of a request is passed over */
        *own = m;
        return MHD_YES;
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return send_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n", 9);
    if (strcmp(url, "/healthz") == 0)
        return send_text(c, MHD_HTTP_OK, "ok\n", 3);
    if (strcmp(url, "/metrics") != 0)
        return send_text(c, MHD_HTTP_NOT_FOUND, "there is /metrics\n", 18);
    pthread_mutex_lock(&m->lock);
    enum MHD_Result done =
        send_text(c, MHD_HTTP_OK, gpa_text_data(m->text), gpa_text_length(m->text));
    pthread_mutex_unlock(&m->lock);
    return done;
}

/* A socket that listens there; -1 with what is wrong. */
static int listen_on(const char *host, const char *port, const char **why)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, port, &hints, &found), fd = -1, yes = 1;
    if (code != 0) {
        *why = gai_strerror(code);
        return -1;
    }
    fd = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) != 0 ||
        listen(fd, CLIENTS) != 0) {
        *why = strerror(errno);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

static void say_where(int fd)
{
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getsockname(fd, (struct sockaddr *)&at, &size) != 0 ||
        getnameinfo((struct sockaddr *)&at, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    bool six = strchr(host, ':') != NULL;
    say("metrics on http://%s%s%s:%s/metrics", six ? "[" : "", host, six ? "]" : "",
        port);
    if (strncmp(host, "127.", 4) != 0 && strcmp(host, "::1") != 0)
        say("others on the network can read the counters and the names of the inputs");
}

gpa_status metrics_open(struct metrics **out, const char *address, gpa_error *err)
{
    const char *colon = strrchr(address, ':'), *why = "it is not ADDRESS:PORT";
    char host[256] = "";
    uint64_t port = 0;
    size_t length = colon != NULL ? (size_t)(colon - address) : 0;
    bool brackets = length > 1 && address[0] == '[' && colon[-1] == ']';
    struct metrics *m = *out = gpai_calloc(1, sizeof *m);
    if (m == NULL)
        return gpai_nomem(err, "watch");
    pthread_mutex_init(&m->lock, NULL);
    gpa_status st = gpa_text_new(&m->text, err);
    if (st != GPA_OK)
        return st;
    if (length > 0 && length < sizeof host)
        snprintf(host, sizeof host, "%.*s", (int)(length - 2 * brackets),
                 address + brackets);
    bool good = host[0] != '\0' && gpai_word_count(colon + 1, &port) && port <= 65535;
    int fd = good ? listen_on(host, colon + 1, &why) : -1;
    if (fd < 0)
        return gpai_fail(err, GPA_INVALID, "--metrics: cannot listen on '%.100s': %s",
                         address, why);
    m->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, m,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE, MHD_OPTION_END);
    if (m->daemon == NULL) {
        close(fd);
        return gpai_fail(err, GPA_IO, "--metrics: the server could not be started");
    }
    say_where(fd);
    return GPA_OK;
}

gpa_text *metrics_show(struct metrics *m, gpa_text *t)
{
    pthread_mutex_lock(&m->lock);
    gpa_text *old = m->text;
    m->text = t;
    pthread_mutex_unlock(&m->lock);
    gpa_text_clear(old);
    return old;
}

void metrics_close(struct metrics *m)
{
    if (m == NULL)
        return;
    if (m->daemon != NULL)
        MHD_stop_daemon(m->daemon);
    gpa_text_free(m->text);
    pthread_mutex_destroy(&m->lock);
    gpai_free(m);
}
