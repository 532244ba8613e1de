#ifndef GPA_CLI_RETELL_H
#define GPA_CLI_RETELL_H
#include "cli/out.h"
#include <gpa/saved.h>

/* Writes a saved result again in one format, as the command that made it would. `info`
 * is that of the result, with the looks of this terminal. */
gpa_status retell(const gpa_saved *s, const gpa_report_info *info, gpa_format format,
                  struct out *o, gpa_error *err);

#endif
