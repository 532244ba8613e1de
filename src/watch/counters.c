#include "watch/counters.h"
#include "base/text/prometheus.h"
#include <gpa/version.h>
#include <math.h>

/* Which input is most to blame; d: the output. */
static size_t culprit_of(const struct episode *x, size_t d)
{
    size_t best = 0;
    for (size_t k = 1; k <= d; k++)
        best = x->blame[k] > x->blame[best] ? k : best;
    return best;
}

static void write_episodes(gpa_text *t, const struct judge *j)
{
    gpai_metric_head(t, "watch_open_episodes", "gauge",
                     "Open episodes by culprit, inputs and the target.");
    for (size_t k = 0; k <= j->d; k++) {
        uint64_t n = 0;
        for (size_t i = 0; i < EPISODES; i++) {
            const struct episode *x = &j->episodes.all[i];
            n += x->used && x->number > 0 && culprit_of(x, j->d) == k;
        }
        gpai_metric_part(t, "watch_open_episodes", "culprit",
                         k < j->d ? j->base->inputs[k] : gpa_study_target(j->base), n);
    }
}

void counters_write(gpa_text *t, const struct watch *w)
{
    const struct judge *j = &w->judge;
    const struct counts *c = &j->counts;
    const struct {
        const char *name, *help;
        uint64_t value;
    } all[] = {
        {"watch_lines_total", "Lines read.", c->lines},
        {"watch_rows_total", "Rows judged.", c->rows},
        {"watch_anomalies_total", "Rows that are anomalies.", c->anomalies},
        {"watch_episodes_total", "Episodes opened.", j->episodes.opened},
        {"watch_explanations_total", "Rows and episodes explained.", c->explanations},
        {"watch_model_failures_total", "Calls of the model that failed.",
         c->model_failures},
        {"watch_state_failures_total", "Saves of the state that failed.",
         w->save_failures},
    };
    gpai_metric_head(t, "build_info", "gauge", "Version of gpa.");
    gpai_metric_part(t, "build_info", "version", gpa_version(), 1);
    if (!w->open)
        return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        gpai_metric_count(t, all[i].name, "counter", all[i].help, all[i].value);
    gpai_metric_head(t, "watch_problems_total", "counter",
                     "Lines that are no rows, by reason.");
    for (int i = FINE + 1; i < TROUBLES; i++)
        gpai_metric_part(t, "watch_problems_total", "reason",
                         trouble_word((enum trouble)i), c->problems[i]);
    write_episodes(t, j);
    gpai_metric_real(t, "watch_model_seconds_total", "counter",
                     "Time of the model, explanations included.", c->model_seconds);
    gpai_metric_real(t, "watch_lag_seconds", "gauge",
                     "From reading the last lines to having said all of them.", w->lag);
    gpai_metric_real(t, "watch_sigma", "gauge", "Sigma in force.", j->normal.now.sigma);
}
