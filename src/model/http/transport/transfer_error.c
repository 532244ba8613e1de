#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "model/http/transport/server_message.h"
#include "model/http/transport/transfer.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
                     curl_easy_strerror(code));
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
        why = curl_easy_strerror(code);
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
        curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &location) == CURLE_OK &&
        location != NULL)
        return gpai_fail(
            err, GPA_MODEL,
            "%s: HTTP %ld to %s: redirects are not followed; give that URL",
            t->endpoint->who, t->status, gpai_show_path(location).text);
    return gpai_fail(err, GPA_MODEL, "%s: HTTP %ld%s%s%s%s", t->endpoint->who,
                     t->status, message.text[0] != '\0' ? ": " : "", message.text,
                     times(tries).text, more);
}
