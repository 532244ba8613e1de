#ifndef GPA_SERVE_METRICS_H
#define GPA_SERVE_METRICS_H
#include <gpa/report.h>
#include <stdatomic.h>

/* What is counted, for /metrics. */
struct metrics {
    double began;                     /* seconds */
    atomic_uint_least64_t answers[6]; /* by the first digit of their status */
    atomic_uint_least64_t refused;    /* by the guard: host, origin, token */
    atomic_uint_least64_t cut;        /* connections that were too slow */
    atomic_uint_least64_t explanations, predictions, comparisons, cancelled;
    atomic_uint_least64_t model_rows;
    atomic_uint_least64_t milliseconds; /* of workers */
    atomic_long connections;            /* now */
};

struct serving;
/* In the text format of Prometheus. */
void metrics_write(gpa_text *t, struct serving *v);

#endif
