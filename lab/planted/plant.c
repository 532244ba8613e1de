#include "lab/planted/plant.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "lab/planted/chance.h"
#include <math.h>
#include <string.h>

enum {
    LEAST_ROWS = 20, /* fewer say nothing about quantiles */
    MANY_ROWS = 200, /* the 99 % quantile means something */
    TRIES = 32,      /* candidates in one question to the model */
    ROUNDS = 8,      /* questions about one culprit before it is given up */
    MISSES = 3,      /* cases given up before their kind is */
    TOGETHER = 5,    /* rows of a collective fault */
    UNLABELLED = 200 /* unlabelled rows at most, evenly spaced */
};

/* The ground faults are planted in. */
struct garden {
    const gpa_study *l;
    struct fault_set *set;
    struct planting *plan;
    uint64_t seed;
    size_t *normal;               /* rows with |y - f| up to the median */
    double *low, *high;           /* d: 1 % and 99 % point of each input */
    size_t *able;                 /* inputs whose faults show, in random order */
    double *x, *f;                /* candidates and what the model says */
    double *sorted;               /* room for n numbers */
    size_t rows[TRIES][TOGETHER]; /* the normal rows they were made of */
};

static double deviation(const gpa_study *l, size_t row)
{
    return fabs(l->y[row] - l->f[row]);
}

/* Threshold, normal rows and the ends of each input's range. */
static void survey(struct garden *g)
{
    double *sorted = g->sorted;
    const gpa_study *l = g->l;
    struct planting *p = g->plan;
    size_t usable = 0; /* others have no y, or no prediction */
    for (size_t i = 0; i < l->n; i++)
        if (isfinite(deviation(l, i)))
            sorted[usable++] = deviation(l, i);
    gpai_sort(sorted, usable);
    double middle = usable > 0 ? quantile(sorted, usable, 0.5) : (double)NAN;
    p->quantile = usable < MANY_ROWS ? 0.95 : 0.99;
    p->threshold = usable > 0 ? quantile(sorted, usable, p->quantile) : 0;
    for (size_t i = 0; i < l->n; i++)
        if (deviation(l, i) <= middle)
            g->normal[p->normal++] = i;
    for (size_t k = 0; k < l->d; k++) {
        size_t n = 0;
        for (size_t i = 0; i < l->n; i++)
            if (isfinite(l->x[i * l->d + k]))
                sorted[n++] = l->x[i * l->d + k];
        gpai_sort(sorted, n);
        g->low[k] = n > 0 ? quantile(sorted, n, 0.01) : (double)NAN;
        g->high[k] = n > 0 ? quantile(sorted, n, 0.99) : (double)NAN;
    }
}

static double shift(struct random_stream *draws, double unit)
{
    double size = unit * (1.5 + 2.5 * random_unit(draws));
    return random_unit(draws) < 0.5 ? -size : size;
}

/* A number gone wrong: shifted (60 %), stuck at an end of its range (20 %), or in a
 * wrong unit about an origin three units below the centre (20 %). */
static double spoil_number(const struct garden *g, struct random_stream *draws,
                           size_t k, double x)
{
    static const double FACTOR[] = {0.1, 0.5, 1.8, 2.54};
    double unit = g->l->unit[k], origin = g->l->center[k] - 3 * unit;
    double what = random_unit(draws), which = random_unit(draws);
    if (what < 0.6)
        return x + shift(draws, unit);
    if (what < 0.8)
        return which < 0.5 ? g->low[k] : g->high[k];
    return origin + FACTOR[(size_t)(4 * which)] * (x - origin);
}

static bool has_levels(const struct garden *g, size_t k)
{
    return g->l->kinds[k].kind == GPA_KIND_FLAG ||
           g->l->kinds[k].kind == GPA_KIND_CHOICE;
}

/* Another level of a one-hot group: one of its columns is 1, or none where that is a
 * level, too. */
static void spoil_group(const struct garden *g, struct random_stream *draws, size_t k,
                        double *x)
{
    size_t members[2] = {0, 0}; /* those that are 0, and the one to become 1 */
    const size_t *axis = g->set->axis;
    bool none = true;
    for (size_t j = k; j < g->l->d; j++)
        if (axis[j] == k) {
            none = none && x[j] == 0;
            members[0] += x[j] == 0;
        }
    size_t levels = members[0] + (g->l->kinds[k].dropped && !none);
    members[1] = random_below(draws, levels > 0 ? levels : 1);
    for (size_t j = k; j < g->l->d; j++)
        if (axis[j] == k)
            x[j] = x[j] == 0 && members[1]-- == 0;
}

