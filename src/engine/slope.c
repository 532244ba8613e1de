#include "engine/slope.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/ask.h"
#include <math.h>
#include <string.h>

static gpa_status make(gpai_slope *s, size_t n, gpa_error *err)
{
    *s = (gpai_slope){.h = gpai_calloc(n, 2 * sizeof *s->h)};
    if (s->h == NULL)
        return gpai_nomem(err, "slope");
    s->inverse = s->h + n;
    return GPA_OK;
}

static gpa_status finish(gpai_slope *s)
{
    for (size_t j = 0; j < s->nodes; j++)
        s->inverse[j] = 1 / s->h[j];
    return GPA_OK;
}

gpa_status gpai_slope_given(gpai_slope *s, const double *h, size_t n, double sd,
                            gpa_error *err)
{
    gpa_status st = make(s, n, err);
    if (st != GPA_OK)
        return st;
    for (size_t j = 0; j < n; j++)
        if (fabs(h[j]) >= 1e-8 * sd)
            s->h[s->nodes++] = h[j];
    if (s->nodes > 0)
        return finish(s);
    gpai_slope_free(s);
    return gpai_fail(
        err, GPA_INVALID,
        "slope: none of the %zu perturbations is further from 0 than 1e-8 of "
        "the slope's standard deviation",
        n);
}

/* n draws from N(0, sd^2). */
static gpa_status draw(gpai_slope *s, size_t n, double sd, gpai_rng rng, gpa_error *err)
{
    gpa_status st = make(s, n, err);
    if (st != GPA_OK)
        return st;
    for (size_t j = 0; j < n; j++) {
        double h = gpai_rng_normal(&rng);
        s->h[s->nodes++] = sd * (fabs(h) < 1e-8 ? 1e-8 : h);
    }
    return finish(s);
}

gpa_status gpai_slope_nodes(gpai_slope *s, size_t n, double sd, gpa_error *err)
{
    gpa_status st = make(s, n + 1, err);
    if (st != GPA_OK)
        return st;
    /* The mean of N(0, 1) over its j-th cell is n (phi(q_j) - phi(q_j+1)); the lower
     * half is computed and mirrored, so that the nodes are symmetric to the last bit.
     */
    size_t half = n / 2;
    double below = 0;
    for (size_t j = 0; j < half; j++) {
        bool centre = 2 * (j + 1) == n; /* the quantile 1/2 is exactly 0 */
        double q = centre ? 0 : gpai_norm_quantile((double)(j + 1) / (double)n);
        double above = gpai_norm_pdf(q);
        s->h[j] = sd * (double)n * (below - above);
        s->h[2 * half - 1 - j] = -s->h[j];
        below = above;
    }
    s->nodes = 2 * half;
    s->symmetric = true;
    return finish(s);
}

gpa_status gpai_slope_choose(gpai_slope *s, const gpa_explain_options *o,
                             const char *unit, gpa_error *err)
{
    enum { STREAM = 0 }; /* of the seed */
    if (o->slope_list != NULL)
        return gpai_slope_given(s, o->slope_list, o->slope_list_length, o->slope_sd,
                                err);
    if (o->solver == GPA_SOLVER_PAPER)
        return draw(s, o->slope_nodes, o->slope_sd, gpai_rng_make(o->seed, STREAM),
                    err);
    if (o->slope_nodes < 2)
        return gpai_fail(err, GPA_INVALID,
                         "%s: deterministic slopes need at least 2 nodes", unit);
    return gpai_slope_nodes(s, o->slope_nodes, o->slope_sd, err);
}

void gpai_slope_free(gpai_slope *s)
{
    gpai_free(s->h);
    *s = (gpai_slope){0};
}

/* Predictions first, then positions. */
size_t gpai_slope_scratch(const gpai_problem *p, const gpai_slope *s)
{
    return p->n * (1 + s->nodes * p->d) + p->d * s->nodes;
}

/* Mean slope of row t along one input from that input's predictions (nodes by n). */
static double mean_slope(const gpai_slope *s, const double *f, size_t n, size_t t,
                         double f0)
{
    double sum = 0;
    size_t used = 0, half = s->symmetric ? s->nodes / 2 : 0;
    for (size_t j = 0; j < half; j++) { /* mirrored pairs: f0 cancels, even f gives 0 */
        double low = f[j * n + t], high = f[(s->nodes - 1 - j) * n + t];
        double h = s->h[s->nodes - 1 - j];
        if (isfinite(low) && isfinite(high)) {
            sum += (high - low) / h;
            used += 2;
        } else if (isfinite(low) || isfinite(high)) {
            sum += isfinite(high) ? (high - f0) / h : (f0 - low) / h;
            used++;
        }
    }
    for (size_t j = 2 * half; j < s->nodes; j++)
        if (isfinite(f[j * n + t])) {
            sum += (f[j * n + t] - f0) / s->h[j];
            used++;
        }
    return used > 0 && isfinite(sum) ? sum / (double)used : 0;
}

/* The same where every prediction is a number: no questions asked. */
static double plain_slope(const gpai_slope *s, const double *f, size_t n, size_t t,
                          double f0)
{
    double sum = 0;
    size_t half = s->symmetric ? s->nodes / 2 : 0;
    for (size_t j = 0; j < half; j++)
        sum += (f[(s->nodes - 1 - j) * n + t] - f[j * n + t]) *
               s->inverse[s->nodes - 1 - j];
    for (size_t j = 2 * half; j < s->nodes; j++)
        sum += (f[j * n + t] - f0) * s->inverse[j];
    return isfinite(sum) ? sum / (double)s->nodes : 0;
}

gpa_status gpai_mean_slopes(gpai_problem *p, const gpai_slope *s, const double *delta,
                            double *scratch, double *f, double *slope, gpa_error *err)
{
    size_t n = p->n, d = p->d, k = s->nodes;
    double *position = scratch + n * (1 + k * d);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < k; j++)
            position[i * k + j] = delta[i] + s->h[j];
    uint64_t lost = p->nonfinite;
    gpa_status st = gpai_predict_inputs(p, delta, position, k, true, scratch, err);
    if (st != GPA_OK)
        return st;
    bool clean = p->nonfinite == lost;
    memcpy(f, scratch, n * sizeof *f);
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < d; i++)
            slope[t * d + i] = (clean ? plain_slope : mean_slope)(
                s, scratch + n * (1 + i * k), n, t, f[t]);
    return GPA_OK;
}
