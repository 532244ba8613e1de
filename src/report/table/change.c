#include "base/text/utf8.h"
#include "report/table/sheet.h"
#include "report/words/sentence.h"
#include <math.h>

/* The most probable change of all inputs together: a line per input, the largest change
 * first. */

enum column { NAME, X, DELTA, RAW, LOW, HIGH, P, BARS, COLUMNS };

enum { BAR = 8 }; /* columns of each half of a bar */

/* What is the same for all lines of one table. */
struct sheet {
    const gpai_view *v;
    size_t shown;
    int decimals; /* of delta and its interval */
    double longest;
    size_t name_most;
    size_t width[COLUMNS];
    bool has[COLUMNS];
};

enum { SHOWN = 20 };
enum { NAME_LEAST = 15, NAME_USUAL = 24, LEVEL = 16 }; /* columns of a name */
enum { USUAL = 100 }; /* of a line; above that names grow */

static const char *const HEADS[COLUMNS] = {"input", "x", "delta", "delta raw",
                                           "",      "",  "P(>0)", ""};

/* The distribution's cells; an input that may not move has none. */
static void marginal_cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpa_marginal *m = gpai_view_marginal(s->v, k);
    if (m == NULL || gpai_view_held(s->v, k) || gpai_has_levels(&s->v->kinds, k))
        return;
    double end = m->interval90[c == HIGH];
    gpai_text_add(t, c == P
                         ? gpai_cell_probability(m->p_positive).text
                         : gpai_cell_change(end, s->decimals, s->v->info->ascii).text);
}

/* The change as a number; of a choice where it goes. */
static void change_cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpai_view *v = s->v;
    bool ascii = v->info->ascii;
    if (v->kinds.input[k].levels > 0) {
        if (c == DELTA)
            gpai_say_move(t, v, k, LEVEL);
    } else {
        gpai_text_add(t, c == RAW
                             ? gpai_cell_raw(v->raw[k], ascii).text
                             : gpai_cell_change(v->delta[k], s->decimals, ascii).text);
    }
}

