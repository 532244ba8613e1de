#include "result/explanation.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/saved/saved.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distributions and profiles. One block holds all their numbers; it is measured first,
 * so that no file asks for more memory than it has numbers. */

struct curves {
    gpai_reader *r;
    const gpai_value *marginals, *profiles;
    gpa_explanation *e;
    const gpa_saved *s;
    double *at; /* the next free place */
};

static size_t length(const gpai_value *o, const char *key)
{
    return gpai_value_items(gpai_value_get(o, key));
}

/* The places along an input: levels, values that fill a gap, or changes. */
static const char *places_of(const gpai_value *profile)
{
    return gpai_value_get(profile, "levels") != NULL   ? "levels"
           : gpai_value_get(profile, "values") != NULL ? "values"
                                                       : "change";
}

static void check_profile(struct curves *c, const gpai_value *one)
{
    const gpai_value *f = gpai_read_list(c->r, one, "f", false);
    size_t points = gpai_value_items(gpai_read_list(c->r, one, places_of(one), false));
    bool good = points > 0 && gpai_value_items(f) == c->e->n;
    for (size_t t = 0; t < gpai_value_items(f) && good; t++)
        good = gpai_value_items(gpai_value_at(f, t)) == points;
    if (!good)
        gpai_read_fail(c->r, "profiles", "change and f do not match");
}

/* How many numbers all of them are. */
static size_t measure(struct curves *c)
{
    size_t total = 0;
    for (size_t k = 0; k < gpai_value_items(c->marginals); k++) {
        const gpai_value *one = gpai_value_at(c->marginals, k);
        size_t points = length(one, "grid");
        if (points != length(one, "density"))
            gpai_read_fail(c->r, "marginals", "grid and density do not match");
        total += 2 * (points + length(one, "levels"));
    }
    for (size_t i = 0; i < gpai_value_items(c->profiles); i++) {
        const gpai_value *one = gpai_value_at(c->profiles, i);
        check_profile(c, one);
        total += length(one, places_of(one)) * (1 + c->e->n);
    }
    return total;
}

static void check_ascending(struct curves *c, const double *x, size_t n,
                            const char *key)
{
    for (size_t i = 1; i < n && c->r->status == GPA_OK; i++)
        if (!(x[i] >= x[i - 1]))
            gpai_read_fail(c->r, key, "entry %zu is below the one before", i + 1);
}

/* A list of levels with their probabilities, which may be unknown; gives how
 * many. */
static size_t take_shares(gpai_reader *r, const gpa_saved *s, const gpai_value *o,
                          size_t k, bool unknown, double *level, double *share)
{
    const gpai_value *list = gpai_read_list(r, o, "levels", false);
    size_t n = gpai_value_items(list), hint = 0;
    for (size_t i = 0; i < n && r->status == GPA_OK; i++) {
        const gpai_value *one = gpai_value_at(list, i);
        level[i] = gpai_saved_level(r, s, gpai_value_get(one, "level"), k, &hint);
        bool null = unknown && gpai_value_is_null(gpai_value_get(one, "probability"));
        share[i] = null ? (double)NAN : gpai_read_share(r, one, "probability");
    }
    return r->status == GPA_OK ? n : 0;
}

/* The most probable change alone. */
static void take_peak(struct curves *c, const gpai_value *o, gpa_marginal *m)
{
    const double none = (double)NAN;
    *m = (gpa_marginal){.map = gpai_read_number(c->r, o, "map"),
                        .mean = none,
                        .sd = none,
                        .interval50 = {none, none},
                        .interval90 = {none, none},
                        .p_positive = none,
                        .information = none,
                        .grid = c->at,
                        .density = c->at};
}

static void take_masses(struct curves *c, const gpai_value *o, size_t k,
                        gpa_marginal *m)
{
    const double none = (double)NAN;
    size_t n = length(o, "levels");
    *m = (gpa_marginal){.map = none,
                        .mean = none,
                        .sd = none,
                        .interval50 = {none, none},
                        .interval90 = {none, none},
                        .p_positive = none,
                        .information = gpai_read_number(c->r, o, "information"),
                        .level = c->at,
                        .mass = c->at + n};
    m->levels =
        take_shares(c->r, c->s, o, k, gpai_spread_unknown(&c->e->summary) != NULL,
                    c->at, c->at + n);
    c->at += 2 * n;
}

