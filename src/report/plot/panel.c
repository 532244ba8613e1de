#include "base/alloc.h"
#include "report/plot/plot.h"
#include <math.h>

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

gpai_panel gpai_panel_at(const gpai_panels *p, size_t i, gpai_span x)
{
    double left = p->left + (double)(i % p->columns) * p->pitch_x;
    double top = p->top + (double)(i / p->columns) * p->pitch_y;
    return (gpai_panel){gpai_axis_make(x, left, left + p->w),
                        gpai_axis_make(p->y, top + p->h, top)};
}

void gpai_panel_draw(gpa_text *t, const gpai_panels *p, const gpai_panel *a, size_t i,
                     const char *x_label)
{
    gpai_draw_rect(t, "p-sheet", a->x.from, a->y.to, p->w, p->h);
    for (size_t j = 0; j < p->ticks.count; j++) {
        double at = gpai_axis_at(&a->y, gpai_tick(&p->ticks, j));
        gpai_draw_line(t, "p-grid", a->x.from, at, a->x.to, at);
        if (i % p->columns == 0)
            gpai_draw_label(t, gpai_label_small(GPAI_END, a->x.from - 5, at + 3.5, 0),
                            gpai_tick_text(&p->ticks, j, false).text);
    }
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
