#include "base/alloc.h"
#include "base/status.h"
#include "data/table.h"
#include "model/model.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reference rows, and the unit of each input. */

/* Fewer rows of its own cannot say what is normal: an observed reference does. */
enum { OWN_ROWS = 20 };

/* What is needed of a reference that can be read column by column: inputs and target.
 */
static gpa_status load_reference(gpa_study *s, gpa_error *err)
{
    size_t n = 0;
    size_t *each = gpai_calloc(s->d + 1, sizeof *each);
    if (each == NULL)
        return gpai_nomem(err, "study");
    for (size_t k = 0; k <= s->d; k++) {
        const char *name = k < s->d ? s->inputs[k] : gpa_study_target(s);
        if (gpa_table_find(s->own_reference, name, &each[n], NULL) == GPA_OK)
            n++;
    }
    gpa_status st = gpai_table_load(s->own_reference, each, n, err);
    gpai_free(each);
    return st;
}

/* The reference's table, given or read, and whether it says what y is normal. */
static gpa_status open_table(gpa_study *s, gpa_error *err)
{
    gpa_table_options opt;
    size_t target;
    gpa_status st = GPA_OK;
    if (s->reference_table == NULL && s->given.given[OPT_REFERENCE]) {
        gpa_table_options_init(&opt);
        opt.text_column = s->given.text[OPT_ID];
        opt.no_header = s->given.given[OPT_NO_HEADER];
        st =
            gpai_table_open(&s->own_reference, s->given.text[OPT_REFERENCE], &opt, err);
        if (st == GPA_OK)
            st = load_reference(s, err);
        s->reference_table = s->own_reference;
    }
    if (st == GPA_OK && s->reference_table != NULL && s->n < OWN_ROWS &&
        s->n < gpa_table_rows(s->reference_table))
        s->observed =
            s->observed || (gpa_table_find(s->reference_table, gpa_study_target(s),
                                           &target, NULL) == GPA_OK &&
                            gpa_table_is_numeric(s->reference_table, target));
    return st;
}

/* The inputs' columns in the reference table, by their names. */
static gpa_status find_inputs(gpa_study *s, gpa_error *err)
{
    gpa_error why;
    s->reference_columns = gpai_calloc(s->d, sizeof *s->reference_columns);
    if (s->reference_columns == NULL)
        return gpai_nomem(err, "study");
    for (size_t k = 0; k < s->d; k++) {
        gpa_status st = gpa_table_find(s->reference_table, s->inputs[k],
                                       &s->reference_columns[k], &why);
        if (st != GPA_OK)
            return gpai_fail(err, st, "--reference: %.440s", why.message);
    }
    return GPA_OK;
}

gpa_status gpai_study_open_reference(gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    bool scale = gpai_options_is(o, OPT_SCALE, "reference");
    bool plausible = gpai_options_is(o, OPT_PLAUSIBLE, "reference");
    gpa_status st = open_table(s, err);
    if (st != GPA_OK || s->reference_table != NULL)
        return st == GPA_OK ? find_inputs(s, err) : st;
    if (scale || plausible)
        return gpai_fail(err, GPA_INVALID, "%s reference needs --reference FILE",
                         scale ? "--scale" : "--plausible");
    return GPA_OK;
}

/* Keeps those of the first n rows of an observed reference that have y (`from`) and,
 * `complete`, all their inputs, one after another; gives how many. */
static size_t keep_rows(gpa_study *s, const double *from, size_t n, bool complete,
                        double *y)
{
    double *x = s->reference_block;
    size_t kept = 0, d = s->d;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (complete && k < d && !isnan(x[i * d + k]))
            k++;
        if (!isfinite(from[i]) || (complete && k < d))
            continue;
        memmove(x + kept * d, x + i * d, d * sizeof *x);
        y[kept++] = from[i];
    }
    return kept;
}

/* Then those that have a prediction. */
static size_t keep_predicted(gpa_study *s, double *y, double *f, size_t n)
{
    double *x = s->reference_block;
    size_t kept = 0, d = s->d;
    for (size_t i = 0; i < n; i++)
        if (isfinite(f[i])) {
            memmove(x + kept * d, x + i * d, d * sizeof *x);
            y[kept] = y[i];
            f[kept++] = f[i];
        }
    return kept;
}

/* y of an observed reference, and f; rows that lack one of them go. A model that fails
 * for rows with missing inputs is asked for the others. */
static gpa_status take_observed(gpa_study *s, double *y, gpa_error *err)
{
    static const gpai_asked REFERENCE = {.word = "reference row"};
    size_t n = s->reference.n, column, kept;
    double *f = y + n;
    gpa_status st =
        gpa_table_find(s->reference_table, gpa_study_target(s), &column, err);
    if (st != GPA_OK)
        return st;
    const double *from = gpa_table_numbers(s->reference_table, column, err);
    if (from == NULL)
        return GPA_DATA;
    bool refuses = gpa_model_refuses_missing(s->model);
    kept = keep_rows(s, from, n, refuses, y);
    st = gpai_model_predict(s->model, s->reference_block, kept, REFERENCE, f, err);
    size_t complete = st == GPA_MODEL ? keep_rows(s, y, kept, true, y) : kept;
    if (st == GPA_MODEL && complete < kept) {
        kept = complete;
        st = gpai_model_predict(s->model, s->reference_block, kept, REFERENCE, f, err);
    }
    if (st != GPA_OK)
        return st;
    kept = keep_predicted(s, y, f, kept);
    s->reference =
        (gpa_sample){.x = s->reference_block, .y = y, .f = f, .n = kept, .d = s->d};
    if (kept == 0)
        return gpai_fail(err, GPA_DATA,
                         "--reference: no row has both %.80s and a prediction",
                         gpa_study_target(s));
    if (kept < n)
        gpai_study_tell(s,
                        "%zu of %zu reference rows left out, without a value of the "
                        "target or a prediction",
                        n - kept, n);
    return st;
}