static void take_marginal(struct curves *c, const gpai_value *o, size_t k,
                          gpa_marginal *m)
{
    gpai_reader *r = c->r;
    size_t points = length(o, "grid");
    double *grid = c->at, *density = c->at + points;
    m->map = gpai_read_number(r, o, "map");
    m->mean = gpai_read_number(r, o, "mean");
    m->sd = gpai_read_number(r, o, "sd");
    gpai_read_number_list(r, o, "interval50", 2, GPAI_HOLES, m->interval50);
    gpai_read_number_list(r, o, "interval90", 2, GPAI_HOLES, m->interval90);
    m->p_positive = gpai_read_number(r, o, "p_positive");
    m->information = gpai_read_number(r, o, "information");
    gpai_read_number_list(r, o, "grid", points, GPAI_WHOLE, grid);
    gpai_read_number_list(r, o, "density", points, GPAI_HOLES, density);
    bool held = (m->sd == 0 && m->interval90[0] == 0 && m->interval90[1] == 0) ||
                c->s->kinds.input[k].kind == GPA_KIND_HELD ||
                gpai_has_levels(&c->s->kinds, k);
    if (points == 0 && !held) /* what may not move has none */
        gpai_read_fail(r, "marginals", "a distribution without points");
    check_ascending(c, grid, points, "grid");
    m->points = points;
    m->grid = grid;
    m->density = density;
    c->at = density + points;
}

static void take_marginals(struct curves *c)
{
    size_t d = c->e->d;
    if (gpai_value_items(c->marginals) == 0)
        return;
    if (gpai_value_items(c->marginals) != d)
        gpai_read_fail(c->r, "marginals", "%zu distributions, expected %zu",
                       gpai_value_items(c->marginals), d);
    gpa_marginal *all = gpai_read_room(c->r, d, sizeof *all);
    c->e->marginals = all;
    for (size_t k = 0; k < d && c->r->status == GPA_OK; k++) {
        const gpai_value *one = gpai_value_at(c->marginals, k);
        if (length(one, "levels") > 0)
            take_masses(c, one, k, &all[k]);
        else if (gpai_spread_unknown(&c->e->summary) != NULL &&
                 gpai_value_is_null(gpai_value_get(one, "interval90")))
            take_peak(c, one, &all[k]);
        else
            take_marginal(c, one, k, &all[k]);
    }
}

/* Which input a profile is of: they stand in the inputs' order. */
static size_t input_of(struct curves *c, const gpai_value *o, size_t from)
{
    const char *name = gpai_read_text(c->r, o, "feature", false);
    const gpai_kinds *s = &c->s->kinds;
    while (name != NULL && from < c->e->d &&
           (s->first[from] != from || strcmp(s->name[from], name) != 0))
        from++;
    if (name != NULL && from == c->e->d)
        gpai_read_fail(c->r, "profiles", "an input that is not there, or twice");
    return from;
}

/* Where the points of a profile are. */
static void take_places(struct curves *c, const gpai_value *o, size_t k, double *at)
{
    const char *key = places_of(o);
    const gpai_value *list = gpai_value_get(o, key);
    size_t n = gpai_value_items(list), hint = 0;
    if (strcmp(key, "levels") != 0) {
        gpai_read_numbers(c->r, list, key, n, GPAI_WHOLE, at);
        check_ascending(c, at, n, key);
        return;
    }
    for (size_t i = 0; i < n && c->r->status == GPA_OK; i++)
        at[i] = gpai_saved_level(c->r, c->s, gpai_value_at(list, i), k, &hint);
}

static void take_profile(struct curves *c, const gpai_value *o, size_t k)
{
    const char *key = places_of(o);
    size_t n = c->e->n, points = length(o, key);
    double *at = c->at, *f = at + points;
    bool levels = strcmp(key, "levels") == 0;
    take_places(c, o, k, at);
    for (size_t t = 0; t < n && c->r->status == GPA_OK; t++) {
        const gpai_value *list = gpai_value_at(gpai_value_get(o, "f"), t);
        for (size_t i = 0; i < points && c->r->status == GPA_OK; i++) {
            const gpai_value *v = gpai_value_at(list, i);
            if (!gpai_value_is_number(v) && !gpai_value_is_null(v))
                gpai_read_fail(c->r, "f", "entry %zu is not a number", i + 1);
            f[i * n + t] = gpai_value_is_null(v) ? (double)NAN : gpai_value_number(v);
        }
    }
    for (size_t j = k; j < c->e->d; j++) /* the columns of a group share it */
        if (c->s->kinds.first[j] == k)
            c->e->axes[j] = (gpa_axis){.points = points,
                                       .change = levels ? NULL : at,
                                       .level = levels ? at : NULL,
                                       .f = f,
                                       .gap = strcmp(key, "values") == 0};
    c->at = f + points * n;
}

