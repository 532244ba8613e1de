#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "serve/rows/rows.h"
#include "serve/serving.h"
#include "serve/values.h"
#include <math.h>

/* Predicted against observed: points, or how many there are in each bin; and how far
 * off they are. */

enum { COLUMNS = 56, ROWS = 36, MOST_BINS = 400, WORST = 200, MOST_WORST = 2000 };

/* The bins of what is off: half a sigma each, the outermost hold all beyond. */
enum { REACH = 8, STEPS = 2 * REACH * 2 };

struct map {
    const gpa_study *s;
    bool scored; /* score and sigma are there */
    size_t known;
    size_t n;                         /* rows that pass and have f */
    double f[2], y[2];                /* ends */
    size_t columns, rows, most_worst; /* as asked */
    uint32_t *counts;                 /* NULL: points */
    uint64_t off[STEPS];
    double sum; /* of what is off */
};

static bool shown(const struct map *m, const struct passed *p, size_t i)
{
    return i < m->known && p->mask[i] && (!m->scored || m->s->unfit[i] == 0) &&
           isfinite(m->s->f[i]) && isfinite(m->s->y[i]);
}

static void measure(struct map *m, const struct passed *p)
{
    double sigma = m->scored ? m->s->sigma : (double)NAN;
    m->f[0] = m->y[0] = HUGE_VAL;
    m->f[1] = m->y[1] = -HUGE_VAL;
    for (size_t i = 0; i < m->s->n; i++) {
        if (!shown(m, p, i))
            continue;
        double f = m->s->f[i], y = m->s->y[i];
        m->n++;
        m->f[0] = fmin(m->f[0], f);
        m->f[1] = fmax(m->f[1], f);
        m->y[0] = fmin(m->y[0], y);
        m->y[1] = fmax(m->y[1], y);
        m->sum += y - f;
        double at = ((y - f) / sigma + REACH) * 2;
        if (isfinite(at))
            m->off[at < 0 ? 0 : at >= STEPS ? STEPS - 1 : (size_t)at]++;
    }
}

static size_t bin_of(double v, const double ends[2], size_t bins)
{
    double width = ends[1] - ends[0];
    double at = width > 0 ? (v - ends[0]) / width * (double)bins : 0;
    return at < (double)bins ? (size_t)at : bins - 1;
}

static void count(struct map *m, const struct passed *p)
{
    for (size_t i = 0; i < m->s->n; i++)
        if (shown(m, p, i))
            m->counts[bin_of(m->s->y[i], m->y, m->rows) * m->columns +
                      bin_of(m->s->f[i], m->f, m->columns)]++;
}

static void point(gpa_text *t, const struct map *m, size_t i)
{
    gpai_json_comma(t);
    gpai_text_printf(t, "[%zu,", i);
    (void)gpai_json_number(t, m->s->f[i]);
    gpai_text_add(t, ",");
    (void)gpai_json_number(t, m->s->y[i]);
    gpai_text_add(t, ",");
    (void)gpai_json_number(t, m->scored ? m->s->score[i] : (double)NAN);
    gpai_text_add(t, "]");
}

static void ends_field(gpa_text *t, const char *name, const double ends[2])
{
    gpai_json_open(t, name, "[");
    (void)gpai_json_number(t, isfinite(ends[0]) ? ends[0] : (double)NAN);
    gpai_text_add(t, ",");
    (void)gpai_json_number(t, isfinite(ends[1]) ? ends[1] : (double)NAN);
    gpai_text_add(t, "]");
}

static void points_fields(gpa_text *t, const struct map *m, const struct passed *p)
{
    gpai_json_open(t, "points", "[");
    for (size_t i = 0; i < m->s->n; i++)
        if (shown(m, p, i))
            point(t, m, i);
    gpai_text_add(t, "]");
    gpai_json_key(t, "bins");
    gpai_text_add(t, "null");
}

static void bins_fields(gpa_text *t, const struct map *m)
{
    gpai_json_key(t, "points");
    gpai_text_add(t, "null");
    gpai_json_open(t, "bins", "{");
    gpai_json_count_field(t, "columns", m->columns);
    gpai_json_count_field(t, "rows", m->rows);
    gpai_json_open(t, "counts", "[");
    for (size_t i = 0; i < m->columns * m->rows; i++)
        gpai_text_printf(t, "%s%u", i > 0 ? "," : "", (unsigned)m->counts[i]);
    gpai_text_add(t, "]}");
}

