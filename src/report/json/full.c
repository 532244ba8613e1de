#include "report/json/full.h"
#include "base/text/json.h"
#include "report/view.h"
#include <math.h>

static size_t row_of(const gpa_background *b, size_t i)
{
    return b->rows != NULL ? b->rows[i] : i;
}

/* Which rows these are, in words. */
static void kept_field(gpa_text *t, const gpa_background *b)
{
    gpai_json_key(t, "kept");
    if (b->n >= b->total)
        gpai_text_add(t, "\"all rows\"");
    else
        gpai_text_printf(t,
                         "\"%zu of %zu rows: evenly spaced ones and those that are "
                         "explained\"",
                         b->n, b->total);
}

static void x_field(gpa_text *t, const gpa_background *b)
{
    bool whole = true;
    gpai_json_key(t, "x");
    gpai_text_add(t, "[");
    for (size_t i = 0; i < b->n; i++) {
        gpai_text_add(t, i > 0 ? "," : "");
        whole = gpai_json_number_list(t, b->x + i * b->d, b->d) && whole;
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, "x", "missing in the data");
}

/* The names of all rows, where they have names. */
static void ids_field(gpa_text *t, const gpa_report_info *info)
{
    char room[GPAI_NAME_SIZE];
    const gpa_background *b = info->background;
    if (info->ids == NULL)
        return;
    gpai_json_new_line(t);
    gpai_json_key(t, "ids");
    gpai_text_add(t, "[");
    for (size_t i = 0; i < b->n; i++) {
        gpai_text_add(t, i > 0 ? "," : "");
        gpai_json_string(t, gpai_name_row(info, row_of(b, i), room));
    }
    gpai_text_add(t, "]");
}

static void background_field(gpa_text *t, const gpa_report_info *info)
{
    const gpa_background *b = info->background;
    gpai_json_key(t, "background");
    gpai_text_add(t, "{");
    gpai_json_count_field(t, "total", b->total);
    kept_field(t, b);
    gpai_json_new_line(t);
    gpai_json_key(t, "rows");
    for (size_t i = 0; i < b->n; i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? "," : "[", row_of(b, i));
    gpai_text_add(t, b->n > 0 ? "]" : "[]");
    ids_field(t, info);
    gpai_json_new_line(t);
    x_field(t, b);
    gpai_json_new_line(t);
    gpai_json_array_field(t, "y", b->y, b->n, "missing in the data");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "f", b->f, b->n, "no finite prediction");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "score", b->score, b->n, "sigma is not known");
    gpai_text_add(t, "}");
}

void gpai_json_background_fields(gpa_text *t, const gpa_report_info *info)
{
    gpai_json_text_field(t, "target", info->target);
    gpai_json_new_line(t);
    if (info->background != NULL)
        background_field(t, info);
    else
        gpai_json_null_field(t, "background", "not known");
    gpai_json_new_line(t);
}

/* f of one row at all points; in the explanation a point's rows stand together. */
static bool row_list(gpa_text *t, const gpa_axis *a, size_t n, size_t row)
{
    char number[GPAI_REAL_SIZE];
    bool whole = true;
    gpai_text_add(t, "[");
    for (size_t i = 0; i < a->points; i++) {
        double f = a->f[i * n + row];
        gpai_real_digits(number, f, 17);
        gpai_text_add(t, i > 0 ? "," : "");
        gpai_text_add(t, isfinite(f) ? number : "null");
        whole = whole && isfinite(f);
    }
    gpai_text_add(t, "]");
    return whole;
}

static void profile(gpa_text *t, const gpa_report_info *info, const gpa_axis *a,
                    size_t n, size_t k)
{
    char room[GPAI_NAME_SIZE];
    bool whole = true;
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "feature", gpai_name_feature(info, k, room));
    gpai_json_curve_field(t, "change", a->change, a->points, "not finite");
    gpai_json_key(t, "f");
    gpai_text_add(t, "[");
    for (size_t row = 0; row < n; row++) {
        gpai_text_add(t, row > 0 ? "," : "");
        whole = row_list(t, a, n, row) && whole;
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, "f", "no finite prediction");
    gpai_text_add(t, "}");
}

void gpai_json_profiles_field(gpa_text *t, const gpa_report_info *info,
                              const gpa_explanation *e)
{
    bool first = true;
    gpai_json_key(t, "profiles");
    gpai_text_add(t, "[");
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        const gpa_axis *a = gpa_explanation_axis(e, k);
        if (a == NULL)
            continue;
        gpai_text_add(t, first ? "\n  " : ",\n  ");
        profile(t, info, a, gpa_explanation_rows(e), k);
        first = false;
    }
    gpai_text_add(t, "]");
    if (first)
        gpai_json_reason(t, "profiles", "f along the inputs was not asked");
}
