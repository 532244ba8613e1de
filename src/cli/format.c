#include "cli/format.h"
#include "cli/say.h"

gpa_status chosen_format(const struct args *a, gpa_format *format, gpa_error *err)
{
    bool json = a->given[OPT_JSON] || a->given[OPT_JSON_FULL];
    *format = json                ? GPA_FORMAT_JSON
              : a->given[OPT_CSV] ? GPA_FORMAT_CSV
                                  : GPA_FORMAT_TABLE;
    if (json && a->given[OPT_CSV])
        return fail(err, GPA_INVALID, "%s: only one of --json and --csv", a->command);
    return GPA_OK;
}
