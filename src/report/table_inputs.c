#include "report/table_inputs.h"
#include "report/cells.h"
#include "report/utf8.h"
#include "report/wrap.h"
#include <math.h>

enum { SHOWN = 20 };
enum { BAR = 8, BLAME_BAR = 6 };           /* columns of the bars */
enum { NAME_LEAST = 15, NAME_USUAL = 24 }; /* of a name */
enum { USUAL = 100 }; /* columns of a line; above that names grow */

void gpai_paint_text(gpa_text *t, const gpa_report_info *info, gpai_paint colour)
{
    static const char *const codes[] = {"\033[0m", "\033[91m", "\033[94m", "\033[2m",
                                        "\033[1m"};
    if (info->colour)
        gpai_text_add(t, codes[colour]);
}

/* The columns, from left to right. With culprits the bar is that of BLAME, without them
 * that of the change, behind RAW. */
enum column { NAME, X, BLAME, ALONE, DELTA, RAW, LOW, HIGH, P, BARS, COLUMNS };

static const char *const HEADS[COLUMNS] = {
    "input", "x", "culprit", "alone", "delta", "delta raw", "", "", "P(>0)", ""};

/* What is the same for all lines of one table. Line `d` is that of the outcome. */
struct sheet {
    const gpai_view *v;
    size_t shown;
    int decimals; /* of delta and its interval */
    double longest;
    size_t name_most;
    size_t width[COLUMNS];
    bool has[COLUMNS];
    bool culprits;
};

static void outcome_cell(gpa_text *t, const struct sheet *s, enum column c)
{
    const gpai_view *v = s->v;
    if (c == NAME) {
        gpai_text_add(t, "observed ");
        gpai_view_target(t, v, s->name_most - 9 < 6 ? 6 : s->name_most - 9);
    } else if (c == X) {
        gpai_cell_value(t, v->y_mean, v->info->ascii);
    } else if (c == BLAME) {
        gpai_cell_probability(t, v->c->output);
    }
}

/* The distribution's cells; an input that may not move has none. */
static void marginal_cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpa_marginal *m = gpa_explanation_marginal(s->v->e, k);
    if (m == NULL || gpai_view_held(s->v, k))
        return;
    if (c == P)
        gpai_cell_probability(t, m->p_positive);
    else
        gpai_cell_change(t, m->interval90[c == HIGH], s->decimals, s->v->info->ascii);
}

static void cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpai_view *v = s->v;
    bool ascii = v->info->ascii;
    if (k == v->d) {
        outcome_cell(t, s, c);
        return;
    }
    switch (c) {
    case NAME:
        gpai_view_feature(t, v, k, s->name_most);
        break;
    case X:
        gpai_cell_value(t, gpai_view_x(v, k), ascii);
        break;
    case BLAME:
        if (s->culprits && !gpai_view_held(v, k))
            gpai_cell_probability(t, gpai_view_blame(v, k));
        break;
    case ALONE:
        if (s->culprits && gpai_view_held(v, k))
            gpai_text_add(t, "held");
        else if (s->culprits)
            gpai_cell_raw(t, gpai_raw(v->c->median[k], v->unit[k]), ascii);
        break;
    case DELTA:
        gpai_cell_change(t, v->delta[k], s->decimals, ascii);
        break;
    case RAW:
        gpai_cell_raw(t, v->raw[k], ascii);
        break;
    case LOW:
    case HIGH:
    case P:
        marginal_cell(t, s, k, c);
        break;
    case BARS:
    case COLUMNS:
        break;
    }
}

/* Width of a cell: written, measured and taken back. */
static size_t cell_width(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    size_t start = t->length;
    cell(t, s, k, c);
    size_t width = gpai_utf8_width(t->data + start);
    t->length = start;
    t->data[start] = '\0';
    return width;
}

static const char *head_of(const struct sheet *s, enum column c)
{
    return c == X && s->v->n > 1 ? "mean x" : HEADS[c];
}

static size_t widest(gpa_text *t, const struct sheet *s, enum column c)
{
    size_t width = gpai_utf8_width(head_of(s, c));
    for (size_t i = 0; i < s->shown + s->culprits; i++) {
        size_t w = cell_width(t, s, i < s->shown ? s->v->order[i] : s->v->d, c);
        width = w > width ? w : width;
    }
    return width;
}

/* Columns that all but the names take. */
static size_t taken(const struct sheet *s)
{
    size_t sum = 2 + (s->has[LOW] ? 2 : 0); /* brackets */
    for (enum column c = X; c < COLUMNS; c++)
        sum += s->has[c] ? s->width[c] + 2 : 0;
    return s->has[BARS] && s->culprits ? sum - 1 : sum; /* one space before that bar */
}

