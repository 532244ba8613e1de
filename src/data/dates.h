#ifndef GPAI_DATA_DATES_H
#define GPAI_DATA_DATES_H
#include <gpa/data.h>
#include <gpa/input.h>

/* Columns of dates as numbers. */

typedef struct gpai_dates {
    gpa_writing
        writing;   /* DATE: days since 1970-01-01; TIME: seconds; NUMBER: no dates */
    double *value; /* of each row, then of each row of the other table; NaN: missing, or
                    * no date */
    size_t strays; /* texts that are none */
} gpai_dates;

/* Reads a column of text, and the same column of another table (NULL: there is none),
 * as dates: 2024-02-29 or 2024-2-9, with a time of day behind "T" or a blank (12:30,
 * 12:30:00, 12:30:00.5) and Z or an offset from UTC (+01:00) behind that. They are
 * dates when 19 in 20 texts are, and times when one of them has a time of day;
 * otherwise `writing` is GPA_WRITING_NUMBER and `value` NULL. To be closed in any case.
 */
gpa_status gpai_dates_open(gpai_dates *d, const gpa_table *t, size_t column,
                           const gpa_table *other, size_t other_column, gpa_error *err);

void gpai_dates_close(gpai_dates *d);

/* Reads one date: seconds since 1970, and whether a time of day is given. */
bool gpai_date(const char *text, double *seconds, bool *time);

/* Whether it looks like a date that is written in another way: 29.02.2024, 2/29/2024,
 * with or without a time of day behind a blank. Which number is the month is not
 * known. */
bool gpai_date_elsewhere(const char *text);

#endif
