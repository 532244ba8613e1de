#include "base/status.h"
#include "base/text/show.h"
#include "model/spec.h"
#include <math.h>
#include <string.h>

/* cos(pi x), exactly 0 at half-integers and +-1 at integers: the argument is brought
 * near 0 before it meets pi. Every subtraction here is exact. */
static double cos_pi(double x)
{
    const double pi = 3.14159265358979323846;
    double r = fabs(fmod(x, 2)); /* NaN for an infinite x */
    if (r > 1)
        r = 2 - r;
    if (r < 0.25)
        return cos(pi * r);
    return r > 0.75 ? -cos(pi * (1 - r)) : sin(pi * (0.5 - r));
}

/* The paper's example: f(x) = 2 cos(pi x1) cos(pi x2). */
static void sinusoid2d(const void *self, void *scratch, const double *x, size_t n,
                       size_t d, double *y)
{
    (void)self;
    (void)scratch;
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * cos_pi(x[i * d]) * cos_pi(x[i * d + 1]);
}

static const gpai_model_ops ops = {.kind = "builtin",
                                   .compute = sinusoid2d,
                                   .in_process = true,
                                   .refuses_missing = true};

gpa_status gpai_builtin_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    static const char *const names[] = {"x1", "x2"};
    const gpai_model_info info = {s->text, 2, s->batch_rows, names};
    if (strcmp(s->rest, "sinusoid2d") == 0)
        return gpai_model_wrap(out, &ops, NULL, &info, err);
    return gpai_fail(err, GPA_INVALID, "builtin: no model '%s'; there is sinusoid2d",
                     gpai_show_text(s->rest).text);
}