/* Leaves columns out until the rest fits. */
static void squeeze(struct sheet *s, size_t columns)
{
    static const enum column with[] = {P, RAW, BARS, LOW, DELTA, X},
                             without[] = {P, BARS, LOW, X, RAW};
    size_t n = s->culprits ? sizeof with / sizeof *with : sizeof without / sizeof *with;
    for (size_t i = 0; i < n && taken(s) + NAME_LEAST > columns; i++) {
        s->has[s->culprits ? with[i] : without[i]] = false;
        s->has[HIGH] = s->has[LOW];
    }
}

/* Names get what the numbers leave of the line. */
static void lay_out(gpa_text *t, struct sheet *s, const gpai_view *v, size_t columns)
{
    *s = (struct sheet){.v = v, .shown = v->d < SHOWN ? v->d : SHOWN};
    s->longest = v->d > 0 ? fabs(v->delta[v->largest[0]]) : 0;
    s->decimals = gpai_cell_decimals(v);
    s->culprits = v->c != NULL;
    bool marginals = v->d > 0 && gpa_explanation_marginal(v->e, 0) != NULL;
    for (enum column c = X; c < BARS; c++) {
        s->has[c] = c == BLAME || c == ALONE ? s->culprits : c < LOW || marginals;
        s->width[c] = widest(t, s, c);
    }
    s->has[BARS] = true;
    s->width[BARS] = s->culprits ? BLAME_BAR : 2 * BAR + 1;
    squeeze(s, columns);
    size_t rest = taken(s);
    size_t most = NAME_USUAL + (columns > USUAL ? columns - USUAL : 0);
    s->name_most = rest + NAME_LEAST > columns ? NAME_LEAST : columns - rest;
    s->name_most = s->name_most > most ? most : s->name_most;
    s->width[NAME] = widest(t, s, NAME);
}

static void put_right(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    gpai_text_repeat(t, " ", s->width[c] - cell_width(t, s, k, c));
    cell(t, s, k, c);
}

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
static void bar(gpa_text *t, const struct sheet *s, double delta)
{
    bool ascii = s->v->info->ascii;
    double share = delta != 0 ? fabs(delta) / s->longest : 0;
    if (delta != 0 && share < 0.25 / BAR) /* no change is too small to be seen */
        share = 0.25 / BAR;
    gpai_text_add(t, "  ");
    half_bar(t, delta < 0 ? share : 0, BAR, true, ascii);
    gpai_text_add(t, ascii ? "|" : "│");
    half_bar(t, delta > 0 ? share : 0, BAR, false, ascii);
}

static void trim(gpa_text *t)
{
    while (t->length > 0 && t->data[t->length - 1] == ' ')
        t->data[--t->length] = '\0';
}

