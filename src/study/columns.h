#ifndef GPAI_STUDY_COLUMNS_H
#define GPAI_STUDY_COLUMNS_H
#include "study/study.h"

/* Decides which columns are the target, the id and the model's inputs. */
gpa_status gpai_choose_columns(gpa_study *s, gpa_error *err);

#endif
