#include "base/alloc.h"
#include "base/status.h"
#include "engine/settings.h"
#include "engine/space.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* From what the options say of the inputs to the axes of a problem. */

/* What an input is, after all that was said of it. Its one-hot group decides for all of
 * its columns. */
enum role {
    HELD,
    NUMBER,
    STEPPED, /* moves in steps of 1 from wherever it is: the user says so */
    WHOLE,   /* its values are whole numbers */
    CODED,   /* one of the levels of its column */
    GROUPED, /* a column of a one-hot group, as the rows are */
    TIED     /* a column of a one-hot group, as the user says */
};

static double bound_of(const double *bound, size_t k)
{
    return bound != NULL && isfinite(bound[k]) ? bound[k] : (double)NAN;
}

static bool is_bounded(const gpai_limits *l, size_t k)
{
    return !isnan(bound_of(l->lower, k)) || !isnan(bound_of(l->upper, k));
}

static enum role role_of(const gpai_limits *l, size_t k)
{
    const gpa_input *in = l->inputs != NULL ? &l->inputs[k] : NULL;
    if (l->group != NULL && l->group[k] != 0)
        return TIED;
    if (l->integer != NULL && l->integer[k])
        return STEPPED;
    if (in == NULL || in->kind == GPA_KIND_NUMBER)
        return NUMBER;
    if (in->kind == GPA_KIND_WHOLE)
        return WHOLE;
    if (in->kind == GPA_KIND_HELD || in->group != 0) /* bounds say that it may move */
        return is_bounded(l, k) ? NUMBER : in->kind == GPA_KIND_HELD ? HELD : GROUPED;
    return CODED;
}

/* Axes under way. */
struct making {
    gpai_space *s;
    const gpai_problem *p;
    const gpai_limits *l;
    size_t *pool;  /* room for the columns of choices */
    double *level; /* room for levels */
    bool gaps;     /* the axes of gaps are made, not the others */
    gpa_error *err;
};

/* Whether input k is missing in a row. */
static bool is_gap(const struct making *m, size_t k)
{
    for (size_t t = 0; t < m->p->n && !m->l->published; t++)
        if (isnan(m->p->x[t * m->p->d + k]))
            return true;
    return false;
}

static bool is_frozen(const gpai_limits *l, size_t k)
{
    return l->frozen != NULL && l->frozen[k];
}

/* Only now the columns at m->pool are taken. */
static void add_axis(struct making *m, const gpai_axis *a)
{
    gpai_space *s = m->s;
    for (size_t j = 0; j < a->members; j++)
        s->axis_of[a->member[j]] = s->axes;
    s->axis_of[a->input] = s->axes;
    m->pool += a->members;
    m->level += a->level != NULL ? a->levels : 0;
    s->axis[s->axes++] = *a;
}

/* Numbers. */

/* The nearest move of row t to a bound on one side (-1: below, 1: above). */
static double reach_bound(const gpai_problem *p, size_t t, size_t k, double bound,
                          int side)
{
    double x = p->x[t * p->d + k], unit = p->unit[k], v = (bound - x) / unit;
    for (int i = 0; i < 4 && side * (x + unit * v) > side * bound; i++)
        v = nextafter(v, -side * HUGE_VAL); /* rounding must not leave the bounds */
    return v;
}

/* The box of delta_k in units that keeps every row inside the bounds (NaN: none). */
static void find_box(gpai_axis *a, const gpai_problem *p, const double bound[2])
{
    a->lo = -HUGE_VAL;
    a->hi = HUGE_VAL;
    for (size_t t = 0; t < p->n; t++) {
        if (!isnan(bound[0]))
            a->lo = fmax(a->lo, reach_bound(p, t, a->input, bound[0], -1));
        if (!isnan(bound[1]))
            a->hi = fmin(a->hi, reach_bound(p, t, a->input, bound[1], 1));
    }
}

/* Rows that break a limit, each by another amount, may each need another change, and
 * the farthest must not forbid what is enough for the others: the box then begins where
 * the nearest is within. No row is taken farther out than it is. */
static void loosen_box(gpai_axis *a, const gpai_problem *p, const double bound[2])
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t t = 0; t < p->n; t++) {
        gpai_axis own = {.input = a->input};
        gpai_problem row = {.n = 1, .d = p->d, .x = p->x + t * p->d, .unit = p->unit};
        find_box(&own, &row, bound);
        lo = fmin(lo, own.lo);
        hi = fmax(hi, own.hi);
    }
    a->lo = a->lo > 0 ? fmax(lo, 0) : a->lo;
    a->hi = a->hi < 0 ? fmin(hi, 0) : a->hi;
}

