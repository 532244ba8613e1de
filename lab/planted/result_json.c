#include "base/text/json.h"
#include "lab/planted/planted.h"
#include <gpa/version.h>
#include <math.h>

/* What the measures are called; `first_place` is `recall` where there is one culprit.
 */
static const struct {
    const char *name;
    enum measure measure;
    bool one_culprit;
} FIGURES[] = {
    {"first_place", RECALL, true},      {"recall", RECALL, false},
    {"output_auc", OUTPUT, false},      {"set90_holds", HOLDS, false},
    {"set90_size", SIZE, false},        {"correction_error", ERROR, false},
    {"model_rows", ROWS, false},        {"says_right", RIGHT, false},
    {"says_wrong", WRONG, false},       {"accuses_input", ACCUSES, false},
    {"calibration_error", SURE, false}, {"surprise", SURPRISE, false},
    {"impossible", IMPOSSIBLE, false},  {"says_output", SAYS_OUTPUT, false},
    {"says_tied", SAYS_TIED, false},    {"says_normal", SAYS_NORMAL, false},
};

static void put_figure(gpa_text *t, struct figure g)
{
    if (isnan(g.value)) {
        gpai_text_add(t, "null");
        return;
    }
    gpai_text_add(t, "{\"value\":");
    gpai_json_number(t, g.value);
    gpai_json_array_field(t, "interval90", (double[]){g.low, g.high}, 2, "none");
    gpai_text_add(t, "}");
}

/* "name":{"calibration_error":…,"bins":[…]}, without empty bins. */
static void put_stated(gpa_text *t, const char *name, const struct reliability *r)
{
    gpai_json_open(t, name, "{");
    gpai_json_real_field(t, "calibration_error",
                         r != NULL ? reliability_error(r) : (double)NAN, "no cases");
    gpai_json_open(t, "bins", "[");
    for (size_t i = 0; i < RELIABILITY_BINS && r != NULL; i++) {
        struct agreement a = reliability_bin(r, i);
        if (a.cases == 0)
            continue;
        gpai_json_comma(t);
        gpai_text_add(t, "{");
        gpai_json_real_field(t, "from", a.from, "none");
        gpai_json_real_field(t, "to", a.to, "none");
        gpai_json_count_field(t, "cases", a.cases);
        gpai_json_real_field(t, "stated", a.stated, "none");
        gpai_json_key(t, "came_true");
        put_figure(t, (struct figure){a.share, a.low, a.high});
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "]}");
}

/* Of a method that states probabilities. */
static void put_reliability(gpa_text *t, const struct summary *s, size_t method)
{
    const struct reliability *largest = summary_reliable(s, method, false);
    const struct reliability *output = summary_reliable(s, method, true);
    if (largest == NULL && output == NULL)
        return;
    gpai_json_open(t, "reliability", "{");
    put_stated(t, "largest", largest);
    put_stated(t, "output", output);
    gpai_text_add(t, "}");
}

static void put_methods(gpa_text *t, const struct planted_result *r,
                        const struct summary *s, size_t kind)
{
    bool one = kind < s->n_kinds && s->kinds[kind].culprits == 1;
    gpai_text_add(t, "\"methods\":{");
    for (size_t j = 0; j < r->n_methods; j++) {
        gpai_text_printf(t, "%s\n    \"%s\":{", j > 0 ? "," : "", r->methods[j]->name);
        for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
            struct figure g = summary_figure(s, kind, j, FIGURES[i].measure);
            if (FIGURES[i].one_culprit && !one)
                g.value = (double)NAN;
            gpai_json_key(t, FIGURES[i].name);
            put_figure(t, g);
        }
        if (kind == s->n_kinds)
            put_reliability(t, s, j);
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "}");
}

