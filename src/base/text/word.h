#ifndef GPAI_BASE_TEXT_WORD_H
#define GPAI_BASE_TEXT_WORD_H
#include <stdbool.h>
#include <string.h>

/* Whether a text that has a length, but may have no end, is this word. */
static inline bool gpai_word_is(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

#endif