static double other_level(const gpa_input *in, struct random_stream *draws, double x)
{
    size_t n = 0;
    for (size_t j = 0; j < in->levels; j++)
        n += in->level[j] != x && !(in->rare != NULL && in->rare[j]);
    size_t which = n > 0 ? random_below(draws, n) : 0;
    for (size_t j = 0; j < in->levels; j++)
        if (in->level[j] != x && !(in->rare != NULL && in->rare[j]) && which-- == 0)
            return in->level[j];
    return x;
}

/* Spoils an input of a row: a level becomes another, a number goes wrong, and stays
 * whole or above 0 where all are. What is missing stays so. */
static void spoil(const struct garden *g, struct random_stream *draws, size_t k,
                  double *x)
{
    const gpa_input *in = &g->l->kinds[k];
    if (in->group != 0) {
        spoil_group(g, draws, k, x);
        return;
    }
    if (has_levels(g, k)) {
        x[k] = isnan(x[k]) ? x[k] : other_level(in, draws, x[k]);
        return;
    }
    x[k] = spoil_number(g, draws, k, x[k]);
    if (in->kind == GPA_KIND_WHOLE || in->whole)
        x[k] = nearbyint(x[k]);
    if (in->low == 0)
        x[k] = fabs(x[k]);
}

/* Copies an input, of a one-hot group all columns. */
static void copy_input(const struct garden *g, size_t k, const double *from, double *to)
{
    for (size_t j = k; j < g->l->d; j++)
        if (g->set->axis[j] == k)
            to[j] = from[j];
}

/* What is to be planted. */
struct wish {
    const char *kind;
    size_t who[2], culprits; /* inputs at fault */
    size_t n;                /* rows that share it */
};

/* Rows of x per candidate: the spoilt ones, and with two culprits each with one of them
 * repaired. */
static size_t candidate_rows(const struct wish *w)
{
    return w->n + (w->culprits > 1 ? w->culprits : 0);
}

static void choose_rows(const struct garden *g, struct random_stream *draws,
                        size_t *rows, size_t n)
{
    for (size_t t = 0; t < n; t++) {
        bool again;
        do {
            rows[t] = g->normal[random_below(draws, g->plan->normal)];
            again = false;
            for (size_t s = 0; s < t; s++)
                again = again || rows[s] == rows[t];
        } while (again); /* there are more normal rows than that: plant() saw to it */
    }
}

static void make_candidate(struct garden *g, struct random_stream *draws,
                           const struct wish *w, size_t c)
{
    size_t d = g->l->d, size = d * sizeof(double);
    double *x = g->x + c * candidate_rows(w) * d, move = 0;
    choose_rows(g, draws, g->rows[c], w->n);
    if (w->n > 1)
        move = shift(draws, g->l->unit[w->who[0]]);
    if (w->n > 1 && g->l->kinds[w->who[0]].kind == GPA_KIND_WHOLE)
        move = move < 0 ? floor(move) : ceil(move);
    for (size_t t = 0; t < w->n; t++) {
        memcpy(x + t * d, g->l->x + g->rows[c][t] * d, size);
        for (size_t i = 0; i < w->culprits; i++) {
            size_t k = w->who[i];
            if (w->n > 1)
                x[t * d + k] += move;
            else
                spoil(g, draws, k, x + t * d);
        }
    }
    for (size_t i = 0; w->culprits > 1 && i < w->culprits; i++) {
        double *repaired = x + (w->n + i) * d;
        memcpy(repaired, x, size);
        copy_input(g, w->who[i], g->l->x + g->rows[c][0] * d, repaired);
    }
}

/* Whether the fault shows: |y - f| (its median over the rows) exceeds the threshold and
 * each of several culprits matters. */
static bool shows(const struct garden *g, const struct wish *w, size_t c)
{
    const double *f = g->f + c * candidate_rows(w);
    double off[TOGETHER];
    for (size_t t = 0; t < w->n; t++) {
        off[t] = fabs(g->l->y[g->rows[c][t]] - f[t]);
        if (!isfinite(off[t]))
            return false;
    }
    gpai_sort(off, w->n);
    if (!(off[w->n / 2] > g->plan->threshold))
        return false;
    for (size_t i = 0; w->culprits > 1 && i < w->culprits; i++)
        if (!(fabs(f[w->n + i] - f[0]) >= 0.25 * off[0]))
            return false;
    return true;
}

