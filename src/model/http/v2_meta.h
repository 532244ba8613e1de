#ifndef GPAI_MODEL_HTTP_V2_META_H
#define GPAI_MODEL_HTTP_V2_META_H
#include "model/http/server.h"

/* The metadata of a model behind the Open Inference Protocol: its tensors into s->in,
 * the output that is meant into s->output. */
gpa_status gpai_v2_discover(gpai_server *s, gpai_http *h, double deadline,
                            gpa_error *err);

#endif
