#ifndef GPA_CONSOLE_ASK_H
#define GPA_CONSOLE_ASK_H
#include "study/study.h"

/* The question of a command line, opened, and what it had to say said. *s is to be
 * freed also when this fails. */
gpa_status ask_study(gpa_study **s, const gpai_options *a, gpa_error *err);

#endif
