#include "report/write_svg.h"
#include "report/cells.h"
#include "report/escape.h"
#include "report/plot.h"
#include <math.h>
#include <stdio.h>

/* All lengths are in the picture's own units; the page scales it to its width. */
enum { WIDTH = 640, MARGIN = 2, LEFT = 112, RIGHT = 88 };
enum { ROW = 48, RIDGE = 36, AXIS = 34, TOP = 6 };

/* One axis for all inputs: every interval and MAP, zero, and some air. */
static gpai_axis common_axis(const gpai_view *v, const size_t *inputs, size_t shown)
{
    gpai_span a = {0, 0};
    for (size_t i = 0; i < shown; i++) {
        size_t k = inputs[i];
        const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
        gpai_span_add(&a, v->delta[k]);
        if (m != NULL) {
            gpai_span_add(&a, m->interval90[0]);
            gpai_span_add(&a, m->interval90[1]);
        }
    }
    gpai_span_air(&a, 0.08);
    return gpai_axis_make(a, LEFT, WIDTH - RIGHT);
}

static const char *tint(double delta)
{
    return delta > 0 ? "pos" : delta < 0 ? "neg" : "nil";
}

static void segment(gpa_text *t, const char *class, double x1, double x2, double y)
{
    gpai_draw_line(t, class, x1, y, x2, y);
}

static double highest(const gpa_marginal *m)
{
    double peak = 0;
    for (size_t i = 0; i < m->points; i++)
        peak = m->density[i] > peak ? m->density[i] : peak;
    return peak;
}

/* The prior as a faint line behind the density, in the same scale: what was learnt is
 * the difference. */
static void outline(gpa_text *t, const gpai_axis *x, const gpai_axis *y,
                    const gpai_view *v, const gpa_marginal *m)
{
    enum { STEPS = 80 };
    double grid[STEPS + 1], density[STEPS + 1];
    double low = fmax(x->low, m->grid[0]), high = fmin(x->high, m->grid[m->points - 1]);
    if (!(low < high))
        return;
    for (int i = 0; i <= STEPS; i++) {
        grid[i] = fmin(low + (high - low) * i / STEPS, high);
        density[i] = gpai_view_prior(v, grid[i]);
    }
    const gpa_plot_curve c = {grid, density, STEPS + 1};
    gpai_plot_curve(t, "prior", x, y, &c, NULL);
}

/* A density, each input's peak at the same height. The sides stay without a line: there
 * the grid ends, not the density. */
static void ridge(gpa_text *t, const gpai_axis *x, const gpai_view *v,
                  const gpa_marginal *m, const char *class, double base)
{
    const gpa_plot_curve c = {m->grid, m->density, m->points};
    double peak = highest(m), prior = gpai_view_prior(v, 0);
    char area[16], edge[16];
    if (!(peak > 0) || !isfinite(peak))
        return;
    peak = isfinite(prior) && prior > peak ? prior : peak;
    const gpai_axis y = {0, peak, base, base - RIDGE};
    snprintf(area, sizeof area, "area %s", class);
    snprintf(edge, sizeof edge, "ridge %s", class);
    gpai_plot_curve(t, area, x, &y, &c, &base);
    gpai_plot_curve(t, edge, x, &y, &c, NULL);
    outline(t, x, &y, v, m);
}

/* The most probable change, in the data's own units. */
static void change(gpa_text *t, const gpai_view *v, size_t k)
{
    if (v->delta[k] == 0) {
        gpai_text_add(t, "no change");
        return;
    }
    gpai_cell_raw(t, v->raw[k], false);
}

