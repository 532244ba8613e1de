#include "report/cells.h"
#include "report/utf8.h"
#include "report/view.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

enum { SHOWN = 20, WRAP = 92 };
enum { BAR = 8, BLAME_BAR = 6 };                        /* columns of the bars */
enum { WIDEST = 100, NAME_LEAST = 12, NAME_MOST = 24 }; /* of a line, of a name */

static const char *const RED = "\033[91m", *const BLUE = "\033[94m",
                         *const DIM = "\033[2m", *const BOLD = "\033[1m",
                         *const PLAIN = "\033[0m";

static void paint(gpa_text *t, const gpa_report_info *info, const char *code)
{
    if (info->colour)
        gpai_text_add(t, code);
}

/* The columns of the table of inputs, from left to right. With culprits the bar is
 * that of BLAME, without them that of delta, behind RAW. */
enum column { NAME, X, BLAME, ALONE, DELTA, RAW, LOW, HIGH, P, COLUMNS };

static const char *const HEADS[COLUMNS] = {
    "input", "x", "culprit", "alone", "delta", "delta raw", "", "", "P(>0)"};

/* What is the same for all lines of one table. Line `d` is that of the outcome. */
struct sheet {
    const gpai_view *v;
    size_t shown;
    int decimals; /* of delta and its interval */
    double longest;
    size_t name_most;
    size_t width[COLUMNS];
    bool marginals, culprits;
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

/* Whether the table has that column. */
static bool has(const struct sheet *s, enum column c)
{
    return c == BLAME || c == ALONE ? s->culprits : c < LOW || s->marginals;
}

/* Names get what the numbers leave of the line. */
static void lay_out(gpa_text *t, struct sheet *s, const gpai_view *v)
{
    *s = (struct sheet){.v = v, .shown = v->d < SHOWN ? v->d : SHOWN};
    s->longest = v->d > 0 ? fabs(v->delta[v->largest[0]]) : 0;
    s->decimals = gpai_cell_decimals(v);
    s->marginals = v->d > 0 && gpa_explanation_marginal(v->e, 0) != NULL;
    s->culprits = v->c != NULL;
    size_t rest = 2 + (s->culprits ? BLAME_BAR + 1 : 2 * BAR + 3);
    rest += s->marginals ? 2 : 0; /* brackets */
    for (enum column c = X; c < COLUMNS; c++) {
        s->width[c] = widest(t, s, c);
        rest += has(s, c) ? s->width[c] + 2 : 0;
    }
    s->name_most = rest + NAME_LEAST > WIDEST ? NAME_LEAST : WIDEST - rest;
    s->name_most = s->name_most > NAME_MOST ? NAME_MOST : s->name_most;
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
    half_bar(t, delta < 0 ? share : 0, BAR, true, ascii);
    gpai_text_add(t, ascii ? "|" : "│");
    half_bar(t, delta > 0 ? share : 0, BAR, false, ascii);
}

static void head(gpa_text *t, const struct sheet *s)
{
    paint(t, s->v->info, DIM);
    gpai_text_printf(t, "  %-*s", (int)s->width[NAME], HEADS[NAME]);
    for (enum column c = X; c <= RAW; c++)
        if (has(s, c))
            gpai_text_printf(t, "  %*s%*s", (int)s->width[c], head_of(s, c),
                             c == BLAME ? BLAME_BAR + 1 : 0, "");
    if (s->marginals) {
        int interval = (int)(s->width[LOW] + s->width[HIGH] + 4);
        if (!s->culprits)
            gpai_text_printf(t, "  %*s", 2 * BAR + 1, "");
        gpai_text_printf(t, "  %*s  %*s", interval, "90 % interval", (int)s->width[P],
                         HEADS[P]);
    }
    paint(t, s->v->info, PLAIN);
    gpai_text_add(t, "\n");
}

static void trim(gpa_text *t)
{
    while (t->length > 0 && t->data[t->length - 1] == ' ')
        t->data[--t->length] = '\0';
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
    gpai_text_add(t, "]  ");
    put_right(t, s, k, P);
}

/* "  0.93 █████" */
static void blame(gpa_text *t, const struct sheet *s, size_t k, double p)
{
    gpai_text_add(t, "  ");
    put_right(t, s, k, BLAME);
    gpai_text_add(t, " ");
    half_bar(t, p, BLAME_BAR, false, s->v->info->ascii);
}

/* A line of the table in its colours: `base` for all of it, a tint for changes. */
static void line(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    double delta = v->delta[k];
    const char *base = gpai_view_accused(v, k) ? BOLD : delta == 0 ? DIM : "";
    const char *tint = delta > 0 ? RED : delta < 0 ? BLUE : "";
    paint(t, v->info, base);
    gpai_text_add(t, "  ");
    cell(t, s, k, NAME);
    gpai_text_repeat(t, " ", s->width[NAME] - cell_width(t, s, k, NAME) + 2);
    put_right(t, s, k, X);
    if (s->culprits) {
        blame(t, s, k, gpai_view_held(v, k) ? 0 : gpai_view_blame(v, k));
        gpai_text_add(t, "  ");
        put_right(t, s, k, ALONE);
    }
    gpai_text_add(t, "  ");
    paint(t, v->info, tint);
    put_right(t, s, k, DELTA);
    gpai_text_add(t, "  ");
    put_right(t, s, k, RAW);
    if (!s->culprits) {
        gpai_text_add(t, "  ");
        bar(t, s, delta);
    }
    paint(t, v->info, delta != 0 ? PLAIN : "");
    paint(t, v->info, delta != 0 ? base : "");
    if (s->marginals)
        interval(t, s, k);
    trim(t);
    paint(t, v->info, PLAIN);
    gpai_text_add(t, "\n");
}

/* The outcome stands among the suspects. */
static void outcome_line(gpa_text *t, const struct sheet *s)
{
    const gpai_view *v = s->v;
    paint(t, v->info, v->c->verdict == GPA_VERDICT_OUTPUT ? BOLD : DIM);
    gpai_text_add(t, "  ");
    cell(t, s, v->d, NAME);
    gpai_text_repeat(t, " ", s->width[NAME] - cell_width(t, s, v->d, NAME) + 2);
    put_right(t, s, v->d, X);
    blame(t, s, v->d, v->c->output);
    trim(t);
    paint(t, v->info, PLAIN);
    gpai_text_add(t, "\n");
}

static void more_inputs(gpa_text *t, const struct sheet *s)
{
    const gpai_view *v = s->v;
    paint(t, v->info, DIM);
    gpai_text_printf(t, "  and %zu more inputs", v->d - s->shown);
    if (s->culprits)
        gpai_text_add(t, " that are less likely");
    else if (v->moved > s->shown)
        gpai_text_printf(t, ", %zu of them with a smaller change", v->moved - s->shown);
    else
        gpai_text_add(t, " that do not change");
    paint(t, v->info, PLAIN);
    gpai_text_add(t, "\n");
}

static void inputs(gpa_text *t, const gpai_view *v)
{
    struct sheet s;
    lay_out(t, &s, v);
    head(t, &s);
    for (size_t i = 0; i < s.shown; i++)
        line(t, &s, v->order[i]);
    if (s.shown < v->d)
        more_inputs(t, &s);
    if (s.culprits)
        outcome_line(t, &s);
}

static void setting(gpa_text *t, const char *name, double x)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(x))
        return;
    gpai_real_people(number, x, 5);
    gpai_text_printf(t, "%s %s  ", name, number);
}

