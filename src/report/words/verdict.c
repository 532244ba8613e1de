#include "report/words/sentence.h"
#include <math.h>
#include <stdio.h>

/* Who is to blame, in words (view.h). */

/* "93 %"; never a 0 or 100 that is only rounded. */
static gpai_cell percent(double p)
{
    gpai_cell c;
    double whole = floor(100 * p + 0.5);
    bool low = whole<1, high = whole> 99;
    snprintf(c.text, sizeof c.text, "%s%d %%",
             low    ? "less than "
             : high ? "more than "
                    : "",
             low    ? 1
             : high ? 99
                    : (int)whole);
    return c;
}

static const char NORMAL[] = " would look normal";

static const char *outcomes(const gpai_view *v)
{
    return v->n > 1 ? "these outcomes" : "this outcome";
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
    gpai_view_input(t, v, lost, GPAI_SAY_NAME);
    gpai_text_printf(t, " does not fit %s: ", outcomes(v));
    if (gained < v->d)
        gpai_view_input(t, v, gained, GPAI_SAY_NAME);
    else
        gpai_text_add(t, "another choice");
    gpai_text_add(t, NORMAL);
}

/* "26.1 instead of 30.3" */
static void instead(gpa_text *t, const gpai_view *v, size_t k, double raw)
{
    double x = gpai_view_x(v, k);
    int decimals = gpai_say_decimals(raw, x);
    gpai_text_printf(t, "%s instead of %s",
                     gpai_cell_fixed(x + raw, decimals, v->info->ascii).text,
                     gpai_cell_fixed(x, decimals, v->info->ascii).text);
}

/* "bmi is 4.2 too high for this outcome: 26.1 instead of …": delta is what would have
 * to be added, so a negative one says that x is too high. */
static void off_by(gpa_text *t, const gpai_view *v, size_t k, bool amount)
{
    double raw = gpai_raw(v->c->median[k], v->unit[k]), x = gpai_view_x(v, k);
    bool open = v->c->low[k] * v->c->high[k] < 0 || raw == 0;
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    if (open) {
        gpai_text_printf(t, " does not fit %s, be it too high or too low", outcomes(v));
        return;
    }
    gpai_text_add(t, " is ");
    if (amount)
        gpai_text_printf(
            t, "%s ", gpai_cell_fixed(fabs(raw), gpai_say_decimals(raw, x), true).text);
    gpai_text_printf(t, "too %s for %s", raw < 0 ? "high" : "low", outcomes(v));
    if (v->n > 1)
        gpai_text_printf(t, " in all %zu rows", v->n);
    if (amount && v->n == 1 && isfinite(x)) {
        gpai_text_add(t, ": ");
        instead(t, v, k, raw);
        gpai_text_add(t, NORMAL);
    }
    if (amount && v->unit[k] != 1) /* else it is the same number */
        gpai_text_printf(t, " (%s times its spread)",
                         gpai_say_number(v, fabs(v->c->median[k]), 2).text);
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
    gpai_text_printf(t, "; %s that it is responsible",
                     percent(gpai_view_blame(v, first)).text);
    if (second == v->d)
        return;
    gpai_text_add(t, ", probably together with ");
    gpai_view_input(t, v, second, GPAI_SAY_NAME);
    gpai_text_printf(t, " (%s)", percent(gpai_view_blame(v, second)).text);
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

/* The way out through one of several suspects: "bmi 26.1 instead of 30.3". Gives
 * whether there is one: up or down must be clear. */
static bool way_out(gpa_text *t, const gpai_view *v, size_t k, const char *before)
{
    size_t lost, gained;
    double raw = gpai_raw(v->c->median[k], v->unit[k]), x = gpai_view_x(v, k);
    bool choice = find_choice(v, k, &lost, &gained);
    bool open = !(v->c->low[k] * v->c->high[k] > 0) || raw == 0 || !isfinite(x);
    if (v->n > 1 || (choice ? gained == v->d : open))
        return false;
    gpai_text_add(t, before);
    gpai_view_input(t, v, choice ? gained : k, GPAI_SAY_NAME);
    gpai_text_add(t, choice ? " instead of " : " ");
    if (choice)
        gpai_view_input(t, v, lost, GPAI_SAY_NAME);
    else
        instead(t, v, k, raw);
    return true;
}

static void accuse_several(gpa_text *t, const gpai_view *v)
{
    enum { NAMED = 3 };
    size_t list[NAMED], count = suspects(v, list, NAMED);
    size_t named = count < NAMED ? count : NAMED, ways = 0;
    for (size_t i = 0; i < named; i++) {
        gpai_text_add(t, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        gpai_view_input(t, v, list[i], GPAI_SAY_NAME);
        gpai_text_printf(t, " (%s)", percent(gpai_view_blame(v, list[i])).text);
    }
    if (count > named)
        gpai_text_printf(t, " and %zu more", count - named);
    gpai_text_add(t, count > 1 ? " cannot be told apart"
                               : " is likelier than any other input, but not clearly");
    for (size_t i = 0; i < named; i++)
        ways += way_out(t, v, list[i], ways > 0 ? " or " : ": ");
    gpai_text_add(t, ways > 0 ? NORMAL : "");
    if (v->c->output < 0.1)
        return;
    gpai_text_add(t, "; it may also be the observed ");
    gpai_view_target(t, v, GPAI_SAY_NAME);
    gpai_text_printf(t, " or the model (%s)", percent(v->c->output).text);
}

/* "; 87 to 293 would look normal": what lies within 2 sigma. */
static void normal_outcome(gpa_text *t, const gpai_view *v)
{
    double half = 2 * v->s->sigma;
    int decimals = gpai_decimals(half, 2);
    if (v->n > 1 || !(half > 0) || !isfinite(half))
        return;
    gpai_text_printf(t, "; %s to %s%s",
                     gpai_cell_fixed(v->f_mean - half, decimals, v->info->ascii).text,
                     gpai_cell_fixed(v->f_mean + half, decimals, v->info->ascii).text,
                     NORMAL);
}

static void accuse_output(gpa_text *t, const gpai_view *v)
{
    gpai_text_printf(t,
                     "No plausible change of the inputs explains %s: suspect the "
                     "observed ",
                     outcomes(v));
    gpai_view_target(t, v, GPAI_SAY_NAME);
    gpai_text_printf(t, ", or the model (%s)", percent(v->c->output).text);
    normal_outcome(t, v);
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
    gpai_text_printf(t, "%s sigma%s",
                     gpai_say_number(v, sqrt(square) / v->s->sigma, 2).text,
                     v->n > 1 ? " (root mean square)" : "");
    if (drift)
        gpai_text_printf(t, "; but together they are off by %s standard errors",
                         gpai_say_number(v, errors, 2).text);
    if (blame <= 0.5)
        return;
    gpai_text_add(t, drift ? ": probably "
                           : "; if something is wrong all the same, it is probably ");
    gpai_view_input(t, v, v->c->first, GPAI_SAY_NAME);
    gpai_text_printf(t, " (%s)", percent(blame).text);
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
