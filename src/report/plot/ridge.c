#include "base/status.h"
#include "report/plot/plot.h"
#include <math.h>
#include <stdio.h>

/* Distributions as ridges: one row per input, one or two panels. */

enum { ROW = 46, RIDGE = 38, GAP = 28, HEAD = 20 };

struct panel {
    const gpa_ridge *ridges;
    const char *head, *x_label;
    gpai_axis x;
    double peak; /* of all ridges */
};

struct sheet {
    const gpa_ridge_plot *p;
    gpai_frame frame;
    double top, bottom, names, values;
    struct panel panels[2];
    size_t n_panels;
    gpai_legend legend;
};

static double peak_of(const gpa_plot_curve *c)
{
    double peak = 0;
    for (size_t i = 0; i < c->points; i++)
        if (gpai_drawable(c->y[i]) && c->y[i] > peak)
            peak = c->y[i];
    return peak;
}

/* Where a density is more than a little; its tails may be very long. */
static void add_bulk(gpai_span *s, const gpa_plot_curve *c)
{
    double least = 0.05 * peak_of(c);
    for (size_t i = 0; i < c->points && least > 0; i++)
        if (c->y[i] > least)
            gpai_span_add(s, c->x[i]);
}

static gpai_span common_span(const struct panel *panel, size_t n)
{
    gpai_span s = gpai_span_empty();
    gpai_span_add(&s, 0);
    for (size_t k = 0; k < n; k++) {
        const gpa_ridge *r = &panel->ridges[k];
        gpai_span_add(&s, r->map);
        gpai_span_add(&s, r->mean);
        for (size_t i = 0; i < 2; i++) {
            gpai_span_add(&s, r->interval50[i]);
            gpai_span_add(&s, r->interval90[i]);
        }
        add_bulk(&s, &r->density);
    }
    gpai_span_air(&s, 0.05);
    return s;
}

static void lay_out_panels(struct sheet *s)
{
    const gpa_ridge_plot *p = s->p;
    double from = GPAI_MARGIN + s->names + 12;
    double all = s->frame.width - from - GPAI_MARGIN - s->values;
    double each = (all - (double)(s->n_panels - 1) * GAP) / (double)s->n_panels;
    for (size_t i = 0; i < s->n_panels; i++) {
        struct panel *a = &s->panels[i];
        a->ridges = i == 0 ? p->ridges : p->beside;
        a->head = p->heads[i] != NULL ? p->heads[i] : "";
        a->x_label = p->x_labels[i] != NULL ? p->x_labels[i] : "change";
        a->x = gpai_axis_make(common_span(a, p->n), from, from + each);
        for (size_t k = 0; k < p->n; k++)
            a->peak = fmax(a->peak, peak_of(&a->ridges[k].density));
        from += each + GAP;
    }
}

/* What each sign means; only signs that are there. */
static gpai_legend legend_of(const gpa_ridge_plot *p)
{
    static const struct {
        gpai_sign sign;
        const char *word;
    } signs[] = {{GPAI_SIGN_DOT, "most probable"},
                 {GPAI_SIGN_DIAMOND, "mean"},
                 {GPAI_SIGN_BAR50, "50 %"},
                 {GPAI_SIGN_BAR90, "90 %"},
                 {GPAI_SIGN_PRIOR, "before y was seen"}};
    bool there[5] = {false};
    gpai_legend l = {.count = 0};
    for (size_t k = 0; k < p->n; k++) {
        const gpa_ridge *r = &p->ridges[k];
        there[0] = there[0] || gpai_drawable(r->map);
        there[1] = there[1] || gpai_drawable(r->mean);
        there[2] = there[2] || gpai_drawable(r->interval50[0]);
        there[3] = there[3] || gpai_drawable(r->interval90[0]);
        there[4] = there[4] || r->prior.points > 0;
    }
    for (size_t i = 0; i < 5; i++)
        if (there[i])
            gpai_legend_add(&l, signs[i].sign, signs[i].word);
    return l;
}

static void lay_out(struct sheet *s, const gpa_ridge_plot *p)
{
    *s = (struct sheet){.p = p, .n_panels = p->beside != NULL ? 2 : 1};
    double width = gpai_plot_width(p->width, p->beside != NULL ? 860 : 680);
    s->frame = (gpai_frame){.width = width, .title = p->title, .note = p->note};
    s->names = gpai_plot_widest(p->names, p->n, GPAI_FONT_NAME, 0.24 * width);
    if (p->values != NULL && p->beside == NULL)
        s->values = 10 + gpai_plot_widest(p->values, p->n, GPAI_FONT_NAME, 0.2 * width);
    bool heads = p->heads[0] != NULL || (p->beside != NULL && p->heads[1] != NULL);
    s->top = GPAI_MARGIN + gpai_title_height(&s->frame) + (heads ? HEAD : 0);
    s->bottom = s->top + ROW * (double)p->n + 6;
    s->legend = legend_of(p);
    s->frame.height = s->bottom + GPAI_X_AXIS + gpai_legend_height(&s->legend, width) +
                      gpai_note_height(p->note, width) + GPAI_MARGIN / 2.0;
    lay_out_panels(s);
}

static void describe(gpa_text *t, const gpa_ridge_plot *p)
{
    gpai_text_printf(t,
                     "Distributions of %zu inputs. Most probable value, 90 %% "
                     "interval:",
                     p->n);
    for (size_t k = 0; k < p->n; k++) {
        const gpa_ridge *r = &p->ridges[k];
        gpai_draw_short(t, " ", p->names[k]);
        gpai_text_printf(t, ": %s, %s to %s.", gpai_draw_value(r->map, true).text,
                         gpai_draw_value(r->interval90[0], true).text,
                         gpai_draw_value(r->interval90[1], true).text);
    }
}

