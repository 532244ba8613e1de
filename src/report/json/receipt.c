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
    gpai_text_add(t, "<section>\n<h2>Receipt</h2>\n<p class=\"small\">"
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
    gpai_text_add(t, GPAI_RECEIPT_CLOSE "\n</section>\n");
}

static void digest_term(gpa_text *t, const char *bytes, size_t size)
{
    char digest[GPA_DIGEST_SIZE];
    gpa_digest(bytes, size, digest);
    gpai_text_printf(t, GPAI_RESULT_MIDDLE "%s</dd>\n", digest);
}

static void open_term(gpa_text *t)
{
    gpai_text_add(t, "<dt>result digest</dt>" GPAI_RESULT_OPEN);
}

gpa_status gpai_html_explanation_digest(gpa_text *t, const gpa_report_info *info,
                                        const gpa_explanation *e, gpa_error *err)
{
    gpa_report_info plain = *info;
    gpa_text *json = NULL;
    plain.full = false;
    gpa_status st = gpa_text_new(&json, err);
    if (st == GPA_OK)
        st = gpai_json_explanation(json, &plain, e, 0, err);
    if (st == GPA_OK)
        st = gpai_text_seal(json, 0, err);
    if (st == GPA_OK) {
        open_term(t);
        for (size_t i = 0; i < gpa_explanation_rows(e); i++)
            gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpa_explanation_row(e, i));
        size_t blank = strspn(json->data, "\n");
        digest_term(t, json->data + blank, json->length - blank);
    }
    gpa_text_free(json);
    return st;
}

gpa_status gpai_html_comparison_digest(gpa_text *t, const gpa_report_info *info,
                                       const gpa_comparison *c, gpa_error *err)
{
    gpa_text *json = NULL;
    gpa_status st = gpa_text_new(&json, err);
    if (st == GPA_OK) {
        gpai_json_comparison_body(json, info, c);
        st = gpai_text_seal(json, 0, err);
    }
    if (st == GPA_OK) {
        open_term(t);
        for (size_t i = 0; i < gpa_comparison_rows(c); i++)
            gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpa_comparison_row(c, i));
        digest_term(t, json->data, json->length);
    }
    gpa_text_free(json);
    return st;
}
