#ifndef GPAI_DATA_FORMATS_H
#define GPAI_DATA_FORMATS_H
#include "data/table.h"

/* The readers of files: each fills a new table. */

/* Fills a new table from CSV text (RFC 4180 and what is met in practice): lines end in
 * LF, CRLF or CR; blank lines are passed over; blanks around cells do not count; quoted
 * cells may hold separators, line ends and doubled quotes. The separator is a comma, or
 * when the first line has none (outside quotes) the most frequent of ; tab and |; a
 * line "sep=;" before it says so outright. A column without a name becomes "column1" by
 * its position. One of true and false (True, TRUE) alone is 1 and 0; numbers with zeros
 * in front (007) keep their text as well. */
gpa_status gpai_csv_parse(gpa_table *t, const char *bytes, size_t size,
                          const gpa_table_options *opt, gpa_error *err);

/* CSV, cell by cell. */
typedef struct gpai_csv_reader {
    const char *at, *end;
    size_t line;
    char separator;
    const char *source; /* fit to be shown */
    gpa_error *err;
} gpai_csv_reader;

/* A cell as it stands in the bytes, without the blanks and quotes around it. */
typedef struct gpai_csv_cell {
    const char *text;
    size_t length;
    size_t doubled; /* pairs of quotes that mean one */
    bool last;      /* of its row */
} gpai_csv_cell;

/* The next one; behind the last the reader stands on the next line. */
gpa_status gpai_csv_next(gpai_csv_reader *r, gpai_csv_cell *c);

/* Copies it, doubled quotes made single, with a zero at the end: length + 1 bytes. */
void gpai_csv_copy(const gpai_csv_cell *c, char *out);

/* What parts the cells of the line on which the reader stands: a comma, or where there
 * is none (outside quotes) the most frequent of ; tab and |. */
char gpai_csv_separator(const gpai_csv_reader *r);

/* Fills a new table from lines of JSON, all objects or all arrays of one length; blank
 * lines are passed over. The columns are the keys in the order they first appear, or
 * x1, x2, … A key that is not there, null and NaN (which Python writes) are missing;
 * true and false are 1 and 0; a string makes its column text, whatever it says ("" and
 * "NA" too: what is missing is null). */
gpa_status gpai_jsonl_parse(gpa_table *t, const char *bytes, size_t size,
                            const gpa_table_options *opt, gpa_error *err);

/* The first bytes of every .npy file. */
#define GPAI_NPY_MAGIC        "\x93NUMPY"
#define GPAI_NPY_MAGIC_LENGTH 6

/* Fills a new table from a NumPy array: versions 1 to 3, one or two axes, either order
 * in memory and either order of bytes; integers, booleans and reals of 2, 4 and 8
 * bytes. The columns are x1, x2, … NaN is missing, an infinity is no number; integers
 * beyond 2^53 are rounded to doubles. */
gpa_status gpai_npy_parse(gpa_table *t, const char *bytes, size_t size,
                          const gpa_table_options *opt, gpa_error *err);

#endif
