#include "report/plot/plot.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

gpa_status gpai_plot(gpa_text *t, const gpai_plot_kind *kind, void *full,
                     const void *given, gpa_error *err)
{
    if (t == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no text to draw into", kind->name);
    memcpy(full, kind->defaults, kind->size);
    if (!gpai_sized_take(full, kind->size, given))
        return gpai_fail(err, GPA_INVALID, "%s: nothing to draw; call its _init first",
                         kind->name);
    gpa_status st = kind->check(full, kind->name, err);
    if (st != GPA_OK)
        return st;
    size_t start = t->length;
    kind->draw(t, full);
    return gpai_text_seal(t, start, err);
}

gpa_status gpai_plot_names(const char *const *names, size_t n, const char *kind,
                           gpa_error *err)
{
    if (n == 0)
        return gpai_fail(err, GPA_INVALID, "%s: nothing to draw", kind);
    if (names == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no names", kind);
    for (size_t i = 0; i < n; i++)
        if (names[i] == NULL)
            return gpai_fail(err, GPA_INVALID, "%s: no name %zu of %zu", kind, i, n);
    return GPA_OK;
}

gpa_status gpai_plot_marked(const size_t *marked, size_t n_marked, size_t n,
                            const char *kind, gpa_error *err)
{
    if (n_marked > 0 && marked == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no marked rows", kind);
    for (size_t m = 0; m < n_marked; m++)
        if (marked[m] >= n)
            return gpai_fail(err, GPA_INVALID, "%s: row %zu of %zu", kind, marked[m],
                             n);
    return GPA_OK;
}

double gpai_plot_width(double wish, double usual)
{
    const double least = 240, most = 20000;
    return !(wish > 0) ? usual : wish < least ? least : wish > most ? most : wish;
}

double gpai_plot_widest(const char *const *names, size_t n, gpai_font font, double most)
{
    double widest = 0;
    for (size_t i = 0; i < n && widest < most; i++)
        widest = fmax(widest, gpai_text_width(names[i], font));
    return widest < most ? widest : most;
}

bool gpai_plot_curve_there(const gpa_plot_curve *c)
{
    return c->points == 0 || (c->x != NULL && c->y != NULL);
}

void gpai_plot_curve_span(const gpa_plot_curve *c, gpai_span *x, gpai_span *y)
{
    for (size_t i = 0; i < c->points; i++) {
        if (!gpai_drawable(c->x[i]) || !gpai_drawable(c->y[i]))
            continue;
        gpai_span_add(x, c->x[i]);
        gpai_span_add(y, c->y[i]);
    }
}

double gpai_plot_curve_at(const gpa_plot_curve *c, double x)
{
    for (size_t i = 1; i < c->points; i++) {
        double a = c->x[i - 1], b = c->x[i];
        if (x >= a && x <= b)
            return b > a ? c->y[i - 1] + (c->y[i] - c->y[i - 1]) * ((x - a) / (b - a))
                         : c->y[i];
    }
    return (double)NAN;
}

/* A path that grows point by point. A point is left out while a straight line from the
 * last one written passes all that were left out within `NEAR` pixels: curves of
 * hundreds of points become some twenty, and nobody sees it. */
struct pen {
    gpa_text *t;
    const gpai_axis *x, *y;
    const double *base;
    double px, py, lx, ly; /* where it is; what was written last */
    double least, most;    /* slopes that still pass */
    bool begun, pending;
};

static const double NEAR = 0.25;

static void pen_write(struct pen *p)
{
    gpai_draw_to(p->t, p->begun || p->base != NULL ? "L" : "M", p->px, p->py);
    p->lx = p->px;
    p->ly = p->py;
    p->least = -HUGE_VAL;
    p->most = HUGE_VAL;
    p->begun = true;
    p->pending = false;
}

static void pen_to(struct pen *p, double x, double y)
{
    double px = gpai_axis_at(p->x, x), py = gpai_axis_at(p->y, y);
    double run = px - p->lx, slope = run > 0 ? (py - p->ly) / run : 0;
    bool passes = run > 0 && slope >= p->least && slope <= p->most;
    if (p->pending && !passes)
        pen_write(p);
    p->px = px;
    p->py = py;
    if (!p->begun) {
        if (p->base != NULL)
            gpai_draw_to(p->t, "M", px, *p->base);
        pen_write(p);
        return;
    }
    run = px - p->lx;
    p->pending = run > 0;
    if (!p->pending) { /* straight up or down, or back */
        pen_write(p);
        return;
    }
    p->least = fmax(p->least, (py - NEAR - p->ly) / run);
    p->most = fmin(p->most, (py + NEAR - p->ly) / run);
}

static void pen_up(struct pen *p)
{
    if (p->pending)
        pen_write(p);
    if (p->begun && p->base != NULL)
        gpai_draw_to(p->t, "L", p->px, *p->base);
}

/* Where the piece between two points crosses an end of the axis, if it does. */
static void cross(struct pen *p, const gpa_plot_curve *c, size_t i, size_t j,
                  double end)
{
    double a = c->x[i], b = c->x[j];
    if (!((a < end && end < b) || (b < end && end < a)))
        return;
    double y = c->y[i] + (c->y[j] - c->y[i]) * ((end - a) / (b - a));
    if (gpai_drawable(y))
        pen_to(p, end, y);
}

void gpai_plot_curve(gpa_text *t, const char *class, const gpai_axis *x,
                     const gpai_axis *y, const gpa_plot_curve *c, const double *base)
{
    struct pen p = {.t = t, .x = x, .y = y, .base = base};
    size_t start = t->length, last = c->points;
    gpai_text_printf(t, "<path class=\"%s\" d=\"", class);
    for (size_t i = 0; i < c->points; i++) {
        if (!gpai_drawable(c->y[i]) || !gpai_drawable(c->x[i]))
            continue;
        if (last < c->points) {
            cross(&p, c, last, i, x->low);
            cross(&p, c, last, i, x->high);
        }
        if (gpai_axis_has(x, c->x[i]))
            pen_to(&p, c->x[i], c->y[i]);
        last = i;
    }
    pen_up(&p);
    gpai_text_add(t, "\"/>");
    if (!p.begun && !t->failed) { /* no points, no path */
        gpai_text_cut(t, start);
    }
}

/* A number below the axis. At the ends it moves inwards, so that nothing is cut off;
 * one that would have to move far, into its neighbour, is left out. */
static void tick_label(gpa_text *t, const gpai_axis *x, const gpai_ticks *k, size_t i,
                       double y, bool plus)
{
    const double over = 10, most = 6;
    double at = gpai_axis_at(x, gpai_tick(k, i));
    gpai_cell number = gpai_tick_text(k, i, plus);
    double half = 0.5 * gpai_text_width(number.text, GPAI_FONT_SMALL);
    double right = fmax(at + half - x->to - over, 0);
    double left = fmax(x->from - over - at + half, 0);
    if (fmax(left, right) <= most || k->count <= 2)
        gpai_draw_label(t, gpai_label_small(GPAI_MIDDLE, at + left - right, y, 0),
                        number.text);
}

void gpai_plot_x_axis(gpa_text *t, const gpai_axis *x, double top, double bottom,
                      const char *label, bool plus)
{
    gpai_ticks k = gpai_ticks_across(x, gpai_font_size(GPAI_FONT_SMALL));
    for (size_t i = 0; i < k.count; i++) {
        double at = gpai_axis_at(x, gpai_tick(&k, i));
        gpai_draw_line(t, "p-grid", at, top, at, bottom);
        tick_label(t, x, &k, i, bottom + 14, plus);
    }
    double middle = (x->from + x->to) / 2, room = fabs(x->to - x->from);
    /* the unit of the numbers stands at the end of the axis */
    gpai_draw_label(t, gpai_label_small(GPAI_END, x->to, bottom + 30, 0),
                    gpai_tick_power(&k).text);
    room -= k.power != 0 ? 80 : 0;
    gpai_draw_label(t, gpai_label_name(GPAI_MIDDLE, middle, bottom + 30, room), label);
    gpai_text_add(t, "\n");
}

enum { Y_LABEL = 20, GAP = 16, MANY = 1000 };

static double numbers_width(const gpai_ticks *k)
{
    double widest = 0;
    for (size_t i = 0; i < k->count; i++)
        widest = fmax(
            widest, gpai_text_width(gpai_tick_text(k, i, false).text, GPAI_FONT_SMALL));
    return widest;
}

gpai_panels gpai_panels_make(size_t n, gpai_frame frame, double each, double shape,
                             gpai_span y)
{
    gpai_panels p = {.n = n, .frame = frame, .y = y};
    gpai_axis axis = gpai_axis_make(y, each * shape, 0);
    p.ticks = gpai_ticks_make(&axis, each * shape > 160 ? 6 : 4);
    p.left = GPAI_MARGIN + numbers_width(&p.ticks) + 6;
    double room = frame.width - p.left - GPAI_MARGIN;
    double fit = floor((room + GAP) / (each + GAP));
    p.columns = fit < 1 ? 1 : (size_t)fit;
    p.columns = p.columns > n ? n : p.columns;
    p.rows = (n + p.columns - 1) / p.columns;
    p.pitch_x = (room + GAP) / (double)p.columns;
    p.w = p.pitch_x - GAP;
    p.h = fmin(p.w, 1.5 * each) * shape;
    p.pitch_y = p.h + GPAI_X_AXIS + 12;
    p.top = GPAI_MARGIN + gpai_title_height(&frame) + Y_LABEL;
    p.frame.height = p.top + (double)p.rows * p.pitch_y - 8 +
                     gpai_note_height(frame.note, frame.width);
    return p;
}

void gpai_panels_stretch(gpai_panels *p, double below)
{
    p->below = below;
    p->pitch_y += below;
    p->frame.height += below * (double)p->rows;
}

gpai_panel gpai_panel_at(const gpai_panels *p, size_t i, gpai_span x)
{
    double left = p->left + (double)(i % p->columns) * p->pitch_x;
    double top = p->top + (double)(i / p->columns) * p->pitch_y;
    return (gpai_panel){gpai_axis_make(x, left, left + p->w),
                        gpai_axis_make(p->y, top + p->h, top)};
}

void gpai_panel_draw(gpa_text *t, const gpai_panels *p, const gpai_panel *a, size_t i,
                     const char *x_label, const gpai_level_axis *levels,
                     const gpa_input *in)
{
    bool date = in != NULL &&
                (in->writing == GPA_WRITING_DATE || in->writing == GPA_WRITING_TIME);
    gpai_draw_rect(t, "p-sheet", a->x.from, a->y.to, p->w, p->h);
    for (size_t j = 0; j < p->ticks.count; j++) {
        double at = gpai_axis_at(&a->y, gpai_tick(&p->ticks, j));
        gpai_draw_line(t, "p-grid", a->x.from, at, a->x.to, at);
        if (i % p->columns == 0)
            gpai_draw_label(t, gpai_label_small(GPAI_END, a->x.from - 5, at + 3.5, 0),
                            gpai_tick_text(&p->ticks, j, false).text);
    }
    if (levels != NULL)
        gpai_levels_x_axis(t, levels, &a->x, a->y.from, p->below, x_label);
    else if (date)
        gpai_dates_x_axis(t, in, &a->x, a->y.to, a->y.from, x_label);
    else
        gpai_plot_x_axis(t, &a->x, a->y.to, a->y.from, x_label, false);
    gpai_draw_line(t, "p-rule", a->x.from, a->y.from, a->x.to, a->y.from);
}

void gpai_panels_y_label(gpa_text *t, const gpai_panels *p, const char *label,
                         double share)
{
    double y = p->top - 8, power = p->ticks.power != 0 ? 48 : 0;
    gpai_draw_label(t, gpai_label_small(GPAI_START, GPAI_MARGIN, y, 0),
                    gpai_tick_power(&p->ticks).text);
    gpai_draw_label(t,
                    gpai_label_name(GPAI_START, GPAI_MARGIN + power, y,
                                    share * p->frame.width - 2 * GPAI_MARGIN - power),
                    label);
}

void gpai_panel_points(gpa_text *t, const gpai_panel *a, const double *x, size_t step,
                       const double *y, size_t n)
{
    size_t w = (size_t)fabs(a->x.to - a->x.from) + 2;
    size_t h = (size_t)fabs(a->y.from - a->y.to) + 2;
    unsigned char *taken = t->failed ? NULL : gpai_calloc(w * h, 1);
    t->failed = taken == NULL;
    if (t->failed)
        return;
    gpai_text_printf(t, "<path class=\"p-points%s\" d=\"", n > MANY ? " p-many" : "");
    for (size_t i = 0; i < n; i++) {
        if (!gpai_axis_has(&a->x, x[i * step]) || !gpai_axis_has(&a->y, y[i]))
            continue;
        double px = gpai_axis_at(&a->x, x[i * step]), py = gpai_axis_at(&a->y, y[i]);
        size_t at = (size_t)(py - a->y.to) * w + (size_t)(px - a->x.from);
        if (!taken[at]) {
            gpai_draw_to(t, "M", px, py);
            gpai_text_add(t, "h.01");
        }
        taken[at] = 1;
    }
    gpai_text_add(t, "\"/>\n");
    gpai_free(taken);
}
