#ifndef GPAI_REPORT_PAGE_H
#define GPAI_REPORT_PAGE_H
#include <gpa/report.h>

/* For a page that shows rows and draws answers itself. */

/* "inputs": […]: the n by d inputs as the user sees them, with what was seen of each;
 * "target": the same of the outcome. Of `info` only names, units and kinds count. */
gpa_status gpai_report_inputs(gpa_text *t, const gpa_report_info *info, const double *x,
                              size_t n, size_t d, gpa_error *err);
gpa_status gpai_report_target(gpa_text *t, const gpa_report_info *info, const double *y,
                              size_t n, gpa_error *err);

#endif