/* Rounds a box inwards to whole steps. A hair of rounding does not cost a step, unless
 * the step then really leaves the bounds. */
static void whole_steps(gpai_axis *a, const gpai_problem *p, const double bound[2])
{
    size_t k = a->input;
    double lo = ceil((a->lo - a->base) / a->step - 1e-9);
    double hi = floor((a->hi - a->base) / a->step + 1e-9);
    for (size_t t = 0; t < p->n; t++) {
        double x = p->x[t * p->d + k];
        if (a->base != 0)
            x = nearbyint(x + p->unit[k] * a->base);
        if (isfinite(lo) && x + lo < bound[0])
            lo++;
        if (isfinite(hi) && x + hi > bound[1])
            hi--;
    }
    a->lo = isfinite(lo) ? a->base + a->step * lo : a->lo;
    a->hi = isfinite(hi) ? a->base + a->step * hi : a->hi;
}

/* Whether one step takes all rows to whole numbers. */
static bool share_steps(const gpai_problem *p, size_t k)
{
    for (size_t t = 1; t < p->n; t++) {
        double away = p->x[t * p->d + k] - p->x[k];
        if (away != nearbyint(away))
            return false;
    }
    return true;
}

/* Steps that end on whole numbers. */
static void set_whole(gpai_axis *a, const gpai_problem *p)
{
    double first = p->x[a->input];
    a->kind = GPAI_AXIS_STEP;
    a->step = 1 / p->unit[a->input];
    a->base = (nearbyint(first) - first) / p->unit[a->input];
}

/* Bounds that are one value: rounded inwards from either side, the ends of the box may
 * have passed each other by a hair. */
static void meet(gpai_axis *a)
{
    static const double HAIR = 1e-12;
    if (a->lo > a->hi && a->lo - a->hi <= HAIR * fmax(fabs(a->lo), fabs(a->hi)))
        a->lo = a->hi = 0.5 * (a->lo + a->hi);
}

/* What the user demands; GPA_INVALID when that cannot be. */
static gpa_status demand(gpai_axis *a, const struct making *m, const double bound[2],
                         enum role role)
{
    find_box(a, m->p, bound);
    meet(a);
    if (role == STEPPED) {
        a->kind = GPAI_AXIS_STEP;
        a->step = 1 / m->p->unit[a->input];
        whole_steps(a, m->p, bound);
    }
    if (a->lo <= a->hi)
        return GPA_OK;
    return gpai_fail(m->err, GPA_INVALID,
                     "explain: %s has no value that all %zu rows could move to "
                     "within its bounds",
                     gpai_called(m->l->names, m->l->inputs, a->input).text, m->p->n);
}

/* What is known of the input narrows it further, but never forbids the row itself.
 * False when nothing is left to move to. */
static bool narrow(gpai_axis *a, const gpai_problem *p, const double bound[2],
                   enum role role, bool each)
{
    bool stays = a->lo <= 0 && a->hi >= 0;
    gpai_axis b = *a;
    find_box(&b, p, bound);
    if (each && stays && b.kind == GPAI_AXIS_PLAIN && role == NUMBER && b.lo <= b.hi)
        loosen_box(&b, p, bound);
    if (role == WHOLE && !share_steps(p, a->input))
        return !stays;
    if (role == WHOLE)
        set_whole(&b, p);
    if (b.kind == GPAI_AXIS_STEP)
        whole_steps(&b, p, bound);
    if (!(b.lo <= b.hi))
        return !stays;
    b.apart = stays && (b.lo > 0 || b.hi < 0 || b.base != 0);
    *a = b;
    return true;
}

/* A missing number: the values it might have had. */
static void add_missing(struct making *m, gpai_axis *a, const double bound[2],
                        enum role role)
{
    a->gap = true;
    a->lo = isnan(bound[0]) ? -HUGE_VAL : bound[0];
    a->hi = isnan(bound[1]) ? HUGE_VAL : bound[1];
    if (role != NUMBER) {
        a->kind = GPAI_AXIS_STEP;
        a->step = 1;
        a->lo = ceil(a->lo);
        a->hi = floor(a->hi);
    }
    if (a->lo < a->hi)
        add_axis(m, a);
}

