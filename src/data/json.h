#ifndef GPAI_DATA_JSON_H
#define GPAI_DATA_JSON_H
#include "data/value.h"
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* JSON text as a row of tokens, with the line for messages. */
typedef struct gpai_json_scan {
    const char *at, *end;
    size_t line;
    const char *source; /* name of the file, fit to be shown */
    bool lax;           /* -Infinity and -NaN are words, as Infinity and NaN */
} gpai_json_scan;

/* One token. `kind` is the character itself for { } [ ] , and :, 's' for a string, 'n'
 * for a number, 'w' for a word (true, null, NaN, …), 0 at the end. The text is a part
 * of the file; a string's is without its quotes. */
typedef struct gpai_token {
    char kind;
    bool escaped; /* the string has escapes */
    const char *text;
    size_t length;
} gpai_token;

bool gpai_token_is_word(const gpai_token *token, const char *word);

/* The next token. Strings are checked (escapes, UTF-8, no zero characters), so are the
 * form and the range of numbers. */
gpa_status gpai_json_next(gpai_json_scan *s, gpai_token *token, gpa_error *err);

/* The next item between two brackets, `first` the first: its first token, or `close`.
 */
gpa_status gpai_json_item(gpai_json_scan *s, char close, bool first, gpai_token *token,
                          gpa_error *err);

/* Undoes a string's escapes into `out`, which has room for length + 1; gives the new
 * length, which is never larger. */
size_t gpai_json_decode(const gpai_token *token, char *out);

/* GPA_DATA: "FILE: line N: WHAT", followed by the token when there is one. */
gpa_status gpai_json_fail(const gpai_json_scan *s, const char *what,
                          const gpai_token *token, gpa_error *err);

/* JSON text to a value, within our limits: bytes, depth, memory, and numbers that are
 * numbers. No key may be there twice. `name` stands for the file in messages. */
gpa_status gpai_json_parse(gpai_value **out, const char *bytes, size_t size,
                           const char *name, gpa_error *err);

/* The same for what XGBoost writes: NaN and Infinity become null. */
gpa_status gpai_json_parse_lax(gpai_value **out, const char *bytes, size_t size,
                               const char *name, gpa_error *err);

/* The same for a text but for one of its lists, which is part of it and checked
 * already: it counts as null. NULL: without such a list. */
gpa_status gpai_json_parse_around(gpai_value **out, const char *bytes, size_t size,
                                  const char *gap, size_t gap_size, const char *name,
                                  gpa_error *err);

gpa_status gpai_json_read(gpai_value **out, const char *path, size_t max_bytes,
                          gpa_error *err);

/* Copies a JSON array of exactly n finite numbers; anything else is GPA_DATA saying
 * "NAME: WHAT: …". */
gpa_status gpai_json_numbers(const gpai_value *array, size_t n, double *out,
                             const char *name, const char *what, gpa_error *err);

/* What came of making a value, as a status; for other readers of trees. */
gpa_status gpai_make_check(gpai_make_result result, const char *name, gpa_error *err);

#endif
