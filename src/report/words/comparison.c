#include "report/words/comparison.h"
#include "base/text/utf8.h"
#include "report/words/sentence.h"
#include "result/comparison.h"
#include <math.h>
#include <string.h>

const char *gpai_method_label(const gpa_comparison *c, size_t j)
{
    const gpa_method *m = gpa_comparison_method(c, j);
    return m->label != NULL ? m->label : m->name;
}

double gpai_compare_score(const gpa_comparison *c, size_t i, size_t j, size_t k)
{
    const gpa_attribution *a = gpa_comparison_at(c, i, j);
    return a != NULL ? gpa_attribution_score(a)[k] : (double)NAN;
}

const double *gpai_compare_responsible(const gpa_comparison *c, size_t i,
                                       double *output)
{
    const gpa_attribution *a = gpai_comparison_gpa(c, i);
    if (a != NULL && output != NULL)
        *output = a->output;
    return a != NULL ? a->responsible : NULL;
}

const char *gpai_score_label(const gpa_comparison *c, size_t i, size_t j)
{
    const gpa_attribution *a = gpa_comparison_at(c, i, j);
    return a != NULL && gpa_attribution_responsible(a) != NULL
               ? "GPA's change"
               : gpai_method_label(c, j);
}

void gpai_say_compared_verdict(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, size_t i)
{
    const gpa_attribution *a = gpai_comparison_gpa(c, i);
    gpai_view v;
    if (a != NULL && a->verdict_text != NULL)
        gpai_text_visible(t, a->verdict_text, 0, info->ascii);
    if (a == NULL || a->explanation == NULL || t->failed)
        return;
    t->failed = gpai_view_make(&v, info, a->explanation, NULL) != GPA_OK;
    if (t->failed)
        return;
    gpai_say_verdict(t, &v);
    gpai_view_free(&v);
}

/* Whether method j is the first of those whose sign says the same. */
static bool first_to_say(const gpa_comparison *c, size_t j)
{
    const char *words = gpa_comparison_method(c, j)->positive;
    for (size_t before = 0; before < j; before++)
        if (strcmp(gpa_comparison_method(c, before)->positive, words) == 0)
            return false;
    return true;
}

void gpai_say_signs(gpa_text *t, const gpa_comparison *c)
{
    size_t m = gpa_comparison_methods(c), said = 0;
    gpai_text_add(t, "a + says: ");
    for (size_t j = 0; j < m; j++) {
        const char *words = gpa_comparison_method(c, j)->positive;
        if (!first_to_say(c, j))
            continue;
        gpai_text_printf(t, "%s%s (", said++ > 0 ? "; " : "", words);
        for (size_t i = j, n = 0; i < m; i++) {
            if (strcmp(gpa_comparison_method(c, i)->positive, words) != 0)
                continue;
            bool both = gpa_comparison_rows(c) > 0 &&
                        strcmp(gpai_score_label(c, 0, i), gpai_method_label(c, i)) != 0;
            gpai_text_printf(t, "%s%s", n++ > 0 ? ", " : "",
                             both ? "GPA's change" : gpai_method_label(c, i));
        }
        gpai_text_add(t, ")");
        if (strstr(words, "pushes") != NULL)
            gpai_text_add(t, ", which does not say that it should be lower");
    }
}

/* The input of the largest size; d where there is none. */
static size_t top_input(const gpa_comparison *c, size_t i, size_t j)
{
    size_t d = gpa_comparison_dim(c), top = d;
    double most = -1;
    for (size_t k = 0; k < d; k++) {
        double size = fabs(gpai_compare_score(c, i, j, k));
        if (isfinite(size) && size > most) {
            most = size;
            top = k;
        }
    }
    return top;
}

double gpai_compare_largest(const gpa_comparison *c, size_t i, size_t j)
{
    size_t k = top_input(c, i, j);
    return k < gpa_comparison_dim(c) ? fabs(gpai_compare_score(c, i, j, k))
                                     : (double)NAN;
}

size_t gpai_compare_reacted(const gpa_comparison *c, size_t j, size_t *known)
{
    size_t yes = 0;
    *known = 0;
    for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
        int reacts = gpa_comparison_reacts(c, i, j);
        yes += reacts == 1;
        *known += reacts >= 0;
    }
    return yes;
}

double gpai_compare_model_rows(const gpa_comparison *c, size_t j)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        sum += a != NULL ? (double)gpa_attribution_model_rows(a) : 0;
        n += a != NULL;
    }
    return sum / n; /* NaN when there is none */
}

