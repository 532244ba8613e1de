#ifndef GPA_CLI_WORDS_H
#define GPA_CLI_WORDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a whole word as a finite number, the same in every locale. */
bool word_real(const char *word, double *value);
/* Reads a whole word as a number without sign, point or exponent. */
bool word_count(const char *word, uint64_t *value);

/* Of `n` names the one most like `word`; NULL when none is near. */
const char *word_nearest(const char *word, const char *const *names, size_t n);

/* Copies text with everything that could steer a terminal made '?': control characters,
 * bytes that are no UTF-8. `size` counts the final zero. */
void word_safe(char *out, size_t size, const char *text);

/* How many bytes the UTF-8 character at `text` takes; 0 when it is none. */
size_t word_utf8(const char *text);

#endif
