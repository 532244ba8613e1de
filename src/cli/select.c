#include "cli/select.h"
#include "cli/say.h"
#include "cli/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "12" or "12-15"; `word` ends at a zero. */
static bool parse_range(char *word, uint64_t *first, uint64_t *last)
{
    char *dash = strchr(word, '-');
    if (dash != NULL)
        *dash = '\0';
    bool good = word_count(word, first) && (dash == NULL || word_count(dash + 1, last));
    if (dash == NULL)
        *last = *first;
    else
        *dash = '-';
    return good && *first <= *last;
}

/* Marks the rows of "63,68,70-75" in `chosen`. */
static gpa_status mark_rows(const char *list, size_t n, bool *chosen, gpa_error *err)
{
    char *copy = strdup(list);
    gpa_status st = GPA_OK;
    if (copy == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (char *p = copy, *next; st == GPA_OK && p != NULL; p = next) {
        uint64_t first = 0, last = 0;
        next = strchr(p, ',');
        if (next != NULL)
            *next++ = '\0';
        if (!parse_range(p, &first, &last))
            st = fail(err, GPA_INVALID, "--rows: '%.60s' is no row or range like 70-75",
                      p);
        else if (last >= n)
            st = fail(err, GPA_INVALID, "--rows: there is no row %ju, only 0 to %zu",
                      (uintmax_t)last, n - 1);
        for (uint64_t i = first; st == GPA_OK && i <= last; i++)
            chosen[i] = true;
    }
    free(copy);
    return st;
}

/* The marked rows as text again: ascending, neighbours joined. */
static char *canonical(const bool *chosen, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    const char *comma = "";
    for (size_t i = 0; i < n; i++) {
        size_t last = i;
        if (!chosen[i])
            continue;
        while (last + 1 < n && chosen[last + 1])
            last++;
        fprintf(f, "%s%zu", comma, i);
        if (last > i)
            fprintf(f, "-%zu", last);
        comma = ",";
        i = last;
    }
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

struct ranked {
    double score;
    size_t row;
};

static int worse_first(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static gpa_status sort_rows(struct selection *s, const double *score, gpa_error *err)
{
    struct ranked *r = room(s->n, sizeof *r);
    if (r == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (size_t i = 0; i < s->n; i++)
        r[i] = (struct ranked){score[s->rows[i]], s->rows[i]};
    qsort(r, s->n, sizeof *r, worse_first);
    for (size_t i = 0; i < s->n; i++)
        s->rows[i] = r[i].row;
    free(r);
    return GPA_OK;
}

static gpa_status check_one(const struct args *a, gpa_error *err)
{
    int ways = a->given[OPT_ROWS] + a->given[OPT_TOP] + a->given[OPT_THRESHOLD] +
               a->given[OPT_ALL_ROWS];
    return ways <= 1 ? GPA_OK
                     : fail(err, GPA_INVALID,
                            "%s: only one of --rows, --top, --threshold "
                            "and --all",
                            a->command);
}

gpa_status select_rows(struct selection *s, const struct args *a, const double *score,
                       size_t n, bool all, bool worst_first, gpa_error *err)
{
    *s = (struct selection){0};
    gpa_status st = check_one(a, err);
    if (st != GPA_OK)
        return st;
    bool any = a->given[OPT_ROWS] || a->given[OPT_THRESHOLD] || a->given[OPT_ALL_ROWS];
    bool top = a->given[OPT_TOP] || (!any && !all);
    bool *chosen = room(n, sizeof *chosen);
    s->rows = room(n, sizeof *s->rows);
    if (chosen == NULL || s->rows == NULL) {
        st = fail(err, GPA_NOMEM, "out of memory");
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        chosen[i] = a->given[OPT_THRESHOLD] ? score[i] > a->real[OPT_THRESHOLD]
                                            : !a->given[OPT_ROWS];
    if (a->given[OPT_ROWS]) {
        st = mark_rows(a->text[OPT_ROWS], n, chosen, err);
        s->text = st == GPA_OK ? canonical(chosen, n) : NULL;
    }
    for (size_t i = 0; st == GPA_OK && i < n; i++)
        if (chosen[i])
            s->rows[s->n++] = i;
    if (st == GPA_OK && (top || worst_first))
        st = sort_rows(s, score, err);
    uint64_t most = a->given[OPT_TOP] ? a->count[OPT_TOP] : 1;
    if (top && s->n > most)
        s->n = (size_t)most;
done:
    free(chosen);
    return st;
}

void select_free(struct selection *s)
{
    free(s->rows);
    free(s->text);
}
