#include "watch/episodes.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Chosen: shares in common from which a row does not rule the episode's culprit out.
 * Two sure and different ones have about 0.01; a single row that leans towards another
 * one than all of them together do has 0.05 and more. */
static const double ALIKE = 0.03;

gpa_status episodes_open(struct episodes *e, size_t d, uint64_t open_after,
                         uint64_t close_after, gpa_error *err)
{
    size_t each = EPISODE_ROWS * (d + 2) + d + 1;
    *e = (struct episodes){.d = d,
                           .open_after = open_after,
                           .close_after = close_after,
                           .due = UINT64_MAX,
                           .block = gpai_calloc(EPISODES * each, sizeof *e->block)};
    if (e->block == NULL)
        return gpai_nomem(err, "watch");
    for (size_t i = 0; i < EPISODES; i++) {
        struct episode *x = &e->all[i];
        x->x = e->block + i * each;
        x->y = x->x + EPISODE_ROWS * d;
        x->f = x->y + EPISODE_ROWS;
        x->blame = x->f + EPISODE_ROWS;
    }
    return GPA_OK;
}

void episodes_close(struct episodes *e)
{
    gpai_free(e->block);
    e->block = NULL;
}

void blame_of(const gpa_explanation *x, size_t d, double *blame)
{
    const gpa_culprit *c = gpa_explanation_culprit(x);
    double sum = 0;
    for (size_t k = 0; k <= d; k++) {
        double p = c == NULL ? 1 : k < d ? c->single[k] * (1 - c->output) : c->output;
        blame[k] = p > 0 ? p : 0; /* NaN: it is held */
        sum += blame[k];
    }
    for (size_t k = 0; k <= d && sum > 0; k++)
        blame[k] /= sum;
}

static double alike(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += fmin(a[k], b[k]);
    return sum;
}

/* One that is open, where it may be: what all its rows say together is surer than what
 * one of them does. */
static struct episode *most_alike(struct episodes *e, const double *blame)
{
    struct episode *best = NULL;
    double most = ALIKE;
    for (size_t i = 0; i < EPISODES; i++) {
        struct episode *x = &e->all[i];
        double share = x->used ? alike(x->blame, blame, e->d + 1) : 0;
        share += share > ALIKE && x->number > 0;
        if (share > most) {
            best = x;
            most = share;
        }
    }
    return best;
}

/* A place that is free, or that of the one that is quiet for the longest time and not
 * open. */
static struct episode *find_place(struct episodes *e)
{
    struct episode *old = NULL;
    for (size_t i = 0; i < EPISODES; i++) {
        struct episode *x = &e->all[i];
        if (!x->used)
            return x;
        if (x->number == 0 && (old == NULL || x->ended < old->ended))
            old = x;
    }
    return old;
}

static void begin(struct episodes *e, struct episode *x, const struct anomaly *a)
{
    x->used = true;
    x->number = x->rows = x->seen = 0;
    x->update = e->open_after;
    x->began = a->at;
    x->worst = -HUGE_VAL;
    x->stride = 1;
    x->kept = 0;
    snprintf(x->first, sizeof x->first, "%s", a->id);
    memset(x->blame, 0, (e->d + 1) * sizeof *x->blame);
}

static void move(struct episode *x, size_t d, size_t to, const double *row, double y,
                 double f)
{
    memmove(x->x + to * d, row, d * sizeof *row);
    x->y[to] = y;
    x->f[to] = f;
}

/* Every second one goes when there is no more room, and from then on of the new ones,
 * too. */
static void keep(struct episode *x, size_t d, const struct anomaly *a)
{
    if ((x->rows - 1) % x->stride != 0)
        return;
    if (x->kept == EPISODE_ROWS) {
        x->kept = EPISODE_ROWS / 2;
        for (size_t i = 1; i < x->kept; i++)
            move(x, d, i, x->x + 2 * i * d, x->y[2 * i], x->f[2 * i]);
        x->stride *= 2;
    }
    move(x, d, x->kept++, a->x, a->y, a->f);
}

static void set_due(struct episodes *e)
{
    e->due = UINT64_MAX;
    for (size_t i = 0; i < EPISODES; i++) {
        uint64_t end = e->all[i].ended + e->close_after;
        if (e->all[i].used && end < e->due)
            e->due = end;
    }
}

struct episode *episodes_take(struct episodes *e, const struct anomaly *a)
{
    struct episode *x = most_alike(e, a->blame);
    if (x == NULL) {
        x = find_place(e);
        if (x == NULL)
            return NULL;
        begin(e, x, a);
    }
    x->rows++;
    x->ended = a->at;
    x->worst = fmax(x->worst, a->score);
    snprintf(x->last, sizeof x->last, "%s", a->id);
    keep(x, e->d, a);
    /* until all of them are looked at together, the mean of what each says */
    for (size_t k = 0; x->number == 0 && k <= e->d; k++)
        x->blame[k] += (a->blame[k] - x->blame[k]) / (double)x->rows;
    if (x->number == 0 && x->rows >= e->open_after)
        x->number = ++e->opened;
    set_due(e);
    return x;
}

struct episode *episodes_quiet(struct episodes *e, uint64_t at)
{
    if (at < e->due)
        return NULL;
    for (size_t i = 0; i < EPISODES; i++) {
        struct episode *x = &e->all[i];
        if (!x->used || at < x->ended + e->close_after)
            continue;
        if (x->number > 0)
            return x;
        x->used = false;
    }
    set_due(e);
    return NULL;
}

void episode_end(struct episodes *e, struct episode *x)
{
    x->used = false;
    set_due(e);
}
