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

static size_t midpoints(const gpai_path *p, size_t paths)
{
    if (!p->turning)
        return MOST_MIDPOINTS;
    size_t n = (ALL_MIDPOINTS + paths - 1) / paths;
    n = n < LEAST_MIDPOINTS ? LEAST_MIDPOINTS : n;
    return n < MOST_MIDPOINTS ? n : MOST_MIDPOINTS;
}

/* Rows that one path asks, at most. */
static uint64_t rows_of(const gpai_path *p, size_t d)
{
    uint64_t point = p->symmetric ? 2 * (uint64_t)p->n_h * d : 1 + (uint64_t)p->n_h * d;
    return 1 + p->points * point;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_path *p = work;
    GPAI_TAKE_EACH(a, p->w->s->d, 1, &p->row, &p->from);
    p->h = gpai_take(a, p->n_h, 1);
}

gpa_status gpai_path_open(gpai_path *p, gpai_attribute *w, size_t paths)
{
    *p = (gpai_path){.w = w,
                     .trapezoid = w->opt->quadrature == GPA_QUADRATURE_TRAPEZOID,
                     .turn = 0.5 * GOLDEN};
    gpa_status st =
        gpai_slope_choose(&p->slope, w->explain, w->a->method->name, w->err);
    if (st != GPA_OK)
        return st;
    size_t n = p->slope.nodes, d = w->s->d;
    p->symmetric = p->slope.symmetric;
    p->n_h = p->symmetric ? n / 2 : n;
    p->block = gpai_carve(lay_out, p);
    if (p->block == NULL)
        return gpai_nomem(w->err, w->a->method->name);
    p->turning = p->symmetric && !p->trapezoid;
    p->points = p->trapezoid ? w->opt->intervals + 1 : midpoints(p, paths);
    memcpy(p->h, p->slope.h + (n - p->n_h), p->n_h * sizeof *p->h);
    return gpai_differences_open(&p->q, w, (uint64_t)paths * w->s->n * rows_of(p, d));
}

void gpai_path_close(gpai_path *p)
{
    gpai_differences_close(&p->q);
    gpai_slope_free(&p->slope);
    gpai_free(p->block);
    *p = (gpai_path){0};
}

/* |h| of N(0, sd^2) at equally spaced probabilities, shifted by the turn; the golden
 * ratio keeps the shifts of any number of points spread out evenly. */
static void turn(gpai_path *p)
{
    for (size_t j = 0; j < p->n_h; j++) {
        double u = ((double)j + p->turn) / (double)p->n_h;
        p->h[j] =
            p->w->explain->slope_sd * gpai_norm_quantile(0.5 + 0.5 * fmax(u, NEAREST));
    }
    p->turn += GOLDEN;
    p->turn -= p->turn >= 1 ? 1 : 0;
}

/* The slope of f along input k at the point in p->row, times `gain`. */
static gpa_status ask_slope(gpai_path *p, size_t k, double gain)
{
    double here = p->row[k], unit = p->w->explain->unit[k];
    gpa_status st = GPA_OK;
    for (size_t j = 0; j < p->n_h && st == GPA_OK; j++) {
        double h = p->h[j], span = p->symmetric ? 2 * h : h;
        gpai_use use = {.input = (uint32_t)k, .weight = gain / (span * (double)p->n_h)};
        if (p->symmetric)
            st = gpai_differences_ask_moved(&p->q, p->row, k, here - unit * h,
                                            (gpai_use){.base = true});
        if (st == GPA_OK)
            st = gpai_differences_ask_moved(&p->q, p->row, k, here + unit * h, use);
    }
    return st;
}

/* f at the point in p->row, the base of the slopes there. At the first point of the
 * trapezoid it is the base already, at the last it is known. */
