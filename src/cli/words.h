#ifndef GPA_CLI_WORDS_H
#define GPA_CLI_WORDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads a whole word as a finite number, the same in every locale. */
bool word_real(const char *word, double *value);
/* Reads a whole word as a number without sign, point or exponent. */
bool word_count(const char *word, uint64_t *value);

/* Of `n` names the one most like `word`; NULL when none is near. */
const char *word_nearest(const char *word, const char *const *names, size_t n);

/* Copies text with everything that could steer a terminal made '?': control characters,
 * bytes that are no UTF-8. `size` counts the final zero. */
void word_safe(char *out, size_t size, const char *text);

/* Text as a terminal may see it, at most 60 characters. */
void word_plain(FILE *f, const char *text);

/* Text as a JSON string; bytes that are no UTF-8 become U+FFFD. */
void word_json(FILE *f, const char *text);
/* A number as JSON, with as many digits as it takes to read it back; null for NaN and
 * infinity. */
void word_json_real(FILE *f, double value);

/* How many bytes the UTF-8 character at `text` takes; 0 when it is none. */
size_t word_utf8(const char *text);

#endif
