#include "base/status.h"
#include "report/plot/plot.h"
#include <math.h>
#include <stdio.h>

/* A function of two inputs. Regions above each level are painted on top of each other,
 * so every border is a contour line, sharp at any size. */

enum { LEVELS = 16, SCALE = 14, SCALE_GAP = 16 };

struct sheet {
    const gpa_surface_plot *p;
    gpai_panels all;
    gpai_panel a;
    gpai_span values;
    gpai_ticks levels;
    double scale_x; /* left side of the colour scale */
};

struct corner {
    double x, y, v;
};

static double value_at(const gpa_surface_plot *p, size_t i, size_t j)
{
    return p->values[j * p->nx + i];
}

static gpai_span value_span(const gpa_surface_plot *p)
{
    gpai_span s = gpai_span_empty();
    for (size_t i = 0; i < p->nx * p->ny; i++)
        gpai_span_add(&s, p->values[i]);
    return s;
}

/* The corners of a cell, clockwise from the lower left; false when one is missing. */
static bool corners(const struct sheet *s, size_t i, size_t j, struct corner c[4])
{
    static const size_t right[4] = {0, 0, 1, 1}, up[4] = {0, 1, 1, 0};
    const gpa_surface_plot *p = s->p;
    bool whole = true;
    for (size_t k = 0; k < 4; k++) {
        double x = (double)(i + right[k]) / (double)(p->nx - 1);
        double y = (double)(j + up[k]) / (double)(p->ny - 1);
        c[k].x = s->a.x.from + x * (s->a.x.to - s->a.x.from);
        c[k].y = s->a.y.from + y * (s->a.y.to - s->a.y.from);
        c[k].v = value_at(p, i + right[k], j + up[k]);
        whole = whole && gpai_drawable(c[k].v);
    }
    return whole;
}

static struct corner crossing(const struct corner *a, const struct corner *b,
                              double level)
{
    double share = (level - a->v) / (b->v - a->v);
    return (struct corner){a->x + share * (b->x - a->x), a->y + share * (b->y - a->y),
                           level};
}

/* The part of a cell at or above a level. */
static void part_above(gpa_text *t, const struct corner c[4], double level)
{
    const char *command = "M";
    for (size_t k = 0; k < 4; k++) {
        const struct corner *a = &c[k], *b = &c[(k + 1) % 4];
        if (a->v >= level) {
            gpai_draw_to(t, command, a->x, a->y);
            command = "L";
        }
        if ((a->v >= level) != (b->v >= level)) {
            struct corner x = crossing(a, b, level);
            gpai_draw_to(t, command, x.x, x.y);
            command = "L";
        }
    }
    if (*command == 'L')
        gpai_text_add(t, "z");
}

static bool all_above(const struct corner c[4], double level)
{
    return c[0].v >= level && c[1].v >= level && c[2].v >= level && c[3].v >= level;
}

static void run(gpa_text *t, const struct corner *first, const struct corner *last)
{
    gpai_draw_to(t, "M", first[0].x, first[0].y);
    gpai_text_add(t, "V");
    gpai_draw_number(t, first[1].y);
    gpai_text_add(t, "H");
    gpai_draw_number(t, last[2].x);
    gpai_text_add(t, "V");
    gpai_draw_number(t, last[3].y);
    gpai_text_add(t, "z");
}

/* Everything at or above a level as one path; whole cells in a row make one piece. */
static void region(gpa_text *t, const struct sheet *s, double level, const char *colour)
{
    const gpa_surface_plot *p = s->p;
    gpai_text_printf(t, "<path fill=\"%s\" d=\"", colour);
    for (size_t j = 0; j + 1 < p->ny; j++) {
        struct corner c[4], first[4], last[4];
        bool open = false;
        for (size_t i = 0; i + 1 < p->nx; i++) {
            bool whole = corners(s, i, j, c), full = whole && all_above(c, level);
            for (size_t k = 0; full && k < 4; k++) {
                first[k] = open ? first[k] : c[k];
                last[k] = c[k];
            }
            if (open && !full)
                run(t, first, last);
            open = full;
            if (whole && !full)
                part_above(t, c, level);
        }
        if (open)
            run(t, first, last);
    }
    gpai_text_add(t, "\"/>\n");
}

