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
    gpai_view_target(t, v, NAME_COLUMNS);
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
        one_change(t, v, v->largest[i]);
    }
}

/* How the change of all inputs is brought up: on its own, or beside a verdict, which
 * tells another story: one input alone. */
static void introduce(gpa_text *t, const gpai_view *v)
{
    if (v->c != NULL) {
        gpai_text_add(
            t, v->s->converged
                   ? "The most probable change of all inputs together: "
                   : "The best change of all inputs together found (the search did "
                     "not converge): ");
    } else {
        gpai_text_add(t, v->closed >= 0.5    ? "Most of it"
                         : v->closed >= 0.02 ? "Part of it"
                                             : "Next to nothing of it");
        gpai_text_add(t, " would be explained by ");
    }
    if (v->carried < 0.5) /* to name three only would be misleading */
        gpai_text_printf(t, "%zu inputs, first of all ", v->moved);
}

void gpai_say_why(gpa_text *t, const gpai_view *v)
{
    if (v->moved == 0) {
        gpai_text_add(t, v->gap == 0 ? "There is nothing to explain."
                         : v->c != NULL
                             ? "No change of all inputs together is worth its cost."
                             : "No change of the inputs is worth its cost: the "
                               "deviation is more plausibly noise, or a fault of the "
                               "observed value or of the model.");
        return;
    }
    introduce(t, v);
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

/* "93 %"; never a 0 or 100 that is only rounded. */
static void percent(gpa_text *t, double p)
{
    double whole = floor(100 * p + 0.5);
    bool low = whole<1, high = whole> 99;
    gpai_text_add(t, low ? "less than " : high ? "more than " : "");
    gpai_text_printf(t, "%d %%", low ? 1 : high ? 99 : (int)whole);
}

/* Whether two inputs are categories of one choice: they share one probability. */
static bool one_choice(const gpai_view *v, size_t j, size_t k)
{
    const gpa_culprit *c = v->c;
    const size_t both[2] = {j, k};
    if (j == k || c->probability[j] != c->probability[k] ||
        c->single[j] != c->single[k])
        return false;
    for (int i = 0; i < 2; i++) {
        double x = v->x[both[i]], move = gpai_raw(c->median[both[i]], v->unit[both[i]]);
        if ((x != 0 && x != 1) || (move != 0 && fabs(move) != 1))
            return false;
    }
    return true;
}

/* The categories of input k's choice that lose and that gain the 1; d where there is
 * none. Gives whether k belongs to a choice at all. */
static bool find_choice(const gpai_view *v, size_t k, size_t *lost, size_t *gained)
{
    bool any = false;
    *lost = *gained = v->d;
    for (size_t j = 0; j < v->d; j++) {
        double move = gpai_raw(v->c->median[j], v->unit[j]);
        if (j != k && !one_choice(v, j, k))
            continue;
        any = any || j != k;
        if (move < 0)
            *lost = j;
        if (move > 0)
            *gained = j;
    }
    return any && *lost < v->d;
}

/* "red is probably wrong here: blue would look normal" */
static void wrong_choice(gpa_text *t, const gpai_view *v, size_t lost, size_t gained)
{
    gpai_view_feature(t, v, lost, NAME_COLUMNS);
    gpai_text_add(t, " does not fit ");
    gpai_text_add(t, v->n > 1 ? "these outcomes: " : "this outcome: ");
    if (gained < v->d)
        gpai_view_feature(t, v, gained, NAME_COLUMNS);
    else
        gpai_text_add(t, "another choice");
    gpai_text_add(t, " would look normal");
}

/* "26.1 instead of 30.3 would look normal", where there is one row. */
static void normal_value(gpa_text *t, const gpai_view *v, size_t k, double raw)
{
    char number[GPAI_REAL_SIZE];
    double x = gpai_view_x(v, k);
    int decimals = change_decimals(raw, x);
    gpai_text_add(t, ": ");
    gpai_real_fixed(number, x + raw, decimals);
    gpai_text_minus(t, number, false, v->info->ascii);
    gpai_text_add(t, " instead of ");
    gpai_real_fixed(number, x, decimals);
    gpai_text_minus(t, number, false, v->info->ascii);
    gpai_text_add(t, " would look normal");
}

/* " (0.9 times its spread)"; nothing where the unit is 1: it is the same number. */
static void in_spreads(gpa_text *t, const gpai_view *v, size_t k)
{
    if (v->unit[k] == 1)
        return;
    gpai_text_add(t, " (");
    people(t, v, fabs(v->c->median[k]), 2);
    gpai_text_add(t, " times its spread)");
}

/* "bmi is 4.2 too high for this outcome: 26.1 instead of …": delta is what would have
 * to be added, so a negative one says that x is too high. */
static void off_by(gpa_text *t, const gpai_view *v, size_t k, bool amount)
{
    char number[GPAI_REAL_SIZE];
    double raw = gpai_raw(v->c->median[k], v->unit[k]), x = gpai_view_x(v, k);
    bool open = v->c->low[k] * v->c->high[k] < 0 || raw == 0;
    gpai_view_feature(t, v, k, NAME_COLUMNS);
    if (open) {
        gpai_text_add(t, v->n > 1 ? " does not fit these outcomes"
                                  : " does not fit this outcome");
        gpai_text_add(t, ", be it too high or too low");
        return;
    }
    gpai_text_add(t, " is ");
    if (amount) {
        gpai_real_fixed(number, fabs(raw), change_decimals(raw, x));
        gpai_text_printf(t, "%s ", number);
    }
    gpai_text_add(t, raw < 0 ? "too high for " : "too low for ");
    if (v->n > 1)
        gpai_text_printf(t, "these outcomes in all %zu rows", v->n);
    else
        gpai_text_add(t, "this outcome");
    if (amount && v->n == 1 && isfinite(x))
        normal_value(t, v, k, raw);
    if (amount)
        in_spreads(t, v, k);
}

/* The input that is guilty together with the first one, d when there is none: of two
 * probabilities that add up to more than 1.5, at least a half is common to both. */
static size_t partner(const gpai_view *v, size_t first)
{
    const double *p = v->c->probability;
    size_t second = v->d;
    for (size_t k = 0; k < v->d; k++)
        if (k != first && !one_choice(v, k, first) &&
            (second == v->d || p[k] > p[second]))
            second = k;
    return second < v->d && p[first] + p[second] > 1.5 ? second : v->d;
}

static void accuse_input(gpa_text *t, const gpai_view *v)
{
    size_t first = v->c->first, second = partner(v, first), lost, gained;
    if (find_choice(v, first, &lost, &gained))
        wrong_choice(t, v, lost, gained);
    else
        off_by(t, v, first, second == v->d);
    gpai_text_add(t, "; ");
    percent(t, gpai_view_blame(v, first));
    gpai_text_add(t, " that it is responsible");
    if (second == v->d)
        return;
    gpai_text_add(t, ", probably together with ");
    gpai_view_feature(t, v, second, NAME_COLUMNS);
    gpai_text_add(t, " (");
    percent(t, gpai_view_blame(v, second));
    gpai_text_add(t, ")");
}

/* The inputs of the 90 % set, the likeliest first, a choice once; gives how many. */
static size_t suspects(const gpai_view *v, size_t *list, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < v->d; i++) {
        size_t k = v->order[i];
        bool named = !gpai_view_accused(v, k);
        for (size_t j = 0; j < i && !named; j++)
            named = one_choice(v, v->order[j], k);
        if (!named && count++ < most)
            list[count - 1] = k;
    }
    return count;
}

