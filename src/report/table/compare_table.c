#include "base/alloc.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "report/table/sheet.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

/* A comparison on a terminal. A cell is a litmus paper in characters: the darker the
 * block, the larger the score; the sign stands before the number. */

enum { SHOWN = 20, USUAL = 80, NAME_LEAST = 12, NAME_MOST = 24, GAP = 2 };
enum { BLOCK = 2, NUMBER = 5 }; /* columns of a cell's two halves */
enum { LABEL = 8 };             /* of a method's name */
enum { RESPONSIBLE = 11 };      /* columns of that word */

struct sheet {
    const gpa_comparison *c;
    const gpa_report_info *info;
    size_t n, d, m;
    size_t width, prose; /* of a line, and of one of words */
    bool narrow;         /* no room for all of the consistency */
    size_t name, column; /* widths */
    size_t from, to;     /* the methods of the block at hand */
    bool responsible;    /* gpa has two columns */
    bool *silent;        /* methods without an answer for any row have none */
    double *largest;     /* score of each method in the row at hand */
    gpai_placed *weight; /* of each input there; then those that are shown, in order */
    size_t shown;
};

/* Whether method j is gpa, with both its answers. */
static bool is_both(const struct sheet *s, size_t j)
{
    return s->responsible && strcmp(gpa_comparison_method(s->c, j)->name, "gpa") == 0;
}

static void name_cell(gpa_text *t, const struct sheet *s, const char *name)
{
    gpai_text_add(t, "  ");
    size_t start = t->length;
    gpai_text_visible(t, name, s->name, s->info->ascii);
    gpai_line_pad(t, start, s->name, false);
}

/* How dark: 0 to 4. */
static size_t shade(double share)
{
    static const double steps[] = {0.05, 0.25, 0.5, 0.75};
    size_t level = 0;
    while (level < 4 && fabs(share) >= steps[level])
        level++;
    return level;
}

static gpai_colour_code tint(double share)
{
    return shade(share) == 0 ? GPAI_DIM : share < 0 ? GPAI_BLUE : GPAI_RED;
}

/* A score as a share of the row's and method's largest; 0 / 0 = 0. */
static double share_at(const struct sheet *s, size_t i, size_t j, size_t k)
{
    double v = gpai_compare_score(s->c, i, j, k);
    return v == 0 ? 0 : v / s->largest[j];
}

static void cell(gpa_text *t, const struct sheet *s, size_t i, size_t j, size_t k)
{
    static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
    static const char *const marks[] = {" ", ".", ":", "=", "#"};
    double share = share_at(s, i, j, k);
    bool said = isfinite(share);
    gpai_text_repeat(t, " ", GAP + s->column - BLOCK - NUMBER);
    gpai_paint(t, s->info, said ? tint(share) : GPAI_DIM);
    if (said && shade(share) >= 3)
        gpai_paint(t, s->info, GPAI_BOLD);
    const char *block = (s->info->ascii ? marks : blocks)[said ? shade(share) : 0];
    gpai_text_repeat(t, block, BLOCK);
    size_t start = t->length;
    gpai_text_add(t, said             ? gpai_cell_change(share, 2, s->info->ascii).text
                     : s->info->ascii ? "-"
                                      : "–");
    gpai_line_pad(t, start, NUMBER, true);
    gpai_paint(t, s->info, GPAI_PLAIN);
}

/* "██ 97 %" of an input, or (d) of the outcome. */
static void blame_cell(gpa_text *t, const struct sheet *s, const double *p, double x)
{
    static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
    static const char *const marks[] = {" ", ".", ":", "=", "#"};
    gpai_text_repeat(t, " ", GAP + RESPONSIBLE - BLOCK - NUMBER - 1);
    if (p != NULL && shade(x) >= 3)
        gpai_paint(t, s->info, GPAI_BOLD);
    gpai_text_repeat(t, (s->info->ascii ? marks : blocks)[p != NULL ? shade(x) : 0],
                     BLOCK);
    size_t start = t->length;
    gpai_text_add(t, p != NULL        ? gpai_cell_percent(x).text
                     : s->info->ascii ? "-"
                                      : "–");
    gpai_line_pad(t, start, NUMBER + 1, true);
    gpai_paint(t, s->info, GPAI_PLAIN);
}

