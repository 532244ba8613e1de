#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "report/kinds.h"
#include "report/page.h"
#include <math.h>
#include <string.h>

/* What was seen of the inputs of a table: ranges and histograms. */

enum {
    BINS = 28,
    MOST_SORTED = 50000 /* of more rows evenly spaced ones: quantiles for shading */
};

/* One input, or the outcome, of all rows. */
struct seen {
    const gpa_input *in;
    double *value; /* those that are there, in the order of the rows */
    size_t n;
    double low, high;
    double *sorted; /* some of them, ascending */
    size_t n_sorted;
    double near[2]; /* ends of all but what lies apart */
};

static void sum_up(struct seen *s)
{
    s->low = HUGE_VAL;
    s->high = -HUGE_VAL;
    for (size_t i = 0; i < s->n; i++) {
        s->low = fmin(s->low, s->value[i]);
        s->high = fmax(s->high, s->value[i]);
    }
    if (s->n == 0)
        s->low = s->high = (double)NAN;
    s->n_sorted = s->n < MOST_SORTED ? s->n : MOST_SORTED;
    for (size_t i = 0; i < s->n_sorted; i++)
        s->sorted[i] =
            s->value[i * (s->n / s->n_sorted) + i * (s->n % s->n_sorted) / s->n_sorted];
    gpai_sort(s->sorted, s->n_sorted);
    gpai_near(s->sorted, s->n_sorted, &s->near[0], &s->near[1]);
}

static double quantile(const struct seen *s, double q)
{
    if (s->n_sorted == 0)
        return (double)NAN;
    return s->sorted[(size_t)(q * (double)(s->n_sorted - 1) + 0.5)];
}

static void value_field(gpa_text *t, const char *name, const struct seen *s, double v)
{
    gpai_json_key(t, name);
    if (isfinite(v))
        (void)gpai_json_value(t, s->in, v);
    else
        gpai_text_add(t, "null");
}

/* How many rows have each level, in the order of the levels. */
static void count_levels(gpa_text *t, const struct seen *s)
{
    for (size_t l = 0; l < s->in->levels; l++) {
        size_t count = 0;
        for (size_t i = 0; i < s->n; i++)
            count += s->value[i] == s->in->level[l];
        gpai_json_comma(t);
        gpai_text_printf(t, "%zu", count);
    }
}

static void count_bins(gpa_text *t, const struct seen *s)
{
    size_t counts[BINS] = {0};
    double low = s->near[0], high = s->near[1], width = high - low;
    for (size_t i = 0; i < s->n; i++) {
        double v = s->value[i], at = width > 0 ? (v - low) / width * BINS : 0;
        if (v >= low && v <= high)
            counts[at < BINS ? (size_t)at : BINS - 1]++;
    }
    for (size_t b = 0; b < BINS; b++) {
        gpai_json_comma(t);
        gpai_text_printf(t, "%zu", counts[b]);
    }
}

static void histogram_field(gpa_text *t, const struct seen *s, bool levels)
{
    gpai_json_open(t, "histogram", "{");
    value_field(t, "low", s, levels ? (double)NAN : s->near[0]);
    value_field(t, "high", s, levels ? (double)NAN : s->near[1]);
    gpai_json_open(t, "counts", "[");
    if (levels)
        count_levels(t, s);
    else
        count_bins(t, s);
    gpai_text_add(t, "]}");
}

/* Two digits of its spread: enough to tell values apart, and no more. */
static uint64_t decimals(const struct seen *s)
{
    double spread = quantile(s, 0.75) - quantile(s, 0.25);
    spread = spread > 0 ? spread : s->high - s->low;
    int shown = spread > 0 ? gpai_decimals(spread, 2) : 2;
    return s->in->whole || s->in->kind == GPA_KIND_WHOLE || shown < 0 ? 0
           : shown < 12                                               ? (uint64_t)shown
                                                                      : 12;
}

static void range_fields(gpa_text *t, const struct seen *s, bool levels)
{
    value_field(t, "min", s, s->low);
    value_field(t, "max", s, s->high);
    value_field(t, "median", s, quantile(s, 0.5));
    value_field(t, "p05", s, quantile(s, 0.05));
    value_field(t, "p95", s, quantile(s, 0.95));
    gpai_json_count_field(t, "decimals", decimals(s));
    histogram_field(t, s, levels);
}