/* Asks the model about one handful of candidates; `found` is TRIES when none shows. */
static gpa_status try_once(struct garden *g, struct random_stream *draws,
                           const struct wish *w, size_t *found, gpa_error *err)
{
    size_t n = TRIES * candidate_rows(w);
    for (size_t c = 0; c < TRIES; c++)
        make_candidate(g, draws, w, c);
    g->plan->model_rows += n;
    gpa_status st = gpa_model_predict(g->set->model, g->x, n, g->f, err);
    *found = 0;
    while (st == GPA_OK && *found < TRIES && !shows(g, w, *found))
        ++*found;
    return st;
}

static gpa_status keep(struct garden *g, const struct wish *w, size_t c, gpa_error *err)
{
    size_t d = g->l->d;
    const double *x = g->x + c * candidate_rows(w) * d;
    struct fault *f;
    gpa_status st = faults_add(g->set, w->kind, w->n, &f, err);
    if (st != GPA_OK)
        return st;
    memcpy(f->x, x, w->n * d * sizeof *x);
    for (size_t t = 0; t < w->n; t++) {
        f->y[t] = g->l->y[g->rows[c][t]];
        f->source[t] = (double)g->rows[c][t];
    }
    for (size_t i = 0; i < w->culprits; i++) {
        size_t k = w->who[i];
        faults_blame(g->set, f, k);
        f->repair[k] = g->l->x[g->rows[c][0] * d + k] - x[k];
    }
    return GPA_OK;
}

/* Which inputs can show a fault, in a random order. */
static gpa_status find_able(struct garden *g, gpa_error *err)
{
    struct planting *p = g->plan;
    for (size_t k = 0; k < g->l->d; k++) {
        struct random_stream draws = random_named(g->seed, "able", k);
        const struct wish w = {"single", {k, 0}, 1, 1};
        size_t found = TRIES, first = g->set->axis[k];
        bool asked = first == k && g->l->kinds[k].kind != GPA_KIND_HELD;
        for (size_t round = 0; asked && round < ROUNDS && found == TRIES; round++) {
            gpa_status st = try_once(g, &draws, &w, &found, err);
            if (st != GPA_OK)
                return st;
        }
        p->able[k] = first == k ? found < TRIES : p->able[first];
        if (first == k && p->able[k])
            g->able[p->n_able++] = k;
    }
    struct random_stream draws = random_named(g->seed, "order", 0);
    for (size_t i = p->n_able; i > 1; i--) {
        size_t j = random_below(&draws, i), k = g->able[i - 1];
        g->able[i - 1] = g->able[j];
        g->able[j] = k;
    }
    if (p->n_able == 0)
        return gpai_fail(
            err, GPA_DATA,
            "no fault of an input takes |y - f| beyond %g, the %.0f %% point: "
            "there is nothing to find",
            p->threshold, 100 * p->quantile);
    return GPA_OK;
}

/* Plants one case; the inputs take turns, and one that does not show gives way to the
 * next. */
static gpa_status plant_inputs(struct garden *g, struct wish w, size_t number,
                               size_t *made, gpa_error *err)
{
    struct random_stream draws = random_named(g->seed, w.kind, number);
    size_t able = g->plan->n_able, found = TRIES;
    if (able < w.culprits)
        return GPA_OK;
    for (size_t round = 0; round < ROUNDS * able && found == TRIES; round++) {
        w.who[0] = g->able[(number + round / ROUNDS) % able];
        if (w.n > 1 && has_levels(g, w.who[0]))
            continue; /* they cannot be shifted together */
        while (w.culprits > 1 &&
               (w.who[1] = g->able[random_below(&draws, able)]) == w.who[0])
            ;
        gpa_status st = try_once(g, &draws, &w, &found, err);
        if (st != GPA_OK)
            return st;
    }
    *made += found < TRIES;
    return found < TRIES ? keep(g, &w, found, err) : GPA_OK;
}

