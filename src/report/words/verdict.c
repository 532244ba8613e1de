#include "report/words/named.h"
#include "report/words/sentence.h"
#include "result/explanation.h"
#include <math.h>
#include <stdio.h>

/* Who is to blame, in words (view.h). */

/* The number of the tables, with its sign in words: "more than 99 %". */
static gpai_cell percent(double p)
{
    gpai_cell short_one = gpai_cell_percent(p), c;
    const char *sign = short_one.text;
    snprintf(c.text, sizeof c.text, "%s%.8s",
             *sign == '<'   ? "less than "
             : *sign == '>' ? "more than "
                            : "",
             sign + (*sign == '<' || *sign == '>'));
    return c;
}

static const char NORMAL[] = " would look normal";

/* What the value just said would do if input k alone were wrong. */
static void would(gpa_text *t, const gpai_view *v, size_t k)
{
    if (gpai_view_short(v, k))
        gpai_text_printf(t, " would come nearer, but still be %s sigma off",
                         gpai_say_number(v, gpai_view_left(v, k), 2).text);
    else
        gpai_text_add(t, NORMAL);
}

static const char *outcomes(const gpai_view *v)
{
    return v->n > 1 ? "these outcomes" : "this outcome";
}

/* The categories of input k's choice that lose and that gain the 1; d where there is
 * none. Gives whether k belongs to a choice at all. */
