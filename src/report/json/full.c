#include "base/text/json.h"
#include "report/json/parts.h"
#include "report/view.h"

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

/* The names of all rows, where they have names. */
static void ids_field(gpa_text *t, const gpa_report_info *info)
{
    char room[GPAI_NAME_SIZE];
    const gpa_background *b = info->background;
    if (info->ids == NULL)
        return;
    gpai_json_new_line(t);
    gpai_json_open(t, "ids", "[");
    for (size_t i = 0; i < b->n; i++)
        gpai_json_text_item(t, gpai_name_row(info, gpai_reference_row(b, i), room));
    gpai_text_add(t, "]");
}

static void reference_field(gpa_text *t, const gpa_report_info *info)
{
    const gpa_background *b = info->background;
    gpai_json_open(t, "background", "{");
    gpai_json_count_field(t, "total", b->total);
    kept_field(t, b);
    gpai_json_new_line(t);
    gpai_json_open(t, "rows", "[");
    for (size_t i = 0; i < b->n; i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? "," : "", gpai_reference_row(b, i));
    gpai_text_add(t, "]");
    ids_field(t, info);
    gpai_json_new_line(t);
    gpai_json_table_field(t, "x", b->x, b->n, b->d, "missing in the data");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "y", b->y, b->n, "missing in the data");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "f", b->f, b->n, "no finite prediction");
    gpai_json_new_line(t);
    gpai_json_array_field(t, "score", b->score, b->n, "sigma is not known");
    gpai_text_add(t, "}");
}

void gpai_json_reference_fields(gpa_text *t, const gpa_report_info *info)
{
    gpai_json_text_field(t, "target", info->target);
    gpai_json_new_line(t);
    if (info->background != NULL)
        reference_field(t, info);
    else
        gpai_json_null_field(t, "background", "not known");
    gpai_json_new_line(t);
}

/* f of one row after the other; in the explanation a point's rows stand together. */
static void profile(gpa_text *t, const gpa_report_info *info, const gpa_axis *a,
                    size_t n, size_t k)
{
    char room[GPAI_NAME_SIZE];
    bool whole = true;
    gpai_json_comma(t);
    gpai_text_add(t, "\n  {");
    gpai_json_text_field(t, "feature", gpai_name_input(info, k, room));
    gpai_json_curve_field(t, "change", a->change, a->points, "not finite");
    gpai_json_open(t, "f", "[");
    for (size_t row = 0; row < n; row++) {
        gpai_json_comma(t);
        whole = gpai_json_curve(t, a->f + row, a->points, n) && whole;
    }
    gpai_text_add(t, "]");
    if (!whole)
        gpai_json_reason(t, "f", "no finite prediction");
    gpai_text_add(t, "}");
}

void gpai_json_profiles_field(gpa_text *t, const gpa_report_info *info,
                              const gpa_explanation *e)
{
    size_t known = 0;
    gpai_json_open(t, "profiles", "[");
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        const gpa_axis *a = gpa_explanation_axis(e, k);
        known += a != NULL;
        if (a != NULL)
            profile(t, info, a, gpa_explanation_rows(e), k);
    }
    gpai_text_add(t, "]");
    if (known == 0)
        gpai_json_reason(t, "profiles", "f along the inputs was not asked");
}
