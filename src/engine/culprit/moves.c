#include "engine/culprit/moves.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>

static double share(size_t i, size_t count)
{
    return ((double)i + 0.5) / (double)count;
}

static double clamp(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* P(move < v), also for an infinite v. */
static double below(const gpai_prior *prior, double v)
{
    return isfinite(v) ? gpai_prior_cdf(prior, v) : v < 0 ? 0 : 1;
}

static void plain_moves(const gpai_axis *a, const gpai_prior *prior, size_t count,
                        double *value)
{
    double from = below(prior, a->lo), width = below(prior, a->hi) - from;
    for (size_t i = 0; i < count; i++) {
        double u = from + width * share(i, count);
        value[i] = clamp(gpai_prior_quantile(prior, u), a->lo, a->hi);
    }
}

/* The moves of one direction, counted as tail probabilities of the symmetric prior:
 * steps of length `near` to `far`. */
struct side {
    double near, far;
    double beyond, mass; /* P(|move| beyond far on this side), P(near to far) */
};

static struct side make_side(const gpai_axis *a, const gpai_prior *prior, double near,
                             double far)
{
    struct side s = {.near = fmax(near, a->step), .far = far};
    double half = a->step / 2;
    if (s.near > s.far)
        return s;
    s.beyond = below(prior, -(s.far + half));
    s.mass = below(prior, half - s.near) - s.beyond;
    return s;
}

/* The length of a move with tail probability s->beyond + rest, in whole steps. */
static double side_move(const gpai_axis *a, const gpai_prior *prior,
                        const struct side *s, double rest)
{
    double v = -gpai_prior_quantile(prior, s->beyond + rest);
    return clamp(a->step * nearbyint(v / a->step), s->near, s->far);
}

static void step_moves(const gpai_axis *a, const gpai_prior *prior, size_t count,
                       double *value)
{
    struct side down = make_side(a, prior, -a->hi, -a->lo);
    struct side up = make_side(a, prior, a->lo, a->hi);
    /* steps so long that the prior has no mass there: a move is one step */
    if (!(down.mass + up.mass > 1e-290)) {
        down.mass = down.near <= down.far ? 1e-290 : 0;
        up.mass = up.near <= up.far ? 1e-290 : 0;
    }
    double total = down.mass + up.mass;
    for (size_t i = 0; i < count; i++) {
        double at = total * share(i, count);
        value[i] = at < down.mass ? -side_move(a, prior, &down, at)
                                  : side_move(a, prior, &up, total - at);
    }
}

/* How much less likely a move to category j is than the likeliest one. */
static double choice_weight(const gpai_space *s, const gpai_axis *a,
                            const gpai_prior *prior, double least, size_t j)
{
    if (j == a->now)
        return 0;
    return exp(least - gpai_prior_penalty(prior, 1 / s->unit[a->member[j]]));
}

static void choice_moves(const gpai_space *s, const gpai_axis *a,
                         const gpai_prior *prior, size_t count, double *value)
{
    double least = HUGE_VAL, total = 0;
    for (size_t j = 0; j < a->members; j++)
        if (j != a->now)
            least = fmin(least, gpai_prior_penalty(prior, 1 / s->unit[a->member[j]]));
    for (size_t j = 0; j < a->members; j++)
        total += choice_weight(s, a, prior, least, j);
    size_t last = a->now + 1 < a->members ? a->members - 1 : a->now - 1;
    size_t j = a->now == 0 ? 1 : 0;
    double sum = choice_weight(s, a, prior, least, j);
    for (size_t i = 0; i < count; i++) {
        while (j < last && sum < total * share(i, count))
            sum += choice_weight(s, a, prior, least, ++j);
        value[i] = (double)j;
    }
}

void gpai_moves(const gpai_space *s, size_t axis, const gpai_prior *prior, size_t count,
                double *value)
{
    const gpai_axis *a = &s->axis[axis];
    switch (a->kind) {
    case GPAI_AXIS_PLAIN:
        plain_moves(a, prior, count, value);
        break;
    case GPAI_AXIS_STEP:
        step_moves(a, prior, count, value);
        break;
    case GPAI_AXIS_CHOICE:
        choice_moves(s, a, prior, count, value);
        break;
    }
}

gpa_status gpai_move_table_open(gpai_move_table *t, const gpai_space *s,
                                const gpai_prior *prior, gpa_error *err)
{
    size_t lists = 1; /* the first is that of all free axes */
    for (size_t i = 0; i < s->axes; i++)
        lists += gpai_axis_is_free(&s->axis[i]) ? 0 : 1;
    t->of = gpai_calloc(s->axes, sizeof *t->of);
    t->numbers = lists > SIZE_MAX / sizeof *t->numbers / GPAI_MOVES
                     ? NULL
                     : gpai_calloc(lists * GPAI_MOVES, sizeof *t->numbers);
    if (t->of == NULL || t->numbers == NULL) {
        gpai_move_table_close(t);
        return gpai_nomem(err, "culprit");
    }
    static const gpai_axis FREE = {.lo = -HUGE_VAL, .hi = HUGE_VAL};
    plain_moves(&FREE, prior, GPAI_MOVES, t->numbers);
    double *next = t->numbers + GPAI_MOVES;
    for (size_t i = 0; i < s->axes; i++) {
        t->of[i] = t->numbers;
        if (gpai_axis_is_free(&s->axis[i]))
            continue;
        gpai_moves(s, i, prior, GPAI_MOVES, next);
        t->of[i] = next;
        next += GPAI_MOVES;
    }
    return GPA_OK;
}

void gpai_move_table_close(gpai_move_table *t)
{
    gpai_free(t->of);
    gpai_free(t->numbers);
    *t = (gpai_move_table){0};
}
