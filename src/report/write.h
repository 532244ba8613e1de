#ifndef GPAI_WRITE_H
#define GPAI_WRITE_H
#include "report/view.h"

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
typedef void gpai_begin_fn(gpa_text *t, const gpa_report_info *info,
                           const gpa_explanation *e);
typedef gpa_status gpai_explanation_fn(gpa_text *t, const gpai_view *v, size_t index,
                                       gpa_error *err);
typedef gpa_status gpai_end_fn(gpa_text *t, const gpa_report_info *info,
                               gpa_error *err);
typedef void gpai_scores_fn(gpa_text *t, const gpa_report_info *info,
                            const gpa_score_list *list);
typedef gpa_status gpai_comparison_fn(gpa_text *t, const gpa_report_info *info,
                                      const gpa_comparison *c, gpa_error *err);

gpai_begin_fn gpai_table_begin, gpai_json_begin, gpai_csv_begin, gpai_html_begin;
gpai_explanation_fn gpai_json_explanation, gpai_csv_explanation;
gpai_explanation_fn gpai_table_explanation, gpai_html_explanation;
gpai_end_fn gpai_json_end, gpai_html_end;
gpai_scores_fn gpai_json_scores, gpai_csv_scores, gpai_table_scores;
gpai_comparison_fn gpai_json_comparison, gpai_csv_comparison;
gpai_comparison_fn gpai_table_comparison, gpai_html_comparison;

void gpai_json_answer(gpa_text *t, const gpai_view *v);

/* "verdict" and "culprit" of an explanation, for a record of one's own. */
void gpai_json_blame_fields(gpa_text *t, const gpai_view *v);

/* The rows of a comparison and what they come to, without what holds for the run. */
void gpai_json_comparison_body(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c);

#endif
