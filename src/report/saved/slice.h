#ifndef GPAI_READ_JSON_SLICE_H
#define GPAI_READ_JSON_SLICE_H
#include "data/json.h"
#include "report/saved/value.h"

/* A value as it stands in JSON text. Large files are cut into the values of their
 * lists, so that only one of them is in memory as a tree. */
typedef struct gpai_slice {
    const char *at;
    size_t size;
} gpai_slice;

/* A walk over the members of an object or the elements of an array. */
typedef struct gpai_walk {
    gpai_reader *r;
    gpai_json_scan scan;
    char close; /* } or ] */
    bool begun;
} gpai_walk;

/* Starts at a value, which must be an object ('{') or an array ('['). Lines in messages
 * count from the value's. */
gpai_walk gpai_walk_open(gpai_reader *r, gpai_slice value, char bracket);

/* The next value; false behind the last, and when something is wrong. `key` (of an
 * object; else NULL) is a string token. */
bool gpai_walk_next(gpai_walk *w, gpai_token *key, gpai_slice *value);

/* Nothing but blanks may follow. */
void gpai_walk_end(gpai_walk *w);

/* Whether a string token is this text. */
bool gpai_json_token_is(const gpai_token *token, const char *text);

#endif