/* gpa's two columns have a head of their own above them. */
static void head_above(gpa_text *t, const struct sheet *s)
{
    const size_t both = RESPONSIBLE + GAP + s->column;
    size_t before = 0, j = s->from;
    for (; j < s->to && !is_both(s, j); j++)
        before += s->silent[j] ? 0 : GAP + s->column;
    if (j == s->to)
        return;
    gpai_paint(t, s->info, GPAI_DIM);
    name_cell(t, s, "");
    gpai_text_repeat(t, " ", before + GAP);
    gpai_text_add(t, "GPA ");
    gpai_text_repeat(t, s->info->ascii ? "-" : "─", both - 4);
    gpai_line_end(t, s->info);
}

static void head(gpa_text *t, const struct sheet *s, size_t i)
{
    head_above(t, s);
    gpai_paint(t, s->info, GPAI_DIM);
    name_cell(t, s, "input");
    for (size_t j = s->from; j < s->to; j++) {
        bool both = is_both(s, j);
        if (s->silent[j])
            continue;
        gpai_text_repeat(t, " ", GAP);
        if (both)
            gpai_text_printf(t, "%*s  ", RESPONSIBLE,
                             gpai_blame_head(gpa_comparison_verdict(s->c, i)));
        size_t start = t->length;
        gpai_text_add(t, both ? "change" : gpai_method_label(s->c, j));
        gpai_line_pad(t, start, s->column, true);
    }
    gpai_line_end(t, s->info);
}

/* The raw size of each column's largest score, which the shares hide. */
static void largest(gpa_text *t, const struct sheet *s)
{
    char number[GPAI_REAL_SIZE];
    gpai_paint(t, s->info, GPAI_DIM);
    name_cell(t, s, "largest size");
    for (size_t j = s->from; j < s->to; j++) {
        double v = s->largest[j];
        if (s->silent[j])
            continue;
        gpai_text_repeat(t, " ", is_both(s, j) ? GAP + RESPONSIBLE + GAP : GAP);
        size_t start = t->length;
        gpai_real_people(number, v, 3);
        if (strlen(number) > s->column)
            gpai_real_digits(number, v, 2);
        gpai_text_add(t, isfinite(v) ? number : s->info->ascii ? "-" : "–");
        gpai_line_pad(t, start, s->column, true);
    }
    gpai_line_end(t, s->info);
}

/* The largest score of each method, and how much any method makes of each input. */
static void weigh(struct sheet *s, size_t i)
{
    for (size_t j = 0; j < s->m; j++)
        s->largest[j] = gpai_compare_largest(s->c, i, j);
    for (size_t k = 0; k < s->d; k++) {
        s->weight[k] = (gpai_placed){0, 0, k};
        for (size_t j = 0; j < s->m; j++)
            s->weight[k].first = fmax(s->weight[k].first, fabs(share_at(s, i, j, k)));
        const double *p = gpai_compare_responsible(s->c, i, NULL);
        s->weight[k].first = fmax(s->weight[k].first, p != NULL ? p[k] : 0);
    }
}

/* The inputs of the largest weights, in the data's order. */
static void choose(struct sheet *s)
{
    gpai_placed_sort(s->weight, s->d);
    s->shown = s->d < SHOWN ? s->d : SHOWN;
    for (size_t i = 0; i < s->shown; i++) /* by falling -k */
        s->weight[i] = (gpai_placed){-(double)s->weight[i].k, 0, s->weight[i].k};
    gpai_placed_sort(s->weight, s->shown);
}

/* The outcome stands among the suspects. */
static void outcome(gpa_text *t, const struct sheet *s, size_t i)
{
    double output = 0;
    const double *p = gpai_compare_responsible(s->c, i, &output);
    gpai_text_add(t, "  ");
    size_t start = t->length, room = s->name > 9 ? s->name - 9 : 3;
    gpai_text_add(t, "observed ");
    gpai_text_visible(t, s->info->target != NULL ? s->info->target : "y", room,
                      s->info->ascii);
    gpai_line_pad(t, start, s->name, false);
    for (size_t j = s->from; j < s->to; j++) {
        if (is_both(s, j))
            blame_cell(t, s, p, output);
        else if (!s->silent[j])
            gpai_text_repeat(t, " ", GAP + s->column);
    }
    gpai_line_trim(t);
    gpai_text_add(t, "\n");
}

