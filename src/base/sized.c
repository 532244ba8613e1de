#include "base/sized.h"
#include "base/status.h"
#include <string.h>

void gpai_sized_init(void *out, size_t size, const void *defaults, size_t known)
{
    if (out == NULL || size < sizeof size)
        return;
    memset(out, 0, size);
    memcpy(out, defaults, size < known ? size : known);
    memcpy(out, &size, sizeof size); /* struct_size comes first */
}

bool gpai_sized_take(void *out, size_t known, const void *in)
{
    size_t size = 0;
    if (in != NULL)
        memcpy(&size, in, sizeof size);
    if (size < sizeof size)
        return false;
    memcpy(out, in, size < known ? size : known);
    memcpy(out, &known, sizeof known);
    return true;
}

gpa_status gpai_sized_copy(void *out, size_t known, const void *in, const char *message,
                           gpa_error *err)
{
    if (in == NULL || gpai_sized_take(out, known, in))
        return GPA_OK;
    return gpai_fail(err, GPA_INVALID, "%s", message);
}
