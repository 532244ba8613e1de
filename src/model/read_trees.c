#include "base/status.h"
#include "model/spec.h"

gpa_status gpai_trees_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                           gpa_error *err)
{
    (void)out;
    (void)root;
    return gpai_fail(err, GPA_UNSUPPORTED, "trees: %s: not yet", s->rest);
}
