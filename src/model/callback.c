#include "base/alloc.h"
#include "base/status.h"
#include "model/model.h"

struct callback {
    gpa_predict_fn predict;
    void *ctx;
};

static gpa_status predict(void *self, const double *x, size_t n, size_t d, double *y,
                          gpa_error *err)
{
    const struct callback *c = self;
    int code = c->predict(c->ctx, x, n, d, y);
    if (code != 0)
        return gpai_fail(err, GPA_MODEL, "callback: returned %d for %zu rows", code, n);
    return GPA_OK;
}

/* Whether the user's function may be entered twice at once is not known, so it is not.
 */
static const gpai_model_ops ops = {
    .kind = "callback",
    .predict = predict,
    .close = gpai_free,
    .in_process = true,
    .serialise = true,
};

gpa_status gpa_model_from_callback(gpa_model **out, gpa_predict_fn fn, void *ctx,
                                   size_t d, gpa_error *err)
{
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "callback: NULL instead of a handle's place");
    *out = NULL;
    if (fn == NULL)
        return gpai_fail(err, GPA_INVALID, "callback: NULL function");
    if (d == 0)
        return gpai_fail(err, GPA_INVALID, "callback: 0 inputs");
    struct callback *c = gpai_calloc(1, sizeof *c);
    if (c == NULL)
        return gpai_nomem(err, "callback");
    *c = (struct callback){.predict = fn, .ctx = ctx};
    gpai_model_info info = {.spec = "callback", .d = d};
    return gpai_model_wrap(out, &ops, c, &info, err);
}
