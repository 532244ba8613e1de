#include "serve/http/guard.h"
#include "base/status.h"
#include <errno.h>
#include <fcntl.h>
#include <nettle/memops.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                              "0123456789-_";

static gpa_status wrong_base(const char *url, gpa_error *err)
{
    return gpai_fail(err, GPA_INVALID,
                     "--base-url: '%.200s' is neither a path such as /gpa/ nor a URL "
                     "such as https://host/gpa/",
                     url);
}

/* scheme://host[:port] in front of the path: gives the path. */
static const char *take_public(struct guard *g, const char *url)
{
    const char *host = strstr(url, "://");
    size_t scheme = host != NULL ? (size_t)(host - url) : 0;
    if (host == NULL || !((scheme == 4 && strncmp(url, "http", 4) == 0) ||
                          (scheme == 5 && strncmp(url, "https", 5) == 0)))
        return NULL;
    host += 3;
    size_t length = strcspn(host, "/?#@ \t");
    if (length == 0 || length >= HOST_SIZE || host[length] == '@')
        return NULL;
    snprintf(g->public, sizeof g->public, "%.*s", (int)length, host);
    snprintf(g->origin, sizeof g->origin, "%.*s://%s", (int)scheme, url, g->public);
    return host[length] != '\0' ? host + length : "/";
}

gpa_status guard_take_base(struct guard *g, const char *url, gpa_error *err)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789-_.~/";
    const char *path = url[0] == '/' ? url : take_public(g, url);
    size_t length = path != NULL ? strlen(path) : 0;
    if (path == NULL || length + 2 > BASE_SIZE || path[strspn(path, fine)] != '\0' ||
        strstr(path, "//") != NULL || strstr(path, "/.") != NULL)
        return wrong_base(url, err);
    snprintf(g->base, sizeof g->base, "%s%s", path, path[length - 1] == '/' ? "" : "/");
    return GPA_OK;
}

gpa_status guard_make_token(struct guard *g, gpa_error *err)
{
    enum { LENGTH = 32 }; /* 192 bits */
    unsigned char bytes[LENGTH];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return gpai_fail(err, GPA_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < LENGTH; i++)
        g->token[i] = LETTERS[bytes[i] % 64];
    g->token[LENGTH] = '\0';
    return GPA_OK;
}

static gpa_status write_token(struct guard *g, const char *path, gpa_error *err)
{
    char line[TOKEN_MOST + 2];
    gpa_status st = guard_make_token(g, err);
    if (st != GPA_OK)
        return st;
    int n = snprintf(line, sizeof line, "%s\n", g->token);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return gpai_fail(err, GPA_IO, "--token-file: cannot make %.200s: %s", path,
                         strerror(errno));
    bool good = write(fd, line, (size_t)n) == n && fsync(fd) == 0;
    int why = errno;
    if (close(fd) != 0 || !good) {
        unlink(path);
        return gpai_fail(err, GPA_IO, "--token-file: cannot write %.200s: %s", path,
                         strerror(why));
    }
    return GPA_OK;
}

gpa_status guard_read_token(struct guard *g, const char *path, gpa_error *err)
{
    char line[TOKEN_MOST + 3];
    struct stat is;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return write_token(g, path, err);
    if (fd < 0)
        return gpai_fail(err, GPA_IO, "--token-file: cannot read %.200s: %s", path,
                         strerror(errno));
    ssize_t n = fstat(fd, &is) == 0 && S_ISREG(is.st_mode)
                    ? read(fd, line, sizeof line - 1)
                    : -1;
    close(fd);
    size_t length = n > 0 ? (size_t)n : 0;
    line[length] = '\0';
    length = strcspn(line, "\r\n");
    bool ends = line[length + strspn(line + length, "\r\n")] == '\0';
    line[length] = '\0';
    if (n < 0 || !ends || length < TOKEN_LEAST || length > TOKEN_MOST ||
        line[strspn(line, LETTERS)] != '\0')
        return gpai_fail(err, GPA_INVALID,
                         "--token-file: %.200s is not one line of %d to %d letters, "
                         "digits, - and _",
                         path, TOKEN_LEAST, TOKEN_MOST);
    if ((is.st_mode & 077) != 0)
        return gpai_fail(err, GPA_INVALID,
                         "--token-file: others can read %.200s: chmod 600 it", path);
    memcpy(g->token, line, length + 1);
    return GPA_OK;
}

