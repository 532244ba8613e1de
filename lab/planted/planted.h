#ifndef GPA_LAB_PLANTED_H
#define GPA_LAB_PLANTED_H
#include "study/options.h"

/* Runs `gpa bench planted`, whose words have been read; the exit code. */
int planted_run(const gpai_options *a);

#endif
