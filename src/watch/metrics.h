#ifndef GPA_WATCH_METRICS_H
#define GPA_WATCH_METRICS_H
#include <gpa/report.h>

/* --metrics: what is counted, for Prometheus. The watch writes it down after every
 * batch; a thread of its own hands out what was written last. */
struct metrics;

/* Listens on ADDRESS:PORT (a port of 0: one that is free) and says where. */
gpa_status metrics_open(struct metrics **out, const char *address, gpa_error *err);
/* Takes the text over and gives another one back, to be written next. */
gpa_text *metrics_show(struct metrics *m, gpa_text *t);
void metrics_close(struct metrics *m);

#endif
