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
/* "name":{ or "name":[; the caller adds the closing bracket. */
void gpai_json_open(gpa_text *t, const char *name, const char *bracket);
/* A comma between the elements of a list, none before the first. */
void gpai_json_comma(gpa_text *t);
/* An element of a list: a string with such a comma. */
void gpai_json_text_item(gpa_text *t, const char *text);
bool gpai_json_number(gpa_text *t, double v); /* whether it exists */
void gpai_json_reason(gpa_text *t, const char *name, const char *why);

/* A value of an input: a number, the name of a level, or a date; whether it exists. */
bool gpai_json_value(gpa_text *t, const gpa_input *in, double v);

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

/* n lists of d numbers; row-major. */
void gpai_json_table_field(gpa_text *t, const char *name, const double *v, size_t n,
                           size_t d, const char *why);

/* v[0], v[step], …: n numbers that nobody reads, as of a curve; whether all exist. */
bool gpai_json_curve(gpa_text *t, const double *v, size_t n, size_t step);

#endif
