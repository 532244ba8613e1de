#include "engine/map/additive.h"
#include "base/alloc.h"
#include "base/status.h"
#include "engine/map/grid_kernels.h"
#include "engine/objective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chosen: 24 multipliers over five powers of ten are steps of a factor 1.65, and costs
 * differ by more from place to place; the sweeps end by themselves long before. */
enum {
    MULTIPLIERS = 24, /* of the separable Lagrangian, per sign and direction */
    BOTH = 2 * MULTIPLIERS,
    LEAN = 16,      /* of one row, of the sign that leads to y: steps of a factor 2.2 */
    DIRECTIONS = 9, /* all rows together, and eight of them alone */
    STATES = BOTH * DIRECTIONS + 16, /* and what is refined from them */
    STARTS = 3,                      /* of the descent, besides the best point */
    SWEEPS = 60,                     /* at most */
    FACTORS = 8 /* likelihood factors multiplied before a logarithm is taken: each is
                   below 1e37 unless a residual is 1e18 noise scales */
};

static void lay_out(void *work, gpai_arena *r)
{
    gpai_additive *a = work;
    GPAI_TAKE_EACH(r, a->m, a->room, &a->place, &a->cost, &a->price);
    a->change = gpai_take(r, a->m * a->n, a->room);
    a->score = gpai_take(r, STATES, 1);
    GPAI_TAKE_EACH(r, a->n, 1, &a->sum, &a->direction, &a->scale);
    GPAI_TAKE_EACH(r, a->room, 1, &a->trial, &a->factor);
    a->by = gpai_take(r, a->n, GPAI_GRID_LANES);
    a->choice = gpai_take_bytes(r, STATES * a->m, sizeof *a->choice);
    a->tried = gpai_take_bytes(r, BOTH * a->m, sizeof *a->tried);
    a->count = gpai_take_bytes(r, a->m, sizeof *a->count);
    a->axis = gpai_take_bytes(r, a->m, sizeof *a->axis);
}

/* Padded, so that inner loops have no tail. */
static size_t whole_vectors(size_t places)
{
    return (places + 7) / 8 * 8;
}

gpa_status gpai_additive_open(gpai_additive *a, size_t m, size_t n, size_t nodes,
                              gpa_error *err)
{
    *a = (gpai_additive){.m = m,
                         .n = n,
                         .room = whole_vectors(GPAI_ADDITIVE_GRID + nodes + 1),
                         .kernel = gpai_grid_kernels_at(0),
                         .vectors = gpai_vectors_at(0)};
    a->block = gpai_carve_bare(lay_out, a);
    return a->block != NULL ? GPA_OK : gpai_nomem(err, "explain");
}

void gpai_additive_close(gpai_additive *a)
{
    gpai_free(a->block);
    a->block = NULL;
}

/* Whether there are places between the nodes; not where they are farther apart than a
 * number can say. */
static bool has_grid(const gpai_profile_view *v, const gpai_axis *axis, bool fine)
{
    double wide = v->value[v->nodes - 1] - v->value[0];
    return fine && !v->discrete && axis->kind == GPAI_AXIS_PLAIN && wide > 0 &&
           isfinite(wide);
}

/* A grid from the first node to the last that is the finer the nearer to the best
 * point, where f is known best and the next one is; with 0. */
static size_t centred_grid(const gpai_profile_view *v, double at, double *place)
{
    enum { HALF = GPAI_ADDITIVE_CENTRED / 2 };
    double below = at - v->value[0], above = v->value[v->nodes - 1] - at;
    size_t n = 0;
    for (int i = -HALF; i <= HALF; i++) {
        double side = (double)i * (1.0 / HALF), by = side * fabs(side);
        double next = at + by * (i < 0 ? below : above);
        if (n > 0 && place[n - 1] < 0 && next > 0)
            place[n++] = 0;
        if (n == 0 || next > place[n - 1])
            place[n++] = next;
    }
    return n;
}

