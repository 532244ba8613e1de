#include "base/alloc.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "report/plot/plot.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <gpa/plot.h>
#include <math.h>
#include <string.h>

/* The litmus plot. A cell is a column's share of its largest size: a tint of the whole
 * cell, and a bar from its middle to the side of the sign. */

static const char LARGEST[] = "largest";

enum { ROW = 26, SMALL_ROW = 17, MANY = 60 };
static const double SLANT = 0.71; /* of 45 degrees */
enum { LEAST_COLUMN = 46, MOST_COLUMN = 84, HEAD_ROOM = 130, LEGEND = 30 };

struct sheet {
    const gpa_litmus_plot *p;
    gpai_frame frame;
    double left, top, column, row;
    double head; /* height of the columns' names */
    bool turned; /* names at an angle */
    bool beside; /* what the colours mean stands beside the colours, not below */
};

static double score_at(const gpa_litmus_plot *p, size_t k, size_t j)
{
    return p->score[k * p->n_columns + j];
}

/* The input with the largest size in a column that has an answer. */
static size_t strongest(const gpa_litmus_plot *p, size_t j)
{
    size_t best = p->n_inputs;
    for (size_t k = 0; k < p->n_inputs; k++)
        if (isfinite(score_at(p, k, j)) &&
            (best == p->n_inputs ||
             fabs(score_at(p, k, j)) > fabs(score_at(p, best, j))))
            best = k;
    return best;
}

static bool has_answer(const gpa_litmus_plot *p, size_t j)
{
    return strongest(p, j) < p->n_inputs;
}

static double largest(const gpa_litmus_plot *p, size_t j)
{
    size_t k = strongest(p, j);
    return k < p->n_inputs ? fabs(score_at(p, k, j)) : (double)NAN;
}

/* What a full cell stands for. */
static double full(const gpa_litmus_plot *p, size_t j)
{
    double given = p->full != NULL ? p->full[j] : (double)NAN;
    return given > 0 ? given : largest(p, j);
}

static const char *explained(const gpa_litmus_plot *p)
{
    if (p->legend != NULL)
        return p->legend;
    return p->full != NULL ? "A full cell is 100 % of a probability, else the largest "
                             "size of its column."
                           : "Each column is divided by its largest size.";
}

static const char *reason_of(const gpa_litmus_plot *p, size_t j)
{
    const char *why = p->reasons != NULL ? p->reasons[j] : NULL;
    return why != NULL && *why != '\0' ? why : "no answer";
}

/* Columns with this column's reason come together; only the first of them shows it. */
static bool first_of_reason(const gpa_litmus_plot *p, size_t j)
{
    for (size_t i = 0; i < j; i++)
        if (!has_answer(p, i) && strcmp(reason_of(p, i), reason_of(p, j)) == 0)
            return false;
    return true;
}

enum { REASON = 16 };

static double reasons_height(const gpa_litmus_plot *p)
{
    double height = 0;
    for (size_t j = 0; j < p->n_columns; j++)
        if (!has_answer(p, j) && first_of_reason(p, j))
            height += REASON;
    return height;
}

/* The margin on the right: names at an angle may reach beyond the last column. */
static double overhang(const struct sheet *s)
{
    const gpa_litmus_plot *p = s->p;
    double most = GPAI_MARGIN;
    for (size_t j = 0; s->turned && j < p->n_columns; j++) {
        double w = gpai_plot_widest(p->columns + j, 1, GPAI_FONT_HEAD, HEAD_ROOM);
        double left = ((double)(p->n_columns - j) - 0.5) * s->column;
        most = fmax(most, SLANT * w + 8 - left);
    }
    return most;
}

/* Names of columns stand upright where all fit, else at an angle. */
static void lay_out_heads(struct sheet *s, double room)
{
    const gpa_litmus_plot *p = s->p;
    double widest =
        gpai_plot_widest(p->columns, p->n_columns, GPAI_FONT_HEAD, HEAD_ROOM);
    s->column = fmin(fmax(room / (double)p->n_columns, LEAST_COLUMN), MOST_COLUMN);
    s->turned = widest > s->column - 6;
    s->head = (s->turned ? SLANT * widest + 12 : 16) + 16;
}

enum { STEPS = 2, STEP = 30 }; /* cells of the legend on either side of 0 */
static const char NEGATIVE[] = "negative", POSITIVE[] = "positive";

static double legend_width(void)
{
    return gpai_text_width(NEGATIVE, GPAI_FONT_SMALL) + 12 + (2 * STEPS + 1) * STEP +
           gpai_text_width(POSITIVE, GPAI_FONT_SMALL);
}