/* y is off by 1 to 3 thresholds, the inputs are as they were. */
static gpa_status plant_output(struct garden *g, const char *kind, size_t number,
                               size_t *made, gpa_error *err)
{
    struct random_stream draws = random_named(g->seed, kind, number);
    const gpa_study *l = g->l;
    struct fault *f;
    size_t row;
    double y;
    do {
        row = g->normal[random_below(&draws, g->plan->normal)];
        double size = g->plan->threshold * (1 + 2 * random_unit(&draws));
        y = l->y[row] + (random_unit(&draws) < 0.5 ? -size : size);
    } while (!(fabs(y - l->f[row]) > g->plan->threshold)); /* true for half of them */
    gpa_status st = faults_add(g->set, kind, 1, &f, err);
    if (st != GPA_OK)
        return st;
    memcpy(f->x, l->x + row * l->d, l->d * sizeof *f->x);
    f->y[0] = y;
    f->source[0] = (double)row;
    *made += 1;
    return GPA_OK;
}

static gpa_status plant_all(struct garden *g, size_t k, gpa_error *err)
{
    static const struct wish WISHES[] = {{"single", {0, 0}, 1, 1},
                                         {"double", {0, 0}, 2, 1},
                                         {"coll", {0, 0}, 1, TOGETHER},
                                         {"out", {0, 0}, 0, 1}};
    const size_t wanted[] = {k, k / 2, k / 4, k / 2};
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < 4; i++) {
        size_t *made = &g->plan->kinds[i].made;
        g->plan->kinds[i].kind = WISHES[i].kind;
        g->plan->kinds[i].wanted = wanted[i];
        for (size_t number = 0;
             number < wanted[i] && number < *made + MISSES && st == GPA_OK; number++)
            st = WISHES[i].culprits == 0
                     ? plant_output(g, WISHES[i].kind, number, made, err)
                     : plant_inputs(g, WISHES[i], number, made, err);
    }
    return st;
}

/* The unlabelled rows: all, or evenly spaced ones of very many. */
static gpa_status take_rows(struct fault_set *s, const gpa_study *l, gpa_error *err)
{
    s->n_rows = l->n < UNLABELLED ? l->n : UNLABELLED;
    s->rows = gpai_calloc(s->n_rows * s->d, sizeof *s->rows);
    s->row_number = gpai_calloc(s->n_rows, sizeof *s->row_number);
    if (s->rows == NULL || s->row_number == NULL)
        return gpai_nomem(err, "bench");
    gpa_status st = faults_inputs(s, err);
    if (st != GPA_OK)
        return st;
    faults_kinds(s, l->kinds, NULL);
    memcpy(s->unit, l->unit, s->d * sizeof *s->unit);
    for (size_t i = 0; i < s->n_rows; i++) {
        size_t row = (size_t)((double)i * (double)l->n / (double)s->n_rows);
        memcpy(s->rows + i * s->d, l->x + row * s->d, s->d * sizeof *s->rows);
        s->row_number[i] = (double)row;
    }
    return GPA_OK;
}

static gpa_status take_room(struct garden *g, gpa_error *err)
{
    size_t n = g->l->n, d = g->l->d, most = TRIES * TOGETHER;
    g->normal = gpai_calloc(n + d, sizeof *g->normal);
    g->low = gpai_calloc((most + 2) * d + most + n, sizeof *g->low);
    g->plan->able = gpai_calloc(d, 1);
    if (g->normal == NULL || g->low == NULL || g->plan->able == NULL)
        return gpai_nomem(err, "bench");
    g->able = g->normal + n;
    g->high = g->low + d;
    g->x = g->high + d;
    g->f = g->x + most * d;
    g->sorted = g->f + most;
    return GPA_OK;
}

gpa_status plant(struct fault_set *s, struct planting *p, const gpa_study *l, size_t k,
                 uint64_t seed, gpa_error *err)
{
    struct garden g = {.l = l, .set = s, .plan = p, .seed = seed};
    if (l->n < LEAST_ROWS)
        return gpai_fail(err, GPA_DATA,
                         "%zu rows are too few to plant faults in: %d at least", l->n,
                         LEAST_ROWS);
    s->d = l->d;
    s->sigma = l->sigma;
    s->model = l->model;
    gpa_status st = take_rows(s, l, err);
    if (st == GPA_OK)
        st = take_room(&g, err);
    if (st == GPA_OK) {
        survey(&g);
        st = p->threshold > 0
                 ? find_able(&g, err)
                 : gpai_fail(err, GPA_DATA,
                             "y is f in nearly every row: no row is normal");
    }
    if (st == GPA_OK)
        st = plant_all(&g, k, err);
    gpai_free(g.low);
    gpai_free(g.normal);
    return st;
}

void planting_free(struct planting *p)
{
    gpai_free(p->able);
    p->able = NULL;
}