static void settings(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_text_add(t, "  ");
    setting(t, "eta", s->eta);
    setting(t, "nu", s->nu);
    setting(t, "a0", s->a0);
    if (v->n == 1 || s->noise != GPA_NOISE_LOCAL)
        setting(t, "b", v->b[0]);
    else
        gpai_text_add(t, "b local  ");
    setting(t, "sigma", s->sigma);
    setting(t, "c_b", s->cb);
    gpai_text_printf(t, "solver %s  marginals %s\n", gpa_solver_name(s->solver),
                     gpa_marginals_name(s->marginals));
}

/* Turns spaces into line ends, so that lines stay short where that is possible. A
 * number stays with its % or sigma. */
static void wrap(gpa_text *t, size_t start)
{
    size_t column = 0, space = 0;
    if (t->failed)
        return;
    const char *p = t->data + start;
    while (*p != '\0') {
        size_t at = (size_t)(p - t->data);
        uint32_t c = gpai_utf8_next(&p);
        column++;
        if (c == ' ' && *p != '%' && strncmp(p, "sigma", 5) != 0)
            space = at;
        if (column > WRAP && space > 0) {
            t->data[space] = '\n';
            p = t->data + space + 1;
            column = space = 0;
        }
    }
}

static void sentences(gpa_text *t, const gpai_view *v)
{
    size_t start = t->length;
    gpai_say_rows(t, v);
    gpai_text_add(t, ": ");
    gpai_say_what(t, v);
    wrap(t, start);
    gpai_text_add(t, "\n");
    if (v->c != NULL) {
        paint(t, v->info, BOLD);
        start = t->length;
        gpai_say_verdict(t, v);
        wrap(t, start);
        paint(t, v->info, PLAIN);
        gpai_text_add(t, "\n");
    }
    start = t->length;
    gpai_say_why(t, v);
    wrap(t, start);
    gpai_text_add(t, "\n\n");
}

static void small_print(gpa_text *t, const gpai_view *v)
{
    paint(t, v->info, DIM);
    gpai_text_add(t, "\n");
    settings(t, v);
    gpai_text_add(t, "  ");
    gpai_say_rows_asked(t, v);
    gpai_text_add(t, "\n  ");
    gpai_say_search(t, v);
    if (v->c != NULL) {
        gpai_text_add(t, "\n  ");
        gpai_say_basis(t, v);
    }
    paint(t, v->info, PLAIN);
    gpai_text_add(t, "\n");
}

gpa_status gpai_table_explanation(gpa_text *t, const gpa_report_info *info,
                                  const gpa_explanation *e, size_t index,
                                  gpa_error *err)
{
    gpai_view v;
    gpa_status st = gpai_view_make(&v, info, e, err);
    if (st != GPA_OK)
        return st;
    gpai_text_add(t, index > 0 ? "\n\n" : "");
    sentences(t, &v);
    inputs(t, &v);
    small_print(t, &v);
    for (size_t i = 0; gpa_explanation_note(e, i) != NULL; i++) {
        gpai_text_add(t, "  note: ");
        gpai_text_visible(t, gpa_explanation_note(e, i), 0, info->ascii);
        gpai_text_add(t, "\n");
    }
    gpai_view_free(&v);
    return GPA_OK;
}
