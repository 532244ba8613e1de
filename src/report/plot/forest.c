#include "base/alloc.h"
#include "base/status.h"
#include "report/plot/plot.h"
#include "report/view.h"
#include <math.h>
#include <stdio.h>

/* A forest plot: a line per input, the heaviest first. */

enum { ROW = 26 };

struct sheet {
    const gpa_forest_plot *p;
    const gpai_placed *lines;
    gpai_frame frame;
    double names, values, top, bottom;
    bool brief; /* no room for intervals in figures */
    gpai_axis x;
};

static void sort(gpai_placed *lines, const gpa_forest_plot *p)
{
    for (size_t k = 0; k < p->n; k++) {
        double w = fabs(p->weight != NULL ? p->weight[k] : p->point[k]);
        lines[k] = (gpai_placed){isfinite(w) ? w : -1, 0, k};
    }
    gpai_placed_sort(lines, p->n);
}

static const char *words_of(const gpa_forest_plot *p, size_t k)
{
    return p->words != NULL ? p->words[k] : NULL;
}

/* "−0.81 [−2.14, 1.28]", or only the first of them; nothing where words stand in the
 * picture. */
static void value(gpa_text *t, const gpa_forest_plot *p, size_t k, bool brief)
{
    if (words_of(p, k) != NULL)
        return;
    gpai_text_add(t, gpai_draw_value(p->point[k], true).text);
    if (!brief && p->low90 != NULL && isfinite(p->low90[k]) && isfinite(p->high90[k]))
        gpai_text_printf(t, " [%s, %s]", gpai_draw_value(p->low90[k], true).text,
                         gpai_draw_value(p->high90[k], true).text);
}

/* Width of the widest value: written, measured and taken back. */
static double value_room(gpa_text *t, const gpa_forest_plot *p, bool brief)
{
    double widest = 0;
    for (size_t k = 0; k < p->n && !t->failed; k++) {
        size_t start = t->length;
        value(t, p, k, brief);
        widest = fmax(widest, gpai_text_width(t->data + start, GPAI_FONT_SMALL));
        gpai_text_cut(t, start);
    }
    return widest;
}

static gpai_span span_of(const gpa_forest_plot *p)
{
    const double *const all[] = {p->point, p->low50, p->high50, p->low90, p->high90};
    gpai_span s = gpai_span_empty();
    gpai_span_add(&s, 0);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t k = 0; k < p->n && all[i] != NULL; k++)
            if (words_of(p, k) == NULL)
                gpai_span_add(&s, all[i][k]);
    gpai_span_air(&s, 0.05);
    return s;
}

static void lay_out(gpa_text *t, struct sheet *s, const gpa_forest_plot *p)
{
    *s = (struct sheet){.p = p};
    double width = gpai_plot_width(p->width, 680);
    s->frame = (gpai_frame){.width = width, .title = p->title, .note = p->note};
    s->names = gpai_plot_widest(p->names, p->n, GPAI_FONT_NAME, 0.26 * width);
    s->values = value_room(t, p, false);
    s->brief = s->values > 0.34 * width; /* intervals that would be cut */
    if (s->brief)
        s->values = fmin(value_room(t, p, true), 0.34 * width);
    s->top = GPAI_MARGIN + gpai_title_height(&s->frame) + 2;
    s->bottom = s->top + ROW * (double)p->n;
    s->frame.height = s->bottom + GPAI_X_AXIS + gpai_note_height(p->note, width) + 6;
    s->x = gpai_axis_make(span_of(p), GPAI_MARGIN + s->names + 14,
                          width - GPAI_MARGIN - s->values - 12);
}

static void interval(gpa_text *t, const struct sheet *s, const char *class,
                     const double *low, const double *high, size_t k, double y,
                     bool caps)
{
    if (low == NULL || !gpai_drawable(low[k]) || !gpai_drawable(high[k]))
        return;
    double x1 = gpai_axis_at(&s->x, low[k]), x2 = gpai_axis_at(&s->x, high[k]);
    gpai_draw_line(t, class, x1, y, x2, y);
    if (caps) { /* they tell the wide interval from the narrow one */
        gpai_draw_line(t, class, x1, y - 4, x1, y + 4);
        gpai_draw_line(t, class, x2, y - 4, x2, y + 4);
    }
}

