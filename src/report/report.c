#include <gpa/report.h>

#include "base/status.h"
#include "base/text/text.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

void gpa_report_info_init_sized(gpa_report_info *info, size_t size)
{
    if (info == NULL)
        return;
    static const gpa_report_info defaults = {.seed = 1};
    memset(info, 0, size);
    memcpy(info, &defaults, size < sizeof defaults ? size : sizeof defaults);
    info->struct_size = size;
}

gpa_report_info gpai_report_info(const gpa_report_info *info)
{
    gpa_report_info full;
    gpa_report_info_init(&full);
    if (info != NULL && info->struct_size > 0)
        memcpy(&full, info,
               info->struct_size < sizeof full ? info->struct_size : sizeof full);
    return full;
}

gpa_status gpai_report_check(const gpa_text *t, gpa_format format, gpa_error *err)
{
    if (t == NULL)
        return gpai_fail(err, GPA_INVALID, "report: no text to write into");
    if ((int)format < GPA_FORMAT_TABLE || format > GPA_FORMAT_HTML)
        return gpai_fail(err, GPA_INVALID, "report: no format %d", (int)format);
    return GPA_OK;
}

/* Ends a piece of writing; nothing half-written stays. */
static gpa_status seal(gpa_text *t, size_t start, gpa_status st, gpa_error *err)
{
    t->failed = t->failed || st != GPA_OK;
    gpa_status sealed = gpai_text_seal(t, start, st == GPA_OK ? err : NULL);
    return st != GPA_OK ? st : sealed;
}

gpa_status gpa_report_begin(gpa_text *t, gpa_format format, const gpa_report_info *info,
                            const gpa_explanation *first, gpa_error *err)
{
    gpa_status st = gpai_report_check(t, format, err);
    if (st != GPA_OK)
        return st;
    const gpa_report_info full = gpai_report_info(info);
    size_t start = t->length;
    switch (format) {
    case GPA_FORMAT_TABLE:
        break;
    case GPA_FORMAT_JSON:
        gpai_json_begin(t, &full, first);
        break;
    case GPA_FORMAT_CSV:
        gpai_csv_begin(t);
        break;
    case GPA_FORMAT_HTML:
        gpai_html_begin(t, &full, first);
        break;
    }
    return gpai_text_seal(t, start, err);
}

gpa_status gpa_report_explanation(gpa_text *t, gpa_format format,
                                  const gpa_report_info *info, const gpa_explanation *e,
                                  size_t index, gpa_error *err)
{
    gpa_status st = gpai_report_check(t, format, err);
    if (st == GPA_OK && e == NULL)
        st = gpai_fail(err, GPA_INVALID, "report: no explanation");
    if (st != GPA_OK)
        return st;
    const gpa_report_info full = gpai_report_info(info);
    size_t start = t->length;
    switch (format) {
    case GPA_FORMAT_TABLE:
        st = gpai_table_explanation(t, &full, e, index, err);
        break;
    case GPA_FORMAT_JSON:
        st = gpai_json_explanation(t, &full, e, index, err);
        break;
    case GPA_FORMAT_CSV:
        gpai_csv_explanation(t, &full, e, index);
        break;
    case GPA_FORMAT_HTML:
        st = gpai_html_explanation(t, &full, e, index, err);
        break;
    }
    return seal(t, start, st, err);
}

gpa_status gpa_report_end(gpa_text *t, gpa_format format, const gpa_report_info *info,
                          gpa_error *err)
{
    gpa_status st = gpai_report_check(t, format, err);
    if (st != GPA_OK)
        return st;
    const gpa_report_info full = gpai_report_info(info);
    size_t start = t->length;
    if (format == GPA_FORMAT_JSON)
        gpai_json_end(t);
    else if (format == GPA_FORMAT_HTML)
        st = gpai_html_end(t, &full, err);
    return seal(t, start, st, err);
}

static gpa_status check_list(const gpa_score_list *list, gpa_error *err)
{
    const gpa_sample *s = list != NULL ? list->sample : NULL;
    if (s == NULL || s->y == NULL || s->f == NULL || list->score == NULL ||
        (list->order == NULL && list->n_shown > 0))
        return gpai_fail(err, GPA_INVALID, "report: scores need y, f, score and order");
    for (size_t i = 0; i < list->n_shown; i++)
        if (list->order[i] >= s->n)
            return gpai_fail(err, GPA_INVALID, "report: row %zu of %zu rows",
                             list->order[i], s->n);
    return GPA_OK;
}

gpa_status gpa_report_scores(gpa_text *t, gpa_format format,
                             const gpa_report_info *info, const gpa_score_list *list,
                             gpa_error *err)
{
    gpa_status st = gpai_report_check(t, format, err);
    if (st == GPA_OK)
        st = check_list(list, err);
    if (st != GPA_OK)
        return st;
    const gpa_report_info full = gpai_report_info(info);
    size_t start = t->length;
    switch (format) {
    case GPA_FORMAT_TABLE:
        gpai_table_scores(t, &full, list);
        break;
    case GPA_FORMAT_JSON:
        gpai_json_scores(t, &full, list);
        break;
    case GPA_FORMAT_CSV:
        gpai_csv_scores(t, &full, list);
        break;
    case GPA_FORMAT_HTML:
        return gpai_fail(err, GPA_UNSUPPORTED, "report: no page for scores");
    }
    return gpai_text_seal(t, start, err);
}
