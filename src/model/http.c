#include "base/status.h"
#include "model/spec.h"

gpa_status gpai_v2_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    (void)out;
    return gpai_fail(err, GPA_UNSUPPORTED, "v2: %s: not yet", s->rest);
}
gpa_status gpai_mlflow_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    (void)out;
    return gpai_fail(err, GPA_UNSUPPORTED, "mlflow: %s: not yet", s->rest);
}
gpa_status gpai_tfserving_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    (void)out;
    return gpai_fail(err, GPA_UNSUPPORTED, "tfserving: %s: not yet", s->rest);
}
