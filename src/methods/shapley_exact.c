#include "base/alloc.h"
#include "base/status.h"
#include "methods/differences.h"
#include "methods/shapley.h"
#include "model/model.h"
#include <math.h>

/* A subset of one game: reference row r against row t. The order of all subsets of all
 * games is the order in which they are asked and answered. */
struct place {
    size_t r, t;
    uint32_t subset;
    size_t players;
    size_t *player; /* inputs that differ, at most GPAI_SHAPLEY_MOST */
    double *from;   /* d: the reference row */
};

struct work {
    gpai_attribute *w;
    struct place asking, answering;
    double *x, *f; /* a chunk */
    size_t most_rows;
    double *value; /* of the subsets of the game that is answered */
};

static const double *row_x(const gpai_attribute *w, const struct place *p)
{
    return w->s->x + p->t * w->s->d;
}

/* Who plays in the game at p. */
static void sit_down(const gpai_attribute *w, struct place *p)
{
    const double *x = row_x(w, p);
    p->subset = 0;
    p->players = 0;
    gpai_hold_frozen(w, x, w->opt->reference->x + p->r * w->s->d, p->from);
    for (size_t k = 0; k < w->s->d; k++)
        if (p->from[k] != x[k])
            p->player[p->players++] = k;
}

static bool over(const gpai_attribute *w, const struct place *p)
{
    return p->r == w->opt->reference->n;
}

static void next(const gpai_attribute *w, struct place *p)
{
    if (++p->subset < (uint32_t)1 << p->players)
        return;
    if (++p->t == w->s->n) {
        p->t = 0;
        p->r++;
    }
    if (!over(w, p))
        sit_down(w, p);
}

/* f at p without asking, or NaN: all players in is x, none is the reference row. */
static double known(const gpai_attribute *w, const struct place *p)
{
    if (p->subset == ((uint32_t)1 << p->players) - 1)
        return w->s->f[p->t];
    double f = p->subset == 0 ? gpai_reference_f(w, p->r) : (double)NAN;
    return isfinite(f) ? f : (double)NAN;
}

static void fill_row(const gpai_attribute *w, const struct place *p, double *row)
{
    const double *x = row_x(w, p);
    for (size_t k = 0; k < w->s->d; k++)
        row[k] = p->from[k];
    for (size_t i = 0; i < p->players; i++)
        if (p->subset >> i & 1)
            row[p->player[i]] = x[p->player[i]];
}

/* s! (m - s - 1)! / m!: the share of the orders in which a player joins this set of s
 * others. */
static double order_share(size_t m, size_t s)
{
    double share = 1 / (double)m;
    for (size_t i = 1; i <= s; i++)
        share *= (double)i / (double)(m - i);
    return share;
}

static size_t size_of(uint32_t set)
{
    size_t size = 0;
    for (; set != 0; set &= set - 1)
        size++;
    return size;
}

/* What each player of a finished game gets: its gain from joining, over all sets of
 * others. */
static void pay_out(struct work *v)
{
    const struct place *p = &v->answering;
    gpa_attribution *a = v->w->a;
    double games = (double)v->w->opt->reference->n * (double)v->w->s->n;
    double share[GPAI_SHAPLEY_MOST];
    uint32_t all = ((uint32_t)1 << p->players) - 1;
    for (size_t s = 0; s < p->players; s++)
        share[s] = order_share(p->players, s) / games;
    for (uint32_t set = 0; set < all; set++) {
        double weight = share[size_of(set)];
        for (size_t i = 0; i < p->players; i++)
            if (!(set >> i & 1))
                a->score[p->player[i]] +=
                    weight * (v->value[set | (uint32_t)1 << i] - v->value[set]);
    }
    a->extra += (v->value[all] - v->value[0]) / games;
}

static void answer(struct work *v, double f)
{
    struct place *p = &v->answering;
    v->value[p->subset] = f;
    if (p->subset + 1 == (uint32_t)1 << p->players)
        pay_out(v);
    next(v->w, p);
}

static void answer_known(struct work *v)
{
    while (!over(v->w, &v->answering) && !isnan(known(v->w, &v->answering)))
        answer(v, known(v->w, &v->answering));
}

static gpa_status run(struct work *v)
{
    gpai_attribute *w = v->w;
    uint64_t total = gpai_shapley_exact_rows(w), before = w->a->rows;
    gpa_status st = GPA_OK;
    w->a->extra = 0;
    sit_down(w, &v->asking);
    sit_down(w, &v->answering);
    answer_known(v);
    while (!over(w, &v->asking) && st == GPA_OK) {
        size_t rows = 0;
        for (; rows < v->most_rows && !over(w, &v->asking); next(w, &v->asking))
            if (isnan(known(w, &v->asking)))
                fill_row(w, &v->asking, v->x + rows++ * w->s->d);
        if (rows > 0)
            st = gpai_attribute_predict(w, v->x, rows, v->f);
        for (size_t i = 0; i < rows && st == GPA_OK; i++) {
            answer(v, v->f[i]);
            answer_known(v);
        }
        if (st == GPA_OK && rows > 0)
            st = gpai_attribute_progress(w, w->a->rows - before, total);
    }
    return st == GPA_OK ? gpai_check_scores(w) : st;
}

uint64_t gpai_shapley_exact_rows(const gpai_attribute *w)
{
    const gpa_sample *s = w->s, *reference = w->opt->reference;
    const unsigned char *frozen = w->explain->frozen;
    uint64_t rows = 0;
    for (size_t r = 0; r < reference->n; r++) {
        uint64_t spared = isfinite(gpai_reference_f(w, r)) ? 2 : 1;
        for (size_t t = 0; t < s->n; t++) {
            size_t players = 0;
            for (size_t k = 0; k < s->d; k++)
                players += (frozen == NULL || !frozen[k]) &&
                           reference->x[r * s->d + k] != s->x[t * s->d + k];
            uint64_t subsets = UINT64_C(1) << players;
            rows += subsets > spared ? subsets - spared : 0;
        }
    }
    return rows;
}

static void lay_out(void *work, gpai_arena *a)
{
    struct work *v = work;
    size_t d = v->w->s->d;
    v->x = gpai_take(a, v->most_rows, d);
    v->f = gpai_take(a, v->most_rows, 1);
    GPAI_TAKE_EACH(a, d, 1, &v->asking.from, &v->answering.from);
    v->value = gpai_take(a, (size_t)1 << gpai_shapley_players(v->w), 1);
}

gpa_status gpai_shapley_exact(gpai_attribute *w)
{
    size_t player[2][GPAI_SHAPLEY_MOST];
    struct work v = {.w = w, .most_rows = GPAI_BATCH_ROWS};
    double *block = gpai_carve(lay_out, &v);
    if (block == NULL)
        return gpai_nomem(w->err, "sv");
    v.asking.player = player[0];
    v.answering.player = player[1];
    gpa_status st = run(&v);
    if (st == GPA_OK)
        gpai_attribution_note(
            w->a, "sv: exact: all subsets of the inputs, all %zu reference rows",
            w->opt->reference->n);
    gpai_free(block);
    return st;
}
