#include "base/status.h"
#include "report/plot/plot.h"
#include "report/words/sentence.h"
#include <math.h>
#include <stdio.h>

/* Distributions as ridges: one row per input, one or two panels. */

enum { ROW = 46, RIDGE = 38, GAP = 28, HEAD = 20, LEVEL = 15 };

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

static bool has_levels(const gpa_ridge_plot *p, size_t k)
{
    return gpai_plot_has_levels(p->kinds, k);
}

/* Where input k stands. */
static double now_of(const gpa_ridge_plot *p, size_t k)
{
    return p->now != NULL ? p->now[k] : (double)NAN;
}

/* The probability of the i-th level of an input; 0 where the ridge does not say. */
static double share_of(const gpa_ridge *r, const gpa_input *in, size_t i)
{
    for (size_t j = 0; j < r->density.points; j++)
        if (r->density.x[j] == in->level[i])
            return r->density.y[j];
    return 0;
}

/* What is worth a line: where the input stands, and what is likely. */
struct worth {
    const gpa_ridge *r;
    double now;
};

static const double LEAST = 0.005;

static double worth_of(const void *work, const gpa_input *in, size_t i)
{
    const struct worth *w = work;
    double share = share_of(w->r, in, i);
    bool rare = in->rare != NULL && in->rare[i];
    if (in->level[i] == w->now)
        return fmax(share, LEAST);
    return share > 0 || !rare ? share : (double)NAN;
}

/* The levels that are worth a line, the likeliest first. */
static gpai_level_axis lines_of(const gpa_ridge_plot *p, const gpa_ridge *r, size_t k)
{
    const struct worth w = {r, now_of(p, k)};
    const gpa_input *in = &p->kinds[k];
    gpai_level_axis a;
    double rest = 1;
    gpai_levels_choose(&a, in, worth_of, &w);
    size_t there = a.n + a.rest;
    while (a.n > 3 && worth_of(&w, in, a.at[a.n - 1]) < LEAST)
        a.n--;
    for (size_t i = 0; i < a.n; i++)
        rest -= share_of(r, in, a.at[i]);
    a.rest = rest < LEAST ? 0 : there - a.n;
    return a;
}

static double row_height(const gpa_ridge_plot *p, size_t k)
{
    if (!has_levels(p, k))
        return ROW;
    double lines = 0;
    for (size_t i = 0; i < (p->beside != NULL ? 2 : 1); i++) {
        const gpai_level_axis a =
            lines_of(p, i == 0 ? &p->ridges[k] : &p->beside[k], k);
        lines = fmax(lines, (double)(a.n + (a.rest > 0)));
    }
    return fmax(LEVEL * lines + 14, ROW);
}

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

static gpai_span common_span(const gpa_ridge_plot *p, const struct panel *panel)
{
    gpai_span s = gpai_span_empty();
    gpai_span_add(&s, 0);
    for (size_t k = 0; k < p->n; k++) {
        const gpa_ridge *r = &panel->ridges[k];
        if (has_levels(p, k))
            continue;
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
        a->x = gpai_axis_make(common_span(p, a), from, from + each);
        for (size_t k = 0; k < p->n; k++)
            if (!has_levels(p, k))
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
                 {GPAI_SIGN_PRIOR, "before y was seen"},
                 {GPAI_SIGN_HOLLOW, "now"}};
    bool there[6] = {false};
    gpai_legend l = {.count = 0};
    for (size_t k = 0; k < p->n; k++) {
        const gpa_ridge *r = &p->ridges[k];
        there[5] = there[5] || (has_levels(p, k) && !isnan(now_of(p, k)));
        if (has_levels(p, k))
            continue;
        there[0] = there[0] || gpai_drawable(r->map);
        there[1] = there[1] || gpai_drawable(r->mean);
        there[2] = there[2] || gpai_drawable(r->interval50[0]);
        there[3] = there[3] || gpai_drawable(r->interval90[0]);
        there[4] = there[4] || r->prior.points > 0;
    }
    for (size_t i = 0; i < 6; i++)
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
    s->bottom = s->top + 6;
    for (size_t k = 0; k < p->n; k++)
        s->bottom += row_height(p, k);
    s->legend = legend_of(p);
    s->frame.height = s->bottom + GPAI_X_AXIS + gpai_legend_height(&s->legend, width) +
                      gpai_note_height(p->note, width) + GPAI_MARGIN / 2.0;
    lay_out_panels(s);
}

