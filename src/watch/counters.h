#ifndef GPA_WATCH_COUNTERS_H
#define GPA_WATCH_COUNTERS_H
#include "watch/stream.h"

/* What is counted, as text for Prometheus; never the name of a row. */
void counters_write(gpa_text *t, const struct watch *w);

#endif
