#include "serve/http/http.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include "serve/http/clients.h"
#include "serve/http/send.h"
#include "serve/routes.h"
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    THREADS = 4,
    CONNECTIONS = 2048,
    HEADERS_SIZE = 32768, /* bytes of a request without its body, and of its buffers */
    SPARE_FILES = 64      /* descriptors that others need */
};

/* Seconds that a client has to send a request, and to be idle. */
static const double TO_SEND = 10, TO_REST = 30;

struct http {
    struct serving *v;
    struct MHD_Daemon *daemon;
    struct clients *clients;
    atomic_bool quiet; /* it is about to end */
};

/* What names of headers are made of (RFC 9110, token). */
static const char TOKEN_LETTERS[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "0123456789!#$%&'*+-.^_`|~";

/* The headers that say who may come in, and how long the body is. */
struct headers {
    const char *host, *origin, *site, *cookie, *authorization, *length, *type, *accept;
    const char *match;
    unsigned hosts, lengths, origins, authorizations, encodings;
    bool odd; /* a name that is none: "Transfer-Encoding " */
};

static enum MHD_Result take_header(void *ctx, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct headers *h = ctx;
    (void)kind;
    value = value != NULL ? value : "";
    h->odd = h->odd || name[strspn(name, TOKEN_LETTERS)] != '\0';
    if (strcasecmp(name, "Host") == 0) {
        h->host = value;
        h->hosts++;
    } else if (strcasecmp(name, "Origin") == 0) {
        h->origin = value;
        h->origins++;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        h->length = value;
        h->lengths++;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        h->encodings++;
    } else if (strcasecmp(name, "Authorization") == 0) {
        h->authorization = value;
        h->authorizations++;
    } else if (strcasecmp(name, "Sec-Fetch-Site") == 0) {
        h->site = value;
    } else if (strcasecmp(name, "Cookie") == 0) {
        h->cookie = value;
    } else if (strcasecmp(name, "Content-Type") == 0) {
        h->type = value;
    } else if (strcasecmp(name, "Accept") == 0) {
        h->accept = value;
    } else if (strcasecmp(name, "If-None-Match") == 0) {
        h->match = value;
    }
    return MHD_YES;
}

/* Whether it comes from a page of somebody else. */
static bool is_foreign(const struct guard *g, const struct headers *h)
{
    if (h->origins > 1 || !guard_origin(g, h->origin, h->host))
        return true;
    return h->origin == NULL && h->site != NULL &&
           strcmp(h->site, "same-origin") != 0 && strcmp(h->site, "none") != 0;
}

/* False: it may not come in, and the reply says why. The host comes before all else. */
static bool let_in(struct exchange *x, const struct headers *h,
                   const struct route *route)
{
    const struct guard *g = &x->on->guard;
    bool page = route != NULL && route->page && x->ask.method != METHOD_OTHER;
    const char *token = request_param(&x->ask, "token");
    if (is_foreign(g, h) && !page) {
        reply_problem(&x->reply, 403,
                      "this was asked by a page of another site, or by one without "
                      "origin");
        return false;
    }
    if (route != NULL && route->open)
        return true;
    bool known = guard_cookie(g, h->cookie) ||
                 (h->authorizations == 1 && guard_bearer(g, h->authorization));
    if (page && guard_token(g, token)) {
        guard_set_cookie(g, x->set_cookie);
        x->reply.cookie = x->set_cookie;
        known = true;
    }
    if (known)
        return true;
    reply_problem(&x->reply, 401,
                  "the token is missing or of another run: open the address that gpa "
                  "serve printed (with --token-file it stays the same)");
    return false;
}

/* False: a body that cannot be taken. One without a length is none. */
static bool check_body(struct exchange *x, const struct headers *h)
{
    uint64_t length = 0;
    bool post = x->ask.method == METHOD_POST;
    if (h->encodings > 0) {
        reply_problem(&x->reply, 411, "a body needs its Content-Length");
        return false;
    }
    if (h->lengths > 1 || (h->lengths == 1 && !gpai_word_count(h->length, &length))) {
        reply_problem(&x->reply, 400, "Content-Length is not one number");
        return false;
    }
    if (post && h->lengths == 0) {
        reply_problem(&x->reply, 411, "a body needs its Content-Length");
        return false;
    }
    if (length > (post ? BODY_SIZE : 0)) {
        reply_problem(&x->reply, 413, "a body of at most %d bytes",
                      post ? (int)BODY_SIZE : 0);
        return false;
    }
    if (post && (h->type == NULL || strncasecmp(h->type, TYPE_JSON, 16) != 0 ||
                 (h->type[16] != '\0' && h->type[16] != ';' && h->type[16] != ' '))) {
        reply_problem(&x->reply, 415, "Content-Type: application/json is needed");
        return false;
    }
    x->ask.body = post ? gpai_calloc((size_t)length + 1, 1) : NULL;
    if (post && x->ask.body == NULL)
        reply_problem(&x->reply, 503, "out of memory");
    x->room = (size_t)length;
    return !post || x->ask.body != NULL;
}

/* The head of a request. False: the reply is there, and says no. */
static bool take_head(struct exchange *x, struct MHD_Connection *c, const char *method)
{
    struct headers h = {0};
    const char *allow = NULL;
    (void)MHD_get_connection_values(c, MHD_HEADER_KIND, take_header, &h);
    if (h.hosts != 1 || !guard_host(&x->on->guard, h.host)) {
        reply_problem(&x->reply, 403,
                      "this address is served under another name: use the one that gpa "
                      "serve printed");
        return false;
    }
    if (h.odd) {
        reply_problem(&x->reply, 400, "a header has no name that is one");
        return false;
    }
    x->ask.method = request_method(method);
    enum request_fault fault =
        request_take(&x->ask, x->target != NULL ? x->target : "", x->on->guard.base);
    const struct route *route =
        fault == REQUEST_FINE ? route_find(&x->ask, &allow) : NULL;
    if (fault == REQUEST_BAD || fault == REQUEST_LONG || fault == REQUEST_NOMEM) {
        reply_problem(&x->reply, fault == REQUEST_NOMEM ? 503 : 400,
                      "this is no address");
        return false;
    }
    if (!let_in(x, &h, route))
        return false;
    x->reply.allow = allow;
    if (route == NULL) {
        reply_problem(&x->reply, allow != NULL ? 405 : 404, "%s",
                      allow != NULL ? "there, but not with this method"
                                    : "there is no such thing");
        return false;
    }
    x->route = route;
    x->answer = route->answer;
    x->ask.events = h.accept != NULL && strstr(h.accept, "text/event-stream") != NULL;
    x->same = h.match;
    return check_body(x, &h);
}

static enum MHD_Result send_answer(struct http *h, struct exchange *x,
                                   struct MHD_Connection *c)
{
    return send_reply(x, c, atomic_load(&h->quiet));
}

/* Hands it to a worker; the connection rests meanwhile. */
static enum MHD_Result begin_work(struct http *h, struct exchange *x,
                                  struct MHD_Connection *c)
{
    struct serving *v = x->on;
    if (atomic_load(&h->quiet))
        reply_problem(&x->reply, 503, "the server is about to end");
    if (atomic_load(&h->quiet) || !serving_ready(x))
        return send_answer(h, x, c);
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    client_give(x->client, 0);
    x->connection = c;
    x->wake = send_wake;
    pthread_mutex_lock(&x->lock);
    x->socket = fd != NULL ? fd->connect_fd : -1;
    x->waits = true;
    x->working = true;
    MHD_suspend_connection(c);
    struct jobs *to = x->route->lane == LANE_QUICK ? v->quick : v->slow;
    bool taken = jobs_add(to, x, atomic_fetch_add(&v->next_id, 1));
    if (!taken) {
        x->waits = x->working = false;
        MHD_resume_connection(c);
        reply_problem(&x->reply, 503,
                      "%d questions wait already: try again in a moment", (int)QUEUE);
        x->refused = true;
    }
    pthread_mutex_unlock(&x->lock);
    return MHD_YES;
}

static enum MHD_Result take_body(struct exchange *x, const char *data, size_t *size)
{
    if (x->ask.body == NULL || *size > x->room - x->ask.body_size)
        return MHD_NO; /* more than was announced */
    memcpy(x->ask.body + x->ask.body_size, data, *size);
    x->ask.body_size += *size;
    *size = 0;
    return MHD_YES;
}

/* Called for the head, for every piece of the body, at its end, and after a rest. */
static enum MHD_Result take_part(void *ctx, struct MHD_Connection *c, const char *url,
                                 const char *method, const char *version,
                                 const char *data, size_t *size, void **own)
{
    struct http *h = ctx;
    struct exchange *x = *own;
    (void)url;
    (void)version;
    if (x == NULL)
        return MHD_NO; /* there was no memory for it */
    if (!x->headed) {
        x->headed = true;
        const union MHD_ConnectionInfo *i =
            MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        x->client = i != NULL ? i->socket_context : NULL;
        client_give(x->client, TO_SEND);
        if (!take_head(x, c, method)) {
            x->closes = true;
            return send_answer(h, x, c);
        }
        return MHD_YES;
    }
    if (*size > 0)
        return take_body(x, data, size);
    pthread_mutex_lock(&x->lock);
    bool over = x->finished || x->streams || x->refused, working = x->working;
    pthread_mutex_unlock(&x->lock);
    if (over)
        return send_answer(h, x, c);
    if (working)
        return MHD_YES;
    if (x->ask.body != NULL && x->ask.body_size < x->room)
        return MHD_NO;
    if (x->route->lane != LANE_NONE)
        return begin_work(h, x, c);
    x->answer(x, NULL);
    return send_answer(h, x, c);
}

/* The target as it was sent: the first that is known of a request. */
static void *take_target(void *ctx, const char *target, struct MHD_Connection *c)
{
    struct http *h = ctx;
    struct exchange *x = exchange_new(h->v);
    (void)c;
    if (x != NULL)
        x->target = gpai_strdup(target);
    return x;
}

static void complete(void *ctx, struct MHD_Connection *c, void **own,
                     enum MHD_RequestTerminationCode why)
{
    struct exchange *x = *own;
    (void)ctx;
    (void)c;
    (void)why;
    if (x == NULL)
        return;
    exchange_leave(x);
    client_give(x->client, TO_REST);
    exchange_drop(x);
    *own = NULL;
}

static void connection(void *ctx, struct MHD_Connection *c, void **own,
                       enum MHD_ConnectionNotificationCode what)
{
    struct http *h = ctx;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *fd =
            MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
        atomic_fetch_add(&h->v->metrics.connections, 1);
        *own = client_new(h->clients, fd != NULL ? fd->connect_fd : -1);
        client_give(*own, TO_SEND);
    } else {
        atomic_fetch_sub(&h->v->metrics.connections, 1);
        atomic_store(&h->v->metrics.cut, clients_cut(h->clients));
        client_free(*own);
        *own = NULL;
    }
}

