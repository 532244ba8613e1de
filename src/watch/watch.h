#ifndef GPA_WATCH_WATCH_H
#define GPA_WATCH_WATCH_H
#include "study/options.h"

/* gpa watch: the exit code. */
int cmd_watch(const gpai_options *a);

#endif
