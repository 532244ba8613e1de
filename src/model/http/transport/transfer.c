#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "model/http/transport/http.h"
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_HEADER_BYTES = 1 << 16 };
static const double CONNECT_SECONDS = 10;

/* Children that the program starts meanwhile inherit no connection. */
static int own_socket(void *transfer, curl_socket_t socket, curlsocktype purpose)
{
    (void)transfer;
    (void)purpose;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    return CURL_SOCKOPT_OK;
}

static size_t take_body(char *bytes, size_t size, size_t n, void *transfer)
{
    gpai_transfer *t = transfer;
    size *= n; /* curl's own buffer: no overflow */
    if (size > t->most - t->reply.size) {
        t->large = true;
        return 0;
    }
    gpai_bytes_add(&t->reply, bytes, size);
    return t->reply.failed ? 0 : size;
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

static size_t take_header(char *line, size_t size, size_t n, void *transfer)
{
    gpai_transfer *t = transfer;
    size_t length = 0;
    size *= n;
    t->header_bytes += size;
    if (t->header_bytes > MAX_HEADER_BYTES) {
        t->trouble = "the headers of the reply do not end";
        return 0;
    }
    const char *value = value_of(line, size, "Content-Encoding", &length);
    if (value != NULL && (length != 8 || strncasecmp(value, "identity", 8) != 0))
        t->trouble = "the reply is compressed, which was not asked for";
    value = value_of(line, size, "Inference-Header-Content-Length", &length);
    if (value != NULL && t->reply_head > 0)
        t->trouble = "the reply says twice how long its JSON is";
    if (value != NULL)
        t->reply_head = read_count(value, length);
    value = value_of(line, size, "Retry-After", &length);
    if (value != NULL)
        t->wait = read_seconds(value, length);
    return t->trouble == NULL ? size : 0;
}

/* What is the same for every request. Redirects are not followed: a secret must not
 * travel to where a reply says, nor a request to another kind of server. */
static bool set_up(gpai_transfer *t)
{
    CURL *c = t->easy;
    const gpai_endpoint *s = t->endpoint;
    const gpai_curl *curl = &s->curl;
    bool ok = curl->easy_set(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_ERRORBUFFER, t->problem) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_SOCKOPTFUNCTION, own_socket) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_WRITEDATA, t) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_HEADERDATA, t) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_PRIVATE, t) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_USERAGENT, s->agent) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_TCP_NODELAY, 1L) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) ==
                  CURLE_OK &&
              curl->easy_set(c, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
              curl->easy_set(c, CURLOPT_PROTOCOLS,
                             (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)) == CURLE_OK;
#if LIBCURL_VERSION_NUM >= 0x075700
    /* a name server that does not answer must not outlast the time-out; an older
     * library than the headers does not know this */
    (void)curl->easy_set(c, CURLOPT_QUICK_EXIT, 1L);
#endif
    if (ok && s->loopback)
        ok = curl->easy_set(c, CURLOPT_PROXY, "") == CURLE_OK;
    if (ok && s->ca_file != NULL)
        ok = curl->easy_set(c, CURLOPT_CAINFO, s->ca_file) == CURLE_OK;
    if (ok && s->ca_path != NULL)
        ok = curl->easy_set(c, CURLOPT_CAPATH, s->ca_path) == CURLE_OK;
    return ok;
}

gpa_status gpai_transfer_new(gpai_transfer **out, const gpai_endpoint *endpoint,
                             gpa_error *err)
{
    *out = NULL;
    gpai_transfer *t = gpai_calloc(1, sizeof *t);
    if (t == NULL)
        return gpai_nomem(err, "http");
    t->endpoint = endpoint;
    /* The first handle of a program makes curl set itself up, from version 7.84 on
     * under a lock of its own. We never tear that down: the program may use curl too.
     */
    t->easy = endpoint->curl.easy_new();
    if (t->easy == NULL || !set_up(t)) {
        gpai_transfer_free(t);
        return gpai_nomem(err, "http");
    }
    *out = t;
    return GPA_OK;
}

void gpai_transfer_free(gpai_transfer *t)
{
    if (t == NULL)
        return;
    t->endpoint->curl.easy_free(t->easy);
    gpai_bytes_free(&t->request);
    gpai_bytes_free(&t->reply);
    gpai_free(t);
}

/* Rounded up, and never 0, which means for ever. */
static long milliseconds(double seconds)
{
    return seconds < (double)(LONG_MAX / 2000) ? (long)(seconds * 1000) + 1 : 0;
}

static struct curl_slist *headers(gpai_transfer *t, bool get)
{
    /* curl only reads the endpoint's nodes, but its type does not say so */
    struct curl_slist *fixed = NULL;
    const struct curl_slist *of_endpoint = t->endpoint->header;
    memcpy(&fixed, &of_endpoint, sizeof fixed);
    if (get || t->head == 0)
        return fixed;
    snprintf(t->head_line, sizeof t->head_line, "Inference-Header-Content-Length: %zu",
             t->head);
    t->header = (struct curl_slist){t->head_line, fixed};
    return &t->header;
}

