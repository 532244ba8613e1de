#ifndef GPA_SERVE_SERVE_H
#define GPA_SERVE_SERVE_H
#include "study/options.h"

/* gpa serve: the exit code. */
int cmd_serve(const gpai_options *a);

#endif
