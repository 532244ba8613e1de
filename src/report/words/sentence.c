#include "report/words/sentence.h"
#include "base/text/utf8.h"
#include "result/explanation.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char NONE[] = "n/a";

gpai_cell gpai_cell_value(double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    if (strlen(number) > 8)
        gpai_real_people(number, x, 5);
    return gpai_cell_of(isfinite(x) ? number : NONE, false, ascii);
}

gpai_cell gpai_cell_people(double x, int digits, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_people(number, x, digits);
    return gpai_cell_of(number, false, ascii);
}

gpai_cell gpai_cell_observed(double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    if (strlen(number) > 9)
        gpai_real_people(number, x, 6);
    return gpai_cell_of(number, false, ascii);
}

gpai_cell gpai_cell_fixed(double x, int decimals, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, x, decimals);
    return gpai_cell_of(isfinite(x) ? number : NONE, false, ascii);
}

gpai_cell gpai_cell_change(double x, int decimals, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, x, decimals);
    return gpai_cell_of(!isfinite(x) ? NONE
                        : x == 0     ? "0"
                                     : number,
                        isfinite(x), ascii);
}

gpai_cell gpai_cell_raw(double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    double size = fabs(x);
    if (size != 0 && (size < 1e-4 || size >= 1e12))
        gpai_real_digits(number, x, 3);
    else
        gpai_real_fixed(number, x, gpai_decimals(x, 3));
    return gpai_cell_of(isfinite(x) ? number : NONE, isfinite(x), ascii);
}

gpai_cell gpai_cell_probability(double p)
{
    gpai_cell c;
    char number[GPAI_REAL_SIZE];
    bool low = p<0.01, high = p> 0.99; /* never a 0 or 1 that is only rounded */
    gpai_real_fixed(number, low ? 0.01 : high ? 0.99 : p, 2);
    snprintf(c.text, sizeof c.text, "%s%s",
             low    ? "<"
             : high ? ">"
                    : "",
             isfinite(p) ? number : NONE);
    return c;
}

gpai_cell gpai_cell_percent(double p)
{
    gpai_cell c;
    double whole = floor(100 * p + 0.5);
    bool low = whole<1, high = whole> 99; /* never a 0 or 100 that is only rounded */
    if (isfinite(p))
        snprintf(c.text, sizeof c.text, "%s%d %%",
                 low    ? "<"
                 : high ? ">"
                        : "",
                 low    ? 1
                 : high ? 99
                        : (int)whole);
    else
        snprintf(c.text, sizeof c.text, "%s", NONE);
    return c;
}

int gpai_cell_decimals(const gpai_view *v)
{
    return gpai_decimals(v->longest > 0 ? v->longest : 1, 3);
}

enum { NAMED_ROWS = 6 };

gpai_cell gpai_say_number(const gpai_view *v, double value, int digits)
{
    return gpai_cell_people(value, digits, v->info->ascii);
}

void gpai_say_row(gpa_text *t, const gpa_report_info *info, size_t row)
{
    char room[GPAI_NAME_SIZE], number[GPAI_NAME_SIZE];
    const gpa_report_info nameless = {0};
    const char *plain = gpai_name_row(&nameless, row, number);
    const char *id = gpai_name_row(info, row, room);
    gpai_text_add(t, plain);
    if (strcmp(id, plain) == 0)
        return;
    gpai_text_add(t, " (");
    gpai_text_visible(t, id, 2 * GPAI_SAY_NAME, info->ascii);
    gpai_text_add(t, ")");
}

void gpai_say_rows(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, v->n == 1 ? "row " : "rows ");
    size_t named = v->n <= NAMED_ROWS ? v->n : NAMED_ROWS - 1;
    for (size_t i = 0; i < named; i++) {
        if (i > 0)
            gpai_text_add(t, i + 1 == v->n ? " and " : ", ");
        gpai_say_row(t, v->info, gpa_explanation_row(v->e, i));
    }
    if (named < v->n)
        gpai_text_printf(t, " and %zu more", v->n - named);
    gpai_text_add(t, v->n > 1 ? " together" : "");
}

