#include "engine/space.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* One block: axes, then the inputs' axis numbers, then the members of all groups. */
static gpa_status allocate(gpai_space *s, gpa_error *err)
{
    size_t d = s->d;
    if (d > SIZE_MAX / (sizeof *s->axis + 2 * sizeof(size_t)))
        return gpai_nomem(err, "explain");
    s->block = gpai_calloc(d, sizeof *s->axis + 2 * sizeof(size_t));
    if (s->block == NULL)
        return gpai_nomem(err, "explain");
    s->axis = s->block;
    s->axis_of = (size_t *)(void *)(s->axis + d);
    return GPA_OK;
}

void gpai_space_close(gpai_space *s)
{
    gpai_free(s->block);
    *s = (gpai_space){0};
}

/* The nearest move of row t to a bound on one side (-1: below, 1: above). */
static double reach_bound(const gpai_problem *p, size_t t, size_t k, double bound,
                          int side)
{
    double x = p->x[t * p->d + k], unit = p->unit[k], v = (bound - x) / unit;
    for (int i = 0; i < 4 && side * (x + unit * v) > side * bound; i++)
        v = nextafter(v, -side * HUGE_VAL); /* rounding must not leave the bounds */
    return v;
}

/* The box of delta_k in units that keeps every row inside the bounds. */
static void find_box(gpai_axis *a, const gpai_problem *p, const gpai_limits *l)
{
    size_t k = a->input;
    a->lo = -HUGE_VAL;
    a->hi = HUGE_VAL;
    for (size_t t = 0; t < p->n; t++) {
        if (l->lower != NULL && isfinite(l->lower[k]))
            a->lo = fmax(a->lo, reach_bound(p, t, k, l->lower[k], -1));
        if (l->upper != NULL && isfinite(l->upper[k]))
            a->hi = fmin(a->hi, reach_bound(p, t, k, l->upper[k], 1));
    }
}

/* Rounds a box inwards to whole steps. A hair of rounding does not cost a step, unless
 * the step then really leaves the bounds. */
static void whole_steps(gpai_axis *a, const gpai_problem *p, const gpai_limits *l)
{
    size_t k = a->input;
    double lo = ceil(a->lo / a->step - 1e-9), hi = floor(a->hi / a->step + 1e-9);
    for (size_t t = 0; t < p->n; t++) {
        double x = p->x[t * p->d + k];
        if (isfinite(lo) && x + lo < l->lower[k])
            lo++;
        if (isfinite(hi) && x + hi > l->upper[k])
            hi--;
    }
    a->lo = isfinite(lo) ? a->step * lo : a->lo;
    a->hi = isfinite(hi) ? a->step * hi : a->hi;
}

static gpa_status add_input(gpai_space *s, const gpai_problem *p, const gpai_limits *l,
                            size_t k, gpa_error *err)
{
    gpai_axis a = {.kind = GPAI_AXIS_PLAIN, .input = k};
    find_box(&a, p, l);
    if (l->integer != NULL && l->integer[k]) {
        a.kind = GPAI_AXIS_STEP;
        a.step = 1 / p->unit[k];
        whole_steps(&a, p, l);
    }
    if (!(a.lo <= a.hi))
        return gpai_fail(
            err, GPA_INVALID,
            "explain: input %zu has no value that all %zu rows could move to "
            "within its bounds",
            k + 1, p->n);
    if (a.lo > 0 || a.hi < 0)
        s->zero_feasible = false;
    if (a.lo == 0 && a.hi == 0)
        return GPA_OK; /* as good as frozen */
    s->axis_of[k] = s->axes;
    s->axis[s->axes++] = a;
    return GPA_OK;
}

/* The category row t is in: the one member that is 1 while all others are 0. */
static bool find_category(const gpai_problem *p, const gpai_axis *a, size_t t,
                          size_t *now)
{
    size_t ones = 0;
    for (size_t j = 0; j < a->members; j++) {
        double v = p->x[t * p->d + a->member[j]];
        if (v == 1) {
            *now = j;
            ones++;
        } else if (v != 0) {
            return false;
        }
    }
    return ones == 1;
}

