#ifndef GPAI_MODEL_HTTP_ANSWER_H
#define GPAI_MODEL_HTTP_ANSWER_H
#include "data/json.h"
#include <gpa/status.h>

/* A server's reply to rows, read straight from its text: one number for each. null and
 * NaN become NaN, Infinity is passed on, and anything but as many numbers as rows is
 * GPA_MODEL, saying what was expected. */
typedef struct gpai_answer {
    const char *who; /* to begin messages with */
    const char *bytes;
    size_t size;
    size_t head;        /* bytes of JSON before binary data; 0: it is all JSON */
    const char *output; /* which of several outputs; NULL: there is one */
    size_t first;       /* number of the first row, for messages */
} gpai_answer;

/* {"predictions": […]} of MLflow and TensorFlow Serving: each a number, or a list or
 * object of one. */
gpa_status gpai_predictions_read(const gpai_answer *a, size_t n, double *y,
                                 gpa_error *err);

/* {"outputs": [{"name", "shape", "datatype", "data"}]} of the Open Inference Protocol,
 * with the data in the JSON or behind it. */
gpa_status gpai_outputs_read(const gpai_answer *a, size_t n, double *y, gpa_error *err);

/* What the two are made of: the tokens of an answer. */
typedef struct gpai_reader {
    gpai_json_scan scan;
    gpai_json_scan before; /* where the value of a member begins */
    const gpai_answer *answer;
    char source[224];
    gpa_error *err;
} gpai_reader;

void gpai_reader_start(gpai_reader *r, const gpai_answer *a, gpa_error *err);
gpa_status gpai_reader_next(gpai_reader *r, gpai_token *token);

/* The next item of a list, `first` at its beginning; the closing bracket at its end. */
gpa_status gpai_reader_item(gpai_reader *r, bool first, gpai_token *item);

/* Goes over the members of an object whose bracket is read: `read` reads the value that
 * begins with a token. */
typedef gpa_status (*gpai_member_fn)(gpai_reader *r, const gpai_token *key,
                                     const gpai_token *value, void *ctx);
gpa_status gpai_reader_members(gpai_reader *r, gpai_member_fn read, void *ctx);

/* The same for the whole answer, an object that should have `key` and nothing after it.
 */
gpa_status gpai_reader_whole(gpai_reader *r, const char *key, gpai_member_fn read,
                             void *ctx);

/* The rest of a value that begins with a token. */
gpa_status gpai_reader_skip(gpai_reader *r, const gpai_token *first);

/* "WHO: reply: row 3: WHAT", and "WHO: reply: WHAT". */
gpa_status gpai_reader_fail_row(gpai_reader *r, size_t row, const char *what,
                                const gpai_token *token);
gpa_status gpai_reader_fail(gpai_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The answer has no such key: with what the server said instead, if anything. */
gpa_status gpai_reader_lacks(gpai_reader *r, const char *key);

bool gpai_token_is(const gpai_token *token, const char *text); /* a string, this one */
bool gpai_token_number(const gpai_token *token, double *value);

#endif
