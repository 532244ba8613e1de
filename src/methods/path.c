#include "base/alloc.h"
#include "base/math/special.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/slope.h"
#include "methods/differences.h"
#include <math.h>
#include <string.h>

/* The integral of ig and eig (eq. of section 4.1.2),
 *     (x_k - x0_k) int_0^1 slope_k(x0 + alpha (x - x0)) d alpha,
 * for all inputs in one sweep. slope_k is the mean slope of appendix C, so this is a
 * double integral: over alpha and over the perturbation h.
 *
 * GPA_QUADRATURE_TRAPEZOID takes the same h at every alpha, as published.
 * GPA_QUADRATURE_AUTO takes midpoints, at which the |h| turn by the golden ratio from
 * point to point, so that every level of h is met: fewer rows, and closer to the double
 * integral, also where f has kinks or steps (bench/bench_methods.py measures it). The h
 * of a slope list or of the paper's solver stay the same ones everywhere.
 *
 * An input that is the same at both ends asks nothing and gets 0. */
struct path {
    gpai_attribute *w;
    gpai_differences q;
    size_t points;
    bool trapezoid;
    double *h; /* symmetric: the positive ones, in units */
    size_t n_h;
    bool symmetric;     /* each h also as -h: f on the path itself is not needed */
    bool turning;       /* h changes from point to point */
    double turn;        /* in [0, 1) */
    double *row, *from; /* d each: the point under way, and the path's beginning */
    gpai_slope slope;
    double *block;
};

/* Midpoints of a path. For smooth f the error of 72 midpoints is that of 102 intervals
 * (72 sqrt 2) of the trapezoid rule, no fewer than the paper's 100; with many paths a
 * few midpoints on each do, since the h of all of them together cover the distribution.
 */
enum { MOST_MIDPOINTS = 72, LEAST_MIDPOINTS = 8, ALL_MIDPOINTS = 4096 };

static const double GOLDEN = 0.61803398874989484820;

/* No |h| below this quantile (0.1 sd): nearer to 0 a slope tells smooth functions
 * nothing new, and next to a step it is 1/h, which is noise. */
static const double NEAREST = 0.08;

static size_t midpoints(const struct path *p, size_t paths)
{
    if (!p->turning)
        return MOST_MIDPOINTS;
    size_t n = (ALL_MIDPOINTS + paths - 1) / paths;
    n = n < LEAST_MIDPOINTS ? LEAST_MIDPOINTS : n;
    return n < MOST_MIDPOINTS ? n : MOST_MIDPOINTS;
}

/* Rows that one path asks, at most. */
static uint64_t rows_of(const struct path *p, size_t d)
{
    uint64_t point = p->symmetric ? 2 * (uint64_t)p->n_h * d : 1 + (uint64_t)p->n_h * d;
    return 1 + p->points * point;
}

static void lay_out(void *work, gpai_arena *a)
{
    struct path *p = work;
    GPAI_TAKE_EACH(a, p->w->s->d, 1, &p->row, &p->from);
    p->h = gpai_take(a, p->n_h, 1);
}

