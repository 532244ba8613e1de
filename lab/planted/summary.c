#include "lab/planted/summary.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "lab/planted/chance.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 1 + RESAMPLES }; /* the first is the cases as they are */

typedef unsigned short times; /* how often a case was drawn */

static double *draws_of(const struct summary *t, size_t kind, size_t method,
                        enum measure m)
{
    return t->draws + ((kind * t->n_methods + method) * MEASURES + (size_t)m) * DRAWS;
}

static double *cases_of(const struct summary *t, size_t kind, size_t method,
                        enum measure m)
{
    return t->cases + (kind * t->n_methods + method) * MEASURES + (size_t)m;
}

static gpa_status take_room(struct summary *t, gpa_error *err)
{
    size_t n = (t->n_kinds + 1) * t->n_methods * MEASURES;
    t->draws = gpai_calloc(n * DRAWS, sizeof *t->draws);
    t->cases = gpai_calloc(n, sizeof *t->cases);
    return t->draws != NULL && t->cases != NULL ? GPA_OK : gpai_nomem(err, "bench");
}

/* Shares of the cases. */
static bool is_share(enum measure m)
{
    return m == RECALL || m == HOLDS || m == RIGHT || m == WRONG || m == ACCUSES ||
           m == IMPOSSIBLE || m == SAYS_OUTPUT || m == SAYS_TIED || m == SAYS_NORMAL;
}

/* One case's contribution to a figure. */
struct point {
    double value;
    size_t fault;
    bool positive; /* for the area under the curve: an output fault; for SURE: a hit */
};

static int rising(const void *a, const void *b)
{
    double x = ((const struct point *)a)->value, y = ((const struct point *)b)->value;
    return (x > y) - (x < y);
}

static double mean(const struct point *p, size_t n, const times *w)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < n; i++) {
        sum += w[p[i].fault] * p[i].value;
        weight += w[p[i].fault];
    }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* Of ascending points; between the two in the middle when they are even. */
static double median(const struct point *p, size_t n, const times *w)
{
    size_t weight = 0, before = 0;
    double lower = (double)NAN;
    for (size_t i = 0; i < n; i++)
        weight += w[p[i].fault];
    for (size_t i = 0; i < n; i++) {
        before += w[p[i].fault];
        if (isnan(lower) && 2 * before >= weight && w[p[i].fault] > 0)
            lower = p[i].value;
        if (2 * before > weight)
            return 0.5 * (lower + p[i].value);
    }
    return lower;
}

/* The probability that an output fault has the larger value, ties counted half, over
 * ascending points. */
static double area(const struct point *p, size_t n, const times *w)
{
    double wins = 0, below = 0, positives = 0;
    for (size_t i = 0, j; i < n; i = j) {
        double here[2] = {0, 0};
        for (j = i; j < n && p[j].value == p[i].value; j++)
            here[p[j].positive] += w[p[j].fault];
        wins += here[1] * (below + 0.5 * here[0]);
        below += here[0];
        positives += here[1];
    }
    return below > 0 && positives > 0 ? wins / (below * positives) : (double)NAN;
}

/* The expected calibration error: how far the probabilities said and the share that was
 * right are apart, by bins of probability. */
static double miscalibration(const struct point *p, size_t n, const times *w)
{
    enum { BINS = 10 };
    double off[BINS] = {0}, weight = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        int bin = (int)(BINS * p[i].value);
        off[bin < BINS ? bin : BINS - 1] +=
            w[p[i].fault] * (p[i].value - (p[i].positive ? 1 : 0));
        weight += w[p[i].fault];
    }
    for (int b = 0; b < BINS; b++)
        sum += fabs(off[b]);
    return weight > 0 ? sum / weight : (double)NAN;
}

/* Whether a case counts for a figure of a kind (n_kinds: of the total). */
static bool counts(const struct marked *s, size_t kind, const struct fault *f,
                   enum measure m)
{
    if (kind == s->n_kinds ? !f->gap : f->kind == kind)
        return true;
    return m == OUTPUT && s->kinds[kind].culprits == 0 &&
           f->kind == faults_opponent(s->kinds, s->n_kinds, kind);
}

typedef double reduction(const struct point *p, size_t n, const times *w);

static reduction *reduction_of(enum measure m)
{
    return m == OUTPUT ? area : m == ERROR ? median : m == SURE ? miscalibration : mean;
}

