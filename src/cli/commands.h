#ifndef GPA_CLI_COMMANDS_H
#define GPA_CLI_COMMANDS_H
#include "cli/args.h"

/* Each runs a command whose words have been read, and gives the exit code. */
int cmd_score(const struct args *a);
int cmd_explain(const struct args *a);
int cmd_compare(const struct args *a);
int cmd_model(const struct args *a);
int cmd_paper(const struct args *a);
int cmd_methods(const struct args *a);
int cmd_bench(const struct args *a);
int cmd_report(const struct args *a);
int cmd_verify(const struct args *a);

#endif
