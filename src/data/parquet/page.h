#ifndef GPAI_DATA_PARQUET_PAGE_H
#define GPAI_DATA_PARQUET_PAGE_H
#include "data/parquet/footer.h"

/* The pages of a chunk, one after the other, unpacked. */

enum gpai_parquet_encoding {
    PARQUET_PLAIN = 0,
    PARQUET_PLAIN_DICTIONARY = 2,
    PARQUET_RLE = 3,
    PARQUET_BIT_PACKED = 4,
    PARQUET_DELTA = 5,
    PARQUET_DELTA_LENGTH = 6,
    PARQUET_DELTA_BYTES = 7,
    PARQUET_DICTIONARY = 8,
    PARQUET_STREAM_SPLIT = 9
};

typedef struct gpai_parquet_page {
    bool dictionary;
    uint64_t values; /* with nulls */
    int encoding;
    int level_encoding;          /* of the levels of version 1 */
    const unsigned char *levels; /* which are null; NULL: they precede the data */
    size_t levels_size;
    const unsigned char *data; /* until the next page of this kind is read */
    size_t size;
} gpai_parquet_page;

/* Memory that pages are unpacked to. */
typedef struct gpai_parquet_room {
    unsigned char *bytes;
    size_t size;
} gpai_parquet_room;

typedef struct gpai_parquet_pages {
    const unsigned char *at, *end; /* of the chunk */
    int codec;
    size_t most;                 /* bytes of a page */
    const char *source, *column; /* for messages */
    gpai_parquet_room *data, *dictionary;
    gpa_error *err;
} gpai_parquet_pages;

/* The next page; *none: there is none. Pages of other kinds are passed over. */
gpa_status gpai_parquet_page_next(gpai_parquet_pages *p, gpai_parquet_page *page,
                                  bool *none);

/* GPA_DATA about a column: what is wrong with it. */
gpa_status gpai_parquet_fail(const gpai_parquet_pages *p, const char *what);

/* Whether a codec is one of those that are read; what it is called. */
bool gpai_parquet_codec(int codec, const char **name);

#endif
