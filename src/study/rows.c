#include "study/rows.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include "study/study.h"
#include <stdio.h>
#include <string.h>

/* "12" or "12-15"; `word` ends at a zero. */
static bool parse_range(char *word, uint64_t *first, uint64_t *last)
{
    char *dash = strchr(word, '-');
    if (dash != NULL)
        *dash = '\0';
    bool good = gpai_word_count(word, first) &&
                (dash == NULL || gpai_word_count(dash + 1, last));
    if (dash == NULL)
        *last = *first;
    else
        *dash = '-';
    return good && *first <= *last;
}

/* Marks the rows of "63,68,70-75" in `chosen`. */
static gpa_status mark_rows(const char *list, size_t n, bool *chosen, gpa_error *err)
{
    char *copy = gpai_strdup(list);
    gpa_status st = GPA_OK;
    if (copy == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    for (char *p = copy, *next; st == GPA_OK && p != NULL; p = next) {
        uint64_t first = 0, last = 0;
        next = strchr(p, ',');
        if (next != NULL)
            *next++ = '\0';
        if (!parse_range(p, &first, &last))
            st = gpai_fail(err, GPA_INVALID,
                           "--rows: '%.60s' is no row or range like 70-75", p);
        else if (last >= n)
            st = gpai_fail(err, GPA_INVALID,
                           "--rows: there is no row %ju, only 0 to %zu",
                           (uintmax_t)last, n - 1);
        for (uint64_t i = first; st == GPA_OK && i <= last; i++)
            chosen[i] = true;
    }
    gpai_free(copy);
    return st;
}

/* The marked rows as text again: ascending, neighbours joined. */
static gpa_status canonical(gpai_chosen *c, const bool *chosen, size_t n,
                            gpa_error *err)
{
    gpa_status st = gpa_text_new(&c->text, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        size_t last = i;
        if (!chosen[i])
            continue;
        while (last + 1 < n && chosen[last + 1])
            last++;
        gpai_text_printf(c->text, "%s%zu", c->text->length > 0 ? "," : "", i);
        if (last > i)
            gpai_text_printf(c->text, "-%zu", last);
        i = last;
    }
    return gpai_text_seal(c->text, 0, err);
}

/* Whether row a comes before row b: the worse first, then as they stand. */
static bool before(const double *score, size_t a, size_t b)
{
    return score[a] != score[b] ? score[a] > score[b] : a < b;
}

/* Lets a row sink to where it belongs in a heap, whose first comes last of all. */
static void sink(size_t *heap, size_t n, size_t at, const double *score)
{
    size_t row = heap[at];
    for (size_t below = 2 * at + 1; below < n; below = 2 * at + 1) {
        if (below + 1 < n && before(score, heap[below], heap[below + 1]))
            below++;
        if (!before(score, row, heap[below]))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = row;
}

/* Takes a row into the first `most`, which are a heap as soon as there are so many:
 * tables are long, so there is no list of all rows beside it. */
static void take_row(gpai_chosen *c, size_t row, size_t most, const double *score)
{
    size_t *heap = c->rows;
    if (c->n < most) {
        heap[c->n++] = row;
        for (size_t i = c->n == most ? most / 2 : 0; i-- > 0;)
            sink(heap, most, i, score);
    } else if (most > 0 && before(score, row, heap[0])) {
        heap[0] = row;
        sink(heap, most, 0, score);
    }
}

/* Puts them in order, in place. */
static void sort_rows(gpai_chosen *c, const double *score)
{
    size_t *heap = c->rows, n = c->n;
    for (size_t i = n / 2; i-- > 0;)
        sink(heap, n, i, score);
    while (n > 1) {
        size_t last = heap[0];
        heap[0] = heap[--n];
        heap[n] = last;
        sink(heap, n, 0, score);
    }
}

static gpa_status check_one(const gpai_options *o, gpa_error *err)
{
    int ways = o->given[OPT_ROWS] + o->given[OPT_TOP] + o->given[OPT_THRESHOLD] +
               o->given[OPT_ALL_ROWS];
    return ways <= 1 ? GPA_OK
                     : gpai_fail(err, GPA_INVALID,
                                 "%s: only one of --rows, --top, --threshold "
                                 "and --all",
                                 o->command);
}

gpa_status gpai_choose_rows(gpai_chosen *c, const gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    const double *score = s->score;
    size_t n = s->n;
    *c = (gpai_chosen){0};
    gpa_status st = check_one(o, err);
    if (st != GPA_OK)
        return st;
    bool all = o->bit == IN_SCORE;
    bool any = o->given[OPT_ROWS] || o->given[OPT_THRESHOLD] || o->given[OPT_ALL_ROWS];
    bool top = o->given[OPT_TOP] || (!any && !all);
    uint64_t asked = gpai_options_count(o, OPT_TOP, 1);
    size_t most = top && asked < n ? (size_t)asked : SIZE_MAX;
    bool *chosen = gpai_calloc(n, sizeof *chosen);
    c->rows = gpai_calloc(n, sizeof *c->rows);
    if (chosen == NULL || c->rows == NULL) {
        st = gpai_nomem(err, "study");
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        chosen[i] = o->given[OPT_THRESHOLD] ? score[i] > o->real[OPT_THRESHOLD]
                                            : !o->given[OPT_ROWS];
    if (o->given[OPT_ROWS])
        st = mark_rows(o->text[OPT_ROWS], n, chosen, err);
    if (st == GPA_OK && o->given[OPT_ROWS])
        st = canonical(c, chosen, n, err);
    for (size_t i = 0; st == GPA_OK && i < n; i++)
        if (chosen[i] && s->unfit[i] == 0)
            take_row(c, i, most, score);
        else if (chosen[i] && o->given[OPT_ROWS])
            st = gpai_study_refuse(s, i, err);
    if (st == GPA_OK && (top || all))
        sort_rows(c, score);
done:
    gpai_free(chosen);
    return st;
}

void gpai_chosen_free(gpai_chosen *c)
{
    gpai_free(c->rows);
    gpa_text_free(c->text);
}

void gpai_row_names_add(gpai_row_names *names, size_t row)
{
    enum { NAMED = 5 };
    size_t used = strlen(names->text);
    if (names->n < NAMED)
        snprintf(names->text + used, sizeof names->text - used, "%s%zu",
                 used > 0 ? ", " : "", row);
    else if (names->n == NAMED)
        snprintf(names->text + used, sizeof names->text - used, ", ...");
    names->n++;
}
