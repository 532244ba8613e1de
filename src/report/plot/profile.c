#include "base/status.h"
#include "report/plot/plot.h"
#include <math.h>
#include <stdio.h>

/* f along inputs, one panel each, with the observed y across. */

/* Where input i stands: in its own place, or where all of them do. */
static double here_of(const gpa_profile_plot *p, size_t i)
{
    return p->now != NULL ? p->now[i] : p->here;
}

/* What makes a level worth showing: that f comes close to y there, that the input is
 * there or would go there. */
struct worth {
    const gpa_profile *q;
    double y, now;
};

static double f_at(const gpa_profile *q, double value)
{
    for (size_t i = 0; i < q->f.points; i++)
        if (q->f.x[i] == value)
            return q->f.y[i];
    return (double)NAN;
}

static double worth_of(const void *work, const gpa_input *in, size_t i)
{
    const struct worth *w = work;
    double f = f_at(w->q, in->level[i]);
    if (in->level[i] == w->now || in->level[i] == w->q->map)
        return 1;
    return isfinite(f) ? (isfinite(w->y) ? -fabs(f - w->y) : 0) : -HUGE_VAL;
}

/* The levels of panel i in their own order. */
static gpai_level_axis levels_of(const gpa_profile_plot *p, size_t i)
{
    const struct worth w = {&p->profiles[i], p->y, here_of(p, i)};
    gpai_level_axis a;
    gpai_levels_choose(&a, &p->kinds[i], worth_of, &w);
    while (a.n > 1 && worth_of(&w, a.in, a.at[a.n - 1]) == -HUGE_VAL)
        a.n--; /* those that were not asked */
    a.rest = 0;
    gpai_levels_in_order(&a);
    return a;
}

/* The values of input i in other rows; NULL: not known. */
static const gpa_plot_curve *seen_of(const gpa_profile_plot *p, size_t i)
{
    return p->seen != NULL && p->seen[i].points > 0 ? &p->seen[i] : NULL;
}

/* All but the farthest in a hundred of the values that were seen, or all of the curve;
 * and what is marked. */
static gpai_span x_span(const gpa_profile_plot *p, size_t i)
{
    const gpa_profile *q = &p->profiles[i];
    const gpa_plot_curve *seen = seen_of(p, i);
    gpai_span s = gpai_span_empty(), y = gpai_span_empty();
    if (seen != NULL) {
        gpai_span_add_near(&s, seen->x, seen->points);
    } else {
        gpai_plot_curve_span(&q->f, &s, &y);
    }
    gpai_span_add(&s, here_of(p, i));
    gpai_span_add(&s, q->map);
    for (size_t m = 0; m < q->n_marks; m++)
        gpai_span_add(&s, q->marks[m].x);
    gpai_span_air(&s, 0.03);
    return s;
}

/* What the y axis covers: curves as far as they are seen. */
static gpai_span f_span(const gpa_profile_plot *p)
{
    gpai_span s = gpai_span_empty();
    double noise = isfinite(p->noise) ? p->noise : 0;
    gpai_span_add(&s, p->y - noise);
    gpai_span_add(&s, p->y + noise);
    for (size_t i = 0; i < p->n; i++) {
        const gpa_profile *q = &p->profiles[i];
        bool levels = gpai_plot_has_levels(p->kinds, i);
        gpai_span x = x_span(p, i);
        for (size_t j = 0; j < q->f.points; j++)
            if (levels || (q->f.x[j] >= x.low && q->f.x[j] <= x.high))
                gpai_span_add(&s, q->f.y[j]);
        if (!levels) {
            gpai_span_add(&s, gpai_plot_curve_at(&q->f, x.low));
            gpai_span_add(&s, gpai_plot_curve_at(&q->f, x.high));
        }
        for (size_t m = 0; m < q->n_marks; m++)
            gpai_span_add(&s, q->marks[m].y);
    }
    gpai_span_air(&s, 0.07);
    return s;
}

/* Where the values of other rows lie: their middle 90 %, and how often each occurs. */
static void seen(gpa_text *t, const gpai_panel *a, const gpa_plot_curve *c)
{
    enum { BINS = 24 };
    size_t count[BINS], far = c->points / 20;
    size_t most = gpai_axis_count(&a->x, c->x, c->points, count, BINS);
    double width = (a->x.to - a->x.from) / BINS, high = 0.2 * (a->y.from - a->y.to);
    double left = gpai_axis_at(&a->x, c->x[far]);
    double right = gpai_axis_at(&a->x, c->x[c->points - 1 - far]);
    gpai_draw_rect(t, "p-seen", left, a->y.to, fmax(right - left, 1),
                   a->y.from - a->y.to);
    for (size_t i = 0; i < BINS && most > 0; i++) {
        double h = high * (double)count[i] / (double)most;
        if (count[i] > 0)
            gpai_draw_rect(t, "p-often", a->x.from + width * (double)i + 0.3,
                           a->y.from - h, width - 0.6, h);
    }
}

