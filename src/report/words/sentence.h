#ifndef GPAI_REPORT_WORDS_SENTENCE_H
#define GPAI_REPORT_WORDS_SENTENCE_H
#include "report/view.h"

/* Numbers as they stand in tables for people; "n/a" where there is none. */
gpai_cell gpai_cell_value(double x, bool ascii); /* as in the data, if short */
gpai_cell gpai_cell_change(double x, int decimals, bool ascii); /* with sign */
gpai_cell gpai_cell_raw(double x, bool ascii); /* with sign, three digits */
gpai_cell gpai_cell_people(double x, int digits, bool ascii); /* 0.05, 1234567 */
/* An observed value: as it stands in the data unless that is unreasonably long. */
gpai_cell gpai_cell_observed(double x, bool ascii);
gpai_cell gpai_cell_fixed(double x, int decimals, bool ascii);
gpai_cell gpai_cell_probability(double p);
gpai_cell gpai_cell_percent(double p); /* "7 %", "<1 %", ">99 %" */

/* Decimals that show three digits of the largest change. */
int gpai_cell_decimals(const gpai_view *v);

/* What stands over the probabilities: of a row that is normal "if anyone". */
const char *gpai_blame_head(gpa_verdict verdict);

/* What the sentences share; the sentences themselves are in view.h. */

enum { GPAI_SAY_NAME = 24 }; /* columns of a name */

/* "63", or "63 (pump 7)" where the data has names for its rows. */
void gpai_say_row(gpa_text *t, const gpa_report_info *info, size_t row);
/* A number for people, with at least so many digits. */
gpai_cell gpai_say_number(const gpai_view *v, double value, int digits);
/* Decimals of a change of x: two digits of it, or three where x has as many. */
int gpai_say_decimals(double change, double x);

/* Values of input k, safe to show: levels by name, dates as dates. In a cell, at most
 * so many columns; and one that would look normal, with as many digits as its interval
 * is worth. */
void gpai_say_value(gpa_text *t, const gpai_view *v, size_t k, double value,
                    size_t columns);
void gpai_say_normal(gpa_text *t, const gpai_view *v, size_t k, double value,
                     size_t columns);
/* Stands where no other value of an input brings f nearer to y. */
#define GPAI_NO_HELP(v) ((v)->info->ascii ? "-" : "–")

/* Stands for the interval of columns that are said to be exchanged, whose values are
 * known. */
#define GPAI_EXCHANGED "exchanged"

/* What would look normal if input k alone were off: the value, or of several rows the
 * change; of a choice the likeliest level. And the ends of the interval that holds 90 %
 * of it; nothing where there is none. Of columns that look exchanged the value in the
 * other's place. */
typedef enum gpai_alone_part {
    GPAI_ALONE_VALUE,
    GPAI_ALONE_LOW,
    GPAI_ALONE_HIGH
} gpai_alone_part;
void gpai_say_alone(gpa_text *t, const gpai_view *v, size_t k, gpai_alone_part part,
                    size_t columns);

/* The value of an input as the rows have it, their mean, or in how many it is missing;
 * names have so many columns. */
void gpai_say_recorded(gpa_text *t, const gpai_view *v, size_t k, size_t columns);

/* The lines of the answer, one per input as `order` has them and one of the outcome
 * (k = d), which stands before the input at place gpai_line_outcome. How probably it is
 * responsible (NaN: held) and whether the verdict names it; the value now, what would
 * look normal, and "17.9 … 32.6" or, of a choice, "45 %, northwest 34 %". */
double gpai_line_blame(const gpai_view *v, size_t k);
bool gpai_line_accused(const gpai_view *v, size_t k);
size_t gpai_line_outcome(const gpai_view *v);
void gpai_say_now(gpa_text *t, const gpai_view *v, size_t k);
void gpai_say_would(gpa_text *t, const gpai_view *v, size_t k);
void gpai_say_would_range(gpa_text *t, const gpai_view *v, size_t k);
/* "→ south", "stays": where the most probable change takes a choice. */
void gpai_say_move(gpa_text *t, const gpai_view *v, size_t k, size_t columns);
/* One of the levels of a distribution; NaN is what the row has, which is none. */
void gpai_say_level(gpa_text *t, const gpai_view *v, size_t k, double level,
                    size_t columns);
/* The likeliest of n levels: "no 0.97, maybe 0.03". */
void gpai_say_levels(gpa_text *t, const gpai_view *v, size_t k, const double *level,
                     const double *share, size_t n, size_t most);

/* " kg/m2" behind a value of input k (d: of the outcome), where that is known. */
void gpai_say_measure(gpa_text *t, const gpai_view *v, size_t k);

/* In sentences: the name and what parts it from a value; "'south' instead of 'north'",
 * "26.1 instead of 30.3"; what would fill a gap. */
void gpai_say_input(gpa_text *t, const gpai_view *v, size_t k);
void gpai_say_instead(gpa_text *t, const gpai_view *v, size_t k, double value);
void gpai_say_filled(gpa_text *t, const gpai_view *v, size_t k);

/* Whether input k might be too high as well as too low: more of the interval lies on
 * the other side than the little by which its end may pass 0. */
bool gpai_view_open(const gpai_view *v, size_t k);
/* The values that would look normal if input k alone were wrong: none, one, or two of a
 * whole number that might be too high as well as too low. */
typedef struct gpai_ways {
    double value[2];
    size_t n;
} gpai_ways;
gpai_ways gpai_view_ways(const gpai_view *v, size_t k);
/* "3 or 1 instead of 2"; "at 25 it is bmi, at 51 it is not": what measuring again would
 * say. */
void gpai_say_ways(gpa_text *t, const gpai_view *v, size_t k, const gpai_ways *w);
void gpai_say_again(gpa_text *t, const gpai_view *v, size_t k, const gpai_ways *w);

#endif
