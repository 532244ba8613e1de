#ifndef GPAI_HTML_PARTS_H
#define GPAI_HTML_PARTS_H
#include "report/draw/draw.h"
#include "report/view.h"

/* The parts of an explanation in a page, from top to bottom. `full` adds the pictures;
 * without them an explanation takes a tenth of the room. */

/* The answer as a table: of each input how probably it is responsible, its value now,
 * where that lies in the data, and what would look normal; nothing without culprits.
 * And what its signs mean. */
void gpai_html_answer(gpa_text *t, const gpai_view *v, bool full);
void gpai_html_legend(gpa_text *t);
/* Many explanations at a glance: each is noted as it comes, the end tells. */
void gpai_html_note_case(gpa_text *t, const gpai_view *v, bool pictures);
size_t gpai_html_pictured(gpa_text *t); /* cases with pictures so far */
gpa_status gpai_html_summary(gpa_text *t, const gpa_report_info *info, gpa_error *err);
/* The numbers of every input; small curves where there are no pictures. */
void gpai_html_inputs(gpa_text *t, const gpai_view *v, bool full);

/* The pictures, each with the numbers behind it; nothing where there is nothing to
 * draw. */
gpa_status gpai_html_ridges(gpa_text *t, const gpai_view *v, gpa_error *err);
gpa_status gpai_html_profiles(gpa_text *t, const gpai_view *v, gpa_error *err);
gpa_status gpai_html_scatter(gpa_text *t, const gpai_view *v, gpa_error *err);
/* Once for the page: the scores of all rows. */
gpa_status gpai_html_scores(gpa_text *t, const gpa_report_info *info, gpa_error *err);

/* What holds for the whole table, in the head of a page. */
void gpai_html_notes(gpa_text *t, const gpa_report_info *info);

/* One of the sentences for people as text of the page. */
void gpai_html_say(gpa_text *t, const char *open, const gpai_view *v,
                   void (*say)(gpa_text *, const gpai_view *), const char *close);
/* A name of an input, cut when it is longer than a few lines; and what it is measured
 * in after it. */
void gpai_html_input(gpa_text *t, const gpai_view *v, size_t k, size_t columns);
void gpai_html_label(gpa_text *t, const gpai_view *v, size_t k, size_t columns);

/* As small as a word: a share of 1 as a bar; where input k, or the outcome, lies in the
 * data (`full`: with its histogram); the distribution of a change on an axis that the
 * first inputs share. */
void gpai_html_bar(gpa_text *t, double share);
void gpai_html_strip(gpa_text *t, const gpai_view *v, size_t k, bool full);
void gpai_html_strip_outcome(gpa_text *t, const gpai_view *v, bool full);
gpai_axis gpai_html_spark_axis(const gpai_view *v, size_t shown);
void gpai_html_spark(gpa_text *t, const gpai_axis *x, const gpa_marginal *m);

/* A value of an input. */
void gpai_html_value(gpa_text *t, const gpai_view *v, size_t k, double value);

/* A page that needs nothing but itself: its style, that of pictures and its script are
 * in it, and its policy forbids everything else. What is written between open and body
 * is its title, between body and close what it shows; `extra` is more style, or NULL;
 * `script` is the same in body and close, or NULL. */
void gpai_page_open(gpa_text *t);
void gpai_page_body(gpa_text *t, const char *extra, const char *script);
void gpai_page_close(gpa_text *t, const char *footnote, const char *script);

/* A name and a value in a list of details; nothing for NULL and for what is no number.
 */
void gpai_page_term(gpa_text *t, const char *name, const char *text);
void gpai_page_number(gpa_text *t, const char *name, double value);

#endif
