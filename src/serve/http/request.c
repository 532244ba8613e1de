#include "serve/http/request.h"
#include "base/alloc.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include <string.h>

enum method request_method(const char *word)
{
    static const char *const WORDS[] = {"GET", "HEAD", "POST", "DELETE"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strcmp(word, WORDS[i]) == 0)
            return (enum method)i;
    return METHOD_OTHER;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Undoes escapes in place, up to `end`; false for what is none, for zeros and what is
 * no UTF-8; in a path for control characters, too. Names of columns may have anything.
 */
static bool decode(char *text, const char *end, bool query)
{
    char *to = text;
    for (const char *p = text; p < end; p++) {
        int high = 0, low = 0;
        char c = query && *p == '+' ? ' ' : *p;
        if (*p == '%') {
            high = end - p > 2 ? digit(p[1]) : -1;
            low = high >= 0 ? digit(p[2]) : -1;
            if (low < 0)
                return false;
            c = (char)(16 * high + low);
            p += 2;
        }
        if (c == '\0' || (!query && ((unsigned char)c < ' ' || c == 127)))
            return false;
        *to++ = c;
    }
    *to = '\0';
    return gpai_utf8_all(text);
}

/* One after the other, between & */
static bool take_params(struct request *r, char *query)
{
    for (char *p = query, *next; p != NULL; p = next) {
        next = strchr(p, '&');
        char *end = next != NULL ? next : p + strlen(p);
        char *equals = memchr(p, '=', (size_t)(end - p));
        if (next != NULL)
            next++;
        if (end == p)
            continue;
        if (r->n_params == PARAMS)
            return false;
        struct param *to = &r->params[r->n_params++];
        char *value = equals != NULL ? equals + 1 : end;
        to->name = p;
        to->value = value;
        if (!decode(value, end, true) || (equals != NULL && !decode(p, equals, true)))
            return false;
        if (equals == NULL) {
            if (!decode(p, end, true))
                return false;
            to->value = "";
        }
    }
    return true;
}

enum request_fault request_take(struct request *r, const char *target, const char *base)
{
    size_t length = strlen(target), below = strlen(base);
    if (length > TARGET_SIZE)
        return REQUEST_LONG;
    if (target[0] != '/')
        return REQUEST_BAD;
    size_t pairs = 1;
    for (size_t i = 0; i < length; i++)
        pairs += target[i] == '&';
    pairs = pairs < PARAMS ? pairs : PARAMS;
    r->params = gpai_calloc(pairs * sizeof *r->params + length + 1, 1);
    r->block = r->params;
    if (r->block == NULL)
        return REQUEST_NOMEM;
    char *text = (char *)(r->params + pairs);
    memcpy(text, target, length + 1);
    char *query = strchr(text, '?');
    if (query != NULL)
        *query++ = '\0';
    if (!decode(text, text + strlen(text), false))
        return REQUEST_BAD;
    bool bare = strlen(text) == below - 1 && strncmp(text, base, below - 1) == 0;
    if (!bare && strncmp(text, base, below) != 0)
        return REQUEST_ELSEWHERE;
    r->path = bare ? "" : text + below;
    return query == NULL || take_params(r, query) ? REQUEST_FINE : REQUEST_BAD;
}

void request_free(struct request *r)
{
    gpai_free(r->body);
    gpai_free(r->block);
    *r = (struct request){.path = NULL};
}

const char *request_param(const struct request *r, const char *name)
{
    for (size_t i = 0; i < r->n_params; i++)
        if (strcmp(r->params[i].name, name) == 0)
            return r->params[i].value;
    return NULL;
}

bool request_count(const struct request *r, const char *name, size_t otherwise,
                   size_t most, size_t *value)
{
    const char *text = request_param(r, name);
    uint64_t count = otherwise;
    if (text != NULL && (!gpai_word_count(text, &count) || count > most))
        return false;
    *value = (size_t)count;
    return true;
}
