#include "base/alloc.h"
#include "base/text/input.h"
#include "report/html/parts.h"
#include "report/plot/plot.h"
#include <math.h>

/* Pictures as small as a word, for tables in pages; colours are the page's. */

enum { SPARK_WIDTH = 120, SPARK_HEIGHT = 20 };

void gpai_html_bar(gpa_text *t, double share)
{
    gpai_text_add(t, "<svg class=\"bar\" viewBox=\"0 0 100 1\" "
                     "preserveAspectRatio=\"none\"><path d=\"M0 0H");
    gpai_draw_number(t, 100 * share);
    gpai_text_add(t, "V1H0z\"/></svg>");
}

/* A column of a histogram, `high` pixels above `base`. */
static void column(gpa_text *t, double left, double width, double base, double high)
{
    gpai_draw_to(t, "M", left, base);
    gpai_text_add(t, "v");
    gpai_draw_number(t, -high);
    gpai_text_add(t, "h");
    gpai_draw_number(t, width);
    gpai_text_add(t, "v");
    gpai_draw_number(t, high);
}

/* The share of each level as a bar beside the next, the likeliest one in full height;
 * of as few bytes as possible. */
static void spark_bars(gpa_text *t, const gpa_marginal *m)
{
    double highest = 0, width = (double)SPARK_WIDTH / (double)m->levels;
    for (size_t i = 0; i < m->levels; i++)
        highest = fmax(highest, m->mass[i]);
    if (!(highest > 0))
        return;
    gpai_text_printf(t, "<svg class=\"spark\" viewBox=\"0 0 %d %d\"><path d=\"",
                     SPARK_WIDTH, SPARK_HEIGHT);
    for (size_t i = 0; i < m->levels; i++)
        column(t, width * ((double)i + 0.1), 0.8 * width, SPARK_HEIGHT - 1,
               (SPARK_HEIGHT - 2) * m->mass[i] / highest);
    gpai_text_add(t, "\"/></svg>");
}

gpai_axis gpai_html_spark_axis(const gpai_view *v, size_t shown)
{
    gpai_span s = {0, 0};
    for (size_t i = 0; i < shown; i++) {
        const gpa_marginal *m = gpai_view_marginal(v, v->order[i]);
        if (m == NULL || m->levels > 0 || gpai_view_held(v, v->order[i]))
            continue;
        gpai_span_add(&s, m->interval90[0]);
        gpai_span_add(&s, m->interval90[1]);
    }
    gpai_span_air(&s, 0.12);
    return gpai_axis_make(s, 0, SPARK_WIDTH);
}

static double highest(const gpa_marginal *m)
{
    double peak = 0;
    for (size_t i = 0; i < m->points; i++)
        peak = m->density[i] > peak ? m->density[i] : peak;
    return peak;
}

void gpai_html_spark(gpa_text *t, const gpai_axis *x, const gpa_marginal *m)
{
    const gpa_plot_curve c = {m->grid, m->density, m->points};
    double peak = highest(m), base = SPARK_HEIGHT - 1;
    if (m->levels > 0)
        spark_bars(t, m);
    if (!(peak > 0) || !isfinite(peak))
        return;
    const gpai_axis y = {0, peak, base, 1};
    gpai_text_printf(t, "<svg class=\"spark\" viewBox=\"0 0 %d %d\">", SPARK_WIDTH,
                     SPARK_HEIGHT);
    gpai_plot_curve(t, "k", x, &y, &c, &base);
    gpai_text_add(t, "<path class=\"z\" d=\"M");
    gpai_draw_number(t, gpai_axis_at(x, 0));
    gpai_text_printf(t, " 0V%d\"/></svg>", SPARK_HEIGHT);
}

/* Where a value lies in the data: how often values occur, the value now, what would
 * look normal with its 90 % interval. */

enum { WIDTH = 220, HEIGHT = 34, BASE = 28, EDGE = 6, BINS = 28, LEVELS = 40 };

struct strip {
    gpai_axis x;
    const double *now; /* of each explained row */
    size_t rows, step;
    double normal, low, high; /* NaN: not known */
};

static double now_of(const struct strip *s, size_t i)
{
    return s->now[i * s->step];
}

static void open_strip(gpa_text *t)
{
    gpai_text_printf(t,
                     "<svg class=\"strip\" viewBox=\"0 0 %d %d\"><path class=\"t\" "
                     "d=\"M%d %dH%d\"/>",
                     WIDTH, HEIGHT, EDGE, BASE, WIDTH - EDGE);
}

static void histogram(gpa_text *t, const gpai_axis *x, const double *seen, size_t n,
                      size_t bins)
{
    size_t count[LEVELS];
    size_t most = gpai_axis_count(x, seen, n, count, bins);
    double width = (x->to - x->from) / (double)bins;
    if (most == 0)
        return;
    gpai_text_add(t, "<path class=\"h\" d=\"");
    for (size_t i = 0; i < bins; i++)
        if (count[i] > 0)
            column(t, x->from + width * (double)i + 0.4, width - 0.8, BASE - 2,
                   fmax(1, (BASE - 4) * (double)count[i] / (double)most));
    gpai_text_add(t, "\"/>");
}

