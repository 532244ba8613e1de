#ifndef GPAI_READ_JSON_VALUE_H
#define GPAI_READ_JSON_VALUE_H
#include "data/json.h"
#include <gpa/status.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads members of objects from a file that may hold anything. The first thing that is
 * wrong sticks: later calls do nothing and give 0, NaN, false or NULL, so that readers
 * need not check every line. */
typedef struct gpai_reader {
    const char *name; /* of the file, fit to be shown */
    gpa_error *err;
    gpa_status status;
} gpai_reader;

/* GPA_DATA: "NAME: KEY: what is wrong"; without a key, "NAME: what is wrong". */
void gpai_read_fail(gpai_reader *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gpai_read_nomem(gpai_reader *r);

/* Memory for n things, zeroed; NULL, having failed, when there is none. */
void *gpai_read_room(gpai_reader *r, size_t n, size_t size);
/* Room for one more behind the n of a list that nothing else makes longer. When there
 * is no memory that has failed, and the list is as it was. */
void *gpai_read_grow(gpai_reader *r, void *list, size_t n, size_t size);

/* The member; NULL when it is not there or null, which is wrong unless `optional`. */
const gpai_value *gpai_read_object(gpai_reader *r, const gpai_value *o, const char *key,
                                   bool optional);
const gpai_value *gpai_read_list(gpai_reader *r, const gpai_value *o, const char *key,
                                 bool optional);
const char *gpai_read_text(gpai_reader *r, const gpai_value *o, const char *key,
                           bool optional);
/* The i-th text of a list; a NULL that has failed when it is none. */
const char *gpai_read_text_at(gpai_reader *r, const gpai_value *list, const char *key,
                              size_t i);
bool gpai_read_bool(gpai_reader *r, const gpai_value *o, const char *key);
uint64_t gpai_read_count(gpai_reader *r, const gpai_value *o, const char *key);
/* NaN for null. */
double gpai_read_number(gpai_reader *r, const gpai_value *o, const char *key);
double gpai_read_share(gpai_reader *r, const gpai_value *o,
                       const char *key); /* 0 to 1 */

/* A list of exactly n numbers. */
typedef enum gpai_holes { GPAI_WHOLE, GPAI_HOLES } gpai_holes; /* may some be null? */
void gpai_read_numbers(gpai_reader *r, const gpai_value *list, const char *key,
                       size_t n, gpai_holes holes, double *out);
void gpai_read_number_list(gpai_reader *r, const gpai_value *o, const char *key,
                           size_t n, gpai_holes holes, double *out);
/* A list of whole numbers, n of them. */
void gpai_read_counts(gpai_reader *r, const gpai_value *list, const char *key, size_t n,
                      size_t *out);

/* Which of the names of a choice a text is; 0, having failed, when it is none. */
typedef enum gpai_choice {
    GPAI_SOLVER,
    GPAI_MARGINALS,
    GPAI_NOISE,
    GPAI_VERDICT,
    GPAI_PLAUSIBLE,
    GPAI_KIND
} gpai_choice;
int gpai_read_name(gpai_reader *r, const char *key, const char *text,
                   gpai_choice choice);

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

/* Whether a string token is this text, of less than 64 bytes as it stands there; no
 * key of ours is written in another way. */
bool gpai_json_token_is(const gpai_token *token, const char *text);

#endif
