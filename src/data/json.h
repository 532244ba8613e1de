#ifndef GPAI_DATA_JSON_H
#define GPAI_DATA_JSON_H
#include <gpa/status.h>
#include <jansson.h>
#include <stddef.h>

/* jansson behind our limits: bytes, depth, and numbers that are numbers. `name` stands
 * for the file in messages. */
gpa_status gpai_json_parse(json_t **out, const char *bytes, size_t size,
                           const char *name, gpa_error *err);

/* The same for what XGBoost writes: NaN and Infinity become null. */
gpa_status gpai_json_parse_lax(json_t **out, const char *bytes, size_t size,
                               const char *name, gpa_error *err);

gpa_status gpai_json_read(json_t **out, const char *path, size_t max_bytes,
                          gpa_error *err);

/* Copies a JSON array of exactly n finite numbers; anything else is GPA_DATA saying
 * "NAME: WHAT: …". */
gpa_status gpai_json_numbers(const json_t *array, size_t n, double *out,
                             const char *name, const char *what, gpa_error *err);

#endif