/* Who is responsible, in words, and what the others point at. */
static void headline(gpa_text *t, const struct sheet *s, size_t i)
{
    size_t start = t->length;
    gpai_paint(t, s->info, GPAI_BOLD);
    gpai_say_compared_row(t, s->info, s->c, i);
    gpai_text_add(t, ": ");
    if (gpa_comparison_verdict(s->c, i) != GPA_VERDICT_UNKNOWN) {
        gpai_say_compared_verdict(t, s->info, s->c, i);
        gpai_text_wrap(t, start, s->prose, 0);
        gpai_line_end(t, s->info);
        start = t->length;
    } else {
        gpai_paint(t, s->info, GPAI_PLAIN);
    }
    gpai_say_compared_y(t, s->info, s->c, i);
    gpai_text_add(t, ".");
    gpai_text_wrap(t, start, s->prose, 0);
    start = t->length + 1;
    gpai_text_add(t, "\nlargest score: ");
    gpai_say_tops(t, s->info, s->c, i);
    gpai_text_wrap(t, start, s->prose, 2);
    gpai_text_add(t, "\n\n");
}

/* So many methods as fit in a line; whether there are any. */
static bool next_block(struct sheet *s)
{
    size_t used = 2 + s->name, columns = 0;
    s->from = s->to;
    for (; s->to < s->m; s->to++) {
        if (s->silent[s->to])
            continue;
        used += GAP + s->column;
        used += is_both(s, s->to) ? RESPONSIBLE + GAP : 0;
        if (columns > 0 && used > s->width)
            break;
        columns++;
    }
    return columns > 0;
}

/* A table of those methods. */
static void block(gpa_text *t, const struct sheet *s, size_t i)
{
    char room[GPAI_NAME_SIZE];
    bool both = false;
    head(t, s, i);
    for (size_t k = 0; k < s->shown; k++) {
        size_t input = s->weight[k].k;
        const double *p = gpai_compare_responsible(s->c, i, NULL);
        name_cell(t, s, gpai_name_input(s->info, input, room));
        for (size_t j = s->from; j < s->to; j++) {
            if (is_both(s, j))
                blame_cell(t, s, p, p != NULL ? p[input] : 0);
            if (!s->silent[j])
                cell(t, s, i, j, input);
        }
        gpai_line_trim(t);
        gpai_text_add(t, "\n");
    }
    if (s->shown < s->d)
        gpai_text_printf(t, "  and %zu more inputs with smaller scores\n",
                         s->d - s->shown);
    for (size_t j = s->from; j < s->to; j++)
        both = both || is_both(s, j);
    if (both && gpai_compare_responsible(s->c, i, NULL) != NULL)
        outcome(t, s, i);
    largest(t, s);
}

static void row(gpa_text *t, struct sheet *s, size_t i)
{
    gpai_text_add(t, i > 0 ? "\n" : "");
    headline(t, s, i);
    weigh(s, i);
    choose(s);
    s->to = 0;
    while (next_block(s)) {
        gpai_text_add(t, s->from > 0 ? "\n" : "");
        block(t, s, i);
    }
}

/* "0.93 ± 0.05"; without the spread of a single row. */
static void spread(gpa_text *t, const struct sheet *s, const gpa_spread *v,
                   size_t width)
{
    gpai_text_repeat(t, " ", GAP);
    size_t start = t->length;
    if (v->n == 0 || !isfinite(v->mean)) {
        gpai_text_add(t, s->info->ascii ? "-" : "–");
    } else {
        bool ascii = s->info->ascii;
        gpai_text_add(t, gpai_cell_fixed(v->mean, 2, ascii).text);
        if (v->n > 1 && isfinite(v->sd) && !(s->narrow && v->n < s->n))
            gpai_text_printf(t, " %s %s", ascii ? "+-" : "±",
                             gpai_cell_fixed(v->sd, 2, ascii).text);
        if (v->n < s->n)
            gpai_text_printf(t, " (%zu)", v->n);
    }
    gpai_line_pad(t, start, width, false);
}