/* Merges an even grid, the nodes and 0 into ascending places; gives their number. */
static size_t merge_grid(const gpai_profile_view *v, const gpai_axis *axis, bool fine,
                         double *place)
{
    double lo = v->value[0], hi = v->value[v->nodes - 1];
    size_t n = 0, node = 0;
    if (!has_grid(v, axis, fine)) {
        memcpy(place, v->value, v->nodes * sizeof *place);
        return v->nodes;
    }
    bool zero = lo < 0 && hi > 0; /* exactly 0 is a place of its own */
    for (size_t i = 0; i < GPAI_ADDITIVE_GRID; i++) {
        double x = i + 1 == GPAI_ADDITIVE_GRID
                       ? hi
                       : lo + (hi - lo) * (double)i / (GPAI_ADDITIVE_GRID - 1);
        for (;;) { /* whatever comes before x, once */
            bool is_node = node < v->nodes && v->value[node] <= x;
            double next = is_node ? v->value[node] : x;
            if (zero && 0 <= next) {
                is_node = is_node && next == 0;
                next = 0;
                zero = false;
            }
            if (node < v->nodes && v->value[node] <= next)
                node++;
            bool apart = n == 0 || next > place[n - 1] + 1e-9 * (hi - lo);
            if (apart)
                place[n++] = next;
            else if (next == 0 || is_node)
                place[n - 1] = next; /* nodes and 0 are exact */
            if (next >= x)
                break;
        }
    }
    return n;
}

/* By how much the slope at each end of the stretch from node j on exceeds that of the
 * stretch itself: the slope at a node is that of the parabola through its neighbours.
 * Zeros where f is straight, or not known next to it. */
struct bend {
    double start, end;
};

static struct bend bend_of(const gpai_profile_view *v, size_t n, const double *f,
                           size_t j)
{
    const double *x = v->value;
    double wide = x[j + 1] - x[j], own = (f[(j + 1) * n] - f[j * n]) / wide;
    bool before = j > 0, after = j + 2 < v->nodes;
    struct bend b = {0};
    if (before) {
        double h = x[j] - x[j - 1];
        b.start = ((f[j * n] - f[(j - 1) * n]) / h - own) * wide / (h + wide);
    }
    if (after) {
        double h = x[j + 2] - x[j + 1];
        b.end = ((f[(j + 2) * n] - f[(j + 1) * n]) / h - own) * wide / (h + wide);
    }
    if (!before)
        b.start = -b.end; /* one parabola */
    if (!after)
        b.end = -b.start;
    return isfinite(b.start) && isfinite(b.end) ? b : (struct bend){0};
}

/* A profile at ascending places, between nodes straight or a cubic; NaN next to a NaN
 * node. */
static void interpolate(const gpai_profile_view *v, size_t n, size_t t,
                        const double *place, size_t count, double *out)
{
    const double *value = v->value, *f = v->change + t;
    size_t i = 0, last = v->nodes - 1;
    for (size_t j = 0; j < last; j++) { /* from node j to the next */
        double part = 1 / (value[j + 1] - value[j]), low = f[j * n];
        double slope = (f[(j + 1) * n] - low) * part;
        struct bend b = {0};
        size_t end = i;
        while (end < count && place[end] < value[j + 1])
            end++;
        if (v->curved)
            b = bend_of(v, n, f, j);
        for (; i < end; i++) {
            double x = place[i] - value[j], s = x * part;
            double bent = slope + (1 - s) * ((1 - s) * b.start - s * b.end);
            out[i] = x == 0 ? low : low + bent * x;
        }
    }
    for (; i < count; i++)
        out[i] = f[last * n];
}

/* Whether states are compared by exp(objective / (a + 1/2)), a product that needs no
 * logarithm: up to FACTORS rows of Student's noise. */
static bool multiplies(const gpai_additive *a, const gpai_search *q)
{
    return a->n <= FACTORS && q->p->a > 0;
}

/* Grids reach across what lies between 0 and an axis apart from it. */
static bool is_feasible(const gpai_search *q, size_t axis, double place)
{
    const gpai_axis *a = &q->s->axis[axis];
    return !a->apart || place == 0 || gpai_axis_inside(a, place) == place;
}