/* Distributions, and f along the inputs where it was saved. */
static void read_curves(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                        const gpa_saved *s)
{
    struct curves c = {.r = r,
                       .marginals = gpai_read_list(r, o, "marginals", false),
                       .profiles = gpai_read_list(r, o, "profiles", true),
                       .e = e,
                       .s = s};
    size_t total = measure(&c);
    if (r->status == GPA_OK && gpai_result_add_axes(e, total, NULL) != GPA_OK)
        gpai_read_nomem(r);
    c.at = e->axis_numbers;
    if (r->status == GPA_OK)
        take_marginals(&c);
    size_t next = 0;
    for (size_t i = 0; i < gpai_value_items(c.profiles) && r->status == GPA_OK; i++) {
        const gpai_value *one = gpai_value_at(c.profiles, i);
        size_t k = input_of(&c, one, next);
        if (r->status == GPA_OK)
            take_profile(&c, one, k);
        next = k + 1;
    }
}

/* One explanation, as json.c wrote it. */

static void read_x(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                   const gpa_saved *s)
{
    const gpai_value *x = gpai_read_list(r, o, "x", false);
    if (r->status == GPA_OK && gpai_value_items(x) != e->n)
        gpai_read_fail(r, "x", "%zu rows, expected %zu", gpai_value_items(x), e->n);
    for (size_t i = 0; i < e->n && r->status == GPA_OK; i++)
        gpai_saved_row(r, s, gpai_value_at(x, i), "x", e->x + i * e->d);
}

/* The changes; those between texts are found by where they lead. */
static void read_delta(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                       const gpa_saved *s)
{
    gpai_holes holes = s->kinds_known ? GPAI_HOLES : GPAI_WHOLE;
    const gpai_value *moved = gpai_read_list(r, o, "moved", !s->kinds_known);
    gpai_read_number_list(r, o, "delta", e->d, holes, e->delta);
    gpai_read_number_list(r, o, "delta_raw", e->d, holes, e->delta_raw);
    for (size_t k = 0; k < e->d && s->kinds_known && r->status == GPA_OK; k++) {
        if (gpai_is_text(&s->kinds, k)) {
            double then = gpai_saved_value(r, s, gpai_value_at(moved, k), k, "moved");
            e->delta_raw[k] = isnan(then) || isnan(e->x[k]) ? 0 : then - e->x[k];
            e->delta[k] = e->delta_raw[k] / e->unit[k];
        } else if (isnan(e->delta[k]) || isnan(e->delta_raw[k])) {
            gpai_read_fail(r, "delta", "entry %zu is not a number", k + 1);
        }
    }
}

static void read_rows(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                      const gpa_saved *s)
{
    gpai_read_counts(r, gpai_read_list(r, o, "rows", false), "rows", e->n, e->rows);
    read_x(r, o, e, s);
    gpai_read_number_list(r, o, "y", e->n, GPAI_HOLES, e->y);
    gpai_read_number_list(r, o, "f", e->n, GPAI_HOLES, e->f);
    gpai_read_number_list(r, o, "score", e->n, GPAI_HOLES, e->score);
    gpai_read_number_list(r, o, "f_moved", e->n, GPAI_HOLES, e->f_moved);
    read_delta(r, o, e, s);
}

static void read_prior(gpai_reader *r, const gpai_value *o, gpa_explanation *e)
{
    gpa_summary *s = &e->summary;
    const gpai_value *prior = gpai_read_object(r, o, "prior", false);
    const char *noise = gpai_read_text(r, prior, "noise", false);
    s->eta = gpai_read_number(r, prior, "eta");
    s->nu = gpai_read_number(r, prior, "nu");
    s->a0 = gpai_read_number(r, prior, "a0");
    gpai_read_number_list(r, prior, "b0", e->n, GPAI_HOLES, e->b);
    s->sigma = gpai_read_number(r, prior, "sigma");
    s->cb = gpai_read_number(r, prior, "cb");
    s->kappa = gpai_read_number(r, prior, "kappa");
    if (r->status == GPA_OK && strcmp(noise, "given") != 0)
        s->noise = (gpa_noise)gpai_read_name(r, "noise", noise, GPAI_NOISE);
}