/* The pieces of one contour line; a saddle has two. */
static void contour(gpa_text *t, const struct sheet *s, double level)
{
    const gpa_surface_plot *p = s->p;
    for (size_t j = 0; j + 1 < p->ny; j++)
        for (size_t i = 0; i + 1 < p->nx; i++) {
            struct corner c[4];
            bool second = false;
            if (!corners(s, i, j, c))
                continue;
            for (size_t k = 0; k < 4; k++) {
                const struct corner *a = &c[k], *b = &c[(k + 1) % 4];
                if ((a->v >= level) == (b->v >= level))
                    continue;
                struct corner x = crossing(a, b, level);
                gpai_draw_to(t, second ? "L" : "M", x.x, x.y);
                second = !second;
            }
        }
}

static double share_of(const struct sheet *s, double v)
{
    double range = s->values.high - s->values.low;
    return range > 0 ? (v - s->values.low) / range : 0.5;
}

/* The colour of what lies between a level and the next. */
static void band_colour(char *out, const struct sheet *s, double low, double high)
{
    low = fmax(low, s->values.low);
    high = fmin(high, s->values.high);
    gpai_colour(out, share_of(s, (low + high) / 2));
}

/* A level as it is compared with: values that only rounding keeps below it belong to
 * it.
 */
static double level_at(const struct sheet *s, size_t i)
{
    return gpai_tick(&s->levels, i) - 1e-9 * (s->values.high - s->values.low);
}

static void surface(gpa_text *t, const struct sheet *s)
{
    char colour[GPAI_COLOUR_SIZE];
    const gpai_ticks *k = &s->levels;
    double first = k->count > 0 ? gpai_tick(k, 0) : s->values.high;
    band_colour(colour, s, s->values.low, first);
    region(t, s, -HUGE_VAL, colour);
    for (size_t i = 0; i < k->count; i++) {
        band_colour(colour, s, gpai_tick(k, i), gpai_tick(k, i + 1));
        region(t, s, level_at(s, i), colour);
    }
    gpai_text_add(t, "<path class=\"p-contour\" d=\"");
    for (size_t i = 0; i < k->count; i++)
        contour(t, s, level_at(s, i));
    gpai_text_add(t, "\"/>\n");
}

/* The colour scale: a band per level, numbers at the levels that fit. */
static void scale(gpa_text *t, const struct sheet *s)
{
    const gpai_ticks *k = &s->levels;
    gpai_axis y = gpai_axis_make(s->values, s->a.y.from, s->a.y.to);
    char colour[GPAI_COLOUR_SIZE];
    for (size_t i = 0; i <= k->count; i++) {
        double low = i == 0 ? s->values.low : gpai_tick(k, i - 1);
        double high = i == k->count ? s->values.high : gpai_tick(k, i);
        double top = gpai_axis_at(&y, high), bottom = gpai_axis_at(&y, low);
        band_colour(colour, s, low, high);
        gpai_text_printf(t, "<g fill=\"%s\">", colour);
        gpai_draw_rect(t, "p-step", s->scale_x, top, SCALE, bottom - top);
        gpai_text_add(t, "</g>");
    }
    size_t every = k->count > 9 ? 2 : 1;
    for (size_t i = 0; i < k->count; i++) {
        if (fmod(fabs(k->first + (double)i), (double)every) != 0)
            continue;
        gpai_label l = gpai_label_small(GPAI_START, s->scale_x + SCALE + 5,
                                        gpai_axis_at(&y, gpai_tick(k, i)) + 3.5, 0);
        gpai_draw_label(t, l, gpai_tick_text(k, i, false).text);
    }
    gpai_text_add(t, "\n");
}

/* The name of the heights, above their scale. */
static void scale_label(gpa_text *t, const struct sheet *s)
{
    size_t start = t->length;
    gpai_text_add(t, s->p->value_label != NULL ? s->p->value_label : "");
    gpai_text_add(t, s->levels.power != 0 && t->length > start ? " " : "");
    gpai_text_add(t, gpai_tick_power(&s->levels).text);
    gpai_draw_label_tail(t,
                         gpai_label_name(GPAI_END, s->all.frame.width - GPAI_MARGIN,
                                         s->all.top - 8, 0.45 * s->all.frame.width),
                         start);
}

