#include "report/utf8.h"
#include "report/view.h"
#include <math.h>
#include <string.h>

enum { NAMED_ROWS = 6, NAME_COLUMNS = 24 };

static void people(gpa_text *t, const gpai_view *v, double value, int digits)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_people(number, value, digits);
    gpai_text_minus(t, number, false, v->info->ascii);
}

/* An observed value: as it stands in the data unless that is unreasonably long. */
static void observed(gpa_text *t, const gpai_view *v, double value)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_exact(number, value);
    if (strlen(number) > 9)
        gpai_real_people(number, value, 6);
    gpai_text_minus(t, number, false, v->info->ascii);
}

static void target(gpa_text *t, const gpai_view *v)
{
    const char *name = v->info->target != NULL ? v->info->target : "y";
    gpai_text_visible(t, name, NAME_COLUMNS, v->info->ascii);
}

/* "63", or "63 (pump 7)" where the data has names for its rows. */
static void row_name(gpa_text *t, const gpai_view *v, size_t i)
{
    char room[GPAI_NAME_SIZE], number[GPAI_NAME_SIZE];
    size_t row = gpa_explanation_row(v->e, i);
    const gpa_report_info nameless = {0};
    const char *plain = gpai_name_row(&nameless, row, number);
    const char *id = gpai_name_row(v->info, row, room);
    gpai_text_add(t, plain);
    if (strcmp(id, plain) == 0)
        return;
    gpai_text_add(t, " (");
    gpai_text_visible(t, id, 2 * NAME_COLUMNS, v->info->ascii);
    gpai_text_add(t, ")");
}

void gpai_say_rows(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, v->n == 1 ? "row " : "rows ");
    size_t named = v->n <= NAMED_ROWS ? v->n : NAMED_ROWS - 1;
    for (size_t i = 0; i < named; i++) {
        if (i > 0)
            gpai_text_add(t, i + 1 == v->n ? " and " : ", ");
        row_name(t, v, i);
    }
    if (named < v->n)
        gpai_text_printf(t, " and %zu more", v->n - named);
    gpai_text_add(t, v->n > 1 ? " together" : "");
}

/* " (score 8.19, 2.6 sigma)"; nothing where sigma is not known. */
static void strength(gpa_text *t, const gpai_view *v)
{
    if (!isfinite(v->score_mean))
        return;
    gpai_text_add(t, v->n == 1 ? " (score " : " (mean score ");
    people(t, v, v->score_mean, 3);
    if (v->n == 1 && v->s->sigma > 0) {
        gpai_text_add(t, ", ");
        people(t, v, fabs(v->gap) / v->s->sigma, 2);
        gpai_text_add(t, " sigma");
    }
    gpai_text_add(t, ")");
}

void gpai_say_what(gpa_text *t, const gpai_view *v)
{
    bool one = v->n == 1;
    target(t, v);
    gpai_text_add(t, " = ");
    if (one)
        observed(t, v, v->y_mean);
    else
        people(t, v, v->y_mean, 5);
    gpai_text_add(t, one ? " was observed, f = " : " was observed on average, f = ");
    people(t, v, v->f_mean, 5);
    gpai_text_add(t, " predicted: ");
    if (v->gap == 0) {
        gpai_text_add(t, "just what the model says");
    } else {
        people(t, v, fabs(v->gap), 5);
        gpai_text_add(t, v->gap < 0 ? " too low" : " too high");
        gpai_text_add(t, " for the model");
    }
    strength(t, v);
    gpai_text_add(t, ".");
}

/* Two digits of the change, or three where x has as many decimals. */
static int change_decimals(double change, double x)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_exact(number, x);
    const char *point = strchr(number, '.');
    size_t recorded = point != NULL ? strspn(point + 1, "0123456789") : 0;
    int decimals = gpai_decimals(change, 2);
    return recorded > (size_t)decimals ? decimals + 1 : decimals;
}

/* "bmi −3.9 (from 32.0 to 28.1)" */
static void one_change(gpa_text *t, const gpai_view *v, size_t k)
{
    char number[GPAI_REAL_SIZE];
    double x = gpai_view_x(v, k);
    int decimals = change_decimals(v->raw[k], x);
    bool ascii = v->info->ascii;
    gpai_view_feature(t, v, k, NAME_COLUMNS);
    gpai_text_add(t, " ");
    gpai_real_fixed(number, v->raw[k], decimals);
    gpai_text_minus(t, number, true, ascii);
    if (v->n > 1 || !isfinite(x))
        return;
    gpai_text_add(t, " (from ");
    gpai_real_fixed(number, x, decimals);
    gpai_text_minus(t, number, false, ascii);
    gpai_text_add(t, " to ");
    gpai_real_fixed(number, x + v->raw[k], decimals);
    gpai_text_minus(t, number, false, ascii);
    gpai_text_add(t, ")");
}

static void changes(gpa_text *t, const gpai_view *v)
{
    for (size_t i = 0; i < v->carriers; i++) {
        if (i > 0)
            gpai_text_add(t, i + 1 == v->carriers ? " and " : ", ");
        one_change(t, v, v->order[i]);
    }
}

void gpai_say_why(gpa_text *t, const gpai_view *v)
{
    if (v->moved == 0 && v->gap == 0) {
        gpai_text_add(t, "There is nothing to explain.");
        return;
    }
    if (v->moved == 0) {
        gpai_text_add(t, "No change of the inputs is worth its cost: the deviation is "
                         "more plausibly noise, or a fault of the observed value or "
                         "of the model.");
        return;
    }
    const char *share = v->closed >= 0.5    ? "Most of it"
                        : v->closed >= 0.02 ? "Part of it"
                                            : "Next to nothing of it";
    gpai_text_add(t, share);
    gpai_text_add(t, " would be explained by ");
    if (v->carried < 0.5) /* to name three only would be misleading */
        gpai_text_printf(t, "%zu inputs together, first of all ", v->moved);
    changes(t, v);
    gpai_text_add(t, v->n > 1 ? " in each of them" : "");
    gpai_text_add(t, v->moved > v->carriers ? "; with all changes below " : "; there ");
    gpai_text_add(t, v->n > 1 ? "f is on average " : "f is ");
    people(t, v, v->moved_mean, 5);
    if (v->closed >= 0.02) {
        gpai_text_add(t, ", which closes ");
        people(t, v, floor(100 * v->closed + 0.5), 3);
        gpai_text_add(t, " % of the gap");
    }
    gpai_text_add(t, ".");
}

void gpai_say_run(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_text_printf(t, "%ju rows asked of the model in %ju calls; ",
                     (uintmax_t)s->model_rows, (uintmax_t)s->model_calls);
    if (s->nonfinite_rows > 0)
        gpai_text_printf(t, "%ju gave no number and were dropped; ",
                         (uintmax_t)s->nonfinite_rows);
    gpai_text_printf(t, "%s after %zu iterations%s, stationarity ",
                     s->converged ? "converged" : "NOT converged", s->iterations,
                     s->budget_hit ? " (the budget was used up)" : "");
    people(t, v, s->stationarity, 3);
}