static void read_run(gpai_reader *r, const gpai_value *o, gpa_summary *s)
{
    s->objective = gpai_read_number(r, o, "objective");
    s->objective_zero = gpai_read_number(r, o, "objective_zero");
    s->stationarity = gpai_read_number(r, o, "stationarity");
    s->converged = gpai_read_bool(r, o, "converged");
    s->budget_hit = gpai_read_bool(r, o, "budget_hit");
    s->iterations = (size_t)gpai_read_count(r, o, "iterations");
    s->model_rows = gpai_read_count(r, o, "model_rows");
    s->model_calls = gpai_read_count(r, o, "model_calls");
    const gpai_value *stages = gpai_read_object(r, o, "rows_by_stage", false);
    s->rows_map = gpai_read_count(r, stages, "map");
    s->rows_check = gpai_read_count(r, stages, "check");
    s->rows_marginals = gpai_read_count(r, stages, "marginals");
    s->rows_culprit = gpai_read_count(r, stages, "culprit");
    s->nonfinite_rows = gpai_read_count(r, o, "nonfinite_rows");
    s->ess = gpai_read_number(r, o, "ess");
    s->surrogate_error = gpai_read_number(r, o, "surrogate_error");
    s->marginal_change = (double)NAN;
    if (gpai_value_get(o, "marginal_change") != NULL)
        s->marginal_change = gpai_read_number(r, o, "marginal_change");
    const char *stop = gpai_read_text(r, o, "marginal_stop", true);
    s->marginals_still = stop != NULL && strcmp(stop, "still") == 0;
}

/* Two numbers, or null. */
static void read_ends(gpai_reader *r, const gpai_value *o, const char *key,
                      double ends[2])
{
    ends[0] = ends[1] = (double)NAN;
    const gpai_value *list = gpai_read_list(r, o, key, true);
    if (list == NULL && gpai_value_get(o, key) == NULL)
        gpai_read_fail(r, key, "missing");
    if (list != NULL)
        gpai_read_numbers(r, list, key, 2, GPAI_HOLES, ends);
}

/* delta_k if k alone moved: a median and an interval for each input. */
static void read_alone(gpai_reader *r, const gpai_value *list, size_t d, double *median,
                       double *low, double *high)
{
    if (r->status == GPA_OK && gpai_value_items(list) != d)
        gpai_read_fail(r, "alone", "%zu entries, expected %zu", gpai_value_items(list),
                       d);
    for (size_t k = 0; k < d && r->status == GPA_OK; k++) {
        const gpai_value *one = gpai_value_at(list, k);
        double ends[2];
        median[k] = gpai_read_number(r, one, "median");
        read_ends(r, one, "interval90", ends);
        low[k] = ends[0];
        high[k] = ends[1];
    }
}

