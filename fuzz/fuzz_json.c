#include "base/alloc.h"
#include "data/json.h"
#include "fuzz.h"

/* Goes over a whole value; every number is the one that strtod reads. */
static size_t visit(const gpai_value *v, int depth)
{
    size_t n = 1;
    MUST(depth <= 100);
    for (size_t i = 0; i < gpai_value_items(v); i++)
        n += visit(gpai_value_at(v, i), depth + 1);
    for (size_t i = 0; i < gpai_value_members(v); i++) {
        const char *key = gpai_value_key(v, i);
        MUST(gpai_value_get(v, key) == gpai_value_member(v, i));
        n += visit(gpai_value_member(v, i), depth + 1);
    }
    if (gpai_value_is_text(v))
        MUST(gpai_value_text(v) != NULL);
    return n;
}

/* One number alone: the same double as the C library's. */
static void check_number(const char *text, const gpai_value *v)
{
    char *end = NULL;
    double want = strtod(text, &end), got = gpai_value_number(v);
    if (gpai_value_is_whole(v) && want == 0)
        return; /* -0 */
    MUST(memcmp(&want, &got, sizeof got) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpai_value *v = NULL;
    gpa_error err = {0};
    char *text = copy_of(data, size);
    gpa_status st = gpai_json_parse(&v, text, size, "a.json", &err);
    check_error(st, &err);
    MUST((st == GPA_OK) == (v != NULL));
    if (v != NULL)
        MUST(visit(v, 0) <= size + 1);
    if (gpai_value_is_number(v) && memchr(text, 0xef, size) == NULL)
        check_number(text, v);
    gpai_value_free(v);
    err = (gpa_error){0};
    st = gpai_json_parse_lax(&v, text, size, "a.json", &err);
    check_error(st, &err);
    gpai_value_free(v);
    free(text);
    return 0;
}
