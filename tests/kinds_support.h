#ifndef KINDS_SUPPORT_H
#define KINDS_SUPPORT_H
#include "base/text/input.h"
#include "result/explanation.h"
#include <gpa/report.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An explanation with inputs of every kind, made by hand. */

enum {
    BMI,
    CHILDREN,
    REGION,
    SMOKER_NO,
    SMOKER_YES,
    SEX,
    LOAD,
    DAY,
    CODE,
    FUEL_GAS,
    FUEL_OIL,
    CITY,
    MIXED
};
enum { REGIONS = 4, CITIES = 64, CURVE = 41, REFERENCE = 120 };

struct mixed {
    gpa_input inputs[MIXED];
    const char *features[MIXED];
    double code[CITIES], sexes[2];
    const char *regions[REGIONS], *cities[CITIES], *codes[2];
    char city_names[CITIES][32];
    gpa_explanation *e;
    gpa_report_info info;
    gpa_background background;
    double x[REFERENCE * MIXED], y[REFERENCE], f[REFERENCE], score[REFERENCE];
    const char *notes[2];
};

static inline void mixed_text(gpa_input *in, const struct mixed *m, size_t n,
                              const char *const *names)
{
    in->kind = n > 2 ? GPA_KIND_CHOICE : GPA_KIND_FLAG;
    in->writing = GPA_WRITING_LEVEL;
    in->levels = n;
    in->level = m->code;
    in->level_name = names;
}

static inline void mixed_onehot(gpa_input *in, size_t group, bool dropped,
                                const char *name, const char *label)
{
    in->kind = GPA_KIND_CHOICE;
    in->group = group;
    in->dropped = dropped;
    in->name = name;
    in->label = label;
}

static inline void mixed_inputs(struct mixed *m)
{
    static const char *const names[MIXED] = {
        "bmi",  "children", "region", "smoker_no", "smoker_yes", "sex",
        "load", "day",      "code",   "fuel_gas",  "fuel_oil",   "city"};
    static const char *const regions[REGIONS] = {"north", "south", "a \"b\", c",
                                                 "=west"};
    memcpy(m->features, names, sizeof names);
    memcpy(m->regions, regions, sizeof regions);
    m->codes[0] = "K-17";
    m->codes[1] = "K-18 <b>";
    for (size_t i = 0; i < CITIES; i++) {
        m->code[i] = (double)i;
        snprintf(m->city_names[i], sizeof m->city_names[i],
                 i % 7 == 3 ? "a city of a long name %zu" : "city %zu", i);
        m->cities[i] = m->city_names[i];
    }
    m->sexes[0] = 1;
    m->sexes[1] = 2;
    for (size_t k = 0; k < MIXED; k++)
        m->inputs[k] = (gpa_input){.inferred = k != SEX,
                                   .low = (double)NAN,
                                   .high = (double)NAN,
                                   .missing = (double)NAN};
    m->inputs[BMI].low = 0;
    m->inputs[CHILDREN].kind = GPA_KIND_WHOLE;
    m->inputs[CHILDREN].low = 0;
    m->inputs[CHILDREN].high = 5;
    mixed_text(&m->inputs[REGION], m, REGIONS, m->regions);
    mixed_onehot(&m->inputs[SMOKER_NO], 1, false, "smoker", "no");
    mixed_onehot(&m->inputs[SMOKER_YES], 1, false, "smoker", "yes");
    m->inputs[SEX].kind = GPA_KIND_FLAG;
    m->inputs[SEX].levels = 2;
    m->inputs[SEX].level = m->sexes;
    m->inputs[LOAD].missing = -999;
    m->inputs[DAY].writing = GPA_WRITING_DATE;
    m->inputs[DAY].whole = true;
    mixed_text(&m->inputs[CODE], m, 2, m->codes);
    m->inputs[CODE].kind = GPA_KIND_HELD;
    mixed_onehot(&m->inputs[FUEL_GAS], 2, true, "fuel", "gas");
    mixed_onehot(&m->inputs[FUEL_OIL], 2, true, "fuel", NULL);
    mixed_text(&m->inputs[CITY], m, CITIES, m->cities);
}

static inline double mixed_days(void)
{
    return (double)gpai_days_from_date(2024, 2, 29);
}