gpa_status gpai_study_take_reference(gpa_study *s, gpa_error *err)
{
    if (s->reference_table == NULL)
        return GPA_OK;
    size_t n = gpa_table_rows(s->reference_table), d = s->d;
    bool fits = d == 0 || n <= SIZE_MAX / sizeof(double) / (d + 2);
    s->reference_block = fits ? gpai_calloc(n * (d + 2), sizeof(double)) : NULL;
    if (s->reference_block == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory for the reference");
    s->reference = (gpa_sample){.x = s->reference_block, .n = n, .d = d};
    return gpai_study_fill(s, s->reference_table, s->reference_columns,
                           s->reference_block, err);
}

gpa_status gpai_study_observe(gpa_study *s, gpa_error *err)
{
    if (!s->observed)
        return GPA_OK;
    return take_observed(s, s->reference_block + s->reference.n * s->d, err);
}

/* Whether the unit of an input matters: what is held or has levels does not change by
 * units. */
static bool has_unit(const gpa_study *s, size_t k)
{
    return s->kinds[k].kind != GPA_KIND_HELD && s->kinds[k].levels == 0;
}

/* "pressure and flow"; gives how many there are. */
static size_t name_constant(const gpa_study *s, const bool *constant, char *names,
                            size_t size)
{
    enum { NAMED = 4 };
    size_t used = 0, count = 0;
    for (size_t k = 0; k < s->d; k++) {
        if (!constant[k] || !has_unit(s, k) || count++ >= NAMED)
            continue;
        used +=
            (size_t)snprintf(names + used, size - used, "%s%.40s",
                             count > 1 ? ", " : "", gpai_show_text(s->inputs[k]).text);
    }
    if (count > NAMED)
        snprintf(names + used, size - used, " and %zu more", count - NAMED);
    return count;
}

static void warn_constant(gpa_study *s, const bool *constant, size_t n,
                          const char *where)
{
    char names[300] = "";
    size_t count = name_constant(s, constant, names, sizeof names);
    if (count > 0 && n < 5)
        gpai_study_say(
            s, "warning: fewer than 5 rows in %s: the unit of every input is 1", where);
    else if (count > 0)
        gpai_study_say(s,
                       "warning: %s %s not change in %s, so a usual change of %s is "
                       "taken as 1; --scale FILE gives a better one",
                       names, count > 1 ? "do" : "does", where,
                       count > 1 ? "each" : "it");
}

/* Inputs without spread in the file have the unit of the reference, where they have
 * some. */
static gpa_status borrow_units(gpa_study *s, bool *constant, gpa_error *err)
{
    size_t d = s->d;
    double *center = gpai_calloc(d, 2 * sizeof *center);
    bool *also = gpai_calloc(d, sizeof *also);
    gpa_status st = center == NULL || also == NULL
                        ? gpai_nomem(err, "study")
                        : gpa_scale_fit(s->reference.x, s->reference.n, d, center,
                                        center + d, also, err);
    for (size_t k = 0; k < d && st == GPA_OK; k++)
        if (constant[k] && !also[k]) {
            constant[k] = false;
            s->center[k] = center[k];
            s->unit[k] = center[d + k];
        }
    gpai_free(also);
    gpai_free(center);
    return st;
}

/* `borrow`: nobody said whose units they are to be. */
static gpa_status fit_units(gpa_study *s, const gpa_sample *rows, const char *where,
                            bool borrow, gpa_error *err)
{
    bool *constant = gpai_calloc(s->d, sizeof *constant);
    if (constant == NULL)
        return gpai_nomem(err, "study");
    gpa_status st =
        gpa_scale_fit(rows->x, rows->n, s->d, s->center, s->unit, constant, err);
    if (st == GPA_OK && borrow && s->stuck < s->d)
        st = borrow_units(s, constant, err);
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
    if (o->numbers[OPT_SCALE].at != NULL)
        return take_units(s, o->numbers[OPT_SCALE].at, o->numbers[OPT_SCALE].n, err);
    if (gpai_options_is(o, OPT_SCALE, "reference") ||
        (!o->given[OPT_SCALE] && s->observed))
        return fit_units(s, &s->reference, "the reference", false, err);
    if (!o->given[OPT_SCALE] || gpai_options_is(o, OPT_SCALE, "data"))
        return fit_units(s, &s->sample, "the data", !o->given[OPT_SCALE], err);
    if (!gpai_options_is(o, OPT_SCALE, "none"))
        return gpai_scale_read(o->text[OPT_SCALE], s->inputs, s->d, s->center, s->unit,
                               err);
    for (size_t k = 0; k < s->d; k++) {
        s->center[k] = 0;
        s->unit[k] = 1;
    }
    return GPA_OK;
}
