#include "engine/marginals/quantiles.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* STEP axes of more values than this count as continuous in all but their values.
 * Chosen: 400 cells resolve no more. */
enum { MOST_VALUES = 64 };

/* The table: Taylor series around |z| = 0, h, 2h, ..., as far as 9. The value has no
 * singularity within 3.4 of a z >= 0, in the complex plane, so that eight terms over
 * half of h are good to 1e-11. */
enum { NODES_PER_UNIT = 4, FARTHEST = 9, NODES = NODES_PER_UNIT * FARTHEST + 1 };
enum { TERMS = 8 };

/* With bounds a table has pieces of z, shorter ones, as values turn sharply towards a
 * bound, no farther than NEAR from 0: few draws lie beyond. The value bends at 0, so
 * that is where two of them meet. */
enum { NEAR = 4, PIECES_PER_UNIT = 8, PIECES = 2 * NEAR * PIECES_PER_UNIT };

static bool is_unbounded(const gpai_axis *a)
{
    return a->lo == -HUGE_VAL && a->hi == HUGE_VAL;
}

/* |value| with prior probability 2 Phi(-|z|) beyond it. */
static double far_value(const gpai_prior *p, double z)
{
    return gpai_prior_tail_quantile(p, gpai_norm_logcdf(-fabs(z)) + GPAI_LN2);
}

/* The series of v around z from v and v' = share phi(z) / p(v), where the values have
 * so much of the prior's mass: the logarithm of v' says that u = v' has u' = u g, g =
 * eta (v + nu) u - z, with -nu where v is negative. */
static void expand(const gpai_prior *p, double z, double share, double *c)
{
    double u[TERMS] = {
        share * exp(-0.5 * z * z - 0.5 * GPAI_LN_2PI - gpai_prior_logpdf(p, c[0]))};
    double g[TERMS], nu = c[0] < 0 ? -p->nu : p->nu;
    for (size_t k = 0; k + 1 < TERMS; k++) {
        c[k + 1] = u[k] / (double)(k + 1);
        g[k] = nu * u[k];
        for (size_t i = 0; i <= k; i++)
            g[k] += c[i] * u[k - i];
        g[k] = p->eta * g[k] - (k == 0 ? z : k == 1 ? 1 : 0);
        u[k + 1] = 0;
        for (size_t i = 0; i <= k; i++)
            u[k + 1] += u[i] * g[k - i] / (double)(k + 1);
    }
}

/* A series in terms of one part of a unit. Coefficients k and k + 4 stand side by side,
 * for the look-up. */
static void store(const double *c, double parts, double *table)
{
    double power = 1;
    for (size_t k = 0; k < TERMS; k++, power /= parts)
        table[k % 4 * 2 + k / 4] = power * c[k];
}

static void fill_table(const gpai_prior *p, double *table)
{
    for (size_t i = 0; i < NODES; i++, table += TERMS) {
        double z = (double)i / NODES_PER_UNIT, c[TERMS] = {i > 0 ? far_value(p, z) : 0};
        expand(p, z, 1, c);
        store(c, NODES_PER_UNIT, table);
    }
}

typedef double pair __attribute__((vector_size(16), aligned(8), __may_alias__));

/* A series at t, in the same terms. */
static inline double series_at(const double *table, double t)
{
    double t2 = t * t;
    const pair *n = (const pair *)table;
    pair sum = (n[0] + n[1] * t) + (n[2] + n[3] * t) * t2;
    return sum[0] + sum[1] * (t2 * t2);
}

static inline double look_up(const gpai_quantiles *c, double z)
{
    double at = fabs(z) * NODES_PER_UNIT;
    if (!(at < NODES - 1))
        return copysign(far_value(&c->space->prior, z), z);
    int i = (int)(at + 0.5);
    return copysign(series_at(c->table + TERMS * i, at - i), z);
}

