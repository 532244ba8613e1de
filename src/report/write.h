#ifndef GPAI_WRITE_H
#define GPAI_WRITE_H
#include "base/text/text.h"

/* The caller's info, possibly of an older and shorter layout, over fresh defaults. */
gpa_report_info gpai_report_info(const gpa_report_info *info);
/* GPA_INVALID without a text, or for a format that is none. */
gpa_status gpai_report_check(const gpa_text *t, gpa_format format, gpa_error *err);

/* The formats behind gpa_report_*. Each piece only adds to `t`; a text that ran out of
 * memory is dealt with by the caller. `info` is complete (never an older, shorter one).
 */
void gpai_json_begin(gpa_text *t, const gpa_report_info *info,
                     const gpa_explanation *e);
gpa_status gpai_json_explanation(gpa_text *t, const gpa_report_info *info,
                                 const gpa_explanation *e, size_t index,
                                 gpa_error *err);
void gpai_json_end(gpa_text *t);
void gpai_json_scores(gpa_text *t, const gpa_report_info *info,
                      const gpa_score_list *list);

void gpai_csv_begin(gpa_text *t);
void gpai_csv_explanation(gpa_text *t, const gpa_report_info *info,
                          const gpa_explanation *e, size_t index);
void gpai_csv_scores(gpa_text *t, const gpa_report_info *info,
                     const gpa_score_list *list);

gpa_status gpai_table_explanation(gpa_text *t, const gpa_report_info *info,
                                  const gpa_explanation *e, size_t index,
                                  gpa_error *err);
void gpai_table_scores(gpa_text *t, const gpa_report_info *info,
                       const gpa_score_list *list);

void gpai_html_begin(gpa_text *t, const gpa_report_info *info,
                     const gpa_explanation *e);
gpa_status gpai_html_explanation(gpa_text *t, const gpa_report_info *info,
                                 const gpa_explanation *e, size_t index,
                                 gpa_error *err);
gpa_status gpai_html_end(gpa_text *t, const gpa_report_info *info, gpa_error *err);

#endif
