#include "base/sized.h"
#include "base/status.h"
#include <string.h>

void gpai_sized_init(void *out, size_t size, const void *defaults, size_t known)
{
    memset(out, 0, size);
    memcpy(out, defaults, size < known ? size : known);
    memcpy(out, &size, sizeof size);
}

gpa_status gpai_sized_copy(void *out, size_t known, const void *in, const char *message,
                           gpa_error *err)
{
    size_t size;
    if (in == NULL)
        return GPA_OK;
    memcpy(&size, in, sizeof size);
    if (size < sizeof size)
        return gpai_fail(err, GPA_INVALID, "%s", message);
    memcpy(out, in, size < known ? size : known);
    memcpy(out, &known, sizeof known);
    return GPA_OK;
}
