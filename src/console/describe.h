#ifndef GPAI_CONSOLE_DESCRIBE_H
#define GPAI_CONSOLE_DESCRIBE_H
#include "console/args.h"

/* Prints commands and their options as JSON, for what makes completions and man pages
 * (tools/describe.py). The exit code. */
int describe_commands(const struct command *commands, size_t n);

#endif