static bool find_choice(const gpai_view *v, size_t k, size_t *lost, size_t *gained)
{
    bool any = false;
    *lost = *gained = v->d;
    for (size_t j = 0; j < v->d; j++) {
        double move = gpai_raw(v->c->median[j], v->unit[j]);
        if (j != k && !gpai_view_one_choice(v, j, k))
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

/* Whether what would look normal does so in every row: one level has nearly all there
 * is. */
static bool fits_all(const gpai_view *v, size_t k)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    return a == NULL || a->levels == 0 || a->best >= a->levels ||
           a->probability[a->best] > 0.9;
}

/* "smoker 'no' instead of 'yes' would look normal"; "load is missing; 3.2 would look
 * normal". */
static void other_level(gpa_text *t, const gpai_view *v, size_t k)
{
    if (gpai_view_gap(v, k)) {
        gpai_view_input(t, v, k, GPAI_SAY_NAME);
        gpai_text_add(t, " is missing; ");
        gpai_say_filled(t, v, k);
    } else if (isnan(gpai_view_normal(v, k))) {
        gpai_view_input(t, v, k, GPAI_SAY_NAME);
        gpai_text_printf(t, " does not fit %s", outcomes(v));
        return;
    } else {
        gpai_say_input(t, v, k);
        gpai_say_instead(t, v, k, gpai_view_normal(v, k));
    }
    would(t, v, k);
    if (v->n > 1)
        gpai_text_printf(t, " in %s %zu rows", fits_all(v, k) ? "all" : "some of the",
                         v->n);
}

/* Whether up and down mean nothing: there are levels, or there is no value. */
static bool without_order(const gpai_view *v, size_t k)
{
    return gpai_has_levels(&v->kinds, k) || gpai_view_gap(v, k);
}

/* "4.2 kg": the amount of a change, without its sign. */
static void how_much(gpa_text *t, const gpai_view *v, size_t k)
{
    double change = gpai_view_change(v, k), x = gpai_view_x(v, k);
    bool whole = gpai_is_whole(&v->kinds, k) && x == nearbyint(x);
    int decimals = whole ? 0 : gpai_say_decimals(change, x);
    change = fabs(whole ? nearbyint(change) : change);
    gpai_text_add(t, gpai_cell_fixed(change, decimals, true).text);
    gpai_say_measure(t, v, k);
}

/* "4.2 too high", "too late": a change is what would have to be added, so a negative
 * one says that x is too high. */
static void which_way(gpa_text *t, const gpai_view *v, size_t k, bool amount)
{
    bool date = gpai_is_date(&v->kinds, k), down = gpai_view_change(v, k) < 0;
    if (amount && !date) {
        how_much(t, v, k);
        gpai_text_add(t, " ");
    }
    gpai_text_printf(t, "too %s",
                     down ? (date ? "late" : "high") : (date ? "early" : "low"));
}

/* "4.2 lower", of a number in several rows. */
static void shifted(gpa_text *t, const gpai_view *v, size_t k)
{
    how_much(t, v, k);
    gpai_text_add(t, gpai_view_change(v, k) < 0 ? " lower" : " higher");
}

/* Whether it is the change, not the value, that several rows share. */
static bool is_shift(const gpai_view *v, size_t k)
{
    return v->n > 1 && !without_order(v, k);
}

/* " in all 30 rows"; " in most of the 30 rows" where some deviate the other way. */
static void in_rows(gpa_text *t, const gpai_view *v)
{
    bool up = false, down = false;
    for (size_t i = 0; i < v->n; i++) {
        up = up || v->y[i] - v->f[i] > v->s->sigma;
        down = down || v->y[i] - v->f[i] < -v->s->sigma;
    }
    if (v->n > 1)
        gpai_text_printf(t, " in %s %zu rows", up && down ? "most of the" : "all",
                         v->n);
}

/* Whether all rows have the number that stands for a missing value. */
static bool is_missing_code(const gpai_view *v, size_t k)
{
    size_t same = 0;
    for (size_t i = 0; i < v->n; i++)
        same += v->x[i * v->d + k] == v->kinds.input[k].missing ? 1 : 0;
    return same == v->n;
}

/* "load is -999, taken as missing: 3.2 would look normal": how far that
 * is from the code means nothing. */
static void missing_code(gpa_text *t, const gpai_view *v, size_t k)
{
    gpai_say_input(t, v, k);
    gpai_text_add(t, "is ");
    gpai_say_value(t, v, k, v->x[k], GPAI_SAY_NAME);
    gpai_text_add(t, ", taken as missing");
    in_rows(t, v);
    if (isnan(gpai_view_normal(v, k)))
        return;
    gpai_text_add(t, ": ");
    gpai_say_filled(t, v, k);
    would(t, v, k);
}

/* "grade does not fit this outcome: 3 or 1 instead of 2 would look normal". */
static void high_or_low(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpai_ways w = gpai_view_ways(v, k);
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_printf(t, " does not fit %s", outcomes(v));
    if (w.n > 0) {
        gpai_text_add(t, ": ");
        gpai_say_ways(t, v, k, &w);
        gpai_text_add(t, NORMAL);
    } else {
        gpai_text_add(t, ", be it too high or too low");
    }
}

/* " (1.4 times its spread)", unless that is the same number. */
static void times(gpa_text *t, const gpai_view *v, size_t k)
{
    if (v->unit[k] != 1)
        gpai_text_printf(t, " (%s times its spread)",
                         gpai_say_number(v, fabs(v->c->median[k]), 2).text);
}

/* "bmi is 4.2 too high for this outcome: 26.1 instead of 30.3 would look normal". */
static void off_by(gpa_text *t, const gpai_view *v, size_t k, bool amount)
{
    if (without_order(v, k)) {
        other_level(t, v, k);
        return;
    }
    if (is_missing_code(v, k)) {
        missing_code(t, v, k);
        return;
    }
    if (gpai_view_open(v, k)) {
        high_or_low(t, v, k);
        return;
    }
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_add(t, " is ");
    which_way(t, v, k, amount);
    gpai_text_printf(t, " for %s", outcomes(v));
    in_rows(t, v);
    bool near = v->n == 1 && gpai_view_short(v, k); /* beside sigma it misleads */
    if (amount && near)
        times(t, v, k);
    if (amount && v->n == 1 && isfinite(gpai_view_x(v, k))) {
        gpai_text_add(t, ": ");
        gpai_say_instead(t, v, k, gpai_view_normal(v, k));
        would(t, v, k);
    }
    if (amount && !near)
        times(t, v, k);
    if (amount && v->n > 1 && gpai_view_short(v, k))
        gpai_text_printf(t, ", and without that they are still %s sigma off",
                         gpai_say_number(v, gpai_view_left(v, k), 2).text);
}

/* "bmi and s5". */
static void name_all(gpa_text *t, const gpai_view *v, const gpai_named *w)
{
    for (size_t i = 0; i < w->n; i++) {
        gpai_text_add(t, i == 0 ? "" : i + 1 == w->n ? " and " : ", ");
        gpai_view_input(t, v, w->input[i], GPAI_SAY_NAME);
    }
}

/* "bmi 80 instead of 31.2 and bp 31.2 instead of 80 would look normal". */
static void in_place(gpa_text *t, const gpai_view *v, const gpai_named *w)
{
    const size_t *k = w->input;
    for (size_t i = 0; i < 2 && v->n == 1; i++) {
        gpai_text_add(t, i == 0 ? "" : " and ");
        gpai_say_input(t, v, k[i]);
        gpai_say_instead(t, v, k[i], gpai_view_x(v, k[1 - i]));
    }
    if (v->n > 1)
        gpai_text_add(t, "each in the other's place");
    gpai_text_add(t, NORMAL);
}

/* "bmi and bp look exchanged: …; 92 % that they are exchanged". */
static void accuse_exchange(gpa_text *t, const gpai_view *v, const gpai_named *w)
{
    name_all(t, v, w);
    gpai_text_printf(t, " look exchanged: ");
    in_place(t, v, w);
    gpai_text_printf(t, "; %s that they are exchanged",
                     percent(v->c->p_likeliest).text);
}

/* "bmi and s5 together do not fit this outcome; 83 % that just these two are wrong,
 * bmi 99 % and s5 98 %": with others each may be, too. */
static void accuse_just(gpa_text *t, const gpai_view *v, const gpai_named *w)
{
    name_all(t, v, w);
    gpai_text_printf(t, " together do not fit %s; %s that %s wrong", outcomes(v),
                     percent(v->c->p_likeliest).text,
                     w->n == 2 ? "just these two are" : "just these three are");
    for (size_t i = 0; i < w->n; i++) {
        gpai_text_add(t, i == 0 ? ", " : i + 1 == w->n ? " and " : ", ");
        gpai_view_input(t, v, w->input[i], GPAI_SAY_NAME);
        gpai_text_printf(t, " %s", percent(gpai_view_blame(v, w->input[i])).text);
    }
}

/* "bmi (66 %)". */
static void suspect(gpa_text *t, const gpai_view *v, size_t k)
{
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_printf(t, " (%s)", percent(gpai_view_blame(v, k)).text);
}

/* "bmi (99 %) and s5 (98 %) together do not fit this outcome, perhaps with others": no
 * idea has more than half, but most of them have both. */
static void accuse_together(gpa_text *t, const gpai_view *v, const gpai_named *w)
{
    for (size_t i = 0; i < w->n; i++) {
        gpai_text_add(t, i == 0 ? "" : i + 1 == w->n ? " and " : ", ");
        suspect(t, v, w->input[i]);
    }
    gpai_text_printf(t, " together do not fit %s, perhaps with others", outcomes(v));
}

/* ", perhaps with s5 (66 %) or s1 (41 %)": who else it may be where the first one does
 * not explain all by itself; all of the first `reach` suspects. */
static void name_rest(gpa_text *t, const gpai_view *v, size_t first, size_t reach)
{
    static const double LEAST = 0.2; /* as of suspects (view.c) */
    size_t said = 0;
    for (size_t i = 0; i < v->inputs && (said < 2 || i < reach); i++) {
        size_t k = v->order[i];
        if (k == first || gpai_view_one_choice(v, k, first) ||
            !(gpai_view_blame(v, k) > LEAST || i < reach))
            continue;
        gpai_text_add(t, said++ == 0 ? ", perhaps with " : " or ");
        suspect(t, v, k);
    }
}

static void accuse_one(gpa_text *t, const gpai_view *v, size_t first)
{
    size_t lost, gained;
    if (find_choice(v, first, &lost, &gained))
        wrong_choice(t, v, lost, gained);
    else
        off_by(t, v, first, true);
    gpai_text_printf(t, "; %s that it is responsible",
                     percent(gpai_view_blame(v, first)).text);
    if (gpai_view_short(v, first))
        name_rest(t, v, first, 0);
}

static void accuse_input(gpa_text *t, const gpai_view *v)
{
    const gpai_named w = gpai_view_named(v);
    if (w.exchanged)
        accuse_exchange(t, v, &w);
    else if (w.just)
        accuse_just(t, v, &w);
    else if (w.n > 1)
        accuse_together(t, v, &w);
    else
        accuse_one(t, v, w.input[0]);
}

/* The first n suspects, the likeliest first, a choice once; gives how many. */
static size_t first_of(const gpai_view *v, size_t n, size_t *list, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = v->order[i];
        bool named = false;
        for (size_t j = 0; j < i && !named; j++)
            named = gpai_view_one_choice(v, v->order[j], k);
        if (!named && count++ < most)
            list[count - 1] = k;
    }
    return count;
}

