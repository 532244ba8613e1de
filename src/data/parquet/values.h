#ifndef GPAI_DATA_PARQUET_VALUES_H
#define GPAI_DATA_PARQUET_VALUES_H
#include "data/parquet/page.h"
#include "data/parquet/runs.h"

/* The values of a page, in whatever encoding, as bytes: those of a fixed width one
 * behind the other as a plain page has them, the others one at a time. Piece by piece,
 * so that no page takes memory for more values than are asked for at once. */

enum { GPAI_PARQUET_PIECE = 2048 };

typedef struct gpai_slice {
    const unsigned char *at;
    size_t size;
} gpai_slice;

typedef struct gpai_values {
    int encoding, type;
    size_t width;                  /* of a value; 0: each has its own */
    const unsigned char *at, *end; /* what is not read yet */
    size_t index, count;           /* of streams that are split; of bits */
    gpai_runs runs;                /* dictionary, truths */
    gpai_delta delta, more;        /* numbers; lengths in common, and behind that */
    unsigned char *value;          /* the one at hand, where it lies nowhere */
    size_t value_size, value_room;
    uint64_t piece[GPAI_PARQUET_PIECE * 3 / 2]; /* 12 bytes for each of type INT96 */
} gpai_values;

/* Begins a page; `values` as large as a few pages of memory may be used again for the
 * next. Says what is wrong when it cannot be read. */
const char *gpai_values_open(gpai_values *v, const gpai_parquet_column *c,
                             const gpai_parquet_page *page);

void gpai_values_close(gpai_values *v);

/* The next n (at most GPAI_PARQUET_PIECE) values of v->width bytes each, little end
 * first; a truth has one byte. NULL when there are not so many. */
const unsigned char *gpai_values_raw(gpai_values *v, size_t n);

/* The next value of a column of bytes, until the next call. False: there is none;
 * *no_memory says whether that is why. */
bool gpai_values_slice(gpai_values *v, gpai_slice *out, bool *no_memory);

/* The next n codes of a page with a dictionary. */
bool gpai_values_codes(gpai_values *v, uint32_t *out, size_t n);

#endif
