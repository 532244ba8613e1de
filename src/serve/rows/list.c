#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "serve/rows/rows.h"
#include "serve/serving.h"
#include "serve/values.h"
#include <math.h>
#include <stdio.h>

/* The list: a page of rows. */

enum { DEFAULT_ROWS = 50 };

struct page {
    size_t offset, limit;
    size_t at, at_index; /* the row that must be on it, and its place; SIZE_MAX: none */
    uint32_t *rows;
    size_t n;
};

static gpa_status take_page(struct page *p, const struct request *r, gpa_error *err)
{
    if (!request_count(r, "offset", 0, SIZE_MAX, &p->offset) ||
        !request_count(r, "limit", DEFAULT_ROWS, PAGE_ROWS, &p->limit) ||
        !request_count(r, "at", SIZE_MAX, SIZE_MAX, &p->at))
        return gpai_fail(err, GPA_INVALID,
                         "offset, limit and at are whole numbers, limit at most %d",
                         (int)PAGE_ROWS);
    p->at_index = SIZE_MAX;
    p->rows = gpai_calloc(p->limit + 1, sizeof *p->rows);
    return p->rows != NULL ? GPA_OK : gpai_nomem(err, "serve");
}

/* The place of the wanted row among those that pass; the page begins accordingly. */
static void find_at(struct page *p, const struct passed *passed, const uint32_t *order,
                    size_t n)
{
    size_t place = 0;
    if (p->at >= n || !passed->mask[p->at] || p->limit == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t row = order != NULL ? order[i] : i;
        if (row == p->at)
            break;
        place += passed->mask[row];
    }
    p->at_index = place;
    p->offset = place / p->limit * p->limit;
}

static void fill(struct page *p, const struct passed *passed, const uint32_t *order,
                 size_t n)
{
    size_t skip = p->offset;
    if (p->offset >= passed->n)
        return;
    for (size_t i = 0; i < n && p->n < p->limit; i++) {
        uint32_t row = order != NULL ? order[i] : (uint32_t)i;
        if (!passed->mask[row])
            continue;
        if (skip > 0)
            skip--;
        else
            p->rows[p->n++] = row;
    }
}

/* While scores are not there, those farthest off so far. */
static gpa_status fill_early(struct page *p, struct serving *v,
                             const struct passed *passed, gpa_error *err)
{
    enum { MOST = 2000 };
    size_t most = p->offset + p->limit < MOST ? p->offset + p->limit : MOST;
    uint32_t *worst = gpai_calloc(most + 1, sizeof *worst);
    if (worst == NULL)
        return gpai_nomem(err, "serve");
    size_t n = rows_worst(v->rows, passed, most, worst);
    for (size_t i = p->offset; i < n; i++)
        p->rows[p->n++] = worst[i];
    gpai_free(worst);
    return GPA_OK;
}

static void who_field(gpa_text *t, struct serving *v, size_t row)
{
    struct who w = serving_who(v, row);
    if (w.verdict == GPA_VERDICT_UNKNOWN) {
        gpai_json_key(t, "who");
        gpai_text_add(t, "null");
        return;
    }
    gpai_json_open(t, "who", "{");
    values_who(t, v, &w);
    gpai_text_add(t, "}");
}

static void write_row(gpa_text *t, struct serving *v, size_t row)
{
    const gpa_study *s = v->study;
    char room[24];
    enum state state = serving_state(v);
    bool scored = state == STATE_READY || state == STATE_STOPPED;
    bool fit = scored ? s->unfit[row] == 0 : row < atomic_load(&v->scored);
    double f = fit ? s->f[row] : (double)NAN;
    snprintf(room, sizeof room, "%zu", row);
    gpai_json_comma(t);
    gpai_text_add(t, "\n{");
    gpai_json_count_field(t, "row", row);
    gpai_json_text_field(t, "id", s->ids != NULL ? s->ids[row] : room);
    values_field(t, "y", s->y[row]);
    values_field(t, "f", f);
    values_field(t, "off", s->y[row] - f);
    values_field(t, "off_sigma", scored ? (s->y[row] - f) / s->sigma : (double)NAN);
    values_field(t, "score", scored ? s->score[row] : (double)NAN);
    values_row(t, "x", s, s->x + row * s->d);
    who_field(t, v, row);
    gpai_text_add(t, "}");
}

static void write_page(gpa_text *t, struct serving *v, const struct page *p,
                       const struct passed *passed, const char *sort)
{
    gpai_text_add(t, "{");
    gpai_json_count_field(t, "total", v->study->n);
    gpai_json_count_field(t, "matching", passed->n);
    pthread_mutex_lock(&v->lock);
    size_t explained = v->explained;
    pthread_mutex_unlock(&v->lock);
    gpai_json_count_field(t, "explained", explained);
    gpai_json_count_field(t, "scored", passed->known);
    gpai_json_count_field(t, "offset", p->offset);
    if (p->at != SIZE_MAX)
        values_field(t, "at_index",
                     p->at_index != SIZE_MAX ? (double)p->at_index : (double)NAN);
    gpai_json_text_field(t, "sort", sort);
    gpai_json_open(t, "rows", "[");
    for (size_t i = 0; i < p->n; i++)
        write_row(t, v, p->rows[i]);
    gpai_text_add(t, "]}\n");
}

void answer_rows(struct exchange *x, gpa_model *model)
{
    struct serving *v = x->on;
    struct page p = {.n = 0};
    struct passed passed;
    const uint32_t *order = NULL;
    char sort[240] = "";
    gpa_error err = {0};
    (void)model;
    gpa_status st = take_page(&p, &x->ask, &err);
    rows_lock(v->rows);
    bool early = serving_state(v) == STATE_SCORING;
    if (st == GPA_OK)
        st = rows_filter(v->rows, &x->ask, &passed, &err);
    if (st == GPA_OK)
        st = rows_order(v->rows, &x->ask, &order, sort, &err);
    if (st == GPA_OK && early && sort[0] == '-' && sort[1] == 's') {
        st = fill_early(&p, v, &passed, &err);
    } else if (st == GPA_OK) {
        find_at(&p, &passed, order, v->study->n);
        fill(&p, &passed, order, v->study->n);
    }
    rows_unlock(v->rows);
    gpa_text *t = st == GPA_OK ? reply_text(&x->reply, TYPE_JSON) : NULL;
    if (t != NULL)
        write_page(t, v, &p, &passed, sort);
    if (st != GPA_OK)
        reply_failed(&x->reply, st, &err);
    gpai_free(p.rows);
}