static void levels_field(gpa_text *t, const gpa_input *in)
{
    gpai_json_open(t, "levels", "[");
    for (size_t l = 0; l < in->levels; l++) {
        gpai_json_comma(t);
        (void)gpai_json_value(t, in, in->level[l]);
    }
    gpai_text_add(t, "]");
}

static void input(gpa_text *t, const gpa_report_info *info, const gpai_kinds *kinds,
                  size_t k, const struct seen *s)
{
    static const char *const writings[] = {"number", "text", "date", "time"};
    const gpa_input *in = s->in;
    bool levels = in->levels > 0;
    gpai_json_comma(t);
    gpai_text_add(t, "\n  {");
    gpai_json_text_field(t, "name", kinds->name[k]);
    gpai_json_text_field(t, "unit", info->units != NULL ? info->units[k] : NULL);
    gpai_json_open(t, "columns", "[");
    for (size_t j = k; j < kinds->d; j++)
        if (kinds->first[j] == k)
            gpai_json_text_item(t, info->features[j]);
    gpai_text_add(t, "]");
    gpai_json_count_field(t, "column", k);
    gpai_json_text_field(t, "kind", gpa_kind_name(in->kind));
    gpai_json_bool_field(t, "inferred", in->inferred);
    gpai_json_bool_field(t, "held", in->kind == GPA_KIND_HELD);
    if (levels)
        levels_field(t, in);
    else
        gpai_json_text_field(t, "levels", NULL);
    gpai_json_text_field(t, "writing", writings[in->writing]);
    gpai_json_bool_field(t, "whole", in->whole || in->kind == GPA_KIND_WHOLE);
    value_field(t, "low", s, levels ? (double)NAN : in->low);
    value_field(t, "high", s, levels ? (double)NAN : in->high);
    range_fields(t, s, levels);
    gpai_text_add(t, "}");
}

gpa_status gpai_report_inputs(gpa_text *t, const gpa_report_info *info, const double *x,
                              size_t n, size_t d, gpa_error *err)
{
    gpai_kinds kinds;
    size_t start = t->length;
    gpa_status st = gpai_kinds_make(&kinds, info, d, err);
    if (st != GPA_OK)
        return st;
    double *block = gpai_calloc(n + 1, 2 * sizeof *block);
    gpai_json_open(t, "inputs", "[");
    for (size_t i = 0; i < kinds.n && block != NULL; i++) {
        size_t k = kinds.seen[i];
        struct seen s = {
            .in = &kinds.input[k], .value = block, .sorted = block + n + 1};
        for (size_t row = 0; row < n; row++) {
            double v = gpai_value_in(&kinds, k, x + row * d);
            s.value[s.n] = v;
            s.n += isfinite(v) && v != s.in->missing &&
                   !(gpai_is_group(&kinds, k) && v == GPAI_NOT_ONE);
        }
        sum_up(&s);
        input(t, info, &kinds, k, &s);
    }
    gpai_text_add(t, "]");
    st = block != NULL ? gpai_text_seal(t, start, err) : gpai_nomem(err, "report");
    gpai_free(block);
    gpai_kinds_free(&kinds);
    return st;
}

gpa_status gpai_report_target(gpa_text *t, const gpa_report_info *info, const double *y,
                              size_t n, gpa_error *err)
{
    static const gpa_input number = {.kind = GPA_KIND_NUMBER, .missing = (double)NAN};
    size_t start = t->length;
    struct seen s = {.in = &number, .value = gpai_calloc(n + 1, 2 * sizeof *s.value)};
    if (s.value == NULL)
        return gpai_nomem(err, "report");
    s.sorted = s.value + n + 1;
    for (size_t i = 0; i < n; i++) {
        s.value[s.n] = y[i];
        s.n += isfinite(y[i]) != 0;
    }
    sum_up(&s);
    gpai_json_open(t, "target", "{");
    gpai_json_text_field(t, "name", info->target);
    gpai_json_text_field(t, "unit", info->target_unit);
    range_fields(t, &s, false);
    gpai_text_add(t, "}");
    gpai_free(s.value);
    return gpai_text_seal(t, start, err);
}
