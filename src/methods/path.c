#include "methods/path.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Midpoints of a path. For smooth f the error of 72 midpoints is that of 102 intervals
 * (72 sqrt 2) of the trapezoid rule, no fewer than the paper's 100; with many paths a
 * few midpoints on each do, since the h of all of them together cover the distribution.
 */
enum { MOST_MIDPOINTS = 72, LEAST_MIDPOINTS = 8, ALL_MIDPOINTS = 4096 };

static const double GOLDEN = 0.61803398874989484820;

/* No |h| below this quantile (0.1 sd): nearer to 0 a slope tells smooth functions
 * nothing new, and next to a step it is 1/h, which is noise. */
static const double NEAREST = 0.08;

/* Which h: given, drawn once as the paper's solver does, or deterministic. */
static gpa_status choose_slopes(gpai_path *p, const gpai_attribute *w)
{
    enum { STREAM_SLOPE = 0 }; /* as in engine/map/stage_paper.c */
    const gpa_explain_options *o = w->explain;
    p->sd = o->slope_sd;
    if (o->slope_list != NULL)
        return gpai_slope_given(&p->slope, o->slope_list, o->slope_list_length, p->sd,
                                w->err);
    if (o->solver == GPA_SOLVER_PAPER)
        return gpai_slope_random(&p->slope, o->slope_nodes, p->sd,
                                 gpai_rng_make(o->seed, STREAM_SLOPE), w->err);
    if (o->slope_nodes < 2)
        return gpai_fail(w->err, GPA_INVALID,
                         "%s: deterministic slopes need at least 2 nodes",
                         w->a->method->name);
    p->turning = !p->trapezoid;
    return gpai_slope_nodes(&p->slope, o->slope_nodes, p->sd, w->err);
}

static size_t midpoints(const gpai_path *p, size_t paths)
{
    if (!p->turning)
        return MOST_MIDPOINTS;
    size_t n = (ALL_MIDPOINTS + paths - 1) / paths;
    n = n < LEAST_MIDPOINTS ? LEAST_MIDPOINTS : n;
    return n < MOST_MIDPOINTS ? n : MOST_MIDPOINTS;
}

gpa_status gpai_path_open(gpai_path *p, const gpai_attribute *w, size_t paths)
{
    *p = (gpai_path){.trapezoid = w->opt->quadrature == GPA_QUADRATURE_TRAPEZOID,
                     .turn = 0.5 * GOLDEN};
    gpa_status st = choose_slopes(p, w);
    if (st != GPA_OK)
        return st;
    size_t n = p->slope.nodes, d = w->s->d;
    p->block = gpai_calloc(d + n, sizeof *p->block);
    if (p->block == NULL) {
        gpai_path_close(p);
        return gpai_nomem(w->err, w->a->method->name);
    }
    p->row = p->block;
    p->h = p->block + d;
    p->points = p->trapezoid ? w->opt->intervals + 1 : midpoints(p, paths);
    p->symmetric = p->slope.symmetric;
    p->n_h = p->symmetric ? n / 2 : n;
    memcpy(p->h, p->slope.h + (n - p->n_h), p->n_h * sizeof *p->h);
    return GPA_OK;
}

void gpai_path_close(gpai_path *p)
{
    gpai_slope_free(&p->slope);
    gpai_free(p->block);
    *p = (gpai_path){0};
}

uint64_t gpai_path_rows(const gpai_path *p, size_t d)
{
    uint64_t point = p->symmetric ? 2 * (uint64_t)p->n_h * d : 1 + (uint64_t)p->n_h * d;
    return 1 + p->points * point;
}

/* |h| of N(0, sd^2) at equally spaced probabilities, shifted by the turn; the golden
 * ratio keeps the shifts of any number of points spread out evenly. */
static void turn(gpai_path *p)
{
    for (size_t j = 0; j < p->n_h; j++) {
        double u = ((double)j + p->turn) / (double)p->n_h;
        p->h[j] = p->sd * gpai_norm_quantile(0.5 + 0.5 * fmax(u, NEAREST));
    }
    p->turn += GOLDEN;
    p->turn -= p->turn >= 1 ? 1 : 0;
}

