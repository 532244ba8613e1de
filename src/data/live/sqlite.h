#ifndef GPAI_DATA_LIVE_SQLITE_H
#define GPAI_DATA_LIVE_SQLITE_H
#include "data/table.h"

/* Rows of a SQLite database: of a table, or what one statement gives. Opened to be read
 * only; nothing but SELECT is let through, for at most two minutes, and within the
 * limit of plain files. The digest is that of the rows. */

#define GPAI_SQLITE_MAGIC "SQLite format 3"

bool gpai_is_sqlite(const char *bytes, size_t size);

/* FILE?table=NAME and FILE?query=SELECT …: how long FILE is, and the rest; the whole
 * path, and NULL, where there is no such thing. */
size_t gpai_sqlite_split(const char *path, const char **rest);

/* Fills a new table. `rest` as of gpai_sqlite_split: NULL takes the only table there
 * is. */
gpa_status gpai_sqlite_read(gpa_table *t, const char *file, const char *rest,
                            const gpa_table_options *opt, gpa_error *err);

/* The same from memory. */
gpa_status gpai_sqlite_parse(gpa_table *t, const char *bytes, size_t size,
                             const char *rest, const gpa_table_options *opt,
                             gpa_error *err);

#endif