/* What the places of axis i cost, as try_axis wants it. */
static void set_prices(gpai_additive *a, const gpai_search *q, size_t i)
{
    static const double MOST = 700; /* its exponential is a number */
    const double *cost = a->cost + i * a->width;
    double *price = a->price + i * a->width;
    bool product = multiplies(a, q);
    const double each = 1 / (q->p->a + 0.5);
    for (size_t j = 0; j < a->width; j++)
        price[j] = cost[j] * each;
    if (!product)
        return;
    memcpy(a->trial, price, a->width * sizeof *price);
    a->vectors->exp(price, a->width);
    for (size_t j = 0; j < a->width; j++)
        price[j] = a->trial[j] < MOST ? price[j] : HUGE_VAL;
}

/* Places of a view on its grid at most. */
static size_t most_places(const gpai_profile_view *v, const gpai_axis *axis, bool fine)
{
    if (!has_grid(v, axis, fine))
        return v->nodes;
    return v->centred ? GPAI_ADDITIVE_CENTRED + 1 : v->nodes + GPAI_ADDITIVE_GRID + 1;
}

/* What the first places of axis i cost; the rest is never chosen. */
static void set_costs(gpai_additive *a, const gpai_search *q, size_t i)
{
    const double *place = a->place + i * a->width;
    double *cost = a->cost + i * a->width;
    const gpai_axis *axis = &q->s->axis[a->axis[i]];
    size_t count = a->count[i];
    const gpai_prior prior = q->s->prior;
    if (axis->kind != GPAI_AXIS_CHOICE && !axis->apart)
        for (size_t j = 0; j < count; j++)
            cost[j] = gpai_prior_penalty(&prior, place[j]);
    else
        for (size_t j = 0; j < count; j++)
            cost[j] = is_feasible(q, a->axis[i], place[j])
                          ? gpai_axis_penalty(q->s, a->axis[i], place[j])
                          : HUGE_VAL;
    for (size_t j = count; j < a->width; j++)
        cost[j] = HUGE_VAL;
}

/* How row t changes along axis i; where that is no number, and beyond the last place,
 * nothing is chosen. */
static void set_changes(gpai_additive *a, const gpai_profile_view *v, size_t i,
                        size_t t)
{
    double *u = a->change + (i * a->n + t) * a->width, *cost = a->cost + i * a->width;
    size_t count = a->count[i];
    interpolate(v, a->n, t, a->place + i * a->width, count, u);
    for (size_t j = count; j < a->width; j++)
        u[j] = 0;
    for (size_t j = 0; j < count; j++) {
        bool known = isfinite(u[j]);
        u[j] = known ? u[j] : 0;
        cost[j] = known ? cost[j] : HUGE_VAL;
    }
}

void gpai_additive_load(gpai_additive *a, const gpai_search *q,
                        const gpai_profile_view *profile, size_t m, bool fine)
{
    size_t most = 0;
    for (size_t i = 0; i < m; i++) {
        size_t places = most_places(&profile[i], &q->s->axis[profile[i].axis], fine);
        most = places > most ? places : most;
    }
    a->width = whole_vectors(most);
    a->m = m;
    a->lean = a->n == 1 && m > 0 && profile[0].centred;
    for (size_t j = 0; j < a->width; j++)
        a->factor[j] = 1;
    for (size_t t = 0; t < a->n; t++)
        a->scale[t] = 1 / (2 * q->p->b[t]);
    for (size_t i = 0; i < m; i++) {
        const gpai_profile_view *v = &profile[i];
        const gpai_axis *axis = &q->s->axis[v->axis];
        double *place = a->place + i * a->width;
        a->axis[i] = v->axis;
        a->count[i] =
            has_grid(v, axis, fine) && v->centred
                ? centred_grid(v, gpai_axis_value(q->s, v->axis, q->delta), place)
                : merge_grid(v, axis, fine, place);
        set_costs(a, q, i);
        for (size_t t = 0; t < a->n; t++)
            set_changes(a, v, i, t);
        set_prices(a, q, i);
    }
}

/* Predictions of the additive model at a state into a->sum. */
static void add_up(gpai_additive *a, const gpai_search *q, const size_t *choice)
{
    for (size_t t = 0; t < a->n; t++) {
        double f = q->f[t];
        for (size_t i = 0; i < a->m; i++)
            f += a->change[(i * a->n + t) * a->width + choice[i]];
        a->sum[t] = f;
    }
}