/* How many of the other rows are known, and how many of them deviate less. */
static size_t rank(const gpai_view *v, size_t *others)
{
    const gpa_background *b = v->info->background;
    size_t row = gpa_explanation_row(v->e, 0), closer = 0;
    *others = 0;
    if (v->n > 1 || b == NULL || b->n < b->total || b->y == NULL || b->f == NULL)
        return 0;
    for (size_t i = 0; i < b->n; i++) {
        double off = fabs(b->y[i] - b->f[i]);
        bool other = isfinite(off) && gpai_reference_row(b, i) != row;
        *others += other;
        closer += other && off < fabs(v->gap);
    }
    return closer;
}

/* " (score 8.19, 2.6 sigma; farther off than 87 of 88 other rows)"; nothing of what is
 * not known. */
static void strength(gpa_text *t, const gpai_view *v)
{
    size_t others = 0, closer = rank(v, &others);
    const char *next = " (";
    if (isfinite(v->score_mean)) {
        gpai_text_printf(t, v->n == 1 ? " (score %s" : " (mean score %s",
                         gpai_say_number(v, v->score_mean, 3).text);
        next = "; ";
    }
    if (v->n == 1 && v->s->sigma > 0) {
        gpai_text_printf(t, "%s%s sigma", isfinite(v->score_mean) ? ", " : " (",
                         gpai_say_number(v, fabs(v->gap) / v->s->sigma, 2).text);
        next = "; ";
    }
    if (closer > 0 && others > 1) {
        gpai_text_printf(t, "%sfarther off than ", next);
        if (closer == others)
            gpai_text_printf(t, "all %zu other rows", others);
        else
            gpai_text_printf(t, "%zu of %zu other rows", closer, others);
        next = "; ";
    }
    gpai_text_add(t, next[0] == ';' ? ")" : "");
}

void gpai_say_what(gpa_text *t, const gpai_view *v)
{
    bool one = v->n == 1;
    gpai_view_target(t, v, GPAI_SAY_NAME);
    gpai_text_printf(t, " = %s",
                     one ? gpai_cell_observed(v->y_mean, v->info->ascii).text
                         : gpai_say_number(v, v->y_mean, 5).text);
    gpai_say_measure(t, v, v->d);
    gpai_text_printf(t, " was observed%s, f = %s predicted: ", one ? "" : " on average",
                     gpai_say_number(v, v->f_mean, 5).text);
    if (v->gap == 0)
        gpai_text_add(t, "just what the model says");
    else
        gpai_text_printf(t, "%s too %s for the model",
                         gpai_say_number(v, fabs(v->gap), 5).text,
                         v->gap < 0 ? "low" : "high");
    strength(t, v);
    gpai_text_add(t, ".");
}

/* Two digits of the change, or three where x has as many decimals. */
int gpai_say_decimals(double change, double x)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    const char *point = strchr(number, '.');
    size_t recorded = point != NULL ? strspn(point + 1, "0123456789") : 0;
    int decimals = gpai_decimals(change, 2);
    return recorded > (size_t)decimals ? decimals + 1 : decimals;
}

/* "bmi −3.9 (from 32.0 to 28.1)", "region 'south' instead of 'north'" */
static void one_change(gpa_text *t, const gpai_view *v, size_t k)
{
    double x = gpai_view_x(v, k), raw = v->raw[k];
    bool ascii = v->info->ascii, whole = gpai_is_whole(&v->kinds, k);
    int decimals = whole && x + raw == nearbyint(x + raw) && x == nearbyint(x)
                       ? 0
                       : gpai_say_decimals(raw, x);
    if (v->kinds.input[k].levels > 0 || (gpai_is_date(&v->kinds, k) && v->n == 1)) {
        gpai_say_input(t, v, k);
        gpai_say_instead(t, v, k, gpai_view_moved(v, k));
        return;
    }
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_printf(t, " %s", gpai_cell_change(v->raw[k], decimals, ascii).text);
    gpai_say_measure(t, v, k);
    if (v->n == 1 && isfinite(x))
        gpai_text_printf(t, " (from %s to %s)",
                         gpai_cell_fixed(x, decimals, ascii).text,
                         gpai_cell_fixed(x + v->raw[k], decimals, ascii).text);
}