/* The way out through one of several suspects: "bmi 26.1 instead of 30.3", of several
 * rows "bmi 4.2 lower". Gives whether there is one: up or down must be clear, and that
 * it would do alone. */
static bool way_out(gpa_text *t, const gpai_view *v, size_t k, const char *before)
{
    size_t lost, gained;
    bool choice = find_choice(v, k, &lost, &gained);
    const gpai_ways w = gpai_view_ways(v, k);
    bool open = choice ? gained == v->d || gpai_view_short(v, k) : w.n == 0;
    bool dates = is_shift(v, k) && gpai_is_date(&v->kinds, k); /* have no amount */
    if (open || dates || !(v->c->single[k] > 0.01)) /* else only with others */
        return false;
    gpai_text_add(t, before);
    if (choice) {
        gpai_view_input(t, v, gained, GPAI_SAY_NAME);
        gpai_text_add(t, " instead of ");
        gpai_view_input(t, v, lost, GPAI_SAY_NAME);
        return true;
    }
    gpai_say_input(t, v, k);
    if (gpai_view_gap(v, k))
        gpai_say_filled(t, v, k);
    else if (is_shift(v, k))
        shifted(t, v, k);
    else
        gpai_say_ways(t, v, k, &w);
    return true;
}

/* "; measure bmi again: at 25 it is bmi, at 51 it is not", of several rows "if it
 * is 4.2 lower, it is bmi": what would tell suspects apart. */