static void marks(gpa_text *t, const struct strip *s)
{
    enum { MOST = 60 }; /* rows; more of them hide each other */
    if (s->low < s->high && s->high > s->x.low && s->low < s->x.high) {
        gpai_text_add(t, "<path class=\"i\" d=\"");
        gpai_draw_to(t, "M", gpai_axis_at(&s->x, s->low), BASE);
        gpai_text_add(t, "H");
        gpai_draw_number(t, gpai_axis_at(&s->x, s->high));
        gpai_text_add(t, "\"/>");
    }
    for (size_t i = 0; i < s->rows && i < MOST; i++)
        if (gpai_drawable(now_of(s, i)))
            gpai_draw_circle(t, "o", gpai_axis_at(&s->x, now_of(s, i)), BASE,
                             s->rows > 1 ? 2.5 : 4.2);
    if (gpai_drawable(s->normal))
        gpai_draw_diamond(t, "n", gpai_axis_at(&s->x, s->normal), BASE, 4.4);
    gpai_text_add(t, "</svg>");
}

/* All of the data but what lies apart, and the signs; an interval that leaves it is
 * cut. */
static gpai_axis axis_of(const struct strip *s, const double *seen, size_t n)
{
    gpai_span span = gpai_span_empty();
    gpai_span_add_near(&span, seen, n);
    if (n == 0) {
        gpai_span_add(&span, s->low);
        gpai_span_add(&span, s->high);
    }
    for (size_t i = 0; i < s->rows; i++)
        gpai_span_add(&span, now_of(s, i));
    gpai_span_add(&span, s->normal);
    if (!(span.low <= span.high))
        gpai_span_add(&span, 0);
    gpai_span_air(&span, 0.02);
    return gpai_axis_make(span, EDGE, WIDTH - EDGE);
}

static void strip_of(gpa_text *t, struct strip *s, const double *seen, size_t n,
                     bool full)
{
    s->x = axis_of(s, seen, n);
    open_strip(t);
    if (full)
        histogram(t, &s->x, seen, n, BINS);
    marks(t, s);
}

static double place_of(const gpa_input *in, double value)
{
    size_t place = gpai_input_level(in, value);
    return place < in->levels ? (double)place : (double)NAN;
}

/* Of levels the places, each in the middle of its column. */
static void level_strip(gpa_text *t, const gpai_view *v, size_t k, double *seen,
                        size_t n, bool full)
{
    const gpa_input *in = &v->kinds.input[k];
    bool known = v->c != NULL && !gpai_view_held(v, k);
    double now = place_of(in, gpai_view_x(v, k));
    struct strip s = {.now = &now, .rows = 1, .step = 1};
    if (in->levels > LEVELS)
        return;
    s.normal = known ? place_of(in, gpai_view_normal(v, k)) : (double)NAN;
    s.low = s.high = (double)NAN;
    s.x = (gpai_axis){-0.5, (double)in->levels - 0.5, EDGE, WIDTH - EDGE};
    for (size_t i = 0; i < n; i++)
        seen[i] = place_of(in, seen[i]);
    open_strip(t);
    if (full)
        histogram(t, &s.x, seen, n, in->levels);
    marks(t, &s);
}

/* What would look normal for a number, with its interval. */
static void normal_of(const gpai_view *v, size_t k, struct strip *s)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    double x = gpai_view_x(v, k);
    s->normal = s->low = s->high = (double)NAN;
    if (v->c == NULL || gpai_view_held(v, k))
        return;
    bool values = a != NULL && v->n == 1 && isfinite(a->low);
    s->normal = gpai_view_normal(v, k);
    if (gpai_view_exchanged(v, k) < v->d)
        return;
    s->low = values ? a->low : x + v->c->low[k] * v->unit[k];
    s->high = values ? a->high : x + v->c->high[k] * v->unit[k];
}

void gpai_html_strip(gpa_text *t, const gpai_view *v, size_t k, bool full)
{
    size_t n = 0;
    double *seen = gpai_view_seen(t, v, k, &n);
    struct strip s = {.now = v->x + k, .rows = v->n, .step = v->d};
    if (t->failed)
        return;
    if (v->kinds.input[k].levels > 0) {
        level_strip(t, v, k, seen, n, full);
    } else {
        normal_of(v, k, &s);
        strip_of(t, &s, seen, n, full);
    }
    gpai_free(seen);
}

void gpai_html_strip_outcome(gpa_text *t, const gpai_view *v, bool full)
{
    size_t n = 0;
    double *seen = gpai_view_seen(t, v, v->d, &n);
    double ends[2], normal = gpai_view_output_normal(v, ends);
    struct strip s = {.now = v->y,
                      .rows = v->n,
                      .step = 1,
                      .normal = normal,
                      .low = ends[0],
                      .high = ends[1]};
    if (t->failed)
        return;
    strip_of(t, &s, seen, n, full);
    gpai_free(seen);
}
