#include "report/html/page.h"
#include "base/alloc.h"
#include "base/text/escape.h"
#include "report/embedded.h"
#include "report/html/policy.h"
#include <gpa/version.h>
#include <math.h>

void gpai_page_open(gpa_text *t)
{
    gpai_text_add(
        t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<title>");
}

/* The policy names the digest of the style that comes after it. */
void gpai_page_body(gpa_text *t, const char *extra, const char *script)
{
    gpai_text_add(t, "</title>\n");
    size_t start = t->length;
    gpai_text_printf(t, "%s\n%s", gpai_page_css, gpai_picture_css);
    if (extra != NULL)
        gpai_text_printf(t, "%s\n", extra);
    char *style = gpai_text_take(t, start);
    if (style == NULL)
        return;
    gpai_html_policy(t, style, script);
    gpai_text_printf(t, "<style>%s</style>\n</head>\n<body>\n<main>\n", style);
    gpai_free(style);
}

void gpai_page_close(gpa_text *t, const char *footnote, const char *script)
{
    gpai_text_add(t, "<footer>Made with gpa ");
    gpai_html_text(t, gpa_version());
    gpai_text_add(t, ". ");
    gpai_html_text(t, footnote);
    gpai_text_add(t, "</footer>\n</main>\n");
    if (script != NULL) {
        gpai_text_add(t, "<script>");
        gpai_text_add(t, script);
        gpai_text_add(t, "</script>\n");
    }
    gpai_text_add(t, "</body>\n</html>\n");
}

void gpai_page_term(gpa_text *t, const char *name, const char *text)
{
    if (text == NULL)
        return;
    gpai_text_printf(t, "<dt>%s</dt><dd>", name);
    gpai_html_text(t, text);
    gpai_text_add(t, "</dd>\n");
}

void gpai_page_number(gpa_text *t, const char *name, double value)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(value))
        return;
    gpai_number_text(value, number);
    gpai_page_term(t, name, number);
}
