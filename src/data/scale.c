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

/* Quantile of sorted values by linear interpolation, as numpy.percentile does it, down
 * to which end it counts from. */
static double quantile(const double *v, size_t n, double q)
{
    double at = q * (double)(n - 1), whole = floor(at), t = at - whole;
    size_t i = (size_t)whole;
    double a = v[i], b = v[i + 1 < n ? i + 1 : i];
    return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
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

/* Centre and unit of n sorted values; false when the unit is 1 for lack of spread. */
static bool fit_sorted(const double *v, size_t n, double *center, double *unit)
{
    *center = n > 0 ? quantile(v, n, 0.5) : 0;
    *unit = 1;
    if (n < ROWS_NEEDED || v[0] == v[n - 1])
        return false;
    double spread = (quantile(v, n, 0.75) - quantile(v, n, 0.25)) / IQR_NORMAL;
    if (!(spread > 0))
        spread = deviation(v, n);
    if (!(spread > 0)) /* squares too small for a double */
        return false;
    *unit = spread;
    return true;
}

/* One column, through `v`, which has room for n values. */
static gpa_status fit_column(const double *x, size_t n, size_t d, size_t k, double *v,
                             double *center, double *unit, bool *fallback,
                             gpa_error *err)
{
    size_t present = 0;
    for (size_t i = 0; i < n; i++) {
        double value = x[i * d + k];
        if (isinf(value))
            return gpai_fail(err, GPA_NUMERIC, "scale: row %zu, column %zu is infinite",
                             i, k);
        if (!isnan(value))
            v[present++] = value;
    }
    gpai_sort(v, present);
    bool spread = fit_sorted(v, present, &center[k], &unit[k]);
    if (fallback != NULL)
        fallback[k] = !spread;
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