static gpa_status ask_centre(gpai_path *p, size_t i, double f)
{
    gpai_use base = {.base = true};
    if (p->symmetric || (p->trapezoid && i == 0))
        return GPA_OK;
    if (p->trapezoid && i + 1 == p->points)
        return gpai_differences_know(&p->q, f, base);
    return gpai_differences_ask(&p->q, p->row, base);
}

/* Place and weight of the i-th point of the path. */
static double place(const gpai_path *p, size_t i, double *weight)
{
    double n = (double)(p->trapezoid ? p->points - 1 : p->points);
    bool end = p->trapezoid && (i == 0 || i + 1 == p->points);
    *weight = (end ? 0.5 : 1) / n;
    return ((double)i + (p->trapezoid ? 0 : 0.5)) / n;
}

/* One end of a path. */
struct end {
    const double *x;
    double f; /* NaN at the beginning: not known, to be asked */
};

static gpa_status ask_point(gpai_path *p, size_t i, struct end from, struct end to,
                            double weight)
{
    size_t d = p->w->s->d;
    double share, alpha = place(p, i, &share);
    for (size_t k = 0; k < d; k++) {
        double step = to.x[k] - from.x[k];
        p->row[k] = alpha < 1 ? from.x[k] + alpha * step : to.x[k];
    }
    if (p->turning)
        turn(p);
    gpa_status st = ask_centre(p, i, to.f);
    for (size_t k = 0; k < d && st == GPA_OK; k++) {
        double step = (to.x[k] - from.x[k]) / p->w->explain->unit[k];
        if (step != 0)
            st = ask_slope(p, k, weight * share * step);
    }
    return st;
}

/* One path; its scores and f(x) - f(x0) are added with this weight. */
static gpa_status ask_path(gpai_path *p, struct end from, struct end to, double weight)
{
    size_t d = p->w->s->d;
    if (memcmp(from.x, to.x, d * sizeof *to.x) == 0)
        return GPA_OK;
    gpai_use begin = {.input = (uint32_t)d, .weight = -weight, .base = true};
    gpa_status st = gpai_differences_know(&p->q, to.f, (gpai_use){.base = true});
    if (st == GPA_OK)
        st = isfinite(from.f) ? gpai_differences_know(&p->q, from.f, begin)
                              : gpai_differences_ask(&p->q, from.x, begin);
    for (size_t i = 0; i < p->points && st == GPA_OK; i++)
        st = ask_point(p, i, from, to, weight);
    return st;
}

gpa_status gpai_path_ask(gpai_path *p, const double *x0, double f0)
{
    const gpa_sample *s = p->w->s;
    gpa_status st = GPA_OK;
    for (size_t t = 0; t < s->n && st == GPA_OK; t++) {
        const double *x = s->x + t * s->d;
        gpai_hold_frozen(p->w, x, x0, p->from);
        st = ask_path(p, (struct end){p->from, f0}, (struct end){x, s->f[t]},
                      1 / (double)s->n);
    }
    return st == GPA_OK ? gpai_differences_fold(&p->q) : st;
}

/* Tells the user when the finished scores are far from adding up to the extra: they do
 * for true gradients, mean slopes need not. */
static void note_sum(const gpai_path *p)
{
    static const double LARGE =
        0.1; /* of all scores; chosen: what a reader would see */
    gpa_attribution *a = p->w->a;
    double sum = 0, size = fabs(a->extra);
    for (size_t k = 0; k < a->d; k++) {
        sum += a->score[k];
        size += fabs(a->score[k]);
    }
    if (fabs(sum - a->extra) > LARGE * size)
        gpai_attribution_note(a,
                              "%s: the scores add up to %.4g, %s is %.4g: the slopes "
                              "are means over steps of %.3g units",
                              a->method->name, sum, a->extra_name, a->extra,
                              p->w->explain->slope_sd);
}

gpa_status gpai_path_finish(gpai_path *p, const char *extra_name)
{
    gpa_status st = gpai_differences_finish(&p->q);
    p->w->a->extra_name = extra_name;
    if (st == GPA_OK)
        note_sum(p);
    return st;
}