static gpa_status add_number(struct making *m, size_t k, enum role role)
{
    const gpai_limits *l = m->l;
    const gpa_input *in = l->inputs != NULL ? &l->inputs[k] : NULL;
    bool drift = in != NULL && role == NUMBER && in->kind != GPA_KIND_NUMBER &&
                 in->kind != GPA_KIND_HELD;
    gpai_axis a = {.kind = GPAI_AXIS_PLAIN, .input = k, .in = drift ? NULL : in};
    double own[2] = {bound_of(l->lower, k), bound_of(l->upper, k)};
    double both[2] = {own[0], own[1]};
    bool known = in != NULL && !drift &&
                 (in->kind == GPA_KIND_NUMBER || in->kind == GPA_KIND_WHOLE);
    if (known && isnan(own[0]))
        both[0] = bound_of(&in->low, 0);
    if (known && isnan(own[1]))
        both[1] = bound_of(&in->high, 0);
    bool gap = is_gap(m, k);
    if (gap != m->gaps)
        return GPA_OK;
    if (gap) {
        add_missing(m, &a, both, role);
        return GPA_OK;
    }
    gpa_status st = demand(&a, m, own, role);
    if (st != GPA_OK)
        return st;
    if (known && !narrow(&a, m->p, both, role, l->each))
        return GPA_OK;
    if (a.lo != 0 || a.hi != 0) /* else it is as good as frozen */
        add_axis(m, &a);
    return GPA_OK;
}

/* Choices. */

/* Whether all rows hold the same in the columns of a choice. */
static bool same_rows(const gpai_problem *p, const gpai_axis *a)
{
    for (size_t t = 1; t < p->n; t++)
        for (size_t j = 0; j < a->members; j++)
            if (p->x[t * p->d + a->member[j]] != p->x[a->member[j]])
                return false;
    return true;
}

/* A choice whose levels are known, unless it has nothing to choose from. */
static void add_choice(struct making *m, gpai_axis *a)
{
    a->hi = (double)gpai_axis_choices(a) - 1;
    if (a->levels > 0 && a->hi > 0)
        add_axis(m, a);
}

static bool is_proposed(const gpai_limits *l, size_t k, size_t i)
{
    const gpa_input *in = &l->inputs[k];
    double v = in->level[i];
    return (in->rare == NULL || !in->rare[i]) && v != in->missing &&
           !(v < bound_of(l->lower, k)) && !(v > bound_of(l->upper, k));
}

/* Rows of different levels share no move. */
static void note_split(struct making *m, size_t k)
{
    m->s->split_in[m->s->split++] = k;
}

static void add_coded(struct making *m, size_t k)
{
    const gpa_input *in = &m->l->inputs[k];
    gpai_axis a = {.kind = GPAI_AXIS_CHOICE,
                   .input = k,
                   .in = in,
                   .member = m->pool,
                   .members = 1,
                   .level = m->level,
                   .gap = is_gap(m, k)};
    if (a.gap != m->gaps)
        return;
    *m->pool = k;
    if (!a.gap && !same_rows(m->p, &a)) {
        note_split(m, k);
        return;
    }
    size_t now = SIZE_MAX;
    for (size_t i = 0; i < in->levels; i++)
        if (is_proposed(m->l, k, i)) {
            now = m->p->x[k] == in->level[i] ? a.levels : now;
            m->level[a.levels++] = in->level[i];
        }
    a.now = !a.gap && now != SIZE_MAX ? now : a.levels;
    add_choice(m, &a);
}

/* The level row t is in: the one member that is 1 while all others are 0, or with
 * `dropped` the one after the last. */
static bool find_category(const gpai_problem *p, const gpai_axis *a, size_t t,
                          bool dropped, size_t *now)
{
    size_t ones = 0;
    *now = a->members;
    for (size_t j = 0; j < a->members; j++) {
        double v = p->x[t * p->d + a->member[j]];
        if (v == 1) {
            *now = j;
            ones++;
        } else if (v != 0) {
            return false;
        }
    }
    return ones == 1 || (ones == 0 && dropped);
}

/* The group of columns that the user tied together, whose first is k. Rows of different
 * categories share no move: the group is then frozen. */
