#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include "methods/differences.h"
#include "model/model.h"
#include <math.h>

/* Shapley values of the game "the inputs in S are as in x, the others as in a reference
 * row" (eq. of section 4.1.3, with the reference rows as the distribution), mean over
 * reference rows. They are the mean of the values of the games of single reference
 * rows, in which the inputs that are the same in both rows play no part: such an input
 * asks nothing and gets 0. */

/* Inputs for the exact values. Chosen: a million subsets of each reference row. */
enum { MOST = 20 };

/* Inputs that are not frozen. */
static size_t players_of(const gpai_attribute *w)
{
    const unsigned char *frozen = w->explain->frozen;
    size_t players = 0;
    for (size_t k = 0; k < w->s->d; k++)
        players += frozen == NULL || !frozen[k];
    return players;
}

/* Rows that exact values ask. */
static uint64_t exact_rows(const gpai_attribute *w)
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

/* A subset of one game: reference row r against row t. The order of all subsets of all
 * games is the order in which they are asked and answered. */
struct place {
    size_t r, t;
    uint32_t subset;
    size_t players;
    size_t *player; /* inputs that differ, at most MOST */
    double *from;   /* d: the reference row */
};

struct exact {
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
static void pay_out(struct exact *v)
{
    const struct place *p = &v->answering;
    gpa_attribution *a = v->w->a;
    double games = (double)v->w->opt->reference->n * (double)v->w->s->n;
    double share[MOST];
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

static void answer(struct exact *v, double f)
{
    struct place *p = &v->answering;
    v->value[p->subset] = f;
    if (p->subset + 1 == (uint32_t)1 << p->players)
        pay_out(v);
    next(v->w, p);
}

static void answer_known(struct exact *v)
{
    while (!over(v->w, &v->answering) && !isnan(known(v->w, &v->answering)))
        answer(v, known(v->w, &v->answering));
}

static gpa_status run(struct exact *v)
{
    gpai_attribute *w = v->w;
    uint64_t total = exact_rows(w), before = w->a->rows;
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

static void lay_out(void *work, gpai_arena *a)
{
    struct exact *v = work;
    size_t d = v->w->s->d;
    v->x = gpai_take(a, v->most_rows, d);
    v->f = gpai_take(a, v->most_rows, 1);
    GPAI_TAKE_EACH(a, d, 1, &v->asking.from, &v->answering.from);
    v->value = gpai_take(a, (size_t)1 << players_of(v->w), 1);
}

/* All subsets, all reference rows; for at most MOST inputs. */
static gpa_status exact(gpai_attribute *w)
{
    size_t player[2][MOST];
    struct exact v = {.w = w, .most_rows = GPAI_BATCH_ROWS};
    double *block = gpai_carve(lay_out, &v);
    if (block == NULL)
        return gpai_nomem(w->err, "sv");
    v.asking.player = player[0];
    v.answering.player = player[1];
    gpa_status st = run(&v);
    if (st == GPA_OK)
        gpai_attribution_note(
            w->a, "exact: all subsets of the inputs, all %zu reference rows",
            w->opt->reference->n);
    gpai_free(block);
    return st;
}

enum { STREAM_DRAWS = 4 }; /* of the seed: 0 to 3 serve slopes, samples and rows */

/* One configuration: a reference row and an order of the inputs. */
struct draw {
    size_t row;
    const size_t *order; /* d */
};

struct sampling {
    gpai_attribute *w;
    gpai_differences q;
    gpai_rng rng;
    double *point; /* d */
    size_t *order; /* d */
};

/* Rows that sampling asks, at most. */
static uint64_t sample_rows(const gpai_attribute *w)
{
    uint64_t chain = players_of(w); /* without x itself, which is known */
    if (w->opt->sv_antithetic && chain > 0)
        chain += chain - 1; /* the reference row is shared */
    return chain * w->s->n * w->opt->sv_configurations;
}

/* Uniform in 0 .. n - 1. The bits above the largest multiple of n are drawn again. */
static size_t below(gpai_rng *rng, size_t n)
{
    uint64_t bits, limit = UINT64_MAX - UINT64_MAX % n;
    do
        bits = gpai_rng_bits(rng);
    while (bits >= limit);
    return (size_t)(bits % n);
}

/* The c-th configuration: the given one, or the next draw. */
static struct draw draw(struct sampling *v, size_t c)
{
    const gpa_attribute_options *o = v->w->opt;
    size_t d = v->w->s->d;
    if (o->sv_rows != NULL)
        return (struct draw){o->sv_rows[c], o->sv_orders + c * d};
    size_t row = below(&v->rng, o->reference->n);
    for (size_t j = 0; j < d; j++) { /* Fisher and Yates, from the inside out */
        size_t i = below(&v->rng, j + 1);
        v->order[j] = v->order[i];
        v->order[i] = j;
    }
    return (struct draw){row, v->order};
}

/* f(x) - f(reference row) goes to the extra, and the reference row's f is the base. */
static gpa_status begin(struct sampling *v, size_t row, double f_x, double weight)
{
    gpai_differences *q = &v->q;
    double f = gpai_reference_f(v->w, row);
    gpai_use use = {.input = (uint32_t)q->d, .weight = -weight, .base = true};
    gpa_status st = gpai_differences_know(q, f_x, (gpai_use){.base = true});
    if (st != GPA_OK)
        return st;
    return isfinite(f) ? gpai_differences_know(q, f, use)
                       : gpai_differences_ask(q, v->point, use);
}

/* From the reference row to x in this order, or in the opposite one. */
static gpa_status walk(struct sampling *v, const struct draw *c, bool backwards,
                       const double *x, double f_x, double weight)
{
    gpai_differences *q = &v->q;
    size_t d = q->d, left = 0;
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < d; k++)
        left += v->point[k] != x[k];
    for (size_t j = 0; left > 0 && st == GPA_OK; j++) {
        size_t k = c->order[backwards ? d - 1 - j : j];
        gpai_use use = {.input = (uint32_t)k, .weight = weight, .base = true};
        if (v->point[k] == x[k])
            continue;
        v->point[k] = x[k];
        left--;
        st = left > 0 ? gpai_differences_ask(q, v->point, use)
                      : gpai_differences_know(q, f_x, use);
    }
    return st;
}

/* One configuration for row t. */
static gpa_status play(struct sampling *v, const struct draw *c, size_t t)
{
    const gpa_sample *s = v->w->s;
    const double *x = s->x + t * s->d, *r = v->w->opt->reference->x + c->row * s->d;
    bool twice = v->w->opt->sv_antithetic;
    double weight = 1 / (double)s->n, each = twice ? 0.5 * weight : weight;
    gpai_hold_frozen(v->w, x, r, v->point);
    gpa_status st = begin(v, c->row, s->f[t], weight);
    if (st == GPA_OK)
        st = walk(v, c, false, x, s->f[t], each);
    if (st != GPA_OK || !twice)
        return st;
    gpai_hold_frozen(v->w, x, r, v->point);
    st = gpai_differences_restart(&v->q, (gpai_use){.base = true});
    return st == GPA_OK ? walk(v, c, true, x, s->f[t], each) : st;
}

static gpa_status play_all(struct sampling *v)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < v->w->opt->sv_configurations && st == GPA_OK; i++) {
        struct draw c = draw(v, i);
        for (size_t t = 0; t < v->w->s->n && st == GPA_OK; t++)
            st = play(v, &c, t);
        if (st == GPA_OK)
            st = gpai_differences_fold(&v->q);
    }
    return st == GPA_OK ? gpai_differences_finish(&v->q) : st;
}