/* "kinds":[…],"total":{…} */
static void put_summary(gpa_text *t, const struct planted_result *r,
                        const struct summary *s)
{
    gpai_text_add(t, "\"kinds\":[");
    for (size_t k = 0; k < s->n_kinds; k++) {
        gpai_text_printf(t, "%s\n  {\"kind\":", k > 0 ? "," : "");
        gpai_json_string(t, s->kinds[k].name);
        gpai_text_printf(t, ",\"cases\":%zu,\"culprits\":%zu,\"rows\":%zu,",
                         summary_cases(s, k), s->kinds[k].culprits, s->kinds[k].rows);
        put_methods(t, r, s, k);
        gpai_text_add(t, "}");
    }
    gpai_text_printf(t, "],\n \"total\":{\"cases\":%zu,", summary_cases(s, s->n_kinds));
    put_methods(t, r, s, s->n_kinds);
    gpai_text_add(t, "}");
}

static void put_planting(gpa_text *t, const struct planted_result *r)
{
    const struct planting *p = r->planting;
    gpai_text_add(t, ",\n\"planting\":{");
    gpai_json_real_field(t, "threshold", p->threshold, "none");
    gpai_json_real_field(t, "quantile", p->quantile, "none");
    gpai_json_count_field(t, "normal_rows", p->normal);
    gpai_json_count_field(t, "model_rows", p->model_rows);
    gpai_text_add(t, ",\"never_culprits\":[");
    for (size_t k = 0; k < r->sets[0].inputs; k++)
        if (!p->able[k])
            gpai_json_text_item(t, r->inputs[k]);
    gpai_text_add(t, "],\"kinds\":[");
    for (size_t i = 0; i < PLANTED_KINDS; i++)
        gpai_text_printf(t, "%s{\"kind\":\"%s\",\"wanted\":%zu,\"made\":%zu}",
                         i > 0 ? "," : "", p->kinds[i].kind, p->kinds[i].wanted,
                         p->kinds[i].made);
    gpai_text_add(t, "]}");
}

/* The sets that were run, or those that were not. */
static void put_sets(gpa_text *t, const struct planted_result *r, bool run)
{
    for (size_t i = 0; i < r->n_sets; i++) {
        const struct set_result *s = &r->sets[i];
        if ((s->model != NULL) != run)
            continue;
        gpai_json_comma(t);
        gpai_text_add(t, run ? "\n{" : "{");
        gpai_json_text_field(t, "set", s->name);
        if (run) {
            gpai_json_text_field(t, "model", s->model);
            gpai_json_count_field(t, "inputs", s->inputs);
            gpai_json_count_field(t, "unlabelled_rows", s->rows);
            gpai_json_key(t, "sigma");
            gpai_json_number(t, s->sigma);
            gpai_text_add(t, ",\n ");
            put_summary(t, r, s->summary);
        } else {
            gpai_json_text_field(t, "reason", s->reason);
        }
        gpai_text_add(t, "}");
    }
}

void result_json(gpa_text *t, const struct planted_result *r)
{
    gpai_text_printf(t,
                     "{\"format\":\"gpa-bench-planted/1\",\"version\":\"%s\","
                     "\"seed\":%ju,\"resamples\":%d,\n\"methods\":[",
                     gpa_version(), (uintmax_t)r->seed, RESAMPLES);
    for (size_t j = 0; j < r->n_methods; j++)
        gpai_text_printf(t,
                         "%s{\"name\":\"%s\",\"title\":\"%s\",\"unlabelled_rows\":%s}",
                         j > 0 ? "," : "", r->methods[j]->name, r->methods[j]->title,
                         r->methods[j]->rows ? "true" : "false");
    gpai_text_add(t, "]");
    if (r->planting != NULL)
        put_planting(t, r);
    gpai_text_add(t, ",\n\"sets\":[");
    put_sets(t, r, true);
    gpai_text_add(t, "],\n\"skipped\":[");
    put_sets(t, r, false);
    gpai_text_add(t, "],\n\"mean\":");
    if (r->n_run > 1) {
        gpai_text_printf(t, "{\"sets\":%zu,\n ", r->n_run);
        put_summary(t, r, &r->mean);
        gpai_text_printf(t, "},\n\"all\":{\"sets\":%zu,\n ", r->n_run);
        put_summary(t, r, &r->all);
        gpai_text_add(t, "}}\n");
    } else {
        gpai_text_add(t, "null,\"mean_reason\":\"one set only\",\"all\":null,"
                         "\"all_reason\":\"one set only\"}\n");
    }
}
