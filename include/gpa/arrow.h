#ifndef GPA_ARROW_H
#define GPA_ARROW_H
#include <gpa/data.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The structures of Arrow's C data and C stream interfaces, as their specification
 * gives them, so that no library is needed; skipped where another header has them.
 */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/**
 * A table from a stream of record batches in this process (pyarrow, polars, DuckDB,
 * nanoarrow, ...), each cell copied once. Columns of numbers, decimals, truths, dates,
 * times and text, dictionaries of them, with nulls; nested ones are GPA_DATA, by name.
 * The stream is used up and released, whatever comes back. `name` stands for the file
 * in messages (NULL: "table"), `opt` may be NULL. The table has no digest.
 */
GPA_API GPA_CHECKED gpa_status gpa_table_from_arrow_stream(
    gpa_table **out, struct ArrowArrayStream *stream, const char *name,
    const gpa_table_options *opt, gpa_error *err);

#ifdef __cplusplus
}
#endif
#endif