gpa_status gpai_transfer_aim(gpai_transfer *t, const char *url, bool get,
                             double seconds, gpa_error *err)
{
    CURL *c = t->easy;
    const gpai_curl *curl = &t->endpoint->curl;
    long all = seconds > 0 ? milliseconds(seconds) : 0;
    double connect =
        seconds > 0 && seconds < CONNECT_SECONDS ? seconds : CONNECT_SECONDS;
    gpai_bytes_clear(&t->reply);
    t->trouble = NULL;
    t->large = false;
    t->reply_head = t->header_bytes = 0;
    t->status = 0;
    t->wait = 0;
    t->problem[0] = '\0';
    bool ok =
        curl->easy_set(c, CURLOPT_URL, url) == CURLE_OK &&
        curl->easy_set(c, CURLOPT_TIMEOUT_MS, all) == CURLE_OK &&
        curl->easy_set(c, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(connect)) ==
            CURLE_OK &&
        curl->easy_set(c, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)t->most) == CURLE_OK &&
        curl->easy_set(c, CURLOPT_HTTPHEADER, headers(t, get)) == CURLE_OK;
    if (ok && get)
        ok = curl->easy_set(c, CURLOPT_HTTPGET, 1L) == CURLE_OK;
    else if (ok)
        ok = curl->easy_set(c, CURLOPT_POST, 1L) == CURLE_OK &&
             curl->easy_set(c, CURLOPT_POSTFIELDS, t->request.at) == CURLE_OK &&
             curl->easy_set(c, CURLOPT_POSTFIELDSIZE_LARGE,
                            (curl_off_t)t->request.size) == CURLE_OK;
    return ok ? GPA_OK : gpai_nomem(err, "http");
}

gpa_status gpai_transfer_fail_time(const gpai_transfer *t, gpa_error *err)
{
    char seconds[GPAI_NUMBER_ROOM];
    gpai_number_text(t->endpoint->timeout, seconds);
    return gpai_fail(err, GPA_MODEL, "%s: no complete reply within %s s",
                     t->endpoint->who, seconds);
}

/* How often it was tried, when that is more than once. */
struct times {
    char text[32];
};

static struct times times(int tries)
{
    struct times t = {""};
    if (tries > 1)
        snprintf(t.text, sizeof t.text, " (%d times)", tries);
    return t;
}

/* Whether curl may have quoted the proxy, with a password in it. */
static bool tells_password(const char *why)
{
    return strchr(why, '@') != NULL ||
           (strstr(why, "proxy") != NULL &&
            (strchr(why, '\'') != NULL || strstr(why, "://") != NULL));
}

/* Names the variable it comes from instead, in the order in which curl looks. */
static gpa_status fail_proxy(const gpai_transfer *t, CURLcode code, gpa_error *err)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY",
                                        "all_proxy", "ALL_PROXY"};
    bool tls = strncasecmp(t->endpoint->url, "https:", 6) == 0;
    for (size_t i = tls ? 1 : 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0' && (tls || i == 0 || i > 2))
            return gpai_fail(err, GPA_MODEL, "%s: the proxy in %s cannot be used",
                             t->endpoint->who, names[i]);
    }
    return gpai_fail(err, GPA_MODEL, "%s: %s", t->endpoint->who,
                     t->endpoint->curl.easy_text(code));
}

gpa_status gpai_transfer_fail(const gpai_transfer *t, CURLcode code, int tries,
                              gpa_error *err)
{
    const char *who = t->endpoint->who, *why = t->problem;
    if (code == CURLE_OUT_OF_MEMORY || t->reply.failed)
        return gpai_nomem(err, "http");
    if (t->large || code == CURLE_FILESIZE_EXCEEDED)
        return gpai_fail(
            err, GPA_MODEL,
            "%s: the reply is larger than %zu bytes, the most that makes sense here",
            who, t->most);
    if (t->trouble != NULL)
        return gpai_fail(err, GPA_MODEL, "%s: %s", who, t->trouble);
    if (tells_password(why))
        return fail_proxy(t, code, err);
    if (why[0] == '\0')
        why = t->endpoint->curl.easy_text(code);
    char safe[224];
    gpai_show_line(safe, sizeof safe, why, strlen(why));
    return gpai_fail(err, GPA_MODEL, "%s: %s%s", who, safe, times(tries).text);
}

gpa_status gpai_transfer_fail_status(const gpai_transfer *t, double asked, int tries,
                                     gpa_error *err)
{
    gpai_server_message message = gpai_server_message_read(t->reply.at, t->reply.size);
    char number[GPAI_NUMBER_ROOM], more[64] = "";
    const char *location = NULL;
    gpai_number_text(asked, number);
    if (isinf(asked))
        snprintf(more, sizeof more, "; asks to wait longer than anybody can");
    else if (asked > 0)
        snprintf(more, sizeof more, "; asks to wait %.20s s", number);
    else if (t->status == 413)
        snprintf(more, sizeof more, "; smaller batches may help");
    if (t->status / 100 == 3 &&
        t->endpoint->curl.easy_get(t->easy, CURLINFO_REDIRECT_URL, &location) ==
            CURLE_OK &&
        location != NULL)
        return gpai_fail(
            err, GPA_MODEL,
            "%s: HTTP %ld to %s: redirects are not followed; give that URL",
            t->endpoint->who, t->status, gpai_show_path(location).text);
    return gpai_fail(err, GPA_MODEL, "%s: HTTP %ld%s%s%s%s", t->endpoint->who,
                     t->status, message.text[0] != '\0' ? ": " : "", message.text,
                     times(tries).text, more);
}
