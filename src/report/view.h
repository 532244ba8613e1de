#ifndef GPAI_VIEW_H
#define GPAI_VIEW_H
#include "base/text/text.h"
#include "report/kinds.h"

/* Things in the order of falling `first`, then falling `second`, then as they stand. */
typedef struct gpai_placed {
    double first, second;
    size_t k;
} gpai_placed;
void gpai_placed_sort(gpai_placed *ranks, size_t n);

/* What the reports for people need to know about one explanation, worked out once. */
typedef struct gpai_view {
    const gpa_explanation *e;
    const gpa_report_info *info;
    const gpa_summary *s;
    const gpa_culprit *c;   /* NULL: no verdict */
    const char *unanswered; /* why the budget left no answer; NULL: there is one */
    size_t n, d;
    const double *x, *y, *f, *score, *f_moved, *b, *unit, *delta, *raw;
    gpai_kinds kinds;
    size_t inputs;   /* as the user sees them: kinds.n */
    size_t *largest; /* them by falling size of the change, ties as they stand; owned */
    size_t *order;   /* as to be shown: by blame, or by that size where there is none;
                        owned. Both hold first columns */
    size_t suspects; /* the first of `order` that a tie names: as many as reach 0.9,
                        who is about as likely, and the likeliest idea's inputs */
    double longest;  /* |delta| of the numbers */
    size_t moved;    /* how many change: they come first in `largest` */
    size_t carriers; /* the first few of them, up to 80 % of all sizes */
    double carried;  /* their share of it */
    double gap;      /* mean of y - f */
    double f_mean, y_mean, moved_mean, score_mean;
    double closed; /* share of sum |y - f| that the change takes away */
} gpai_view;

gpa_status gpai_view_make(gpai_view *v, const gpa_report_info *info,
                          const gpa_explanation *e, gpa_error *err);
void gpai_view_free(gpai_view *v);

/* Mean of input k over the explained rows: its value when there is one row. Of levels
 * the one that all rows have, NaN where they differ. */
double gpai_view_x(const gpai_view *v, size_t k);
/* Where the most probable change takes input k in the first row, and how far that is,
 * in units; another level is one unit away. */
double gpai_view_moved(const gpai_view *v, size_t k);
double gpai_view_size(const gpai_view *v, size_t k);

/* What would look normal if input k alone were wrong: NULL where that is not known. */
const gpa_alone *gpai_view_alone(const gpai_view *v, size_t k);
/* That value, and how far it is from x, in its own unit; of levels the likeliest, NaN
 * where none is known or it does not bring f nearer to y. */
double gpai_view_normal_alone(const gpai_view *v, size_t k);
double gpai_view_change(const gpai_view *v, size_t k);
/* Whether the likeliest idea is several inputs together and has more than half: it is
 * what the verdict says first. */
bool gpai_view_just(const gpai_view *v);
/* How many of `order` it takes to have all inputs of the likeliest idea; 0 where that
 * is no more than one. */
size_t gpai_view_reach(const gpai_view *v);
/* The column whose value stands in the place of input k, where the verdict says first
 * that the two are exchanged; d: none. */
size_t gpai_view_exchanged(const gpai_view *v, size_t k);
/* What is proposed for input k: the value in the other's place of columns that look
 * exchanged (NaN of several rows, which have no value in common), else what it alone
 * would need. */
double gpai_view_normal(const gpai_view *v, size_t k);
/* How many sigma y stays away from f with the value that it alone would need, and
 * whether that is too far to look normal, more than 3. NaN and false where f is not
 * known there. Of several rows the root mean square, each with its own value within the
 * interval. */
#define GPAI_LOOKS_NORMAL 3.0 /* sigma: one usual row in 370 is farther off */
double gpai_view_left(const gpai_view *v, size_t k);
bool gpai_view_short(const gpai_view *v, size_t k);
/* Whether it looks normal in all rows at once: one change that they share, or level. */
bool gpai_view_shared(const gpai_view *v, size_t k);
/* The ends of the interval that holds 90 % of what is proposed; NaN where there is
 * none. */
void gpai_view_normal_ends(const gpai_view *v, size_t k, double ends[2]);
/* Whether the row has no value of input k, and that was asked about. */
bool gpai_view_gap(const gpai_view *v, size_t k);

/* What y would look normal, with the interval that holds 90 % of the noise about f; NaN
 * where sigma is not known, and of several rows. */
double gpai_view_output_normal(const gpai_view *v, double ends[2]);