/* Words in place of a point: on both sides of the axis, on paper of their own. */
static void words(gpa_text *t, const struct sheet *s, const char *text, double y)
{
    double right = s->frame.width - GPAI_MARGIN, room = right - s->x.from - 12;
    gpai_draw_rect(t, "p-sheet", s->x.from, y - ROW / 2.0 + 2, right - s->x.from,
                   ROW - 4);
    gpai_label l = gpai_label_name(GPAI_START, s->x.from + 6, y + 4, room);
    gpai_draw_label(t, l, text);
    gpai_text_add(t, "\n");
}

static void line(gpa_text *t, const struct sheet *s, size_t i)
{
    const gpa_forest_plot *p = s->p;
    size_t k = s->lines[i].k;
    double y = s->top + ROW * ((double)i + 0.5);
    gpai_label l = gpai_label_name(GPAI_END, GPAI_MARGIN + s->names, y + 4, s->names);
    gpai_draw_label(t, l, p->names[k]);
    if (words_of(p, k) != NULL) {
        words(t, s, words_of(p, k), y);
        return;
    }
    interval(t, s, "p-bar90", p->low90, p->high90, k, y, true);
    interval(t, s, "p-bar50", p->low50, p->high50, k, y, false);
    if (gpai_drawable(p->point[k])) {
        char class[24];
        snprintf(class, sizeof class, "p-dot %s", gpai_draw_sign(p->point[k]));
        gpai_draw_square(t, class, gpai_axis_at(&s->x, p->point[k]), y, 5);
    }
    l = (gpai_label){.font = GPAI_FONT_SMALL,
                     .anchor = GPAI_END,
                     .x = s->frame.width - GPAI_MARGIN,
                     .y = y + 4,
                     .room = s->values + 1,
                     .class = gpai_draw_sign(p->point[k])};
    size_t start = t->length;
    value(t, p, k, s->brief);
    gpai_draw_label_tail(t, l, start);
    gpai_text_add(t, "\n");
}

static void describe(gpa_text *t, const struct sheet *s)
{
    gpai_text_printf(t,
                     "%zu inputs, the heaviest first, with 90 %% intervals:", s->p->n);
    for (size_t i = 0; i < s->p->n; i++) {
        gpai_draw_short(t, " ", s->p->names[s->lines[i].k]);
        gpai_text_add(t, ": ");
        if (words_of(s->p, s->lines[i].k) != NULL)
            gpai_draw_short(t, "", words_of(s->p, s->lines[i].k));
        value(t, s->p, s->lines[i].k, false);
        gpai_text_add(t, ".");
    }
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_forest_plot *p = plot;
    struct sheet s;
    gpai_placed *lines = t->failed ? NULL : gpai_calloc(p->n, sizeof *lines);
    t->failed = lines == NULL;
    if (t->failed)
        return;
    lay_out(t, &s, p);
    sort(lines, p);
    s.lines = lines;
    gpai_draw_open(t, &s.frame, "Inputs by weight");
    describe(t, &s);
    gpai_draw_style(t, &s.frame);
    gpai_plot_x_axis(t, &s.x, s.top, s.bottom, p->x_label != NULL ? p->x_label : "",
                     true);
    double zero = gpai_axis_at(&s.x, 0);
    gpai_draw_line(t, "p-zero", zero, s.top, zero, s.bottom);
    for (size_t i = 0; i < p->n; i++)
        line(t, &s, i);
    gpai_draw_close(t, &s.frame);
    gpai_free(lines);
}

static const gpa_forest_plot DEFAULTS = {0};

GET_INIT(gpa_forest_plot, gpa_forest_plot_init_sized, DEFAULTS)

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    const gpa_forest_plot *p = plot;
    gpa_status st = gpai_plot_names(p->names, p->n, kind, err);
    if (st != GPA_OK)
        return st;
    if (p->point == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no points", kind);
    if ((p->low50 == NULL) != (p->high50 == NULL) ||
        (p->low90 == NULL) != (p->high90 == NULL))
        return gpai_fail(err, GPA_INVALID, "%s: half of an interval is missing", kind);
    return GPA_OK;
}

GET_PLOT(gpa_forest_plot, gpa_plot_forest, "forest plot", DEFAULTS, check, draw)
