#include "base/status.h"
#include "model/spec.h"

gpa_status gpai_exec_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    (void)out;
    return gpai_fail(err, GPA_UNSUPPORTED, "exec: %s: not yet", s->rest);
}
