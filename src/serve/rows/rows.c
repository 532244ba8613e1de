#define _GNU_SOURCE /* strcasestr */
#include "serve/rows/rows.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include "serve/serving.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ORDERS = 6, MASKS = 4, CONDITIONS = 64, KEY_SIZE = 240 };

/* An order, or what a filter lets through, and what it was asked as. */
struct kept {
    gpa_text *key;
    void *data;  /* n of them */
    size_t n;    /* that pass */
    size_t used; /* when it was wanted last */
};

struct rows {
    struct serving *v;
    pthread_mutex_t lock;
    struct kept orders[ORDERS], masks[MASKS];
    size_t clock;
};

gpa_status rows_new(struct rows **out, struct serving *v, gpa_error *err)
{
    *out = gpai_calloc(1, sizeof **out);
    if (*out == NULL)
        return gpai_nomem(err, "serve");
    (*out)->v = v;
    pthread_mutex_init(&(*out)->lock, NULL);
    return GPA_OK;
}

void rows_free(struct rows *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < ORDERS + MASKS; i++) {
        struct kept *k = i < ORDERS ? &r->orders[i] : &r->masks[i - ORDERS];
        gpa_text_free(k->key);
        gpai_free(k->data);
    }
    pthread_mutex_destroy(&r->lock);
    gpai_free(r);
}

void rows_lock(struct rows *r)
{
    pthread_mutex_lock(&r->lock);
}

void rows_unlock(struct rows *r)
{
    pthread_mutex_unlock(&r->lock);
}

/* The one that was asked so; or one to fill, with *found false; NULL without memory. */
static struct kept *find(struct rows *r, struct kept *list, size_t n, const char *key,
                         size_t size, bool *found)
{
    struct kept *oldest = &list[0];
    for (size_t i = 0; i < n; i++) {
        struct kept *k = &list[i];
        *found = k->key != NULL && strcmp(gpa_text_data(k->key), key) == 0;
        if (*found) {
            k->used = ++r->clock;
            return k;
        }
        oldest = k->used < oldest->used ? k : oldest;
    }
    if (oldest->key == NULL && gpa_text_new(&oldest->key, NULL) != GPA_OK)
        return NULL;
    if (oldest->data == NULL)
        oldest->data = gpai_calloc(gpa_study_rows(r->v->study), size);
    gpa_text_clear(oldest->key);
    oldest->used = 0; /* until it is filled */
    return oldest->data != NULL ? oldest : NULL;
}

static gpa_status settle(struct rows *r, struct kept *k, const char *key,
                         gpa_error *err)
{
    gpai_text_add(k->key, key);
    k->used = ++r->clock;
    return gpai_text_seal(k->key, 0, err);
}

/* Filters. */

/* A column of the rows, or one of the numbers made of y and f, within ends. */
enum { OF_SCORE = -1, OF_OFF = -2, OF_Y = -3, OF_F = -4 };
struct condition {
    long column; /* of the inputs, or OF_… */
    double low, high;
};

struct filter {
    struct condition all[CONDITIONS];
    size_t n;
    const char *search; /* NULL: none */
    enum { ANY, NORMAL, STRANGE, OF_VERDICT } verdict;
    gpa_verdict wanted;
};

/* LOW..HIGH, one of them may be missing; `value` reads an end. */
static bool read_ends(const gpa_study *s, size_t k, const char *text, double *low,
                      double *high)
{
    char word[80];
    const char *dots = strstr(text, "..");
    size_t length = dots != NULL ? (size_t)(dots - text) : 0;
    *low = -HUGE_VAL;
    *high = HUGE_VAL;
    if (dots == NULL || length >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    return (length == 0 || gpai_study_read_value(s, k, word, low, NULL) == GPA_OK) &&
           (dots[2] == '\0' ||
            gpai_study_read_value(s, k, dots + 2, high, NULL) == GPA_OK);
}

/* NAME:LEVEL of a one-hot group: the column of that level is 1. */
static bool take_group(const gpa_study *s, const char *name, size_t length,
                       const char *level, struct condition *c)
{
    size_t first = 0;
    if (!gpai_study_find_group(s, name, length, &first))
        return false;
    for (size_t k = first; k < s->d; k++) {
        const gpa_input *in = &s->kinds[k];
        if (in->group == s->kinds[first].group &&
            strcmp(in->label != NULL ? in->label : s->called[k], level) == 0) {
            *c = (struct condition){.column = (long)k, .low = 1, .high = 1};
            return true;
        }
    }
    return false;
}

/* NAME:LOW..HIGH or NAME:LEVEL; names may hold colons, so the last one counts. */
static gpa_status take_where(struct filter *f, const gpa_study *s, const char *text,
                             gpa_error *err)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0, k = 0;
    struct condition *c = &f->all[f->n];
    if (colon == NULL)
        return gpai_fail(err, GPA_INVALID, "where: '%.80s' is not NAME:LOW..HIGH",
                         text);
    f->n++;
    if (take_group(s, text, length, colon + 1, c))
        return GPA_OK;
    gpa_status st = gpai_study_find_input(s, "where", text, length, &k, err);
    c->column = (long)k;
    if (st != GPA_OK || read_ends(s, k, colon + 1, &c->low, &c->high))
        return st;
    st = gpai_study_read_value(s, k, colon + 1, &c->low, err);
    c->high = c->low;
    return st == GPA_OK ? st
                        : gpai_fail(err, GPA_INVALID,
                                    "where: '%.80s' is neither LOW..HIGH nor a value "
                                    "of '%.80s'",
                                    colon + 1, s->called[k]);
}

