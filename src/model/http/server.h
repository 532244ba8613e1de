#ifndef GPAI_MODEL_HTTP_SERVER_H
#define GPAI_MODEL_HTTP_SERVER_H
#include "model/http/tensors.h"
#include "model/http/transport/http.h"
#include <stdatomic.h>

/* A server's reply to rows, read straight from its text: one number for each. null and
 * NaN become NaN, Infinity is passed on, and anything but as many numbers as rows is
 * GPA_MODEL, saying what was expected. */
typedef struct gpai_answer {
    const char *who; /* to begin messages with */
    const char *bytes;
    size_t size;
    size_t head;        /* bytes of JSON before binary data; 0: it is all JSON */
    const char *output; /* which of several outputs; NULL: there is one */
    gpai_asked asked;
} gpai_answer;

/* {"predictions": […]} of MLflow and TensorFlow Serving: each a number, or a list or
 * object of one. */
gpa_status gpai_predictions_read(const gpai_answer *a, size_t n, double *y,
                                 gpa_error *err);

/* {"outputs": [{"name", "shape", "datatype", "data"}]} of the Open Inference Protocol,
 * with the data in the JSON or behind it. */
gpa_status gpai_outputs_read(const gpai_answer *a, size_t n, double *y, gpa_error *err);

/* What the three protocols have in common: rows go out in pieces, several under way at
 * once, and numbers come back to their places. */
typedef struct gpai_server gpai_server;

/* What they have not. */
typedef struct gpai_protocol {
    gpai_url_form url;
    const char *call;   /* ends the URL that predicts */
    const char *config; /* the keys it knows: "output=NAME" */
    bool binary;        /* tensors may travel as bytes, when the server can */
    bool frame;         /* rows are those of a data frame: see gpai_rows */

    /* Fills in the tensors and the output from metadata, with one that takes any
     * number of inputs where there is none. */
    gpa_status (*discover)(gpai_server *s, gpai_http *h, double deadline,
                           gpa_error *err);
    /* Writes rows that have been checked. */
    void (*write)(const gpai_server *s, const gpai_rows *r, gpai_transfer *t);
    gpa_status (*read)(const gpai_answer *a, size_t n, double *y, gpa_error *err);
} gpai_protocol;

/* Shared by all handles. Constant once they are cloned, but for `holds`, `binary` and
 * the endpoint's connections. */
struct gpai_server {
    const gpai_protocol *protocol;
    atomic_size_t holds;
    gpai_endpoint endpoint;
    char *url; /* that predicts */
    gpai_tensors in;
    char *output;           /* which of several; NULL: there is one, or nobody knows */
    char *signature;        /* of TensorFlow Serving; NULL: the usual one */
    gpai_model_kinds kinds; /* what the data calls the inputs, and what they are */
    bool assumed;           /* the server does not say which tensors it takes */
    bool unnamed;           /* the names of the columns are not sent */
    atomic_int binary; /* may tensors travel as bytes? 0: not known yet, 1, or -1: no */
};

/* One handle: its own connections. */
typedef struct gpai_handle {
    gpai_server *server;
    gpai_http *http;
    double *mended; /* rows to be sent, where not all of them can be */
    size_t room;    /* numbers in there */
} gpai_handle;

/* Opens a model behind a server. The ops are the protocol's, with gpai_server_…
 * below. */
gpa_status gpai_server_open(gpa_model **out, const gpai_protocol *p,
                            const gpai_model_ops *ops, const gpai_spec *s,
                            gpa_error *err);

gpa_status gpai_server_predict_all(void *self, const double *x, size_t n, size_t d,
                                   gpai_asked asked, size_t batch, double *y,
                                   gpa_error *err);
gpa_status gpai_server_clone(void **out, const void *self, gpa_error *err);
gpa_status gpai_server_set_inputs(void *self, size_t d, const char *const *names,
                                  gpa_error *err);
gpa_status gpai_server_set_kinds(void *self, const gpa_input *inputs, size_t d,
                                 gpa_error *err);
void gpai_server_close(void *self);

/* When a call that begins now must be over, by gpai_http_now; 0: never. */
double gpai_server_deadline(const gpai_server *s);

/* For discover: the JSON under the endpoint's URL with `ending`. NULL when the server
 * says that there is no such thing (HTTP 404, 405, 501). */
gpa_status gpai_server_fetch(gpai_value **out, gpai_server *s, gpai_http *h,
                             const char *ending, double deadline, gpa_error *err);

/* For discover: one tensor for whatever number of inputs. */
gpa_status gpai_server_assume(gpai_server *s, const char *name, gpa_error *err);

/* For discover: which of the outputs that metadata describes, in a list or by name, is
 * meant; their types are under `type_key`. Sets s->output when nobody said and only one
 * of several is a number. GPA_INVALID when the wish is not among them, or when there is
 * none and several would do. */
gpa_status gpai_server_outputs(gpai_server *s, const gpai_value *outputs,
                               const char *type_key, gpa_error *err);

#endif
