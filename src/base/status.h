#ifndef GPAI_STATUS_H
#define GPAI_STATUS_H
#include <gpa/status.h>

/* Fills err (when there is one) with the status and a message, and returns the status.
 */
gpa_status gpai_fail(gpa_error *err, gpa_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The usual answer when gpai_alloc gave nothing. */
gpa_status gpai_nomem(gpa_error *err, const char *unit);

#endif
