#ifndef GPAI_MODEL_HTTP_TENSORS_H
#define GPAI_MODEL_HTTP_TENSORS_H
#include "model/http/datatype.h"
#include "model/http/transport/bytes.h"
#include "model/kinds.h"

enum { GPAI_RANK = 8, GPAI_MAX_INPUTS = 1 << 20 };

/* Which columns of a tensor are sent as text. */
typedef enum gpai_texts {
    GPAI_TEXTS_NONE, /* it holds numbers: a date is one, too */
    GPAI_TEXTS_ALL,  /* it holds texts (BYTES, DT_STRING): so becomes a number */
    GPAI_TEXTS_SOME  /* it holds anything: as the kinds of the inputs say */
} gpai_texts;

/* One input tensor of a server's model: a few columns of our rows. */
typedef struct gpai_tensor {
    char *name;
    gpai_datatype type; /* of its numbers */
    gpai_texts texts;
    size_t width; /* columns; 0: it takes any number, and is not told yet */
    size_t rank, dims[GPAI_RANK]; /* what one row looks like: none for a number */
} gpai_tensor;

/* All of them, in the order of the columns. */
typedef struct gpai_tensors {
    gpai_tensor *tensor;
    size_t n;
    bool one_row; /* the server takes a single row at a time */
} gpai_tensors;

gpa_status gpai_tensors_new(gpai_tensors *t, size_t n, gpa_error *err);
void gpai_tensors_free(gpai_tensors *t);

/* Describes tensor k as metadata does: `shape` has the number of rows first, and -1
 * where anything goes. What we cannot fill is GPA_UNSUPPORTED, saying "WHO: …". */
gpa_status gpai_tensors_describe(gpai_tensors *t, size_t k, const char *name,
                                 const char *type, const long long *shape, size_t rank,
                                 const char *who, gpa_error *err);

/* Columns of all of them; 0 while one takes any number. */
size_t gpai_tensors_width(const gpai_tensors *t);

/* That one takes d. Only when the width is 0. */
void gpai_tensors_widen(gpai_tensors *t, size_t d);

/* Rows as a server is sent them, and what it wants them to be. */
typedef struct gpai_rows {
    const double *x;
    size_t n, d;
    gpai_asked asked;
    bool json;
    bool
        frame; /* a missing text is null, not the empty text; true and false are such */
    const char *who;
    const gpai_model_kinds *kinds; /* of the columns, with their names in the data */
} gpai_rows;

/* Whether every number can be sent; GPA_MODEL naming the row and the input if not. */
gpa_status gpai_tensors_check(const gpai_tensors *t, const gpai_rows *r,
                              gpa_error *err);

/* What a tensor is called by the Open Inference Protocol: FP64, BYTES. */
const char *gpai_tensor_type(const gpai_tensor *t);

/* Columns [from, from + t->width) of all rows, comma-separated as JSON or as raw bytes,
 * texts with their length before them; and how many bytes that will be. They have been
 * checked. */
void gpai_tensor_json(const gpai_tensor *t, const gpai_rows *r, size_t from,
                      gpai_bytes *out);
void gpai_tensor_raw(const gpai_tensor *t, const gpai_rows *r, size_t from,
                     gpai_bytes *out);
size_t gpai_tensor_raw_size(const gpai_tensor *t, const gpai_rows *r, size_t from);

/* The same of row i, nested as its dimensions say: 1.5, [1.5] or [["a",2.0]]. */
void gpai_tensor_nested(const gpai_tensor *t, const gpai_rows *r, size_t i, size_t from,
                        gpai_bytes *out);

#endif
