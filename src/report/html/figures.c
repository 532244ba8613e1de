#include "report/plot/figures.h"
#include "report/html/parts.h"
#include "report/words/numbers.h"

/* Pictures in a page, wide and narrow, with the numbers behind them (html_parts.h). */

enum { WIDE = 816, NARROW = 330 };
enum { RIDGES = 12, LINES = 8, PANELS = 6, NARROW_PANELS = 4 };

typedef gpa_status (*figure)(gpa_text *, const gpai_view *, double, size_t,
                             gpa_error *);

/* The figure in both widths, left open for its caption. What draws nothing leaves
 * nothing: gives whether something was drawn. */
static gpa_status both(gpa_text *t, const gpai_view *v, figure draw, size_t wide,
                       size_t narrow, bool *drawn, gpa_error *err)
{
    size_t start = t->length;
    gpai_text_add(t, "<figure><div class=\"wide\">\n");
    size_t empty = t->length;
    gpa_status st = draw(t, v, WIDE, wide, err);
    *drawn = t->length > empty;
    if (st == GPA_OK && !*drawn && !t->failed) {
        gpai_text_cut(t, start);
    }
    if (st != GPA_OK || !*drawn)
        return st;
    gpai_text_add(t, "</div><div class=\"narrow\">\n");
    st = draw(t, v, NARROW, narrow, err);
    gpai_text_add(t, "</div>\n<figcaption>");
    return st;
}

static void close_figure(gpa_text *t, const char *caption)
{
    gpai_text_add(t, caption);
    gpai_text_add(t, "</figcaption></figure>\n");
}

gpa_status gpai_html_alone(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    bool drawn = false;
    size_t start = t->length;
    gpai_text_add(t, "<h3>If one input alone is off</h3>\n");
    gpa_status st = v->c != NULL
                        ? both(t, v, gpai_figure_alone, LINES, LINES, &drawn, err)
                        : GPA_OK;
    if (drawn && st == GPA_OK)
        close_figure(t, "The change of each input that would look normal if nothing "
                        "else were wrong, with its 90&#160;% interval; the likeliest "
                        "culprit first. In its own unit it stands in the table above.");
    if (!drawn && st == GPA_OK && !t->failed) {
        gpai_text_cut(t, start);
    }
    return st;
}

/* What the curves are. */
static void ridge_caption(gpa_text *t, const gpai_view *v)
{
    bool held = v->s->marginals == GPA_MARGINALS_PAPER ||
                v->s->marginals == GPA_MARGINALS_PLUGIN;
    if (gpa_explanation_marginal(v->e, 0) == NULL) {
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
    }
    if (v->d > RIDGES)
        gpai_text_printf(t, " %d inputs of %zu.", RIDGES, v->d);
}

gpa_status gpai_html_ridges(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    bool drawn = false;
    gpa_status st = both(t, v, gpai_figure_ridges, RIDGES, RIDGES, &drawn, err);
    if (drawn && st == GPA_OK) {
        ridge_caption(t, v);
        close_figure(t, "");
    }
    return st;
}

static void profile_head(gpa_text *t, const gpai_view *v, const size_t *list, size_t n)
{
    gpai_text_add(t, "<details><summary>The curves as numbers</summary>\n<div "
                     "class=\"scroll\"><table>\n<thead><tr>");
    for (size_t j = 0; j < n; j++) {
        gpai_text_add(t, "<th>");
        gpai_html_feature(t, v, list[j], 24);
        gpai_text_add(t,
                      v->n > 1 ? ", change</th><th>f, mean</th>" : "</th><th>f</th>");
    }
    gpai_text_add(t, "</tr></thead>\n<tbody>\n");
}

/* The value of the input and f at each point asked, side by side. */
static void profile_numbers(gpa_text *t, const gpai_view *v)
{
    size_t list[PANELS], n = gpai_profile_inputs(v, PANELS, list), longest = 0;
    profile_head(t, v, list, n);
    for (size_t j = 0; j < n; j++) {
        size_t points = gpa_explanation_axis(v->e, list[j])->points;
        longest = points > longest ? points : longest;
    }
    for (size_t i = 0; i < longest; i++) {
        gpai_text_add(t, "<tr>");
        for (size_t j = 0; j < n; j++) {
            const gpa_axis *a = gpa_explanation_axis(v->e, list[j]);
            gpai_text_add(t, "<td>");
            if (i < a->points) {
                double raw = gpai_raw(a->change[i], v->unit[list[j]]);
                gpai_cell_value(t, v->n > 1 ? raw : gpai_view_x(v, list[j]) + raw,
                                false);
            }
            gpai_text_add(t, "</td><td>");
            if (i < a->points)
                gpai_cell_value(t, gpai_axis_mean(v, list[j], i), false);
            gpai_text_add(t, "</td>");
        }
        gpai_text_add(t, "</tr>\n");
    }
    gpai_text_add(t, "</tbody></table></div></details>\n");
}

gpa_status gpai_html_profiles(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    size_t list[1];
    bool drawn = false;
    if (gpai_profile_inputs(v, 1, list) == 0)
        return GPA_OK;
    gpai_text_add(t, "<h3>The prediction along the likeliest inputs</h3>\n");
    gpa_status st =
        both(t, v, gpai_figure_profiles, PANELS, NARROW_PANELS, &drawn, err);
    if (drawn && st == GPA_OK) {
        close_figure(
            t, "What the model says when one input changes and all others stay as "
               "they are. Where the curve meets the dashed line, the outcome would "
               "look normal; the filled dot is the most probable such change.");
        profile_numbers(t, v);
    }
    return st;
}

gpa_status gpai_html_scatter(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    bool drawn = false;
    size_t start = t->length;
    gpai_text_add(t, "<h3>Among the other rows</h3>\n");
    gpa_status st = both(t, v, gpai_figure_scatter, PANELS, NARROW_PANELS, &drawn, err);
    if (drawn && st == GPA_OK) {
        const gpa_background *b = v->info->background;
        gpai_text_printf(t, "The explained row%s in red among %s%zu rows of the data",
                         v->n > 1 ? "s" : "", b->total > GPAI_CLOUD ? "some of " : "",
                         b->total);
        close_figure(t, "; the arrow is the most probable change of all inputs "
                        "together, in their own units. The numbers are in the tables "
                        "above.");
    } else if (st == GPA_OK && !t->failed) {
        gpai_text_cut(t, start);
    }
    return st;
}
