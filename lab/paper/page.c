#include "base/alloc.h"
#include "base/status.h"
#include "base/text/escape.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "console/out.h"
#include "lab/paper/paper.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(struct grid *g, const char *text, double value)
{
    if (!gpai_grow(&g->cells, &g->room, g->n + 1, sizeof *g->cells)) {
        g->failed = true;
        return;
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

static void grid_free(struct grid *g)
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

static void grid_print(const struct grid *g, gpa_text *t)
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

static void grid_html(const struct grid *g, gpa_text *t)
{
    gpai_html_in(t, "<details><summary>", g->title != NULL ? g->title : "The numbers",
                 "</summary><table>");
    for (size_t i = 0; i < g->n; i++) {
        size_t c = i % g->columns;
        const char *tag = i < g->columns ? "th" : "td";
        gpai_text_printf(t, "%s<%s%s>", c == 0 ? "\n<tr>" : "", tag,
                         numeric(g, c) ? " class=\"n\"" : "");
        gpai_html_text(t, g->cells[i].text);
        gpai_text_printf(t, "</%s>%s", tag, c + 1 == g->columns ? "</tr>" : "");
    }
    gpai_text_add(t, "\n</table></details>\n");
}

static void grid_json(const struct grid *g, gpa_text *t)
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

static const char STYLE[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:860px;margin:2rem auto;"
    "padding:0 1rem;color:#1b1f24;background:#fff}"
    "h1{font-size:1.7rem}h2{margin-top:2.5rem;border-top:1px solid #ccd2d8;"
    "padding-top:1rem}"
    "figure{margin:1.5rem 0;overflow-x:auto}" /* letters stay legible on a phone */
    "figure svg{display:block;width:100%;min-width:36rem;height:auto}"
    "figcaption{position:sticky;left:0}"
    "summary{cursor:pointer}"
    "figcaption,summary{color:#57606a;font-size:.9rem;text-align:left;padding:.4rem 0}"
    "table{border-collapse:collapse;margin:1.2rem 0;font-size:.9rem;display:block;"
    "overflow-x:auto}"
    "th,td{padding:.25rem .7rem;border-bottom:1px solid #e3e7eb;text-align:left;"
    "white-space:nowrap}.n{text-align:right;font-variant-numeric:tabular-nums}"
    "@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
    "h2,th,td{border-color:#30363d}figcaption,summary{color:#9aa4af}}"
    "@media print{body{max-width:none}figure,table{break-inside:avoid}}";

void paper_page_begin(struct paper *p)
{
    gpai_text_printf(
        p->page,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>The experiments of the GPA paper</title>\n<style>%s</style></head>"
        "<body>\n<h1>Generative perturbation analysis: the experiments</h1>\n"
        "<p>Made by <code>gpa paper</code>, version %s, seed %ju. Models are trained "
        "here, so that numbers differ from the paper's where its models did.</p>\n",
        STYLE, gpa_version(), (uintmax_t)p->seed);
}

void paper_page_end(struct paper *p)
{
    gpai_text_add(p->page, "</body></html>\n");
}

static bool json(const struct paper *p)
{
    return p->a->given[OPT_JSON];
}

static void put_element(gpa_text *t, const char *tag, const char *text)
{
    gpai_text_printf(t, "<%s>", tag);
    gpai_html_text(t, text);
    gpai_text_printf(t, "</%s>", tag);
}

void paper_heading(struct paper *p, const char *text)
{
    if (!json(p))
        gpai_text_printf(p->out, "\n== %s ==\n", text);
    put_element(p->page, "h2", text);
    gpai_text_add(p->page, "\n");
}

/* Wrapped at 80 columns on the terminal. */
void paper_say(struct paper *p, const char *text)
{
    size_t column = 0;
    for (const char *at = text; !json(p) && *at != '\0';) {
        size_t length = strcspn(at, " ");
        bool wraps = column + length + 1 > 80;
        gpai_text_add(p->out, wraps || at == text ? "\n" : column > 0 ? " " : "");
        column = wraps ? 0 : column + (column > 0);
        gpai_text_bytes(p->out, at, length);
        column += length;
        at += length;
        at += strspn(at, " ");
    }
    gpai_text_add(p->out, json(p) ? "" : "\n");
    put_element(p->page, "p", text);
    gpai_text_add(p->page, "\n");
}

gpa_status paper_table(struct paper *p, struct grid *g, gpa_status st, gpa_error *err)
{
    if (st == GPA_OK && (g->failed || g->n % g->columns != 0))
        st = gpai_nomem(err, "paper");
    if (st == GPA_OK && json(p)) {
        gpai_text_add(p->out, p->tables++ > 0 ? ",\n  " : "\n  ");
        grid_json(g, p->out);
    } else if (st == GPA_OK) {
        grid_print(g, p->out);
    }
    if (st == GPA_OK)
        grid_html(g, p->page);
    grid_free(g);
    return st;
}

gpa_status paper_figure(struct paper *p, const char *name, const char *caption,
                        gpa_status st, gpa_error *err)
{
    char path[4300];
    bool made; /* nobody asks: folders stay */
    if (st == GPA_OK)
        st = out_folder(NULL, p->figures, &made, err);
    if (st != GPA_OK)
        return st;
    gpai_text_printf(p->page, "<figure>%s", gpa_text_data(p->svg));
    put_element(p->page, "figcaption", caption);
    gpai_text_add(p->page, "</figure>\n");
    p->drawn++;
    snprintf(path, sizeof path, "%s/%s.svg", p->figures, name);
    return out_whole(&(struct outputs){.given = p->a}, path, p->svg, err);
}