/* For so many beginnings. path_close frees what it holds, also on failure. */
static gpa_status path_open(struct path *p, gpai_attribute *w, size_t paths)
{
    *p = (struct path){.w = w,
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

static void path_close(struct path *p)
{
    gpai_differences_close(&p->q);
    gpai_slope_free(&p->slope);
    gpai_free(p->block);
    *p = (struct path){0};
}

/* |h| of N(0, sd^2) at equally spaced probabilities, shifted by the turn; the golden
 * ratio keeps the shifts of any number of points spread out evenly. */
static void turn(struct path *p)
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
static gpa_status ask_slope(struct path *p, size_t k, double gain)
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
static gpa_status ask_centre(struct path *p, size_t i, double f)
{
    gpai_use base = {.base = true};
    if (p->symmetric || (p->trapezoid && i == 0))
        return GPA_OK;
    if (p->trapezoid && i + 1 == p->points)
        return gpai_differences_know(&p->q, f, base);
    return gpai_differences_ask(&p->q, p->row, base);
}

/* Place and weight of the i-th point of the path. */
static double place(const struct path *p, size_t i, double *weight)
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

static gpa_status ask_point(struct path *p, size_t i, struct end from, struct end to,
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
static gpa_status ask_path(struct path *p, struct end from, struct end to,
                           double weight)
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

/* Asks the paths from x0, but for what is frozen, to all rows: one unit of the mean. f0
 * is the prediction at x0; NaN: not known, to be asked. */
static gpa_status path_ask(struct path *p, const double *x0, double f0)
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
static void note_sum(const struct path *p)
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

/* Fills the scores and the extra, f(x) - f(x0), which has this name. */
static gpa_status path_finish(struct path *p, const char *extra_name)
{
    gpa_status st = gpai_differences_finish(&p->q);
    p->w->a->extra_name = extra_name;
    if (st == GPA_OK)
        note_sum(p);
    return st;
}

/* Where the paths begin. */
static void baseline(const gpai_attribute *w, double *x0)
{
    const gpa_sample *r = w->opt->reference;
    size_t d = w->s->d;
    for (size_t k = 0; k < d; k++)
        x0[k] = w->opt->baseline == GPA_BASELINE_GIVEN ? w->opt->baseline_x[k] : 0;
    if (w->opt->baseline != GPA_BASELINE_REFERENCE)
        return;
    for (size_t i = 0; i < r->n; i++) /* a running mean: no sum to overflow */
        for (size_t k = 0; k < d; k++)
            x0[k] += (r->x[i * d + k] - x0[k]) / (double)(i + 1);
}

/* Integrated gradients of f; those of f - y are the same. Several rows: their mean. */
gpa_status gpai_ig(gpai_attribute *w)
{
    struct path p = {0};
    double *x0 = gpai_calloc(w->s->d, sizeof *x0);
    gpa_status st = x0 == NULL ? gpai_nomem(w->err, "ig") : path_open(&p, w, 1);
    if (st == GPA_OK) {
        baseline(w, x0);
        st = path_ask(&p, x0, (double)NAN);
    }
    if (st == GPA_OK)
        st = path_finish(&p, "f(x) - f(x0)");
    path_close(&p);
    gpai_free(x0);
    return st;
}

enum { STREAM_ROWS = 3 }; /* of the seed: 0 to 2 serve slopes and samples */

/* Every reference row, or a seeded choice: each is taken with the probability that
 * brings the number out, so that one pass in their order is enough. */
static gpa_status ask_rows(gpai_attribute *w, struct path *p)
{
    const gpa_sample *all = w->opt->reference;
    size_t wanted = w->opt->eig_rows;
    gpai_rng rng = gpai_rng_make(w->explain->seed, STREAM_ROWS);
    gpa_status st = GPA_OK;
    for (size_t r = 0; r < all->n && wanted > 0 && st == GPA_OK; r++) {
        size_t left = all->n - r;
        if (wanted < left && gpai_rng_unit(&rng) * (double)left >= (double)wanted)
            continue;
        wanted--;
        st = path_ask(p, all->x + r * w->s->d, gpai_reference_f(w, r));
    }
    return st;
}

/* Expected integrated gradients: the mean of ig over reference rows as baselines. */
gpa_status gpai_eig(gpai_attribute *w)
{
    size_t all = w->opt->reference->n, wanted = w->opt->eig_rows;
    struct path p;
    gpa_status st = path_open(&p, w, wanted);
    if (st == GPA_OK)
        st = ask_rows(w, &p);
    if (st == GPA_OK)
        st = path_finish(&p, "f(x) - mean f");
    if (st == GPA_OK && wanted < all) {
        gpai_differences_error(&p.q, all);
        gpai_attribution_note(w->a, "%zu of %zu reference rows, chosen by seed", wanted,
                              all);
    }
    path_close(&p);
    return st;
}
