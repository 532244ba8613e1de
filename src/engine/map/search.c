#include "engine/map/search.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* What coordinate k at value v adds to a key. -0 and 0 are one point, and so are values
 * that differ in their last ten bits only: they came by different roundings. */
static uint64_t part(size_t k, double v)
{
    uint64_t bits;
    v = v == 0 ? 0 : v;
    memcpy(&bits, &v, sizeof bits);
    bits = (bits + 512) >> 10;
    return gpai_rng_mix(gpai_rng_mix(bits + GPAI_RNG_STEP) + (uint64_t)k);
}

uint64_t gpai_memo_key(const double *delta, size_t d)
{
    uint64_t key = 1;
    for (size_t k = 0; k < d; k++)
        key += part(k, delta[k]);
    return key;
}

uint64_t gpai_memo_change(uint64_t key, size_t k, double from, double to)
{
    return key - part(k, from) + part(k, to);
}

static void lay_out_memo(void *work, gpai_arena *a)
{
    gpai_memo *m = work;
    m->f = gpai_take(a, m->room, m->n);
    m->delta = m->keeps ? gpai_take(a, m->room, m->d) : NULL;
    m->key = gpai_take_bytes(a, m->slots, sizeof *m->key);
    m->index = gpai_take_bytes(a, m->slots, sizeof *m->index);
}

gpa_status gpai_memo_open(gpai_memo *m, size_t n, size_t d, size_t room,
                          bool keep_points, gpa_error *err)
{
    *m = (gpai_memo){.n = n, .d = d, .room = room, .slots = 16, .keeps = keep_points};
    while (2 * m->slots < 3 * room) /* a third is empty when all is asked */
        m->slots *= 2;
    /* the rest is written before it is read, and a search fills little of it */
    m->block = gpai_carve_bare(lay_out_memo, m);
    if (m->block == NULL)
        return gpai_nomem(err, "explain");
    memset(m->key, 0, m->slots * sizeof *m->key);
    return GPA_OK;
}

void gpai_memo_close(gpai_memo *m)
{
    gpai_free(m->block);
    *m = (gpai_memo){0};
}

static size_t slot_of(const gpai_memo *m, uint64_t key)
{
    size_t i = (size_t)key & (m->slots - 1);
    while (m->key[i] != 0 && m->key[i] != key)
        i = (i + 1) & (m->slots - 1);
    return i;
}

static uint64_t stored(uint64_t key)
{
    return key != 0 ? key : 1; /* 0 marks an empty slot */
}

const double *gpai_memo_find(const gpai_memo *m, uint64_t key)
{
    size_t i = slot_of(m, stored(key));
    return m->key[i] == 0 ? NULL : m->f + m->index[i] * m->n;
}

const double *gpai_memo_add(gpai_memo *m, uint64_t key, const double *delta,
                            const double *f)
{
    size_t i = slot_of(m, stored(key));
    if (m->key[i] != 0 || m->used == m->room)
        return f;
    m->key[i] = stored(key);
    m->index[i] = m->used;
    memcpy(m->f + m->used * m->n, f, m->n * sizeof *f);
    if (m->delta != NULL)
        memcpy(m->delta + m->used * m->d, delta, m->d * sizeof *delta);
    return m->f + m->used++ * m->n;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_search *q = work;
    size_t n = q->p->n, d = q->p->d;
    GPAI_TAKE_EACH(a, d, 1, &q->delta, &q->moved);
    q->f = gpai_take(a, n, 1);
    q->answer = gpai_take(a, q->most, n);
    q->points = gpai_take(a, GPAI_SEARCH_POINTS, d);
    q->asked = gpai_take_bytes(a, q->most, sizeof *q->asked);
    q->asked_key = gpai_take_bytes(a, q->most, sizeof *q->asked_key);
    q->where = gpai_take_bytes(a, q->most, sizeof *q->where);
}

static void put(double *f, size_t at, const double *from, size_t n)
{
    for (size_t t = 0; t < n; t++)
        f[at * n + t] = from != NULL ? from[t] : (double)NAN;
}

