#include "console/out.h"
#include "console/say.h"
#include "lab/paper/paper.h"
#include "lab/write.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char STYLE[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;"
    "padding:0 1rem;color:#1b1f24;background:#fff}"
    "h1{font-size:1.7rem}h2{margin-top:2.5rem;border-top:1px solid #ccd2d8;"
    "padding-top:1rem}"
    "figure{margin:1.5rem 0;overflow-x:auto}figure svg{max-width:100%;height:auto}"
    "figcaption,caption{color:#57606a;font-size:.9rem;text-align:left;padding:.4rem 0}"
    "table{border-collapse:collapse;margin:1.2rem 0;font-size:.9rem;display:block;"
    "overflow-x:auto}"
    "th,td{padding:.25rem .7rem;border-bottom:1px solid #e3e7eb;text-align:left;"
    "white-space:nowrap}.n{text-align:right;font-variant-numeric:tabular-nums}"
    "@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
    "h2,th,td{border-color:#30363d}figcaption,caption{color:#9aa4af}}"
    "@media print{body{max-width:none}figure,table{break-inside:avoid}}";

void paper_page_begin(struct paper *p)
{
    fprintf(
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
    fputs("</body></html>\n", p->page);
}

static bool json(const struct paper *p)
{
    return p->a->given[OPT_JSON];
}

void paper_heading(struct paper *p, const char *text)
{
    if (!json(p))
        fprintf(p->out, "\n== %s ==\n", text);
    fputs("<h2>", p->page);
    put_html(p->page, text);
    fputs("</h2>\n", p->page);
}

/* Wrapped at 80 columns on the terminal. */
void paper_say(struct paper *p, const char *text)
{
    size_t column = 0;
    for (const char *at = text; !json(p) && *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (column + length + 1 > 80) {
            fputc('\n', p->out);
            column = 0;
        } else if (column > 0) {
            fputc(' ', p->out);
            column++;
        } else if (at == text) {
            fputc('\n', p->out);
        }
        fprintf(p->out, "%.*s", (int)length, at);
        column += length;
        at += length;
        at += strspn(at, " ");
    }
    if (!json(p))
        fputc('\n', p->out);
    fputs("<p>", p->page);
    put_html(p->page, text);
    fputs("</p>\n", p->page);
}

gpa_status paper_table(struct paper *p, struct grid *g, gpa_error *err)
{
    gpa_status st = g->failed || g->n % g->columns != 0
                        ? fail(err, GPA_NOMEM, "out of memory")
                        : GPA_OK;
    if (st == GPA_OK && json(p)) {
        fputs(p->tables++ > 0 ? ",\n  " : "\n  ", p->out);
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
                        gpa_error *err)
{
    char path[4300];
    struct out o = {0};
    const char *svg = gpa_text_data(p->svg);
    if (mkdir(p->figures, 0777) != 0 && errno != EEXIST)
        return fail(err, GPA_IO, "%.300s: %s", p->figures, strerror(errno));
    snprintf(path, sizeof path, "%s/%s.svg", p->figures, name);
    gpa_status st = out_open(&(struct outputs){0}, &o, path, err);
    if (st == GPA_OK)
        st = out_write(&o, svg, gpa_text_length(p->svg), err);
    if (st == GPA_OK)
        st = out_commit(&o, err);
    out_discard(&o);
    fprintf(p->page, "<figure>%s<figcaption>", svg);
    put_html(p->page, caption);
    fputs("</figcaption></figure>\n", p->page);
    gpa_text_clear(p->svg);
    p->drawn++;
    return st;
}