/* How good a state is: that product, or else the objective in units of a + 1/2. Lower
 * is better either way. */
static double value_of(gpai_additive *a, const gpai_search *q, const size_t *choice)
{
    bool product = multiplies(a, q);
    double value = product ? 1 : 0;
    add_up(a, q, choice);
    for (size_t i = 0; i < a->m; i++) {
        double price = a->price[i * a->width + choice[i]];
        value = product ? value * price : value + price;
    }
    for (size_t t = 0; product && t < a->n; t++) {
        double r = q->p->y[t] - a->sum[t];
        value *= 1 + r * r / (2 * q->p->b[t]);
    }
    return product ? value : value + gpai_data_term(q->p, a->sum) / (q->p->a + 0.5);
}

static void add_squares(const double *u, size_t n, double r, double scale, double *to)
{
    for (size_t j = 0; j < n; j++)
        to[j] += (r - u[j]) * (r - u[j]) * scale;
}

/* The best place of an axis while the others stay, and how good it and the present one
 * are, in the same terms. */
struct trial {
    size_t place;
    double value, now;
};

/* Without products: how good every place of axis i is, into a->trial. */
static struct trial add_terms(gpai_additive *a, const gpai_search *q, size_t i,
                              size_t now)
{
    size_t w = a->width;
    memcpy(a->trial, a->price + i * w, w * sizeof *a->trial);
    for (size_t t = 0; t < a->n; t++) {
        const double *u = a->change + (i * a->n + t) * w;
        double r = q->p->y[t] - a->sum[t] + u[now];
        if (!(q->p->a > 0)) { /* Gaussian noise: the squares themselves */
            add_squares(u, w, r, 1 / q->p->b[t], a->trial);
            continue;
        }
        a->kernel->times_squares(u, w, r, a->scale[t], a->factor);
        if (t % FACTORS == FACTORS - 1 || t + 1 == a->n)
            gpai_add_logs(a->factor, w, a->trial);
    }
    size_t place = a->kernel->lowest(a->trial, w);
    return (struct trial){place, a->trial[place], a->trial[now]};
}

/* The last row's factors are multiplied while the lowest product is looked for. */
static struct trial try_axis(gpai_additive *a, const gpai_search *q, size_t i,
                             size_t now)
{
    size_t w = a->width, last = a->n - 1;
    const double *factor = a->price + i * w, *u = a->change + i * a->n * w;
    struct trial found;
    if (!multiplies(a, q))
        return add_terms(a, q, i, now);
    if (last > 0)
        factor = memcpy(a->trial, factor, w * sizeof *factor);
    for (size_t t = 0; t < last; t++, u += w)
        a->kernel->times_squares(u, w, q->p->y[t] - a->sum[t] + u[now], a->scale[t],
                                 a->trial);
    double r = q->p->y[last] - a->sum[last] + u[now], scale = a->scale[last];
    found.place = a->kernel->lowest_product(u, factor, w, r, scale, &found.value);
    found.now = factor[now] * (1 + (r - u[now]) * (r - u[now]) * scale);
    return found;
}

/* Lower by more than rounding: relative for products, absolute (the objective in units
 * of a + 1/2) for logarithms. */
static bool better(const gpai_additive *a, const gpai_search *q, double to, double from)
{
    return multiplies(a, q) ? to < from * (1 - 1e-9) : to < from - 1e-9;
}

/* Moves axis i to another place. */
static void move_to(gpai_additive *a, size_t i, size_t place, size_t *choice)
{
    for (size_t t = 0; t < a->n; t++) {
        const double *u = a->change + (i * a->n + t) * a->width;
        a->sum[t] += u[place] - u[choice[i]];
    }
    choice[i] = place;
}

/* Exact coordinate descent on the grids, until no axis wants to move any more. */
static void descend(gpai_additive *a, const gpai_search *q, size_t *choice)
{
    size_t settled = 0;
    for (size_t step = 0; settled < a->m && step < SWEEPS * a->m; step++) {
        size_t i = step % a->m;
        struct trial best = try_axis(a, q, i, choice[i]);
        settled++;
        if (best.place == choice[i] || !better(a, q, best.value, best.now))
            continue;
        move_to(a, i, best.place, choice);
        settled = 1; /* the axis itself is where it wants to be */
    }
}