/* What decides the colour: where the distribution leans. */
static double lean(const gpa_ridge *r)
{
    return isfinite(r->map) ? r->map : r->mean;
}

static void interval(gpa_text *t, const char *class, const gpai_axis *x,
                     const double v[2], double y)
{
    if (gpai_drawable(v[0]) && gpai_drawable(v[1]))
        gpai_draw_line(t, class, gpai_axis_at(x, v[0]), y, gpai_axis_at(x, v[1]), y);
}

static void curves(gpa_text *t, const struct panel *a, const gpa_ridge *r, double peak,
                   double base)
{
    const char *sign = gpai_draw_sign(lean(r));
    char area[24], edge[24];
    gpai_axis y = {0, peak, base, base - RIDGE};
    snprintf(area, sizeof area, "p-area %s", sign);
    snprintf(edge, sizeof edge, "p-edge %s", sign);
    gpai_plot_curve(t, "p-prior", &a->x, &y, &r->prior, &base);
    gpai_plot_curve(t, area, &a->x, &y, &r->density, &base);
    gpai_plot_curve(t, edge, &a->x, &y, &r->density, NULL);
    gpai_plot_curve(t, "p-before", &a->x, &y, &r->prior, NULL);
}

/* The mean is a tick through the intervals, the MAP a dot on them: two shapes. */
static void ridge(gpa_text *t, const struct sheet *s, const struct panel *a, size_t k)
{
    const gpa_ridge *r = &a->ridges[k];
    double base = s->top + ROW * (double)(k + 1) - 4;
    double peak =
        s->p->common_height ? a->peak : fmax(peak_of(&r->density), peak_of(&r->prior));
    char dot[24];
    gpai_draw_line(t, "p-rule", a->x.from, base, a->x.to, base);
    if (peak > 0)
        curves(t, a, r, peak, base);
    interval(t, "p-bar90", &a->x, r->interval90, base);
    interval(t, "p-bar50", &a->x, r->interval50, base);
    if (gpai_drawable(r->mean)) {
        double x = gpai_axis_at(&a->x, r->mean);
        gpai_draw_diamond(t, "p-hollow", x, base, 4);
    }
    snprintf(dot, sizeof dot, "p-dot %s", gpai_draw_sign(lean(r)));
    if (gpai_drawable(r->map))
        gpai_draw_circle(t, dot, gpai_axis_at(&a->x, r->map), base, 4.6);
    gpai_text_add(t, "\n");
}

static void draw_panel(gpa_text *t, const struct sheet *s, const struct panel *a)
{
    double zero = gpai_axis_at(&a->x, 0);
    gpai_draw_label(t,
                    (gpai_label){.font = GPAI_FONT_HEAD,
                                 .x = a->x.from,
                                 .y = s->top - 8,
                                 .room = a->x.to - a->x.from},
                    a->head);
    gpai_plot_x_axis(t, &a->x, s->top, s->bottom, a->x_label, true);
    gpai_draw_line(t, "p-zero", zero, s->top, zero, s->bottom);
    for (size_t k = 0; k < s->p->n; k++)
        ridge(t, s, a, k);
}

static void texts(gpa_text *t, const struct sheet *s)
{
    const gpa_ridge_plot *p = s->p;
    gpai_label name = gpai_label_name(GPAI_END, GPAI_MARGIN + s->names, 0, s->names);
    gpai_label value =
        gpai_label_name(GPAI_END, s->frame.width - GPAI_MARGIN, 0, s->values - 10);
    for (size_t k = 0; k < p->n; k++) {
        name.y = value.y = s->top + ROW * (double)(k + 1) - 12;
        gpai_draw_label(t, name, p->names[k]);
        if (s->values > 0) {
            value.class = gpai_draw_sign(lean(&p->ridges[k]));
            gpai_draw_label(t, value, p->values[k]);
        }
    }
    gpai_text_add(t, "\n");
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_ridge_plot *p = plot;
    struct sheet s;
    lay_out(&s, p);
    gpai_draw_open(t, &s.frame, "Distribution of each input's change");
    describe(t, p);
    gpai_draw_style(t, &s.frame);
    for (size_t i = 0; i < s.n_panels; i++)
        draw_panel(t, &s, &s.panels[i]);
    texts(t, &s);
    gpai_draw_legend(t, &s.legend, s.frame.width, s.bottom + GPAI_X_AXIS);
    gpai_draw_close(t, &s.frame);
}

static const gpa_ridge_plot DEFAULTS = {0};

GET_INIT(gpa_ridge_plot, gpa_ridge_plot_init_sized, DEFAULTS)

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    const gpa_ridge_plot *p = plot;
    gpa_status st = gpai_plot_names(p->names, p->n, kind, err);
    if (st != GPA_OK)
        return st;
    if (p->ridges == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no distributions", kind);
    for (size_t i = 0; i < 2 * p->n; i++) {
        const gpa_ridge *from = i < p->n ? p->ridges : p->beside;
        const gpa_ridge *r = from != NULL ? &from[i % p->n] : NULL;
        if (r != NULL &&
            (!gpai_plot_curve_there(&r->density) || !gpai_plot_curve_there(&r->prior)))
            return gpai_fail(err, GPA_INVALID, "%s: curve %zu has no numbers", kind,
                             i % p->n);
    }
    return p->values != NULL ? gpai_plot_names(p->values, p->n, kind, err) : GPA_OK;
}

GET_PLOT(gpa_ridge_plot, gpa_plot_ridges, "ridge plot", DEFAULTS, check, draw)
