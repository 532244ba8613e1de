#ifndef GPAI_WRITE_FULL_H
#define GPAI_WRITE_FULL_H
#include "base/text/text.h"

/* How every result begins: format, version, options, digests. */
void gpai_json_head(gpa_text *t, const gpa_report_info *info, const char *format);

/* What JSON holds besides when pictures are to be drawn from it (info->full). */

/* The outcome's name and the rows to see the explained ones against. */
void gpai_json_background_fields(gpa_text *t, const gpa_report_info *info);
/* f along the inputs of an explanation. */
void gpai_json_profiles_field(gpa_text *t, const gpa_report_info *info,
                              const gpa_explanation *e);

#endif
