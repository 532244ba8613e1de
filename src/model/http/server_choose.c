#include "base/alloc.h"
#include "base/status.h"
#include "model/http/server.h"
#include <string.h>

/* The k-th output that metadata describes, in a list or by name; `at` goes on from the
 * one before it. */
static const json_t *output_at(json_t *outputs, size_t k, void **at, const char **name)
{
    const json_t *item = json_array_get(outputs, k);
    *name = json_string_value(json_object_get(item, "name"));
    if (json_is_object(outputs)) {
        *at = k == 0 ? json_object_iter(outputs) : json_object_iter_next(outputs, *at);
        *name = json_object_iter_key(*at);
        item = json_object_iter_value(*at);
    }
    *name = *name != NULL ? *name : "";
    return item;
}

/* "a, b, ..." for a message. */
static void list_names(json_t *outputs, size_t n, char *out, size_t size)
{
    void *at = NULL;
    out[0] = '\0';
    for (size_t k = 0; k < n; k++) {
        const char *text;
        (void)output_at(outputs, k, &at, &text);
        gpai_shown name = gpai_show_text(text);
        if (strlen(out) + strlen(name.text) + sizeof ", ..." > size) {
            strcat(out, ", ...");
            return;
        }
        strcat(strcat(out, k > 0 ? ", " : ""), name.text);
    }
}

static bool is_number(gpai_server *s, const json_t *output, const char *type_key)
{
    const char *text = json_string_value(json_object_get(output, type_key));
    gpai_datatype t = text == NULL ? GPAI_FP64 : gpai_datatype_find(text, strlen(text));
    if (t != GPAI_NOT_A_TYPE && gpai_datatype_size(t) == 0)
        atomic_store(&s->binary, -1); /* half floats come back as text only */
    return t != GPAI_NOT_A_TYPE;
}

gpa_status gpai_server_outputs(gpai_server *s, json_t *outputs, const char *type_key,
                               gpa_error *err)
{
    size_t n = json_array_size(outputs) + json_object_size(outputs), found = 0;
    const char *name, *last = "";
    void *at = NULL;
    char list[240];
    for (size_t k = 0; k < n; k++) {
        bool number = is_number(s, output_at(outputs, k, &at, &name), type_key);
        if (s->output == NULL ? number : strcmp(name, s->output) == 0) {
            found++;
            last = name;
        }
    }
    if (n == 0 || (found == 1 && (n == 1 || s->output != NULL)))
        return GPA_OK;
    if (found == 1) {
        s->output = gpai_strdup(last);
        return s->output == NULL ? gpai_nomem(err, "server") : GPA_OK;
    }
    list_names(outputs, n, list, sizeof list);
    return s->output != NULL
               ? gpai_fail(err, GPA_INVALID, "%s: no output '%s'; there is %s",
                           s->endpoint.who, gpai_show_text(s->output).text, list)
               : gpai_fail(err, GPA_INVALID,
                           "%s: %zu outputs are numbers (%s): say which with "
                           "--model-config output=NAME",
                           s->endpoint.who, found, list);
}
