#include "base/text/input.h"
#include "base/text/show.h"
#include "study/study.h"
#include <math.h>

/* Inputs that never change in the file while the reference shows that they do: a sensor
 * that is stuck. */

/* Fewer rows cannot say that an input never changes. */
enum { FEW_ROWS = 8 };

/* A column of so many values, `stride` apart. */
struct values {
    const double *at;
    size_t n, stride;
};

/* The only value of a column; NaN: it has none, or several. */
static double only_value(struct values v)
{
    double only = (double)NAN;
    for (size_t i = 0; i < v.n; i++) {
        double x = v.at[i * v.stride];
        if (isfinite(x) && !isnan(only) && x != only)
            return (double)NAN;
        only = isfinite(x) ? x : only;
    }
    return only;
}

/* How many differ from `value`, of those that are there. */
static size_t count_others(struct values v, double value, size_t *there)
{
    size_t others = 0;
    *there = 0;
    for (size_t i = 0; i < v.n; i++) {
        double x = v.at[i * v.stride];
        *there += isfinite(x) ? 1 : 0;
        others += isfinite(x) && x != value;
    }
    return others;
}

static struct values column_of(const gpa_study *s, size_t k, bool reference)
{
    return (struct values){.at = gpai_study_column(s, k, reference),
                           .n = reference ? s->reference.n : s->n,
                           .stride = 1};
}

/* Whether so many rows with one value are no chance, by how often the reference has it.
 */
static bool is_stuck(size_t rows, size_t others, size_t there)
{
    static const double CHANCE = 1e-3;
    double share = ((double)(there - others) + 0.5) / ((double)there + 1);
    return rows >= FEW_ROWS && (double)rows * log(share) < log(CHANCE);
}

void gpai_study_find_judge(gpa_study *s)
{
    s->by_reference = s->reference.n > s->n;
    s->stuck = s->d;
    for (size_t k = 0; k < s->d && s->reference.n >= FEW_ROWS; k++) {
        struct values file = column_of(s, k, false);
        double value = only_value(file);
        size_t there, rows;
        size_t others = count_others(column_of(s, k, true), value, &there);
        if (isnan(value) || others == 0)
            continue;
        (void)count_others(file, value, &rows);
        s->by_reference = true;
        if (s->stuck == s->d && is_stuck(rows, others, there))
            s->stuck = k;
    }
}

/* The value as the table has it. */
static gpai_shown shown(const gpa_study *s, size_t k, double value)
{
    char room[GPAI_INPUT_ROOM];
    return gpai_show_text(gpai_input_text(&s->known.input[k], value, room));
}

void gpai_study_tell_stuck(gpa_study *s)
{
    size_t k = s->stuck;
    if (k == s->d)
        return;
    double value = only_value(column_of(s, k, false));
    gpai_study_tell(s,
                    "%.80s is %.80s in all rows of the file, but not in the "
                    "reference, by which it is judged: is it stuck?",
                    gpai_show_text(s->inputs[k]).text, shown(s, k, value).text);
}
