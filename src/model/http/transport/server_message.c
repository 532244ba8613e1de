#include "base/text/show.h"
#include "data/json.h"
#include "model/http/transport/http.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Longer bodies are no explanation, and not worth a tree. */
enum { MAX_JSON = 1 << 16 };

/* The explanation as it came, as far as anybody would read it. */
struct raw {
    char text[1024];
    size_t length;
};

static void put(struct raw *r, const char *text, size_t length)
{
    size_t room = sizeof r->text - r->length;
    size_t n = length < room ? length : room;
    memcpy(r->text + r->length, text, n);
    r->length += n;
}

static void put_string(struct raw *r, const gpai_value *string)
{
    put(r, gpai_value_text(string), strlen(gpai_value_text(string)));
}

/* {"loc": ["body", "inputs", 0], "msg": "field required"} as body.inputs.0: field … */
static void put_detail(struct raw *r, const gpai_value *item)
{
    const gpai_value *where = gpai_value_get(item, "loc");
    const gpai_value *message = gpai_value_get(item, "msg");
    if (!gpai_value_is_text(message))
        return;
    for (size_t i = 0; i < gpai_value_items(where); i++) {
        const gpai_value *step = gpai_value_at(where, i);
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)gpai_value_whole(step));
        put(r, ".", i > 0);
        if (gpai_value_is_text(step))
            put_string(r, step);
        else
            put(r, number, strlen(number));
    }
    put(r, ": ", gpai_value_items(where) > 0 ? 2 : 0);
    put_string(r, message);
}

/* A text, a list of details of which the first counts, or {"message": …}. */
static void put_value(struct raw *r, const gpai_value *value)
{
    const gpai_value *first = gpai_value_at(value, 0);
    const gpai_value *message = gpai_value_get(value, "message");
    if (gpai_value_is_text(value))
        put_string(r, value);
    else if (gpai_value_is_text(first))
        put_string(r, first);
    else if (first != NULL)
        put_detail(r, first);
    else if (gpai_value_is_text(message))
        put_string(r, message);
}

static void put_object(struct raw *r, const gpai_value *root)
{
    static const char *const keys[] = {"error", "detail", "message", "errors", "msg"};
    const gpai_value *code = gpai_value_get(root, "error_code");
    if (gpai_value_is_text(code)) {
        put_string(r, code);
        put(r, ": ", 2);
    }
    size_t before = r->length;
    for (size_t k = 0; r->length == before && k < sizeof keys / sizeof keys[0]; k++)
        put_value(r, gpai_value_get(root, keys[k]));
}

static const char *find(const char *body, size_t size, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= size; i++)
        if (strncasecmp(body + i, word, n) == 0)
            return body + i;
    return NULL;
}

/* A page meant for a browser: only its title is for people. */
static void put_page(struct raw *r, const char *body, size_t size)
{
    const char *title = find(body, size, "<title>");
    const char *end = NULL;
    if (title != NULL) {
        title += strlen("<title>");
        end = find(title, size - (size_t)(title - body), "</");
    }
    if (end != NULL)
        put(r, title, (size_t)(end - title));
}

gpai_server_message gpai_server_message_read(const char *body, size_t size)
{
    gpai_server_message message = {""};
    struct raw r = {.length = 0};
    gpai_value *root = NULL;
    while (size > 0 && (*body == ' ' || *body == '\n' || *body == '\r')) {
        body++;
        size--;
    }
    if (size == 0)
        return message;
    if (size <= MAX_JSON && memchr("{[\"", *body, 3) != NULL)
        (void)gpai_json_parse(&root, body, size, "reply", NULL);
    if (gpai_value_is_object(root))
        put_object(&r, root);
    else if (gpai_value_is_text(root))
        put_string(&r, root);
    else if (*body == '<')
        put_page(&r, body, size < MAX_JSON ? size : MAX_JSON);
    if (r.length == 0 && *body != '<')
        put(&r, body, size);
    gpai_value_free(root);
    gpai_show_line(message.text, sizeof message.text, r.text, r.length);
    return message;
}
