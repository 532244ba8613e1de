#ifndef GPAI_BASE_TEXT_WORDS_H
#define GPAI_BASE_TEXT_WORDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether a text that has a length, but may have no end, is this word. */
static inline bool gpai_word_is(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Reads a whole word as a finite number, the same in every locale. */
bool gpai_word_real(const char *word, double *value);

/* Reads a whole word as a number without sign, point or exponent. */
bool gpai_word_count(const char *word, uint64_t *value);

/* Copies text with everything that could steer a terminal made '?': control characters,
 * bytes that are no UTF-8. `size` counts the final zero. */
void gpai_word_safe(char *out, size_t size, const char *text);

#endif
