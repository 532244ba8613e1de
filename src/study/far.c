#include "base/text/input.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "engine/explain.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>

/* Numbers far from all that is usual in the table, said where rows are only scored: the
 * model may not mind them, and then no score does. An explanation says it itself. */

enum { NAMED = 3 }; /* columns; of more it is said how many they are */

/* What the numbers of a column are like, those that are far out on one side (sign: 1 or
 * -1) of what is usual. */
struct side {
    double sign, low, high; /* usual */
    double rest, least;     /* the others come so near, signed */
    double value;           /* of all far ones; NaN: they differ */
    gpai_row_names rows;
};

static bool is_number(const gpa_study *s, size_t k)
{
    gpa_kind kind = s->kinds != NULL ? s->kinds[k].kind : GPA_KIND_NUMBER;
    bool text = s->sources[k].writing == GPA_WRITING_LEVEL;
    return !text && (kind == GPA_KIND_NUMBER || kind == GPA_KIND_WHOLE);
}

/* The number of row i; NaN where it does not count. */
static double number_of(const gpa_study *s, size_t k, size_t i)
{
    double v = s->sample.x[i * s->d + k];
    bool missing = s->kinds != NULL && v == s->kinds[k].missing;
    return isfinite(v) && !missing ? v : (double)NAN;
}

static void add(struct side *w, const gpa_study *s, size_t i, double v)
{
    if (!(w->sign * v > w->sign * (w->sign > 0 ? w->high : w->low)) ||
        !gpai_is_far(v, w->low, w->high)) {
        w->rest = fmax(w->rest, w->sign * v); /* not by NaN */
        return;
    }
    w->value = w->rows.n == 0 || w->value == v ? v : (double)NAN;
    w->least = fmin(w->least, w->sign * v);
    gpai_row_names_add(&w->rows, s->row != NULL ? s->row[i] : i);
}

/* The range of a column over the rows that say what is plausible. */
static void find_usual(const gpa_study *s, size_t k, const size_t *row, size_t n,
                       struct side *w)
{
    w->low = HUGE_VAL;
    w->high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        w->low = fmin(w->low, number_of(s, k, row[i]));
        w->high = fmax(w->high, number_of(s, k, row[i]));
    }
}

/* Whether some numbers are far out there, farther from the rest than that spreads: a
 * long tail has no such gap. */
static bool look(struct side *w, const gpa_study *s, size_t k)
{
    w->rest = -HUGE_VAL;
    w->least = HUGE_VAL;
    for (size_t i = 0; i < s->sample.n && w->high > w->low; i++)
        add(w, s, i, number_of(s, k, i));
    double spread = w->rest - fmin(w->sign * w->low, w->sign * w->high);
    return w->rows.n > 0 && w->least - w->rest > spread;
}

/* "cooling (-999) in row 44" */
static int describe(char *to, size_t size, const gpa_study *s, size_t k,
                    const struct side *w)
{
    char value[GPAI_REAL_SIZE] = "";
    bool same = !isnan(w->value);
    if (same)
        gpai_input_brief(s->kinds != NULL ? &s->kinds[k] : NULL, w->value, value);
    return snprintf(to, size, "%.80s%s%s%s in row%s %s",
                    gpai_show_text(s->inputs[k]).text, same ? " (" : "", value,
                    same ? ")" : "", w->rows.n == 1 ? "" : "s", w->rows.text);
}

void gpai_study_look_far(gpa_study *s)
{
    size_t row[GPAI_CROWD_MOST], count = 0, length = 0;
    char text[NAMED * 400] = "", more[48] = "";
    size_t n = gpai_other_rows(s->sample.n, NULL, 0, row);
    n = gpai_witnesses(&s->sample, s->kinds, row, n);
    for (size_t k = 0; k < s->d; k++)
        for (double sign = 1; sign >= -1 && is_number(s, k); sign -= 2) {
            struct side w = {.sign = sign};
            find_usual(s, k, row, n, &w);
            if (!look(&w, s, k) || count++ >= NAMED)
                continue;
            length += (size_t)snprintf(text + length, sizeof text - length, "%s",
                                       length > 0 ? ", " : "");
            length += (size_t)describe(text + length, sizeof text - length, s, k, &w);
        }
    if (count > NAMED)
        snprintf(more, sizeof more, " and %zu more", count - NAMED);
    if (count > 0)
        gpai_study_tell(s, GPAI_FAR_FROM_USUAL, text, more);
}
