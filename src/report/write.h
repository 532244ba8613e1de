#ifndef GPAI_WRITE_H
#define GPAI_WRITE_H
#include "base/text/text.h"

/* What the caller says about the run, complete: its structs may be of an older and
 * shorter layout. `info` points to `background` where there are reference rows. */
typedef struct gpai_report {
    gpa_report_info info;
    gpa_background background;
} gpai_report;

/* Fills `r`; GPA_INVALID without a text to write into. */
gpa_status gpai_report_take(gpai_report *r, const gpa_text *t,
                            const gpa_report_info *info, gpa_error *err);

/* The formats behind gpa_report_*. Each piece only adds to `t`; a text that ran out of
 * memory is dealt with by the caller. `info` is complete. */
void gpai_json_begin(gpa_text *t, const gpa_report_info *info,
                     const gpa_explanation *e);
gpa_status gpai_json_explanation(gpa_text *t, const gpa_report_info *info,
                                 const gpa_explanation *e, size_t index,
                                 gpa_error *err);
gpa_status gpai_json_end(gpa_text *t, const gpa_report_info *info, gpa_error *err);
void gpai_json_scores(gpa_text *t, const gpa_report_info *info,
                      const gpa_score_list *list);
gpa_status gpai_json_comparison(gpa_text *t, const gpa_report_info *info,
                                const gpa_comparison *c, gpa_error *err);
/* Its rows and what they come to, without what holds for the run. */
void gpai_json_comparison_body(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c);

void gpai_csv_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e);
gpa_status gpai_csv_explanation(gpa_text *t, const gpa_report_info *info,
                                const gpa_explanation *e, size_t index, gpa_error *err);
void gpai_csv_scores(gpa_text *t, const gpa_report_info *info,
                     const gpa_score_list *list);
gpa_status gpai_csv_comparison(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, gpa_error *err);

gpa_status gpai_table_explanation(gpa_text *t, const gpa_report_info *info,
                                  const gpa_explanation *e, size_t index,
                                  gpa_error *err);
void gpai_table_scores(gpa_text *t, const gpa_report_info *info,
                       const gpa_score_list *list);
gpa_status gpai_table_comparison(gpa_text *t, const gpa_report_info *info,
                                 const gpa_comparison *c, gpa_error *err);

void gpai_html_begin(gpa_text *t, const gpa_report_info *info,
                     const gpa_explanation *e);
gpa_status gpai_html_explanation(gpa_text *t, const gpa_report_info *info,
                                 const gpa_explanation *e, size_t index,
                                 gpa_error *err);
gpa_status gpai_html_end(gpa_text *t, const gpa_report_info *info, gpa_error *err);
gpa_status gpai_html_comparison(gpa_text *t, const gpa_report_info *info,
                                const gpa_comparison *c, gpa_error *err);

#endif
