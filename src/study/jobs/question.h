#ifndef GPAI_STUDY_JOBS_QUESTION_H
#define GPAI_STUDY_JOBS_QUESTION_H
#include "data/value.h"
#include <gpa/study.h>

/* All that the answers of a study that is open depend on, as a JSON object: the
 * version, the options, and digests of the data, the model's
 * predictions and whatever else was read. */
gpa_status gpai_study_question(const gpa_study *s, gpa_text *t, gpa_error *err);

/* GPA_DATA, with what another such question (of a journal, of a shard) differs in;
 * GPA_OK: nothing. `name` stands for where it was found. */
gpa_status gpai_question_compare(const gpai_value *mine, const gpai_value *other,
                                 const char *name, gpa_error *err);
/* The same of their texts. */
gpa_status gpai_question_same(const char *mine, const char *other, const char *name,
                              gpa_error *err);

/* The first key of two objects whose values differ, or that one of them lacks; NULL:
 * there is none. */
const char *gpai_question_other(const gpai_value *mine, const gpai_value *other);

/* Whether two values in them are the same, or both missing. */
bool gpai_question_agree(const gpai_value *a, const gpai_value *b);

#endif
