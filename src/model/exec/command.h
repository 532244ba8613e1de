#ifndef GPAI_MODEL_EXEC_COMMAND_H
#define GPAI_MODEL_EXEC_COMMAND_H
#include <gpa/status.h>

/* Words of a command line, without a shell: blanks separate; '...' is taken as it
 * stands, "..." too but for \" and \\, and elsewhere a backslash takes the next
 * character as it stands. Nothing else is special. The list ends with NULL and is one
 * block to gpai_free. GPA_INVALID for an open quote, a last backslash or no words. */
gpa_status gpai_command_split(char ***out, const char *text, gpa_error *err);

#endif