static void evaluate(const struct summary *t, const struct marked *s, size_t kind,
                     size_t method, enum measure m, const times *w, struct point *p)
{
    double *out = draws_of(t, kind, method, m);
    size_t n = 0;
    for (size_t i = 0; i < s->n_faults; i++) {
        const double *mark = s->marks[method * s->n_faults + i].of;
        bool positive = m == SURE ? mark[HIT] > 0 : s->faults[i].culprits == 0;
        if (!isnan(mark[m]) && counts(s, kind, &s->faults[i], m))
            p[n++] = (struct point){mark[m], i, positive};
    }
    if (m == OUTPUT || m == ERROR)
        qsort(p, n, sizeof *p, rising);
    for (size_t b = 0; b < (is_share(m) ? 1 : DRAWS); b++) /* theirs are exact */
        out[b] = n > 0 ? reduction_of(m)(p, n, w + b * s->n_faults) : (double)NAN;
    *cases_of(t, kind, method, m) = (double)n;
}

/* Draws as many cases of each kind as it has. */
static void draw(const struct marked *s, uint64_t seed, times *w, size_t *members)
{
    for (size_t i = 0; i < s->n_faults; i++)
        w[i] = 1;
    for (size_t k = 0; k < s->n_kinds; k++) {
        char purpose[200];
        size_t n = 0;
        snprintf(purpose, sizeof purpose, "%s/%s", s->name, s->kinds[k].name);
        struct random_stream draws = random_named(seed, purpose, 0);
        for (size_t i = 0; i < s->n_faults; i++)
            if (s->faults[i].kind == k)
                members[n++] = i;
        for (size_t b = 1; b < DRAWS; b++)
            for (size_t i = 0; i < n; i++)
                w[b * s->n_faults + members[random_below(&draws, n)]]++;
    }
}

static void rely(const struct summary *t, const struct marked *s, size_t method)
{
    struct reliability *to = t->reliable[method];
    for (size_t i = 0; i < s->n_faults; i++) {
        const struct fault *f = &s->faults[i];
        const double *mark = s->marks[method * s->n_faults + i].of;
        if (!f->gap && !isnan(mark[SURE]))
            reliability_add(&to[0], mark[SURE], mark[HIT] > 0, 1);
        if (!f->gap && !isnan(mark[OUTPUT]) && f->weight > 0)
            reliability_add(&to[1], mark[OUTPUT], f->culprits == 0, f->weight);
    }
}

const struct reliability *summary_reliable(const struct summary *t, size_t method,
                                           bool output)
{
    const struct reliability *r =
        t->reliable != NULL ? &t->reliable[method][output] : NULL;
    return r != NULL && r->weight > 0 ? r : NULL;
}

void marked_weigh(struct marked *m, size_t inputs)
{
    double of[2] = {0, 0}, part = 1 / ((double)inputs + 1); /* the output's */
    for (size_t i = 0; i < m->n_faults; i++)
        of[m->faults[i].culprits == 0] += !m->faults[i].gap;
    for (size_t i = 0; i < m->n_faults; i++) {
        struct fault *f = &m->faults[i];
        bool output = f->culprits == 0;
        f->weight = of[0] > 0 && of[1] > 0 && !f->gap
                        ? (of[0] + of[1]) * (output ? part : 1 - part) / of[output]
                        : 0;
    }
}

gpa_status summary_make(struct summary *t, const struct marked *s, size_t n_methods,
                        uint64_t seed, gpa_error *err)
{
    *t = (struct summary){.n_kinds = s->n_kinds, .n_methods = n_methods};
    memcpy(t->kinds, s->kinds, sizeof t->kinds);
    for (size_t i = 0; i < s->n_faults; i++)
        t->total += !s->faults[i].gap;
    gpa_status st = take_room(t, err);
    t->reliable = gpai_calloc(n_methods, sizeof *t->reliable);
    times *w = gpai_calloc(s->n_faults, DRAWS * sizeof *w);
    struct point *points = gpai_calloc(s->n_faults, sizeof *points);
    size_t *members = gpai_calloc(s->n_faults, sizeof *members);
    if (st == GPA_OK &&
        (w == NULL || points == NULL || members == NULL || t->reliable == NULL))
        st = gpai_nomem(err, "bench");
    if (st == GPA_OK) {
        draw(s, seed, w, members);
        for (size_t k = 0; k <= t->n_kinds; k++)
            for (size_t r = 0; r < n_methods; r++)
                for (int m = 0; m < MEASURES; m++)
                    evaluate(t, s, k, r, (enum measure)m, w, points);
        for (size_t r = 0; r < n_methods; r++)
            rely(t, s, r);
    }
    gpai_free(members);
    gpai_free(points);
    gpai_free(w);
    return st;
}

/* Adds the kinds of one set to those of several. */
static gpa_status gather_kinds(struct fault_kind *to, size_t *n_to,
                               const struct fault_kind *kinds, size_t n, gpa_error *err)
{
    for (size_t k = 0; k < n; k++) {
        size_t at = faults_find_kind(to, *n_to, kinds[k].name);
        if (at == FAULT_KINDS)
            return gpai_fail(err, GPA_DATA, "more than %d kinds", FAULT_KINDS);
        if (at < *n_to)
            to[at].cases += kinds[k].cases;
        else
            to[(*n_to)++] = kinds[k];
    }
    return GPA_OK;
}

