#ifndef GPAI_WRITE_COMPARE_H
#define GPAI_WRITE_COMPARE_H
#include "base/text/text.h"
#include <gpa/compare.h>

/* The formats behind gpa_report_comparison; as in write.h each only adds to `t`. */
gpa_status gpai_table_comparison(gpa_text *t, const gpa_report_info *info,
                                 const gpa_comparison *c, gpa_error *err);
void gpai_json_comparison(gpa_text *t, const gpa_report_info *info,
                          const gpa_comparison *c);
/* Its rows and what they come to, without what holds for the run. */
void gpai_json_comparison_body(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c);
void gpai_csv_comparison(gpa_text *t, const gpa_report_info *info,
                         const gpa_comparison *c);
gpa_status gpai_html_comparison(gpa_text *t, const gpa_report_info *info,
                                const gpa_comparison *c, gpa_error *err);

#endif