static void changes(gpa_text *t, const gpai_view *v)
{
    for (size_t i = 0; i < v->carriers; i++) {
        if (i > 0)
            gpai_text_add(t, i + 1 == v->carriers ? " and " : ", ");
        one_change(t, v, v->largest[i]);
    }
}

/* Without a verdict the change is the answer, and names its inputs. */
static void why_alone(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, v->closed >= 0.5    ? "Most of it"
                     : v->closed >= 0.02 ? "Part of it"
                                         : "Next to nothing of it");
    gpai_text_add(t, " would be explained by ");
    if (v->carried < 0.5) /* to name three only would be misleading */
        gpai_text_printf(t, "%zu inputs, first of all ", v->moved);
    changes(t, v);
    gpai_text_add(t, v->n > 1 ? " in each of them" : "");
    gpai_text_add(t, v->moved > v->carriers ? "; with all changes below " : "; there ");
    gpai_text_printf(t, v->n > 1 ? "f is on average %s" : "f is %s",
                     gpai_say_number(v, v->moved_mean, 5).text);
}

/* Beside a verdict it is another question; who is responsible was said. */
static void why_beside(gpa_text *t, const gpai_view *v)
{
    if (v->s->converged)
        gpai_text_add(t, "If every input may be off at once, the most probable change "
                         "moves ");
    else
        gpai_text_add(t, "If every input may be off at once, the best change found "
                         "moves ");
    if (v->inputs == 1)
        gpai_text_add(t, "it");
    else if (v->moved == v->inputs)
        gpai_text_printf(t, v->inputs == 2 ? "both" : "all %zu inputs", v->inputs);
    else
        gpai_text_printf(t, "%zu of %zu inputs", v->moved, v->inputs);
    gpai_text_printf(t,
                     v->n > 1 ? " and takes f to %s on average" : " and takes f to %s",
                     gpai_say_number(v, v->moved_mean, 5).text);
}

/* What else it is, where no input moves and nobody was asked who did it: noise, unless
 * it is far beyond that. */
static void why_not(gpa_text *t, const gpai_view *v)
{
    static const double NO_NOISE = 4; /* sigma: of normal noise, one row in 16,000 */
    bool far = v->s->sigma > 0 && fabs(v->gap) > NO_NOISE * v->s->sigma, held = true;
    for (size_t i = 0; i < v->inputs; i++)
        held = held && gpai_view_held(v, v->order[i]);
    gpai_text_add(t, held ? "No input may move: the deviation is "
                          : "No change of the inputs is worth its cost: the deviation "
                            "is more plausibly ");
    gpai_text_add(t, far ? "" : "noise, or ");
    gpai_text_add(t, "a fault of the observed value or of the model");
    gpai_text_add(t, held ? ", or of an input that is held." : ".");
}

/* Whether the budget ended the search for the change. */
static bool was_cut(const gpai_view *v)
{
    return gpai_result_noted(v->e, GPAI_SEARCH_CUT) != NULL;
}

void gpai_say_why(gpa_text *t, const gpai_view *v)
{
    bool alone = v->c == NULL && v->unanswered == NULL;
    if (v->moved == 0) {
        if (v->gap == 0)
            gpai_text_add(t, "There is nothing to explain.");
        else if (was_cut(v))
            gpai_text_add(t, "No change was found before the budget was spent.");
        else if (alone)
            why_not(t, v);
        else
            gpai_text_add(t, "No change of all inputs together is worth its cost.");
        return;
    }
    (alone ? why_alone : why_beside)(t, v);
    /* where no input is to blame nothing is explained by moving them */
    bool blamed = v->c == NULL || v->c->verdict == GPA_VERDICT_INPUT ||
                  v->c->verdict == GPA_VERDICT_TIED;
    if (v->closed >= 0.02 && blamed)
        gpai_text_printf(t, ", which closes %s %% of the gap",
                         gpai_say_number(v, floor(100 * v->closed + 0.5), 3).text);
    gpai_text_add(t, ".");
}

