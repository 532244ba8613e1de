#include "base/alloc.h"
#include "base/status.h"
#include "data/table.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reference rows, and the unit of each input. */

/* The inputs' columns in the reference table, by their names. */
static gpa_status find_inputs(const gpa_study *s, const gpa_table *t, size_t *columns,
                              gpa_error *err)
{
    for (size_t k = 0; k < s->d; k++) {
        gpa_status st = gpa_table_find(t, s->inputs[k], &columns[k], err);
        if (st != GPA_OK)
            return st;
        if (gpa_table_numbers(t, columns[k], err) == NULL)
            return GPA_DATA;
    }
    return GPA_OK;
}

/* y and f of an observed reference, behind its inputs. */
static gpa_status take_observed(gpa_study *s, const gpa_table *t, double *y,
                                gpa_error *err)
{
    size_t n = s->reference.n, column;
    gpa_status st = gpa_table_find(t, gpa_study_target(s), &column, err);
    if (st != GPA_OK)
        return st;
    const double *from = gpa_table_numbers(t, column, err);
    if (from == NULL)
        return GPA_DATA;
    memcpy(y, from, n * sizeof *y);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(y[i]))
            return gpai_fail(err, GPA_DATA, "reference: no outcome in row %zu", i);
    s->reference.y = y;
    st = gpa_predict_observed(s->model, &s->reference, y + n, err);
    s->reference.f = y + n;
    return st;
}

static gpa_status take_reference(gpa_study *s, const gpa_table *t, gpa_error *err)
{
    size_t n = gpa_table_rows(t), d = s->d;
    size_t *columns = gpai_calloc(d, sizeof *columns);
    bool fits = d == 0 || n <= SIZE_MAX / sizeof(double) / (d + 2);
    s->reference_block = fits ? gpai_calloc(n * (d + 2), sizeof(double)) : NULL;
    gpa_status st = GPA_OK;
    if (columns == NULL || s->reference_block == NULL) {
        st = gpai_fail(err, GPA_NOMEM, "out of memory for the reference");
        goto done;
    }
    s->reference = (gpa_sample){.x = s->reference_block, .n = n, .d = d};
    st = find_inputs(s, t, columns, err);
    if (st == GPA_OK)
        st = gpa_table_matrix(t, columns, d, false, s->reference_block, err);
    if (st == GPA_OK && s->observed)
        st = take_observed(s, t, s->reference_block + n * d, err);
done:
    gpai_free(columns);
    return st;
}

gpa_status gpai_study_read_reference(gpa_study *s, gpa_error *err)
{
    gpa_table_options opt;
    gpa_table *t = NULL;
    if (s->reference.x != NULL)
        return GPA_OK; /* read before */
    if (s->reference_table != NULL)
        return take_reference(s, s->reference_table, err);
    gpa_table_options_init(&opt);
    opt.text_column = s->given.text[OPT_ID];
    opt.no_header = s->given.given[OPT_NO_HEADER];
    gpa_status st = gpa_table_read(&t, s->given.text[OPT_REFERENCE], &opt, err);
    if (st == GPA_OK)
        st = take_reference(s, t, err);
    gpa_table_free(t);
    return st;
}

/* Whether an option wants the reference; says so where it is given and none does. */
static gpa_status wants_reference(gpa_study *s, bool *wanted, gpa_error *err)
{
    const gpai_options *o = &s->given;
    bool there = o->given[OPT_REFERENCE] || s->reference_table != NULL;
    bool scale = gpai_options_is(o, OPT_SCALE, "reference");
    bool plausible = gpai_options_is(o, OPT_PLAUSIBLE, "reference");
    /* without a word about what is plausible it stands in when the data has too few
     * rows */
    *wanted = scale || plausible || !o->given[OPT_PLAUSIBLE] || o->bit == IN_COMPARE;
    if (there && !*wanted && !s->observed)
        gpai_study_say(s, "--reference is not used: only --scale reference and "
                          "--plausible reference look at it");
    *wanted = *wanted && there;
    if (!there && (scale || plausible))
        return gpai_fail(err, GPA_INVALID, "%s reference needs --reference FILE",
                         scale ? "--scale" : "--plausible");
    return GPA_OK;
}

static void warn_constant(gpa_study *s, const bool *constant, size_t n,
                          const char *where)
{
    char names[400] = "";
    size_t used = 0, count = 0;
    for (size_t k = 0; k < s->d; k++) {
        if (!constant[k])
            continue;
        count++;
        if (used + 60 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s",
                                     used > 0 ? ", " : "", s->inputs[k]);
        else if (names[used - 1] != '.')
            used += (size_t)snprintf(names + used, sizeof names - used, ", ...");
    }
    if (count > 0 && n < 5)
        gpai_study_say(
            s, "warning: fewer than 5 rows in %s: the unit of every input is 1", where);
    else if (count > 0)
        gpai_study_say(s, "warning: without spread in %s, unit 1: %s", where, names);
}

static gpa_status fit_units(gpa_study *s, const gpa_sample *rows, const char *where,
                            gpa_error *err)
{
    bool *constant = gpai_calloc(s->d, sizeof *constant);
    if (constant == NULL)
        return gpai_nomem(err, "study");
    gpa_status st =
        gpa_scale_fit(rows->x, rows->n, s->d, s->center, s->unit, constant, err);
    if (st == GPA_OK)
        warn_constant(s, constant, rows->n, where);
    gpai_free(constant);
    return st;
}

/* All centres, then all units. */
static gpa_status take_units(gpa_study *s, const double *numbers, size_t n,
                             gpa_error *err)
{
    if (n != 2 * s->d)
        return gpai_fail(err, GPA_INVALID,
                         "--scale: %zu numbers, %zu centres and units are needed", n,
                         2 * s->d);
    for (size_t k = 0; k < s->d; k++) {
        s->center[k] = numbers[k];
        s->unit[k] = numbers[s->d + k];
        if (!isfinite(s->center[k]) || !isfinite(s->unit[k]) || !(s->unit[k] > 0))
            return gpai_fail(err, GPA_INVALID,
                             "--scale: units must be finite and above 0, centres "
                             "finite");
    }
    return GPA_OK;
}

gpa_status gpai_study_open_units(gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    bool reference = false;
    gpa_status st = wants_reference(s, &reference, err);
    if (st == GPA_OK && reference)
        st = gpai_study_read_reference(s, err);
    if (st != GPA_OK)
        return st;
    if (o->numbers[OPT_SCALE].at != NULL)
        return take_units(s, o->numbers[OPT_SCALE].at, o->numbers[OPT_SCALE].n, err);
    if (gpai_options_is(o, OPT_SCALE, "reference") ||
        (!o->given[OPT_SCALE] && s->observed))
        return fit_units(s, &s->reference, "the reference", err);
    if (!o->given[OPT_SCALE] || gpai_options_is(o, OPT_SCALE, "data"))
        return fit_units(s, &s->sample, "the data", err);
    if (!gpai_options_is(o, OPT_SCALE, "none"))
        return gpai_scale_read(o->text[OPT_SCALE], s->inputs, s->d, s->center, s->unit,
                               err);
    for (size_t k = 0; k < s->d; k++) {
        s->center[k] = 0;
        s->unit[k] = 1;
    }
    return GPA_OK;
}