static void tell_apart(gpa_text *t, const gpai_view *v, size_t k, const char *before)
{
    const gpai_ways w = gpai_view_ways(v, k);
    size_t lost, gained;
    if (w.n == 0 || gpai_view_gap(v, k) || find_choice(v, k, &lost, &gained) ||
        !isfinite(gpai_view_x(v, k)))
        return;
    gpai_text_printf(t, "%s%s ", before, without_order(v, k) ? "check" : "measure");
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_add(t, " again: ");
    if (!is_shift(v, k)) {
        gpai_say_again(t, v, k, &w);
        return;
    }
    gpai_text_add(t, "if it is ");
    shifted(t, v, k);
    gpai_text_add(t, ", it is ");
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
}

enum { NAMED = 4 }; /* suspects of one sentence */

static void outcome_or_model(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "the observed ");
    gpai_view_target(t, v, GPAI_SAY_NAME);
    gpai_text_printf(t, " or the model (%s)", percent(v->c->output).text);
}

/* ", perhaps s5 (29 %) or the observed yield or the model (12 %)". */
static void name_perhaps(gpa_text *t, const gpai_view *v, const size_t *list, size_t n,
                         bool outcome)
{
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, i == 0 ? ", perhaps " : " or ");
        suspect(t, v, list[i]);
    }
    if (outcome) {
        gpai_text_add(t, n > 0 ? " or " : ", perhaps ");
        outcome_or_model(t, v);
    }
}

