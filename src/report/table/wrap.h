#ifndef GPAI_WRAP_H
#define GPAI_WRAP_H
#include "base/text/text.h"

/* Breaks what was added since `start` into lines of at most `columns` where a space
 * allows it; all but the first begin with `indent` spaces. A number stays with the word
 * before it and with its % or sigma. */
void gpai_text_wrap(gpa_text *t, size_t start, size_t columns, size_t indent);

#endif