/* Which input has levels, how many, and the value of the i-th. */
static inline size_t mixed_levels(size_t k)
{
    return k == REGION                         ? REGIONS
           : k == SMOKER_NO || k == SMOKER_YES ? 2
           : k == SEX                          ? 2
           : k == FUEL_GAS || k == FUEL_OIL    ? 3
           : k == CITY                         ? CITIES
                                               : 0;
}

static inline double mixed_level(size_t k, size_t i)
{
    return (double)i + (k == SEX ? 1 : k == FUEL_GAS || k == FUEL_OIL ? -1 : 0);
}

/* The i-th level's probability in alone (0 of the present one, which is the `now`-th)
 * and in the marginal: half as much for each further one. */
static inline size_t mixed_now(size_t k)
{
    return k == SMOKER_NO || k == SMOKER_YES || k == SEX ? 1 : k == CITY ? 5 : 0;
}

static inline void mixed_shares(double *share, size_t k, bool present)
{
    size_t n = mixed_levels(k);
    double sum = 0, p = 1;
    for (size_t i = 0; i < n; i++) {
        bool now = i == mixed_now(k);
        share[i] = now && !present ? 0 : p;
        p = now && !present ? p : p * (k == CITY ? 0.9 : 0.5);
        sum += share[i];
    }
    for (size_t i = 0; i < n; i++)
        share[i] /= sum;
}

static inline void mixed_rows(struct mixed *m)
{
    static const double x[MIXED] = {30.25, 3, 0, 0, 1, 2, 0, 0, 0, 0, 0, 5};
    gpa_explanation *e = m->e;
    for (size_t k = 0; k < MIXED; k++) {
        e->x[k] = k == LOAD ? (double)NAN : k == DAY ? mixed_days() : x[k];
        e->unit[k] = k == BMI ? 6 : k == DAY ? 30 : k == LOAD ? 2 : 1;
    }
    e->rows[0] = 7;
    e->y[0] = 1200;
    e->f[0] = 2400;
    e->f_moved[0] = 1300;
    e->score[0] = 9.5;
    e->b[0] = 4000;
    e->delta_raw[BMI] = -3;
    e->delta_raw[REGION] = 1;
    e->delta_raw[SMOKER_NO] = 1;
    e->delta_raw[SMOKER_YES] = -1;
    for (size_t k = 0; k < MIXED; k++)
        e->delta[k] = e->delta_raw[k] / e->unit[k];
    e->summary = (gpa_summary){.solver = GPA_SOLVER_FAST,
                               .marginals = GPA_MARGINALS_EXACT,
                               .noise = GPA_NOISE_CONSTANT,
                               .eta = 0.1,
                               .nu = 0.5,
                               .a0 = 5.5,
                               .cb = 10,
                               .sigma = 300,
                               .kappa = (double)NAN,
                               .objective = 1.25,
                               .objective_zero = 9,
                               .stationarity = 0.001,
                               .converged = true,
                               .iterations = 7,
                               .model_rows = 110,
                               .model_calls = 9,
                               .rows_map = 30,
                               .rows_culprit = 80,
                               .ess = 1400,
                               .surrogate_error = (double)NAN};
}

static inline void mixed_marginals(struct mixed *m)
{
    gpa_explanation *e = m->e;
    size_t at = 0, total = 0;
    for (size_t k = 0; k < MIXED; k++)
        total += 2 * mixed_levels(k);
    e->level_numbers = gpai_calloc(total, sizeof *e->level_numbers);
    for (size_t k = 0; k < MIXED; k++) {
        size_t n = mixed_levels(k);
        double *level = e->level_numbers + at, *mass = level + n, none = (double)NAN;
        double *grid = e->grid + k * CURVE, *density = e->density + k * CURVE;
        if (k == CODE) {
            e->marginals[k] = (gpa_marginal){0};
            continue;
        }
        for (size_t i = 0; i < CURVE; i++) {
            grid[i] = ((double)i - 20) / 5 + e->delta[k];
            density[i] = exp(-0.5 * pow(grid[i] - e->delta[k], 2)) / 2.5066;
        }
        for (size_t i = 0; i < n; i++)
            level[i] = mixed_level(k, i);
        mixed_shares(mass, k, true);
        if (k == FUEL_GAS || k == FUEL_OIL) /* as the row is, which is no level */
            level[2] = (double)NAN;
        double d = n > 0 ? none : e->delta[k];
        e->marginals[k] = (gpa_marginal){.map = d,
                                         .mean = d,
                                         .sd = n > 0 ? none : 1,
                                         .interval50 = {d - 0.67, d + 0.67},
                                         .interval90 = {d - 1.64, d + 1.64},
                                         .p_positive = n > 0 ? none : 0.5,
                                         .information = 0.25,
                                         .points = n > 0 ? 0 : CURVE,
                                         .grid = n > 0 ? NULL : grid,
                                         .density = n > 0 ? NULL : density,
                                         .levels = n,
                                         .level = n > 0 ? level : NULL,
                                         .mass = n > 0 ? mass : NULL};
        at += 2 * n;
    }
}

