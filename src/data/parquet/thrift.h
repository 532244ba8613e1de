#ifndef GPAI_DATA_PARQUET_THRIFT_H
#define GPAI_DATA_PARQUET_THRIFT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Structures as Thrift's compact protocol writes them. Whatever the bytes are, a reader
 * never leaves them; once something is wrong `bad` stays set and all answers are 0. */

typedef struct gpai_thrift {
    const unsigned char *at, *end;
    bool bad;
} gpai_thrift;

enum gpai_thrift_type {
    GPAI_THRIFT_TRUE = 1,
    GPAI_THRIFT_FALSE = 2,
    GPAI_THRIFT_BYTE = 3,
    GPAI_THRIFT_I16 = 4,
    GPAI_THRIFT_I32 = 5,
    GPAI_THRIFT_I64 = 6,
    GPAI_THRIFT_DOUBLE = 7,
    GPAI_THRIFT_BINARY = 8,
    GPAI_THRIFT_LIST = 9,
    GPAI_THRIFT_SET = 10,
    GPAI_THRIFT_MAP = 11,
    GPAI_THRIFT_STRUCT = 12,
    GPAI_THRIFT_UUID = 13
};

/* A field of a structure; of zeros before the first. */
typedef struct gpai_thrift_field {
    int id, type;
} gpai_thrift_field;

/* Goes to the next field; false at the end of the structure, or when it is bad. What
 * the field holds is then to be read, or passed over. */
bool gpai_thrift_next(gpai_thrift *r, gpai_thrift_field *f);

/* A whole number or truth of at most 64 bits. */
int64_t gpai_thrift_whole(gpai_thrift *r, const gpai_thrift_field *f);

/* Text, which stays where it is. */
const char *gpai_thrift_text(gpai_thrift *r, const gpai_thrift_field *f,
                             size_t *length);

/* Begins a structure, to be read with gpai_thrift_next. */
bool gpai_thrift_struct(gpai_thrift *r, const gpai_thrift_field *f);

/* Begins a list of structures: how many. There are never more than bytes. */
size_t gpai_thrift_structs(gpai_thrift *r, const gpai_thrift_field *f);

void gpai_thrift_skip(gpai_thrift *r, const gpai_thrift_field *f);

/* An unsigned number of a variable number of bytes, as Parquet has elsewhere, too. */
uint64_t gpai_thrift_varint(gpai_thrift *r);

/* The same with a sign: 0, -1, 1, -2, … */
int64_t gpai_thrift_zigzag(gpai_thrift *r);

#endif
