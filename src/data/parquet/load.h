#ifndef GPAI_DATA_PARQUET_LOAD_H
#define GPAI_DATA_PARQUET_LOAD_H
#include "data/build.h"
#include "data/parquet/values.h"

/* The chunks of a column into a table. */

typedef struct gpai_parquet_load {
    gpai_build *b;
    const gpai_parquet_column *column;
    size_t k;                           /* the column's place in the table */
    gpai_values *v;                     /* of the page at hand */
    gpai_parquet_room data, dictionary; /* pages unpacked */
    /* the dictionary of the chunk: */
    size_t words; /* how many are in it */
    const unsigned char *raw;
    gpai_slice *slice;
    double *real;
    size_t slice_room, real_room;
} gpai_parquet_load;

/* One chunk, whose bytes are in memory. */
gpa_status gpai_parquet_load_chunk(gpai_parquet_load *l, gpai_parquet_pages *pages,
                                   size_t rows);

void gpai_parquet_load_close(gpai_parquet_load *l);

#endif
