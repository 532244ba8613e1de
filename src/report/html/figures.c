#include "report/plot/figures.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/html/parts.h"
#include "report/words/sentence.h"
#include <math.h>

/* Pictures in a page, wide and narrow, with the numbers behind them (parts.h). */

enum { WIDE = 896, NARROW = 330 };
enum { RIDGES = 12, PANELS = 6, NARROW_PANELS = 4 };
enum { LISTED = 30, NAME = 60 };

typedef void caption(gpa_text *t, const gpai_view *v);

/* A heading and the figure in both widths. What draws nothing leaves nothing, not even
 * the heading. */
static gpa_status figure(gpa_text *t, const gpai_view *v, const char *heading,
                         gpai_figure *draw, size_t wide, size_t narrow, caption *words,
                         gpa_error *err)
{
    size_t start = t->length;
    gpai_text_printf(t, "%s<figure><div class=\"wide\">\n", heading);
    size_t empty = t->length;
    gpa_status st = draw(t, v, WIDE, wide, err);
    if (t->length == empty)
        gpai_text_cut(t, start);
    if (st != GPA_OK || t->length == start)
        return st;
    gpai_text_add(t, "</div><div class=\"narrow\">\n");
    st = draw(t, v, NARROW, narrow, err);
    gpai_text_add(t, "</div>\n<figcaption>");
    words(t, v);
    gpai_text_add(t, "</figcaption></figure>\n");
    return st;
}

/* What the curves are. */
static void ridge_caption(gpa_text *t, const gpai_view *v)
{
    bool held = v->s->marginals == GPA_MARGINALS_PAPER ||
                v->s->marginals == GPA_MARGINALS_PLUGIN;
    if (!gpa_explanation_spread_known(v->e)) {
        gpai_text_add(t, "The most probable change of each input, in units of its "
                         "spread; on the right in the data&#39;s own units.");
    } else {
        gpai_text_add(t, "How each input may have to change: the curve is the "
                         "distribution ");
        gpai_text_add(t, held ? "with the others held at their most probable values"
                              : "with all other inputs free to change as well");
        gpai_text_add(t,
                      " (all drawn equally high), the dotted line what it was before y "
                      "was seen. On the right the most probable change in the "
                      "data&#39;s own units. The numbers are in the table below.");
        if (v->kinds.mixed)
            gpai_text_add(t, " A choice has a bar for each level: its probability.");
    }
    if (v->inputs > RIDGES)
        gpai_text_printf(t, " %d inputs of %zu.", RIDGES, v->inputs);
}

gpa_status gpai_html_ridges(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    return figure(t, v, "", gpai_figure_ridges, RIDGES, RIDGES, ridge_caption, err);
}

static void profile_head(gpa_text *t, const gpai_view *v, const gpai_inputs *list)
{
    gpai_text_add(t, "<details><summary>The curves as numbers</summary>\n<div "
                     "class=\"scroll\"><table class=\"nums\">\n<thead><tr>");
    for (size_t j = 0; j < list->n; j++) {
        gpai_text_add(t, "<th>");
        gpai_html_input(t, v, list->k[j], 24);
        bool levels = gpai_has_levels(&v->kinds, list->k[j]);
        gpai_text_add(t, v->n == 1 ? "</th><th>f</th>"
                         : levels  ? "</th><th>f, mean</th>"
                                   : ", change</th><th>f, mean</th>");
    }
    gpai_text_add(t, "</tr></thead>\n<tbody>\n");
}

/* The value of input k and f at its i-th point; nothing where it has fewer. */
static void profile_cells(gpa_text *t, const gpai_view *v, size_t k, size_t i)
{
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    if (i >= a->points) {
        gpai_text_add(t, "<td></td><td></td>");
        return;
    }
    double place = gpai_axis_place(v, k, i);
    bool change = a->level == NULL && !a->gap && v->n > 1;
    gpai_text_add(t, "<td>");
    if (change)
        gpai_text_add(t, gpai_cell_value(place, false).text);
    else
        gpai_html_value(t, v, k, place);
    gpai_text_printf(t, "</td><td>%s</td>",
                     gpai_cell_value(gpai_axis_mean(v, k, i), false).text);
}