/* Whether an axis gets a table of its own. */
static bool is_bounded(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_PLAIN && !is_unbounded(a) && !a->apart && !a->gap &&
           a->side == 0 && a->u_hi > a->u_lo;
}

static double bounded_value(const gpai_quantiles *c, size_t axis, double z)
{
    return gpai_axis_quantile(c->space, axis, gpai_norm_cdf(z));
}

/* The table of a bounded axis. Pieces that do not meet are not used. */
static void fill_bounded(gpai_quantiles *c, size_t axis)
{
    static const double CLOSE = 1e-11;
    const gpai_axis *a = &c->space->axis[axis];
    gpai_quantiles_axis *out = &c->axis[axis];
    double share = a->u_hi - a->u_lo, before = (double)NAN;
    double zero = gpai_norm_quantile((0.5 - a->u_lo) / share);
    if (!(fabs(zero) < NEAR)) /* it does not bend here */
        zero = 0;
    out->first = zero + (floor(-zero * PIECES_PER_UNIT) - PIECES / 2) / PIECES_PER_UNIT;
    for (size_t i = 0; i < PIECES; i++) {
        double *table = out->table + TERMS * i;
        double z = out->first + ((double)i + 0.5) / PIECES_PER_UNIT;
        double series[TERMS] = {bounded_value(c, axis, z)};
        expand(&c->space->prior, z, share, series);
        store(series, PIECES_PER_UNIT, table);
        double start = series_at(table, -0.5), limit = CLOSE * (1 + fabs(start));
        bool meets = isnan(before) || fabs(start - before) <= limit;
        before = series_at(table, 0.5);
        if (!meets)
            table[0] = table[-TERMS] = (double)NAN;
        if (i == 0 && !isfinite(start))
            table[0] = (double)NAN;
    }
}

static inline double look_up_bounded(const gpai_quantiles *c, size_t axis, double z)
{
    const gpai_quantiles_axis *own = &c->axis[axis];
    double at = (z - own->first) * PIECES_PER_UNIT;
    if (at >= 0 && at < PIECES) {
        int i = (int)at;
        double v = series_at(own->table + (ptrdiff_t)TERMS * i, at - i - 0.5);
        if (!isnan(v))
            return gpai_axis_inside(&c->space->axis[axis], v);
    }
    return bounded_value(c, axis, z);
}

double gpai_quantiles_z(const gpai_quantiles *c, size_t axis, double value)
{
    const gpai_prior *p = &c->space->prior;
    const gpai_axis *a = &c->space->axis[axis];
    if (gpai_axis_leaps(a)) {
        double z =
            a->side * -gpai_norm_quantile(gpai_axis_beyond(c->space, axis, value));
        return value == 0 ? 0 : fmin(fmax(z, -FARTHEST), FARTHEST);
    }
    if (is_unbounded(&c->space->axis[axis])) {
        double l = gpai_prior_log_tail(p, fabs(value));
        return copysign(gpai_norm_quantile_log(l - GPAI_LN2), value);
    }
    double z = gpai_norm_quantile(gpai_axis_cdf(c->space, axis, value));
    return z < -FARTHEST ? -FARTHEST : z > FARTHEST ? FARTHEST : z;
}

/* The feasible value of a STEP axis at the end of the prior's range. */
static double last_value(const gpai_quantiles *c, const gpai_axis *a, int side)
{
    double end = side < 0 ? a->lo : a->hi;
    if (isfinite(end))
        return end;
    double v = side * far_value(&c->space->prior, FARTHEST);
    return gpai_axis_snap(a, v);
}

/* How many values an axis has, if they are few enough to be counted one by one. */
static void count_values(const gpai_quantiles *c, const gpai_axis *a,
                         gpai_quantiles_axis *out)
{
    *out = (gpai_quantiles_axis){0};
    if (a->kind == GPAI_AXIS_CHOICE)
        out->values = gpai_axis_choices(a);
    if (a->kind != GPAI_AXIS_STEP)
        return;
    double first = last_value(c, a, -1);
    double values = nearbyint((last_value(c, a, 1) - first) / a->step) + 1;
    if (values <= MOST_VALUES)
        out->values = (size_t)values + (a->apart ? 1 : 0);
}

