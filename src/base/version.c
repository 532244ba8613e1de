#include <gpa/version.h>

const char *gpa_version(void)
{
    return GPA_VERSION;
}
