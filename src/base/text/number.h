#ifndef GPAI_NUMBER_H
#define GPAI_NUMBER_H
#include <stdbool.h>
#include <stddef.h>

/* What a piece of text is when a number is expected. */
typedef enum gpai_number_kind {
    GPAI_NUMBER,       /* a finite number */
    GPAI_NUMBER_RANGE, /* a number too large for a double */
    GPAI_NUMBER_NOT    /* something else */
} gpai_number_kind;

/* Reads decimal text (-1, +.5, 2.e3) that fills [text, text + length), without blanks,
 * hexadecimal, inf or nan. Correctly rounded, in any locale; too small becomes 0.
 * `*value` is set for GPAI_NUMBER only. */
gpai_number_kind gpai_number(const char *text, size_t length, double *value);

/* The same of the longest number that text begins with, where it is a short one of at
 * most 19 digits and has no exponent: where it ends, NULL for any other. */
const char *gpai_number_at(const char *text, const char *end, double *value);

/* Whether text stands for a missing value: empty, NA, N/A, n/a, #N/A, <NA>, NaN, nan,
 * -nan, NaT, null, NULL, None or ?. */
bool gpai_missing(const char *text, size_t length);

/* Short text that reads back as the same double, without a locale's comma. */
enum { GPAI_NUMBER_ROOM = 32 };
void gpai_number_text(double value, char out[GPAI_NUMBER_ROOM]);

/* Rounded, for people; with a point in every locale, too. gpai_real_digits gives the
 * length. */
enum { GPAI_REAL_SIZE = 64 };
size_t gpai_real_digits(char *out, double v, int digits); /* %.*g */
void gpai_real_fixed(char *out, double v, int decimals);  /* %.*f; %g: many digits */
void gpai_real_people(char *out, double v, int digits);   /* never drops whole digits */
void gpai_trim_zeros(char *number);      /* "12.500" to "12.5", "99.00" to "99" */
int gpai_decimals(double v, int digits); /* decimals that show `digits` digits of v */

#endif