/* The first n of `count` suspects, the last one of all behind its own word. */
static void list_suspects(gpa_text *t, const gpai_view *v, const size_t *list, size_t n,
                          size_t count, const char *last)
{
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, i == 0 ? "" : i + 1 == count ? last : ", ");
        suspect(t, v, list[i]);
    }
}

/* "bmi (46 %) and s5 (39 %) cannot be told apart". */
static void name_tied(gpa_text *t, const gpai_view *v, const size_t *list, size_t n,
                      size_t count)
{
    list_suspects(t, v, list, n, count, " and ");
    if (count > n)
        gpai_text_printf(t, " and %zu more", count - n);
    gpai_text_add(t, count > 1 ? " cannot be told apart"
                               : " is likelier than any other input, but not clearly");
}

/* "bmi and bp are exchanged (34 %)", "just bmi and s5 are wrong (30 %)". */
static void say_idea(gpa_text *t, const gpai_view *v, const gpai_named *idea)
{
    gpai_text_add(t, idea->exchanged ? "" : "just ");
    name_all(t, v, idea);
    gpai_text_printf(t, " are %s (%s)", idea->exchanged ? "exchanged" : "wrong",
                     percent(v->c->p_likeliest).text);
}

/* "; likeliest of all: bmi and bp are exchanged (34 %)": what is said of single inputs
 * counts every idea that has them, and hides which it is. */
static void name_idea(gpa_text *t, const gpai_view *v, const gpai_named *idea)
{
    if (idea->n == 0)
        return;
    gpai_text_add(t, v->c->p_likeliest > v->c->output
                         ? "; likeliest of all: "
                         : "; likeliest fault of the inputs: ");
    say_idea(t, v, idea);
}

/* Whether one of them would do alone. */
static bool any_enough(const gpai_view *v, const size_t *list, size_t n)
{
    bool enough = n == 0;
    for (size_t i = 0; i < n; i++)
        enough = enough || !gpai_view_short(v, list[i]);
    return enough;
}

/* ": bmi 26.1 instead of 30.3 or s5 4.1 instead of 4.9 would look normal"; gives the
 * first that has a way out, d where none has one. */
static size_t say_ways_out(gpa_text *t, const gpai_view *v, const size_t *list,
                           size_t n)
{
    size_t first = v->d;
    for (size_t i = 0; i < n; i++)
        if (way_out(t, v, list[i], first < v->d ? " or " : ": ") && first == v->d)
            first = list[i];
    if (first < v->d) {
        gpai_text_add(t, NORMAL);
        in_rows(t, v);
    }
    return first;
}

/* Several that may be it: whom a sentence names, and how. */
struct several {
    size_t list[NAMED], n, count; /* the first n of so many suspects */
    gpai_named idea;              /* the likeliest, where it has several of them */
    bool outcome, behind; /* the outcome is worth a word; it is likelier than any */
};

/* "; each is not enough alone", ", perhaps with s5 (66 %)". */
static void say_enough(gpa_text *t, const gpai_view *v, const struct several *s)
{
    if (any_enough(v, s->list, s->n))
        return;
    gpai_text_add(t, s->n > 1    ? "; each is not enough alone"
                     : s->behind ? ", which is not enough alone"
                                 : "; it is not enough alone");
    if (s->n == 1 && s->idea.n > 0)
        name_rest(t, v, s->list[0], gpai_view_reach(v));
}

/* What is to be done next: the first suspect is looked at in any case, also where it is
 * not clear at what value it would be the culprit; that is not said again of an idea
 * that has it, nor of an input behind the outcome. first: of those that have a way out;
 * d where none has one. */