static void accuse_several(gpa_text *t, const gpai_view *v)
{
    enum { NAMED = 3 };
    size_t list[NAMED], count = suspects(v, list, NAMED);
    size_t named = count < NAMED ? count : NAMED;
    for (size_t i = 0; i < named; i++) {
        gpai_text_add(t, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        gpai_view_feature(t, v, list[i], NAME_COLUMNS);
        gpai_text_add(t, " (");
        percent(t, gpai_view_blame(v, list[i]));
        gpai_text_add(t, ")");
    }
    if (count > named)
        gpai_text_printf(t, " and %zu more", count - named);
    gpai_text_add(t, count > 1 ? " cannot be told apart"
                               : " is likelier than any other input, but not clearly");
    if (v->c->output < 0.1)
        return;
    gpai_text_add(t, "; it may also be the observed ");
    gpai_view_target(t, v, NAME_COLUMNS);
    gpai_text_add(t, " or the model (");
    percent(t, v->c->output);
    gpai_text_add(t, ")");
}

static void accuse_output(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "No change of the inputs makes ");
    gpai_text_add(t, v->n > 1 ? "these outcomes" : "this outcome");
    gpai_text_add(t, " plausible: check the observed ");
    gpai_view_target(t, v, NAME_COLUMNS);
    gpai_text_add(t, ", or the model (");
    percent(t, v->c->output);
    gpai_text_add(t, ")");
}