/* The distribution of input k's change where it is known: NULL where there is none, and
 * where gpa_explanation_spread_known says so. What is held is known. */
const gpa_marginal *gpai_view_marginal(const gpai_view *v, size_t k);
/* Whether the most probable change of input k lies outside the interval that holds 90 %
 * of it: a narrow peak beside the bulk. */
bool gpai_view_outside(const gpai_view *v, size_t k);

/* The values of input k (d: of the outcome) in the reference rows, ascending, to be
 * freed; NULL where there are none. Without memory `t` has failed. */
double *gpai_view_seen(gpa_text *t, const gpai_view *v, size_t k, size_t *n);

/* P(input k is to blame): the outcome is right and k is not. */
double gpai_view_blame(const gpai_view *v, size_t k);
/* Density of the elastic-net prior of a change (eq. 5); NaN where it has none. */
double gpai_view_prior(const gpai_view *v, double change);
/* Whether input k is one of those that the verdict names. */
bool gpai_view_accused(const gpai_view *v, size_t k);
/* Whether input k was not allowed to move. */
bool gpai_view_held(const gpai_view *v, size_t k);
/* A change in units as one of the data; whole numbers stay whole. */
double gpai_raw(double change, double unit);

/* Names as they are, not yet safe to show; `room` is used when there is none. */
enum { GPAI_NAME_SIZE = 24 };
const char *gpai_name_input(const gpa_report_info *info, size_t k, char *room);
const char *gpai_name_row(const gpa_report_info *info, size_t row, char *room);

/* The number of the i-th reference row; and the place of a row among n ascending
 * numbers (NULL: 0, 1, …), n where it is not among them. */
size_t gpai_reference_row(const gpa_background *b, size_t i);
size_t gpai_find_row(const size_t *rows, size_t n, size_t row);

/* "features": […], as a field of JSON; with "units", "target_name" and "target_unit"
 * where there are.
 */
void gpai_json_inputs_field(gpa_text *t, const gpa_report_info *info, size_t d);

/* Whether the likeliest input is probable, and clearly ahead of all others. */
bool gpai_view_ahead(const gpai_view *v);

/* What input k (d: the outcome) is measured in, as it is; NULL: not known. */
const char *gpai_view_measure(const gpai_view *v, size_t k);
/* The name of an input as the user sees it, made safe to show. */
void gpai_view_input(gpa_text *t, const gpai_view *v, size_t k, size_t columns);
/* The same with what it is measured in: "bmi [kg/m2]"; of the outcome (k = d), too. */
void gpai_view_label(gpa_text *t, const gpai_view *v, size_t k, size_t columns);

/* The outcome's name, made safe to show. */
void gpai_view_target(gpa_text *t, const gpai_view *v, size_t columns);

/* A number for people, so that it can stand among the arguments of gpai_text_printf:
 * with a proper minus sign; `plus` marks positive ones too. */
typedef struct gpai_cell {
    char text[GPAI_REAL_SIZE + 4];
} gpai_cell;
gpai_cell gpai_cell_of(const char *number, bool plus, bool ascii);

/* Plain sentences, safe to show: which row, what happened there, who is to blame
 * (without a verdict why there is no answer, or nothing), the first of an answer (that,
 * or what happened), which change of all inputs would explain it. */
void gpai_say_rows(gpa_text *t, const gpai_view *v);
void gpai_say_what(gpa_text *t, const gpai_view *v);
void gpai_say_verdict(gpa_text *t, const gpai_view *v);
void gpai_say_first(gpa_text *t, const gpai_view *v);
void gpai_say_why(gpa_text *t, const gpai_view *v);
/* What that change means beside the verdict, and when to prefer it; which input's lies
 * outside its interval. Begins with a space. */
void gpai_say_joint(gpa_text *t, const gpai_view *v);
/* What the columns of the table of suspects mean. */
void gpai_say_legend(gpa_text *t, const gpai_view *v);
/* Which distributions hardly differ from the prior; begins with a space, or is nothing.
 */
void gpai_say_learnt(gpa_text *t, const gpai_view *v);
/* What is to be known of values that would not look normal after all: dashes, and those
 * with which y is still off; or nothing. */
void gpai_say_short(gpa_text *t, const gpai_view *v);
/* What the verdict rests on. */
void gpai_say_basis(gpa_text *t, const gpai_view *v);
/* How it went: what was asked of the model; convergence and draws. */
void gpai_say_rows_asked(gpa_text *t, const gpai_view *v);
void gpai_say_search(gpa_text *t, const gpai_view *v);

#endif
