#include "study/rows.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include "study/study.h"
#include <stdio.h>
#include <stdlib.h>
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

/* Rows from the first to the last, and a list of such. */
struct span {
    size_t first, last;
};

struct spans {
    struct span *span;
    size_t n, room;
};

static int by_first(const void *a, const void *b)
{
    const struct span *p = a, *q = b;
    return (p->first > q->first) - (p->first < q->first);
}

static gpa_status add_span(struct spans *to, uint64_t first, uint64_t last,
                           gpa_error *err)
{
    if (!gpai_grow(&to->span, &to->room, to->n + 1, sizeof *to->span))
        return gpai_nomem(err, "study");
    to->span[to->n++] = (struct span){.first = (size_t)first, .last = (size_t)last};
    return GPA_OK;
}

/* The rows that are called so. */
static gpa_status add_called(const gpa_study *s, const char *id, struct spans *to,
                             gpa_error *err)
{
    size_t before = to->n;
    gpa_status st = GPA_OK;
    for (size_t i = 0; s->ids != NULL && i < s->n && st == GPA_OK; i++)
        if (s->ids[i] != NULL && strcmp(s->ids[i], id) == 0)
            st = add_span(to, i, i, err);
    if (st != GPA_OK || to->n > before)
        return st;
    return gpai_fail(err, GPA_INVALID,
                     "--rows: '%.60s' is no row or range like 70-75, and %s", id,
                     s->ids != NULL ? "no row is called so"
                                    : "no --id COL says what rows are called");
}

/* The spans of "63,68,70-75" or of names, in the order given. */
static gpa_status read_spans(const gpa_study *s, char *list, struct spans *to,
                             gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (char *p = list, *next; st == GPA_OK && p != NULL; p = next) {
        uint64_t first = 0, last = 0;
        next = strchr(p, ',');
        if (next != NULL)
            *next++ = '\0';
        if (!parse_range(p, &first, &last))
            st = add_called(s, p, to, err);
        else if (last >= s->n)
            st = gpai_fail(err, GPA_INVALID,
                           "--rows: there is no row %ju, only 0 to %zu",
                           (uintmax_t)last, s->n - 1);
        else
            st = add_span(to, first, last, err);
    }
    return st;
}

/* Ascending, neighbours joined; how many are left. */
static size_t join_spans(struct span *spans, size_t n)
{
    size_t kept = 0;
    qsort(spans, n, sizeof *spans, by_first);
    for (size_t i = 0; i < n; i++) {
        struct span *before = kept > 0 ? &spans[kept - 1] : NULL;
        if (before == NULL || spans[i].first > before->last + 1)
            spans[kept++] = spans[i];
        else if (spans[i].last > before->last)
            before->last = spans[i].last;
    }
    return kept;
}

/* The rows, and the same as text again. */
static gpa_status list_spans(gpai_chosen *c, const struct span *spans, size_t n,
                             gpa_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += spans[i].last - spans[i].first + 1;
    c->rows = gpai_calloc(count, sizeof *c->rows);
    gpa_status st =
        c->rows != NULL ? gpa_text_new(&c->text, err) : gpai_nomem(err, "study");
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        for (size_t row = spans[i].first; row <= spans[i].last; row++)
            c->rows[c->n++] = row;
        gpai_text_printf(c->text, "%s%zu", i > 0 ? "," : "", spans[i].first);
        if (spans[i].last > spans[i].first)
            gpai_text_printf(c->text, "-%zu", spans[i].last);
    }
    return gpai_text_seal(c->text, 0, err);
}

/* Those that can be used, if any can; which cannot was said. */
static gpa_status keep_usable(gpai_chosen *c, const gpa_study *s, gpa_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++)
        if (s->unfit[c->rows[i]] == 0)
            c->rows[kept++] = c->rows[i];
    if (kept == 0 && c->n > 0)
        return gpai_study_refuse(s, c->rows[0], err);
    c->n = kept;
    return GPA_OK;
}

/* Those that are named: by numbers that takes no longer the longer the table is. */
static gpa_status choose_named(gpai_chosen *c, const gpa_study *s, gpa_error *err)
{
    char *list = gpai_strdup(s->given.text[OPT_ROWS]);
    struct spans spans = {0};
    gpa_status st =
        list != NULL ? read_spans(s, list, &spans, err) : gpai_nomem(err, "study");
    if (st == GPA_OK)
        st = list_spans(c, spans.span, join_spans(spans.span, spans.n), err);
    if (st == GPA_OK)
        st = keep_usable(c, s, err);
    gpai_free(spans.span);
    gpai_free(list);
    return st;
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
    if (o->given[OPT_ROWS]) {
        st = choose_named(c, s, err);
        if (st == GPA_OK && o->bit == IN_SCORE)
            sort_rows(c, score);
        return st;
    }
    bool all = o->bit == IN_SCORE;
    bool any = o->given[OPT_THRESHOLD] || o->given[OPT_ALL_ROWS];
    bool top = o->given[OPT_TOP] || (!any && !all);
    uint64_t asked = gpai_options_count(o, OPT_TOP, 1);
    size_t most = top && asked < n ? (size_t)asked : SIZE_MAX;
    c->rows = gpai_calloc(most < n ? most : n, sizeof *c->rows);
    if (c->rows == NULL)
        return gpai_nomem(err, "study");
    for (size_t i = 0; i < n; i++)
        if (s->unfit[i] == 0 &&
            (!o->given[OPT_THRESHOLD] || score[i] > o->real[OPT_THRESHOLD]))
            take_row(c, i, most, score);
    if (top || all)
        sort_rows(c, score);
    return GPA_OK;
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