/* How much better it gets when axis i stays where it is now and one other axis answers;
 * which one, and where it goes. */
struct answer {
    double value; /* as in value_of, without what the other axes cost */
    size_t axis, place;
};

static struct answer best_answer(gpai_additive *a, const gpai_search *q, size_t i,
                                 const size_t *choice)
{
    struct answer best = {.value = HUGE_VAL};
    for (size_t j = 0; j < a->m; j++) {
        if (j == i)
            continue;
        struct trial to = try_axis(a, q, j, choice[j]);
        double own = a->price[i * a->width + choice[i]];
        double paid = a->price[j * a->width + choice[j]];
        double value = multiplies(a, q) ? to.value / paid * own : to.value - paid + own;
        if (value < best.value)
            best = (struct answer){value, j, to.place};
    }
    return best;
}

static bool is_switch(const gpai_additive *a, const gpai_search *q, size_t i)
{
    const gpai_axis *own = &q->s->axis[a->axis[i]];
    return own->kind == GPAI_AXIS_CHOICE || gpai_axis_leaps(own);
}

/* A choice that is switched, or a leap, and another axis that answers: descent along
 * single axes does not get from one level to another where both fit with other numbers.
 * Gives whether that paid. */
static bool switch_two(gpai_additive *a, const gpai_search *q, size_t *choice)
{
    enum { MOST = 4096 }; /* chosen: axes tried at most, a millisecond or so */
    size_t tried = 0;
    for (size_t i = 0; i < a->m; i++) {
        size_t was = choice[i];
        if (!is_switch(a, q, i) || a->m < 2)
            continue;
        double now = best_answer(a, q, i, choice).value;
        for (size_t j = 0; j < a->count[i] && tried < MOST; j++, tried += a->m) {
            if (j == was || !(a->cost[i * a->width + j] < HUGE_VAL))
                continue;
            move_to(a, i, j, choice);
            struct answer best = best_answer(a, q, i, choice);
            if (better(a, q, best.value, now)) {
                move_to(a, best.axis, best.place, choice);
                return true;
            }
            move_to(a, i, was, choice);
        }
    }
    return false;
}

static void refine(gpai_additive *a, const gpai_search *q, size_t *choice)
{
    enum { ROUNDS = 8 }; /* chosen: more than one is rare */
    add_up(a, q, choice);
    descend(a, q, choice);
    for (int i = 0; i < ROUNDS && switch_two(a, q, choice); i++)
        descend(a, q, choice);
}

/* The place of every axis nearest to the best point. */
static void here(const gpai_additive *a, const gpai_search *q, size_t *choice)
{
    for (size_t i = 0; i < a->m; i++) {
        double v = gpai_axis_value(q->s, a->axis[i], q->delta), gap = HUGE_VAL;
        const double *place = a->place + i * a->width, *cost = a->cost + i * a->width;
        choice[i] = 0;
        for (size_t j = 0; j < a->count[i] && place[j] - v < gap; j++)
            if (cost[j] < HUGE_VAL && fabs(place[j] - v) < gap) {
                gap = fabs(place[j] - v);
                choice[i] = j;
            }
    }
}

/* Keeps a state unless it is there already; gives whether it is new. */
static bool keep(gpai_additive *a, const size_t *choice, double score)
{
    for (size_t k = 0; k < a->states; k++)
        if (a->score[k] == score &&
            memcmp(a->choice + k * a->m, choice, a->m * sizeof *choice) == 0)
            return false;
    if (a->states >= STATES - 1) /* the last slot is scratch */
        return false;
    memmove(a->choice + a->states * a->m, choice, a->m * sizeof *choice);
    a->score[a->states++] = score;
    return true;
}

/* For every axis the place with the lowest cost - mu d.u: a state for each of
 * GPAI_GRID_LANES multipliers. */
