#ifndef GPAI_LINK_FAIL_H
#define GPAI_LINK_FAIL_H
#include "model/http/transport/transfer.h"

/* What went wrong with a request, in one line; all GPA_MODEL, or GPA_NOMEM. `tries` is
 * how often it was sent. */
gpa_status gpai_link_fail_time(const gpai_link *l, gpa_error *err);
gpa_status gpai_link_fail_transfer(const gpai_link *l, CURLcode code, int tries,
                                   gpa_error *err);

/* A reply of another status than 2xx; `asked` is its Retry-After, in seconds. */
gpa_status gpai_link_fail_status(const gpai_link *l, double asked, int tries,
                                 gpa_error *err);

#endif
