#include "base/alloc.h"
#include "base/status.h"
#include "report/plot/plot.h"
#include <math.h>
#include <stdio.h>

/* Anomaly scores of all rows, in their order. */

enum { NAME = 32 };

/* Labels that have found a place; two never overlap. */
struct boxes {
    struct box {
        double x1, x2, y;
    } * box;
    size_t count;
};

static size_t row_of(const gpa_score_plot *p, size_t i)
{
    return p->rows != NULL ? p->rows[i] : i;
}

static const char *label_of(const gpa_score_plot *p, size_t m, char *room)
{
    if (p->labels != NULL)
        return p->labels[m];
    snprintf(room, NAME, "%zu", row_of(p, p->marked[m]));
    return room;
}

static gpai_span score_span(const gpa_score_plot *p)
{
    gpai_span s = gpai_span_empty();
    for (size_t i = 0; i < p->n; i++)
        gpai_span_add(&s, p->score[i]);
    gpai_span_add(&s, p->threshold);
    gpai_span_air(&s, 0.08);
    return s;
}

static bool is_free(const struct boxes *b, double x1, double x2, double y)
{
    const double height = 13;
    for (size_t i = 0; i < b->count; i++)
        if (x1 < b->box[i].x2 && x2 > b->box[i].x1 && fabs(y - b->box[i].y) < height)
            return false;
    return true;
}

/* Beside its square, on the right or the left, where there is room; else only in the
 * tooltip. */
static void place_label(gpa_text *t, struct boxes *taken, const gpai_panel *a, double x,
                        double y, const char *name)
{
    const double most = 140, gap = 8;
    double w = fmin(gpai_text_width(name, GPAI_FONT_SMALL), most);
    for (int side = 0; side < 2; side++) {
        double x1 = side == 0 ? x + gap : x - gap - w, x2 = x1 + w;
        if (x1 < a->x.from || x2 > a->x.to || !is_free(taken, x1 - 2, x2 + 2, y))
            continue;
        taken->box[taken->count++] = (struct box){x1, x2, y};
        gpai_draw_label(t,
                        (gpai_label){.font = GPAI_FONT_SMALL,
                                     .x = x1,
                                     .y = y + 3.5,
                                     .room = most,
                                     .class = "p-halo"},
                        name);
        return;
    }
}

/* The squares first: no label may hide one. */
static void marks(gpa_text *t, const gpa_score_plot *p, const gpai_panel *a,
                  struct boxes *taken)
{
    char room[NAME];
    for (size_t m = 0; m < p->n_marked; m++) {
        double x = gpai_axis_at(&a->x, (double)row_of(p, p->marked[m]));
        double score = p->score[p->marked[m]], y = gpai_axis_at(&a->y, score);
        if (!gpai_drawable(score))
            continue;
        taken->box[taken->count++] = (struct box){x - 5, x + 5, y};
        gpai_draw_short(t, "<g><title>", label_of(p, m, room));
        gpai_text_printf(t, ", row %zu: %s</title>", row_of(p, p->marked[m]),
                         gpai_draw_value(score, false).text);
        gpai_draw_square(t, "p-mark p-dot", x, y, 5);
        gpai_text_add(t, "</g>");
    }
    for (size_t m = 0; m < p->n_marked; m++) {
        double score = p->score[p->marked[m]];
        if (gpai_drawable(score))
            place_label(t, taken, a,
                        gpai_axis_at(&a->x, (double)row_of(p, p->marked[m])),
                        gpai_axis_at(&a->y, score), label_of(p, m, room));
    }
    gpai_text_add(t, "\n");
}

static void threshold(gpa_text *t, const gpa_score_plot *p, const gpai_panel *a)
{
    if (!gpai_drawable(p->threshold))
        return;
    double y = gpai_axis_at(&a->y, p->threshold);
    gpai_draw_line(t, "p-level", a->x.from, y, a->x.to, y);
}

static void describe(gpa_text *t, const gpa_score_plot *p)
{
    char room[NAME];
    gpai_text_printf(t, "Scores of %zu rows; marked:", p->n);
    for (size_t m = 0; m < p->n_marked; m++) {
        gpai_draw_short(t, m > 0 ? ", " : " ", label_of(p, m, room));
        gpai_text_printf(t, " %s", gpai_draw_value(p->score[p->marked[m]], false).text);
    }
    if (isfinite(p->threshold))
        gpai_text_printf(t, "; threshold %s",
                         gpai_draw_value(p->threshold, false).text);
    gpai_text_add(t, ".");
}

static void panel(gpa_text *t, const gpa_score_plot *p, struct boxes *taken,
                  double *rows)
{
    gpai_span x = {0, (double)row_of(p, p->n - 1)};
    gpai_span_air(&x, 0.02);
    double width = gpai_plot_width(p->width, 720);
    gpai_panels all = gpai_panels_make(
        1, (gpai_frame){.width = width, .title = p->title, .note = p->note}, 400, 0.42,
        score_span(p));
    gpai_panel a = gpai_panel_at(&all, 0, x);
    gpai_draw_open(t, &all.frame, "Anomaly scores");
    describe(t, p);
    gpai_draw_style(t, &all.frame);
    gpai_panels_y_label(t, &all, p->y_label != NULL ? p->y_label : "anomaly score", 1);
    gpai_panel_draw(t, &all, &a, 0, "row", NULL, NULL);
    for (size_t i = 0; i < p->n; i++)
        rows[i] = (double)row_of(p, i);
    gpai_panel_points(t, &a, rows, 1, p->score, p->n);
    threshold(t, p, &a);
    marks(t, p, &a, taken);
    gpai_draw_close(t, &all.frame);
}

static const gpa_score_plot DEFAULTS = {.threshold = (double)NAN};

GET_INIT(gpa_score_plot, gpa_score_plot_init_sized, DEFAULTS)

static void draw(gpa_text *t, const void *plot)
{
    const gpa_score_plot *p = plot;
    struct boxes taken = {gpai_calloc(2 * p->n_marked + 1, sizeof *taken.box), 0};
    double *rows = gpai_calloc(p->n, sizeof *rows);
    t->failed = t->failed || taken.box == NULL || rows == NULL;
    if (!t->failed)
        panel(t, p, &taken, rows);
    gpai_free(rows);
    gpai_free(taken.box);
}

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    const gpa_score_plot *p = plot;
    if (p->n == 0 || p->score == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no scores", kind);
    gpa_status st = gpai_plot_marked(p->marked, p->n_marked, p->n, kind, err);
    if (st != GPA_OK)
        return st;
    return p->labels != NULL && p->n_marked > 0
               ? gpai_plot_names(p->labels, p->n_marked, kind, err)
               : GPA_OK;
}

GET_PLOT(gpa_score_plot, gpa_plot_scores, "score plot", DEFAULTS, check, draw)