/* As many descriptors as we may have; how many connections they are good for. */
static unsigned raise_files(void)
{
    struct rlimit files = {0};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return 128;
    if (files.rlim_cur < CONNECTIONS + SPARE_FILES) {
        files.rlim_cur = files.rlim_max < CONNECTIONS + SPARE_FILES
                             ? files.rlim_max
                             : CONNECTIONS + SPARE_FILES;
        (void)setrlimit(RLIMIT_NOFILE, &files);
        (void)getrlimit(RLIMIT_NOFILE, &files);
    }
    rlim_t room =
        files.rlim_cur > 2 * SPARE_FILES ? files.rlim_cur - SPARE_FILES : SPARE_FILES;
    return room < CONNECTIONS ? (unsigned)room : CONNECTIONS;
}

/* A socket that listens there. */
static int listen_at(struct guard *g, gpa_error *err)
{
    char port[8];
    struct addrinfo want = {.ai_socktype = SOCK_STREAM,
                            .ai_flags = AI_PASSIVE | AI_NUMERICSERV},
                    *found = NULL;
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    int one = 1, fd = -1;
    snprintf(port, sizeof port, "%u", g->port);
    int code = getaddrinfo(g->host, port, &want, &found);
    if (code != 0) {
        (void)gpai_fail(err, GPA_INVALID, "--host: '%.100s': %s", g->host,
                        gai_strerror(code));
        return -1;
    }
    fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) != 0 ||
        listen(fd, 512) != 0 ||
        getsockname(fd, (struct sockaddr *)(void *)&at, &size) != 0 ||
        getnameinfo((struct sockaddr *)(void *)&at, size, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV) != 0) {
        (void)gpai_fail(err, GPA_IO, "cannot listen at %.100s, port %u: %s", g->host,
                        g->port, strerror(errno));
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    uint64_t number = 0;
    if (fd >= 0 && gpai_word_count(port, &number))
        g->port = (unsigned)number;
    return fd;
}

