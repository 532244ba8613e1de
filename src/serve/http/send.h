#ifndef GPA_SERVE_HTTP_SEND_H
#define GPA_SERVE_HTTP_SEND_H
#include "serve/exchange.h"
#include <microhttpd.h>

/* Sends what an exchange has: its reply, or its events as they come. `quiet`: the
 * server is about to end. */
enum MHD_Result send_reply(struct exchange *x, struct MHD_Connection *c, bool quiet);

/* Wakes a connection that rests. */
void send_wake(void *connection);

#endif