static void lay_out(struct sheet *s, const gpa_litmus_plot *p)
{
    double wish = gpai_plot_width(p->width, 720);
    *s = (struct sheet){.p = p, .row = p->n_inputs > MANY ? SMALL_ROW : ROW};
    double names =
        gpai_plot_widest(p->inputs, p->n_inputs, GPAI_FONT_NAME, 0.34 * wish);
    names = fmax(names, gpai_text_width(LARGEST, GPAI_FONT_SMALL));
    s->left = GPAI_MARGIN + names + 10;
    lay_out_heads(s, wish - s->left - GPAI_MARGIN);
    double width = s->left + s->column * (double)p->n_columns + overhang(s);
    width = fmax(width, fmin(wish, 440));
    s->frame = (gpai_frame){.width = width, .title = p->title, .note = p->note};
    s->top = GPAI_MARGIN + gpai_title_height(&s->frame) + s->head;
    s->beside = width - legend_width() - 2 * GPAI_MARGIN - 20 >=
                gpai_text_width(explained(p), GPAI_FONT_SMALL);
    s->frame.height = s->top + s->row * (double)p->n_inputs + LEGEND +
                      reasons_height(p) +
                      (s->beside ? 0 : gpai_note_height(explained(p), width)) +
                      gpai_note_height(p->note, width) + GPAI_MARGIN / 2.0;
}

/* "GPA: bmi −0.81." for each column: what one would see at a glance. */
static void describe(gpa_text *t, const gpa_litmus_plot *p)
{
    gpai_text_printf(t, "%zu inputs by %zu columns; the largest score of each:",
                     p->n_inputs, p->n_columns);
    for (size_t j = 0; j < p->n_columns; j++) {
        size_t k = strongest(p, j);
        gpai_draw_short(t, " ", p->columns[j]);
        gpai_draw_short(t, ": ", k < p->n_inputs ? p->inputs[k] : reason_of(p, j));
        if (k < p->n_inputs)
            gpai_text_printf(t, " %s", gpai_draw_value(score_at(p, k, j), true).text);
        gpai_text_add(t, ".");
    }
}

/* The largest size with as many digits as the column is wide enough for. */
static void maximum(gpa_text *t, const struct sheet *s, size_t j, double x)
{
    char number[GPAI_REAL_SIZE];
    double v = largest(s->p, j), room = s->column - 4;
    for (int digits = 3; digits > 0; digits--) {
        gpai_real_people(number, v, digits);
        if (gpai_text_width(number, GPAI_FONT_SMALL) <= room)
            break;
        gpai_real_digits(number, v, digits);
        if (gpai_text_width(number, GPAI_FONT_SMALL) <= room)
            break;
    }
    gpai_draw_label(t, gpai_label_small(GPAI_MIDDLE, x, s->top - 6, room),
                    isfinite(v) ? number : "–");
}

static void head(gpa_text *t, const struct sheet *s, size_t j)
{
    double x = s->left + s->column * ((double)j + 0.5);
    gpai_label l = {.font = GPAI_FONT_HEAD, .x = x, .y = s->top - 22};
    if (s->turned) {
        l.turn = -45;
        l.room = HEAD_ROOM;
    } else {
        l.anchor = GPAI_MIDDLE;
    }
    gpai_draw_label(t, l, s->p->columns[j]);
    maximum(t, s, j, x);
}

static void cell_tooltip(gpa_text *t, const gpa_litmus_plot *p, size_t k, size_t j,
                         double share)
{
    gpai_draw_short(t, "<title>", p->inputs[k]);
    gpai_draw_short(t, ", ", p->columns[j]);
    gpai_text_printf(t, ": %s", gpai_draw_value(score_at(p, k, j), true).text);
    if (full(p, j) == largest(p, j))
        gpai_text_printf(t, " (%s&#160;%% of the largest)",
                         gpai_draw_value(100 * share, true).text);
    gpai_text_add(t, "</title>");
}

/* The tint is fainter than the bar, so that the bar stands out of it. */
static void tint(gpa_text *t, const char *class, double share, double x, double y,
                 double w, double h)
{
    char opacity[GPAI_REAL_SIZE];
    gpai_real_fixed(opacity, 0.5 * fabs(share), 3);
    gpai_text_printf(t, "<g fill-opacity=\"%s\">", opacity);
    gpai_draw_rect(t, class, x, y, w, h);
    gpai_text_add(t, "</g>");
}