gpa_status http_open(struct http **out, struct serving *v, gpa_error *err)
{
    struct http *h = *out = gpai_calloc(1, sizeof *h);
    if (h == NULL)
        return gpai_nomem(err, "serve");
    h->v = v;
    int fd = listen_at(&v->guard, err);
    if (fd < 0)
        return err->status;
    guard_settle(&v->guard);
    h->clients = clients_new();
    if (h->clients != NULL)
        h->daemon = MHD_start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0,
            NULL, NULL, take_part, h, MHD_OPTION_LISTEN_SOCKET, fd,
            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
            raise_files(), MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_SIZE,
            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, take_target,
            h, MHD_OPTION_NOTIFY_COMPLETED, complete, h, MHD_OPTION_NOTIFY_CONNECTION,
            connection, h, MHD_OPTION_END);
    if (h->daemon != NULL)
        return GPA_OK;
    close(fd);
    return gpai_fail(err, GPA_IO, "serve: the server could not be started");
}

void http_quiet(struct http *h)
{
    atomic_store(&h->quiet, true);
    MHD_socket fd = MHD_quiesce_daemon(h->daemon);
    if (fd != MHD_INVALID_SOCKET)
        close(fd);
}

void http_close(struct http *h)
{
    if (h == NULL)
        return;
    if (h->daemon != NULL)
        MHD_stop_daemon(h->daemon);
    clients_free(h->clients);
    gpai_free(h);
}
