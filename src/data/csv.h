#ifndef GPAI_DATA_CSV_H
#define GPAI_DATA_CSV_H
#include "data/table.h"

/* Fills a new table from CSV text (RFC 4180 and what is met in practice): lines end in
 * LF, CRLF or CR; blank lines are passed over; blanks around cells do not count; quoted
 * cells may hold separators, line ends and doubled quotes. The separator is a comma, or
 * when the first line has none (outside quotes) the most frequent of ; tab and |; a
 * line "sep=;" before it says so outright. A column without a name becomes "column1" by
 * its position. */
gpa_status gpai_csv_parse(gpa_table *t, const char *bytes, size_t size,
                          const gpa_table_options *opt, gpa_error *err);

#endif
