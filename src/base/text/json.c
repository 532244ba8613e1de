#include "base/text/json.h"
#include "base/alloc.h"
#include "base/text/input.h"
#include "base/text/utf8.h"
#include <math.h>
#include <string.h>

void gpai_json_string(gpa_text *t, const char *text)
{
    gpai_text_add(t, "\"");
    while (*text != '\0') {
        uint32_t c = gpai_utf8_next(&text);
        if (c == '"' || c == '\\')
            gpai_text_printf(t, "\\%c", (char)c);
        else if (gpai_utf8_unsafe(c) && c < 0x10000) /* also keeps terminals safe */
            gpai_text_printf(t, "\\u%04x", (unsigned)c);
        else
            gpai_text_point(t, c);
    }
    gpai_text_add(t, "\"");
}

void gpai_json_string_tail(gpa_text *t, size_t start)
{
    char *copy = gpai_text_take(t, start);
    if (copy != NULL)
        gpai_json_string(t, copy);
    gpai_free(copy);
}

void gpai_json_key(gpa_text *t, const char *name)
{
    const char last = t->length > 0 ? t->data[t->length - 1] : '{';
    if (last == '\n')
        gpai_text_add(t, " ");
    else if (last != '{')
        gpai_text_add(t, ",");
    gpai_text_add(t, "\"");
    gpai_text_add(t, name);
    gpai_text_bytes(t, "\":", 2);
}

void gpai_json_new_line(gpa_text *t)
{
    gpai_text_add(t, ",\n");
}

void gpai_json_open(gpa_text *t, const char *name, const char *bracket)
{
    gpai_json_key(t, name);
    gpai_text_add(t, bracket);
}

void gpai_json_comma(gpa_text *t)
{
    if (t->length > 0 && t->data[t->length - 1] != '[')
        gpai_text_add(t, ",");
}

void gpai_json_text_item(gpa_text *t, const char *text)
{
    gpai_json_comma(t);
    gpai_json_string(t, text);
}

bool gpai_json_number(gpa_text *t, double v)
{
    if (isfinite(v))
        gpai_text_real(t, v);
    else
        gpai_text_add(t, "null");
    return isfinite(v);
}

/* [1,2,…]; whether all of them exist. */
static bool number_list(gpa_text *t, const double *v, size_t n)
{
    bool whole = true;
    gpai_text_add(t, "[");
    for (size_t i = 0; i < n; i++) {
        gpai_json_comma(t);
        whole = gpai_json_number(t, v[i]) && whole;
    }
    gpai_text_add(t, "]");
    return whole;
}

void gpai_json_reason(gpa_text *t, const char *name, const char *why)
{
    gpai_text_add(t, ",\"");
    gpai_text_add(t, name);
    gpai_text_add(t, "_reason\":");
    gpai_json_string(t, why);
}

void gpai_json_null_field(gpa_text *t, const char *name, const char *why)
{
    gpai_json_key(t, name);
    gpai_text_add(t, "null");
    gpai_json_reason(t, name, why);
}

void gpai_json_text_field(gpa_text *t, const char *name, const char *text)
{
    if (text == NULL) {
        gpai_json_null_field(t, name, "not known");
        return;
    }
    gpai_json_key(t, name);
    gpai_json_string(t, text);
}

void gpai_json_count_field(gpa_text *t, const char *name, uint64_t value)
{
    char digits[20]; /* of 2^64 - 1 */
    size_t at = sizeof digits;
    gpai_json_key(t, name);
    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    gpai_text_bytes(t, digits + at, sizeof digits - at);
}

void gpai_json_bool_field(gpa_text *t, const char *name, bool value)
{
    gpai_json_key(t, name);
    gpai_text_add(t, value ? "true" : "false");
}

void gpai_json_real_field(gpa_text *t, const char *name, double v, const char *why)
{
    gpai_json_key(t, name);
    if (!gpai_json_number(t, v))
        gpai_json_reason(t, name, why);
}

void gpai_json_array_field(gpa_text *t, const char *name, const double *v, size_t n,
                           const char *why)
{
    if (v == NULL) {
        gpai_json_null_field(t, name, why);
        return;
    }
    gpai_json_key(t, name);
    if (!number_list(t, v, n))
        gpai_json_reason(t, name, why);
}

void gpai_json_table_field(gpa_text *t, const char *name, const double *v, size_t n,
                           size_t d, const char *why)
{
    bool whole = true;
    gpai_json_open(t, name, "[");
    for (size_t i = 0; i < n; i++) {
        gpai_json_comma(t);
        whole = number_list(t, v + i * d, d) && whole;
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, name, why);
}

/* 17 digits at once are exact, too, and faster than the shortest form. */
bool gpai_json_curve(gpa_text *t, const double *v, size_t n, size_t step)
{
    char some[16 * GPAI_REAL_SIZE] = "["; /* gathered: they are many */
    size_t length = 1;
    bool whole = true;
    for (size_t i = 0; i < n; i++) {
        double x = v[i * step];
        if (length + GPAI_REAL_SIZE + 2 > sizeof some) {
            gpai_text_bytes(t, some, length);
            length = 0;
        }
        if (i > 0)
            some[length++] = ',';
        if (isfinite(x))
            length += gpai_real_digits(some + length, x, 17);
        else
            length += strlen(strcpy(some + length, "null"));
        whole = whole && isfinite(x);
    }
    some[length++] = ']';
    gpai_text_bytes(t, some, length);
    return whole;
}

void gpai_json_curve_field(gpa_text *t, const char *name, const double *v, size_t n,
                           const char *why)
{
    gpai_json_key(t, name);
    if (!gpai_json_curve(t, v, n, 1))
        gpai_json_reason(t, name, why);
}

bool gpai_json_value(gpa_text *t, const gpa_input *in, double v)
{
    char room[GPAI_INPUT_ROOM];
    static const double FAR = 1e12; /* beyond it no text is a date */
    bool date = fabs(v) < FAR &&
                (in->writing == GPA_WRITING_DATE || in->writing == GPA_WRITING_TIME);
    bool named = in->level_name != NULL && gpai_input_level(in, v) < in->levels;
    if (!isfinite(v) || !(date || named))
        return gpai_json_number(t, v);
    const char *text = gpai_input_exact(in, v, room);
    gpai_json_string(t, text);
    return true;
}
