#include "base/status.h"
#include "base/text/input.h"
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

/* The rows in which input k has its i-th level; the marked ones count as many. */
struct rows {
    const gpa_scatter_plot *p;
    size_t k;
};

static double rows_with(const void *work, const gpa_input *in, size_t i)
{
    const struct rows *r = work;
    const gpa_scatter_plot *p = r->p;
    double count = 0;
    for (size_t j = 0; j < p->n; j++)
        count += p->x[j * p->d + r->k] == in->level[i];
    for (size_t m = 0; m < p->n_marked; m++) {
        double x = p->x[p->marked[m] * p->d + r->k];
        if (in->level[i] == x || in->level[i] == x + change_of(p, m, r->k))
            count += (double)p->n;
    }
    bool rare = in->rare != NULL && in->rare[i];
    return count > 0 || !rare ? count : (double)NAN;
}

static gpai_level_axis levels_of(const gpa_scatter_plot *p, size_t k)
{
    const struct rows work = {p, k};
    gpai_level_axis a;
    gpai_levels_choose(&a, &p->kinds[k], rows_with, &work);
    gpai_levels_in_order(&a);
    return a;
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

/* What a value is called. */
static void value(gpa_text *t, const gpa_scatter_plot *p, size_t k, double x)
{
    char room[GPAI_INPUT_ROOM];
    if (p->kinds != NULL && (gpai_plot_has_levels(p->kinds, k) ||
                             p->kinds[k].writing != GPA_WRITING_NUMBER))
        gpai_draw_short(t, " ", gpai_input_text(&p->kinds[k], x, room));
    else
        gpai_text_printf(t, " %s", gpai_draw_value(x, false).text);
}

/* The tooltip of a marked row. */
static void tell(gpa_text *t, const gpa_scatter_plot *p, size_t m, size_t k)
{
    size_t row = p->marked[m];
    double x = p->x[row * p->d + k], change = change_of(p, m, k);
    gpai_text_printf(t, "<title>row %zu: ", row_of(p, row));
    gpai_draw_short(t, "", p->names[k]);
    value(t, p, k, x);
    if (change != 0 && gpai_plot_has_levels(p->kinds, k)) {
        gpai_text_add(t, " →");
        value(t, p, k, x + change);
    } else if (change != 0) {
        gpai_text_printf(t, ", change %s", gpai_draw_value(change, true).text);
    }
    gpai_text_add(t, "</title>");
}

/* A marked row: where it is, and where it would look normal. */
static void mark(gpa_text *t, const gpa_scatter_plot *p, const gpai_panel *a, size_t m,
                 size_t k, const gpai_level_axis *l)
{
    size_t row = p->marked[m];
    double x = p->x[row * p->d + k], y = p->y[row], then = x + change_of(p, m, k);
    if (l != NULL) {
        x = gpai_levels_place(l, x);
        then = gpai_levels_place(l, then);
    }
    if (!gpai_drawable(x) || !gpai_drawable(y))
        return;
    double px = gpai_axis_at(&a->x, x), py = gpai_axis_at(&a->y, y);
    if (gpai_drawable(then))
        gpai_draw_arrow(t, "p-arrow", px, py, gpai_axis_at(&a->x, then), py);
    gpai_text_add(t, "<g>");
    tell(t, p, m, k);
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

static bool is_marked(const gpa_scatter_plot *p, size_t row)
{
    for (size_t m = 0; m < p->n_marked; m++)
        if (p->marked[m] == row)
            return true;
    return false;
}

/* Points stand at their level, beside one another so that many are seen as many. */
static void level_points(gpa_text *t, const gpa_scatter_plot *p, const gpai_panel *a,
                         size_t k, const gpai_level_axis *l)
{
    enum { LANES = 7, MANY = 1000 };
    gpai_text_printf(t, "<path class=\"p-points%s\" d=\"",
                     p->n > MANY ? " p-many" : "");
    for (size_t i = 0; i < p->n; i++) {
        double at = gpai_levels_place(l, p->x[i * p->d + k]);
        if (is_marked(p, i) || !gpai_drawable(at) || !gpai_axis_has(&a->y, p->y[i]))
            continue;
        at += 0.5 * ((double)(i * 3 % LANES) / (LANES - 1) - 0.5);
        gpai_draw_to(t, "M", gpai_axis_at(&a->x, at), gpai_axis_at(&a->y, p->y[i]));
        gpai_text_add(t, "h.01");
    }
    gpai_text_add(t, "\"/>\n");
}

static void panel(gpa_text *t, const gpa_scatter_plot *p, const gpai_panels *all,
                  size_t i)
{
    size_t k = input_at(p, i);
    bool levels = gpai_plot_has_levels(p->kinds, k);
    gpai_level_axis of = {.n = 0}, *l = levels ? &of : NULL;
    if (levels)
        of = levels_of(p, k);
    gpai_panel a = gpai_panel_at(all, i, levels ? gpai_levels_span(l) : x_span(p, k));
    gpai_panel_draw(t, all, &a, i, p->names[k], l,
                    p->kinds != NULL ? &p->kinds[k] : NULL);
    if (levels)
        level_points(t, p, &a, k, l);
    else
        gpai_panel_points(t, &a, p->x + k, p->d, p->y, p->n);
    for (size_t m = 0; m < p->n_marked; m++)
        mark(t, p, &a, m, k, l);
}

/* The room that names of levels need below the panels. */
static double below(const gpa_scatter_plot *p, const gpai_panels *all)
{
    double most = 0;
    for (size_t i = 0; i < p->n_inputs; i++)
        if (gpai_plot_has_levels(p->kinds, input_at(p, i))) {
            const gpai_level_axis l = levels_of(p, input_at(p, i));
            most = fmax(most, gpai_levels_below(&l, all->w));
        }
    return most;
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_scatter_plot *p = plot;
    double width = gpai_plot_width(p->width, p->n_inputs == 1 ? 380 : 720);
    gpai_panels all = gpai_panels_make(
        p->n_inputs, (gpai_frame){.width = width, .title = p->title, .note = p->note},
        200, 0.85, y_span(p));
    gpai_panels_stretch(&all, below(p, &all));
    gpai_draw_open(t, &all.frame, "Inputs against the outcome");
    describe(t, p);
    gpai_draw_style(t, &all.frame);
    gpai_panels_y_label(t, &all, p->y_label != NULL ? p->y_label : "y", 1);
    for (size_t i = 0; i < p->n_inputs; i++)
        panel(t, p, &all, i);
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
