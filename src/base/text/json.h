#ifndef GPAI_JSON_TEXT_H
#define GPAI_JSON_TEXT_H
#include "base/text/text.h"

/* Pieces of JSON. JSON has no NaN: a number that does not exist is null, with the
 * reason beside it under the same key + "_reason". */
void gpai_json_string(gpa_text *t, const char *text);
/* What was written since `start` becomes a string. */
void gpai_json_string_tail(gpa_text *t, size_t start);
/* "name": with a comma before it where one belongs. Names are plain ASCII. */
void gpai_json_key(gpa_text *t, const char *name);
/* The next key starts a line of its own. */
void gpai_json_new_line(gpa_text *t);
bool gpai_json_number(gpa_text *t, double v); /* whether it exists */
void gpai_json_reason(gpa_text *t, const char *name, const char *why);

/* Whole fields: a key and its value. */
void gpai_json_text_field(gpa_text *t, const char *name, const char *text);
void gpai_json_count_field(gpa_text *t, const char *name, uint64_t value);
void gpai_json_bool_field(gpa_text *t, const char *name, bool value);
void gpai_json_null_field(gpa_text *t, const char *name, const char *why);
void gpai_json_real_field(gpa_text *t, const char *name, double v, const char *why);
void gpai_json_array_field(gpa_text *t, const char *name, const double *v, size_t n,
                           const char *why); /* v NULL: null */
void gpai_json_curve_field(gpa_text *t, const char *name, const double *v, size_t n,
                           const char *why);

/* [1,2,…]; whether all of them exist. */
bool gpai_json_number_list(gpa_text *t, const double *v, size_t n);

#endif