static gpa_status add_tied(struct making *m, size_t k)
{
    const gpai_limits *l = m->l;
    gpai_axis a = {.kind = GPAI_AXIS_CHOICE, .input = k, .member = m->pool};
    bool frozen = false, split = false;
    if (m->gaps)
        return GPA_OK;
    for (size_t j = k; j < m->s->d; j++)
        if (l->group[j] == l->group[k]) {
            m->pool[a.members++] = j;
            frozen = frozen || is_frozen(l, j);
            if (is_bounded(l, j))
                return gpai_fail(m->err, GPA_INVALID,
                                 "explain: %s is in a one-hot group and takes no "
                                 "bounds: freeze it, or leave the group out",
                                 gpai_called(l->names, NULL, j).text);
        }
    for (size_t t = 0; t < m->p->n; t++) {
        size_t now = 0;
        if (!find_category(m->p, &a, t, false, &now))
            return gpai_fail(m->err, GPA_INVALID,
                             "explain: one-hot group of %s: a row is not one-hot "
                             "(exactly one 1, the others 0)",
                             gpai_called(l->names, NULL, k).text);
        split = split || (t > 0 && now != a.now);
        a.now = now;
    }
    a.levels = a.members;
    if (split && !frozen)
        note_split(m, k);
    else if (!frozen)
        add_choice(m, &a);
    return GPA_OK;
}

/* The group of columns that is one input in the rows, whose first is k. A column that
 * the user speaks of leaves it: without it all others may be 0. */
static void add_group(struct making *m, size_t k)
{
    const gpa_input *in = m->l->inputs;
    gpai_axis a = {
        .kind = GPAI_AXIS_CHOICE, .input = k, .in = &in[k], .member = m->pool};
    bool frozen = false, dropped = false;
    for (size_t j = 0; j < m->s->d; j++) {
        if (in[j].group != in[k].group)
            continue;
        bool with = role_of(m->l, j) == GROUPED;
        dropped = dropped || in[j].dropped || !with;
        frozen = frozen || is_frozen(m->l, j);
        a.gap = a.gap || (with && is_gap(m, j));
    }
    if (frozen || a.gap != m->gaps)
        return; /* before anything is written: there is room for each column once */
    for (size_t j = 0; j < m->s->d; j++)
        if (in[j].group == in[k].group && role_of(m->l, j) == GROUPED)
            m->pool[a.members++] = j;
    a.levels = a.members + (dropped ? 1 : 0);
    if (!a.gap && !same_rows(m->p, &a)) {
        note_split(m, k);
        return;
    }
    if (a.gap || !find_category(m->p, &a, 0, dropped, &a.now))
        a.now = a.levels;
    add_choice(m, &a);
}

/* Whether input k is the first of those in its role that share its group. */
static bool is_first(const gpai_limits *l, size_t k, enum role role)
{
    for (size_t j = 0; j < k; j++) {
        bool same = role == TIED ? l->group[j] == l->group[k]
                                 : l->inputs[j].group == l->inputs[k].group &&
                                       role_of(l, j) == role;
        if (same)
            return false;
    }
    return true;
}

/* Rows in different levels of a column of numbers share no switch, and fractions of all
 * sorts no step to whole numbers, but they may share a drift: what adds the same to all
 * of them. */
static bool drifts(const struct making *m, size_t k, enum role role)
{
    const gpai_axis a = {.member = &k, .members = 1};
    if (m->l->inputs[k].writing != GPA_WRITING_NUMBER || is_gap(m, k))
        return false;
    return role == WHOLE ? !share_steps(m->p, k) : !same_rows(m->p, &a);
}

static gpa_status add_input(struct making *m, size_t k)
{
    enum role role = role_of(m->l, k);
    if ((role == CODED || role == WHOLE) && !is_frozen(m->l, k) && drifts(m, k, role))
        role = NUMBER;
    if (role == TIED)
        return is_first(m->l, k, role) ? add_tied(m, k) : GPA_OK;
    if (role == GROUPED && is_first(m->l, k, role))
        add_group(m, k);
    if (role == GROUPED || role == HELD || is_frozen(m->l, k))
        return GPA_OK;
    if (role != CODED)
        return add_number(m, k, role);
    add_coded(m, k);
    return GPA_OK;
}

/* One block: axes, the inputs' axis numbers, the columns of all choices, those of
 * choices that cannot move, levels. */