void guard_settle(struct guard *g)
{
    char text[TOKEN_MOST + 64];
    int n = snprintf(text, sizeof text, "gpa serve %u %s", g->port, g->token);
    gpa_digest(text, (size_t)n, g->session);
    snprintf(g->cookie, sizeof g->cookie, "gpa-%u", g->port);
    if (g->base[0] == '\0')
        memcpy(g->base, "/", 2);
    g->local = guard_is_loopback(g->host);
}

bool guard_is_loopback(const char *host)
{
    return strcmp(host, "127.0.0.1") == 0 || strcmp(host, "::1") == 0 ||
           strcmp(host, "localhost") == 0;
}

/* Whether `given` is name[:port]; without a port it is that of the scheme, 80. */
static bool is_host(const char *given, const char *name, unsigned port)
{
    char room[HOST_SIZE + 16];
    bool six = strchr(name, ':') != NULL;
    int n = snprintf(room, sizeof room, six ? "[%s]" : "%s", name);
    if (strncasecmp(given, room, (size_t)n) != 0)
        return false;
    if (given[n] == '\0')
        return port == 80;
    snprintf(room, sizeof room, ":%u", port);
    return strcmp(given + n, room) == 0;
}

bool guard_host(const struct guard *g, const char *host)
{
    if (host == NULL)
        return false;
    if (g->public[0] != '\0' && strcasecmp(host, g->public) == 0)
        return true;
    return is_host(host, "127.0.0.1", g->port) || is_host(host, "localhost", g->port) ||
           is_host(host, "::1", g->port) || is_host(host, g->host, g->port);
}

bool guard_origin(const struct guard *g, const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    if (origin == NULL)
        return true;
    if (g->origin[0] != '\0' && strcasecmp(origin, g->origin) == 0)
        return true;
    /* a page that came from us under this name: the same as is asked now */
    return strncmp(origin, scheme, sizeof scheme - 1) == 0 && host != NULL &&
           guard_host(g, host) && strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

/* Equal, in a time that says nothing about where they differ. */
static bool same(const char *secret, const char *given, size_t length)
{
    char padded[TOKEN_MOST + GPA_DIGEST_SIZE] = "";
    size_t want = strlen(secret);
    bool fits = length == want && length < sizeof padded;
    memcpy(padded, given, length < sizeof padded ? length : sizeof padded);
    return (memeql_sec(padded, secret, want) & fits) != 0;
}

bool guard_token(const struct guard *g, const char *token)
{
    return token != NULL && same(g->token, token, strlen(token));
}

bool guard_bearer(const struct guard *g, const char *authorization)
{
    static const char kind[] = "Bearer ";
    return authorization != NULL &&
           strncasecmp(authorization, kind, sizeof kind - 1) == 0 &&
           guard_token(g, authorization + sizeof kind - 1);
}

bool guard_cookie(const struct guard *g, const char *cookies)
{
    const char *value = strchr(g->session, ':'); /* the digest alone */
    size_t name = strlen(g->cookie);
    value = value != NULL ? value + 1 : g->session;
    for (const char *p = cookies; p != NULL && *p != '\0';) {
        p += strspn(p, " \t;");
        size_t length = strcspn(p, ";");
        if (length > name && strncmp(p, g->cookie, name) == 0 && p[name] == '=') {
            size_t end = length;
            while (end > name + 1 && (p[end - 1] == ' ' || p[end - 1] == '\t'))
                end--;
            if (same(value, p + name + 1, end - name - 1))
                return true;
        }
        p += length;
    }
    return false;
}

void guard_set_cookie(const struct guard *g, char line[SET_COOKIE_SIZE])
{
    const char *value = strchr(g->session, ':');
    bool tls = strncmp(g->origin, "https:", 6) == 0;
    snprintf(line, SET_COOKIE_SIZE, "%s=%s; Path=%s; HttpOnly; SameSite=Strict%s",
             g->cookie, value != NULL ? value + 1 : g->session, g->base,
             tls ? "; Secure" : "");
}
