#include "report/table/sheet.h"
#include <math.h>

/* A bar of `share` of the full length, in steps of half a character, on the left of its
 * axis or on its right. */
static void half_bar(gpa_text *t, double share, size_t full, bool left, bool ascii)
{
    size_t halves = (size_t)floor(2 * (double)full * share + 0.5);
    size_t whole = ascii ? (halves + 1) / 2 : halves / 2;
    size_t half = ascii ? 0 : halves % 2;
    const char *block = ascii ? "#" : "█";
    gpai_text_repeat(t, " ", left ? full - whole - half : 0);
    gpai_text_repeat(t, "▐", left ? half : 0);
    gpai_text_repeat(t, block, whole);
    gpai_text_repeat(t, "▌", left ? 0 : half);
    gpai_text_repeat(t, " ", left ? 0 : full - whole - half);
}

/* A bar from the middle to the side of its sign. */
static void bar(gpa_text *t, const gpai_sheet *s, double delta)
{
    bool ascii = s->v->info->ascii;
    double share = delta != 0 ? fabs(delta) / s->longest : 0;
    if (delta != 0 && share < 0.25 / GPAI_BAR) /* no change is too small to be seen */
        share = 0.25 / GPAI_BAR;
    gpai_text_add(t, "  ");
    half_bar(t, delta < 0 ? share : 0, GPAI_BAR, true, ascii);
    gpai_text_add(t, ascii ? "|" : "│");
    half_bar(t, delta > 0 ? share : 0, GPAI_BAR, false, ascii);
}

static void head(gpa_text *t, const gpai_sheet *s)
{
    gpai_paint(t, s->v->info, GPAI_DIM);
    gpai_text_printf(t, "  %-*s", (int)s->width[GPAI_NAME],
                     gpai_sheet_head(s, GPAI_NAME));
    for (gpai_column c = GPAI_X; c <= GPAI_RAW; c++) {
        if (!s->has[c])
            continue;
        bool blame_bar = c == GPAI_BLAME && s->has[GPAI_BARS];
        gpai_text_printf(t, "  %*s%*s", (int)s->width[c], gpai_sheet_head(s, c),
                         blame_bar ? GPAI_BLAME_BAR + 1 : 0, "");
    }
    if (s->has[GPAI_LOW]) {
        if (!s->culprits && s->has[GPAI_BARS])
            gpai_text_printf(t, "  %*s", 2 * GPAI_BAR + 1, "");
        gpai_text_printf(t, "  %*s",
                         (int)(s->width[GPAI_LOW] + s->width[GPAI_HIGH] + 4),
                         "90 % interval");
    }
    if (s->has[GPAI_P])
        gpai_text_printf(t, "  %*s", (int)s->width[GPAI_P], gpai_sheet_head(s, GPAI_P));
    gpai_line_end(t, s->v->info);
}

static void interval(gpa_text *t, const gpai_sheet *s, size_t k)
{
    if (gpai_view_held(s->v, k)) {
        int room = (int)(s->width[GPAI_LOW] + s->width[GPAI_HIGH] + 4);
        gpai_text_printf(t, "  %*s", room, s->culprits ? "" : "held");
        return;
    }
    gpai_sheet_right(t, "  [", s, k, GPAI_LOW);
    gpai_sheet_right(t, ", ", s, k, GPAI_HIGH);
    gpai_text_add(t, "]");
    gpai_sheet_right(t, "  ", s, k, GPAI_P);
}

/* "  0.93 █████" */
static void blame(gpa_text *t, const gpai_sheet *s, size_t k, double p)
{
    gpai_sheet_right(t, "  ", s, k, GPAI_BLAME);
    if (s->has[GPAI_BARS]) {
        gpai_text_add(t, " ");
        half_bar(t, p, GPAI_BLAME_BAR, false, s->v->info->ascii);
    }
}

static void name_and_x(gpa_text *t, const gpai_sheet *s, size_t k)
{
    gpai_text_add(t, "  ");
    size_t start = t->length;
    gpai_sheet_cell(t, s, k, GPAI_NAME);
    gpai_line_pad(t, start, s->width[GPAI_NAME], false);
    gpai_sheet_right(t, "  ", s, k, GPAI_X);
}