const char *gpai_compare_silent(const gpa_comparison *c, size_t j)
{
    const char *why = "no answer";
    for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
        if (gpa_comparison_at(c, i, j) != NULL)
            return NULL;
        if (gpa_comparison_skipped(c, i, j) != NULL)
            why = gpa_comparison_skipped(c, i, j);
    }
    return why;
}

/* The input a method points at: d where all its scores are 0. */
static size_t named_by(const gpa_comparison *c, size_t i, size_t j)
{
    return gpai_compare_largest(c, i, j) > 0 ? top_input(c, i, j)
                                             : gpa_comparison_dim(c);
}

/* " (GPA, LC)": the methods from `first` on that point at the same input. */
static void methods_of_top(gpa_text *t, const gpa_comparison *c, size_t i, size_t first,
                           size_t top)
{
    gpai_text_add(t, " (");
    for (size_t j = first; j < gpa_comparison_methods(c); j++)
        if (gpa_comparison_at(c, i, j) != NULL && named_by(c, i, j) == top) {
            gpai_text_add(t, j > first ? ", " : "");
            gpai_text_add(t, gpai_score_label(c, i, j));
        }
    gpai_text_add(t, ")");
}

/* Whether method j is the first that points at its input. */
static bool first_to_name(const gpa_comparison *c, size_t i, size_t j)
{
    if (gpa_comparison_at(c, i, j) == NULL)
        return false;
    for (size_t before = 0; before < j; before++)
        if (gpa_comparison_at(c, i, before) != NULL &&
            named_by(c, i, before) == named_by(c, i, j))
            return false;
    return true;
}

void gpai_say_tops(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                   size_t i)
{
    char room[GPAI_NAME_SIZE];
    size_t d = gpa_comparison_dim(c), groups = 0;
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        size_t top = named_by(c, i, j);
        if (!first_to_name(c, i, j))
            continue;
        gpai_text_add(t, groups++ > 0 ? ", " : "");
        if (top < d)
            gpai_text_visible(t, gpai_name_input(info, top, room), GPAI_SAY_NAME,
                              info->ascii);
        else
            gpai_text_add(t, "none");
        methods_of_top(t, c, i, j, top);
    }
    gpai_text_add(t, groups == 0 ? "nobody has an answer" : "");
}

/* In how many rows whose verdict is about inputs method j points first at the likeliest
 * of them; `known`: of how many it says something. */
static size_t same_first(const gpa_comparison *c, size_t j, size_t *known)
{
    size_t same = 0, d = gpa_comparison_dim(c);
    *known = 0;
    for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
        const double *p = gpai_compare_responsible(c, i, NULL);
        gpa_verdict verdict = gpa_comparison_verdict(c, i);
        size_t first = 0;
        if (p == NULL || gpa_comparison_at(c, i, j) == NULL ||
            (verdict != GPA_VERDICT_INPUT && verdict != GPA_VERDICT_TIED))
            continue;
        for (size_t k = 1; k < d; k++)
            first = p[k] > p[first] ? k : first;
        size_t top = named_by(c, i, j);
        ++*known;
        same += top < d && p[top] == p[first]; /* of a group any column */
    }
    return same;
}

bool gpai_say_same_first(gpa_text *t, const gpa_comparison *c)
{
    size_t said = 0;
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        size_t known = 0, same = same_first(c, j, &known);
        if (known == 0)
            continue;
        gpai_text_printf(t, "%s%s %zu of %zu",
                         said++ > 0 ? ", "
                                    : "largest score at the input most probably "
                                      "responsible: ",
                         gpai_score_label(c, 0, j), same, known);
    }
    return said > 0;
}

/* "GPA, LC" of the methods that reacted always (1), never (0) or sometimes (2). */
static size_t those_who(gpa_text *t, const gpa_comparison *c, int when)
{
    size_t count = 0;
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        size_t known = 0, yes = gpai_compare_reacted(c, j, &known);
        int is = known == 0 ? -1 : yes == known ? 1 : yes == 0 ? 0 : 2;
        if (is != when)
            continue;
        if (t != NULL) {
            gpai_text_add(t, count > 0 ? ", " : "");
            gpai_text_add(t, gpai_method_label(c, j));
            if (when == 2)
                gpai_text_printf(t, " (%zu of %zu)", yes, known);
        }
        count++;
    }
    return count;
}

bool gpai_reacts_known(const gpa_comparison *c)
{
    return those_who(NULL, c, 0) + those_who(NULL, c, 1) + those_who(NULL, c, 2) > 0;
}

