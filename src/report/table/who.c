#include "base/text/utf8.h"
#include "report/table/sheet.h"
#include "report/words/sentence.h"
#include <math.h>

/* Who is responsible: a line per input, the likeliest first, then the outcome. */

enum column { NAME, NOW, BLAME, NORMAL, LOW, HIGH, COLUMNS };

/* What is the same for all lines. Line `d` is that of the outcome. */
struct sheet {
    const gpai_view *v;
    size_t shown;
    size_t name_most;
    size_t width[COLUMNS];
    bool has[COLUMNS], bars;
    const char *head; /* of what would look normal */
};

enum { SHOWN = 20, BAR = 6 };
enum { NAME_LEAST = 12, NAME_USUAL = 24, LEVEL = 16 }; /* columns of a name */
enum { TO = 4 };                                       /* " to " */

static void outcome_cell(gpa_text *t, const struct sheet *s, enum column c)
{
    const gpai_view *v = s->v;
    double ends[2], normal = gpai_view_output_normal(v, ends);
    int decimals = gpai_decimals(ends[1] - ends[0], 3);
    if (c == NAME) {
        static const char word[] = "observed ";
        gpai_text_add(t, word);
        gpai_view_label(t, v, v->d, s->name_most - (sizeof word - 1));
    } else if (c == NOW) {
        gpai_text_add(t, gpai_cell_value(v->y_mean, v->info->ascii).text);
    } else if (c == BLAME) {
        gpai_text_add(t, gpai_cell_percent(v->c->output).text);
    } else if (isfinite(normal)) {
        double x = c == NORMAL ? normal : ends[c == HIGH];
        gpai_text_add(t, gpai_cell_fixed(x, decimals, v->info->ascii).text);
    }
}

/* The likeliest level; with its share where there is more than one other. */
static void level_cell(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    double normal = gpai_view_normal(v, k);
    gpai_say_normal(t, v, k, normal, LEVEL);
    if (a != NULL && !isnan(normal) && a->probability[a->best] < 0.995)
        gpai_text_printf(t, " (%s)", gpai_cell_percent(a->probability[a->best]).text);
}

static void normal_cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpai_view *v = s->v;
    if (gpai_view_held(v, k))
        gpai_text_add(t, c == NORMAL ? "held" : "");
    else if (!gpai_has_levels(&v->kinds, k))
        gpai_say_alone(t, v, k,
                       c == NORMAL ? GPAI_ALONE_VALUE
                       : c == LOW  ? GPAI_ALONE_LOW
                                   : GPAI_ALONE_HIGH,
                       LEVEL);
    else if (c == NORMAL)
        level_cell(t, v, k);
}

/* A cell of input k as it is. */
static void cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpai_view *v = s->v;
    if (k == v->d)
        outcome_cell(t, s, c);
    else if (c == NAME)
        gpai_view_label(t, v, k, s->name_most);
    else if (c == NOW)
        gpai_say_recorded(t, v, k, LEVEL);
    else if (c != BLAME)
        normal_cell(t, s, k, c);
    else if (!gpai_view_held(v, k))
        gpai_text_add(t, gpai_cell_percent(gpai_view_blame(v, k)).text);
}

/* Width of a cell: written, measured and taken back. */
static size_t width_of(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    size_t start = t->length;
    cell(t, s, k, c);
    size_t width = t->failed ? 0 : gpai_utf8_width(t->data + start);
    gpai_text_cut(t, start);
    return width;
}

/* The levels of choices stand over both the value and its interval. */
static bool spans(const struct sheet *s, size_t k, enum column c)
{
    return c == NORMAL && k < s->v->d && s->has[LOW] && !gpai_view_held(s->v, k) &&
           gpai_has_levels(&s->v->kinds, k);
}