/* The group whose first member is input k. Rows of different categories share no move:
 * the group is then frozen. */
static gpa_status add_group(gpai_space *s, const gpai_problem *p, const gpai_limits *l,
                            size_t k, size_t *pool, gpa_error *err)
{
    gpai_axis a = {.kind = GPAI_AXIS_CHOICE, .input = k, .member = pool};
    bool frozen = false;
    for (size_t j = k; j < s->d; j++)
        if (l->group[j] == l->group[k]) {
            pool[a.members++] = j;
            frozen = frozen || (l->frozen != NULL && l->frozen[j]);
            if ((l->lower != NULL && isfinite(l->lower[j])) ||
                (l->upper != NULL && isfinite(l->upper[j])))
                return gpai_fail(
                    err, GPA_INVALID,
                    "explain: input %zu is in a one-hot group and takes no "
                    "bounds: freeze it, or leave the group out",
                    j + 1);
        }
    for (size_t t = 0; t < p->n; t++) {
        size_t now = 0;
        if (!find_category(p, &a, t, &now))
            return gpai_fail(
                err, GPA_INVALID,
                "explain: one-hot group of input %zu: a row is not one-hot "
                "(exactly one 1, the others 0)",
                k + 1);
        frozen = frozen || (t > 0 && now != a.now);
        a.now = now;
    }
    a.hi = (double)(a.members - 1);
    if (frozen || a.members < 2)
        return GPA_OK;
    for (size_t j = 0; j < a.members; j++)
        s->axis_of[pool[j]] = s->axes;
    s->axis[s->axes++] = a;
    return GPA_OK;
}

void gpai_space_set_prior(gpai_space *s, double eta, double nu)
{
    s->prior = gpai_prior_make(eta, nu);
    for (size_t i = 0; i < s->axes; i++) {
        gpai_axis *a = &s->axis[i];
        a->u_lo = isfinite(a->lo) ? gpai_prior_cdf(&s->prior, a->lo) : 0;
        a->u_hi = isfinite(a->hi) ? gpai_prior_cdf(&s->prior, a->hi) : 1;
        a->side = a->lo > 0 ? 1 : a->hi < 0 ? -1 : 0;
        double near = a->side > 0 ? a->lo : -a->hi, far = a->side > 0 ? a->hi : -a->lo;
        if (a->side == 0)
            continue;
        a->log_near = gpai_prior_log_tail(&s->prior, near);
        a->log_share = isfinite(far) ? gpai_prior_log_tail(&s->prior, far) - a->log_near
                                     : -HUGE_VAL;
    }
}

/* A box on one side of 0, u from its nearer end on: by the tail beyond, never by 1 -
 * it. */
static double tail_quantile(const gpai_space *s, const gpai_axis *a, double u)
{
    double beyond = log1p(-u * -expm1(a->log_share));
    return gpai_prior_tail_quantile(&s->prior, a->log_near + beyond);
}

static double tail_cdf(const gpai_space *s, const gpai_axis *a, double t)
{
    double whole = -expm1(a->log_share);
    double part = -expm1(gpai_prior_log_tail(&s->prior, t) - a->log_near);
    return whole > 0 ? part / whole : 0.5;
}

static bool first_of_group(const size_t *group, size_t k)
{
    for (size_t j = 0; j < k; j++)
        if (group[j] == group[k])
            return false;
    return true;
}