static void profile_numbers(gpa_text *t, const gpai_view *v)
{
    gpai_inputs list;
    size_t longest = 0;
    gpai_profile_inputs(&list, v, PANELS);
    profile_head(t, v, &list);
    for (size_t j = 0; j < list.n; j++) {
        size_t points = gpa_explanation_axis(v->e, list.k[j])->points;
        longest = points > longest ? points : longest;
    }
    for (size_t i = 0; i < longest; i++) {
        gpai_text_add(t, "<tr>");
        for (size_t j = 0; j < list.n; j++)
            profile_cells(t, v, list.k[j], i);
        gpai_text_add(t, "</tr>\n");
    }
    gpai_text_add(t, "</tbody></table></div></details>\n");
}

static void profile_caption(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "What the model says when one input changes and all others stay "
                     "as they are. Where the curve meets the dashed line, the outcome "
                     "would look normal; the filled dot is the likeliest such place.");
    if (v->kinds.mixed)
        gpai_text_add(t, " A choice has a bar for each level.");
}

gpa_status gpai_html_profiles(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    size_t start = t->length;
    gpa_status st =
        figure(t, v,
               "<details><summary>The prediction along the likeliest "
               "inputs</summary>\n",
               gpai_figure_profiles, PANELS, NARROW_PANELS, profile_caption, err);
    if (st != GPA_OK || t->length == start)
        return st;
    profile_numbers(t, v);
    gpai_text_add(t, "</details>\n");
    return st;
}

static void scatter_caption(gpa_text *t, const gpai_view *v)
{
    const gpa_background *b = v->info->background;
    gpai_text_printf(t,
                     "The explained row%s in red among %s%zu rows of the data; the "
                     "arrow is the most probable change of all inputs together, in "
                     "their own units. The numbers are in the tables above.",
                     v->n > 1 ? "s" : "", b->total > GPAI_CLOUD ? "some of " : "",
                     b->total);
}

gpa_status gpai_html_scatter(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    return figure(t, v, "<h3>Among the other rows</h3>\n", gpai_figure_scatter, PANELS,
                  NARROW_PANELS, scatter_caption, err);
}

static void score_row(gpa_text *t, const gpa_report_info *info, size_t i)
{
    char room[GPAI_NAME_SIZE];
    const gpa_background *b = info->background;
    size_t number = gpai_reference_row(b, i);
    gpai_text_printf(t, "<tr><td>%zu</td><td>", number);
    gpai_html_short(t, gpai_name_row(info, number, room), NAME);
    gpai_text_printf(t, "</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
                     gpai_cell_value(b->y != NULL ? b->y[i] : (double)NAN, false).text,
                     gpai_cell_value(b->f != NULL ? b->f[i] : (double)NAN, false).text,
                     gpai_cell_value(b->score[i], false).text);
}

static gpa_status score_numbers(gpa_text *t, const gpa_report_info *info,
                                gpa_error *err)
{
    const gpa_background *b = info->background;
    gpai_placed *all = gpai_calloc(b->n, sizeof *all);
    size_t n = 0;
    if (all == NULL)
        return gpai_nomem(err, "report");
    for (size_t i = 0; i < b->n; i++)
        if (isfinite(b->score[i]))
            all[n++] = (gpai_placed){b->score[i], 0, i};
    gpai_placed_sort(all, n);
    n = n < LISTED ? n : LISTED;
    gpai_text_printf(t,
                     "<details><summary>The %zu largest as numbers</summary>\n<div "
                     "class=\"scroll\"><table>\n<thead><tr><th>row</th><th>id</th>"
                     "<th>observed</th><th>predicted</th><th>score</th></tr></thead>\n"
                     "<tbody>\n",
                     n);
    for (size_t i = 0; i < n; i++)
        score_row(t, info, all[i].k);
    gpai_text_add(t, "</tbody></table></div></details>\n");
    gpai_free(all);
    return GPA_OK;
}

static void score_caption(gpa_text *t, const gpai_view *v)
{
    const gpa_background *b = v->info->background;
    gpai_text_printf(t,
                     "The anomaly score of %s%zu rows: the less probable the observed "
                     "value, the higher.%s",
                     b->n < b->total ? "some of " : "", b->total,
                     v->info->n_marked > 0 ? " Explained rows are marked." : "");
}

gpa_status gpai_html_scores(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    const gpai_view v = {.info = info};
    size_t start = t->length;
    gpa_status st =
        figure(t, &v,
               "<section class=\"rows\">\n<details><summary>How unusual each row "
               "is</summary>\n",
               gpai_figure_scores, 0, 0, score_caption, err);
    if (st != GPA_OK || t->length == start)
        return st;
    st = score_numbers(t, info, err);
    gpai_text_add(t, "</details>\n</section>\n");
    return st;
}