static inline void mixed_alone(struct mixed *m)
{
    gpa_explanation *e = m->e;
    size_t at = 0, total = 0;
    for (size_t k = 0; k < MIXED; k++)
        total += 2 * mixed_levels(k);
    if (gpai_result_add_alone(e, total, NULL) != GPA_OK)
        return;
    for (size_t k = 0; k < MIXED; k++) {
        size_t n = mixed_levels(k);
        double *level = e->alone_numbers + at, *p = level + n;
        double x = k == LOAD ? 3.2 : e->x[k] + e->culprit.median[k] * e->unit[k];
        double low = k == LOAD ? 2.5 : e->x[k] + e->culprit.low[k] * e->unit[k];
        double high = k == LOAD ? 4 : e->x[k] + e->culprit.high[k] * e->unit[k];
        for (size_t i = 0; i < n; i++)
            level[i] = mixed_level(k, i);
        mixed_shares(p, k, false);
        e->alone[k] = (gpa_alone){.value = n > 0 ? (double)NAN : x,
                                  .low = n > 0 ? (double)NAN : low,
                                  .high = n > 0 ? (double)NAN : high,
                                  .missing = k == LOAD,
                                  .levels = n,
                                  .level = level,
                                  .probability = p,
                                  .best = mixed_now(k) == 0 ? 1 : 0};
        at += 2 * n;
    }
}

static inline void mixed_axes(struct mixed *m)
{
    gpa_explanation *e = m->e;
    size_t at = 0, total = 0;
    for (size_t k = 0; k < MIXED; k++)
        total += 2 * (mixed_levels(k) > 0 ? mixed_levels(k) : CURVE);
    if (gpai_result_add_axes(e, total, NULL) != GPA_OK)
        return;
    for (size_t k = 0; k < MIXED; k++) {
        size_t levels = mixed_levels(k), n = levels > 0 ? levels : CURVE;
        double *place = e->axis_numbers + at, *f = place + n;
        if (k == CODE)
            continue;
        for (size_t i = 0; i < n; i++) {
            place[i] = levels > 0  ? mixed_level(k, i)
                       : k == LOAD ? 2 + (double)i / 20
                                   : ((double)i - 20) / 10;
            f[i] = levels > 0 ? 2400 - 1500 * fabs((double)i - (double)mixed_now(k)) /
                                           (double)n
                              : 2400 + 300 * place[i] * (k == BMI ? 1.5 : 0.3);
        }
        e->axes[k] = (gpa_axis){.points = n,
                                .change = levels > 0 ? NULL : place,
                                .level = levels > 0 ? place : NULL,
                                .f = f,
                                .gap = k == LOAD};
        at += 2 * n;
    }
}