/* The values of a STEP axis, ascending, 0 among them also when it is apart. */
static void list_steps(const gpai_quantiles *c, const gpai_axis *a,
                       gpai_quantiles_axis *out)
{
    double first = gpai_axis_inside(a, last_value(c, a, -1));
    bool zero = a->apart;
    for (size_t j = 0, i = 0; j < out->values; j++) {
        double v = gpai_axis_inside(a, first + (double)i * a->step);
        bool now = zero && (v > 0 || i + 1 == out->values);
        out->value[j] = now ? 0 : v;
        zero = zero && !now;
        i += now ? 0 : 1;
    }
}

static void list_values(const gpai_quantiles *c, const gpai_axis *a,
                        gpai_quantiles_axis *out)
{
    if (a->kind == GPAI_AXIS_STEP)
        list_steps(c, a, out);
    for (size_t j = 0; a->kind == GPAI_AXIS_CHOICE && j < out->values; j++)
        out->value[j] = (double)(a->order != NULL ? a->order[j] : j);
}

/* The j-th level is z in (edge[j], edge[j + 1]]. */
static void category_edges(const gpai_space *s, size_t axis, gpai_quantiles_axis *out)
{
    double total = 0, sum = 0;
    for (size_t j = 0; j < out->values; j++)
        total += exp(-gpai_axis_penalty(s, axis, out->value[j]));
    for (size_t j = 0; j < out->values; j++) {
        sum += exp(-gpai_axis_penalty(s, axis, out->value[j]));
        out->edge[j + 1] = gpai_norm_quantile(fmin(sum / total, 1));
    }
}

/* Where value j begins: halfway from the one before it; next to a leap with the box. */
static double edge_between(const gpai_quantiles *c, size_t axis, size_t j)
{
    const gpai_axis *a = &c->space->axis[axis];
    const double *v = c->axis[axis].value;
    if (gpai_axis_leaps(a) && (v[j - 1] == 0 || v[j] == 0))
        return v[j] == 0 ? a->hi : a->lo;
    return a->apart ? 0.5 * (v[j - 1] + v[j]) : v[0] + ((double)j - 0.5) * a->step;
}

static void find_edges(gpai_quantiles *c, size_t axis)
{
    gpai_quantiles_axis *out = &c->axis[axis];
    if (out->values == 0)
        return;
    if (c->space->axis[axis].kind == GPAI_AXIS_CHOICE)
        category_edges(c->space, axis, out);
    else
        for (size_t j = 1; j < out->values; j++)
            out->edge[j] = gpai_quantiles_z(c, axis, edge_between(c, axis, j));
    out->edge[0] = -HUGE_VAL;
    out->edge[out->values] = HUGE_VAL;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_quantiles *c = work;
    c->table = gpai_take(a, NODES, TERMS);
    for (size_t i = 0; i < c->space->axes; i++) {
        if (c->axis[i].values > 0) {
            c->axis[i].edge = gpai_take(a, c->axis[i].values + 1, 1);
            c->axis[i].value = gpai_take(a, c->axis[i].values, 1);
        }
        if (is_bounded(&c->space->axis[i]))
            c->axis[i].table = gpai_take(a, PIECES, TERMS);
    }
}