static gpa_status take_range(struct filter *f, const gpa_study *s, const char *name,
                             long of, const char *text, gpa_error *err)
{
    struct condition *c = &f->all[f->n++];
    c->column = of;
    return read_ends(s, s->d, text, &c->low, &c->high)
               ? GPA_OK
               : gpai_fail(err, GPA_INVALID, "%s: '%.60s' is not LOW..HIGH", name,
                           text);
}

static gpa_status take_verdict(struct filter *f, const char *text, gpa_error *err)
{
    f->verdict = strcmp(text, "normal") == 0    ? NORMAL
                 : strcmp(text, "strange") == 0 ? STRANGE
                                                : OF_VERDICT;
    for (int i = GPA_VERDICT_NORMAL; f->verdict == OF_VERDICT; i++) {
        const char *name = gpa_verdict_name((gpa_verdict)i);
        f->wanted = (gpa_verdict)i;
        if (name == NULL)
            return gpai_fail(err, GPA_INVALID,
                             "verdict: normal, strange, input, tied or output");
        if (strcmp(name, text) == 0)
            break;
    }
    return GPA_OK;
}

/* One parameter of a filter; others are passed over. *key gets what it was. */
static gpa_status take_param(struct filter *f, const gpa_study *s,
                             const struct param *p, gpa_text *key, gpa_error *err)
{
    static const struct {
        const char *name;
        long of;
    } RANGES[] = {{"score", OF_SCORE}, {"off", OF_OFF}, {"y", OF_Y}, {"f", OF_F}};
    size_t before = f->n;
    gpa_status st = GPA_OK;
    bool mine = true;
    if (p->value[0] == '\0')
        return GPA_OK;
    if (f->n == CONDITIONS)
        return gpai_fail(err, GPA_INVALID, "more than %d conditions", (int)CONDITIONS);
    if (strcmp(p->name, "where") == 0)
        st = take_where(f, s, p->value, err);
    else if (strcmp(p->name, "q") == 0)
        f->search = p->value;
    else if (strcmp(p->name, "verdict") == 0)
        st = take_verdict(f, p->value, err);
    else
        mine = false;
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        if (strcmp(p->name, RANGES[i].name) == 0)
            st = take_range(f, s, p->name, RANGES[i].of, p->value, err);
    if (mine || f->n > before)
        gpai_text_printf(key, "%s=%s\n", p->name, p->value);
    return st;
}

/* What is looked at of the rows: how many have f, and sigma (NaN: not known yet). */
struct look {
    const gpa_study *s;
    size_t known;
    double sigma;
    const double *score; /* NULL: not known yet */
};

static struct look look_at(struct rows *r)
{
    enum state state = serving_state(r->v);
    bool ready = state == STATE_READY || state == STATE_STOPPED;
    const gpa_study *s = r->v->study;
    return (struct look){.s = s,
                         .known = atomic_load(&r->v->scored),
                         .sigma = ready ? s->sigma : (double)NAN,
                         .score = ready ? s->score : NULL};
}

static double number_of(const struct look *w, size_t row, long of)
{
    const gpa_study *s = w->s;
    bool fit = row < w->known && (w->score == NULL || s->unfit[row] == 0);
    double f = fit ? s->f[row] : (double)NAN;
    switch (of) {
    case OF_SCORE:
        return w->score != NULL ? w->score[row] : (double)NAN;
    case OF_OFF:
        return (s->y[row] - f) / w->sigma;
    case OF_Y:
        return s->y[row];
    case OF_F:
        return f;
    default:
        return s->x[row * s->d + (size_t)of];
    }
}

/* Whether the id, or number, of a row has this in it, whatever its case. */
static bool has_name(const gpa_study *s, size_t row, const char *search)
{
    char room[24], *digits = room + sizeof room - 1;
    if (s->ids != NULL)
        return strcasestr(s->ids[row], search) != NULL;
    *digits = '\0';
    do
        *--digits = (char)('0' + row % 10);
    while ((row /= 10) > 0);
    return strstr(digits, search) != NULL;
}