static void lagrangian(gpai_additive *a, const double *direction, const double *mu,
                       size_t *state)
{
    size_t w = a->width, at[GPAI_GRID_LANES];
    for (size_t t = 0; t < a->n; t++)
        for (size_t k = 0; k < GPAI_GRID_LANES; k++)
            a->by[t * GPAI_GRID_LANES + k] = mu[k] * direction[t];
    for (size_t i = 0; i < a->m; i++) {
        a->kernel->cheapest(a->cost + i * w, a->change + i * a->n * w, a->count[i], w,
                            a->n, a->by, at);
        for (size_t k = 0; k < GPAI_GRID_LANES; k++)
            state[k * a->m + i] = at[k];
    }
}

/* Largest cost and largest |d.u|: they set the range of useful multipliers. */
static void ranges(const gpai_additive *a, const double *direction, double *cost,
                   double *reach)
{
    double most = 0, far = 0;
    for (size_t i = 0; i < a->m; i++)
        for (size_t j = 0; j < a->count[i]; j++) {
            double u = 0, own = a->cost[i * a->width + j];
            for (size_t t = 0; t < a->n; t++)
                u += direction[t] * a->change[(i * a->n + t) * a->width + j];
            bool usable = own < HUGE_VAL;
            most = usable && own > most ? own : most;
            far = usable && fabs(u) > far ? fabs(u) : far;
        }
    *cost = most;
    *reach = far;
}

/* The side of y on which the cheapest state is, seen from the direction: only
 * multipliers of that sign lead one row there. */
static double side_of_y(gpai_additive *a, const gpai_search *q, double direction)
{
    size_t *state = a->tried;
    for (size_t i = 0; i < a->m; i++)
        state[i] = a->kernel->lowest(a->cost + i * a->width, a->width);
    add_up(a, q, state);
    return (q->p->y[0] - a->sum[0]) * direction < 0 ? -1 : 1;
}

static void scan_direction(gpai_additive *a, const gpai_search *q,
                           const double *direction)
{
    double cost, reach, mu[BOTH];
    _Static_assert(BOTH % GPAI_GRID_LANES == 0 && LEAN % GPAI_GRID_LANES == 0,
                   "multipliers go through in whole groups");
    ranges(a, direction, &cost, &reach);
    if (!(reach > 0) || !(cost > 0))
        return;
    size_t all = a->lean ? LEAN : BOTH, half = a->lean ? LEAN : MULTIPLIERS;
    double side = a->lean ? side_of_y(a, q, direction[0]) : 1;
    for (size_t k = 0; k < half; k++)
        mu[k] =
            side * pow(10, -2 + 5.0 * (double)k / (double)(half - 1)) * cost / reach;
    for (size_t k = half; k < all; k++)
        mu[k] = -mu[k - half];
    for (size_t k = 0; k < all; k += GPAI_GRID_LANES)
        lagrangian(a, direction, mu + k, a->tried + k * a->m);
    for (size_t k = 0; k < all; k++)
        keep(a, a->tried + k * a->m, value_of(a, q, a->tried + k * a->m));
}

/* Directions in which predictions should move: the pull of the residuals, and, for
 * several rows, each of the first eight alone. */
static void scan(gpai_additive *a, const gpai_search *q)
{
    double largest = 0;
    for (size_t t = 0; t < a->n; t++) {
        a->direction[t] = gpai_pull(q->p, t, q->f[t]);
        largest = fmax(largest, fabs(a->direction[t]));
    }
    for (size_t t = 0; t < a->n; t++)
        a->direction[t] = largest > 0 ? a->direction[t] / largest : 1;
    scan_direction(a, q, a->direction);
    for (size_t t = 0; a->n > 1 && t < a->n && t < DIRECTIONS - 1; t++) {
        for (size_t s = 0; s < a->n; s++)
            a->direction[s] = s != t ? 0 : q->p->y[t] < q->f[t] ? -1 : 1;
        scan_direction(a, q, a->direction);
    }
}

/* The best of the first states that comes after `last` (`states`: the best of all), by
 * score, ties by age; `states` when there is none. */
static size_t next_best(const gpai_additive *a, size_t last, size_t states)
{
    size_t best = states;
    for (size_t i = 0; i < states; i++) {
        bool after = last == states || a->score[i] > a->score[last] ||
                     (a->score[i] == a->score[last] && i > last);
        if (after && !isnan(a->score[i]) &&
            (best == states || a->score[i] < a->score[best]))
            best = i;
    }
    return best;
}

