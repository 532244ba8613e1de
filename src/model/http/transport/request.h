#ifndef GPAI_LANE_H
#define GPAI_LANE_H
#include "model/http/transport/http.h"

/* A link and the request of a job that it carries, from its first try to its end. */
typedef struct gpai_lane {
    gpai_link *link; /* NULL until it is needed */
    enum { GPAI_IDLE, GPAI_FLYING, GPAI_PAUSED } state;
    size_t request;
    int tries;
    double deadline; /* by gpai_http_now; HUGE_VAL: none */
    double due;      /* when the pause ends */
} gpai_lane;

/* How a request ended badly. */
typedef struct gpai_mishap {
    gpa_error err; /* its status is GPA_OK when it did not */
    long status;   /* of HTTP, when that was it; 0 */
    bool dead;     /* there was no reply */
} gpai_mishap;

/* Writes a request of the job, and sends it through `multi`. */
void gpai_lane_begin(gpai_lane *l, CURLM *multi, const gpai_job *job, size_t request,
                     gpai_mishap *m);

/* Sends it once more, after a pause. */
void gpai_lane_resume(gpai_lane *l, CURLM *multi, const gpai_job *job, gpai_mishap *m);

/* The transfer ended: reads the reply, or begins a pause, or gives up. `reached` says
 * whether the server was ever there, and learns it. */
void gpai_lane_end(gpai_lane *l, CURLM *multi, const gpai_job *job, CURLcode code,
                   bool *reached, gpai_mishap *m);

/* Whatever it is doing, it stops; a connection in use is closed. */
void gpai_lane_stop(gpai_lane *l, CURLM *multi);

#endif