gpa_status gpai_search_open(gpai_search *q, gpai_problem *p, const gpai_space *s,
                            const double *delta, const double *f, size_t most,
                            size_t room, bool keep_points, gpa_error *err)
{
    *q = (gpai_search){.p = p, .s = s, .err = err};
    q->most = most > GPAI_SEARCH_POINTS ? most : GPAI_SEARCH_POINTS;
    q->block = gpai_carve(lay_out, q);
    gpa_status st = q->block != NULL ? GPA_OK : gpai_nomem(err, "explain");
    if (st == GPA_OK)
        st = gpai_memo_open(&q->memo, p->n, p->d, room, keep_points, err);
    if (st == GPA_OK && f == NULL) {
        q->budget_hit = !gpai_problem_affords(p, p->n);
        if (q->budget_hit)
            put(q->f, 0, NULL, p->n); /* nothing is known there */
        else
            st = gpai_predict_points(p, delta, NULL, 1, q->f, err);
        f = q->f;
    }
    if (st != GPA_OK) {
        gpai_search_close(q);
        return st;
    }
    double objective = gpai_data_term(p, f) + gpai_space_penalty(s, delta);
    gpai_search_move(q, delta, f, objective);
    gpai_memo_add(&q->memo, q->key, delta, f);
    return GPA_OK;
}

void gpai_search_close(gpai_search *q)
{
    gpai_memo_close(&q->memo);
    gpai_free(q->block);
    q->block = NULL;
}

void gpai_search_move(gpai_search *q, const double *point, const double *f,
                      double objective)
{
    memmove(q->delta, point, q->p->d * sizeof *point);
    memmove(q->f, f, q->p->n * sizeof *f);
    q->objective = objective;
    q->key = gpai_memo_key(q->delta, q->p->d);
}

static uint64_t probe_key(const gpai_search *q, const gpai_probe *probe)
{
    const gpai_axis *a = &q->s->axis[probe->axis];
    if (a->kind != GPAI_AXIS_CHOICE)
        return gpai_memo_change(q->key, a->input, q->delta[a->input], probe->value);
    memcpy(q->moved, q->delta, q->p->d * sizeof *q->moved);
    gpai_axis_set(q->s, probe->axis, probe->value, q->moved);
    return gpai_memo_key(q->moved, q->p->d);
}

/* How many of the wanted points the budget still pays for. */
static size_t affordable(gpai_search *q, size_t wanted)
{
    size_t n = q->p->n;
    while (wanted > 0 && !gpai_problem_affords(q->p, (uint64_t)wanted * n)) {
        q->budget_hit = true;
        wanted--;
    }
    return wanted;
}

gpa_status gpai_search_probe(gpai_search *q, const gpai_probe *probe, size_t count,
                             double *f)
{
    size_t n = q->p->n, unknown = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = probe_key(q, &probe[i]);
        const double *known = gpai_memo_find(&q->memo, key);
        put(f, i, known, n);
        if (known == NULL) {
            q->asked[unknown] = probe[i];
            q->asked_key[unknown] = key;
            q->where[unknown++] = i;
        }
    }
    unknown = affordable(q, unknown);
    if (unknown == 0)
        return GPA_OK;
    gpa_status st = gpai_predict_probes(q->p, q->s, q->delta, q->asked, unknown, false,
                                        q->answer, q->err);
    for (size_t j = 0; j < unknown && st == GPA_OK; j++) {
        put(f, q->where[j], q->answer + j * n, n);
        if (q->memo.delta != NULL) {
            memcpy(q->moved, q->delta, q->p->d * sizeof *q->moved);
            gpai_axis_set(q->s, q->asked[j].axis, q->asked[j].value, q->moved);
        }
        gpai_memo_add(&q->memo, q->asked_key[j], q->moved, q->answer + j * n);
    }
    return st;
}

gpa_status gpai_search_ask(gpai_search *q, size_t k, double *f)
{
    size_t n = q->p->n, d = q->p->d, unknown = 0;
    uint64_t key[GPAI_SEARCH_POINTS];
    for (size_t i = 0; i < k; i++) {
        key[i] = gpai_memo_key(q->points + i * d, d);
        const double *known = gpai_memo_find(&q->memo, key[i]);
        put(f, i, known, n);
        bool twice = false;
        for (size_t j = 0; j < unknown; j++)
            twice = twice || key[q->where[j]] == key[i];
        if (known == NULL && !twice)
            q->where[unknown++] = i;
    }
    unknown = affordable(q, unknown);
    if (unknown == 0)
        return GPA_OK;
    gpa_status st =
        gpai_predict_points(q->p, q->points, q->where, unknown, q->answer, q->err);
    for (size_t j = 0; j < unknown && st == GPA_OK; j++) {
        size_t i = q->where[j];
        gpai_memo_add(&q->memo, key[i], q->points + i * d, q->answer + j * n);
        put(f, i, q->answer + j * n, n);
    }
    return st;
}
