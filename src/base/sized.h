#ifndef GPAI_BASE_SIZED_H
#define GPAI_BASE_SIZED_H
#include <gpa/status.h>
#include <stddef.h>

/* Structs that callers fill and that grow at their end: the first member is the size
 * the caller's header gave them, so that older and newer headers can be told apart. */

/* Fills `size` bytes: the defaults as far as they go, then zeros; and the size. */
void gpai_sized_init(void *out, size_t size, const void *defaults, size_t known);

/* Copies what the caller filled over `out`, which holds `known` bytes of defaults. NULL
 * changes nothing; without a size it is GPA_INVALID with this message. */
gpa_status gpai_sized_copy(void *out, size_t known, const void *in, const char *message,
                           gpa_error *err);

#endif
