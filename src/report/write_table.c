#include "report/cells.h"
#include "report/utf8.h"
#include "report/view.h"
#include "report/write.h"
#include <math.h>

enum { SHOWN = 20, NAME_COLUMNS = 24, BAR = 8, WRAP = 92 };

static const char *const RED = "\033[91m", *const BLUE = "\033[94m",
                         *const DIM = "\033[2m", *const BOLD = "\033[1m",
                         *const PLAIN = "\033[0m";

static void paint(gpa_text *t, const gpa_report_info *info, const char *code)
{
    if (info->colour)
        gpai_text_add(t, code);
}

/* The columns of the table of inputs, from left to right. */
enum column { NAME, X, DELTA, RAW, LOW, HIGH, P, COLUMNS };

static const char *const HEADS[COLUMNS] = {"input", "x", "delta", "delta raw",
                                           "",      "",  "P(>0)"};

/* What is the same for all lines of one table. */
struct sheet {
    const gpai_view *v;
    size_t shown;
    int decimals; /* of delta and its interval */
    double longest;
    size_t width[COLUMNS];
    bool marginals;
};

static void cell(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    const gpai_view *v = s->v;
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    bool ascii = v->info->ascii;
    switch (c) {
    case NAME:
        gpai_view_feature(t, v, k, NAME_COLUMNS);
        break;
    case X:
        gpai_cell_value(t, gpai_view_x(v, k), ascii);
        break;
    case DELTA:
        gpai_cell_change(t, v->delta[k], s->decimals, ascii);
        break;
    case RAW:
        gpai_cell_raw(t, v->raw[k], ascii);
        break;
    case LOW:
    case HIGH:
        if (m != NULL)
            gpai_cell_change(t, m->interval90[c == HIGH], s->decimals, ascii);
        break;
    case P:
        if (m != NULL)
            gpai_cell_probability(t, m->p_positive);
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

static void lay_out(gpa_text *t, struct sheet *s, const gpai_view *v)
{
    *s = (struct sheet){.v = v, .shown = v->d < SHOWN ? v->d : SHOWN};
    s->longest = v->d > 0 ? fabs(v->delta[v->order[0]]) : 0;
    s->decimals = gpai_cell_decimals(v);
    s->marginals = v->d > 0 && gpa_explanation_marginal(v->e, 0) != NULL;
    for (int c = 0; c < COLUMNS; c++) {
        s->width[c] = gpai_utf8_width(c == X && v->n > 1 ? "mean x" : HEADS[c]);
        for (size_t i = 0; i < s->shown; i++) {
            size_t w = cell_width(t, s, v->order[i], (enum column)c);
            s->width[c] = w > s->width[c] ? w : s->width[c];
        }
    }
}

static void put_right(gpa_text *t, const struct sheet *s, size_t k, enum column c)
{
    gpai_text_repeat(t, " ", s->width[c] - cell_width(t, s, k, c));
    cell(t, s, k, c);
}

/* A bar from the middle to the side of its sign, in steps of half a character. */
static void bar(gpa_text *t, const struct sheet *s, double delta)
{
    bool ascii = s->v->info->ascii;
    size_t halves = 0;
    if (delta != 0) {
        halves = (size_t)floor(2 * BAR * fabs(delta) / s->longest + 0.5);
        halves = halves == 0 ? 1 : halves;
    }
    size_t whole = ascii ? (halves + 1) / 2 : halves / 2;
    size_t half = ascii ? 0 : halves % 2;
    const char *block = ascii ? "#" : "█", *axis = ascii ? "|" : "│";
    gpai_text_repeat(t, " ", delta < 0 ? BAR - whole - half : BAR);
    if (delta < 0) {
        gpai_text_repeat(t, "▐", half);
        gpai_text_repeat(t, block, whole);
    }
    gpai_text_add(t, axis);
    if (delta > 0) {
        gpai_text_repeat(t, block, whole);
        gpai_text_repeat(t, "▌", half);
    }
    gpai_text_repeat(t, " ", delta > 0 ? BAR - whole - half : BAR);
}

static void head(gpa_text *t, const struct sheet *s)
{
    const gpa_report_info *info = s->v->info;
    paint(t, info, DIM);
    gpai_text_printf(t, "  %-*s", (int)s->width[NAME], HEADS[NAME]);
    for (enum column c = X; c <= RAW; c++)
        gpai_text_printf(t, "  %*s", (int)s->width[c],
                         c == X && s->v->n > 1 ? "mean x" : HEADS[c]);
    if (s->marginals) {
        int interval = (int)(s->width[LOW] + s->width[HIGH] + 4);
        gpai_text_printf(t, "  %*s", 2 * BAR + 1, "");
        gpai_text_printf(t, "  %*s  %*s", interval, "90 % interval", (int)s->width[P],
                         HEADS[P]);
    }
    paint(t, info, PLAIN);
    gpai_text_add(t, "\n");
}

static void line(gpa_text *t, const struct sheet *s, size_t k)
{
    const gpai_view *v = s->v;
    double delta = v->delta[k];
    const char *tint = delta > 0 ? RED : delta < 0 ? BLUE : DIM;
    paint(t, v->info, delta == 0 ? DIM : PLAIN);
    gpai_text_add(t, "  ");
    cell(t, s, k, NAME);
    gpai_text_repeat(t, " ", s->width[NAME] - cell_width(t, s, k, NAME) + 2);
    put_right(t, s, k, X);
    gpai_text_add(t, "  ");
    paint(t, v->info, tint);
    put_right(t, s, k, DELTA);
    gpai_text_add(t, "  ");
    put_right(t, s, k, RAW);
    gpai_text_add(t, "  ");
    bar(t, s, delta);
    paint(t, v->info, delta == 0 ? "" : PLAIN);
    if (s->marginals) {
        gpai_text_add(t, "  [");
        put_right(t, s, k, LOW);
        gpai_text_add(t, ", ");
        put_right(t, s, k, HIGH);
        gpai_text_add(t, "]  ");
        put_right(t, s, k, P);
    }
    paint(t, v->info, delta == 0 ? PLAIN : "");
    while (t->length > 0 && t->data[t->length - 1] == ' ')
        t->data[--t->length] = '\0';
    gpai_text_add(t, "\n");
}

static void inputs(gpa_text *t, const gpai_view *v)
{
    struct sheet s;
    lay_out(t, &s, v);
    head(t, &s);
    for (size_t i = 0; i < s.shown; i++)
        line(t, &s, v->order[i]);
    if (s.shown == v->d)
        return;
    paint(t, v->info, DIM);
    gpai_text_printf(t, "  and %zu more inputs", v->d - s.shown);
    if (v->moved > s.shown)
        gpai_text_printf(t, ", %zu of them with a smaller change\n",
                         v->moved - s.shown);
    else
        gpai_text_add(t, " that do not change\n");
    paint(t, v->info, PLAIN);
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

/* Turns spaces into line ends, so that lines stay short where that is possible. */
static void wrap(gpa_text *t, size_t start)
{
    size_t column = 0, space = 0;
    const char *p = t->data + start;
    while (*p != '\0') {
        size_t at = (size_t)(p - t->data);
        uint32_t c = gpai_utf8_next(&p);
        column++;
        if (c == ' ')
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
    paint(t, v->info, BOLD);
    gpai_say_rows(t, v);
    gpai_text_add(t, ": ");
    gpai_say_what(t, v);
    paint(t, v->info, PLAIN);
    gpai_text_add(t, "\n");
    size_t start = t->length;
    gpai_say_why(t, v);
    wrap(t, start);
    gpai_text_add(t, "\n\n");
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
    paint(t, info, DIM);
    gpai_text_add(t, "\n");
    settings(t, &v);
    gpai_text_add(t, "  ");
    gpai_say_run(t, &v);
    gpai_text_add(t, "\n");
    paint(t, info, PLAIN);
    for (size_t i = 0; gpa_explanation_note(e, i) != NULL; i++) {
        gpai_text_add(t, "  note: ");
        gpai_text_visible(t, gpa_explanation_note(e, i), 0, info->ascii);
        gpai_text_add(t, "\n");
    }
    gpai_view_free(&v);
    return GPA_OK;
}
