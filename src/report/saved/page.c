#include "base/alloc.h"
#include "report/json/parts.h"
#include "report/saved/saved.h"
#include <stdlib.h>
#include <string.h>

/* The receipt of a page, and the digests of its results. Names cannot forge them: what
 * comes from data is escaped in a page. */

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

static void take_receipt(gpai_reader *r, gpa_saved *s)
{
    const char *open = strstr(s->bytes, GPAI_RECEIPT_OPEN);
    const char *start = open != NULL ? strchr(open, '>') : NULL;
    const char *end = start != NULL ? strstr(start, GPAI_RECEIPT_CLOSE) : NULL;
    if (end == NULL) {
        gpai_read_fail(r, NULL,
                       "a page without a receipt; was it made by gpa explain or gpa "
                       "compare?");
        return;
    }
    s->receipt = gpai_strndup(start + 1, (size_t)(end - start - 1));
    if (s->receipt == NULL) {
        gpai_read_nomem(r);
        return;
    }
    unescape(s->receipt);
    gpai_saved_members(r, s, (gpai_slice){s->receipt, strlen(s->receipt)});
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

void gpai_saved_page(gpai_reader *r, gpa_saved *s)
{
    gpai_page_result one;
    if (strlen(s->bytes) != s->size)
        gpai_read_fail(r, NULL, "a zero byte in a page");
    else
        take_receipt(r, s);
    const char *at = s->bytes;
    while (r->status == GPA_OK && (at = next_result(at, &one)) != NULL) {
        s->results = gpai_read_grow(r, s->results, s->n_items, sizeof *s->results);
        if (r->status == GPA_OK)
            s->results[s->n_items++] = one;
    }
}