static void cell(gpa_text *t, const struct sheet *s, size_t k, size_t j, double most)
{
    double v = score_at(s->p, k, j), share = most > 0 ? v / most : 0;
    double x = s->left + s->column * (double)j + 1, w = s->column - 2;
    double y = s->top + s->row * (double)k + 1, h = s->row - 2;
    gpai_text_add(t, "<g>");
    if (!isfinite(v)) {
        gpai_draw_hatch(t, x, y, w, h);
        gpai_text_add(t, "</g>");
        return;
    }
    cell_tooltip(t, s->p, k, j, share);
    gpai_draw_rect(t, "p-sheet", x, y, w, h);
    if (share != 0) {
        const char *class = gpai_draw_sign(share);
        double middle = x + w / 2, length = fmax(fabs(share) * (w / 2 - 4), 1);
        tint(t, class, share, x, y, w, h);
        gpai_draw_rect(t, class, share < 0 ? middle - length : middle, y + 0.3 * h,
                       length, 0.4 * h);
    }
    gpai_text_add(t, "</g>");
}

static void column(gpa_text *t, const struct sheet *s, size_t j)
{
    const gpa_litmus_plot *p = s->p;
    double most = full(p, j), bottom = s->top + s->row * (double)p->n_inputs;
    double middle = s->left + s->column * ((double)j + 0.5);
    head(t, s, j);
    if (!has_answer(p, j)) {
        gpai_text_add(t, "<g class=\"p-none\">");
        gpai_draw_tooltip(t, reason_of(p, j));
        gpai_draw_rect(t, "p-sheet", middle - s->column / 2 + 1, s->top + 1,
                       s->column - 2, bottom - s->top - 2);
        gpai_draw_hatch(t, middle - s->column / 2 + 1, s->top + 1, s->column - 2,
                        bottom - s->top - 2);
        gpai_text_add(t, "</g>\n");
        return;
    }
    for (size_t k = 0; k < p->n_inputs; k++)
        cell(t, s, k, j, most);
    gpai_draw_line(t, "p-rule", middle, s->top, middle, bottom);
    gpai_text_add(t, "\n");
}

static void names(gpa_text *t, const struct sheet *s)
{
    gpai_label l = gpai_label_name(GPAI_END, s->left - 8, 0, s->left - 8 - GPAI_MARGIN);
    for (size_t k = 0; k < s->p->n_inputs; k++) {
        l.y = s->top + s->row * ((double)k + 0.5) + 4;
        gpai_draw_label(t, l, s->p->inputs[k]);
    }
    gpai_draw_label(t, gpai_label_small(GPAI_END, s->left - 8, s->top - 6, 0), LARGEST);
    gpai_text_add(t, "\n");
}

/* Five cells from -1 to 1, and what they mean. */
static void legend(gpa_text *t, const struct sheet *s, double y)
{
    const double height = 12;
    gpai_label l = gpai_label_small(GPAI_START, GPAI_MARGIN, y + 10, 0);
    double x = GPAI_MARGIN + gpai_text_width(NEGATIVE, GPAI_FONT_SMALL) + 6;
    gpai_draw_label(t, l, NEGATIVE);
    for (int i = -STEPS; i <= STEPS; i++, x += STEP) {
        double share = (double)i / STEPS, middle = x + STEP / 2.0;
        double length = fabs(share) * (STEP / 2.0 - 4);
        gpai_draw_rect(t, "p-sheet", x + 1, y, STEP - 2, height);
        tint(t, gpai_draw_sign(share), share, x + 1, y, STEP - 2, height);
        if (i != 0)
            gpai_draw_rect(t, gpai_draw_sign(share), i < 0 ? middle - length : middle,
                           y + 0.3 * height, length, 0.4 * height);
        gpai_draw_line(t, "p-rule", middle, y, middle, y + height);
    }
    l.x = x + 6;
    gpai_draw_label(t, l, POSITIVE);
    l.x = GPAI_MARGIN + legend_width() + 20;
    gpai_draw_label(t, l, s->beside ? explained(s->p) : "");
    gpai_text_add(t, "\n");
}

/* "▨ EIG, SV: no reference rows" for each reason. */
static void reasons(gpa_text *t, const struct sheet *s, double y)
{
    const gpa_litmus_plot *p = s->p;
    for (size_t j = 0; j < p->n_columns; j++) {
        if (has_answer(p, j) || !first_of_reason(p, j))
            continue;
        gpai_draw_rect(t, "p-sheet", GPAI_MARGIN, y + 3, 18, 11);
        gpai_draw_hatch(t, GPAI_MARGIN, y + 3, 18, 11);
        size_t start = t->length;
        for (size_t i = j; i < p->n_columns; i++) {
            if (has_answer(p, i) || strcmp(reason_of(p, i), reason_of(p, j)) != 0)
                continue;
            gpai_text_add(t, i > j ? ", " : "");
            gpai_text_visible(t, p->columns[i], 24, false);
        }
        gpai_text_add(t, ": ");
        gpai_text_visible(t, reason_of(p, j), 200, false);
        gpai_draw_label_tail(t,
                             gpai_label_small(GPAI_START, GPAI_MARGIN + 24, y + 12,
                                              s->frame.width - 2 * GPAI_MARGIN - 24),
                             start);
        y += REASON;
    }
    gpai_text_add(t, "\n");
}