/* Conditions on inputs, one after the other: nearly all filters, and quickly. */
static void narrow(const struct filter *f, const gpa_study *s, unsigned char *mask)
{
    memset(mask, 1, s->n);
    for (size_t k = 0; k < f->n; k++) {
        const struct condition c = f->all[k];
        const double *x = c.column >= 0 ? s->x + c.column : NULL;
        for (size_t i = 0; x != NULL && i < s->n; i++)
            mask[i] &=
                (unsigned char)((x[i * s->d] >= c.low) & (x[i * s->d] <= c.high));
    }
}

/* Whether there are others. */
static bool has_more(const struct filter *f)
{
    bool more = f->search != NULL || f->verdict != ANY;
    for (size_t k = 0; k < f->n; k++)
        more = more || f->all[k].column < 0;
    return more;
}

/* All but those on inputs. */
static bool passes(const struct filter *f, const struct look *w, struct serving *v,
                   size_t row)
{
    for (size_t i = 0; i < f->n; i++) {
        if (f->all[i].column >= 0)
            continue;
        double value = number_of(w, row, f->all[i].column);
        if (!(value >= f->all[i].low && value <= f->all[i].high))
            return false;
    }
    if (f->verdict == NORMAL || f->verdict == STRANGE) {
        double off = fabs(number_of(w, row, OF_OFF));
        if (f->verdict == NORMAL ? !(off <= 2) : !(off > 2))
            return false;
    }
    if (f->verdict == OF_VERDICT && v->who[row].verdict != (unsigned)f->wanted)
        return false;
    return f->search == NULL || has_name(w->s, row, f->search);
}

gpa_status rows_filter(struct rows *r, const struct request *ask, struct passed *out,
                       gpa_error *err)
{
    struct look w = look_at(r);
    struct filter f = {.n = 0};
    gpa_text *key = NULL;
    bool found = false;
    gpa_status st = gpa_text_new(&key, err);
    for (size_t i = 0; i < ask->n_params && st == GPA_OK; i++)
        st = take_param(&f, w.s, &ask->params[i], key, err);
    if (st == GPA_OK && (w.score == NULL || f.verdict == OF_VERDICT)) {
        pthread_mutex_lock(&r->v->lock); /* what is known grows */
        gpai_text_printf(key, "%zu %zu", w.known, r->v->explained);
        pthread_mutex_unlock(&r->v->lock);
    }
    if (st == GPA_OK)
        st = gpai_text_seal(key, 0, err);
    struct kept *k =
        st == GPA_OK ? find(r, r->masks, MASKS, gpa_text_data(key), 1, &found) : NULL;
    if (st == GPA_OK && k == NULL)
        st = gpai_nomem(err, "serve");
    if (st == GPA_OK && !found) {
        unsigned char *mask = k->data;
        pthread_mutex_lock(&r->v->lock);
        k->n = 0;
        narrow(&f, w.s, mask);
        bool more = has_more(&f);
        for (size_t i = 0; more && i < w.s->n; i++)
            mask[i] = mask[i] && passes(&f, &w, r->v, i);
        for (size_t i = 0; i < w.s->n; i++)
            k->n += mask[i];
        pthread_mutex_unlock(&r->v->lock);
        st = settle(r, k, gpa_text_data(key), err);
    }
    if (st == GPA_OK)
        *out = (struct passed){.mask = k->data, .n = k->n, .known = w.known};
    gpa_text_free(key);
    return st;
}

/* Orders. */

/* What they are sorted by: an input, or one of these. */
enum { BY_ROW = -10, BY_ID = -11, BY_WHO = -12 };

static gpa_status find_key(const gpa_study *s, const char *name, long *key,
                           gpa_error *err)
{
    static const struct {
        const char *name;
        long key;
    } KEYS[] = {{"score", OF_SCORE}, {"row", BY_ROW}, {"id", BY_ID},  {"y", OF_Y},
                {"f", OF_F},         {"off", OF_OFF}, {"who", BY_WHO}};
    size_t k = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (strcmp(KEYS[i].name, name) == 0) {
            *key = KEYS[i].key;
            return GPA_OK;
        }
    if (strncmp(name, "x:", 2) != 0)
        return gpai_fail(err, GPA_INVALID,
                         "sort: '%.60s' is none of score, row, id, y, f, off, who and "
                         "x:NAME",
                         name);
    if (gpai_study_find_group(s, name + 2, strlen(name + 2), &k)) {
        *key = (long)k;
        return GPA_OK;
    }
    gpa_status st =
        gpai_study_find_input(s, "sort", name + 2, strlen(name + 2), &k, err);
    *key = (long)k;
    return st;
}

struct named {
    const char *id;
    uint32_t row;
};

