#ifndef GPAI_COMPARE_VIEW_H
#define GPAI_COMPARE_VIEW_H
#include "base/text/text.h"
#include <gpa/compare.h>

/* What reports of a comparison need to know. Rows i, methods j, inputs k. */

const char *gpai_method_label(const gpa_comparison *c, size_t j);
/* The same over its scores in a row: those of gpa are one of its two answers, where it
 * has both. */
const char *gpai_score_label(const gpa_comparison *c, size_t i, size_t j);

/* A score, and the largest size of a method's scores; NaN where it says nothing. */
double gpai_compare_score(const gpa_comparison *c, size_t i, size_t j, size_t k);
double gpai_compare_largest(const gpa_comparison *c, size_t i, size_t j);

/* What gpa says about who is responsible in a row, d probabilities; NULL where it says
 * nothing of that in any row. `output`, if not NULL: of the outcome or the model. */
const double *gpai_compare_responsible(const gpa_comparison *c, size_t i,
                                       double *output);

/* In how many rows a method reacted to y, of how many where that is known. */
size_t gpai_compare_reacted(const gpa_comparison *c, size_t j, size_t *known);
/* Rows asked of the model for one row, on average over those it answered; NaN: none. */
double gpai_compare_model_rows(const gpa_comparison *c, size_t j);
/* Why a method says nothing about any row; NULL when it says something. */
const char *gpai_compare_silent(const gpa_comparison *c, size_t j);

/* Sentences, safe to show. Which input has the largest score, by whom: "bmi (GPA, LC),
 * s5 (IG)". Who reacts to y and who does not. */
void gpai_say_tops(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                   size_t i);
/* The verdict on a row, as its explanation says it; nothing where it is not known. */
void gpai_say_compared_verdict(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, size_t i);
/* What a positive score says, by method. */
void gpai_say_signs(gpa_text *t, const gpa_comparison *c);
void gpai_say_reacts(gpa_text *t, const gpa_comparison *c);
bool gpai_reacts_known(const gpa_comparison *c);
/* In how many rows each method agrees with who is responsible; false: that is of no row
 * known, and nothing is said. */
bool gpai_say_same_first(gpa_text *t, const gpa_comparison *c);
/* "row 63 (pump 7)" and "y = 99 was observed, f = 238.03 predicted". */
void gpai_say_compared_row(gpa_text *t, const gpa_report_info *info,
                           const gpa_comparison *c, size_t i);
void gpai_say_compared_y(gpa_text *t, const gpa_report_info *info,
                         const gpa_comparison *c, size_t i);

/* What the user should know, each line once: calls `line` with a method, the first of
 * its rows that says so (n: all rows) and the words. gpai_say_who names them: "LC, row
 * 63", or "EIG, SV" for all methods of which the same holds in all rows. */
typedef void (*gpai_remark_fn)(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, size_t j, size_t i,
                               const char *words);
void gpai_say_who(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                  size_t j, size_t i, const char *words);
void gpai_compare_remarks(gpa_text *t, const gpa_report_info *info,
                          const gpa_comparison *c, gpai_remark_fn line);

#endif