static void advise(gpa_text *t, const gpai_view *v, const struct several *s,
                   size_t first)
{
    bool check =
        first != s->list[0] && !s->behind && !gpai_view_has(v, &s->idea, s->list[0]);
    if (s->n < 2)
        return;
    if (check) {
        gpai_text_add(t, "; check ");
        gpai_view_input(t, v, s->list[0], GPAI_SAY_NAME);
        gpai_text_add(t, " first");
    }
    if (first < v->d)
        tell_apart(t, v, first, check ? ", then " : "; ");
}

/* "; 190 would look normal (101 to 279)": with the interval that holds 90 %. */
static void normal_outcome(gpa_text *t, const gpai_view *v)
{
    bool ascii = v->info->ascii;
    double ends[2], normal = gpai_view_output_normal(v, ends);
    int decimals = gpai_decimals(ends[1] - ends[0], 3);
    if (isnan(normal))
        return;
    gpai_text_printf(t, "; %s", gpai_cell_fixed(normal, decimals, ascii).text);
    gpai_say_measure(t, v, v->d);
    gpai_text_add(t, NORMAL);
    gpai_text_printf(t, " (%s to %s)", gpai_cell_fixed(ends[0], decimals, ascii).text,
                     gpai_cell_fixed(ends[1], decimals, ascii).text);
}

static void name_first_outcome(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "The first suspect is ");
    outcome_or_model(t, v);
    normal_outcome(t, v);
}

/* "; it may also be fuel (30 %) or age (28 %)". */
static void name_also(gpa_text *t, const gpai_view *v, const size_t *list, size_t n,
                      size_t count)
{
    gpai_text_add(t, n > 0 ? "; it may also be " : "");
    list_suspects(t, v, list, n, count, " or ");
    if (count == n + 1)
        gpai_text_add(t, " or one more");
    else if (count > n)
        gpai_text_printf(t, " or one of %zu more", count - n);
}

/* "Probably bmi and bp are exchanged (61 %), perhaps the observed yield or the model
 * (38 %): bmi 80 instead of 31.2 and bp 31.2 instead of 80 would look normal". */
static void name_probable_idea(gpa_text *t, const gpai_view *v, const struct several *s)
{
    size_t others[NAMED], n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!gpai_view_has(v, &s->idea, s->list[i]))
            others[n++] = s->list[i];
    gpai_text_add(t, "Probably ");
    say_idea(t, v, &s->idea);
    name_perhaps(t, v, others, n, s->outcome);
    if (s->idea.exchanged) {
        gpai_text_add(t, ": ");
        in_place(t, v, &s->idea);
    } else if (!any_enough(v, s->idea.input, s->idea.n)) {
        gpai_text_add(t, "; each is not enough alone");
    }
}

static void name_several(gpa_text *t, const gpai_view *v, const struct several *s,
                         bool ahead)
{
    if (s->behind) {
        name_first_outcome(t, v);
        name_also(t, v, s->list, s->n, s->count);
    } else if (ahead) {
        gpai_text_add(t, "Probably ");
        suspect(t, v, s->list[0]);
        name_perhaps(t, v, s->list + 1, s->n - 1, s->outcome);
    } else {
        name_tied(t, v, s->list, s->n, s->count);
    }
}

static void accuse_several(gpa_text *t, const gpai_view *v)
{
    struct several s = {.idea = gpai_view_idea(v), .outcome = v->c->output >= 0.1};
    s.count = first_of(v, v->suspects, s.list, NAMED);
    s.n = s.count < NAMED ? s.count : NAMED;
    s.behind = v->inputs > 0 && v->c->output > gpai_view_blame(v, v->order[0]);
    if (s.idea.just) {
        name_probable_idea(t, v, &s);
        return;
    }
    bool ahead = s.n > 0 && gpai_view_ahead(v);
    name_several(t, v, &s, ahead);
    size_t first = say_ways_out(t, v, s.list, s.n);
    say_enough(t, v, &s);
    if (s.n > 1 && any_enough(v, s.list, s.n) && first == v->d && v->n > 1)
        gpai_text_add(t, "; no one change makes all rows normal");
    name_idea(t, v, &s.idea);
    advise(t, v, &s, first);
    if (s.outcome && !ahead && !s.behind) {
        gpai_text_add(t, "; it may also be ");
        outcome_or_model(t, v);
    }
}