static int by_id(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    int c = strcmp(p->id, q->id);
    return c != 0 ? c : (p->row > q->row) - (p->row < q->row);
}

static bool order_ids(const gpa_study *s, bool down, uint32_t *out)
{
    struct named *all = gpai_calloc(s->n, sizeof *all);
    if (all == NULL)
        return false;
    for (size_t i = 0; i < s->n; i++)
        all[i] = (struct named){.id = s->ids[i], .row = (uint32_t)i};
    qsort(all, s->n, sizeof *all, by_id);
    for (size_t i = 0; i < s->n; i++)
        out[i] = all[down ? s->n - 1 - i : i].row;
    gpai_free(all);
    return true;
}

static bool order_numbers(struct rows *r, const struct look *w, long key, bool down,
                          uint32_t *out)
{
    size_t n = w->s->n;
    double *value = gpai_calloc(n, sizeof *value);
    if (value == NULL)
        return false;
    pthread_mutex_lock(&r->v->lock);
    for (size_t i = 0; i < n; i++) {
        const struct who *who = &r->v->who[i];
        value[i] = key == BY_ROW                         ? (double)i
                   : key != BY_WHO                       ? number_of(w, i, key)
                   : who->verdict == GPA_VERDICT_UNKNOWN ? (double)NAN
                                                         : (double)who->responsible;
    }
    pthread_mutex_unlock(&r->v->lock);
    bool good = gpai_order(value, n, down, out);
    gpai_free(value);
    return good;
}

gpa_status rows_order(struct rows *r, const struct request *ask, const uint32_t **order,
                      char name[KEY_SIZE], gpa_error *err)
{
    struct look w = look_at(r);
    const char *sort = request_param(ask, "sort"), *way = request_param(ask, "order");
    char key[KEY_SIZE + 40];
    bool found = false;
    long by = OF_SCORE;
    sort = sort != NULL && sort[0] != '\0' ? sort : "score";
    bool down = sort[0] == '-';
    sort += down;
    gpa_status st = find_key(w.s, sort, &by, err);
    if (st != GPA_OK)
        return st;
    down = way != NULL && way[0] != '\0' ? strcmp(way, "desc") == 0
                                         : down || by == OF_SCORE;
    snprintf(name, KEY_SIZE, "%s%.*s", down ? "-" : "", KEY_SIZE - 2, sort);
    *order = NULL;
    bool numbered = by == BY_ROW || (by == BY_ID && w.s->ids == NULL);
    if (numbered && !down)
        return GPA_OK;
    by = numbered ? BY_ROW : by;
    size_t growing = by == BY_WHO ? r->v->explained : w.score == NULL ? w.known : 0;
    snprintf(key, sizeof key, "%s %zu %d", name, growing, w.score != NULL);
    struct kept *k = find(r, r->orders, ORDERS, key, sizeof(uint32_t), &found);
    if (k == NULL)
        return gpai_nomem(err, "serve");
    if (!found) {
        bool good = by == BY_ID ? order_ids(w.s, down, k->data)
                                : order_numbers(r, &w, by, down, k->data);
        st = good ? settle(r, k, key, err) : gpai_nomem(err, "serve");
    }
    *order = k->data;
    return st;
}

/* While rows are being scored the worst so far are those farthest off. */
static size_t worst_so_far(const struct look *w, const struct passed *p, size_t most,
                           uint32_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < w->known; i++) {
        double off = fabs(w->s->y[i] - w->s->f[i]);
        if (!p->mask[i] || !(off >= 0))
            continue;
        size_t at = n;
        while (at > 0 && fabs(w->s->y[out[at - 1]] - w->s->f[out[at - 1]]) < off)
            at--;
        if (at == most)
            continue;
        size_t end = n < most ? n++ : most - 1;
        memmove(out + at + 1, out + at, (end - at) * sizeof *out);
        out[at] = (uint32_t)i;
    }
    return n;
}

static const struct request WORST_FIRST = {.n_params = 0};

void rows_prepare(struct rows *r)
{
    const uint32_t *order;
    char name[KEY_SIZE];
    (void)!rows_order(r, &WORST_FIRST, &order, name, NULL);
}

size_t rows_worst(struct rows *r, const struct passed *p, size_t most, uint32_t *out)
{
    struct look w = look_at(r);
    const uint32_t *order = NULL;
    char name[KEY_SIZE];
    size_t n = 0;
    if (w.score == NULL)
        return most > 0 ? worst_so_far(&w, p, most, out) : 0;
    if (rows_order(r, &WORST_FIRST, &order, name, NULL) != GPA_OK)
        return 0;
    for (size_t i = 0; i < w.s->n && n < most; i++)
        if (p->mask[order[i]] && w.s->unfit[order[i]] == 0)
            out[n++] = order[i];
    return n;
}