static void consistency_line(gpa_text *t, const struct sheet *s, size_t j, size_t width)
{
    const gpa_consistency *v = gpa_comparison_consistency(s->c, j);
    bool reference = strcmp(gpa_comparison_method(s->c, j)->name, "gpa") == 0;
    char number[GPAI_REAL_SIZE];
    name_cell(t, s, gpai_method_label(s->c, j));
    if (reference || v == NULL) {
        gpai_text_repeat(t, " ", GAP);
        size_t start = t->length;
        gpai_text_add(t, reference ? "what the others are compared with" : "no answer");
        gpai_line_pad(t, start, 4 * (width + GAP) - GAP, false);
    } else {
        spread(t, s, &v->tau, width);
        spread(t, s, &v->rho, width);
        spread(t, s, &v->smr, width);
        spread(t, s, &v->hit25, width);
    }
    double rows = gpai_compare_model_rows(s->c, j);
    gpai_real_fixed(number, rows, 0);
    gpai_text_printf(t, "  %10s", isfinite(rows) ? number : "");
    gpai_line_trim(t);
    gpai_text_add(t, "\n");
}

static void consistency(gpa_text *t, struct sheet *s)
{
    enum { FIGURE = 15, ALONE = 13, LEAST = 10, ROWS = 10 };
    static const char *const heads[2][4] = {
        {"Kendall tau", "Spearman rho", "same signs", "same top 25 %"},
        {"tau", "rho", "same signs", "same top"}};
    size_t width = s->n > 1 ? FIGURE : ALONE, least = 2 + 4 * GAP + GAP + ROWS;
    s->name = LABEL;
    s->narrow = least + s->name + 4 * width > s->width;
    if (s->narrow)
        width = s->width > least + s->name + 4 * LEAST
                    ? (s->width - least - s->name) / 4
                    : LEAST;
    gpai_paint(t, s->info, GPAI_BOLD);
    gpai_text_add(t, s->responsible ? "\nconsistency with GPA's change"
                                    : "\nconsistency with GPA");
    gpai_paint(t, s->info, GPAI_PLAIN);
    gpai_text_printf(t,
                     s->n > 1 ? ", mean %s sd over %zu rows; 1 is the highest\n\n"
                              : "; 1 is the highest\n\n",
                     s->info->ascii ? "+-" : "±", s->n);
    gpai_paint(t, s->info, GPAI_DIM);
    name_cell(t, s, "method");
    for (size_t k = 0; k < 4; k++)
        gpai_text_printf(t, "  %-*s", (int)width, heads[s->narrow][k]);
    gpai_text_printf(t, "  %*s\n", ROWS, "model rows");
    gpai_paint(t, s->info, GPAI_PLAIN);
    bool dash = false;
    for (size_t j = 0; j < s->m; j++) {
        const gpa_consistency *v = gpa_comparison_consistency(s->c, j);
        consistency_line(t, s, j, width);
        dash = dash || (v != NULL && !(isfinite(v->tau.mean) && isfinite(v->rho.mean) &&
                                       isfinite(v->hit25.mean)));
    }
    if (dash)
        gpai_text_printf(t,
                         "\n  %s: no order to compare, all inputs have the same size\n",
                         s->info->ascii ? "-" : "–");
}

/* "  note: LC, row 63: did not converge" */
static void remark(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                   size_t j, size_t i, const char *words)
{
    size_t start = t->length;
    gpai_text_add(t, "  note: ");
    gpai_say_who(t, info, c, j, i, words);
    gpai_text_add(t, ": ");
    gpai_text_visible(t, words, 0, info->ascii);
    gpai_text_wrap(t, start, gpai_prose_columns(info, USUAL), 4);
    gpai_text_add(t, "\n");
}

/* One width for all columns, and names get what they leave of the line. Where names
 * that are cut leave them no room there are several blocks, with whole names. */