/* Adds to `out` the mean of those sets that have the kind and the figure. */
static void average(const struct summary *out, const struct summary *sets, size_t n,
                    size_t kind, size_t method, enum measure m)
{
    double *to = draws_of(out, kind, method, m), count[DRAWS] = {0}, variance = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = kind == out->n_kinds
                       ? sets[i].n_kinds
                       : faults_find_kind(sets[i].kinds, sets[i].n_kinds,
                                          out->kinds[kind].name);
        if (kind != out->n_kinds && k == sets[i].n_kinds)
            continue;
        const double *from = draws_of(&sets[i], k, method, m);
        if (!isnan(from[0]))
            variance += 1 / *cases_of(&sets[i], k, method, m);
        for (size_t b = 0; b < DRAWS; b++)
            if (!isnan(from[b])) {
                to[b] += from[b];
                count[b]++;
            }
    }
    *cases_of(out, kind, method, m) = count[0] > 0 ? count[0] * count[0] / variance : 0;
    for (size_t b = 0; b < DRAWS; b++)
        to[b] = count[b] > 0 ? to[b] / count[b] : (double)NAN;
}

gpa_status summary_mean(struct summary *out, const struct summary *sets, size_t n,
                        gpa_error *err)
{
    *out = (struct summary){.n_methods = n > 0 ? sets[0].n_methods : 0};
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = gather_kinds(out->kinds, &out->n_kinds, sets[i].kinds, sets[i].n_kinds,
                          err);
    for (size_t i = 0; i < n; i++)
        out->total += sets[i].total;
    if (st == GPA_OK)
        st = take_room(out, err);
    for (size_t k = 0; st == GPA_OK && k <= out->n_kinds; k++)
        for (size_t r = 0; r < out->n_methods; r++)
            for (int m = 0; m < MEASURES; m++)
                average(out, sets, n, k, r, (enum measure)m);
    return st;
}

static gpa_status pool(struct marked *all, const struct marked *sets, size_t n,
                       size_t n_methods, gpa_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += sets[i].n_faults;
    all->faults = gpai_calloc(total, sizeof *all->faults);
    all->marks = gpai_calloc(total * n_methods, sizeof *all->marks);
    if (all->faults == NULL || all->marks == NULL)
        return gpai_nomem(err, "bench");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < sets[i].n_faults; j++) {
            struct fault *f = &all->faults[all->n_faults];
            *f = sets[i].faults[j];
            f->kind =
                faults_find_kind(all->kinds, all->n_kinds, sets[i].kinds[f->kind].name);
            for (size_t r = 0; r < n_methods; r++)
                all->marks[r * total + all->n_faults] =
                    sets[i].marks[r * sets[i].n_faults + j];
            all->n_faults++;
        }
    return GPA_OK;
}

gpa_status summary_pool(struct summary *out, const struct marked *sets, size_t n,
                        size_t n_methods, uint64_t seed, gpa_error *err)
{
    struct marked all = {.name = "all"};
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = gather_kinds(all.kinds, &all.n_kinds, sets[i].kinds, sets[i].n_kinds, err);
    if (st == GPA_OK)
        st = pool(&all, sets, n, n_methods, err);
    if (st == GPA_OK)
        st = summary_make(out, &all, n_methods, seed, err);
    marked_free(&all);
    return st;
}

static struct figure drawn_figure(const double *draws)
{
    double sorted[RESAMPLES];
    size_t n = 0;
    for (size_t b = 1; b < DRAWS; b++)
        if (!isnan(draws[b]))
            sorted[n++] = draws[b];
    if (isnan(draws[0]) || n == 0)
        return (struct figure){draws[0], draws[0], draws[0]};
    gpai_sort(sorted, n);
    return (struct figure){draws[0], quantile(sorted, n, 0.05),
                           quantile(sorted, n, 0.95)};
}

struct figure summary_figure(const struct summary *t, size_t kind, size_t method,
                             enum measure m)
{
    const double *draws = draws_of(t, kind, method, m);
    double n = *cases_of(t, kind, method, m);
    struct figure g = {.value = draws[0]};
    if (!is_share(m) || isnan(g.value))
        return drawn_figure(draws);
    exact_interval(fmin(n, g.value * n), n, &g.low, &g.high);
    return g;
}

size_t summary_cases(const struct summary *t, size_t kind)
{
    return kind < t->n_kinds ? t->kinds[kind].cases : t->total;
}

void summary_free(struct summary *t)
{
    gpai_free(t->draws);
    gpai_free(t->cases);
    gpai_free(t->reliable);
    *t = (struct summary){0};
}

void marked_free(struct marked *m)
{
    gpai_free(m->faults);
    gpai_free(m->marks);
    *m = (struct marked){0};
}
