#ifndef GPAI_DATA_JSON_H
#define GPAI_DATA_JSON_H
#include <gpa/status.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* JSON text as a row of tokens, with the line for messages. jansson holds our trees but
 * does not read our files: its reader drops characters of a long number when memory
 * runs out, and knows neither our limits nor NaN. */
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
