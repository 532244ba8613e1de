#include "engine/math/widened.h"
#include <math.h>

void gpai_widened_fill(gpai_widened *w, const gpai_vectors *set, double y, double a,
                       double b, double v)
{
    enum { TOGETHER = 32 };
    double size = sqrt(v + b / a), one[TOGETHER], at[TOGETHER];
    gpai_vstudent s = {.power = a + 0.5, .inverse = 0.5 / b, .error = sqrt(v)};
    for (size_t j = 0; j < TOGETHER; j++)
        one[j] = 1;
    for (size_t i = 0; i < GPAI_WIDENED; i += TOGETHER) {
        for (size_t j = 0; j < TOGETHER; j++) {
            double share = (double)(i + j) / GPAI_WIDENED;
            at[j] = size * GPAI_WIDENED_HALF * share / (1 - share);
            w->log[i + j] = 0;
        }
        set->student(&s, at, one, TOGETHER, w->log + i);
    }
    w->log[GPAI_WIDENED] = w->log[GPAI_WIDENED - 1]; /* far out */
    w->y = y;
    w->scale = 1 / size;
}

#define GPAI_LOOPS "engine/math/widened_loops.h"
#include "base/cpu_sets.h"

struct loops {
    void (*look_up)(const gpai_widened *w, double power, const double *f, size_t n,
                    double *total);
};

#define SET(x)                                                                         \
    {                                                                                  \
        x##_look_up                                                                    \
    }

static const struct loops SETS[] = {GPAI_CPU_SETS(SET)};

void gpai_widened_add(const gpai_widened *w, double power, const double *f, size_t n,
                      double *total)
{
    const struct loops *loops = gpai_cpu_at(SETS, sizeof SETS[0], 0);
    loops->look_up(w, power, f, n, total);
}