gpa_status gpai_space_open(gpai_space *s, const gpai_problem *p,
                           const gpai_limits *limits, gpa_error *err)
{
    static const gpai_limits NONE = {0};
    const gpai_limits *l = limits != NULL ? limits : &NONE;
    *s = (gpai_space){.d = p->d, .x = p->x, .unit = p->unit, .zero_feasible = true};
    gpa_status st = allocate(s, err);
    if (st != GPA_OK)
        return st;
    size_t *pool = s->axis_of + s->d;
    for (size_t k = 0; k < s->d; k++)
        s->axis_of[k] = SIZE_MAX;
    for (size_t k = 0; k < s->d && st == GPA_OK; k++) {
        if (l->group != NULL && l->group[k] != 0) {
            if (first_of_group(l->group, k)) {
                size_t before = s->axes;
                st = add_group(s, p, l, k, pool, err);
                pool += s->axes > before ? s->axis[before].members : 0;
            }
        } else if (l->frozen == NULL || !l->frozen[k]) {
            st = add_input(s, p, l, k, err);
        }
    }
    for (size_t k = 0; k < s->d; k++)
        if (s->axis_of[k] == SIZE_MAX)
            s->axis_of[k] = s->axes;
    gpai_space_set_prior(s, p->eta, p->nu);
    if (st != GPA_OK)
        gpai_space_close(s);
    return st;
}

bool gpai_axis_is_free(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_PLAIN && a->lo == -HUGE_VAL && a->hi == HUGE_VAL;
}

double gpai_axis_snap(const gpai_axis *a, double v)
{
    if (a->kind == GPAI_AXIS_STEP)
        v = a->step * nearbyint(v / a->step);
    else if (a->kind == GPAI_AXIS_CHOICE)
        v = nearbyint(v);
    return v < a->lo ? a->lo : v > a->hi ? a->hi : v;
}

double gpai_axis_value(const gpai_space *s, size_t axis, const double *delta)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind != GPAI_AXIS_CHOICE)
        return delta[a->input];
    for (size_t j = 0; j < a->members; j++)
        if (j != a->now && delta[a->member[j]] != 0)
            return (double)j;
    return (double)a->now;
}

void gpai_axis_set(const gpai_space *s, size_t axis, double value, double *delta)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind != GPAI_AXIS_CHOICE) {
        delta[a->input] = value;
        return;
    }
    size_t to = (size_t)value;
    for (size_t j = 0; j < a->members; j++)
        delta[a->member[j]] = 0;
    if (to != a->now) {
        delta[a->member[a->now]] = -1 / s->unit[a->member[a->now]];
        delta[a->member[to]] = 1 / s->unit[a->member[to]];
    }
}

double gpai_axis_penalty(const gpai_space *s, size_t axis, double value)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind != GPAI_AXIS_CHOICE)
        return gpai_prior_penalty(&s->prior, value);
    size_t to = (size_t)value;
    if (to == a->now)
        return 0;
    return gpai_prior_penalty(&s->prior, 1 / s->unit[a->member[a->now]]) +
           gpai_prior_penalty(&s->prior, 1 / s->unit[a->member[to]]);
}

/* Categories in their order, each with the prior's weight of the move to it. */
static double choose(const gpai_space *s, size_t axis, double u)
{
    const gpai_axis *a = &s->axis[axis];
    double total = 0, sum = 0;
    for (size_t j = 0; j < a->members; j++)
        total += exp(-gpai_axis_penalty(s, axis, (double)j));
    for (size_t j = 0; j < a->members; j++) {
        sum += exp(-gpai_axis_penalty(s, axis, (double)j));
        if (u * total <= sum)
            return (double)j;
    }
    return (double)(a->members - 1);
}

double gpai_axis_quantile(const gpai_space *s, size_t axis, double u)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind == GPAI_AXIS_CHOICE)
        return choose(s, axis, u);
    if (a->side > 0)
        return gpai_axis_snap(a, tail_quantile(s, a, u));
    if (a->side < 0)
        return gpai_axis_snap(a, -tail_quantile(s, a, 1 - u));
    return gpai_axis_snap(
        a, gpai_prior_quantile(&s->prior, a->u_lo + u * (a->u_hi - a->u_lo)));
}