/* In sigma, without the empty bins at both ends. */
static void off_field(gpa_text *t, const struct map *m)
{
    size_t low = 0, high = STEPS;
    while (low < high && m->off[low] == 0)
        low++;
    while (high > low && m->off[high - 1] == 0)
        high--;
    gpai_json_open(t, "residuals", "{");
    values_field(t, "low", low < high ? 0.5 * (double)low - REACH : (double)NAN);
    values_field(t, "high", low < high ? 0.5 * (double)high - REACH : (double)NAN);
    gpai_json_open(t, "counts", "[");
    for (size_t i = low; i < high; i++)
        gpai_text_printf(t, "%s%ju", i > low ? "," : "", (uintmax_t)m->off[i]);
    gpai_text_add(t, "]");
    values_field(t, "sigma", m->scored ? m->s->sigma : (double)NAN);
    values_field(t, "mean", m->n > 0 ? m->sum / (double)m->n : (double)NAN);
    gpai_text_add(t, "}");
}

static void write_map(gpa_text *t, const struct map *m, const struct passed *p,
                      const uint32_t *worst, size_t n_worst)
{
    gpai_text_add(t, "{");
    gpai_json_count_field(t, "matching", p->n);
    gpai_json_count_field(t, "scored", m->known);
    ends_field(t, "f", m->f);
    ends_field(t, "y", m->y);
    if (m->counts == NULL)
        points_fields(t, m, p);
    else
        bins_fields(t, m);
    gpai_json_open(t, "worst", "[");
    for (size_t i = 0; i < n_worst; i++)
        point(t, m, worst[i]);
    gpai_text_add(t, "]");
    off_field(t, m);
    gpai_text_add(t, "}\n");
}

static gpa_status draw(struct map *m, struct exchange *x, gpa_error *err)
{
    struct serving *v = x->on;
    struct passed passed;
    gpa_status st = rows_filter(v->rows, &x->ask, &passed, err);
    if (st != GPA_OK)
        return st;
    uint32_t *worst = gpai_calloc(m->most_worst + 1, sizeof *worst);
    size_t n_worst = 0;
    m->known = passed.known;
    measure(m, &passed);
    bool bins = m->n > POINTS;
    m->counts = bins ? gpai_calloc(m->columns * m->rows, sizeof *m->counts) : NULL;
    if (worst == NULL || (bins && m->counts == NULL))
        st = gpai_nomem(err, "serve");
    if (st == GPA_OK && bins) {
        count(m, &passed);
        n_worst = rows_worst(v->rows, &passed, m->most_worst, worst);
    }
    gpa_text *t = st == GPA_OK ? reply_text(&x->reply, TYPE_JSON) : NULL;
    if (t != NULL)
        write_map(t, m, &passed, worst, n_worst);
    gpai_free(m->counts);
    gpai_free(worst);
    return st;
}

void answer_map(struct exchange *x, gpa_model *model)
{
    struct serving *v = x->on;
    struct map m = {.s = v->study};
    gpa_error err = {0};
    gpa_status st = GPA_OK;
    (void)model;
    if (!request_count(&x->ask, "columns", COLUMNS, MOST_BINS, &m.columns) ||
        !request_count(&x->ask, "rows", ROWS, MOST_BINS, &m.rows) || m.columns == 0 ||
        m.rows == 0 ||
        !request_count(&x->ask, "worst", WORST, MOST_WORST, &m.most_worst))
        st = gpai_fail(&err, GPA_INVALID,
                       "columns and rows are 1 to %d, worst at most %d", (int)MOST_BINS,
                       (int)MOST_WORST);
    rows_lock(v->rows);
    enum state state = serving_state(v);
    m.scored = state == STATE_READY || state == STATE_STOPPED;
    if (st == GPA_OK)
        st = draw(&m, x, &err);
    rows_unlock(v->rows);
    if (st != GPA_OK)
        reply_failed(&x->reply, st, &err);
}
