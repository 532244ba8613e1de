#include "base/text/text.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 4096 };

gpa_status gpa_text_new(gpa_text **out, gpa_error *err)
{
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "text: nowhere to put the handle");
    *out = NULL;
    gpa_text *t = gpai_calloc(1, sizeof *t);
    if (t == NULL)
        return gpai_nomem(err, "text");
    t->data = gpai_calloc(FIRST_ROOM, 1);
    if (t->data == NULL) {
        gpai_free(t);
        return gpai_nomem(err, "text");
    }
    t->room = FIRST_ROOM;
    *out = t;
    return GPA_OK;
}

void gpa_text_free(gpa_text *t)
{
    if (t == NULL)
        return;
    gpai_free(t->data);
    gpai_free(t);
}

const char *gpa_text_data(const gpa_text *t)
{
    return t != NULL ? t->data : "";
}

size_t gpa_text_length(const gpa_text *t)
{
    return t != NULL ? t->length : 0;
}

void gpa_text_clear(gpa_text *t)
{
    if (t == NULL)
        return;
    t->length = 0;
    t->data[0] = '\0';
    t->failed = false;
}

/* Makes room for n more bytes and the final zero. */
static bool reserve(gpa_text *t, size_t n)
{
    if (t->failed)
        return false;
    if (n < t->room - t->length)
        return true;
    size_t need = t->length + n + 1;
    size_t room = need < SIZE_MAX / 2 ? need + need / 2 : need;
    char *data = need > n ? gpai_regrow(t->data, room, 1) : NULL;
    if (data == NULL) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->room = room;
    return true;
}

void gpai_text_bytes(gpa_text *t, const char *bytes, size_t n)
{
    if (n == 0 || !reserve(t, n))
        return;
    memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = '\0';
}

void gpai_text_add(gpa_text *t, const char *text)
{
    gpai_text_bytes(t, text, strlen(text));
}

void gpai_text_repeat(gpa_text *t, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        gpai_text_add(t, text);
}

void gpai_text_printf(gpa_text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n > 0 && reserve(t, (size_t)n)) {
        vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void gpai_text_real(gpa_text *t, double v)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_exact(number, v);
    gpai_text_add(t, number);
}

gpa_status gpai_text_seal(gpa_text *t, size_t start, gpa_error *err)
{
    if (!t->failed)
        return GPA_OK;
    t->failed = false;
    t->length = start;
    t->data[start] = '\0';
    return gpai_nomem(err, "report");
}

/* Whatever the locale put between the digits becomes a point. */
static void make_point(char *number)
{
    char *to = number;
    bool foreign = false;
    for (const char *p = number; *p != '\0'; p++) {
        bool known = strchr("0123456789+-eEinfaINFA", *p) != NULL;
        if (known)
            *to++ = *p;
        else if (!foreign)
            *to++ = '.';
        foreign = !known;
    }
    *to = '\0';
}

void gpai_real_exact(char *out, double v)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, GPAI_REAL_SIZE, "%.*g", digits, v);
        if (!isfinite(v) || strtod(out, NULL) == v) /* written and read by one locale */
            break;
    }
    make_point(out);
}

void gpai_real_digits(char *out, double v, int digits)
{
    snprintf(out, GPAI_REAL_SIZE, "%.*g", digits, v);
    make_point(out);
}

void gpai_real_fixed(char *out, double v, int decimals)
{
    if (!(fabs(v) < 1e15)) {
        gpai_real_digits(out, v, 6);
        return;
    }
    snprintf(out, GPAI_REAL_SIZE, "%.*f", decimals, v);
    make_point(out);
    if (out[0] == '-' && strspn(out + 1, "0.") == strlen(out + 1)) /* no "-0.00" */
        memmove(out, out + 1, strlen(out));
}

int gpai_decimals(double v, int digits)
{
    if (v == 0 || !isfinite(v))
        return 0;
    int decimals = digits - 1 - (int)floor(log10(fabs(v)));
    return decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
}

/* "12.500" to "12.5", "99.00" to "99". */
static void trim_zeros(char *number)
{
    if (strchr(number, '.') == NULL || strchr(number, 'e') != NULL)
        return;
    char *end = number + strlen(number);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
}

void gpai_real_people(char *out, double v, int digits)
{
    double size = fabs(v);
    if (!isfinite(v)) {
        snprintf(out, GPAI_REAL_SIZE, "n/a");
    } else if (size != 0 && (size < 1e-4 || size >= 1e12)) {
        gpai_real_digits(out, v, digits);
    } else {
        gpai_real_fixed(out, v, gpai_decimals(v, digits));
        trim_zeros(out);
    }
}
