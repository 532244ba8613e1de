#define _GNU_SOURCE /* strcasestr */
#include "fuzz.h"
#include "serve/ask/question.h"
#include "serve/http/guard.h"
#include "serve/routes.h"
#include <strings.h>

/* A request to gpa serve: the first line is its target, the second the host, the third
 * the origin, the fourth cookies and token, the rest its body. */

static char *line_of(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (end != NULL)
        *end = '\0';
    *at = end != NULL ? end + 1 : line + strlen(line);
    return line;
}

static void check_question(struct request *r)
{
    struct question q;
    gpa_error err = {0};
    gpa_status st = question_take(&q, r, &err);
    MUST(st == GPA_OK || (st != GPA_NOMEM && err.message[0] != '\0'));
    MUST(st != GPA_OK || q.has_rows != (q.own > 0));
    for (size_t i = 0; st == GPA_OK && i < q.n; i++)
        MUST(q.settings[i].name != NULL);
    for (size_t i = 0; st == GPA_OK && i < q.own; i++)
        MUST(gpai_value_is_object(question_own(&q, i)));
    question_free(&q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct guard g = {.host = "127.0.0.1", .port = 8000, .token = "0123456789abcdef"};
    struct request r = {.method = size % 2 == 0 ? METHOD_POST : METHOD_GET};
    const char *allow = NULL;
    char *text = copy_of(data, size), *at = text, set[SET_COOKIE_SIZE];
    const char *target = line_of(&at), *host = line_of(&at);
    const char *origin = line_of(&at), *secret = line_of(&at);
    (void)!guard_take_base(&g, secret, NULL);
    memcpy(g.base, "/b/", 4);
    guard_settle(&g);
    guard_set_cookie(&g, set);
    if (guard_host(&g, host))
        MUST(strstr(host, "127.0.0.1") != NULL ||
             strcasestr(host, "localhost") != NULL || strstr(host, "[::1]") != NULL ||
             strcasecmp(host, g.public) == 0);
    if (guard_origin(&g, origin, host))
        MUST(strcasecmp(origin, g.origin) == 0 || guard_host(&g, host));
    if (guard_token(&g, secret))
        MUST(strcmp(secret, g.token) == 0);
    if (guard_bearer(&g, secret))
        MUST(strstr(secret, g.token) != NULL);
    if (guard_cookie(&g, secret))
        MUST(strstr(secret, "gpa-8000=") != NULL);
    if (request_take(&r, target, g.base) == REQUEST_FINE) {
        const struct route *found = route_find(&r, &allow);
        MUST(found == NULL || allow == NULL);
        MUST(strlen(r.path) <= strlen(target));
        r.body = copy_of((const uint8_t *)at, strlen(at));
        r.body_size = strlen(at);
        check_question(&r);
        free(r.body);
        r.body = NULL;
    }
    request_free(&r);
    free(text);
    return 0;
}
