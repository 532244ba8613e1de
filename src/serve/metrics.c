#include "serve/metrics.h"
#include "base/text/prometheus.h"
#include "serve/serving.h"
#include <gpa/version.h>

void metrics_write(gpa_text *t, struct serving *v)
{
    struct metrics *m = &v->metrics;
    long now = atomic_load(&m->connections);
    gpai_metric_head(t, "build_info", "gauge", "Version of gpa.");
    gpai_metric_part(t, "build_info", "version", gpa_version(), 1);
    gpai_metric_head(t, "http_responses_total", "counter",
                     "Answers by class of their status.");
    for (size_t i = 2; i < 6; i++)
        gpai_text_printf(t, "gpa_http_responses_total{class=\"%zuxx\"} %ju\n", i,
                         (uintmax_t)atomic_load(&m->answers[i]));
    const struct {
        const char *name, *type, *help;
        uint64_t value;
    } all[] = {
        {"http_refused_total", "counter",
         "Requests with a foreign host or origin, or "
         "without the token.",
         atomic_load(&m->refused)},
        {"http_connections_cut_total", "counter", "Connections cut for being slow.",
         atomic_load(&m->cut)},
        {"http_connections", "gauge", "Open connections.", now > 0 ? (uint64_t)now : 0},
        {"explanations_total", "counter", "Explanations made.",
         atomic_load(&m->explanations)},
        {"predictions_total", "counter", "Rows predicted for what if.",
         atomic_load(&m->predictions)},
        {"comparisons_total", "counter", "Rows compared.",
         atomic_load(&m->comparisons)},
        {"cancelled_total", "counter", "Questions cancelled.",
         atomic_load(&m->cancelled)},
        {"model_rows_total", "counter", "Rows asked of the model by questions.",
         atomic_load(&m->model_rows)},
        {"work_milliseconds_total", "counter", "Time of the workers.",
         atomic_load(&m->milliseconds)},
        {"rows", "gauge", "Rows of the table.", gpa_study_rows(v->study)},
        {"rows_scored", "gauge", "Rows scored.", atomic_load(&v->scored)},
        {"ready", "gauge", "Whether questions are answered.",
         serving_state(v) == STATE_READY || serving_state(v) == STATE_STOPPED},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        gpai_metric_count(t, all[i].name, all[i].type, all[i].help, all[i].value);
    if (serving_state(v) == STATE_SCORING || v->slow == NULL)
        return;
    gpai_metric_count(t, "jobs_waiting", "gauge", "Questions that wait for a worker.",
                      jobs_waiting(v->slow) + jobs_waiting(v->quick));
    gpai_metric_count(t, "jobs_running", "gauge", "Questions in hand.",
                      jobs_running(v->slow) + jobs_running(v->quick));
}
