#ifndef GPAI_VIEW_H
#define GPAI_VIEW_H
#include "report/text.h"

/* What the reports for people need to know about one explanation, worked out once. */
typedef struct gpai_view {
    const gpa_explanation *e;
    const gpa_report_info *info;
    const gpa_summary *s;
    size_t n, d;
    const double *x, *y, *f, *score, *f_moved, *b, *unit, *delta, *raw;
    size_t *order;   /* the inputs by falling |delta|, ties as they stand; owned */
    size_t moved;    /* how many have delta != 0: they come first in `order` */
    size_t carriers; /* the first few of them, up to 80 % of |delta|_1 */
    double carried;  /* their share of it */
    double gap;      /* mean of y - f */
    double f_mean, y_mean, moved_mean, score_mean;
    double closed; /* share of sum |y - f| that the change takes away */
} gpai_view;

gpa_status gpai_view_make(gpai_view *v, const gpa_report_info *info,
                          const gpa_explanation *e, gpa_error *err);
void gpai_view_free(gpai_view *v);

/* Mean of input k over the explained rows: its value when there is one row. */
double gpai_view_x(const gpai_view *v, size_t k);

/* Names as they are, not yet safe to show; `room` is used when there is none. */
enum { GPAI_NAME_SIZE = 24 };
const char *gpai_name_feature(const gpa_report_info *info, size_t k, char *room);
const char *gpai_name_row(const gpa_report_info *info, size_t row, char *room);

/* The same, made safe to show. */
void gpai_view_feature(gpa_text *t, const gpai_view *v, size_t k, size_t columns);

/* A number with a proper minus sign; `plus` marks positive ones too. */
void gpai_text_minus(gpa_text *t, const char *number, bool plus, bool ascii);

/* Plain sentences, safe to show: which row, what happened there, what would explain it.
 */
void gpai_say_rows(gpa_text *t, const gpai_view *v);
void gpai_say_what(gpa_text *t, const gpai_view *v);
void gpai_say_why(gpa_text *t, const gpai_view *v);
/* How the run went: rows, calls, convergence. */
void gpai_say_run(gpa_text *t, const gpai_view *v);

#endif