static const char *head_of(const struct sheet *s, enum column c)
{
    switch (c) {
    case NAME:
        return "input";
    case NOW:
        return s->v->n > 1 ? "mean now" : "now";
    case BLAME:
        return gpai_blame_head(s->v->c->verdict);
    case NORMAL:
        return s->head;
    case LOW:
    case HIGH:
    case COLUMNS:
        break;
    }
    return "";
}

static size_t widest(gpa_text *t, const struct sheet *s, enum column c)
{
    size_t width = c == BLAME ? 0 : gpai_utf8_width(head_of(s, c));
    for (size_t i = 0; i <= s->shown; i++) {
        size_t k = i < s->shown ? s->v->order[i] : s->v->d;
        size_t w = spans(s, k, c) ? 0 : width_of(t, s, k, c);
        width = w > width ? w : width;
    }
    return width;
}

/* Columns of the probability and its bar, as wide as their head. */
static size_t blame_room(const struct sheet *s)
{
    size_t head = gpai_utf8_width(head_of(s, BLAME));
    size_t own = s->width[BLAME] + (s->bars ? 1 + BAR : 0);
    return own > head ? own : head;
}

static size_t interval_room(const struct sheet *s)
{
    size_t own = s->width[LOW] + TO + s->width[HIGH];
    return own > sizeof "90 % interval" - 1 ? own : sizeof "90 % interval" - 1;
}

/* Columns that all but the names take. */
static size_t taken(const struct sheet *s)
{
    size_t sum = 2 + blame_room(s) + 2 + s->width[NORMAL] + 2;
    sum += s->has[NOW] ? s->width[NOW] + 2 : 0;
    return sum + (s->has[LOW] ? interval_room(s) + 2 : 0);
}

/* The widest level that does not fit over the value and the interval widens the value.
 */
static void fit_levels(gpa_text *t, struct sheet *s)
{
    for (size_t i = 0; i < s->shown; i++) {
        size_t k = s->v->order[i];
        size_t room = s->width[NORMAL] + 2 + interval_room(s);
        size_t w = spans(s, k, NORMAL) ? width_of(t, s, k, NORMAL) : 0;
        s->width[NORMAL] += w > room ? w - room : 0;
    }
}

static void measure(gpa_text *t, struct sheet *s)
{
    for (enum column c = NOW; c < COLUMNS; c++)
        s->width[c] = widest(t, s, c);
    if (s->has[LOW])
        fit_levels(t, s);
}

/* Lays out lines of at most `columns`; what does not fit is left out, the least
 * important first. Names get what the numbers leave. */
static void lay_out(gpa_text *t, struct sheet *s, const gpai_view *v, size_t columns)
{
    bool several = v->n > 1;
    *s = (struct sheet){.v = v, .shown = v->inputs < SHOWN ? v->inputs : SHOWN};
    for (enum column c = NAME; c < COLUMNS; c++)
        s->has[c] = true;
    s->bars = true;
    s->name_most = NAME_USUAL;
    size_t names = widest(t, s, NAME);
    names = names > NAME_USUAL ? NAME_USUAL : names;
    for (int step = 0; step < 5; step++) {
        s->head = step == 0 ? (several ? "change that would look normal"
                                       : "would look normal")
                            : (several ? "change to normal" : "normal");
        s->bars = step < 2;
        s->has[LOW] = s->has[HIGH] = step < 3;
        s->has[NOW] = step < 4;
        measure(t, s);
        if (taken(s) + (names < NAME_LEAST ? names
                        : step < 2         ? names
                                           : NAME_LEAST) <=
            columns)
            break;
    }
    size_t rest = taken(s), most = NAME_USUAL + (columns > 100 ? columns - 100 : 0);
    s->name_most = rest + NAME_LEAST > columns ? NAME_LEAST : columns - rest;
    s->name_most = s->name_most > most ? most : s->name_most;
    s->width[NAME] = widest(t, s, NAME);
}

static void padded(gpa_text *t, const struct sheet *s, size_t k, enum column c,
                   size_t width, bool right)
{
    size_t start = t->length;
    cell(t, s, k, c);
    gpai_line_pad(t, start, width, right);
}

