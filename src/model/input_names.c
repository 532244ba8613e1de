#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/spec.h"

/* NULL when there are none. The list is gpai_free'd, the names in it belong to `root`.
 */
static gpa_status read_names(const char ***out, const json_t *root, size_t d,
                             const char *path, gpa_error *err)
{
    *out = NULL;
    const json_t *list = json_object_get(root, "variables");
    if (list == NULL || json_is_null(list))
        return GPA_OK;
    if (!json_is_array(list))
        return gpai_bad_file(err, path, "variables: not a list of names");
    if (json_array_size(list) != d)
        return gpai_bad_file(err, path, "variables: %zu names for %zu inputs",
                             json_array_size(list), d);
    const char **names = gpai_calloc(d, sizeof *names);
    if (names == NULL)
        return gpai_nomem(err, "variables");
    for (size_t k = 0; k < d; k++) {
        names[k] = json_string_value(json_array_get(list, k));
        if (names[k] == NULL) {
            gpai_free(names);
            return gpai_bad_file(err, path, "variables: item %zu is not a name", k + 1);
        }
    }
    *out = names;
    return GPA_OK;
}

gpa_status gpai_model_named(gpa_model **out, const gpai_model_ops *ops, void *self,
                            size_t d, const gpai_spec *s, const json_t *root,
                            gpa_error *err)
{
    const char **names = NULL;
    *out = NULL;
    gpa_status st = read_names(&names, root, d, s->rest, err);
    const gpai_model_info info = {s->text, d, s->batch_rows, names};
    if (st == GPA_OK)
        st = gpai_model_wrap(out, ops, self, &info, err);
    else
        ops->close(self);
    gpai_free(names);
    return st;
}
