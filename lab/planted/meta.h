#ifndef GPA_LAB_META_H
#define GPA_LAB_META_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* A small JSON description, of which only single members are wanted. Members that are
 * not asked for are passed over, not checked. */

/* A value as it stands in the text. */
struct span {
    const char *at;
    size_t length;
};

/* Reads a whole file as zero-terminated text; to be freed. */
gpa_status meta_read(const char *path, char **text, gpa_error *err);

/* The value of a member of the object at `object`; false when there is none. */
bool meta_find(const char *object, const char *key, struct span *value);

bool meta_number(struct span value, double *number);
/* A string without escapes; false when it is none or does not fit. */
bool meta_string(struct span value, char *out, size_t size);
/* The next element of an array; *at starts as 0 and counts bytes. */
bool meta_next(struct span array, size_t *at, struct span *element);

#endif