/* A cell of input k as it is. */
static void cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpai_view *v = s->v;
    switch (c) {
    case NAME:
        gpai_view_label(t, v, k, s->name_most);
        break;
    case X:
        gpai_say_value(t, v, k, gpai_view_x(v, k), LEVEL);
        break;
    case DELTA:
    case RAW:
        change_cell(t, s, k, c);
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
static size_t width_of(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    size_t start = t->length;
    cell(t, s, k, c);
    size_t width = gpai_utf8_width(t->data + start);
    gpai_text_cut(t, start);
    return width;
}

static const char *head_of(const struct sheet *s, enum column c)
{
    return c == X && s->v->n > 1 ? "mean x" : HEADS[c];
}

static size_t widest(gpa_text *t, const struct sheet *s, enum column c)
{
    size_t width = gpai_utf8_width(head_of(s, c));
    for (size_t i = 0; i < s->shown; i++) {
        size_t w = width_of(t, s, s->v->largest[i], c);
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
    return sum;
}

/* Leaves columns out until the rest fits. */
static void squeeze(struct sheet *s, size_t columns)
{
    static const enum column least[] = {P, BARS, LOW, X, RAW};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        if (taken(s) + NAME_LEAST <= columns)
            return;
        s->has[least[i]] = false;
        s->has[HIGH] = s->has[LOW];
    }
}

/* Lays out lines of at most `columns`; what does not fit is left out, the least
 * important column first. Names get what the numbers leave. */
static void lay_out(gpa_text *t, struct sheet *s, const gpai_view *v, size_t columns)
{
    *s = (struct sheet){.v = v, .shown = v->inputs < SHOWN ? v->inputs : SHOWN};
    s->longest = v->longest;
    s->decimals = gpai_cell_decimals(v);
    bool marginals = gpa_explanation_spread_known(v->e);
    for (enum column c = X; c < BARS; c++) {
        s->has[c] = c < LOW || marginals;
        s->width[c] = widest(t, s, c);
    }
    s->has[BARS] = true;
    s->width[BARS] = 2 * BAR + 1;
    squeeze(s, columns);
    size_t rest = taken(s);
    size_t most = NAME_USUAL + (columns > USUAL ? columns - USUAL : 0);
    s->name_most = rest + NAME_LEAST > columns ? NAME_LEAST : columns - rest;
    s->name_most = s->name_most > most ? most : s->name_most;
    s->width[NAME] = widest(t, s, NAME);
}

/* The same behind other text, set to the right of its column, where the table has that.
 */
static void cell_right(gpa_text *t, const char *before, const struct sheet *s, size_t k,
                       enum column c)
{
    if (!s->has[c])
        return;
    gpai_text_add(t, before);
    size_t start = t->length;
    cell(t, s, k, c);
    gpai_line_pad(t, start, s->width[c], true);
}

/* A bar from the middle to the side of its sign. */
static void bar(gpa_text *t, const struct sheet *s, double delta)
{
    bool ascii = s->v->info->ascii;
    double share = delta != 0 ? fabs(delta) / s->longest : 0;
    if (delta != 0 && share < 0.25 / BAR) /* no change is too small to be seen */
        share = 0.25 / BAR;
    gpai_text_add(t, "  ");
    gpai_line_bar(t, delta < 0 ? share : 0, BAR, true, ascii);
    gpai_text_add(t, ascii ? "|" : "│");
    gpai_line_bar(t, delta > 0 ? share : 0, BAR, false, ascii);
}

static void head(gpa_text *t, const struct sheet *s)
{
    gpai_paint(t, s->v->info, GPAI_DIM);
    gpai_text_printf(t, "  %-*s", (int)s->width[NAME], head_of(s, NAME));
    for (enum column c = X; c <= RAW; c++) {
        if (!s->has[c])
            continue;
        gpai_text_printf(t, "  %*s", (int)s->width[c], head_of(s, c));
    }
    if (s->has[LOW]) {
        if (s->has[BARS])
            gpai_text_printf(t, "  %*s", 2 * BAR + 1, "");
        gpai_text_printf(t, "  %*s", (int)(s->width[LOW] + s->width[HIGH] + 4),
                         "90 % interval");
    }
    if (s->has[P])
        gpai_text_printf(t, "  %*s", (int)s->width[P], head_of(s, P));
    gpai_line_end(t, s->v->info);
}

/* The likeliest level with its probability, where a number has its interval. */
static void likeliest(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpa_marginal *m = gpai_view_marginal(s->v, k);
    size_t room = s->width[LOW] + s->width[HIGH] + 4, best = 0;
    gpai_text_add(t, "  ");
    size_t start = t->length;
    for (size_t i = 1; m != NULL && i < m->levels; i++)
        best = m->mass[i] > m->mass[best] ? i : best;
    if (m != NULL && m->levels > 0) {
        gpai_say_level(t, s->v, k, m->level[best], room - 6);
        gpai_text_printf(t, " %s", gpai_cell_probability(m->mass[best]).text);
    }
    gpai_line_pad(t, start, room, true);
}

static void interval(gpa_text *t, const struct sheet *s, size_t k)
{
    if (gpai_view_held(s->v, k)) {
        int room = (int)(s->width[LOW] + s->width[HIGH] + 4);
        gpai_text_printf(t, "  %*s", room, "held");
        return;
    }
    if (gpai_has_levels(&s->v->kinds, k)) {
        likeliest(t, s, k);
        return;
    }
    cell_right(t, "  [", s, k, LOW);
    cell_right(t, ", ", s, k, HIGH);
    gpai_text_add(t, "]");
    cell_right(t, "  ", s, k, P);
}

static void name_and_x(gpa_text *t, const struct sheet *s, size_t k)
{
    gpai_text_add(t, "  ");
    size_t start = t->length;
    cell(t, s, k, NAME);
    gpai_line_pad(t, start, s->width[NAME], false);
    cell_right(t, "  ", s, k, X);
}

static void change_cells(gpa_text *t, const struct sheet *s, size_t k)
{
    cell_right(t, "  ", s, k, DELTA);
    cell_right(t, "  ", s, k, RAW);
    if (s->has[BARS])
        bar(t, s, s->v->kinds.input[k].levels > 0 ? 0 : s->v->delta[k]);
}

/* A line of the table in its colours: `base` for all of it, a tint for changes. */
static void line(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    bool levels = v->kinds.input[k].levels > 0;
    double delta = levels ? gpai_view_size(v, k) : v->delta[k];
    gpai_paint(t, v->info, delta == 0 ? GPAI_DIM : GPAI_PLAIN);
    name_and_x(t, s, k);
    if (delta != 0)
        gpai_paint(t, v->info, delta > 0 ? GPAI_RED : GPAI_BLUE);
    change_cells(t, s, k);
    if (delta != 0)
        gpai_paint(t, v->info, GPAI_PLAIN);
    if (s->has[LOW])
        interval(t, s, k);
    gpai_line_end(t, v->info);
}

static void more_inputs(gpa_text *t, const struct sheet *s)
{
    const gpai_view *v = s->v;
    gpai_paint(t, v->info, GPAI_DIM);
    gpai_text_printf(t, "  and %zu more inputs", v->inputs - s->shown);
    if (v->moved > s->shown)
        gpai_text_printf(t, ", %zu of them with a smaller change", v->moved - s->shown);
    else
        gpai_text_add(t, " that do not change");
    gpai_line_end(t, v->info);
}

/* What the columns mean, for those who see such a table for the first time. */
static void legend(gpa_text *t, const struct sheet *s, size_t columns)
{
    gpai_paint(t, s->v->info, GPAI_DIM);
    gpai_text_add(t, "\n");
    size_t start = t->length;
    gpai_text_add(t, "  ");
    gpai_text_add(t, s->has[DELTA] ? "delta: " : "delta raw: ");
    gpai_text_add(t, "the most probable change if all inputs may change, ");
    gpai_text_add(t, s->has[DELTA] ? "in usual spreads (--scale)" : "in its own unit");
    if (s->has[LOW])
        gpai_text_add(t, s->v->kinds.mixed
                             ? ", with the interval that holds 90 %, of a choice the "
                               "likeliest level"
                             : ", with the interval that holds 90 %");
    if (s->has[DELTA] && s->has[RAW])
        gpai_text_add(t, "; delta raw: the same in its own unit");
    if (s->has[P])
        gpai_text_add(t, "; P(>0): the probability that it goes up");
    gpai_text_wrap(t, start, columns, 2);
    gpai_line_end(t, s->v->info);
}

void gpai_table_change(gpa_text *t, const gpai_view *v, size_t columns, bool explain)
{
    struct sheet s;
    lay_out(t, &s, v, columns);
    head(t, &s);
    for (size_t i = 0; i < s.shown; i++)
        line(t, &s, v->largest[i]);
    if (s.shown < v->inputs)
        more_inputs(t, &s);
    if (explain && v->d > 0 && (s.has[DELTA] || s.has[RAW]))
        legend(t, &s, columns);
}
