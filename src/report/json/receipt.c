#include "base/alloc.h"
#include "base/text/escape.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "report/json/parts.h"
#include "report/write.h"
#include <gpa/data.h>
#include <gpa/version.h>
#include <string.h>

/* JSON text whose characters are all fit to be shown: the others can only stand in
 * strings, where an escape means the same. */
static void plain_json(gpa_text *t, const char *json)
{
    while (*json != '\0') {
        uint32_t c = gpai_utf8_next(&json);
        if (!gpai_utf8_unsafe(c))
            gpai_text_point(t, c);
        else if (c < 0x10000)
            gpai_text_printf(t, "\\u%04x", (unsigned)c);
        else
            gpai_text_printf(t, "\\u%04x\\u%04x",
                             0xd800 + (unsigned)(c - 0x10000) / 1024,
                             0xdc00 + (unsigned)(c - 0x10000) % 1024);
    }
}

/* Escapes for HTML, and nothing else: every character counts. */
static void escape_tail(gpa_text *t, size_t start)
{
    char *copy = gpai_text_take(t, start);
    for (const char *p = copy; p != NULL && *p != '\0';)
        gpai_html_point(t, gpai_utf8_next(&p));
    gpai_free(copy);
}

void gpai_html_receipt(gpa_text *t, const gpa_report_info *info, const char *format)
{
    if (info->options_json == NULL)
        return;
    gpai_text_add(t,
                  "<section>\n<details><summary>Receipt</summary>\n<p class=\"small\">"
                  "<code>gpa verify</code> makes what this page shows again from "
                  "it, and compares.</p>\n" GPAI_RECEIPT_OPEN ">");
    size_t start = t->length;
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "format", "gpa-receipt/1");
    gpai_json_text_field(t, "of", format);
    gpai_json_text_field(t, "version",
                         info->version != NULL ? info->version : gpa_version());
    gpai_json_key(t, "options");
    plain_json(t, info->options_json);
    gpai_json_text_field(t, "input_digest", info->input_digest);
    gpai_json_text_field(t, "model_probe_digest", info->model_digest);
    gpai_json_count_field(t, "seed", info->seed);
    /* whether the page shows all it could, or what a saved result still knew */
    bool compared = strcmp(format, "gpa-comparison/1") == 0;
    gpai_json_bool_field(t, "full",
                         compared ? info->target != NULL : info->background != NULL);
    gpai_text_add(t, "}");
    escape_tail(t, start);
    gpai_text_add(t, GPAI_RECEIPT_CLOSE "\n</details>\n</section>\n");
}

/* What precedes the row numbers of a result. */
static void open_term(gpa_text *t)
{
    gpai_text_add(t, "<dt>result digest</dt>" GPAI_RESULT_OPEN);
}

/* What follows them: the digest of the JSON since `start`, which is taken back, but for
 * its first character. */
static void close_term(gpa_text *t, size_t start)
{
    char digest[GPA_DIGEST_SIZE], *json = gpai_text_take(t, start);
    if (json == NULL)
        return;
    gpa_digest(json + 1, strlen(json + 1), digest);
    gpai_text_printf(t, GPAI_RESULT_MIDDLE "%s</dd>\n", digest);
    gpai_free(json);
}

void gpai_html_explanation_digest(gpa_text *t, const gpai_view *v)
{
    gpa_report_info plain = *v->info;
    gpai_view same = *v;
    plain.full = false;
    same.info = &plain;
    open_term(t);
    for (size_t i = 0; i < v->n; i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpa_explanation_row(v->e, i));
    size_t start = t->length;
    (void)gpai_json_explanation(t, &same, 0, NULL); /* begins with a new line */
    close_term(t, start);
}

void gpai_html_comparison_digest(gpa_text *t, const gpa_report_info *info,
                                 const gpa_comparison *c)
{
    open_term(t);
    for (size_t i = 0; i < gpa_comparison_rows(c); i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpa_comparison_row(c, i));
    size_t start = t->length;
    gpai_text_add(t, "{");
    gpai_json_comparison_body(t, info, c);
    close_term(t, start);
}
