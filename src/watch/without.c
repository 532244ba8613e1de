#include "base/status.h"
#include "watch/metrics.h"

/* In place of the server, where libmicrohttpd was not there when this was built. */
gpa_status metrics_open(struct metrics **out, const char *address, gpa_error *err)
{
    (void)address;
    *out = NULL;
    return gpai_fail(err, GPA_UNSUPPORTED,
                     "--metrics: this gpa was built without its server: install "
                     "libmicrohttpd (Debian: libmicrohttpd-dev) and build it again");
}

gpa_text *metrics_show(struct metrics *m, gpa_text *t)
{
    (void)m;
    return t;
}

void metrics_close(struct metrics *m)
{
    (void)m;
}
