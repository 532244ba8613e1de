#ifndef GPA_CLI_FORMAT_H
#define GPA_CLI_FORMAT_H
#include "cli/args.h"
#include <gpa/report.h>

/* The format that --json and --csv ask for; a table without them. */
gpa_status chosen_format(const struct args *a, gpa_format *format, gpa_error *err);

#endif
