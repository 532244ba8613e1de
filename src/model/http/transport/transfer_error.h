#ifndef GPAI_MODEL_HTTP_TRANSPORT_TRANSFER_ERROR_H
#define GPAI_MODEL_HTTP_TRANSPORT_TRANSFER_ERROR_H
#include "model/http/transport/transfer.h"

/* What went wrong with a request, in one line; all GPA_MODEL, or GPA_NOMEM. `tries` is
 * how often it was sent. */
gpa_status gpai_transfer_fail_time(const gpai_transfer *t, gpa_error *err);
gpa_status gpai_transfer_fail(const gpai_transfer *t, CURLcode code, int tries,
                              gpa_error *err);

/* A reply of another status than 2xx; `asked` is its Retry-After, in seconds. */
gpa_status gpai_transfer_fail_status(const gpai_transfer *t, double asked, int tries,
                                     gpa_error *err);

#endif
