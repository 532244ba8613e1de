#include "base/status.h"
#include "base/text/input.h"
#include "base/text/show.h"
#include "data/table.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>

/* Inputs that never change: in the file while the reference shows that they do (a
 * sensor that is stuck), or wherever all is normal while a row has another value. */

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
    if (k == s->d || gpai_kinds_is_constant(&s->known, k)) /* there, too */
        return;
    double value = only_value(column_of(s, k, false));
    gpai_study_tell(s,
                    "%.80s is %.80s in all rows of the file, but not in the "
                    "reference, by which it is judged: is it stuck?",
                    gpai_show_text(s->inputs[k]).text, shown(s, k, value).text);
}

/* How many rows of input k, which never changed where all is normal, have another
 * value. */
static size_t count_strays(const gpai_known_kinds *kinds, size_t k,
                           struct values normal, struct values rows)
{
    size_t there;
    if (!gpai_kinds_is_constant(kinds, k) || normal.n < FEW_ROWS)
        return 0;
    double always = only_value(normal);
    return isnan(always) ? 0 : count_others(rows, always, &there);
}

static gpa_status make_stray(gpa_study *s, gpai_known_kinds *kinds, size_t k,
                             double always, gpa_error *err)
{
    return gpai_kinds_stray(kinds, k, always,
                            gpai_table_booleans(s->table, s->columns[k]), err);
}

static void tell_strays(gpa_study *s, size_t k, double always, size_t strays)
{
    gpai_shown name = gpai_show_text(s->inputs[k]), value = shown(s, k, always);
    char rows[64] = "here";
    if (s->n > 1)
        snprintf(rows, sizeof rows, "in %zu of %zu rows here", strays, s->n);
    gpai_study_tell(s,
                    "%.80s is %.80s in all rows of the reference, but not %s: a value "
                    "that was never seen is suspect",
                    name.text, value.text, rows);
}

gpa_status gpai_study_suspect(gpa_study *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < s->d && s->by_reference && st == GPA_OK; k++) {
        struct values normal = column_of(s, k, true);
        size_t strays = count_strays(&s->known, k, normal, column_of(s, k, false));
        if (strays > 0)
            st = make_stray(s, &s->known, k, only_value(normal), err);
        if (st == GPA_OK && strays > 0)
            tell_strays(s, k, only_value(normal), strays);
    }
    return st;
}

static struct values input_of(const gpa_sample *rows, size_t k)
{
    return (struct values){.at = rows->x + k, .n = rows->n, .stride = rows->d};
}

gpa_status gpai_study_suspect_rows(gpa_study *s, const gpa_sample *normal,
                                   const gpa_sample *rows, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < s->d && st == GPA_OK; k++) {
        struct values usual = input_of(normal, k);
        if (count_strays(&s->known, k, usual, input_of(rows, k)) > 0)
            st = make_stray(s, &s->known, k, only_value(usual), err);
    }
    return st;
}

/* What input k, which never changed, is by the rows that are normal now. */
static gpa_status follow_input(gpa_study *s, size_t k, const gpa_sample *normal,
                               gpa_error *err)
{
    struct values usual = input_of(normal, k);
    double always = only_value(usual);
    if (!isnan(always))
        return make_stray(s, &s->followed, k, always, err);
    gpai_kind_column column = gpai_study_kind_column(s, k);
    column.value = usual.at;
    column.stride = usual.stride;
    return gpai_kinds_infer_column(&s->followed, k, &column, usual.n, err);
}

gpa_status gpai_study_follow(gpa_study *s, const gpa_sample *normal, gpa_error *err)
{
    gpai_kinds_close(&s->followed);
    gpa_status st = gpai_study_copy_kinds(&s->followed, &s->known, err);
    for (size_t k = 0; k < s->d && st == GPA_OK && normal->n >= FEW_ROWS; k++)
        if (gpai_kinds_is_constant(&s->known, k))
            st = follow_input(s, k, normal, err);
    return st;
}

void gpai_study_suspect_now(gpa_study *s, const gpa_sample *normal,
                            const gpa_sample *rows)
{
    for (size_t k = 0; k < s->d; k++) {
        bool constant = gpai_kinds_is_constant(&s->known, k);
        double always = constant ? only_value(input_of(normal, k)) : (double)NAN;
        size_t there;
        bool held =
            !isnan(always) && count_others(input_of(rows, k), always, &there) == 0;
        s->kinds[k] = held ? s->known.input[k] : s->followed.input[k];
    }
}