static void lay_out(struct sheet *s)
{
    char room[GPAI_NAME_SIZE];
    size_t longest = strlen("largest size"), columns = 0;
    s->column = BLOCK + NUMBER;
    s->width = gpai_line_columns(s->info, USUAL);
    s->prose = gpai_prose_columns(s->info, USUAL);
    for (size_t j = 0; j < s->m; j++) {
        s->silent[j] = s->n > 0;
        for (size_t i = 0; i < s->n; i++)
            s->silent[j] = s->silent[j] && !isfinite(gpai_compare_largest(s->c, i, j));
        if (s->silent[j])
            continue;
        columns++;
        size_t w = gpai_utf8_width(gpai_method_label(s->c, j));
        s->column = w > s->column ? w : s->column;
    }
    for (size_t k = 0; k < s->d; k++) {
        size_t w = gpai_utf8_width(gpai_name_input(s->info, k, room));
        longest = w > longest ? w : longest;
    }
    for (size_t i = 0; i < s->n; i++)
        s->responsible =
            s->responsible || gpai_compare_responsible(s->c, i, NULL) != NULL;
    if (s->responsible) {
        size_t w = 9 + gpai_utf8_width(s->info->target != NULL ? s->info->target : "y");
        longest = w > longest ? w : longest;
    }
    size_t rest = 2 + columns * (s->column + GAP);
    rest += s->responsible ? RESPONSIBLE + GAP : 0;
    if (rest + NAME_LEAST > s->width) /* the widest column, and one more */
        rest = 2 + RESPONSIBLE + GAP + s->column + GAP;
    s->name = s->width - rest;
    s->name = s->name > NAME_MOST ? NAME_MOST : s->name;
    s->name = s->name > longest ? longest : s->name;
}

/* What the numbers are, and what their signs say. */
static void signs(gpa_text *t, const struct sheet *s)
{
    size_t start = t->length;
    gpai_text_add(t, "  ");
    if (s->responsible)
        gpai_text_add(t, "responsible: the probability that this input is at fault; "
                         "change: the most probable change of all inputs together; ");
    gpai_say_signs(t, s->c);
    gpai_text_add(t, "; each column is divided by its largest size");
    gpai_text_wrap(t, start, s->prose, 2);
    gpai_text_add(t, "\n");
}

gpa_status gpai_table_comparison(gpa_text *t, const gpa_report_info *info,
                                 const gpa_comparison *c, gpa_error *err)
{
    struct sheet s = {.c = c,
                      .info = info,
                      .n = gpa_comparison_rows(c),
                      .d = gpa_comparison_dim(c),
                      .m = gpa_comparison_methods(c)};
    s.weight = gpai_calloc(s.d + 1, sizeof *s.weight);
    s.largest = gpai_calloc(s.m + 1, sizeof *s.largest);
    s.silent = gpai_calloc(s.m + 1, sizeof *s.silent);
    if (s.weight == NULL || s.largest == NULL || s.silent == NULL) {
        gpai_free(s.silent);
        gpai_free(s.largest);
        gpai_free(s.weight);
        return gpai_nomem(err, "report");
    }
    lay_out(&s);
    for (size_t i = 0; i < s.n; i++)
        row(t, &s, i);
    gpai_paint(t, info, GPAI_DIM);
    gpai_text_add(t, "\n");
    signs(t, &s);
    gpai_paint(t, info, GPAI_PLAIN);
    consistency(t, &s);
    if (gpai_reacts_known(c)) {
        gpai_text_add(t, "\n");
        size_t start = t->length;
        gpai_say_reacts(t, c);
        gpai_text_wrap(t, start, s.prose, 2);
        gpai_text_add(t, "\n");
    }
    size_t start = t->length;
    if (gpai_say_same_first(t, c)) {
        gpai_text_wrap(t, start, s.prose, 2);
        gpai_text_add(t, "\n");
    }
    gpai_compare_remarks(t, info, c, remark);
    gpai_free(s.silent);
    gpai_free(s.largest);
    gpai_free(s.weight);
    return GPA_OK;
}