/* A word over a column. */
static void head_cell(gpa_text *t, const char *word, size_t width, bool right)
{
    size_t start = t->length;
    gpai_text_add(t, word);
    gpai_line_pad(t, start, width, right);
}

static void head(gpa_text *t, const struct sheet *s)
{
    gpai_paint(t, s->v->info, GPAI_DIM);
    gpai_text_add(t, "  ");
    head_cell(t, head_of(s, NAME), s->width[NAME], false);
    gpai_text_add(t, "  ");
    if (s->has[NOW]) {
        head_cell(t, head_of(s, NOW), s->width[NOW], true);
        gpai_text_add(t, "  ");
    }
    head_cell(t, head_of(s, BLAME), blame_room(s), false);
    gpai_text_add(t, "  ");
    head_cell(t, head_of(s, NORMAL), s->width[NORMAL], true);
    if (s->has[LOW]) {
        gpai_text_add(t, "  ");
        head_cell(t, "90 % interval", interval_room(s), false);
    }
    gpai_line_end(t, s->v->info);
}

/* "  99 % ██████" */
static void blame_cells(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    double p = k == v->d              ? v->c->output
               : gpai_view_held(v, k) ? 0
                                      : gpai_view_blame(v, k);
    size_t start = t->length;
    padded(t, s, k, BLAME, s->width[BLAME], true);
    if (s->bars) {
        gpai_text_add(t, " ");
        gpai_line_bar(t, p, BAR, false, v->info->ascii);
    }
    gpai_line_pad(t, start, blame_room(s), false);
}

/* "  21.7  16.4 to 28.3" */
static void normal_cells(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    size_t start = t->length;
    if (spans(s, k, NORMAL)) {
        cell(t, s, k, NORMAL);
        size_t own = gpai_utf8_width(t->failed ? "" : t->data + start);
        size_t room = s->width[NORMAL] + 2 + interval_room(s);
        gpai_line_pad(t, start, own > s->width[NORMAL] ? room : s->width[NORMAL], true);
        return;
    }
    padded(t, s, k, NORMAL, s->width[NORMAL], true);
    if (s->has[LOW] && k < v->d && v->n == 1 && gpai_view_exchanged(v, k) < v->d)
        gpai_text_add(t, "  " GPAI_EXCHANGED);
    if (!s->has[LOW] || width_of(t, s, k, LOW) == 0)
        return;
    gpai_text_add(t, "  ");
    padded(t, s, k, LOW, s->width[LOW], true);
    gpai_text_add(t, " to ");
    cell(t, s, k, HIGH);
}

static void line(gpa_text *t, const struct sheet *s, size_t k, bool bold)
{
    const gpai_view *v = s->v;
    gpai_paint(t, v->info, bold ? GPAI_BOLD : GPAI_PLAIN);
    gpai_text_add(t, "  ");
    padded(t, s, k, NAME, s->width[NAME], false);
    gpai_text_add(t, "  ");
    if (s->has[NOW]) {
        padded(t, s, k, NOW, s->width[NOW], true);
        gpai_text_add(t, "  ");
    }
    blame_cells(t, s, k);
    gpai_text_add(t, "  ");
    normal_cells(t, s, k);
    gpai_line_end(t, v->info);
}

void gpai_table_who(gpa_text *t, const gpai_view *v, size_t columns)
{
    struct sheet s;
    lay_out(t, &s, v, columns);
    head(t, &s);
    for (size_t i = 0; i < s.shown; i++)
        line(t, &s, v->order[i], gpai_view_accused(v, v->order[i]));
    if (s.shown < v->inputs)
        gpai_text_printf(t, "  and %zu more inputs that are less likely\n",
                         v->inputs - s.shown);
    line(t, &s, v->d, v->c->verdict == GPA_VERDICT_OUTPUT);
}
