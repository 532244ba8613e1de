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

gpa_status gpai_server_choose(gpai_server *s, const char *const *names,
                              const bool *numeric, size_t n, gpa_error *err)
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