/* The values that would look normal, or the levels; `room` is for these. */
static void read_normal(gpai_reader *r, const gpa_saved *s, const gpai_value *o,
                        size_t k, gpa_alone *a, double *room)
{
    const gpai_value *ends = gpai_read_list(r, o, "value_interval90", true);
    const gpai_value *value = gpai_value_get(o, "value");
    size_t n = length(o, "levels"), hint = 0;
    *a = (gpa_alone){.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    a->missing = gpai_value_is_true(gpai_value_get(o, "missing"));
    if (value != NULL)
        a->value = gpai_saved_value(r, s, value, k, "value");
    if (gpai_value_items(ends) == 2) {
        const char *key = "value_interval90";
        a->low = gpai_saved_value(r, s, gpai_value_at(ends, 0), k, key);
        a->high = gpai_saved_value(r, s, gpai_value_at(ends, 1), k, key);
    }
    if (n == 0)
        return;
    double best = gpai_saved_level(r, s, gpai_value_get(o, "level"), k, &hint);
    a->level = room;
    a->probability = room + n;
    a->levels = take_shares(r, s, o, k, false, room, room + n);
    a->best = a->levels; /* none that helps */
    for (size_t i = 0; i < a->levels; i++)
        a->best = room[i] == best ? i : a->best;
}

static void read_normals(gpai_reader *r, const gpai_value *list, gpa_explanation *e,
                         const gpa_saved *s)
{
    size_t numbers = 0, known = 0;
    for (size_t k = 0; k < gpai_value_items(list); k++) {
        const gpai_value *one = gpai_value_at(list, k);
        numbers += 2 * length(one, "levels");
        known += length(one, "levels") > 0 || gpai_value_get(one, "value") != NULL;
    }
    if (r->status != GPA_OK || known == 0)
        return;
    if (gpai_result_add_alone(e, numbers, NULL) != GPA_OK)
        gpai_read_nomem(r);
    double *room = e->alone_numbers;
    for (size_t k = 0; k < e->d && r->status == GPA_OK; k++) {
        const gpai_value *one = gpai_value_at(list, k);
        read_normal(r, s, one, k, &e->alone[k], room);
        room += 2 * length(one, "levels");
    }
}

/* An input by its name; `next` is the place of the first of that name that is free. */
struct named {
    const char *name;
    size_t k, next;
};

static int by_name(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order != 0 ? order : p->k < q->k ? -1 : p->k > q->k;
}

/* The first place whose name is not below `name`. */
static size_t place_of(const struct named *sorted, size_t d, const char *name)
{
    size_t low = 0, high = d;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Names back to inputs; where two have the same name each is taken once. */
static void find_set(gpai_reader *r, const gpai_value *list, const char *key,
                     const gpa_saved *s, struct named *sorted, size_t *set)
{
    for (size_t k = 0; k < s->d; k++)
        sorted[k] = (struct named){s->inputs[k], k, 0};
    qsort(sorted, s->d, sizeof *sorted, by_name);
    for (size_t i = 0; i < gpai_value_items(list) && r->status == GPA_OK; i++) {
        const char *name = gpai_value_text(gpai_value_at(list, i));
        size_t first = name != NULL ? place_of(sorted, s->d, name) : s->d;
        size_t at = first < s->d ? first + sorted[first].next++ : s->d;
        if (at >= s->d || strcmp(sorted[at].name, name) != 0)
            gpai_read_fail(r, key, "entry %zu is no input", i + 1);
        else
            set[i] = sorted[at].k;
    }
}

static size_t read_set(gpai_reader *r, const gpai_value *o, const char *key,
                       bool optional, size_t most, const gpa_saved *s, size_t *set)
{
    const gpai_value *list = gpai_read_list(r, o, key, optional);
    if (list == NULL)
        return 0;
    size_t n = gpai_value_items(list);
    if (n > most)
        gpai_read_fail(r, key, "%zu inputs, more than there can be", n);
    struct named *sorted = gpai_read_room(r, s->d, sizeof *sorted);
    if (sorted != NULL && r->status == GPA_OK)
        find_set(r, list, key, s, sorted, set);
    gpai_free(sorted);
    return r->status == GPA_OK ? n : 0;
}

static void check_shares(gpai_reader *r, const double *p, size_t d, const char *key)
{
    for (size_t k = 0; k < d && r->status == GPA_OK; k++)
        if (!(p[k] >= 0 && p[k] <= 1 + 1e-9))
            gpai_read_fail(r, key, "entry %zu is no probability", k + 1);
}

static void read_culprit(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                         const gpa_saved *s)
{
    const gpai_value *verdict = gpai_read_object(r, o, "verdict", true);
    const gpai_value *culprit = gpai_read_object(r, o, "culprit", true);
    if (r->status == GPA_OK && (verdict == NULL) != (culprit == NULL))
        gpai_read_fail(r, "verdict", "there must be culprits, too, or neither");
    if (r->status != GPA_OK || culprit == NULL)
        return;
    if (gpai_result_add_culprit(e, NULL) != GPA_OK) {
        gpai_read_nomem(r);
        return;
    }
    size_t d = e->d,
           *set = (size_t *)(void *)(e->culprit_numbers + GPAI_CULPRIT_NUMBERS * d);
    double *p = e->culprit_numbers;
    gpa_culprit c = {.probability = p,
                     .single = p + d,
                     .median = p + 2 * d,
                     .low = p + 3 * d,
                     .high = p + 4 * d,
                     .set90 = set};
    gpai_read_number_list(r, culprit, "probability", d, GPAI_WHOLE, p);
    gpai_read_number_list(r, culprit, "single", d, GPAI_WHOLE, p + d);
    check_shares(r, p, d, "probability");
    check_shares(r, p + d, d, "single");
    c.output = gpai_read_share(r, culprit, "output");
    c.n_set90 = read_set(r, culprit, "set90", false, s->d, s, set);
    const gpai_value *likeliest = gpai_read_object(r, culprit, "likeliest", true);
    if (likeliest != NULL) {
        c.n_likeliest = read_set(r, likeliest, "inputs", false, 3, s, c.likeliest);
        c.exchanged = gpai_read_bool(r, likeliest, "exchanged");
        c.p_likeliest = gpai_read_share(r, likeliest, "probability");
    }
    e->n_far = read_set(r, culprit, "far", true, s->d, s, e->far);
    const gpai_value *alone = gpai_read_list(r, culprit, "alone", false);
    read_alone(r, alone, d, p + 2 * d, p + 3 * d, p + 4 * d);
    read_normals(r, alone, e, s);
    for (size_t k = 0; k < d; k++)
        c.first = p[k] > p[c.first] ? k : c.first;
    const char *kind = gpai_read_text(r, verdict, "kind", false);
    c.verdict = (gpa_verdict)gpai_read_name(r, "verdict", kind, GPAI_VERDICT);
    const char *from = gpai_read_text(r, culprit, "plausible", false);
    c.plausible = (gpa_plausible)gpai_read_name(r, "plausible", from, GPAI_PLAUSIBLE);
    c.plausible_rows = (size_t)gpai_read_count(r, culprit, "plausible_rows");
    if (r->status != GPA_OK)
        return;
    e->culprit = c;
    gpai_result_blame(e);
}

/* Its own: those about the whole table, which come first, are in the head. */
static void read_notes(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                       const gpa_saved *s)
{
    const gpai_value *notes = gpai_read_list(r, o, "notes", false);
    for (size_t i = s->info.n_notes; i < gpai_value_items(notes) && r->status == GPA_OK;
         i++) {
        const char *note = gpai_read_text_at(r, notes, "notes", i);
        if (note != NULL)
            gpai_result_note(e, "%s", note);
    }
}

static void read_all(gpai_reader *r, const gpai_value *o, gpa_explanation *e,
                     const gpa_saved *s)
{
    e->summary.solver = s->solver;
    e->summary.marginals = s->marginals;
    memcpy(e->unit, s->scale + s->d, s->d * sizeof *e->unit);
    read_rows(r, o, e, s);
    read_prior(r, o, e);
    read_run(r, o, &e->summary);
    const char *why = gpai_read_text(r, o, "stationarity_reason", true);
    e->stepped = why != NULL && strcmp(why, GPAI_STEPPED) == 0;
    read_culprit(r, o, e, s);
    read_curves(r, o, e, s);
    read_notes(r, o, e, s);
}

/* Whether the file holds as many numbers as the rows need, before room is taken. */
static size_t count_rows(gpai_reader *r, const gpai_value *o, size_t d)
{
    const gpai_value *x = gpai_read_list(r, o, "x", false);
    size_t n = gpai_value_items(gpai_read_list(r, o, "rows", false));
    if (r->status == GPA_OK && n == 0)
        gpai_read_fail(r, "rows", "empty");
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        if (gpai_value_items(gpai_value_at(x, i)) != d)
            gpai_read_fail(r, "x", "row %zu has %zu inputs, expected %zu", i + 1,
                           gpai_value_items(gpai_value_at(x, i)), d);
    return n;
}

gpa_status gpa_saved_explanation(gpa_explanation **out, const gpa_saved *s, size_t i,
                                 gpa_error *err)
{
    gpai_shown name;
    gpa_explanation *e = NULL;
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "report: nowhere to put an explanation");
    *out = NULL;
    if (s == NULL || s->kind != GPA_SAVED_EXPLANATIONS || i >= s->n_items)
        return gpai_fail(err, GPA_INVALID, "report: there is no explanation %zu", i);
    gpai_reader r = {.err = err};
    gpai_value *o = gpai_saved_item(&r, s, i, &name);
    size_t n = count_rows(&r, o, s->d);
    if (r.status == GPA_OK)
        r.status = gpai_result_new(&e, n, s->d, 0, err);
    if (r.status == GPA_OK)
        read_all(&r, o, e, s);
    gpai_value_free(o);
    if (r.status == GPA_OK)
        *out = e;
    else
        gpa_explanation_free(e);
    return r.status;
}
