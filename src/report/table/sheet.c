#include "report/table/sheet.h"
#include "base/alloc.h"
#include "base/text/utf8.h"
#include "report/words/sentence.h"
#include <math.h>
#include <string.h>

void gpai_paint(gpa_text *t, const gpa_report_info *info, gpai_colour_code colour)
{
    static const char *const codes[] = {"\033[0m", "\033[91m", "\033[94m", "\033[2m",
                                        "\033[1m"};
    if (info->colour)
        gpai_text_add(t, codes[colour]);
}

void gpai_line_trim(gpa_text *t)
{
    while (t->length > 0 && t->data[t->length - 1] == ' ')
        gpai_text_cut(t, t->length - 1);
}

void gpai_line_end(gpa_text *t, const gpa_report_info *info)
{
    gpai_line_trim(t);
    gpai_paint(t, info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

void gpai_line_pad(gpa_text *t, size_t start, size_t width, bool right)
{
    size_t has = t->failed ? width : gpai_utf8_width(t->data + start);
    size_t gap = has < width ? width - has : 0;
    gpai_text_repeat(t, " ", gap);
    if (!right || gap == 0 || t->failed)
        return;
    memmove(t->data + start + gap, t->data + start, t->length - start - gap);
    memset(t->data + start, ' ', gap);
}

/* Whether a word stays with the one before it: numbers, their % and sigma, and =. */
static bool clings(const char *word)
{
    static const char minus[] = "−";
    if (strncmp(word, minus, strlen(minus)) == 0)
        word += strlen(minus);
    else if (*word == '+' || *word == '-')
        word++;
    return (*word >= '0' && *word <= '9') || *word == '%' || *word == '=' ||
           strncmp(word, "sigma", 5) == 0;
}

/* The end of the longest beginning of `text` that fits, at a space; the end of the text
 * where all of it fits or it has no space to break at. */
static const char *line_end(const char *text, size_t columns)
{
    const char *space = NULL, *p = text + strspn(text, " ");
    size_t used = (size_t)(p - text);
    while (*p != '\0') {
        const char *at = p;
        uint32_t c = gpai_utf8_next(&p);
        if (c == ' ' && at[-1] != ' ' && !clings(p))
            space = at;
        used += gpai_point_width(c);
        if (used > columns && space != NULL)
            return space;
    }
    return p;
}

void gpai_text_wrap(gpa_text *t, size_t start, size_t columns, size_t indent)
{
    char *copy = gpai_text_take(t, start);
    const char *line = copy;
    for (size_t room = columns; line != NULL && *line != '\0';
         room = columns > indent ? columns - indent : 1) {
        const char *end = line_end(line, room);
        gpai_text_bytes(t, line, (size_t)(end - line));
        line = end + strspn(end, " ");
        if (*line != '\0') {
            gpai_text_add(t, "\n");
            gpai_text_repeat(t, " ", indent);
        }
    }
    gpai_free(copy);
}

enum { SHOWN = 20 };
enum { NAME_LEAST = 15, NAME_USUAL = 24 }; /* columns of a name */
enum { USUAL = 100 };                      /* of a line; above that names grow */

static const char *const HEADS[GPAI_COLUMNS] = {
    "input", "x", "culprit", "alone", "delta", "delta raw", "", "", "P(>0)", ""};

static void outcome_cell(gpa_text *t, const gpai_sheet *s, gpai_column c)
{
    const gpai_view *v = s->v;
    if (c == GPAI_NAME) {
        gpai_text_add(t, "observed ");
        gpai_view_target(t, v, s->name_most - 9 < 6 ? 6 : s->name_most - 9);
    } else if (c == GPAI_X) {
        gpai_text_add(t, gpai_cell_value(v->y_mean, v->info->ascii).text);
    } else if (c == GPAI_BLAME) {
        gpai_text_add(t, gpai_cell_probability(v->c->output).text);
    }
}

/* The distribution's cells; an input that may not move has none. */
static void marginal_cell(gpa_text *t, const gpai_sheet *s, size_t k, gpai_column c)
{
    const gpa_marginal *m = gpa_explanation_marginal(s->v->e, k);
    if (m == NULL || gpai_view_held(s->v, k))
        return;
    double end = m->interval90[c == GPAI_HIGH];
    gpai_text_add(t, c == GPAI_P
                         ? gpai_cell_probability(m->p_positive).text
                         : gpai_cell_change(end, s->decimals, s->v->info->ascii).text);
}

void gpai_sheet_cell(gpa_text *t, const gpai_sheet *s, size_t k, gpai_column c)
{
    const gpai_view *v = s->v;
    bool ascii = v->info->ascii;
    if (k == v->d) {
        outcome_cell(t, s, c);
        return;
    }
    switch (c) {
    case GPAI_NAME:
        gpai_view_input(t, v, k, s->name_most);
        break;
    case GPAI_X:
        gpai_text_add(t, gpai_cell_value(gpai_view_x(v, k), ascii).text);
        break;
    case GPAI_BLAME:
        if (s->culprits && !gpai_view_held(v, k))
            gpai_text_add(t, gpai_cell_probability(gpai_view_blame(v, k)).text);
        break;
    case GPAI_ALONE:
        if (s->culprits)
            gpai_text_add(
                t,
                gpai_view_held(v, k)
                    ? "held"
                    : gpai_cell_raw(gpai_raw(v->c->median[k], v->unit[k]), ascii).text);
        break;
    case GPAI_DELTA:
        gpai_text_add(t, gpai_cell_change(v->delta[k], s->decimals, ascii).text);
        break;
    case GPAI_RAW:
        gpai_text_add(t, gpai_cell_raw(v->raw[k], ascii).text);
        break;
    case GPAI_LOW:
    case GPAI_HIGH:
    case GPAI_P:
        marginal_cell(t, s, k, c);
        break;
    case GPAI_BARS:
    case GPAI_COLUMNS:
        break;
    }
}

/* Width of a cell: written, measured and taken back. */
static size_t width_of(gpa_text *t, const gpai_sheet *s, size_t k, gpai_column c)
{
    size_t start = t->length;
    gpai_sheet_cell(t, s, k, c);
    size_t width = gpai_utf8_width(t->data + start);
    gpai_text_cut(t, start);
    return width;
}

const char *gpai_sheet_head(const gpai_sheet *s, gpai_column c)
{
    return c == GPAI_X && s->v->n > 1 ? "mean x" : HEADS[c];
}

static size_t widest(gpa_text *t, const gpai_sheet *s, gpai_column c)
{
    size_t width = gpai_utf8_width(gpai_sheet_head(s, c));
    for (size_t i = 0; i < s->shown + s->culprits; i++) {
        size_t w = width_of(t, s, i < s->shown ? s->v->order[i] : s->v->d, c);
        width = w > width ? w : width;
    }
    return width;
}

/* Columns that all but the names take. */
static size_t taken(const gpai_sheet *s)
{
    size_t sum = 2 + (s->has[GPAI_LOW] ? 2 : 0); /* brackets */
    for (gpai_column c = GPAI_X; c < GPAI_COLUMNS; c++)
        sum += s->has[c] ? s->width[c] + 2 : 0;
    return s->has[GPAI_BARS] && s->culprits ? sum - 1
                                            : sum; /* one space before that bar */
}

/* Leaves columns out until the rest fits. */
static void squeeze(gpai_sheet *s, size_t columns)
{
    static const gpai_column with[] = {GPAI_P,   GPAI_RAW,   GPAI_BARS,
                                       GPAI_LOW, GPAI_DELTA, GPAI_X},
                             without[] = {GPAI_P, GPAI_BARS, GPAI_LOW, GPAI_X,
                                          GPAI_RAW};
    size_t n = s->culprits ? sizeof with / sizeof *with : sizeof without / sizeof *with;
    for (size_t i = 0; i < n && taken(s) + NAME_LEAST > columns; i++) {
        s->has[s->culprits ? with[i] : without[i]] = false;
        s->has[GPAI_HIGH] = s->has[GPAI_LOW];
    }
}

/* Names get what the numbers leave of the line. */
void gpai_sheet_make(gpa_text *t, gpai_sheet *s, const gpai_view *v, size_t columns)
{
    *s = (gpai_sheet){.v = v, .shown = v->d < SHOWN ? v->d : SHOWN};
    s->longest = v->d > 0 ? fabs(v->delta[v->largest[0]]) : 0;
    s->decimals = gpai_cell_decimals(v);
    s->culprits = v->c != NULL;
    bool marginals = v->d > 0 && gpa_explanation_marginal(v->e, 0) != NULL;
    for (gpai_column c = GPAI_X; c < GPAI_BARS; c++) {
        s->has[c] = c == GPAI_BLAME || c == GPAI_ALONE ? s->culprits
                                                       : c < GPAI_LOW || marginals;
        s->width[c] = widest(t, s, c);
    }
    s->has[GPAI_BARS] = true;
    s->width[GPAI_BARS] = s->culprits ? GPAI_BLAME_BAR : 2 * GPAI_BAR + 1;
    squeeze(s, columns);
    size_t rest = taken(s);
    size_t most = NAME_USUAL + (columns > USUAL ? columns - USUAL : 0);
    s->name_most = rest + NAME_LEAST > columns ? NAME_LEAST : columns - rest;
    s->name_most = s->name_most > most ? most : s->name_most;
    s->width[GPAI_NAME] = widest(t, s, GPAI_NAME);
}

void gpai_sheet_right(gpa_text *t, const char *before, const gpai_sheet *s, size_t k,
                      gpai_column c)
{
    if (!s->has[c])
        return;
    gpai_text_add(t, before);
    size_t start = t->length;
    gpai_sheet_cell(t, s, k, c);
    gpai_line_pad(t, start, s->width[c], true);
}