/* Several rows: the root mean square, by which the verdict was found. Rows that deviate
 * little, but all alike, may still be a drift: their mean has a standard error. */
static void accuse_nobody(gpa_text *t, const gpai_view *v)
{
    double square = 0, mean = 0, n = (double)v->n,
           blame = gpai_view_blame(v, v->c->first);
    for (size_t i = 0; i < v->n; i++) {
        square += (v->y[i] - v->f[i]) * (v->y[i] - v->f[i]) / n;
        mean += (v->y[i] - v->f[i]) / n;
    }
    double errors = fabs(mean) * sqrt(n) / v->s->sigma;
    bool drift = v->n > 1 && errors > 3;
    gpai_text_add(t, drift      ? "No row is unusual by itself: the deviations are "
                     : v->n > 1 ? "Nothing unusual: the deviations are "
                                : "Nothing unusual: the deviation is ");
    people(t, v, sqrt(square) / v->s->sigma, 2);
    gpai_text_add(t, v->n > 1 ? " sigma (root mean square)" : " sigma");
    if (drift) {
        gpai_text_add(t, "; but together they are off by ");
        people(t, v, errors, 2);
        gpai_text_add(t, " standard errors");
    }
    if (blame <= 0.5)
        return;
    gpai_text_add(t, drift ? ": probably "
                           : "; if something is wrong all the same, it is probably ");
    gpai_view_feature(t, v, v->c->first, NAME_COLUMNS);
    gpai_text_add(t, " (");
    percent(t, blame);
    gpai_text_add(t, ")");
}

void gpai_say_verdict(gpa_text *t, const gpai_view *v)
{
    switch (v->c != NULL ? v->c->verdict : GPA_VERDICT_UNKNOWN) {
    case GPA_VERDICT_UNKNOWN:
        return;
    case GPA_VERDICT_NORMAL:
        accuse_nobody(t, v);
        break;
    case GPA_VERDICT_INPUT:
        accuse_input(t, v);
        break;
    case GPA_VERDICT_TIED:
        accuse_several(t, v);
        break;
    case GPA_VERDICT_OUTPUT:
        accuse_output(t, v);
        break;
    }
    gpai_text_add(t, ".");
}

void gpai_say_basis(gpa_text *t, const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    if (c->plausible == GPA_PLAUSIBLE_NONE || c->plausible_rows == 0)
        gpai_text_add(t, "culprits judged by the model alone");
    else
        gpai_text_printf(t, "culprits judged with %zu %s to say what is plausible",
                         c->plausible_rows,
                         c->plausible == GPA_PLAUSIBLE_REFERENCE ? "reference rows"
                                                                 : "other rows");
}

static void stage(gpa_text *t, uint64_t rows, const char *name, bool *first)
{
    if (rows > 0)
        gpai_text_printf(t, "%s%s %ju", *first ? " (" : ", ", name, (uintmax_t)rows);
    *first = *first && rows == 0;
}

void gpai_say_rows_asked(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    bool first = true;
    gpai_text_printf(t, "%ju rows asked of the model", (uintmax_t)s->model_rows);
    stage(t, s->rows_map, "map", &first);
    stage(t, s->rows_check, "check", &first);
    stage(t, s->rows_culprit, "culprit", &first);
    stage(t, s->rows_marginals, "marginals", &first);
    gpai_text_printf(t, "%s in %ju calls", first ? "" : ")", (uintmax_t)s->model_calls);
    if (s->nonfinite_rows > 0)
        gpai_text_printf(t, "; %ju gave no number and were dropped",
                         (uintmax_t)s->nonfinite_rows);
}

void gpai_say_search(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_text_printf(t, "%s after %zu iterations%s, stationarity ",
                     s->converged ? "converged" : "NOT converged", s->iterations,
                     s->budget_hit ? " (the budget was used up)" : "");
    people(t, v, s->stationarity, 3);
    if (isfinite(s->ess)) {
        gpai_text_add(t, "; ");
        people(t, v, floor(s->ess), 6);
        gpai_text_add(t, " effective draws");
    }
    if (isfinite(s->surrogate_error)) {
        gpai_text_add(t, "; surrogate error ");
        people(t, v, s->surrogate_error, 2);
        gpai_text_add(t, s->surrogate_error > 2 ? " noise scales: distrust it"
                                                : " noise scales");
    }
}
