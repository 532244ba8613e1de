#ifndef GPAI_DATA_PARQUET_RUNS_H
#define GPAI_DATA_PARQUET_RUNS_H
#include "data/parquet/thrift.h"

/* Small numbers as Parquet packs them: runs of one value and groups of bits by turns;
 * and differences between whole numbers, in blocks. Both are read piece by piece. */

typedef struct gpai_runs {
    gpai_thrift in;
    unsigned width;            /* bits of a number, at most 32 */
    uint64_t left;             /* of the run at hand */
    bool packed;               /* that run is one of bits */
    uint32_t value;            /* or of this */
    const unsigned char *bits; /* those of the run, and how many were read */
    uint64_t bit;
} gpai_runs;

gpai_runs gpai_runs_open(const unsigned char *at, size_t size, unsigned width);

/* The next n numbers; false when there are not so many. */
bool gpai_runs_read(gpai_runs *r, uint32_t *out, size_t n);

/* Bits of 0 and 1 from the highest of each byte on, as levels were once packed: `left`
 * of them from `at`. Otherwise like runs. */
bool gpai_runs_read_old(gpai_runs *r, uint32_t *out, size_t n);

typedef struct gpai_delta {
    gpai_thrift in;
    uint64_t left;        /* numbers that are still to come */
    uint64_t in_block;    /* of those, in this block */
    uint64_t in_mini;     /* and in this part of it */
    uint64_t block, mini; /* how many there are in each, and in parts */
    uint64_t minis, next_mini;
    const unsigned char *widths, *bits;
    uint64_t bit;
    unsigned width;
    uint64_t least, value;
    bool first;
} gpai_delta;

/* False for a header that is none, or more numbers than `most`. */
bool gpai_delta_open(gpai_delta *d, const unsigned char *at, size_t size,
                     uint64_t most);

/* The next n numbers; arithmetic wraps, as the format wants. */
bool gpai_delta_read(gpai_delta *d, int64_t *out, size_t n);

/* Where the bytes behind all numbers begin, after the last was read. */
const unsigned char *gpai_delta_end(const gpai_delta *d);

#endif