/* " region: south 62 %, north 30 %." */
static void describe_levels(gpa_text *t, const gpa_ridge_plot *p, size_t k)
{
    char room[GPAI_LEVEL_ROOM];
    const gpai_level_axis a = lines_of(p, &p->ridges[k], k);
    gpai_draw_short(t, " ", p->names[k]);
    for (size_t i = 0; i < a.n; i++) {
        gpai_draw_short(t, i > 0 ? ", " : ": ", gpai_levels_name(&a, i, room));
        double share = share_of(&p->ridges[k], a.in, a.at[i]);
        gpai_text_printf(t, " %s", gpai_draw_value(share, false).text);
    }
    gpai_text_add(t, ".");
}

static void describe(gpa_text *t, const gpa_ridge_plot *p)
{
    gpai_text_printf(t,
                     "Distributions of %zu inputs. Most probable value, 90 %% "
                     "interval:",
                     p->n);
    for (size_t k = 0; k < p->n; k++) {
        const gpa_ridge *r = &p->ridges[k];
        if (has_levels(p, k)) {
            describe_levels(t, p, k);
            continue;
        }
        gpai_draw_short(t, " ", p->names[k]);
        gpai_text_printf(t, ": %s, %s to %s.", gpai_draw_value(r->map, true).text,
                         gpai_draw_value(r->interval90[0], true).text,
                         gpai_draw_value(r->interval90[1], true).text);
    }
}

/* What decides the colour: where the distribution leans; whether a choice moves. */
static double lean(const gpa_ridge_plot *p, const gpa_ridge *r, size_t k)
{
    if (has_levels(p, k))
        return isfinite(r->map) && !isnan(now_of(p, k)) && r->map != now_of(p, k);
    return isfinite(r->map) ? r->map : r->mean;
}

static void interval(gpa_text *t, const char *class, const gpai_axis *x,
                     const double v[2], double y)
{
    if (gpai_drawable(v[0]) && gpai_drawable(v[1]))
        gpai_draw_line(t, class, gpai_axis_at(x, v[0]), y, gpai_axis_at(x, v[1]), y);
}

static void curves(gpa_text *t, const struct panel *a, const gpa_ridge *r,
                   const char *sign, double peak, double base)
{
    char area[24], edge[24];
    gpai_axis y = {0, peak, base, base - RIDGE};
    snprintf(area, sizeof area, "p-area %s", sign);
    snprintf(edge, sizeof edge, "p-edge %s", sign);
    gpai_plot_curve(t, "p-prior", &a->x, &y, &r->prior, &base);
    gpai_plot_curve(t, area, &a->x, &y, &r->density, &base);
    gpai_plot_curve(t, edge, &a->x, &y, &r->density, NULL);
    gpai_plot_curve(t, "p-before", &a->x, &y, &r->prior, NULL);
}

/* The room for names of levels on the left of a panel. */
static double names_room(const gpai_axis *x)
{
    double width = x->to - x->from;
    return (width < 250 ? 0.45 : 0.36) * width;
}

