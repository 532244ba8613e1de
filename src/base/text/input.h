#ifndef GPAI_BASE_TEXT_INPUT_H
#define GPAI_BASE_TEXT_INPUT_H
#include "base/text/number.h"
#include <gpa/input.h>
#include <stdint.h>

/* Values of inputs as text: levels, dates, numbers. */

/* The place of a value among the levels of an input; in->levels: it is none. */
size_t gpai_input_level(const gpa_input *in, double value);

/* What a value of an input is called: the name of a level (borrowed from the input), a
 * date, or the shortest number that reads back, the last two written into `room`. NaN
 * is the empty text. */
enum { GPAI_INPUT_ROOM = 48 };
const char *gpai_input_text(const gpa_input *in, double value,
                            char room[GPAI_INPUT_ROOM]);

/* The same with the fraction of a second, of at most so many digits, that a time has:
 * it reads back as the same number. */
enum { GPAI_FRACTION_MOST = 15 };
const char *gpai_input_exact(const gpa_input *in, double value,
                             char room[GPAI_INPUT_ROOM]);

/* The same, a number rounded for people. `in` may be NULL: a number. */
void gpai_input_brief(const gpa_input *in, double value, char room[GPAI_REAL_SIZE]);

/* Days since 1970-01-01 of a day of the Gregorian calendar, and back; any year. */
int64_t gpai_days_from_date(int64_t year, unsigned month, unsigned day);
void gpai_date_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day);

#endif