static void input_row(gpa_text *t, const gpai_view *v, const gpai_axis *a, size_t k,
                      double base)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    const char *class = tint(v->delta[k]);
    double zero = gpai_axis_at(a, 0), map = gpai_axis_at(a, v->delta[k]);
    segment(t, "base", MARGIN, WIDTH - MARGIN, base);
    if (m != NULL) {
        ridge(t, a, v, m, class, base);
        segment(t, "i90", gpai_axis_at(a, m->interval90[0]),
                gpai_axis_at(a, m->interval90[1]), base);
        segment(t, "i50", gpai_axis_at(a, m->interval50[0]),
                gpai_axis_at(a, m->interval50[1]), base);
    } else {
        gpai_text_printf(t, "<g class=\"stem %s\">", class);
        segment(t, "i50", zero < map ? zero : map, zero < map ? map : zero, base);
        gpai_text_add(t, "</g>");
    }
    gpai_text_printf(t, "<circle class=\"map %s\" r=\"4.5\" cx=\"", class);
    gpai_draw_number(t, map);
    gpai_text_add(t, "\" cy=\"");
    gpai_draw_number(t, base);
    gpai_text_printf(t, "\"/><text class=\"name\" x=\"%d\" y=\"", MARGIN);
    gpai_draw_number(t, base - RIDGE / 2 + 4);
    gpai_text_add(t, "\">");
    size_t start = t->length;
    gpai_view_feature(t, v, k, 18);
    gpai_html_tail(t, start);
    gpai_text_printf(t, "</text><text class=\"val %s\" x=\"%d\" y=\"", class,
                     WIDTH - MARGIN);
    gpai_draw_number(t, base - RIDGE / 2 + 4);
    gpai_text_add(t, "\">");
    change(t, v, k);
    gpai_text_add(t, "</text>\n");
}

static void ticks(gpa_text *t, const gpai_axis *a, double y)
{
    gpai_ticks k = gpai_ticks_make(a, 6);
    for (size_t i = 0; i < k.count; i++) {
        gpai_text_add(t, "<text class=\"tick\" x=\"");
        gpai_draw_number(t, gpai_axis_at(a, gpai_tick(&k, i)));
        gpai_text_add(t, "\" y=\"");
        gpai_draw_number(t, y);
        gpai_text_add(t, "\">");
        gpai_tick_text(t, &k, i, true);
        gpai_text_add(t, "</text>");
    }
    gpai_text_add(t, "\n");
}

/* The first inputs that may move; gives how many. */
static size_t choose(const gpai_view *v, size_t *inputs)
{
    size_t shown = 0;
    for (size_t i = 0; i < v->d && shown < GPAI_SVG_INPUTS; i++)
        if (!gpai_view_held(v, v->order[i]))
            inputs[shown++] = v->order[i];
    return shown;
}

void gpai_svg_ridges(gpa_text *t, const gpai_view *v)
{
    size_t inputs[GPAI_SVG_INPUTS], shown = choose(v, inputs);
    gpai_axis a = common_axis(v, inputs, shown);
    int height = TOP + (int)shown * ROW + AXIS;
    gpai_text_printf(
        t,
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" xmlns=\"http://www.w3.org/"
        "2000/svg\"><title>Distribution of each input&#39;s change</title>\n",
        WIDTH, height);
    gpai_text_add(t, "<path class=\"zero\" d=\"M");
    gpai_draw_number(t, gpai_axis_at(&a, 0));
    gpai_text_printf(t, " %dV%d\"/>\n", TOP, height - AXIS + 10);
    for (size_t i = 0; i < shown; i++)
        input_row(t, v, &a, inputs[i], TOP + (double)(i + 1) * ROW - 4);
    ticks(t, &a, height - 8);
    gpai_text_add(t, "</svg>\n");
}

void gpai_svg_bar(gpa_text *t, double share)
{
    gpai_text_add(t, "<svg class=\"bar\" viewBox=\"0 0 100 10\" "
                     "preserveAspectRatio=\"none\"><path class=\"track\" "
                     "d=\"M0 0H100V10H0z\"/><path d=\"M0 0H");
    gpai_draw_number(t, 100 * share);
    gpai_text_add(t, "V10H0z\"/></svg>");
}
