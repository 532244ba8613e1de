#include "base/status.h"
#include "report/write.h"
#include "report/write_compare.h"
#include <gpa/report.h>

gpa_status gpa_report_comparison(gpa_text *t, gpa_format format,
                                 const gpa_report_info *info, const gpa_comparison *c,
                                 gpa_error *err)
{
    gpa_status st = gpai_report_check(t, format, err);
    if (st == GPA_OK && c == NULL)
        st = gpai_fail(err, GPA_INVALID, "report: no comparison");
    if (st != GPA_OK)
        return st;
    const gpa_report_info full = gpai_report_info(info);
    size_t start = t->length;
    switch (format) {
    case GPA_FORMAT_TABLE:
        st = gpai_table_comparison(t, &full, c, err);
        break;
    case GPA_FORMAT_JSON:
        gpai_json_comparison(t, &full, c);
        break;
    case GPA_FORMAT_CSV:
        gpai_csv_comparison(t, &full, c);
        break;
    case GPA_FORMAT_HTML:
        st = gpai_html_comparison(t, &full, c, err);
        break;
    }
    if (st != GPA_OK)
        t->failed = true; /* so that nothing half-written stays */
    gpa_status sealed = gpai_text_seal(t, start, err);
    return st != GPA_OK ? st : sealed;
}
