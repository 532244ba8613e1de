#ifndef GPAI_DATA_PARQUET_FOOTER_H
#define GPAI_DATA_PARQUET_FOOTER_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the end of a Parquet file says of the rest. The numbers of enumerations are
 * those of the format's parquet.thrift. */

enum gpai_parquet_type {
    PARQUET_BOOLEAN,
    PARQUET_INT32,
    PARQUET_INT64,
    PARQUET_INT96,
    PARQUET_FLOAT,
    PARQUET_DOUBLE,
    PARQUET_BYTES,
    PARQUET_FIXED
};

/* What the values of a column mean. */
enum gpai_parquet_meaning {
    MEANS_NUMBER,   /* the number itself */
    MEANS_UNSIGNED, /* a whole number without a sign */
    MEANS_DECIMAL,  /* a whole number, over 10^scale */
    MEANS_HALF,     /* a real of two bytes */
    MEANS_TEXT,
    MEANS_DATE,  /* days since 1970 */
    MEANS_TIME,  /* of the day, in units */
    MEANS_STAMP, /* units since 1970 */
    MEANS_UUID,
    MEANS_NOTHING_READ /* `why` says what it is */
};

typedef struct gpai_parquet_column {
    const char *name; /* in the footer's bytes */
    size_t name_length;
    size_t leaf; /* which chunk of a row group is its own */
    int type;    /* enum gpai_parquet_type */
    int length;  /* of PARQUET_FIXED */
    bool optional;
    enum gpai_parquet_meaning meaning;
    int scale;       /* of decimals */
    int64_t units;   /* of times, in a second */
    bool utc;        /* of stamps */
    const char *why; /* a column that is not read: what it is */
} gpai_parquet_column;

/* The values of one column in one row group. */
typedef struct gpai_parquet_chunk {
    uint64_t start, size; /* in the file */
    int64_t values;
    int type, codec;
    bool encrypted, elsewhere; /* in another file */
} gpai_parquet_chunk;

typedef struct gpai_parquet_footer {
    gpai_parquet_column *column;
    size_t n_columns, n_leaves;
    gpai_parquet_chunk *chunk; /* n_groups by n_leaves */
    size_t *rows;              /* of each group */
    size_t n_groups, n_rows;
} gpai_parquet_footer;

/* Reads it; `bytes` must outlive it. GPA_DATA when it is not one. To be closed in any
 * case. */
gpa_status gpai_parquet_footer_open(gpai_parquet_footer *f, const char *bytes,
                                    size_t size, const char *source, gpa_error *err);

void gpai_parquet_footer_close(gpai_parquet_footer *f);

#endif
