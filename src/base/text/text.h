#ifndef GPAI_TEXT_H
#define GPAI_TEXT_H
#include "base/text/number.h"
#include <gpa/report.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing buffer. Running out of memory sticks: later additions do nothing, and
 * gpai_text_seal turns it into a status, so writers need not check every line. */
struct gpa_text {
    char *data; /* zero-terminated, never NULL */
    size_t length, room;
    bool failed;
    bool styled; /* stands in a page that has the style of pictures: they need none */
    gpa_text *aside; /* what its end will need; owned, NULL: nothing yet */
};

/* What is kept beside a text, whatever of it is cleared, for its end; NULL, with the
 * failure kept in `t`, without memory. */
gpa_text *gpai_text_aside(gpa_text *t);

void gpai_text_bytes(gpa_text *t, const char *bytes, size_t n);
void gpai_text_add(gpa_text *t, const char *text);
void gpai_text_repeat(gpa_text *t, const char *text, size_t times);
/* For text and whole numbers only: a real's decimal point would follow the locale. */
void gpai_text_printf(gpa_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The shortest form that reads back as the same number. */
void gpai_text_real(gpa_text *t, double v);

/* Cuts off what was written since `start`. */
void gpai_text_cut(gpa_text *t, size_t start);
/* The same, and hands it over, to be freed; NULL, with
 * the failure kept in `t`, when memory has run out. */
char *gpai_text_take(gpa_text *t, size_t start);

/* Ends a piece of writing that began at `start`: on failure the text is as it was
 * before, usable again, and the answer is GPA_NOMEM. */
gpa_status gpai_text_seal(gpa_text *t, size_t start, gpa_error *err);

#endif