/* The slope of f along input k at the point in p->row, times `gain`. */
static gpa_status ask_slope(const gpai_path *p, gpai_differences *q, size_t k,
                            double gain)
{
    double here = p->row[k], unit = q->w->explain->unit[k];
    gpa_status st = GPA_OK;
    for (size_t j = 0; j < p->n_h && st == GPA_OK; j++) {
        double h = p->h[j], span = p->symmetric ? 2 * h : h;
        gpai_use use = {.input = (uint32_t)k, .weight = gain / (span * (double)p->n_h)};
        if (p->symmetric)
            st = gpai_differences_ask_moved(q, p->row, k, here - unit * h,
                                            (gpai_use){.base = true});
        if (st == GPA_OK)
            st = gpai_differences_ask_moved(q, p->row, k, here + unit * h, use);
    }
    return st;
}

/* f at the point in p->row, the base of the slopes there. At the first point of the
 * trapezoid it is the base already, at the last it is known. */
static gpa_status ask_centre(gpai_path *p, gpai_differences *q, size_t i, double f)
{
    gpai_use base = {.base = true};
    if (p->symmetric || (p->trapezoid && i == 0))
        return GPA_OK;
    if (p->trapezoid && i + 1 == p->points)
        return gpai_differences_know(q, f, base);
    return gpai_differences_ask(q, p->row, base);
}

/* Place and weight of the i-th point of the path. */
static double place(const gpai_path *p, size_t i, double *weight)
{
    double n = (double)(p->trapezoid ? p->points - 1 : p->points);
    bool end = p->trapezoid && (i == 0 || i + 1 == p->points);
    *weight = (end ? 0.5 : 1) / n;
    return ((double)i + (p->trapezoid ? 0 : 0.5)) / n;
}

static gpa_status ask_point(gpai_path *p, gpai_differences *q, size_t i, gpai_end from,
                            gpai_end to, double weight)
{
    double share, alpha = place(p, i, &share);
    for (size_t k = 0; k < q->d; k++) {
        double step = to.x[k] - from.x[k];
        p->row[k] = alpha < 1 ? from.x[k] + alpha * step : to.x[k];
    }
    if (p->turning)
        turn(p);
    gpa_status st = ask_centre(p, q, i, to.f);
    for (size_t k = 0; k < q->d && st == GPA_OK; k++) {
        double step = (to.x[k] - from.x[k]) / q->w->explain->unit[k];
        if (step != 0)
            st = ask_slope(p, q, k, weight * share * step);
    }
    return st;
}

gpa_status gpai_path_ask(gpai_path *p, gpai_differences *q, gpai_end from, gpai_end to,
                         double weight)
{
    if (memcmp(from.x, to.x, q->d * sizeof *to.x) == 0)
        return GPA_OK;
    gpai_use begin = {.input = (uint32_t)q->d, .weight = -weight, .base = true};
    gpa_status st = gpai_differences_know(q, to.f, (gpai_use){.base = true});
    if (st == GPA_OK)
        st = isfinite(from.f) ? gpai_differences_know(q, from.f, begin)
                              : gpai_differences_ask(q, from.x, begin);
    for (size_t i = 0; i < p->points && st == GPA_OK; i++)
        st = ask_point(p, q, i, from, to, weight);
    return st;
}

void gpai_path_note(const gpai_path *p, gpai_attribute *w)
{
    static const double LARGE =
        0.1; /* of all scores; chosen: what a reader would see */
    gpa_attribution *a = w->a;
    double sum = 0, size = fabs(a->extra);
    for (size_t k = 0; k < a->d; k++) {
        sum += a->score[k];
        size += fabs(a->score[k]);
    }
    if (fabs(sum - a->extra) > LARGE * size)
        gpai_attribution_note(a,
                              "%s: the scores add up to %.4g, %s is %.4g: the slopes "
                              "are means over steps of %.3g units",
                              a->method->name, sum, a->extra_name, a->extra, p->sd);
}
