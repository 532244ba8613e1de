#ifndef GPAI_DATA_VALUE_H
#define GPAI_DATA_VALUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A JSON value: eight bytes each, with everything inside it in one block, which is
 * smaller than seven times the text it was read from. Whatever a function expects, it
 * takes any value, and NULL, which stands for one that is not there. */
typedef struct gpai_value {
    uint64_t bits;
} gpai_value;

typedef enum gpai_value_kind {
    GPAI_VALUE_NONE, /* NULL */
    GPAI_VALUE_NULL,
    GPAI_VALUE_TRUTH,
    GPAI_VALUE_NUMBER,
    GPAI_VALUE_TEXT,
    GPAI_VALUE_LIST,
    GPAI_VALUE_OBJECT
} gpai_value_kind;

gpai_value_kind gpai_value_is(const gpai_value *v);
bool gpai_value_is_null(const gpai_value *v);
bool gpai_value_is_truth(const gpai_value *v); /* true or false */
bool gpai_value_is_true(const gpai_value *v);
bool gpai_value_is_number(const gpai_value *v);
bool gpai_value_is_whole(const gpai_value *v); /* written without point and exponent */
bool gpai_value_is_text(const gpai_value *v);
bool gpai_value_is_list(const gpai_value *v);
bool gpai_value_is_object(const gpai_value *v);

double gpai_value_number(const gpai_value *v);    /* else 0 */
int64_t gpai_value_whole(const gpai_value *v);    /* else 0 */
const char *gpai_value_text(const gpai_value *v); /* else NULL */

/* Of a list; of anything else there are 0, and none is there. */
size_t gpai_value_items(const gpai_value *v);
const gpai_value *gpai_value_at(const gpai_value *v, size_t i);

/* Of an object: the value of a key, or member i in the order of the file. */
const gpai_value *gpai_value_get(const gpai_value *v, const char *key);
size_t gpai_value_members(const gpai_value *v);
const char *gpai_value_key(const gpai_value *v, size_t i);
const gpai_value *gpai_value_member(const gpai_value *v, size_t i);

/* Of the value that a reader gave, with all that is in it. */
void gpai_value_free(gpai_value *v);

/* Making a value takes two passes over its text: the first measures, the second puts
 * everything into one block. Readers do the same in both; `to` is NULL in the first. */
typedef struct gpai_maker {
    gpai_value *block;   /* NULL: measuring */
    size_t slots, bytes; /* so far, of values and of text */
    uint32_t *count;     /* of values in each list and object, as they open */
    size_t opened, room;
    char *text; /* where the next goes */
} gpai_maker;

/* A list or object that is open. */
typedef struct gpai_made {
    bool object;
    size_t which;           /* its place in `count` */
    gpai_value *first, *at; /* the first item, and the next */
    uint32_t *hash;         /* of keys, when there are many */
    size_t mask;
} gpai_made;

/* False without memory. */
bool gpai_make_open(gpai_maker *m, gpai_value *to, bool object, gpai_made *c);
void gpai_make_close(gpai_made *c); /* after a failure, too */
/* Where the next item of a list goes, or the key or value of a member. */
gpai_value *gpai_make_item(gpai_maker *m, gpai_made *c);
/* Of an object, with the key that was made last, not counting that: is it there? */
bool gpai_make_twice(const gpai_made *c, const gpai_value *key);

void gpai_make_null(gpai_value *to);
void gpai_make_truth(gpai_value *to, bool yes);
void gpai_make_real(gpai_value *to, double v); /* finite */
void gpai_make_whole(gpai_maker *m, gpai_value *to, int64_t v);
/* A text of at most `most` bytes: where it goes, NULL while measuring. Then its size.
 */
char *gpai_make_text(gpai_maker *m, gpai_value *to, size_t most);
void gpai_make_text_end(gpai_maker *m, size_t length);

/* Between the passes; `size` is that of the file. GPAI_MAKE_LARGE: there are so many
 * lists in so few bytes that no honest file has them. */
typedef enum gpai_make_result {
    GPAI_MAKE_FINE,
    GPAI_MAKE_NOMEM,
    GPAI_MAKE_LARGE
} gpai_make_result;
gpai_make_result gpai_make_block(gpai_maker *m, size_t size);
/* At the end: the value, or (after a failure) nothing. */
gpai_value *gpai_make_end(gpai_maker *m, bool good);

#endif
