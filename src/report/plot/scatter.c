#include "base/status.h"
#include "report/plot/plot.h"
#include <math.h>

/* Chosen inputs against y, one panel each. */

static size_t input_at(const gpa_scatter_plot *p, size_t i)
{
    return p->inputs != NULL ? p->inputs[i] : i;
}

static size_t row_of(const gpa_scatter_plot *p, size_t i)
{
    return p->rows != NULL ? p->rows[i] : i;
}

/* The change of input k of the m-th marked row; 0 without one. */
static double change_of(const gpa_scatter_plot *p, size_t m, size_t k)
{
    double change = p->delta != NULL ? p->delta[m * p->d + k] : 0;
    return gpai_drawable(change) ? change : 0;
}

static gpai_span x_span(const gpa_scatter_plot *p, size_t k)
{
    gpai_span s = gpai_span_empty();
    for (size_t i = 0; i < p->n; i++)
        gpai_span_add(&s, p->x[i * p->d + k]);
    for (size_t m = 0; m < p->n_marked; m++)
        gpai_span_add(&s, p->x[p->marked[m] * p->d + k] + change_of(p, m, k));
    gpai_span_air(&s, 0.06);
    return s;
}

static gpai_span y_span(const gpa_scatter_plot *p)
{
    gpai_span s = gpai_span_empty();
    for (size_t i = 0; i < p->n; i++)
        gpai_span_add(&s, p->y[i]);
    gpai_span_air(&s, 0.06);
    return s;
}

/* A marked row: where it is, and where it would look normal. */
static void mark(gpa_text *t, const gpa_scatter_plot *p, const gpai_panel *a, size_t m,
                 size_t k)
{
    size_t row = p->marked[m];
    double x = p->x[row * p->d + k], y = p->y[row];
    if (!gpai_drawable(x) || !gpai_drawable(y))
        return;
    double px = gpai_axis_at(&a->x, x), py = gpai_axis_at(&a->y, y);
    gpai_draw_arrow(t, "p-arrow", px, py, gpai_axis_at(&a->x, x + change_of(p, m, k)),
                    py);
    gpai_text_printf(t, "<g><title>row %zu: ", row_of(p, row));
    gpai_draw_short(t, "", p->names[k]);
    gpai_text_printf(t, " %s", gpai_draw_value(x, false).text);
    if (change_of(p, m, k) != 0)
        gpai_text_printf(t, ", change %s",
                         gpai_draw_value(change_of(p, m, k), true).text);
    gpai_text_add(t, "</title>");
    gpai_draw_square(t, "p-mark p-dot", px, py, 5);
    gpai_text_add(t, "</g>\n");
}

static void describe(gpa_text *t, const gpa_scatter_plot *p)
{
    gpai_text_printf(t, "%zu rows; inputs", p->n);
    for (size_t i = 0; i < p->n_inputs; i++)
        gpai_draw_short(t, i > 0 ? ", " : " ", p->names[input_at(p, i)]);
    gpai_text_add(t, "; marked rows");
    for (size_t m = 0; m < p->n_marked; m++)
        gpai_text_printf(t, "%s %zu", m > 0 ? "," : "", row_of(p, p->marked[m]));
    gpai_text_add(t, p->n_marked > 0 ? "." : " none.");
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_scatter_plot *p = plot;
    double width = gpai_plot_width(p->width, p->n_inputs == 1 ? 380 : 720);
    gpai_panels all = gpai_panels_make(
        p->n_inputs, (gpai_frame){.width = width, .title = p->title, .note = p->note},
        200, 0.85, y_span(p));
    gpai_draw_open(t, &all.frame, "Inputs against the outcome");
    describe(t, p);
    gpai_draw_style(t, &all.frame);
    gpai_panels_y_label(t, &all, p->y_label != NULL ? p->y_label : "y", 1);
    for (size_t i = 0; i < p->n_inputs; i++) {
        size_t k = input_at(p, i);
        gpai_panel a = gpai_panel_at(&all, i, x_span(p, k));
        gpai_panel_draw(t, &all, &a, i, p->names[k]);
        gpai_panel_points(t, &a, p->x + k, p->d, p->y, p->n);
        for (size_t m = 0; m < p->n_marked; m++)
            mark(t, p, &a, m, k);
    }
    gpai_draw_close(t, &all.frame);
}

static const gpa_scatter_plot DEFAULTS = {0};

GET_INIT(gpa_scatter_plot, gpa_scatter_plot_init_sized, DEFAULTS)

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    gpa_scatter_plot *p = plot;
    if (p->inputs == NULL)
        p->n_inputs = p->d;
    gpa_status st = gpai_plot_names(p->names, p->d, kind, err);
    if (st != GPA_OK)
        return st;
    if (p->n == 0 || p->x == NULL || p->y == NULL || p->n_inputs == 0)
        return gpai_fail(err, GPA_INVALID, "%s: no rows or no inputs", kind);
    for (size_t i = 0; i < p->n_inputs; i++)
        if (input_at(p, i) >= p->d)
            return gpai_fail(err, GPA_INVALID, "%s: input %zu of %zu", kind,
                             input_at(p, i), p->d);
    return gpai_plot_marked(p->marked, p->n_marked, p->n, kind, err);
}

GET_PLOT(gpa_scatter_plot, gpa_plot_scatter, "scatter plot", DEFAULTS, check, draw)
