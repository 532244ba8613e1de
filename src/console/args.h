#ifndef GPA_CONSOLE_ARGS_H
#define GPA_CONSOLE_ARGS_H
#include "study/options.h"

/* Reads the words after a command, whose name and bit are set. Says what is wrong, with
 * the usage (NULL: without), and gives false. `--help` ends the reading. */
bool args_read(gpai_options *a, const char *usage, int argc, char **argv);

/* The options of a command, for its help. */
void args_list(unsigned bit);

/* The format that --json and --csv ask for; a table without them. */
gpa_status args_format(const gpai_options *a, gpa_format *format, gpa_error *err);

#endif