/* The 90 % interval of what would look normal, on the axis. */
static void interval(gpa_text *t, const gpa_profile_plot *p, const gpai_panel *a,
                     size_t i)
{
    const double *at = p->interval90 != NULL ? p->interval90[i] : NULL;
    if (at != NULL && at[0] < at[1] && at[1] > a->x.low && at[0] < a->x.high)
        gpai_draw_line(t, "p-bar50", gpai_axis_at(&a->x, at[0]), a->y.from,
                       gpai_axis_at(&a->x, at[1]), a->y.from);
}

/* The observed y, and the noise around it. */
static void level(gpa_text *t, const gpa_profile_plot *p, const gpai_panel *a)
{
    if (!gpai_drawable(p->y))
        return;
    double y = gpai_axis_at(&a->y, p->y);
    if (p->noise > 0 && gpai_drawable(p->noise)) {
        double top = gpai_axis_at(&a->y, p->y + p->noise);
        double bottom = gpai_axis_at(&a->y, p->y - p->noise);
        gpai_draw_rect(t, "p-band", a->x.from, top, a->x.to - a->x.from, bottom - top);
    }
    gpai_draw_line(t, "p-level", a->x.from, y, a->x.to, y);
}

/* Labels above their points, or below where the panel ends. */
static void mark(gpa_text *t, const gpai_panel *a, const gpa_plot_mark *m)
{
    if (!gpai_drawable(m->x) || !gpai_drawable(m->y))
        return;
    double x = gpai_axis_at(&a->x, m->x), y = gpai_axis_at(&a->y, m->y);
    gpai_draw_square(t, "p-mark p-dot", x, y, 4.5);
    if (m->label == NULL)
        return;
    double room = 2 * fmin(x - a->x.from, a->x.to - x);
    gpai_draw_label(t,
                    (gpai_label){.font = GPAI_FONT_HEAD,
                                 .anchor = GPAI_MIDDLE,
                                 .x = x,
                                 .y = y - 9 < a->y.to + 12 ? y + 18 : y - 9,
                                 .room = fmax(room, 24),
                                 .class = "p-halo"},
                    m->label);
}

static void on_curve(gpa_text *t, const gpai_panel *a, const gpa_profile *q, double x,
                     const char *class, double size)
{
    double f = gpai_plot_curve_at(&q->f, x);
    if (gpai_drawable(x) && gpai_drawable(f))
        gpai_draw_circle(t, class, gpai_axis_at(&a->x, x), gpai_axis_at(&a->y, f),
                         size);
}

static void on_level(gpa_text *t, const gpai_panel *a, const gpai_level_axis *l,
                     const gpa_profile *q, double value, const char *class, double size)
{
    double f = f_at(q, value), at = gpai_levels_place(l, value);
    if (gpai_drawable(f) && gpai_drawable(at))
        gpai_draw_circle(t, class, gpai_axis_at(&a->x, at), gpai_axis_at(&a->y, f),
                         size);
}

/* A bar for each level, from the bottom up to f. */
static void level_panel(gpa_text *t, const gpa_profile_plot *p, const gpai_panels *all,
                        size_t i)
{
    const gpa_profile *q = &p->profiles[i];
    const gpai_level_axis l = levels_of(p, i);
    gpai_panel a = gpai_panel_at(all, i, gpai_levels_span(&l));
    double half = 0.32 * (a.x.to - a.x.from) / (double)l.n, now = here_of(p, i);
    gpai_panel_draw(t, all, &a, i, q->name, &l, NULL);
    for (size_t j = 0; j < l.n; j++) {
        double value = l.in->level[l.at[j]], f = f_at(q, value);
        if (!gpai_drawable(f))
            continue;
        double x = gpai_axis_at(&a.x, (double)j), y = gpai_axis_at(&a.y, f);
        gpai_draw_rect(
            t, value == q->map && value != now ? "p-area p-pos" : "p-area p-neg",
            x - half, y, 2 * half, a.y.from - y);
        gpai_draw_line(t, "p-curve", x - half, y, x + half, y);
    }
    level(t, p, &a);
    on_level(t, &a, &l, q, now, "p-hollow", 4.2);
    if (q->map != now)
        on_level(t, &a, &l, q, q->map, "p-dot p-pos", 4.8);
    gpai_text_add(t, "\n");
}

static void panel(gpa_text *t, const gpa_profile_plot *p, const gpai_panels *all,
                  size_t i)
{
    const gpa_profile *q = &p->profiles[i];
    if (gpai_plot_has_levels(p->kinds, i)) {
        level_panel(t, p, all, i);
        return;
    }
    gpai_panel a = gpai_panel_at(all, i, x_span(p, i));
    gpai_panel_draw(t, all, &a, i, q->name, NULL,
                    p->kinds != NULL ? &p->kinds[i] : NULL);
    if (seen_of(p, i) != NULL)
        seen(t, &a, seen_of(p, i));
    level(t, p, &a);
    interval(t, p, &a, i);
    gpai_plot_curve(t, "p-curve", &a.x, &a.y, &q->f, NULL);
    on_curve(t, &a, q, here_of(p, i), "p-hollow", 4.2);
    char class[24];
    snprintf(class, sizeof class, "p-dot %s", gpai_draw_sign(q->map - here_of(p, i)));
    on_curve(t, &a, q, q->map, class, 4.8);
    for (size_t m = 0; m < q->n_marks; m++)
        mark(t, &a, &q->marks[m]);
    gpai_text_add(t, "\n");
}

