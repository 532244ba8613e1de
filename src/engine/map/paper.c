#include "engine/map/paper.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* Of kappa, per iteration, so that all steps together are 10 kappa: the authors' code
 * (docs/methods.md, disagreement 2). */
static const double DECAY = 0.9;

struct work {
    const gpai_problem *p;
    const gpai_slope *s;
    double *scratch, *f, *slope, *gradient;
};

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    w->scratch = gpai_take(a, gpai_slope_scratch(w->p, w->s), 1);
    w->f = gpai_take(a, w->p->n, 1);
    w->slope = gpai_take(a, w->p->n, w->p->d);
    w->gradient = gpai_take(a, w->p->d, 1);
}

/* The additive constant of the objective whose relative change the published stopping
 * rule watches, with its sign of the gamma functions (Gaussian noise has none) and ln b
 * once for a common b. */
static double published_constant(const gpai_problem *p, bool one_b)
{
    double n = (double)p->n, d = (double)p->d, log_b = 0;
    for (size_t t = 0; t < (one_b ? 1 : p->n); t++)
        log_b += log(p->b[t]);
    double gamma = p->a > 0 ? gpai_log_gamma(p->a + 0.5) - gpai_log_gamma(p->a) : 0;
    return 0.5 * n * GPAI_LN_2PI + 0.5 * log_b + n * gamma - 0.5 * d * log(p->eta) +
           0.5 * d * GPAI_LN_2PI;
}

static double square(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

/* |v - w|_1; w NULL: |v|_1. */
static double distance1(const double *v, const double *w, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(v[i] - (w != NULL ? w[i] : 0));
    return sum;
}

/* delta = soft((1 - kappa eta) old + kappa gradient, kappa eta nu), within the bounds.
 */
static void step(const gpai_problem *p, const gpai_space *space, double kappa,
                 const double *old, const double *gradient, double *delta)
{
    for (size_t k = 0; k < p->d; k++)
        delta[k] =
            gpai_soft_threshold((1 - kappa * p->eta) * old[k] + kappa * gradient[k],
                                kappa * p->eta * p->nu);
    gpai_space_project(space, delta);
}

static gpa_status iterate(gpai_problem *p, const gpai_slope *s,
                          const gpai_map_paper_options *opt, struct work *w,
                          double *delta, double *old, gpai_map *result, gpa_error *err)
{
    double constant = published_constant(p, opt->one_b), kappa = opt->kappa;
    /* 1e-8 as in the authors' code: the rule divides by it */
    double floor = fmax(distance1(delta, NULL, p->d), 1e-8), old_objective = -HUGE_VAL;
    uint64_t cost = (uint64_t)p->n * (1 + s->nodes * p->d);
    memcpy(old, delta, p->d * sizeof *delta);
    for (size_t i = 0; i < opt->max_iter; i++) {
        if (!gpai_problem_affords(p, cost + opt->spare)) {
            result->budget_hit = true;
            break;
        }
        gpa_status st = gpai_mean_slopes(p, s, delta, w->scratch, w->f, w->slope, err);
        if (st != GPA_OK)
            return st;
        result->iterations++;
        kappa *= i == 0 ? 1 : DECAY;
        if (i > 0 && !gpai_all_finite(w->f, p->n)) {
            /* no prediction there: half the way from the last good point, same gradient
             */
            kappa *= 0.5;
            step(p, opt->space, kappa, old, w->gradient, delta);
            continue;
        }
        memcpy(old, delta, p->d * sizeof *delta);
        gpai_likelihood_gradient(p, w->slope, w->f, w->gradient);
        step(p, opt->space, kappa, old, w->gradient, delta);
        double objective =
            gpai_data_term(p, w->f) + 0.5 * p->eta * square(delta, p->d) + constant;
        double change =
            distance1(delta, old, p->d) / fmax(distance1(delta, NULL, p->d), floor);
        if (i > 0 && change <= opt->tol &&
            fabs(objective - old_objective) <= opt->tol * fabs(objective)) {
            result->converged = true;
            break;
        }
        old_objective = objective;
    }
    return GPA_OK;
}

gpa_status gpai_map_paper(gpai_problem *p, const gpai_slope *s,
                          const gpai_map_paper_options *opt, double *delta,
                          double *before, gpai_map *result, gpa_error *err)
{
    struct work w = {.p = p, .s = s};
    *result = (gpai_map){0};
    double *block = gpai_carve(lay_out, &w);
    if (block == NULL)
        return gpai_nomem(err, "explain");
    gpa_status st = iterate(p, s, opt, &w, delta, before, result, err);
    gpai_free(block);
    return st;
}
