#include "lab/paper/grid.h"
#include "lab/write.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct cell *next(struct grid *g)
{
    if (g->n == g->room) {
        size_t more = g->room > 0 ? 2 * g->room : 64;
        struct cell *cells = realloc(g->cells, more * sizeof *cells);
        if (cells == NULL) {
            g->failed = true;
            return NULL;
        }
        g->cells = cells;
        g->room = more;
    }
    g->cells[g->n] = (struct cell){NULL, (double)NAN};
    return &g->cells[g->n++];
}

static void keep(struct grid *g, struct cell *c, const char *text)
{
    c->text = strdup(text);
    g->failed = g->failed || c->text == NULL;
}

void grid_text(struct grid *g, const char *format, ...)
{
    char text[512];
    struct cell *c = next(g);
    va_list args;
    if (c == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    keep(g, c, text);
}

void grid_number(struct grid *g, int decimals, double value)
{
    char text[64];
    struct cell *c = next(g);
    if (c == NULL)
        return;
    c->value = value;
    if (decimals == GRID_POWER)
        snprintf(text, sizeof text, "%.1e", value);
    else
        snprintf(text, sizeof text, "%.*f", decimals, value);
    keep(g, c, isfinite(value) ? text : "-");
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->cells[i].text);
    free(g->cells);
    *g = (struct grid){0};
}

/* Columns of characters that a text takes on a terminal. */
static size_t width(const char *text)
{
    size_t n = 0;
    while (*text != '\0') {
        size_t bytes = word_utf8(text);
        text += bytes > 0 ? bytes : 1;
        n++;
    }
    return n;
}

/* A column of numbers stands on the right. */
static bool numeric(const struct grid *g, size_t column)
{
    for (size_t i = g->columns + column; i < g->n; i += g->columns)
        if (!isnan(g->cells[i].value))
            return true;
    return false;
}

void grid_print(const struct grid *g, FILE *f)
{
    size_t wide[64] = {0};
    if (g->title != NULL)
        fprintf(f, "\n%s\n\n", g->title);
    for (size_t i = 0; i < g->n; i++) {
        size_t w = width(g->cells[i].text), c = i % g->columns;
        wide[c] = w > wide[c] ? w : wide[c];
    }
    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % g->columns, w = width(g->cells[i].text);
        int space = (int)(wide[c] - w);
        bool last = c + 1 == g->columns;
        fputs("  ", f);
        if (numeric(g, c))
            fprintf(f, "%*s%s", space, "", g->cells[i].text);
        else
            fprintf(f, "%s%*s", g->cells[i].text, last ? 0 : space, "");
        if (last)
            fputc('\n', f);
    }
}

void put_html(FILE *f, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", f);
            break;
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*text, f);
        }
}

void grid_html(const struct grid *g, FILE *f)
{
    fputs("<table>", f);
    if (g->title != NULL) {
        fputs("<caption>", f);
        put_html(f, g->title);
        fputs("</caption>", f);
    }
    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % g->columns;
        const char *tag = i < g->columns ? "th" : "td";
        if (c == 0)
            fputs("\n<tr>", f);
        fprintf(f, "<%s%s>", tag, numeric(g, c) ? " class=\"n\"" : "");
        put_html(f, g->cells[i].text);
        fprintf(f, "</%s>", tag);
        if (c + 1 == g->columns)
            fputs("</tr>", f);
    }
    fputs("\n</table>\n", f);
}

void grid_json(const struct grid *g, FILE *f)
{
    fputs("{\"name\":", f);
    word_json(f, g->name);
    fputs(",\"title\":", f);
    word_json(f, g->title != NULL ? g->title : "");
    fputs(",\"columns\":[", f);
    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % g->columns;
        if (i == g->columns)
            fputs("],\"rows\":[", f);
        if (i >= g->columns && c == 0)
            fputs(i > g->columns ? ",\n   [" : "\n   [", f);
        fputs(c > 0 ? "," : "", f);
        if (isnan(g->cells[i].value))
            word_json(f, g->cells[i].text);
        else
            word_json_real(f, g->cells[i].value);
        if (i >= g->columns && c + 1 == g->columns)
            fputc(']', f);
    }
    fputs("]}", f);
}