/* "; it may also be fuel (30 %): 'electric' instead of 'petrol' would look normal"; and
 * the likeliest idea, where that has several inputs. */
static void name_second(gpa_text *t, const gpai_view *v)
{
    const gpai_named idea = gpai_view_idea(v);
    size_t list[NAMED] = {v->kinds.first[v->c->first]}, n = 1;
    if (idea.n > 0)
        n = first_of(v, gpai_view_reach(v), list, NAMED);
    name_also(t, v, list, n < NAMED ? n : NAMED, n);
    if (way_out(t, v, list[0], ": "))
        gpai_text_add(t, NORMAL);
    name_idea(t, v, &idea);
}

/* Whether an input is held because of its texts, and not because somebody said so. */
static bool is_held_text(const gpai_view *v, size_t k)
{
    const gpa_input *in = &v->kinds.input[k];
    return in->kind == GPA_KIND_HELD && in->inferred &&
           in->writing == GPA_WRITING_LEVEL;
}

/* "; made and lot, texts that were held, were not asked about": the names of rows are
 * held, and so is what only looks like them. */
static void not_asked(gpa_text *t, const gpai_view *v)
{
    size_t said = 0, count = 0;
    for (size_t i = 0; i < v->inputs; i++)
        count += is_held_text(v, v->kinds.seen[i]) ? 1 : 0;
    for (size_t i = 0; i < v->inputs && said < NAMED; i++) {
        size_t k = v->kinds.seen[i];
        if (!is_held_text(v, k))
            continue;
        gpai_text_add(t, said == 0 ? "; " : said + 1 == count ? " and " : ", ");
        gpai_view_input(t, v, k, GPAI_SAY_NAME);
        said++;
    }
    if (count > said)
        gpai_text_printf(t, " and %zu more", count - said);
    if (count > 0)
        gpai_text_add(t, count > 1 ? ", texts that are held, were not asked about"
                                   : ", a text that is held, was not asked about");
}

static void accuse_output(gpa_text *t, const gpai_view *v)
{
    if (v->c->output >= 0.8) { /* as sure as of an input */
        gpai_text_printf(t,
                         "No plausible change of the inputs explains %s: suspect the "
                         "observed ",
                         outcomes(v));
        gpai_view_target(t, v, GPAI_SAY_NAME);
        gpai_text_printf(t, ", or the model (%s)", percent(v->c->output).text);
        normal_outcome(t, v);
    } else {
        name_first_outcome(t, v);
        name_second(t, v);
    }
    not_asked(t, v);
}

/* Several rows: the root mean square, by which the verdict was found, and what of it is
 * in the row that is farthest off. */
struct deviations {
    double rms, most; /* in sigma */
    size_t farthest;
};

static struct deviations measure(const gpai_view *v)
{
    struct deviations m = {.rms = 0};
    double n = (double)v->n;
    for (size_t i = 0; i < v->n; i++) {
        double off = (v->y[i] - v->f[i]) / v->s->sigma;
        m.rms += off * off / n;
        m.farthest = fabs(off) > m.most ? i : m.farthest;
        m.most = fmax(m.most, fabs(off));
    }
    m.rms = sqrt(m.rms);
    return m;
}