/* The smoker by .9 of the inputs' .8; set90: the smoker's columns and the region. */
static inline void mixed_accuse(struct mixed *m, gpa_verdict verdict)
{
    gpa_explanation *e = m->e;
    size_t d = MIXED, *set;
    if (e->culprit_numbers == NULL && gpai_result_add_culprit(e, NULL) != GPA_OK)
        return;
    double *p = e->culprit_numbers;
    static const double probability[MIXED] = {0.05, 0.02, 0.08, 0.9,  0.9,  0.03,
                                              0.06, 0.01, 0,    0.01, 0.01, 0.04};
    for (size_t k = 0; k < d; k++) {
        p[k] = p[d + k] = probability[k];
        bool levels = mixed_levels(k) > 0 || k == LOAD;
        p[2 * d + k] = levels ? (double)NAN : k == CODE ? 0 : k == CHILDREN ? -2 : -1;
        p[3 * d + k] = levels ? (double)NAN : k == CODE ? 0 : k == CHILDREN ? -3 : -1.5;
        p[4 * d + k] = levels ? (double)NAN : k == CODE ? 0 : -0.5;
    }
    p[4 * d + CHILDREN] = -1;
    set = (size_t *)(void *)(p + 5 * d);
    set[0] = SMOKER_NO;
    set[1] = SMOKER_YES;
    set[2] = REGION;
    e->culprit = (gpa_culprit){.probability = p,
                               .single = p + d,
                               .median = p + 2 * d,
                               .low = p + 3 * d,
                               .high = p + 4 * d,
                               .output = 0.2,
                               .set90 = set,
                               .n_set90 = 3,
                               .first = SMOKER_NO,
                               .verdict = verdict,
                               .plausible = GPA_PLAUSIBLE_DATA,
                               .plausible_rows = 88};
    gpai_result_blame(e);
}

/* Reference rows: every level of the small choices in turn. */
static inline void mixed_background(struct mixed *m)
{
    for (size_t i = 0; i < REFERENCE; i++) {
        double *x = m->x + i * MIXED;
        x[BMI] = 20 + (double)(i % 17);
        x[CHILDREN] = (double)(i % 6);
        x[REGION] = (double)(i % REGIONS);
        x[SMOKER_YES] = i % 5 == 0;
        x[SMOKER_NO] = 1 - x[SMOKER_YES];
        x[SEX] = 1 + (double)(i % 2);
        x[LOAD] = i % 9 == 0 ? (double)NAN : 2 + (double)(i % 11) / 5;
        x[DAY] = mixed_days() - (double)i;
        x[CODE] = (double)(i % 2);
        x[FUEL_GAS] = i % 3 == 0;
        x[FUEL_OIL] = i % 3 == 1;
        x[CITY] = (double)(i * i % CITIES);
        m->f[i] = 1000 + 30 * x[BMI] + 900 * x[SMOKER_YES] + 40 * x[REGION];
        m->y[i] = m->f[i] + 200 * sin((double)i);
        m->score[i] = 3 + fabs(sin((double)i));
    }
    memcpy(m->x + 7 * MIXED, m->e->x, MIXED * sizeof *m->x);
    m->y[7] = m->e->y[0];
    m->f[7] = m->e->f[0];
    m->score[7] = m->e->score[0];
    m->background = (gpa_background){.struct_size = sizeof m->background,
                                     .n = REFERENCE,
                                     .d = MIXED,
                                     .total = REFERENCE,
                                     .x = m->x,
                                     .y = m->y,
                                     .f = m->f,
                                     .score = m->score};
}

/* To be freed: m->e. */
static inline void mixed_make(struct mixed *m)
{
    memset(m, 0, sizeof *m);
    mixed_inputs(m);
    if (gpai_result_new(&m->e, 1, MIXED, CURVE, NULL) != GPA_OK)
        return;
    mixed_rows(m);
    mixed_accuse(m, GPA_VERDICT_INPUT);
    mixed_marginals(m);
    mixed_alone(m);
    mixed_axes(m);
    mixed_background(m);
    gpai_result_note(m->e, "its own note");
    m->notes[0] = "taken as: children whole numbers 0-5; region one of 4";
    m->notes[1] = "the model is off by 20 on average";
    gpa_report_info_init(&m->info);
    m->info.features = m->features;
    m->info.inputs = m->inputs;
    m->info.target = "charges";
    m->info.model_spec = "mlp:model.json";
    m->info.options_json = "{\"command\":\"explain\",\"top\":1}";
    m->info.notes = m->notes;
    m->info.n_notes = 2;
    m->info.background = &m->background;
    m->info.full = true;
    m->info.explanations = 1;
    m->info.marked = m->e->rows;
    m->info.n_marked = 1;
}
#endif
