#ifndef GPAI_READ_JSON_SLICE_H
#define GPAI_READ_JSON_SLICE_H
#include "data/json_scan.h"
#include <gpa/status.h>

/* A value as it stands in JSON text. Large files are cut into the values of their
 * lists, so that only one of them is in memory as a tree. */
typedef struct gpai_slice {
    const char *at;
    size_t size;
} gpai_slice;

/* A walk over the members of an object or the elements of an array. */
typedef struct gpai_walk {
    gpai_json_scan scan;
    char close; /* } or ] */
    bool begun;
} gpai_walk;

/* Starts at a value, which must be an object ('{') or an array ('['); `source` is the
 * name of the file, fit to be shown. Lines in messages count from the value's. */
gpa_status gpai_walk_open(gpai_walk *w, gpai_slice value, const char *source,
                          char bracket, gpa_error *err);

/* The next value; its size is 0 behind the last. `key` (of an object; else NULL) is a
 * string token. */
gpa_status gpai_walk_next(gpai_walk *w, gpai_token *key, gpai_slice *value,
                          gpa_error *err);

/* The same for loops: whether there is a value and all is well so far. */
bool gpai_walk_more(gpai_walk *w, gpai_token *key, gpai_slice *value, gpa_status *st,
                    gpa_error *err);

/* Nothing but blanks may follow. */
gpa_status gpai_walk_end(gpai_walk *w, gpa_error *err);

/* Whether a string token is this text. */
bool gpai_json_token_is(const gpai_token *token, const char *text);

/* Room for one more element behind the n of a list that nothing else makes longer; NULL
 * without memory, and the list is as it was. */
void *gpai_list_grow(void *list, size_t n, size_t size);

#endif
