#include "model/http/transport/transfer.h"
#include "base/alloc.h"
#include "base/status.h"
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_HEADER_BYTES = 1 << 16 };
static const double CONNECT_SECONDS = 10;

/* Children that the program starts meanwhile inherit no connection. */
static int own_socket(void *link, curl_socket_t socket, curlsocktype purpose)
{
    (void)link;
    (void)purpose;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    return CURL_SOCKOPT_OK;
}

static size_t take_body(char *bytes, size_t size, size_t n, void *link)
{
    gpai_link *l = link;
    size *= n; /* curl's own buffer: no overflow */
    if (size > l->most - l->reply.size) {
        l->trouble = GPAI_LINK_LARGE;
        return 0;
    }
    gpai_bytes_add(&l->reply, bytes, size);
    if (l->reply.failed) {
        l->trouble = GPAI_LINK_NOMEM;
        return 0;
    }
    return size;
}

/* The value of a header line when it has this name; NULL when not. */
static const char *value_of(const char *line, size_t size, const char *name,
                            size_t *length)
{
    size_t n = strlen(name);
    if (size <= n || line[n] != ':' || strncasecmp(line, name, n) != 0)
        return NULL;
    const char *end = line + size;
    for (line += n + 1; line < end && (*line == ' ' || *line == '\t'); line++)
        continue;
    while (end > line && strchr(" \t\r\n", end[-1]) != NULL)
        end--;
    *length = (size_t)(end - line);
    return line;
}

/* Whole numbers only; anything else, and what is too large, is more than any reply. */
static size_t read_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || count > SIZE_MAX / 16)
            return SIZE_MAX;
        count = 10 * count + (size_t)(text[i] - '0');
    }
    return length > 0 ? count : SIZE_MAX;
}

/* Seconds; HUGE_VAL when there are more than can be read. */
static double read_seconds(const char *text, size_t length)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (digits == 0)
        return 0;
    size_t seconds = read_count(text, digits);
    return seconds == SIZE_MAX ? HUGE_VAL : (double)seconds;
}

static size_t take_header(char *line, size_t size, size_t n, void *link)
{
    gpai_link *l = link;
    size_t length = 0;
    size *= n;
    l->header_bytes += size;
    if (l->header_bytes > MAX_HEADER_BYTES) {
        l->trouble = GPAI_LINK_HEADERS;
        return 0;
    }
    const char *value = value_of(line, size, "Content-Encoding", &length);
    if (value != NULL && (length != 8 || strncasecmp(value, "identity", 8) != 0))
        l->trouble = GPAI_LINK_ENCODED;
    value = value_of(line, size, "Inference-Header-Content-Length", &length);
    if (value != NULL)
        l->reply_head = read_count(value, length);
    value = value_of(line, size, "Retry-After", &length);
    if (value != NULL)
        l->wait = read_seconds(value, length);
    return l->trouble == GPAI_LINK_FINE ? size : 0;
}

/* What is the same for every request. Redirects are not followed: a secret must not
 * travel to where a reply says, nor a request to another kind of server. */
static bool set_up(gpai_link *l)
{
    CURL *c = l->easy;
    const gpai_site *s = l->site;
    bool ok =
        curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_ERRORBUFFER, l->problem) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_SOCKOPTFUNCTION, own_socket) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_WRITEDATA, l) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_HEADERDATA, l) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_PRIVATE, l) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_USERAGENT, s->agent) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_TCP_NODELAY, 1L) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
        curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK;
#if LIBCURL_VERSION_NUM >= 0x075500
    ok = ok && curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
#else
    ok = ok && curl_easy_setopt(c, CURLOPT_PROTOCOLS,
                                CURLPROTO_HTTP | CURLPROTO_HTTPS) == CURLE_OK;
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    /* a name server that does not answer must not outlast the time-out */
    ok = ok && curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK;
#endif
    if (ok && s->loopback)
        ok = curl_easy_setopt(c, CURLOPT_PROXY, "") == CURLE_OK;
    if (ok && s->ca_file != NULL)
        ok = curl_easy_setopt(c, CURLOPT_CAINFO, s->ca_file) == CURLE_OK;
    if (ok && s->ca_path != NULL)
        ok = curl_easy_setopt(c, CURLOPT_CAPATH, s->ca_path) == CURLE_OK;
    return ok;
}

gpa_status gpai_link_new(gpai_link **out, const gpai_site *site, gpa_error *err)
{
    *out = NULL;
    gpai_link *l = gpai_calloc(1, sizeof *l);
    if (l == NULL)
        return gpai_nomem(err, "http");
    l->site = site;
    /* The first handle of a program makes curl set itself up, from version 7.84 on
     * under a lock of its own. We never tear that down: the program may use curl too.
     */
    l->easy = curl_easy_init();
    if (l->easy == NULL || !set_up(l)) {
        gpai_link_free(l);
        return gpai_nomem(err, "http");
    }
    *out = l;
    return GPA_OK;
}

void gpai_link_free(gpai_link *l)
{
    if (l == NULL)
        return;
    curl_easy_cleanup(l->easy);
    gpai_bytes_free(&l->request);
    gpai_bytes_free(&l->reply);
    gpai_free(l);
}

/* Rounded up, and never 0, which means for ever. */
static long milliseconds(double seconds)
{
    return seconds < (double)(LONG_MAX / 2000) ? (long)(seconds * 1000) + 1 : 0;
}

static struct curl_slist *headers(gpai_link *l, bool get)
{
    /* curl only reads the site's nodes, but its type does not say so */
    struct curl_slist *fixed = NULL;
    const struct curl_slist *of_site = l->site->header;
    memcpy(&fixed, &of_site, sizeof fixed);
    if (get || l->head == 0)
        return fixed;
    snprintf(l->head_line, sizeof l->head_line, "Inference-Header-Content-Length: %zu",
             l->head);
    l->header = (struct curl_slist){l->head_line, fixed};
    return &l->header;
}

gpa_status gpai_link_aim(gpai_link *l, const char *url, bool get, double seconds,
                         gpa_error *err)
{
    CURL *c = l->easy;
    long all = seconds > 0 ? milliseconds(seconds) : 0;
    double connect =
        seconds > 0 && seconds < CONNECT_SECONDS ? seconds : CONNECT_SECONDS;
    gpai_bytes_clear(&l->reply);
    l->trouble = GPAI_LINK_FINE;
    l->reply_head = l->header_bytes = 0;
    l->status = 0;
    l->wait = 0;
    l->problem[0] = '\0';
    bool ok = curl_easy_setopt(c, CURLOPT_URL, url) == CURLE_OK &&
              curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, all) == CURLE_OK &&
              curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(connect)) ==
                  CURLE_OK &&
              curl_easy_setopt(c, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)l->most) ==
                  CURLE_OK &&
              curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers(l, get)) == CURLE_OK;
    if (ok && get)
        ok = curl_easy_setopt(c, CURLOPT_HTTPGET, 1L) == CURLE_OK;
    else if (ok)
        ok = curl_easy_setopt(c, CURLOPT_POST, 1L) == CURLE_OK &&
             curl_easy_setopt(c, CURLOPT_POSTFIELDS, l->request.at) == CURLE_OK &&
             curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE,
                              (curl_off_t)l->request.size) == CURLE_OK;
    return ok ? GPA_OK : gpai_nomem(err, "http");
}