/* The best states as points into q->points, from number `at` on. */
static size_t hand_over(gpai_additive *a, gpai_search *q, size_t at, size_t most)
{
    size_t found = 0, best = a->states;
    while (found < most) {
        best = next_best(a, best, a->states);
        if (best == a->states || !(a->score[best] < HUGE_VAL))
            break;
        const size_t *choice = a->choice + best * a->m;
        double *point = q->points + (at + found++) * q->p->d;
        memcpy(point, q->delta, q->p->d * sizeof *point);
        for (size_t i = 0; i < a->m; i++)
            gpai_axis_set(q->s, a->axis[i], a->place[i * a->width + choice[i]], point);
    }
    return found;
}

static void refine_and_keep(gpai_additive *a, const gpai_search *q, size_t *choice)
{
    refine(a, q, choice);
    keep(a, choice, value_of(a, q, choice));
}

/* Descends from the best point and from the best of the states so far. */
static void refine_best(gpai_additive *a, const gpai_search *q)
{
    size_t *scratch = a->choice + (STATES - 1) * a->m, best[STARTS];
    size_t states = a->states, starts = states < STARTS ? states : STARTS;
    for (size_t k = 0; k < starts; k++)
        best[k] = next_best(a, k > 0 ? best[k - 1] : states, states);
    here(a, q, scratch);
    refine_and_keep(a, q, scratch);
    for (size_t k = 0; k < starts && best[k] < states; k++) {
        memcpy(scratch, a->choice + best[k] * a->m, a->m * sizeof *scratch);
        refine_and_keep(a, q, scratch);
    }
}

size_t gpai_additive_candidates(gpai_additive *a, gpai_search *q, size_t most)
{
    a->states = 0;
    if (!gpai_all_finite(q->f, a->n))
        return 0;
    scan(a, q);
    refine_best(a, q);
    return hand_over(a, q, 0, most);
}

/* Axes of which all pairs are tried at most: with many rows that is work. */
static size_t paired_axes(const gpai_additive *a)
{
    static const double MOST = 1 << 24; /* chosen: some milliseconds */
    size_t m = a->m, places = 1;
    for (size_t i = 0; i < m; i++)
        places = a->count[i] > places ? a->count[i] : places;
    double each = (double)places * (double)a->room * (double)a->n;
    while (m > 2 && (double)m * (double)m * each > MOST)
        m--;
    return m;
}

/* Axis i at another place and the axis that answers it best, if that pays. */
static void keep_pair(gpai_additive *a, const gpai_search *q, size_t i, size_t place,
                      double bar, size_t *choice)
{
    size_t was = choice[i];
    move_to(a, i, place, choice);
    struct answer best = best_answer(a, q, i, choice);
    size_t other = choice[best.axis];
    if (best.value < HUGE_VAL && best.place != other) {
        choice[best.axis] = best.place;
        double value = value_of(a, q, choice);
        if (value < bar)
            keep(a, choice, value);
        choice[best.axis] = other;
    }
    choice[i] = was;
    add_up(a, q, choice);
}

size_t gpai_additive_pairs(gpai_additive *a, gpai_search *q, double least, size_t at)
{
    size_t *scratch = a->choice + (STATES - 1) * a->m, m = a->m;
    a->states = 0;
    if (m < 2 || !gpai_all_finite(q->f, a->n))
        return 0;
    a->m = paired_axes(a);
    here(a, q, scratch);
    double bar = value_of(a, q, scratch), by = least / (q->p->a + 0.5);
    bar = multiplies(a, q) ? bar * exp(-by) : bar - by;
    for (size_t i = 0; i < a->m; i++)
        for (size_t j = 0; j < a->count[i]; j++)
            if (j != scratch[i] && a->cost[i * a->width + j] < HUGE_VAL)
                keep_pair(a, q, i, j, bar, scratch);
    size_t found = hand_over(a, q, at, GPAI_ADDITIVE_PAIRS);
    a->m = m;
    return found;
}
