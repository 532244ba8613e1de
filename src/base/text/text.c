#include "base/text/text.h"
#include "base/alloc.h"
#include "base/status.h"
#include <stdarg.h>
#include <stdio.h>
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
    gpa_text_free(t->aside);
    gpai_free(t->data);
    gpai_free(t);
}

gpa_text *gpai_text_aside(gpa_text *t)
{
    if (t->aside == NULL && gpa_text_new(&t->aside, NULL) != GPA_OK)
        t->failed = true;
    return t->aside;
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
    gpai_text_cut(t, 0);
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
    char number[GPAI_NUMBER_ROOM];
    gpai_number_text(v, number);
    gpai_text_add(t, number);
}

void gpai_text_cut(gpa_text *t, size_t start)
{
    t->length = start;
    t->data[start] = '\0';
}

char *gpai_text_take(gpa_text *t, size_t start)
{
    char *taken = t->failed ? NULL : gpai_strndup(t->data + start, t->length - start);
    t->failed = taken == NULL;
    if (taken != NULL)
        gpai_text_cut(t, start);
    return taken;
}

gpa_status gpai_text_seal(gpa_text *t, size_t start, gpa_error *err)
{
    if (!t->failed)
        return GPA_OK;
    t->failed = false;
    gpai_text_cut(t, start);
    return gpai_nomem(err, "report");
}
