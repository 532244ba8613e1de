#include <gpa/data.h>

#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/json.h"
#include "data/table.h"
#include <math.h>
#include <string.h>

/* Centre and unit of inputs: fitted to data, or read from a file. */

/* With fewer values a spread means nothing. */
enum { ROWS_NEEDED = 5 };

/* The IQR of a normal distribution in standard deviations. */
static const double IQR_NORMAL = 1.349;

enum { SCALE_FILE_MAX = 1 << 28 };

/* Quartiles by linear interpolation, as numpy.percentile does it, down to which end it
 * counts from. Overwrites the n values. */
static void find_quartiles(double *v, size_t n, double quartile[3])
{
    size_t place[6], at[6];
    for (size_t i = 0; i < 3; i++) {
        place[2 * i] = (size_t)(0.25 * (double)(i + 1) * (double)(n - 1));
        place[2 * i + 1] = place[2 * i] + 1 < n ? place[2 * i] + 1 : n - 1;
    }
    gpai_sort_around(v, n, place, 6, at);
    for (size_t i = 0; i < 3; i++) {
        double t = 0.25 * (double)(i + 1) * (double)(n - 1), a = v[at[2 * i]],
               b = v[at[2 * i + 1]];
        t -= floor(t);
        quartile[i] = t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
    }
}

/* Standard deviation, divided by n. Around the first value, so that a large common part
 * costs no digits. */
static double deviation(const double *v, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] - v[0];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double r = v[i] - v[0] - mean;
        squares += r * r;
    }
    return sqrt(squares / (double)n);
}

/* Column k of n rows: the values that are there, into v. Gives their number. */
static size_t take_column(const double *x, size_t n, size_t d, size_t k, double *v)
{
    size_t present = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i * d + k]))
            v[present++] = x[i * d + k];
    return present;
}

static void find_range(const double *v, size_t n, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        *low = v[i] < *low ? v[i] : *low;
        *high = v[i] > *high ? v[i] : *high;
    }
}

/* The first row that is infinite there. */
static gpa_status refuse_infinite(const double *x, size_t n, size_t d, size_t k,
                                  gpa_error *err)
{
    size_t row = 0;
    while (row < n && !isinf(x[row * d + k]))
        row++;
    return gpai_fail(err, GPA_NUMERIC, "scale: row %zu, column %zu is infinite", row,
                     k);
}

/* One column, through `v`, which has room for n values. The unit is 1, and `fallback`
 * says so, for lack of spread. */
static gpa_status fit_column(const double *x, size_t n, size_t d, size_t k, double *v,
                             double *center, double *unit, bool *fallback,
                             gpa_error *err)
{
    double low, high, quartile[3] = {0}, spread = 0;
    size_t present = take_column(x, n, d, k, v);
    find_range(v, present, &low, &high);
    if (present > 0 && (isinf(low) || isinf(high)))
        return refuse_infinite(x, n, d, k, err);
    if (present > 0)
        find_quartiles(v, present, quartile);
    if (present >= ROWS_NEEDED && low < high) {
        spread = (quartile[2] - quartile[0]) / IQR_NORMAL;
        if (!(spread > 0)) {
            gpai_sort(v, take_column(x, n, d, k, v));
            spread = deviation(v, present);
        }
    }
    /* squares may be too small for a double */
    center[k] = quartile[1];
    unit[k] = spread > 0 ? spread : 1;
    if (fallback != NULL)
        fallback[k] = !(spread > 0);
    if (!isfinite(center[k]) || !isfinite(unit[k]))
        return gpai_fail(err, GPA_NUMERIC,
                         "scale: column %zu spreads beyond all numbers", k);
    return GPA_OK;
}

gpa_status gpa_scale_fit(const double *x, size_t n, size_t d, double *center,
                         double *unit, bool *fallback, gpa_error *err)
{
    if (x == NULL || n == 0 || d == 0 || center == NULL || unit == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "scale: no data, or nowhere to put the scale");
    double *v = gpai_calloc(n, sizeof *v);
    if (v == NULL)
        return gpai_nomem(err, "scale");
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < d && st == GPA_OK; k++)
        st = fit_column(x, n, d, k, v, center, unit, fallback, err);
    gpai_free(v);
    return st;
}

/* Numbers by name of the input. */
static gpa_status read_object(const gpai_value *object, const char *path,
                              const char *what, const char *const *inputs, size_t d,
                              double *out, gpa_error *err)
{
    if (inputs == NULL)
        return gpai_fail_file(err, GPA_INVALID, path,
                              "%s is by name, and the inputs have none", what);
    for (size_t k = 0; k < d; k++) {
        const gpai_value *item = gpai_value_get(object, inputs[k]);
        gpai_shown name = gpai_show_text(inputs[k]);
        if (item == NULL)
            return gpai_fail_file(err, GPA_INVALID, path, "%s has no \"%s\"", what,
                                  name.text);
        if (!gpai_value_is_number(item))
            return gpai_bad_file(err, path, "%s of \"%s\" is not a number", what,
                                 name.text);
        out[k] = gpai_value_number(item);
    }
    return GPA_OK;
}

/* `what` of the file: a list in the order of the inputs, or an object by name. */
static gpa_status read_part(const gpai_value *root, const char *path, const char *what,
                            const char *const *inputs, size_t d, double *out,
                            gpa_error *err)
{
    const gpai_value *part = gpai_value_get(root, what);
    if (part == NULL)
        return gpai_bad_file(
            err, path, "no \"%s\" (expected {\"center\":[...],\"unit\":[...]})", what);
    if (gpai_value_is_object(part))
        return read_object(part, path, what, inputs, d, out, err);
    return gpai_json_numbers(part, d, out, path, what, err);
}

static gpa_status check_units(const double *unit, size_t d, const char *path,
                              const char *const *inputs, gpa_error *err)
{
    for (size_t k = 0; k < d; k++)
        if (!(unit[k] > 0))
            return gpai_fail_file(err, GPA_INVALID, path,
                                  "the unit of input %zu%s%s is not positive", k + 1,
                                  inputs != NULL ? ", " : "",
                                  inputs != NULL ? gpai_show_text(inputs[k]).text : "");
    return GPA_OK;
}

gpa_status gpai_scale_read(const char *path, const char *const *inputs, size_t d,
                           double *center, double *unit, gpa_error *err)
{
    gpai_value *root = NULL;
    if (path == NULL || d == 0 || center == NULL || unit == NULL)
        return gpai_fail(err, GPA_INVALID, "scale: no file name or nowhere to put it");
    gpa_status st = gpai_json_read(&root, path, SCALE_FILE_MAX, err);
    if (st == GPA_OK)
        st = read_part(root, path, "center", inputs, d, center, err);
    if (st == GPA_OK)
        st = read_part(root, path, "unit", inputs, d, unit, err);
    if (st == GPA_OK)
        st = check_units(unit, d, path, inputs, err);
    gpai_value_free(root);
    return st;
}
