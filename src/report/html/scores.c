#include "base/alloc.h"
#include "base/status.h"
#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/html/parts.h"
#include "report/plot/figures.h"
#include "report/words/numbers.h"
#include <math.h>
#include <stdlib.h>

/* The scores of all rows, once for the page (html_parts.h). */

enum { WIDE = 816, NARROW = 330, LISTED = 30, NAME = 60 };

struct scored {
    double score;
    size_t i;
};

static int by_score(const void *a, const void *b)
{
    const struct scored *p = a, *q = b;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->i < q->i ? -1 : p->i > q->i;
}

static void row(gpa_text *t, const gpa_report_info *info, size_t i)
{
    char room[GPAI_NAME_SIZE];
    const gpa_background *b = info->background;
    size_t number = b->rows != NULL ? b->rows[i] : i;
    gpai_text_printf(t, "<tr><td>%zu</td><td>", number);
    size_t start = t->length;
    gpai_text_visible(t, gpai_name_row(info, number, room), NAME, false);
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td><td>");
    gpai_cell_value(t, b->y != NULL ? b->y[i] : (double)NAN, false);
    gpai_text_add(t, "</td><td>");
    gpai_cell_value(t, b->f != NULL ? b->f[i] : (double)NAN, false);
    gpai_text_add(t, "</td><td>");
    gpai_cell_value(t, b->score[i], false);
    gpai_text_add(t, "</td></tr>\n");
}

static gpa_status numbers(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    const gpa_background *b = info->background;
    struct scored *all = gpai_calloc(b->n, sizeof *all);
    size_t n = 0;
    if (all == NULL)
        return gpai_nomem(err, "report");
    for (size_t i = 0; i < b->n; i++)
        if (isfinite(b->score[i]))
            all[n++] = (struct scored){b->score[i], i};
    qsort(all, n, sizeof *all, by_score);
    n = n < LISTED ? n : LISTED;
    gpai_text_printf(t,
                     "<details><summary>The %zu largest as numbers</summary>\n<div "
                     "class=\"scroll\"><table>\n<thead><tr><th>row</th><th>id</th>"
                     "<th>observed</th><th>predicted</th><th>score</th></tr></thead>\n"
                     "<tbody>\n",
                     n);
    for (size_t i = 0; i < n; i++)
        row(t, info, all[i].i);
    gpai_text_add(t, "</tbody></table></div></details>\n");
    gpai_free(all);
    return GPA_OK;
}

gpa_status gpai_html_scores(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    const gpa_background *b = info->background;
    size_t start = t->length;
    gpai_text_add(t, "<section class=\"rows\">\n<h2>How unusual each row is</h2>\n"
                     "<figure><div class=\"wide\">\n");
    size_t empty = t->length;
    gpa_status st = gpai_figure_scores(t, info, WIDE, err);
    if (st != GPA_OK)
        return st;
    if (t->length == empty) { /* nothing to show, or no memory to say so */
        gpai_text_cut(t, start);
        return GPA_OK;
    }
    gpai_text_add(t, "</div><div class=\"narrow\">\n");
    st = gpai_figure_scores(t, info, NARROW, err);
    if (st != GPA_OK)
        return st;
    gpai_text_printf(t,
                     "</div>\n<figcaption>The anomaly score of %s%zu rows: the "
                     "less probable the observed value, the higher.",
                     b->n < b->total ? "some of " : "", b->total);
    gpai_text_add(t, info->n_marked > 0
                         ? " Explained rows are marked.</figcaption></figure>\n"
                         : "</figcaption></figure>\n");
    st = numbers(t, info, err);
    gpai_text_add(t, "</section>\n");
    return st;
}
