#ifndef GPAI_DATA_BUILD_H
#define GPAI_DATA_BUILD_H
#include "data/table.h"

/* A table from cells whose kinds are known and which come but once, column by column or
 * row by row, nobody knows how many: files of columns, databases, streams in memory.
 * The other readers go over their bytes several times (data/table.h). */

typedef struct gpai_built {
    size_t rows; /* so far */
    size_t number_room, start_room, text_room;
    bool stamps, times; /* it has times, and some that are not midnight */
} gpai_built;

typedef struct gpai_build {
    gpa_table *t;
    gpai_built *column;   /* one per column of the table */
    size_t most, taken;   /* bytes that all cells may take, and do */
    gpa_error *err, none; /* never NULL */
} gpai_build;

/* Begins, once the table has its columns; text_column (may be NULL or unknown) keeps
 * its text beside its numbers. To be closed in any case. */
gpa_status gpai_build_open(gpai_build *b, gpa_table *t, const char *text_column,
                           size_t most, gpa_error *err);

void gpai_build_close(gpai_build *b);

/* Says how many rows a column will have, and whether they are text; before the first.
 * Not needed. */
gpa_status gpai_build_expect(gpai_build *b, size_t column, size_t rows, bool text);

/* The next cell of a column. Text among numbers makes the column text, as in a file of
 * text, and so does an infinity; NaN is missing. */
gpa_status gpai_build_real(gpai_build *b, size_t column, double value);
gpa_status gpai_build_missing(gpai_build *b, size_t column);
gpa_status gpai_build_number(gpai_build *b, size_t column, double value,
                             const char *text); /* NULL: that of the number */
gpa_status gpai_build_text(gpai_build *b, size_t column, const char *text,
                           size_t length);
gpa_status gpai_build_whole(gpai_build *b, size_t column, int64_t value);
gpa_status gpai_build_unsigned(gpai_build *b, size_t column, uint64_t value);
gpa_status gpai_build_truth(gpai_build *b, size_t column, bool value);

/* A whole number of at most 16 bytes (two's complement, the highest byte first) over
 * 10^scale: the number that the same digits would be in a file of text. */
gpa_status gpai_build_decimal(gpai_build *b, size_t column, const unsigned char *bytes,
                              size_t size, int scale);

/* Days since 1970, and units of which `units` make a second: as text, 2024-02-29 or
 * 2024-02-29T12:30:00.5, which is how dates come in other files. Where all times are
 * midnight they are dates. */
gpa_status gpai_build_day(gpai_build *b, size_t column, int64_t days);
gpa_status gpai_build_stamp(gpai_build *b, size_t column, int64_t value, int64_t units,
                            bool utc);

/* Many reals at once, where a column is one of numbers alone: room for n of them, NULL
 * (and an error) when there is none; then they are there. */
bool gpai_build_is_plain(const gpai_build *b, size_t column);
double *gpai_build_room(gpai_build *b, size_t column, size_t n);
gpa_status gpai_build_filled(gpai_build *b, size_t column, size_t n);

/* Ends columns that have cells, all of `rows` rows; those without stay unread. */
gpa_status gpai_build_end(gpai_build *b, size_t rows);

#endif
