#ifndef GPAI_STUDY_INFO_H
#define GPAI_STUDY_INFO_H
#include "study/study.h"

/* Writes down the options and fills s->info, what reports say about the question. */
gpa_status gpai_study_describe(gpa_study *s, gpa_error *err);

#endif