void gpai_say_joint(gpa_text *t, const gpai_view *v)
{
    size_t outside = 0;
    if (v->moved > 0)
        gpai_text_add(
            t, " It spreads the deviation over all inputs that can carry some of "
               "it, so it does not say who is responsible; it is for several "
               "inputs that moved together, and for rows that share a fault.");
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->largest[i];
        if (!gpai_view_outside(v, k))
            continue;
        gpai_text_add(t, outside++ == 0 ? " Outside its 90 % interval, a narrow peak "
                                          "beside the bulk: "
                                        : ", ");
        gpai_view_input(t, v, k, GPAI_SAY_NAME);
    }
    gpai_text_add(t, outside > 0 ? "." : "");
}

const char *gpai_blame_head(gpa_verdict verdict)
{
    return verdict == GPA_VERDICT_NORMAL ? "if anyone" : "responsible";
}

void gpai_say_legend(gpa_text *t, const gpai_view *v)
{
    gpai_text_printf(t,
                     "%s: the probability that this input is at fault, alone or with "
                     "others; with the last line they add up to 100 %%, or more "
                     "where several may be wrong at once. ",
                     gpai_blame_head(v->c->verdict));
    gpai_text_printf(t, "would look normal: the %s it would take if it alone were off",
                     v->n > 1 ? "change" : "value");
    gpai_text_add(t, v->kinds.mixed ? ", of a choice the likeliest level" : "");
    if (gpai_view_exchanged(v, v->c->likeliest[0]) < v->d)
        gpai_text_add(t, ", of exchanged columns the one in the other's place");
}

/* Whether an input's distribution is about the prior: the outcome said next to nothing
 * about it. A shift by a quarter of the spread is worth so many nats. */
static bool unlearnt(const gpai_view *v, size_t k)
{
    const double little = 0.03;
    const gpa_marginal *m = gpai_view_marginal(v, k);
    return m != NULL && m->information < little && !gpai_view_held(v, k) &&
           !gpai_view_accused(v, k);
}

void gpai_say_learnt(gpa_text *t, const gpai_view *v)
{
    enum { NAMED = 3 };
    size_t count = 0, free_inputs = 0, said = 0;
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->kinds.seen[i];
        free_inputs += gpai_view_marginal(v, k) != NULL && !gpai_view_held(v, k);
        count += unlearnt(v, k);
    }
    if (count == 0)
        return;
    if (count == free_inputs) {
        gpai_text_add(t, " What was observed says hardly anything about the inputs: "
                         "every distribution stays about as assumed beforehand.");
        return;
    }
    gpai_text_add(t, " What was observed says hardly anything about ");
    for (size_t i = 0; i < v->inputs && said < NAMED; i++) {
        size_t k = v->order[i];
        if (!unlearnt(v, k))
            continue;
        gpai_text_add(t, said == 0 ? "" : said + 1 == count ? " and " : ", ");
        gpai_view_input(t, v, k, GPAI_SAY_NAME);
        said++;
    }
    if (count > said)
        gpai_text_printf(t, " and %zu more", count - said);
    gpai_text_add(t, count > 1
                         ? ": their distributions stay about as assumed beforehand."
                         : ": its distribution stays about as assumed beforehand.");
}

/* How an answer was found, in words (view.h). */

/* How many rows there are beside the explained ones; 0: not known. */
static size_t count_others(const gpai_view *v)
{
    const gpa_background *b = v->info->background;
    size_t n = 0;
    if (b == NULL || b->n < b->total || b->y == NULL || b->f == NULL)
        return 0;
    for (size_t i = 0; i < b->n; i++)
        n += isfinite(b->y[i] - b->f[i]) ? 1 : 0;
    return n > v->n ? n - v->n : 0;
}

