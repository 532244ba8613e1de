#ifndef GPAI_MODEL_HTTP_ANSWER_H
#define GPAI_MODEL_HTTP_ANSWER_H

#include <gpa/status.h>
#include <stddef.h>

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

#endif