static gpa_status allocate(struct making *m)
{
    gpai_space *s = m->s;
    size_t d = s->d, levels = 0, each = sizeof *s->axis + 3 * sizeof(size_t);
    for (size_t k = 0; m->l->inputs != NULL && k < d; k++)
        levels += m->l->inputs[k].levels;
    if (d > SIZE_MAX / 2 / each || levels > SIZE_MAX / 2 / sizeof *m->level)
        return gpai_nomem(m->err, "explain");
    s->block = gpai_calloc(1, d * each + levels * sizeof *m->level);
    if (s->block == NULL)
        return gpai_nomem(m->err, "explain");
    s->axis = s->block;
    s->axis_of = (size_t *)(void *)(s->axis + d);
    m->pool = s->axis_of + d;
    s->split_in = m->pool + d;
    m->level = (double *)(void *)(s->split_in + d);
    return GPA_OK;
}

gpa_status gpai_space_open(gpai_space *s, const gpai_problem *p,
                           const gpai_limits *limits, gpa_error *err)
{
    static const gpai_limits NONE = {0};
    struct making m = {
        .s = s, .p = p, .l = limits != NULL ? limits : &NONE, .err = err};
    *s = (gpai_space){.d = p->d, .x = p->x, .unit = p->unit};
    gpa_status st = allocate(&m);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < s->d; k++)
        s->axis_of[k] = SIZE_MAX;
    for (size_t k = 0; k < s->d && st == GPA_OK; k++)
        st = add_input(&m, k);
    m.gaps = true;
    for (size_t k = 0; k < s->d && m.l->gaps && st == GPA_OK; k++)
        st = add_input(&m, k);
    for (size_t k = 0; k < s->d; k++)
        if (s->axis_of[k] == SIZE_MAX)
            s->axis_of[k] = s->axes;
    gpai_space_set_prior(s, p->eta, p->nu);
    if (st != GPA_OK)
        gpai_space_close(s);
    return st;
}

void gpai_space_close(gpai_space *s)
{
    gpai_free(s->block);
    *s = (gpai_space){0};
}

/* What the options say. */
static gpai_limits limits_of(const gpa_explain_options *o, bool gaps, bool culprit)
{
    bool published = o->solver == GPA_SOLVER_PAPER || o->solver == GPA_SOLVER_PAPER_DET;
    return (gpai_limits){.frozen = o->frozen,
                         .lower = o->lower,
                         .upper = o->upper,
                         .integer = o->integer,
                         .group = o->onehot,
                         .inputs = published ? NULL : o->inputs,
                         .names = o->names,
                         .gaps = gaps && !published,
                         .each = culprit,
                         .published = published};
}

gpa_status gpai_limits_space(gpai_space *s, const gpai_problem *p,
                             const gpa_explain_options *o, gpa_error *err)
{
    gpai_limits limits = limits_of(o, false, false);
    return gpai_space_open(s, p, &limits, err);
}

gpa_status gpai_limits_culprits(gpai_space *s, const gpai_problem *p,
                                const gpa_explain_options *o, bool gaps, gpa_error *err)
{
    gpai_limits limits = limits_of(o, gaps, true);
    return gpai_space_open(s, p, &limits, err);
}

static gpai_exact exact_of(const gpai_limits *l, size_t k)
{
    static const double ONE_HOT[] = {0, 1};
    switch (role_of(l, k)) {
    case STEPPED:
        return (gpai_exact){.to = GPAI_EXACT_SHIFT};
    case WHOLE:
        return (gpai_exact){.to = GPAI_EXACT_WHOLE};
    case CODED:
        return (gpai_exact){.to = GPAI_EXACT_LEVEL,
                            .levels = l->inputs[k].levels,
                            .level = l->inputs[k].level};
    case GROUPED:
    case TIED:
        return (gpai_exact){.to = GPAI_EXACT_LEVEL, .levels = 2, .level = ONE_HOT};
    case HELD:
    case NUMBER:
        break;
    }
    return (gpai_exact){.to = GPAI_EXACT_NOT};
}

gpa_status gpai_space_exact(gpai_exact **exact, size_t d, const gpai_limits *l,
                            gpa_error *err)
{
    bool any = false;
    for (size_t k = 0; l != NULL && k < d; k++)
        any = any || exact_of(l, k).to != GPAI_EXACT_NOT;
    *exact = NULL;
    if (!any)
        return GPA_OK;
    *exact = gpai_calloc(d, sizeof **exact);
    if (*exact == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < d; k++)
        (*exact)[k] = exact_of(l, k);
    return GPA_OK;
}

gpa_status gpai_limits_exact(gpai_exact **exact, size_t d, const gpa_explain_options *o,
                             gpa_error *err)
{
    gpai_limits limits = limits_of(o, false, false);
    return gpai_space_exact(exact, d, &limits, err);
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