gpa_status gpai_quantiles_open(gpai_quantiles *c, const gpai_space *s, gpa_error *err)
{
    *c = (gpai_quantiles){.space = s};
    c->axis = gpai_calloc(s->axes + 1, sizeof *c->axis);
    if (c->axis == NULL)
        return gpai_nomem(err, "marginals");
    for (size_t i = 0; i < s->axes; i++)
        count_values(c, &s->axis[i], &c->axis[i]);
    c->block = gpai_carve(lay_out, c);
    if (c->block == NULL) {
        gpai_quantiles_close(c);
        return gpai_nomem(err, "marginals");
    }
    fill_table(&s->prior, c->table);
    for (size_t i = 0; i < s->axes; i++) {
        list_values(c, &s->axis[i], &c->axis[i]);
        find_edges(c, i);
        if (c->axis[i].table != NULL)
            fill_bounded(c, i);
    }
    return GPA_OK;
}

void gpai_quantiles_close(gpai_quantiles *c)
{
    gpai_free(c->block);
    gpai_free(c->axis);
    *c = (gpai_quantiles){0};
}

double gpai_quantiles_value(const gpai_quantiles *c, size_t axis, double z)
{
    const gpai_axis *a = &c->space->axis[axis];
    const gpai_quantiles_axis *own = &c->axis[axis];
    if (own->values > 0)
        return own->value[gpai_quantiles_index(own, z)];
    if (gpai_axis_leaps(a))
        return gpai_axis_leap(c->space, axis, gpai_norm_cdf(-a->side * z));
    if (own->table != NULL)
        return look_up_bounded(c, axis, z);
    if (!is_unbounded(a))
        return bounded_value(c, axis, z);
    double v = look_up(c, z);
    return a->kind == GPAI_AXIS_PLAIN ? v : gpai_axis_snap(a, v);
}

void gpai_quantiles_values(const gpai_quantiles *c, size_t axis, const double *z,
                           size_t n, double *value)
{
    bool quick = gpai_axis_is_free(&c->space->axis[axis]);
    for (size_t i = 0; i < n; i++)
        value[i] = quick ? look_up(c, z[i]) : gpai_quantiles_value(c, axis, z[i]);
}

double gpai_quantiles_middle(const gpai_quantiles_axis *a, size_t j, double *chance)
{
    /* from the nearer tail: far out the other is 1 to all digits */
    bool right = a->edge[j] > 0;
    double near = right ? -a->edge[j] : a->edge[j + 1];
    double far = right ? -a->edge[j + 1] : a->edge[j];
    double above = gpai_norm_cdf(near), below = gpai_norm_cdf(far);
    double z = gpai_norm_quantile(0.5 * (above + below));
    *chance = above - below;
    z = fmax(z, -FARTHEST);
    return right ? -z : fmin(z, FARTHEST);
}

/* One column of changes: many places together, single ones at the end or far out. */
static void look_up_column(const gpai_quantiles *c, const double *z, size_t step,
                           size_t n, double *out, size_t next)
{
    enum { TOGETHER = GPAI_VPOINTS };
    const gpai_vectors *v = gpai_vectors_at(0);
    for (size_t i = 0; i < n; i += TOGETHER, z += TOGETHER * step) {
        double *to = out + i * next;
        size_t count = n - i < TOGETHER ? n - i : TOGETHER;
        if (count == TOGETHER &&
            v->series(c->table, NODES_PER_UNIT, NODES - 1, z, step, to, next))
            continue;
        for (size_t k = 0; k < count; k++)
            to[k * next] = look_up(c, z[k * step]);
    }
}

void gpai_quantiles_delta(const gpai_quantiles *c, const double *z, size_t n,
                          double *delta)
{
    const gpai_space *s = c->space;
    size_t axes = s->axes, d = s->d;
    if (axes < d)
        memset(delta, 0, n * d * sizeof *delta);
    for (size_t j = 0; j < axes; j++) {
        const gpai_axis *a = &s->axis[j];
        if (gpai_axis_is_free(a))
            look_up_column(c, z + j, axes, n, delta + a->input, d);
        else
            for (size_t i = 0; i < n; i++)
                gpai_axis_set(s, j, gpai_quantiles_value(c, j, z[i * axes + j]),
                              delta + i * d);
    }
}