/* The room that names of levels need below the panels. */
static double below(const gpa_profile_plot *p, const gpai_panels *all)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++)
        if (gpai_plot_has_levels(p->kinds, i)) {
            const gpai_level_axis l = levels_of(p, i);
            most = fmax(most, gpai_levels_below(&l, all->w));
        }
    return most;
}

static bool has_here(const gpa_profile_plot *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (gpai_drawable(here_of(p, i)))
            return true;
    return false;
}

static bool has_seen(const gpa_profile_plot *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (seen_of(p, i) != NULL && !gpai_plot_has_levels(p->kinds, i))
            return true;
    return false;
}

static bool has_interval(const gpa_profile_plot *p)
{
    for (size_t i = 0; i < p->n && p->interval90 != NULL; i++)
        if (p->interval90[i][0] < p->interval90[i][1])
            return true;
    return false;
}

static bool has_map(const gpa_profile_plot *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (gpai_drawable(p->profiles[i].map))
            return true;
    return false;
}

/* What each sign means; only signs that are there. */
static gpai_legend legend_of(const gpa_profile_plot *p)
{
    gpai_legend l = {.count = 0};
    if (has_here(p))
        gpai_legend_add(&l, GPAI_SIGN_HOLLOW, "now");
    if (has_map(p))
        gpai_legend_add(&l, GPAI_SIGN_DOT, "would look normal");
    if (has_interval(p))
        gpai_legend_add(&l, GPAI_SIGN_BAR50, "its 90 % interval");
    if (gpai_drawable(p->y))
        gpai_legend_add(&l, GPAI_SIGN_LEVEL, "observed");
    if (gpai_drawable(p->y) && p->noise > 0)
        gpai_legend_add(&l, GPAI_SIGN_BAND, "noise");
    if (has_seen(p))
        gpai_legend_add(&l, GPAI_SIGN_SEEN, "90 % of the data, and how often");
    return l;
}

static void describe(gpa_text *t, const gpa_profile_plot *p)
{
    gpai_text_add(t, "The prediction along");
    for (size_t i = 0; i < p->n; i++)
        gpai_draw_short(t, i > 0 ? ", " : " ", p->profiles[i].name);
    if (isfinite(p->y))
        gpai_text_printf(t, "; observed %s", gpai_draw_value(p->y, false).text);
    gpai_text_add(t, ".");
}

/* What all x axes are in, opposite the name of the y axis. */
static void x_label(gpa_text *t, const gpa_profile_plot *p, const gpai_panels *all)
{
    gpai_label l = gpai_label_small(GPAI_END, all->frame.width - GPAI_MARGIN,
                                    all->top - 8, 0.5 * all->frame.width - GPAI_MARGIN);
    gpai_draw_label(t, l, p->x_label);
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_profile_plot *p = plot;
    double width = gpai_plot_width(p->width, p->n == 1 ? 420 : 720);
    gpai_panels all = gpai_panels_make(
        p->n, (gpai_frame){.width = width, .title = p->title, .note = p->note}, 200,
        0.8, f_span(p));
    gpai_panels_stretch(&all, below(p, &all));
    gpai_legend l = legend_of(p);
    double bottom = all.frame.height - gpai_note_height(p->note, width) - 4;
    all.frame.height += gpai_legend_height(&l, width);
    gpai_draw_open(t, &all.frame, "The prediction along each input");
    describe(t, p);
    gpai_draw_style(t, &all.frame);
    gpai_panels_y_label(t, &all, p->y_label != NULL ? p->y_label : "f", 0.5);
    if (p->x_label != NULL)
        x_label(t, p, &all);
    for (size_t i = 0; i < p->n; i++)
        panel(t, p, &all, i);
    gpai_draw_legend(t, &l, width, bottom);
    gpai_draw_close(t, &all.frame);
}

static const gpa_profile_plot DEFAULTS = {
    .y = (double)NAN, .noise = (double)NAN, .here = (double)NAN};

GET_INIT(gpa_profile_plot, gpa_profile_plot_init_sized, DEFAULTS)

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    const gpa_profile_plot *p = plot;
    if (p->n == 0 || p->profiles == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: nothing to draw", kind);
    for (size_t i = 0; i < p->n; i++) {
        const gpa_profile *q = &p->profiles[i];
        if (q->name == NULL || !gpai_plot_curve_there(&q->f) ||
            (q->n_marks > 0 && q->marks == NULL) ||
            (p->seen != NULL && p->seen[i].points > 0 && p->seen[i].x == NULL))
            return gpai_fail(err, GPA_INVALID, "%s: panel %zu lacks a name or numbers",
                             kind, i);
    }
    return GPA_OK;
}

GET_PLOT(gpa_profile_plot, gpa_plot_profiles, "profile plot", DEFAULTS, check, draw)