static void change_cells(gpa_text *t, const gpai_sheet *s, size_t k)
{
    gpai_sheet_right(t, "  ", s, k, GPAI_DELTA);
    gpai_sheet_right(t, "  ", s, k, GPAI_RAW);
    if (!s->culprits && s->has[GPAI_BARS])
        bar(t, s, s->v->delta[k]);
}

/* A line of the table in its colours: `base` for all of it, a tint for changes. */
static void line(gpa_text *t, const gpai_sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    double delta = v->delta[k];
    bool accused = gpai_view_accused(v, k), painted = accused || delta == 0;
    gpai_colour_code base = accused ? GPAI_BOLD : GPAI_DIM;
    if (painted)
        gpai_paint(t, v->info, base);
    name_and_x(t, s, k);
    if (s->culprits) {
        blame(t, s, k, gpai_view_held(v, k) ? 0 : gpai_view_blame(v, k));
        gpai_sheet_right(t, "  ", s, k, GPAI_ALONE);
    }
    if (delta != 0)
        gpai_paint(t, v->info, delta > 0 ? GPAI_RED : GPAI_BLUE);
    change_cells(t, s, k);
    if (delta != 0)
        gpai_paint(t, v->info, GPAI_PLAIN);
    if (delta != 0 && painted)
        gpai_paint(t, v->info, base);
    if (s->has[GPAI_LOW])
        interval(t, s, k);
    gpai_line_end(t, v->info);
}

/* The outcome stands among the suspects. */
static void outcome_line(gpa_text *t, const gpai_sheet *s)
{
    const gpai_view *v = s->v;
    gpai_paint(t, v->info, v->c->verdict == GPA_VERDICT_OUTPUT ? GPAI_BOLD : GPAI_DIM);
    name_and_x(t, s, v->d);
    blame(t, s, v->d, v->c->output);
    gpai_line_end(t, v->info);
}

static void more_inputs(gpa_text *t, const gpai_sheet *s)
{
    const gpai_view *v = s->v;
    gpai_paint(t, v->info, GPAI_DIM);
    gpai_text_printf(t, "  and %zu more inputs", v->d - s->shown);
    if (s->culprits)
        gpai_text_add(t, " that are less likely");
    else if (v->moved > s->shown)
        gpai_text_printf(t, ", %zu of them with a smaller change", v->moved - s->shown);
    else
        gpai_text_add(t, " that do not change");
    gpai_line_end(t, v->info);
}

/* What the columns mean, for those who see such a table for the first time. */
static void legend(gpa_text *t, const gpai_sheet *s, size_t columns)
{
    gpai_paint(t, s->v->info, GPAI_DIM);
    gpai_text_add(t, "\n");
    size_t start = t->length;
    gpai_text_add(t, "  ");
    if (s->culprits)
        gpai_text_add(t, "culprit: the probability that it is responsible; alone: the "
                         "change that would look normal if it alone were off; ");
    gpai_text_add(t, s->has[GPAI_DELTA] ? "delta: " : "delta raw: ");
    gpai_text_add(t, "the most probable change if all inputs may change, ");
    gpai_text_add(t, s->has[GPAI_DELTA] ? "in usual spreads (--scale)"
                                        : "in its own unit");
    if (s->has[GPAI_LOW])
        gpai_text_add(t, ", with the interval that holds 90 %");
    if (s->has[GPAI_DELTA] && s->has[GPAI_RAW])
        gpai_text_add(t, "; delta raw: the same in its own unit");
    if (s->has[GPAI_P])
        gpai_text_add(t, "; P(>0): the probability that it goes up");
    gpai_text_wrap(t, start, columns, 2);
    gpai_line_end(t, s->v->info);
}

void gpai_table_inputs(gpa_text *t, const gpai_view *v, size_t columns, bool explain)
{
    gpai_sheet s;
    gpai_sheet_make(t, &s, v, columns);
    head(t, &s);
    for (size_t i = 0; i < s.shown; i++)
        line(t, &s, v->order[i]);
    if (s.shown < v->d)
        more_inputs(t, &s);
    if (s.culprits)
        outcome_line(t, &s);
    if (explain && v->d > 0 && (s.has[GPAI_DELTA] || s.has[GPAI_RAW]))
        legend(t, &s, columns);
}
