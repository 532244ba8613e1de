#include "base/alloc.h"
#include "base/status.h"
#include "report/json/parts.h"
#include "report/saved/saved.h"
#include <stdlib.h>
#include <string.h>

/* The receipt of a page, and the digests of its results. Names cannot forge them: what
 * comes from data is escaped in a page. */

static gpa_status none(const gpa_saved *s, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA,
                     "%s: a page without a receipt; was it made by gpa explain or gpa "
                     "compare?",
                     s->name.text);
}

/* Turns &#NN; back; the page has no other escapes there. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *p = text; *p != '\0';) {
        char *end = NULL;
        long code = strncmp(p, "&#", 2) == 0 ? strtol(p + 2, &end, 10) : 0;
        if (code > 0 && code < 0x80 && end != NULL && *end == ';') {
            *to++ = (char)code;
            p = end + 1;
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

static gpa_status take_receipt(gpa_saved *s, gpa_error *err)
{
    const char *open = strstr(s->bytes, GPAI_RECEIPT_OPEN);
    const char *start = open != NULL ? strchr(open, '>') : NULL;
    const char *end = start != NULL ? strstr(start, GPAI_RECEIPT_CLOSE) : NULL;
    if (end == NULL)
        return none(s, err);
    s->receipt = gpai_strndup(start + 1, (size_t)(end - start - 1));
    if (s->receipt == NULL)
        return gpai_nomem(err, "report");
    unescape(s->receipt);
    return gpai_saved_members(s, (gpai_slice){s->receipt, strlen(s->receipt)}, err);
}

/* The next digest from `at` on; behind it, or NULL. */
static const char *next_result(const char *at, gpai_page_result *out)
{
    static const char hex[] = "0123456789abcdef", rows[] = "0123456789,";
    const char *open = strstr(at, GPAI_RESULT_OPEN);
    if (open == NULL)
        return NULL;
    open += strlen(GPAI_RESULT_OPEN);
    size_t length = strspn(open, rows);
    static const char middle[] = GPAI_RESULT_MIDDLE "sha256:";
    if (strncmp(open + length, middle, strlen(middle)) != 0)
        return NULL;
    const char *digest = open + length + strlen(middle);
    *out = (gpai_page_result){{open, length}, {digest, strspn(digest, hex)}};
    return digest;
}

gpa_status gpai_saved_page(gpa_saved *s, gpa_error *err)
{
    gpai_page_result one;
    if (strlen(s->bytes) != s->size)
        return gpai_fail(err, GPA_DATA, "%s: a zero byte in a page", s->name.text);
    gpa_status st = take_receipt(s, err);
    for (const char *at = s->bytes; st == GPA_OK;) {
        at = next_result(at, &one);
        if (at == NULL)
            break;
        gpai_page_result *more = gpai_list_grow(s->results, s->n_items, sizeof *more);
        if (more == NULL)
            return gpai_nomem(err, "report");
        s->results = more;
        s->results[s->n_items++] = one;
    }
    return st;
}