static void head(gpa_text *t, const struct sheet *s)
{
    gpai_paint_text(t, s->v->info, GPAI_DIM);
    gpai_text_printf(t, "  %-*s", (int)s->width[NAME], HEADS[NAME]);
    for (enum column c = X; c <= RAW; c++) {
        if (!s->has[c])
            continue;
        bool blame_bar = c == BLAME && s->has[BARS];
        gpai_text_printf(t, "  %*s%*s", (int)s->width[c], head_of(s, c),
                         blame_bar ? BLAME_BAR + 1 : 0, "");
    }
    if (s->has[LOW]) {
        if (!s->culprits && s->has[BARS])
            gpai_text_printf(t, "  %*s", 2 * BAR + 1, "");
        gpai_text_printf(t, "  %*s", (int)(s->width[LOW] + s->width[HIGH] + 4),
                         "90 % interval");
    }
    if (s->has[P])
        gpai_text_printf(t, "  %*s", (int)s->width[P], HEADS[P]);
    trim(t);
    gpai_paint_text(t, s->v->info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

static void interval(gpa_text *t, const struct sheet *s, size_t k)
{
    if (gpai_view_held(s->v, k)) {
        int room = (int)(s->width[LOW] + s->width[HIGH] + 4);
        gpai_text_printf(t, "  %*s", room, s->culprits ? "" : "held");
        return;
    }
    gpai_text_add(t, "  [");
    put_right(t, s, k, LOW);
    gpai_text_add(t, ", ");
    put_right(t, s, k, HIGH);
    gpai_text_add(t, "]");
    if (s->has[P]) {
        gpai_text_add(t, "  ");
        put_right(t, s, k, P);
    }
}

/* "  0.93 █████" */
static void blame(gpa_text *t, const struct sheet *s, size_t k, double p)
{
    gpai_text_add(t, "  ");
    put_right(t, s, k, BLAME);
    if (s->has[BARS]) {
        gpai_text_add(t, " ");
        half_bar(t, p, BLAME_BAR, false, s->v->info->ascii);
    }
}

static void name_and_x(gpa_text *t, const struct sheet *s, size_t k)
{
    gpai_text_add(t, "  ");
    cell(t, s, k, NAME);
    gpai_text_repeat(t, " ", s->width[NAME] - cell_width(t, s, k, NAME));
    if (!s->has[X])
        return;
    gpai_text_add(t, "  ");
    put_right(t, s, k, X);
}

static void change_cells(gpa_text *t, const struct sheet *s, size_t k)
{
    for (enum column c = DELTA; c <= RAW; c++) {
        if (!s->has[c])
            continue;
        gpai_text_add(t, "  ");
        put_right(t, s, k, c);
    }
    if (!s->culprits && s->has[BARS])
        bar(t, s, s->v->delta[k]);
}

/* A line of the table in its colours: `base` for all of it, a tint for changes. */
static void line(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    double delta = v->delta[k];
    bool accused = gpai_view_accused(v, k), painted = accused || delta == 0;
    gpai_paint base = accused ? GPAI_BOLD : GPAI_DIM;
    if (painted)
        gpai_paint_text(t, v->info, base);
    name_and_x(t, s, k);
    if (s->culprits) {
        blame(t, s, k, gpai_view_held(v, k) ? 0 : gpai_view_blame(v, k));
        gpai_text_add(t, "  ");
        put_right(t, s, k, ALONE);
    }
    if (delta != 0)
        gpai_paint_text(t, v->info, delta > 0 ? GPAI_RED : GPAI_BLUE);
    change_cells(t, s, k);
    if (delta != 0)
        gpai_paint_text(t, v->info, GPAI_PLAIN);
    if (delta != 0 && painted)
        gpai_paint_text(t, v->info, base);
    if (s->has[LOW])
        interval(t, s, k);
    trim(t);
    gpai_paint_text(t, v->info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

/* The outcome stands among the suspects. */
static void outcome_line(gpa_text *t, const struct sheet *s)
{
    const gpai_view *v = s->v;
    gpai_paint_text(t, v->info,
                    v->c->verdict == GPA_VERDICT_OUTPUT ? GPAI_BOLD : GPAI_DIM);
    name_and_x(t, s, v->d);
    blame(t, s, v->d, v->c->output);
    trim(t);
    gpai_paint_text(t, v->info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

static void more_inputs(gpa_text *t, const struct sheet *s)
{
    const gpai_view *v = s->v;
    gpai_paint_text(t, v->info, GPAI_DIM);
    gpai_text_printf(t, "  and %zu more inputs", v->d - s->shown);
    if (s->culprits)
        gpai_text_add(t, " that are less likely");
    else if (v->moved > s->shown)
        gpai_text_printf(t, ", %zu of them with a smaller change", v->moved - s->shown);
    else
        gpai_text_add(t, " that do not change");
    gpai_paint_text(t, v->info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

/* What the columns mean, for those who see such a table for the first time. */
static void legend(gpa_text *t, const struct sheet *s, size_t columns)
{
    gpai_paint_text(t, s->v->info, GPAI_DIM);
    gpai_text_add(t, "\n");
    size_t start = t->length;
    gpai_text_add(t, "  ");
    if (s->culprits)
        gpai_text_add(t, "culprit: the probability that it is responsible; alone: the "
                         "change that would look normal if it alone were off; ");
    gpai_text_add(t, s->has[DELTA] ? "delta: " : "delta raw: ");
    gpai_text_add(t, "the most probable change if all inputs may change, ");
    gpai_text_add(t, s->has[DELTA] ? "in usual spreads (--scale)" : "in its own unit");
    if (s->has[LOW])
        gpai_text_add(t, ", with the interval that holds 90 %");
    if (s->has[DELTA] && s->has[RAW])
        gpai_text_add(t, "; delta raw: the same in its own unit");
    if (s->has[P])
        gpai_text_add(t, "; P(>0): the probability that it goes up");
    gpai_text_wrap(t, start, columns, 2);
    gpai_paint_text(t, s->v->info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

void gpai_table_inputs(gpa_text *t, const gpai_view *v, size_t columns, bool explain)
{
    struct sheet s;
    lay_out(t, &s, v, columns);
    head(t, &s);
    for (size_t i = 0; i < s.shown; i++)
        line(t, &s, v->order[i]);
    if (s.shown < v->d)
        more_inputs(t, &s);
    if (s.culprits)
        outcome_line(t, &s);
    if (explain && v->d > 0 && (s.has[DELTA] || s.has[RAW]))
        legend(t, &s, columns);
}