void gpai_say_reacts(gpa_text *t, const gpa_comparison *c)
{
    static const struct {
        int when;
        const char *words;
    } kinds[] = {
        {1, "reacts to y: "}, {2, "reacts to y in some rows: "}, {0, "blind to y: "}};
    const char *between = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (those_who(NULL, c, kinds[i].when) == 0)
            continue;
        gpai_text_add(t, between);
        gpai_text_add(t, kinds[i].words);
        those_who(t, c, kinds[i].when);
        between = "; ";
    }
}

void gpai_say_compared_row(gpa_text *t, const gpa_report_info *info,
                           const gpa_comparison *c, size_t i)
{
    gpai_text_add(t, "row ");
    gpai_say_row(t, info, gpa_comparison_row(c, i));
}

void gpai_say_compared_y(gpa_text *t, const gpa_report_info *info,
                         const gpa_comparison *c, size_t i)
{
    gpai_text_visible(t, info->target != NULL ? info->target : "y", GPAI_SAY_NAME,
                      info->ascii);
    gpai_text_printf(t, " = %s was observed, f = %s predicted",
                     gpai_cell_value(gpa_comparison_y(c, i), info->ascii).text,
                     gpai_cell_people(gpa_comparison_f(c, i), 5, info->ascii).text);
}

static bool notes(const gpa_comparison *c, size_t i, size_t j, const char *note)
{
    const gpa_attribution *a = gpa_comparison_at(c, i, j);
    for (size_t k = 0; a != NULL && gpa_attribution_note(a, k) != NULL; k++)
        if (strcmp(gpa_attribution_note(a, k), note) == 0)
            return true;
    return false;
}

/* Whether an earlier row has the same note. */
static bool noted_before(const gpa_comparison *c, size_t j, size_t i, const char *note)
{
    for (size_t before = 0; before < i; before++)
        if (notes(c, before, j, note))
            return true;
    return false;
}

/* Whether these words hold for all that a method says: why it is silent, or a note
 * about every row. */
static bool holds(const gpa_comparison *c, size_t j, const char *words)
{
    const char *silent = gpai_compare_silent(c, j);
    size_t i = 0;
    if (silent != NULL)
        return strcmp(silent, words) == 0;
    while (i < gpa_comparison_rows(c) && notes(c, i, j, words))
        i++;
    return i == gpa_comparison_rows(c);
}

/* Whether an earlier method has said so of itself. */
static bool held_before(const gpa_comparison *c, size_t j, const char *words)
{
    for (size_t before = 0; before < j; before++)
        if (holds(c, before, words))
            return true;
    return false;
}

void gpai_say_who(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                  size_t j, size_t i, const char *words)
{
    gpai_text_add(t, gpai_method_label(c, j));
    if (i < gpa_comparison_rows(c)) {
        gpai_text_add(t, ", ");
        gpai_say_compared_row(t, info, c, i);
        return;
    }
    for (size_t other = j + 1; other < gpa_comparison_methods(c); other++)
        if (holds(c, other, words))
            gpai_text_printf(t, ", %s", gpai_method_label(c, other));
}

/* Whether its own notes say that it did not converge. */
static bool says_so(const gpa_attribution *a)
{
    for (size_t k = 0; gpa_attribution_note(a, k) != NULL; k++)
        if (strstr(gpa_attribution_note(a, k), "the search for") != NULL)
            return true;
    return false;
}

/* A note of one row; of all rows, and of all methods that say so, once. */
static void remark(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                   size_t j, size_t i, const char *note, gpai_remark_fn line)
{
    bool all = holds(c, j, note);
    if (!noted_before(c, j, i, note) && !(all && held_before(c, j, note)))
        line(t, info, c, j, all ? gpa_comparison_rows(c) : i, note);
}

static void remarks_of(gpa_text *t, const gpa_report_info *info,
                       const gpa_comparison *c, size_t j, gpai_remark_fn line)
{
    size_t n = gpa_comparison_rows(c);
    const char *silent = gpai_compare_silent(c, j);
    if (silent != NULL) {
        if (!held_before(c, j, silent))
            line(t, info, c, j, n, silent);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const gpa_attribution *a = gpa_comparison_at(c, i, j);
        const char *skipped = gpa_comparison_skipped(c, i, j);
        if (a == NULL)
            line(t, info, c, j, i, skipped != NULL ? skipped : "no answer");
        else if (!gpa_attribution_converged(a) && !says_so(a))
            line(t, info, c, j, i, "did not converge");
        for (size_t k = 0; a != NULL && gpa_attribution_note(a, k) != NULL; k++)
            remark(t, info, c, j, i, gpa_attribution_note(a, k), line);
    }
}

void gpai_compare_remarks(gpa_text *t, const gpa_report_info *info,
                          const gpa_comparison *c, gpai_remark_fn line)
{
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        remarks_of(t, info, c, j, line);
}
