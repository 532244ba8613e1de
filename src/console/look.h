#ifndef GPA_CONSOLE_LOOK_H
#define GPA_CONSOLE_LOOK_H
#include "study/options.h"

/* How tables are to look on this terminal: colours, letters, width. */
void look_at_terminal(gpa_report_info *info, const gpai_options *a);

#endif