/* One level: its name, a bar for its probability, and that as a number. */
static void level_line(gpa_text *t, const gpai_axis *x, double y, const char *name,
                       double share, const char *class)
{
    double names = names_room(x), numbers = 34;
    double from = x->from + names + 8, full = x->to - from - numbers;
    gpai_label l = gpai_label_small(GPAI_END, x->from + names, y + 3.5, names - 10);
    l.class = NULL;
    gpai_draw_label(t, l, name);
    gpai_draw_rect(t, class, from, y - 4.5, fmax(full * share, 0.5), 9);
    size_t start = t->length;
    gpai_text_add(t, gpai_cell_probability(share).text);
    gpai_draw_label_tail(
        t, gpai_label_small(GPAI_START, from + full * share + 5, y + 3.5, 0), start);
}

/* A choice: its levels below one another, on paper of their own. */
static void bars(gpa_text *t, const struct sheet *s, const struct panel *a, size_t k,
                 double top)
{
    const gpa_ridge *r = &a->ridges[k];
    const gpai_level_axis l = lines_of(s->p, r, k);
    char room[GPAI_LEVEL_ROOM];
    double rest = 1, y = top + 8 + LEVEL / 2.0, width = a->x.to - a->x.from;
    gpai_draw_rect(t, "p-sheet", a->x.from, top + 3, width, row_height(s->p, k) - 6);
    for (size_t i = 0; i < l.n; i++, y += LEVEL) {
        double value = l.in->level[l.at[i]], share = share_of(r, l.in, l.at[i]);
        bool moved = value == r->map && value != now_of(s->p, k);
        level_line(t, &a->x, y, gpai_levels_name(&l, i, room), share,
                   moved ? "p-pos" : "p-nil");
        if (value == now_of(s->p, k))
            gpai_draw_circle(t, "p-hollow", a->x.from + names_room(&a->x) + 8, y, 4.2);
        rest -= share;
    }
    if (l.rest > 0)
        level_line(t, &a->x, y, gpai_levels_name(&l, l.n, room), fmax(rest, 0),
                   "p-prior");
    gpai_text_add(t, "\n");
}

/* The mean is a tick through the intervals, the MAP a dot on them: two shapes. */
static void ridge(gpa_text *t, const struct sheet *s, const struct panel *a, size_t k,
                  double top)
{
    const gpa_ridge *r = &a->ridges[k];
    const char *sign = gpai_draw_sign(lean(s->p, r, k));
    double base = top + ROW - 4;
    double peak =
        s->p->common_height ? a->peak : fmax(peak_of(&r->density), peak_of(&r->prior));
    char dot[24];
    gpai_draw_line(t, "p-rule", a->x.from, base, a->x.to, base);
    if (peak > 0)
        curves(t, a, r, sign, peak, base);
    interval(t, "p-bar90", &a->x, r->interval90, base);
    interval(t, "p-bar50", &a->x, r->interval50, base);
    if (gpai_drawable(r->mean)) {
        double x = gpai_axis_at(&a->x, r->mean);
        gpai_draw_diamond(t, "p-hollow", x, base, 4);
    }
    snprintf(dot, sizeof dot, "p-dot %s", sign);
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
    double top = s->top;
    for (size_t k = 0; k < s->p->n; k++) {
        if (has_levels(s->p, k))
            bars(t, s, a, k, top);
        else
            ridge(t, s, a, k, top);
        top += row_height(s->p, k);
    }
}

static void texts(gpa_text *t, const struct sheet *s)
{
    const gpa_ridge_plot *p = s->p;
    gpai_label name = gpai_label_name(GPAI_END, GPAI_MARGIN + s->names, 0, s->names);
    gpai_label value =
        gpai_label_name(GPAI_END, s->frame.width - GPAI_MARGIN, 0, s->values - 10);
    double top = s->top;
    for (size_t k = 0; k < p->n; k++, top += row_height(p, k - 1)) {
        name.y = value.y =
            has_levels(p, k) ? top + 8 + LEVEL / 2.0 + 4 : top + ROW - 12;
        gpai_draw_label(t, name, p->names[k]);
        if (s->values > 0) {
            value.class = gpai_draw_sign(lean(p, &p->ridges[k], k));
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
