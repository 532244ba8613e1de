#include "base/alloc.h"
#include "base/status.h"
#include "model/http/server.h"
#include <string.h>

/* "a, b, ..." for a message. */
static void list_names(const char *const *names, size_t n, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t k = 0; k < n; k++) {
        gpai_shown name = gpai_show_text(names[k]);
        if (strlen(out) + strlen(name.text) + sizeof ", ..." > size) {
            strcat(out, ", ...");
            return;
        }
        strcat(strcat(out, k > 0 ? ", " : ""), name.text);
    }
}

/* Which of n outputs is meant: sets s->output when nobody said and only one of several
 * is a number. */
static gpa_status choose(gpai_server *s, const char *const *names, const bool *numeric,
                         size_t n, gpa_error *err)
{
    size_t found = 0, last = 0;
    char list[240];
    for (size_t k = 0; k < n; k++) {
        if (s->output == NULL ? numeric[k] : strcmp(names[k], s->output) == 0) {
            found++;
            last = k;
        }
    }
    if (n == 0 || (found == 1 && (n == 1 || s->output != NULL)))
        return GPA_OK;
    if (found == 1) {
        s->output = gpai_strdup(names[last]);
        return s->output == NULL ? gpai_nomem(err, "server") : GPA_OK;
    }
    list_names(names, n, list, sizeof list);
    return s->output != NULL
               ? gpai_fail(err, GPA_INVALID, "%s: no output '%s'; there is %s",
                           s->endpoint.who, gpai_show_text(s->output).text, list)
               : gpai_fail(err, GPA_INVALID,
                           "%s: %zu outputs are numbers (%s): say which with "
                           "--model-config output=NAME",
                           s->endpoint.who, found, list);
}

gpa_status gpai_server_outputs(gpai_server *s, json_t *outputs, const char *type_key,
                               gpa_error *err)
{
    bool list = json_is_array(outputs);
    size_t n = list ? json_array_size(outputs) : json_object_size(outputs);
    const char **names = gpai_calloc(n, sizeof *names);
    bool *numeric = gpai_calloc(n, sizeof *numeric);
    gpa_status st = GPA_OK;
    if (names == NULL || numeric == NULL) {
        st = gpai_nomem(err, s->protocol->url.kind);
        goto done;
    }
    void *at = json_object_iter(outputs); /* NULL for a list */
    for (size_t k = 0; k < n; k++) {
        const json_t *item =
            list ? json_array_get(outputs, k) : json_object_iter_value(at);
        const char *name = list ? json_string_value(json_object_get(item, "name"))
                                : json_object_iter_key(at);
        const char *type = json_string_value(json_object_get(item, type_key));
        gpai_datatype t =
            type == NULL ? GPAI_FP64 : gpai_datatype_find(type, strlen(type));
        names[k] = name != NULL ? name : "";
        numeric[k] = t != GPAI_NOT_A_TYPE;
        if (numeric[k] && gpai_datatype_size(t) == 0)
            atomic_store(&s->binary, -1); /* half floats come back as text only */
        at = list ? NULL : json_object_iter_next(outputs, at);
    }
    st = choose(s, names, numeric, n, err);
done:
    gpai_free(numeric);
    gpai_free(names);
    return st;
}
