#include "report/table/csv_cell.h"
#include "base/text/utf8.h"
#include <math.h>
#include <string.h>

/* Whether a whole cell is a plain number, which spreadsheets may take as it is. */
static bool is_number(const char *text)
{
    const char *p = text + (*text == '-' || *text == '+');
    size_t whole = strspn(p, "0123456789");
    p += whole;
    size_t part = 0;
    if (*p == '.') {
        part = strspn(p + 1, "0123456789");
        p += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '-' || p[1] == '+');
        size_t exponent = strspn(p, "0123456789");
        if (exponent == 0)
            return false;
        p += exponent;
    }
    return *p == '\0';
}

/* Adds text inside quotes: quotes doubled, control characters but tab and line ends
 * made visible. */
void gpai_csv_quoted(gpa_text *t, const char *text)
{
    while (*text != '\0') {
        uint32_t c = gpai_utf8_next(&text);
        bool plain = c == '\t' || c == '\n' || c == '\r' || !gpai_utf8_unsafe(c);
        gpai_text_add(t, c == '"' ? "\"" : "");
        gpai_text_point(t, plain ? c : 0xFFFD);
    }
}

/* Starts a text cell: what a spreadsheet would run as a formula gets a '. */
void gpai_csv_guard(gpa_text *t, const char *text)
{
    gpai_text_add(t, "\"");
    if (*text != '\0' && strchr("=+-@\t\r", *text) != NULL && !is_number(text))
        gpai_text_add(t, "'");
}

void gpai_csv_text(gpa_text *t, const char *text)
{
    bool bare = strpbrk(text, "\"',; ") == NULL && strchr("=+-@", *text) == NULL;
    for (const char *p = text; *p != '\0'; p++)
        bare = bare && (unsigned char)*p > 0x1F && (unsigned char)*p < 0x7F;
    if (bare || is_number(text)) {
        gpai_text_add(t, text);
        return;
    }
    gpai_csv_guard(t, text);
    gpai_csv_quoted(t, text);
    gpai_text_add(t, "\"");
}

void gpai_csv_numbers(gpa_text *t, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, ",");
        if (isfinite(v[i])) /* a value that does not exist is an empty cell */
            gpai_text_real(t, v[i]);
    }
}
