#include "lab/paper/grid.h"
#include "base/alloc.h"
#include "base/text/escape.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static void add(struct grid *g, const char *text, double value)
{
    if (g->n == g->room) {
        size_t more = g->room > 0 ? 2 * g->room : 64;
        struct cell *cells = gpai_regrow(g->cells, more, sizeof *cells);
        g->failed = g->failed || cells == NULL;
        if (cells == NULL)
            return;
        g->cells = cells;
        g->room = more;
    }
    struct cell *c = &g->cells[g->n++];
    *c = (struct cell){gpai_strdup(text), value};
    g->failed = g->failed || c->text == NULL;
}

void grid_text(struct grid *g, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(g, text, (double)NAN);
}

void grid_texts(struct grid *g, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add(g, texts[i], (double)NAN);
}

void grid_number(struct grid *g, int decimals, double value)
{
    char text[400];
    snprintf(text, sizeof text, decimals == GRID_POWER ? "%.*e" : "%.*f",
             decimals == GRID_POWER ? 1 : decimals, value);
    add(g, isfinite(value) ? text : "-", value);
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++)
        gpai_free(g->cells[i].text);
    gpai_free(g->cells);
    *g = (struct grid){0};
}

/* A column of numbers stands on the right. */
static bool numeric(const struct grid *g, size_t column)
{
    for (size_t i = g->columns + column; i < g->n; i += g->columns)
        if (!isnan(g->cells[i].value))
            return true;
    return false;
}

void grid_print(const struct grid *g, gpa_text *t)
{
    size_t wide[64] = {0};
    if (g->title != NULL)
        gpai_text_printf(t, "\n%s\n\n", g->title);
    for (size_t i = 0; i < g->n; i++) {
        size_t w = gpai_utf8_width(g->cells[i].text), c = i % g->columns;
        wide[c] = w > wide[c] ? w : wide[c];
    }
    for (size_t i = 0; i < g->n; i++) {
        const char *text = g->cells[i].text;
        size_t c = i % g->columns, space = wide[c] - gpai_utf8_width(text);
        bool last = c + 1 == g->columns, right = numeric(g, c);
        gpai_text_add(t, "  ");
        gpai_text_repeat(t, " ", right ? space : 0);
        gpai_text_add(t, text);
        gpai_text_repeat(t, " ", right || last ? 0 : space);
        gpai_text_add(t, last ? "\n" : "");
    }
}

void grid_html(const struct grid *g, gpa_text *t)
{
    gpai_text_add(t, "<table>");
    if (g->title != NULL) {
        gpai_text_add(t, "<caption>");
        gpai_html_text(t, g->title);
        gpai_text_add(t, "</caption>");
    }
    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % g->columns;
        const char *tag = i < g->columns ? "th" : "td";
        gpai_text_printf(t, "%s<%s%s>", c == 0 ? "\n<tr>" : "", tag,
                         numeric(g, c) ? " class=\"n\"" : "");
        gpai_html_text(t, g->cells[i].text);
        gpai_text_printf(t, "</%s>%s", tag, c + 1 == g->columns ? "</tr>" : "");
    }
    gpai_text_add(t, "\n</table>\n");
}

void grid_json(const struct grid *g, gpa_text *t)
{
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "name", g->name);
    gpai_json_text_field(t, "title", g->title != NULL ? g->title : "");
    gpai_text_add(t, ",\"columns\":[");
    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % g->columns;
        if (i == g->columns)
            gpai_text_add(t, "],\"rows\":[");
        if (i >= g->columns && c == 0)
            gpai_text_add(t, i > g->columns ? ",\n   [" : "\n   [");
        gpai_text_add(t, c > 0 ? "," : "");
        if (isnan(g->cells[i].value))
            gpai_json_string(t, g->cells[i].text);
        else
            gpai_json_number(t, g->cells[i].value);
        gpai_text_add(t, i >= g->columns && c + 1 == g->columns ? "]" : "");
    }
    gpai_text_add(t, "]}");
}
