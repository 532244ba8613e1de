#ifndef GPAI_MODEL_HTTP_TRANSPORT_REQUEST_H
#define GPAI_MODEL_HTTP_TRANSPORT_REQUEST_H
#include "model/http/transport/http.h"

/* A transfer and the request of a job that it carries, from its first try to its end.
 */
typedef struct gpai_request {
    gpai_transfer *transfer; /* NULL until it is needed */
    enum { GPAI_IDLE, GPAI_FLYING, GPAI_PAUSED } state;
    size_t index;
    int tries;
    double deadline; /* by gpai_http_now; HUGE_VAL: none */
    double due;      /* when the pause ends */
} gpai_request;

/* How a request ended badly. */
typedef struct gpai_mishap {
    gpa_error err; /* its status is GPA_OK when it did not */
    long status;   /* of HTTP, when that was it; 0 */
    bool dead;     /* there was no reply */
} gpai_mishap;

/* Writes a request of the job, and sends it through `multi`. */
void gpai_request_begin(gpai_request *r, CURLM *multi, const gpai_job *job,
                        size_t index, gpai_mishap *m);

/* Sends it once more, after a pause. */
void gpai_request_resume(gpai_request *r, CURLM *multi, const gpai_job *job,
                         gpai_mishap *m);

/* The transfer ended: reads the reply, or begins a pause, or gives up. `reached` says
 * whether the server was ever there, and learns it. */
void gpai_request_end(gpai_request *r, CURLM *multi, const gpai_job *job, CURLcode code,
                      bool *reached, gpai_mishap *m);

/* Whatever it is doing, it stops; a connection in use is closed. */
void gpai_request_stop(gpai_request *r, CURLM *multi);

#endif
