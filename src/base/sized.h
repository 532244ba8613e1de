#ifndef GPAI_BASE_SIZED_H
#define GPAI_BASE_SIZED_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Structs that callers fill begin with their size (a size_t struct_size), as their
 * _init put it there, so that they can grow at the end: a program built against an
 * older header hands over a shorter one. */

/* Fills `size` bytes: the defaults as far as they go, then zeros; and the size. */
void gpai_sized_init(void *out, size_t size, const void *defaults, size_t known);

/* Copies what the caller filled over `out`, which holds `known` bytes of defaults.
 * False, and nothing copied, without a struct or when its _init was never called. */
bool gpai_sized_take(void *out, size_t known, const void *in);

/* The same where NULL stands for the defaults: without a size it is GPA_INVALID with
 * this message. */
gpa_status gpai_sized_copy(void *out, size_t known, const void *in, const char *message,
                           gpa_error *err);

#endif