static void mark(gpa_text *t, const struct sheet *s, const gpa_plot_mark *m)
{
    const gpai_axis *x = &s->a.x, *y = &s->a.y;
    if (!gpai_axis_has(x, m->x) || !gpai_axis_has(y, m->y))
        return;
    double px = gpai_axis_at(x, m->x), py = gpai_axis_at(y, m->y);
    gpai_draw_circle(t, "p-pin", px, py, 4.5);
    if (m->label == NULL)
        return;
    bool left = px + 60 > x->to;
    gpai_draw_label(t,
                    (gpai_label){.font = GPAI_FONT_HEAD,
                                 .anchor = left ? GPAI_END : GPAI_START,
                                 .x = left ? px - 9 : px + 9,
                                 .y = py + 4,
                                 .room = left ? px - 9 - x->from : x->to - px - 9,
                                 .class = "p-halo"},
                    m->label);
}

/* Levels at the very lowest and highest value enclose nothing. */
static void drop_ends(gpai_ticks *k, const gpai_span *values)
{
    double tiny = 1e-6 * (values->high - values->low);
    if (k->count > 0 && gpai_tick(k, 0) <= values->low + tiny) {
        k->first++;
        k->count--;
    }
    if (k->count > 0 && gpai_tick(k, k->count - 1) >= values->high - tiny)
        k->count--;
}

static void lay_out(struct sheet *s, const gpa_surface_plot *p)
{
    double width = gpai_plot_width(p->width, 460), room = SCALE + SCALE_GAP + 44;
    *s = (struct sheet){.p = p, .values = value_span(p)};
    gpai_span y = {p->y_low, p->y_high}, x = {p->x_low, p->x_high};
    if (!(s->values.low < s->values.high)) /* flat, or nothing at all */
        gpai_span_air(&s->values, 0.5);
    gpai_axis v = gpai_axis_make(s->values, 0, 1);
    s->levels = gpai_ticks_make(&v, LEVELS);
    drop_ends(&s->levels, &s->values);
    gpai_frame inner = {.width = width - room, .title = p->title, .note = p->note};
    s->all = gpai_panels_make(1, inner, 330, 0.9, y);
    s->all.frame.width = width;
    s->all.frame.height +=
        gpai_note_height(p->note, width) - gpai_note_height(p->note, inner.width);
    s->a = gpai_panel_at(&s->all, 0, x);
    s->scale_x = s->a.x.to + SCALE_GAP;
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_surface_plot *p = plot;
    struct sheet s;
    lay_out(&s, p);
    gpai_draw_open(t, &s.all.frame, "A function of two inputs");
    gpai_text_printf(t, "%zu by %zu values from %s to %s.", p->nx, p->ny,
                     gpai_draw_value(s.values.low, false).text,
                     gpai_draw_value(s.values.high, false).text);
    gpai_draw_style(t, &s.all.frame);
    gpai_panels_y_label(t, &s.all, p->y_label != NULL ? p->y_label : "", 0.5);
    gpai_panel_draw(t, &s.all, &s.a, 0, p->x_label != NULL ? p->x_label : "", NULL,
                    NULL);
    surface(t, &s);
    scale(t, &s);
    scale_label(t, &s);
    for (size_t i = 0; i < p->n_marks; i++)
        mark(t, &s, &p->marks[i]);
    gpai_draw_close(t, &s.all.frame);
}

static const gpa_surface_plot DEFAULTS = {.x_high = 1, .y_high = 1};

GET_INIT(gpa_surface_plot, gpa_surface_plot_init_sized, DEFAULTS)

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    const gpa_surface_plot *p = plot;
    if (p->nx < 2 || p->ny < 2 || p->values == NULL || p->nx > SIZE_MAX / p->ny)
        return gpai_fail(err, GPA_INVALID, "%s: %zu by %zu values", kind, p->nx, p->ny);
    if (!gpai_drawable(p->x_low) || !gpai_drawable(p->x_high) ||
        !gpai_drawable(p->y_low) || !gpai_drawable(p->y_high) ||
        p->x_low >= p->x_high || p->y_low >= p->y_high)
        return gpai_fail(err, GPA_INVALID, "%s: an axis is empty", kind);
    if (p->n_marks > 0 && p->marks == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no marks", kind);
    return GPA_OK;
}

GET_PLOT(gpa_surface_plot, gpa_plot_surface, "surface plot", DEFAULTS, check, draw)