/* "Nothing unusual: the deviation is 1.2 sigma". Of several rows one may be. */
static void say_deviations(gpa_text *t, const gpai_view *v, const struct deviations *m)
{
    static const double NORMAL_ROW = 2; /* as of a single row */
    bool all = v->n == 1 || m->most <= NORMAL_ROW;
    gpai_text_add(t,
                  all ? "Nothing unusual: the" : "Nothing unusual on the whole: the");
    gpai_text_printf(t, " deviation%s %s sigma", v->n > 1 ? "s are" : " is",
                     gpai_say_number(v, m->rms, 2).text);
    gpai_text_add(t, v->n > 1 ? " (root mean square)" : "");
    if (v->n > 1 && !all) {
        gpai_text_printf(t, ", at most %s in row ",
                         gpai_say_number(v, m->most, 2).text);
        gpai_say_row(t, v->info, gpa_explanation_row(v->e, m->farthest));
    }
}

static void accuse_nobody(gpa_text *t, const gpai_view *v)
{
    struct deviations m = measure(v);
    double blame = gpai_view_blame(v, v->kinds.first[v->c->first]);
    say_deviations(t, v, &m);
    if (blame <= 0.5)
        return;
    gpai_text_add(t, "; if something is wrong all the same, it is probably ");
    gpai_named w = gpai_view_named(v);
    w.n = w.just ? w.n : 1;
    name_all(t, v, &w);
    gpai_text_add(t, w.exchanged ? ", exchanged" : w.just ? " together" : "");
    gpai_text_printf(t, " (%s)", percent(w.just ? v->c->p_likeliest : blame).text);
}

/* "cooling -999 is", "a -999, b 1e6 and 2 more are"; of several rows without values,
 * for they differ. */
static void name_far(gpa_text *t, const gpai_view *v)
{
    enum { NAMED_FAR = 3 };
    size_t n = v->e->n_far, named = n <= NAMED_FAR ? n : NAMED_FAR;
    for (size_t i = 0; i < named; i++) {
        size_t k = v->e->far[i];
        gpai_text_add(t, i == 0 ? "" : i + 1 == n ? " and " : ", ");
        if (v->n > 1) {
            gpai_view_input(t, v, k, GPAI_SAY_NAME);
            continue;
        }
        gpai_say_input(t, v, k);
        gpai_say_value(t, v, k, v->x[k], GPAI_SAY_NAME);
        gpai_say_measure(t, v, k);
    }
    if (n > named)
        gpai_text_printf(t, " and %zu more", n - named);
    gpai_text_add(t, n > 1 ? " are" : " is");
}

/* "y agrees with the model (0.86 sigma), but cooling -999 is far from all that is
 * usual": that the model does not mind does not make it right. */
static void suspect_far(gpa_text *t, const gpai_view *v)
{
    struct deviations m = measure(v);
    gpai_view_target(t, v, GPAI_SAY_NAME);
    gpai_text_printf(t, " agrees with the model (%s sigma",
                     gpai_say_number(v, m.rms, 2).text);
    if (v->n > 1)
        gpai_text_printf(t, ", root mean square, at most %s",
                         gpai_say_number(v, m.most, 2).text);
    gpai_text_add(t, "), but ");
    name_far(t, v);
    gpai_text_add(t, " far from all that is usual");
    if (v->n > 1)
        gpai_text_printf(t, " in all %zu rows", v->n);
    gpai_text_add(t, ": perhaps a code for a missing value, or another unit");
}

void gpai_say_verdict(gpa_text *t, const gpai_view *v)
{
    switch (v->c != NULL ? v->c->verdict : GPA_VERDICT_UNKNOWN) {
    case GPA_VERDICT_UNKNOWN:
        if (v->unanswered == NULL)
            return;
        gpai_text_printf(t, "No answer: %s", v->unanswered);
        break;
    case GPA_VERDICT_NORMAL:
        (v->e->n_far > 0 ? suspect_far : accuse_nobody)(t, v);
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

void gpai_say_first(gpa_text *t, const gpai_view *v)
{
    bool verdict = v->c != NULL || v->unanswered != NULL;
    (verdict ? gpai_say_verdict : gpai_say_what)(t, v);
}