double gpai_axis_cdf(const gpai_space *s, size_t axis, double value)
{
    const gpai_axis *a = &s->axis[axis];
    double width = a->u_hi - a->u_lo, u = 0.5;
    if (value < a->lo)
        return 0;
    if (value > a->hi)
        return 1;
    if (a->side != 0)
        u = a->side > 0 ? tail_cdf(s, a, value) : 1 - tail_cdf(s, a, -value);
    else if (width > 0)
        u = (gpai_prior_cdf(&s->prior, value) - a->u_lo) / width;
    return u < 0 ? 0 : u > 1 ? 1 : u;
}

/* The category whose one-hot point is nearest to x + unit delta. */
static double nearest_category(const gpai_space *s, const gpai_axis *a,
                               const double *delta)
{
    size_t best = 0;
    double top = -HUGE_VAL;
    for (size_t j = 0; j < a->members; j++) {
        size_t k = a->member[j];
        double v = s->x[k] + s->unit[k] * delta[k];
        if (v > top) {
            top = v;
            best = j;
        }
    }
    return (double)best;
}

void gpai_space_project(const gpai_space *s, double *delta)
{
    for (size_t k = 0; k < s->d; k++)
        if (s->axis_of[k] == s->axes)
            delta[k] = 0;
    for (size_t i = 0; i < s->axes; i++) {
        const gpai_axis *a = &s->axis[i];
        if (a->kind == GPAI_AXIS_CHOICE)
            gpai_axis_set(s, i, nearest_category(s, a, delta), delta);
        else
            delta[a->input] = gpai_axis_snap(a, delta[a->input]);
    }
}

gpa_status gpai_limits_space(gpai_space *s, const gpai_problem *p,
                             const gpa_explain_options *o, gpa_error *err)
{
    gpai_limits limits = {.frozen = o->frozen,
                          .lower = o->lower,
                          .upper = o->upper,
                          .integer = o->integer,
                          .group = o->onehot};
    return gpai_space_open(s, p, &limits, err);
}

gpa_status gpai_limits_whole(unsigned char **whole, size_t d,
                             const gpa_explain_options *o, gpa_error *err)
{
    *whole = NULL;
    if (o->integer == NULL && o->onehot == NULL)
        return GPA_OK;
    *whole = gpai_calloc(d, sizeof **whole);
    if (*whole == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < d; k++)
        (*whole)[k] = (o->integer != NULL && o->integer[k] != 0) ||
                      (o->onehot != NULL && o->onehot[k] != 0);
    return GPA_OK;
}

bool gpai_limits_split_group(const gpai_space *s, size_t n,
                             const gpa_explain_options *o)
{
    for (size_t k = 0; o->onehot != NULL && k < s->d; k++)
        if (o->onehot[k] != 0 && s->axis_of[k] == s->axes && n > 1 &&
            (o->frozen == NULL || !o->frozen[k]))
            return true;
    return false;
}

gpa_status gpai_limits_check(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *o, gpa_error *err)
{
    if (o->lower == NULL && o->upper == NULL && o->onehot == NULL)
        return GPA_OK;
    double *unit = gpai_calloc(all->d, sizeof *unit);
    if (unit == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < all->d; k++)
        unit[k] = o->unit != NULL ? o->unit[k] : 1;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n_rows && st == GPA_OK; i++) {
        gpai_space s = {0};
        gpai_problem p = {.n = 1,
                          .d = all->d,
                          .x = all->x + rows[i] * all->d,
                          .unit = unit,
                          .eta = 1};
        st = gpai_limits_space(&s, &p, o, err);
        gpai_space_close(&s);
        if (st == GPA_INVALID && err != NULL) {
            static const char unit_name[] = "explain: "; /* said once, before the row */
            gpa_error inner = *err;
            size_t skip = strncmp(inner.message, unit_name, sizeof unit_name - 1) == 0
                              ? sizeof unit_name - 1
                              : 0;
            st = gpai_fail(err, st, "%srow %zu: %.400s", unit_name, rows[i],
                           inner.message + skip);
        }
    }
    gpai_free(unit);
    return st;
}
