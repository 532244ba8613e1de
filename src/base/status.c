#include "base/status.h"
#include <stdarg.h>
#include <stdio.h>

gpa_status gpai_fail(gpa_error *err, gpa_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}

gpa_status gpai_nomem(gpa_error *err, const char *unit)
{
    return gpai_fail(err, GPA_NOMEM, "%s: out of memory", unit);
}

const char *gpa_status_text(gpa_status status)
{
    switch (status) {
#define X(name, value, text)                                                           \
    case GPA_##name:                                                                   \
        return text;
        GPA_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}