/* Random permutations and reference rows, after Strumbelj and Kononenko: one chain of
 * points from the reference row to x, an input at a time, instead of two points for
 * each input. Also replays given draws. */
static gpa_status sample(gpai_attribute *w)
{
    size_t d = w->s->d;
    struct sampling v = {.w = w, .rng = gpai_rng_make(w->explain->seed, STREAM_DRAWS)};
    v.point = gpai_calloc(d, sizeof *v.point);
    v.order = gpai_calloc(d, sizeof *v.order);
    gpa_status st = GPA_OK;
    if (v.point == NULL || v.order == NULL)
        st = gpai_nomem(w->err, "sv");
    if (st == GPA_OK)
        st = gpai_differences_open(&v.q, w, sample_rows(w));
    if (st == GPA_OK)
        st = play_all(&v);
    if (st == GPA_OK)
        gpai_differences_error(&v.q, 0);
    gpai_differences_close(&v.q);
    gpai_free(v.order);
    gpai_free(v.point);
    return st;
}

/* Exact values cost nothing more than sampled ones only for few inputs and reference
 * rows. Given draws are to be replayed. */
static bool wants_exact(const gpai_attribute *w)
{
    enum { FEW = 12 }; /* chosen: 4096 subsets of one reference row are one batch */
    if (w->opt->shapley != GPA_SHAPLEY_AUTO || w->opt->sv_rows != NULL)
        return w->opt->shapley == GPA_SHAPLEY_EXACT;
    return players_of(w) <= FEW && exact_rows(w) <= sample_rows(w);
}

gpa_status gpai_shapley(gpai_attribute *w)
{
    w->a->extra_name = "f(x) - mean f";
    if (!wants_exact(w))
        return sample(w);
    if (players_of(w) > MOST)
        return gpai_fail(
            w->err, GPA_INVALID,
            "sv: exact values of %zu inputs are out of reach (at most %d): "
            "sample them, or freeze inputs",
            players_of(w), MOST);
    return exact(w);
}
