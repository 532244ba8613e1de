#ifndef GPA_CONSOLE_PACK_H
#define GPA_CONSOLE_PACK_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Outputs that are compressed, by the ending of their names: .gz and .zst. The same
 * text gives the same bytes: there is no time in them. */
struct pack;

/* Where packed bytes go. */
typedef gpa_status (*pack_fn)(void *to, const char *bytes, size_t n, gpa_error *err);

/* *out stays NULL for a name without such an ending; GPA_INVALID for that of another
 * packer. */
gpa_status pack_open(struct pack **out, const char *name, gpa_error *err);

/* Packs n bytes; `end`: they are the last. */
gpa_status pack_write(struct pack *p, const char *bytes, size_t n, bool end,
                      pack_fn put, void *to, gpa_error *err);

void pack_close(struct pack *p);

#endif
