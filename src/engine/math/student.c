#include "engine/math/student.h"
#include <math.h>

/* G / s^(11/2), a Chebyshev fit over 0 <= s <= 1 made with NumPy: to 7e-13. */
enum { DEGREE = 10 };
static const double SERIES[] = {
    4.114075817812416,      -7.832567422320233,     5.939696959849513,
    -2.1837120860209045,    0.36634618874406316,    -0.016571676382508206,
    -0.0006336617210427515, -5.655390362743922e-05, -1.5158811361923885e-05,
    2.3791918411564156e-06, -1.6278907079357511e-06};
static const double TOTAL = 0.7731263170943632; /* 63 pi / 256: of the whole line */

/* Narrower is as good as that, and differences are still numbers. */
static const double NARROW = 1e-4;

/* Beyond, powers would be no numbers. */
static const double FARTHEST = 1e20;

/* Nobody asks for traps either: then choices are vectors' work, too. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif

#define GPAI_LOOPS "engine/math/student_loops.h"
#include "base/cpu_sets.h"

struct loops {
    void (*mean)(const double *t, const double *a, const double *b, size_t n,
                 double *out);
    void (*scale)(double b, double doubt, size_t n, double *t, double *a, double *c,
                  double *share);
};

#define SET(x)                                                                         \
    {                                                                                  \
        x##_mean, x##_scale                                                            \
    }

static const struct loops SETS[] = {GPAI_CPU_SETS(SET)};

void gpai_student_mean(const double *t, const double *a, const double *b, size_t n,
                       double *out)
{
    const struct loops *loops = gpai_cpu_at(SETS, sizeof SETS[0], 0);
    loops->mean(t, a, b, n, out);
}

void gpai_student_scale(double b, double doubt, size_t n, double *t, double *a,
                        double *c, double *share)
{
    const struct loops *loops = gpai_cpu_at(SETS, sizeof SETS[0], 0);
    loops->scale(b, doubt, n, t, a, c, share);
}