static void draw(gpa_text *t, const void *plot)
{
    const gpa_litmus_plot *p = plot;
    struct sheet s;
    lay_out(&s, p);
    gpai_draw_open(t, &s.frame, "Scores of each input");
    describe(t, p);
    gpai_draw_style(t, &s.frame);
    names(t, &s);
    for (size_t j = 0; j < p->n_columns; j++)
        column(t, &s, j);
    double y = s.top + s.row * (double)p->n_inputs + 12;
    legend(t, &s, y);
    reasons(t, &s, y + LEGEND - 12);
    if (!s.beside) {
        double bottom = s.frame.height - GPAI_MARGIN / 2.0, width = s.frame.width;
        gpai_draw_note(t, explained(p), width,
                       bottom - gpai_note_height(p->note, width));
    }
    gpai_draw_close(t, &s.frame);
}

static gpa_status check(void *plot, const char *kind, gpa_error *err)
{
    const gpa_litmus_plot *p = plot;
    gpa_status st = gpai_plot_names(p->inputs, p->n_inputs, kind, err);
    if (st == GPA_OK)
        st = gpai_plot_names(p->columns, p->n_columns, kind, err);
    if (st == GPA_OK && p->score == NULL)
        st = gpai_fail(err, GPA_INVALID, "%s: no scores", kind);
    return st;
}

static const gpa_litmus_plot DEFAULTS = {0};

GET_INIT(gpa_litmus_plot, gpa_litmus_plot_init_sized, DEFAULTS)

GET_PLOT(gpa_litmus_plot, gpa_plot_litmus, "litmus plot", DEFAULTS, check, draw)

/* The litmus plot of a comparison. */

struct lists {
    size_t d, m;
    const char **inputs, **columns, **reasons;
    char *names; /* for inputs that have none */
    double *score, *full;
};

static void lay_out_lists(void *work, gpai_arena *a)
{
    struct lists *l = work;
    l->score = gpai_take(a, l->d, l->m);
    l->full = gpai_take(a, l->m, 1);
    l->inputs = gpai_take_bytes(a, l->d, sizeof *l->inputs);
    l->columns = gpai_take_bytes(a, l->m, sizeof *l->columns);
    l->reasons = gpai_take_bytes(a, l->m, sizeof *l->reasons);
    l->names = gpai_take_bytes(a, l->d, GPAI_NAME_SIZE);
}

/* Who is responsible is the first column, where gpa says that. */
static void lists_fill(struct lists *l, const gpa_report_info *info,
                       const gpa_comparison *c, size_t i)
{
    const double *p = gpai_compare_responsible(c, i, NULL);
    size_t d = l->d, m = l->m, first = p != NULL;
    for (size_t k = 0; k < d; k++)
        l->inputs[k] = gpai_name_input(info, k, l->names + k * GPAI_NAME_SIZE);
    for (size_t k = 0; k < d && first; k++)
        l->score[k * m] = p[k];
    for (size_t j = 0; j < m; j++)
        l->full[j] = (double)NAN;
    l->full[0] = first > 0 ? 1 : (double)NAN;
    l->columns[0] = gpai_blame_head(gpa_comparison_verdict(c, i));
    for (size_t j = first; j < m; j++) {
        l->columns[j] = gpai_score_label(c, i, j - first);
        l->reasons[j] = gpa_comparison_skipped(c, i, j - first);
        for (size_t k = 0; k < d; k++)
            l->score[k * m + j] = gpai_compare_score(c, i, j - first, k);
    }
}

gpa_status gpa_plot_comparison(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, size_t i, gpa_error *err)
{
    gpai_report r;
    if (c == NULL || i >= gpa_comparison_rows(c))
        return gpai_fail(err, GPA_INVALID, "litmus plot: no row %zu of a comparison",
                         i);
    gpa_status st = gpai_report_take(&r, t, info, err);
    if (st != GPA_OK)
        return st;
    struct lists l = {.d = gpa_comparison_dim(c), .m = gpa_comparison_methods(c)};
    l.m += gpai_compare_responsible(c, i, NULL) != NULL;
    double *block = gpai_carve(lay_out_lists, &l);
    if (block == NULL)
        return gpai_nomem(err, "litmus plot");
    lists_fill(&l, &r.info, c, i);
    const gpa_litmus_plot p = {
        .struct_size = sizeof p,
        .n_inputs = l.d,
        .n_columns = l.m,
        .inputs = l.inputs,
        .columns = l.columns,
        .reasons = l.reasons,
        .score = l.score,
        .full = gpai_compare_responsible(c, i, NULL) != NULL ? l.full : NULL};
    st = gpa_plot_litmus(t, &p, err);
    gpai_free(block);
    return st;
}
