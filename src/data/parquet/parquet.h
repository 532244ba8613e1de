#ifndef GPAI_DATA_PARQUET_H
#define GPAI_DATA_PARQUET_H
#include "data/table.h"

/* Files of columns, Apache Parquet. Flat columns of numbers, truths, decimals, dates,
 * times and text, with nulls, in any number of row groups; pages of either version,
 * plain, with dictionaries, in runs, as differences or split streams; as they are or
 * compressed with snappy, gzip or zstd. Columns that are nested, encrypted or
 * compressed otherwise are refused by name when they are asked for. What pandas keeps
 * of its index (__index_level_0__) is no column. */

#define GPAI_PARQUET_MAGIC        "PAR1"
#define GPAI_PARQUET_MAGIC_LENGTH 4

/* Whether a file is one, encrypted or not, by its first bytes. */
bool gpai_is_parquet(const char *bytes, size_t size);

/* A new table with the names of a file's columns and its digest, and t->later for the
 * rest, one row group's part of one column at a time. */
gpa_status gpai_parquet_open(gpa_table *t, const char *path,
                             const gpa_table_options *opt, gpa_error *err);

/* The same with all columns from memory. */
gpa_status gpai_parquet_parse(gpa_table *t, const char *bytes, size_t size,
                              const gpa_table_options *opt, gpa_error *err);

#endif
