#include "base/alloc.h"
#include "base/text/escape.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "report/json/parts.h"
#include "report/write.h"
#include <gpa/data.h>
#include <gpa/version.h>
#include <string.h>

/* Pages are handed on: the folders of the computer they were made on are nobody's
 * business. */

/* What follows the last slash of `length` bytes; all of an address in a network. */
static void add_base(gpa_text *t, const char *text, size_t length)
{
    size_t from = length;
    while (from > 0 && text[from - 1] != '/')
        from--;
    gpai_text_bytes(t, text + from, length - from);
}

/* A command word by word, each of which may begin with a quote. */
static void add_words(gpa_text *t, const char *text, size_t length)
{
    for (size_t i = 0, end; i < length; i = end) {
        for (end = i; end < length && text[end] != ' ';)
            end++;
        size_t quote = i < end && strchr("\"'\\", text[i]) != NULL ? 1 : 0;
        gpai_text_bytes(t, text + i, quote);
        add_base(t, text + i + quote, end - i - quote);
        for (; end < length && text[end] == ' '; end++)
            gpai_text_add(t, " ");
    }
}

static bool begins(const char *text, size_t length, const char *with)
{
    return length >= strlen(with) && strncmp(text, with, strlen(with)) == 0;
}

/* "mlp:folder/m.json" as mlp:m.json. */
static void add_spec(gpa_text *t, const char *text, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t kind = strspn(text, letters);
    kind = kind < length && text[kind] == ':' ? kind + 1 : 0;
    for (size_t i = 0; i + 3 <= length; i++)
        if (begins(text + i, length - i, "://")) {
            gpai_text_bytes(t, text, length);
            return;
        }
    gpai_text_bytes(t, text, kind);
    if (begins(text, length, "exec:"))
        add_words(t, text + kind, length - kind);
    else
        add_base(t, text + kind, length - kind);
}

void gpai_html_model(gpa_text *t, const gpa_report_info *info, size_t columns)
{
    size_t start = t->length;
    if (info->paths) {
        gpai_html_short(t, info->model_spec, columns);
        return;
    }
    add_spec(t, info->model_spec, strlen(info->model_spec));
    char *spec = gpai_text_take(t, start);
    if (spec != NULL)
        gpai_html_short(t, spec, columns);
    gpai_free(spec);
}

/* Whether the value of an option is the name of a file. */
static bool names_file(const char *key, size_t length)
{
    static const char *const keys[] = {"file",       "model",    "reference",
                                       "scale",      "baseline", "slope-nodes",
                                       "delta-init", "sv-draws"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strlen(keys[i]) == length && strncmp(key, keys[i], length) == 0)
            return true;
    return false;
}

/* Where a text of JSON ends whose first quote is at `at`: at its last. */
static const char *end_of(const char *at)
{
    for (at++; *at != '\0' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0')
            at++;
    return at;
}

void gpai_json_shown_options(gpa_text *t, const gpa_report_info *info)
{
    const char *at = info->options_json;
    bool file = false; /* the next text is one */
    if (info->paths) {
        gpai_text_add(t, at);
        return;
    }
    while (*at != '\0') {
        const char *end = *at == '"' ? end_of(at) : at;
        size_t length = *at == '"' ? (size_t)(end - at - 1) : 0;
        bool key = *end == '"' && end[1] == ':';
        if (*at != '"' || *end == '\0') {
            gpai_text_bytes(t, at, 1);
            at++;
            continue;
        }
        gpai_text_add(t, "\"");
        if (file && !key)
            add_spec(t, at + 1, length);
        else
            gpai_text_bytes(t, at + 1, length);
        gpai_text_add(t, "\"");
        file = key && names_file(at + 1, length);
        at = end + 1;
    }
}

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
    size_t from = t->length;
    gpai_json_shown_options(t, info);
    char *shown = gpai_text_take(t, from);
    plain_json(t, shown != NULL ? shown : "");
    gpai_free(shown);
    gpai_json_text_field(t, "input_digest", info->input_digest);
    gpai_json_text_field(t, "model_probe_digest", info->model_digest);
    gpai_json_count_field(t, "seed", info->seed);
    /* whether the page shows all it could, or what a saved result still knew */
    bool compared = strcmp(format, "gpa-comparison/1") == 0;
    gpai_json_bool_field(t, "full",
                         compared ? info->target != NULL : info->background != NULL);
    if (info->paths)
        gpai_json_bool_field(t, "paths", true);
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
