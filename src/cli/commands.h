#ifndef GPA_CLI_COMMANDS_H
#define GPA_CLI_COMMANDS_H
#include "study/options.h"

/* Each runs a command whose words have been read, and gives the exit code. */
int cmd_score(const gpai_options *a);
int cmd_explain(const gpai_options *a);
int cmd_compare(const gpai_options *a);
int cmd_model(const gpai_options *a);
int cmd_methods(const gpai_options *a);
int cmd_merge(const gpai_options *a);
int cmd_report(const gpai_options *a);
int cmd_verify(const gpai_options *a);

#endif
