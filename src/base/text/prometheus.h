#ifndef GPAI_PROMETHEUS_H
#define GPAI_PROMETHEUS_H
#include "base/text/text.h"

/* Counters in the text format of Prometheus; all names begin with gpa_. */
void gpai_metric_head(gpa_text *t, const char *name, const char *type,
                      const char *help);
/* One with its only value. */
void gpai_metric_count(gpa_text *t, const char *name, const char *type,
                       const char *help, uint64_t value);
void gpai_metric_real(gpa_text *t, const char *name, const char *type, const char *help,
                      double value);
/* One value of several: gpa_NAME{LABEL="TEXT"} VALUE. */
void gpai_metric_part(gpa_text *t, const char *name, const char *label,
                      const char *text, uint64_t value);

#endif
