#ifndef GPAI_DATA_JSONL_H
#define GPAI_DATA_JSONL_H
#include "data/table.h"

/* Fills a new table from lines of JSON, all objects or all arrays of one length; blank
 * lines are passed over. The columns are the keys in the order they first appear, or
 * x1, x2, … A key that is not there, null and NaN (which Python writes) are missing;
 * true and false are 1 and 0; a string makes its column text, whatever it says. */
gpa_status gpai_jsonl_parse(gpa_table *t, const char *bytes, size_t size,
                            const gpa_table_options *opt, gpa_error *err);

#endif
