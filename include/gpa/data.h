#ifndef GPA_DATA_H
#define GPA_DATA_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Named columns of numbers (and, where asked for, of text), from a file or memory. */
typedef struct gpa_table gpa_table;

/** How a file is read. Fill with gpa_table_options_init. */
typedef struct gpa_table_options {
    size_t struct_size;
    const char *text_column; /* keep this column's cells as text too (an id); or NULL */
    size_t max_bytes;        /* refuse larger files */
    bool no_header; /* the first CSV line is data; columns become x1, x2, … */
} gpa_table_options;

#define gpa_table_options_init(opt) gpa_table_options_init_sized((opt), sizeof *(opt))
GPA_API void gpa_table_options_init_sized(gpa_table_options *opt, size_t size);

/**
 * Reads a table: CSV with a header, .jsonl (one object per line), .npy or Parquet, told
 * apart by the file's content and name, also within gzip or zstd; "-" is standard
 * input. An empty cell is NaN, true and false are 1 and 0 (in CSV when a column holds
 * nothing else). `opt` may be NULL. GPA_IO when it cannot be read, GPA_DATA with line
 * and column when it is malformed.
 */
GPA_API GPA_CHECKED gpa_status gpa_table_read(gpa_table **out, const char *path,
                                              const gpa_table_options *opt,
                                              gpa_error *err);

/** The same from memory; `name` stands for the file in messages. */
GPA_API GPA_CHECKED gpa_status gpa_table_parse(gpa_table **out, const char *bytes,
                                               size_t size, const char *name,
                                               const gpa_table_options *opt,
                                               gpa_error *err);

/**
 * A column of the caller's own: numbers, or text. The number of row i is
 * `numbers[i * stride]`, so that a column of a row-major matrix can be given as it
 * lies; a stride of 0 is one of 1. NaN and a NULL text are missing. An array element:
 * this struct is frozen and never grows.
 */
typedef struct gpa_column {
    const char *name;
    const double *numbers; /* NULL: it is text */
    size_t stride;
    const char *const *text; /* NULL: it is numbers */
} gpa_column;

/**
 * A table of `n` rows made of columns in memory, all of which is copied; `name` stands
 * for the file in messages (NULL: "table"). What is given as text stays text, whatever
 * it says; an infinity makes its column unfit for numbers, as in a file. GPA_INVALID
 * for no rows, no columns, a column without a name or with the name of another, or one
 * that is not either numbers or text.
 */
GPA_API GPA_CHECKED gpa_status gpa_table_from_columns(gpa_table **out, size_t n,
                                                      const gpa_column *columns,
                                                      size_t n_columns,
                                                      const char *name, gpa_error *err);

GPA_API void gpa_table_free(gpa_table *t);
GPA_API size_t gpa_table_rows(const gpa_table *t);
GPA_API size_t gpa_table_columns(const gpa_table *t);
GPA_API const char *gpa_table_name(const gpa_table *t, size_t column);

/** Finds a column by its exact name; GPA_INVALID names the columns there are. */
GPA_API GPA_CHECKED gpa_status gpa_table_find(const gpa_table *t, const char *name,
                                              size_t *column, gpa_error *err);

/** Whether a column is all numbers (or missing). */
GPA_API bool gpa_table_is_numeric(const gpa_table *t, size_t column);

/**
 * The numbers of a column, one per row, NaN where missing; borrowed. NULL for a column
 * of text, with the first offending cell (line, column name, text) in `err`.
 */
GPA_API const double *gpa_table_numbers(const gpa_table *t, size_t column,
                                        gpa_error *err);

/** A cell as it stands in the file, "" where it is missing; NULL unless the column is
 * text, was asked for, or has numbers with zeros in front (007). */
GPA_API const char *gpa_table_text(const gpa_table *t, size_t row, size_t column);

/**
 * Says that the 0 and 1 of a column mean False and True, as in a file that has these
 * words: reports name them so. Before the table is handed to a study. GPA_INVALID where
 * there is no such column, or it has other numbers or text.
 */
GPA_API GPA_CHECKED gpa_status gpa_table_set_boolean(gpa_table *t, size_t column,
                                                     gpa_error *err);

/** Line of the file on which a row starts, from 1; row + 1 where there are no lines. */
GPA_API size_t gpa_table_line(const gpa_table *t, size_t row);

/** "sha256:…" of the bytes the table was read from; NULL for one made of columns. */
GPA_API const char *gpa_table_digest(const gpa_table *t);

/** "sha256:…" of any bytes; `out` holds at least GPA_DIGEST_SIZE characters. */
#define GPA_DIGEST_SIZE 72
GPA_API void gpa_digest(const void *bytes, size_t size, char *out);

/**
 * Copies columns into a row-major matrix of gpa_table_rows by `n_columns`. A missing
 * cell becomes NaN; with `refuse_missing` it is GPA_DATA, naming line and column.
 */
GPA_API GPA_CHECKED gpa_status gpa_table_matrix(const gpa_table *t,
                                                const size_t *columns, size_t n_columns,
                                                bool refuse_missing, double *x,
                                                gpa_error *err);

/**
 * Centre and unit of each of `d` columns of the row-major matrix `x`: median and
 * IQR/1.349, or the standard deviation (divided by n) where the IQR is 0, or 1 where
 * the column is constant or there are fewer than 5 rows. NaN cells are passed over.
 * `fallback[k]` (may be NULL) says whether column k got unit 1 for lack of spread.
 */
GPA_API GPA_CHECKED gpa_status gpa_scale_fit(const double *x, size_t n, size_t d,
                                             double *center, double *unit,
                                             bool *fallback, gpa_error *err);

/** Numbers from a text file, one per line (blank lines and # comments passed over). */
GPA_API GPA_CHECKED gpa_status gpa_numbers_read(const char *path, double **out,
                                                size_t *n, gpa_error *err);

/** Frees what gpa_numbers_read gave. */
GPA_API void gpa_numbers_free(double *numbers);

#ifdef __cplusplus
}
#endif
#endif
