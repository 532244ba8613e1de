#include "base/status.h"
#include "model/spec.h"

gpa_status gpai_xgboost_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                          size_t size, gpa_error *err)
{
    (void)out;
    (void)bytes;
    (void)size;
    return gpai_fail(err, GPA_UNSUPPORTED, "xgboost: %s: not yet", s->rest);
}