void gpai_say_basis(gpa_text *t, const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    bool reference = c->plausible == GPA_PLAUSIBLE_REFERENCE;
    size_t others = reference ? 0 : count_others(v);
    if (c->plausible == GPA_PLAUSIBLE_NONE || c->plausible_rows == 0) {
        gpai_text_add(t, "judged by the model alone");
        return;
    }
    gpai_text_printf(t, "judged with %zu ", c->plausible_rows);
    if (others > c->plausible_rows)
        gpai_text_printf(t, "of %zu ", others);
    gpai_text_printf(t, "%s to say what is plausible",
                     reference ? "reference rows" : "other rows");
}

/* Whether the table has a dash: of an input, none of whose values helps. Rows in
 * several levels have one because they share none. */
static bool has_dash(const gpai_view *v)
{
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->order[i];
        bool levels = gpai_has_levels(&v->kinds, k), several = v->n > 1;
        double value = several && !levels ? v->c->median[k] : gpai_view_normal(v, k);
        bool differ = several && levels && isnan(gpai_view_x(v, k));
        if (!gpai_view_held(v, k) && !differ && isnan(value))
            return true;
    }
    return false;
}

/* Whether the table's percentages visibly come to more than 100. */
static bool adds_up_to_more(const gpai_view *v)
{
    static const double MORE = 1.25;
    double sum = v->c->output;
    for (size_t i = 0; i < v->inputs; i++)
        sum += gpai_view_held(v, v->order[i]) ? 0 : gpai_view_blame(v, v->order[i]);
    return sum >= MORE;
}

void gpai_say_short(gpa_text *t, const gpai_view *v)
{
    enum { NAMED = 6 };
    /* hardly suspected is of no interest, unless all are because y is */
    double least = 0.01 * (1 - v->c->output);
    size_t n = 0, start = t->length;
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->order[i];
        if (gpai_view_held(v, k) || !gpai_view_short(v, k) ||
            gpai_view_blame(v, k) < least || n++ >= NAMED)
            continue;
        gpai_text_add(t, n == 1 ? "not enough alone: " : ", ");
        gpai_view_input(t, v, k, GPAI_SAY_NAME);
        gpai_text_printf(t, n == 1 ? " leaves %s sigma" : " %s",
                         gpai_say_number(v, gpai_view_left(v, k), 2).text);
    }
    if (n > NAMED)
        gpai_text_printf(t, " and %zu more", n - NAMED);
    if (has_dash(v))
        gpai_text_printf(t, "%s%s: no other value of it alone %sbrings f nearer to y",
                         t->length > start ? "; " : "", GPAI_NO_HELP(v),
                         v->s->nonfinite_rows > 0 ? "that was judged " : "");
    if (adds_up_to_more(v))
        gpai_text_printf(t,
                         "%sseveral may be wrong at once, so the percentages add up to "
                         "more than 100",
                         t->length > start ? "; " : "");
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
    gpai_text_printf(t, "%s after %zu iteration%s%s, stationarity %s",
                     s->converged ? "converged" : "NOT converged", s->iterations,
                     s->iterations == 1 ? "" : "s",
                     was_cut(v) ? " (the budget was used up)" : "",
                     gpai_say_number(v, s->stationarity, 3).text);
    if (isfinite(s->ess))
        gpai_text_printf(t, "; %s effective draw%s",
                         gpai_say_number(v, floor(s->ess), 6).text,
                         floor(s->ess) == 1 ? "" : "s");
    if (!isfinite(s->surrogate_error))
        return;
    bool trusted = s->surrogate_error <= 2;
    gpai_text_printf(t, "; surrogate error %s noise scales%s",
                     gpai_say_number(v, s->surrogate_error, 2).text,
                     trusted ? "" : ": distrust it");
    if (isfinite(s->marginal_change))
        gpai_text_printf(t, "; its last rows changed a distribution by %s at most%s%s",
                         gpai_say_number(v, s->marginal_change, 2).text,
                         s->marginals_still ? " (still)" : ", when they were spent",
                         trusted ? ", so expect errors of two to three times that"
                                 : "");
}
