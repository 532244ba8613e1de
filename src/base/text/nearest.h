#ifndef GPAI_BASE_TEXT_NEAREST_H
#define GPAI_BASE_TEXT_NEAREST_H
#include <stdbool.h>
#include <stddef.h>

/* Letters to insert, drop or change to make one word of another; two neighbours that
 * changed places count once. SIZE_MAX for words beyond 64 letters. */
size_t gpai_edits(const char *a, const char *b, bool any_case);

/* Which of n names a word that is none of them was meant to be: the nearest, the first
 * of several, or NULL when even that one is too far off to be of help. */
const char *gpai_nearest(const char *word, const char *const *names, size_t n);

#endif
