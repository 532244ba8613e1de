#include "base/text/escape.h"
#include "report/html/parts.h"
#include "report/plot/plot.h"
#include "report/words/sentence.h"
#include <math.h>

/* The numbers of every input. */

enum { FIRST = 20, FEW = 10 }; /* the rest is folded, or left out where room is short */
enum { SPARKS = 8 };           /* inputs with a small curve */
enum { NAME = 200 };

struct sheet {
    const gpai_view *v;
    bool full, marginals;
    int decimals;
    gpai_axis x; /* of the small curves */
};

static void marginal_cells(gpa_text *t, const struct sheet *s, const gpa_marginal *m)
{
    gpai_text_add(t, "<td>");
    if (s->full)
        gpai_text_printf(t, "%s ± %s</td><td>",
                         gpai_cell_change(m->mean, s->decimals, false).text,
                         gpai_cell_fixed(m->sd, s->decimals, false).text);
    gpai_text_printf(t, "%s … %s</td><td>",
                     gpai_cell_change(m->interval90[0], s->decimals, false).text,
                     gpai_cell_change(m->interval90[1], s->decimals, false).text);
    gpai_html_text(t, gpai_cell_probability(m->p_positive).text);
    gpai_text_add(t, "</td>");
}

/* The likeliest levels, where numbers have their interval. */
static void level_cells(gpa_text *t, const struct sheet *s, const gpa_marginal *m,
                        size_t k)
{
    enum { LISTED = 3 };
    gpai_text_add(t, s->full ? "<td colspan=\"2\">" : "<td>");
    size_t start = t->length;
    gpai_say_levels(t, s->v, k, m->level, m->mass, m->levels, LISTED);
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td><td></td>");
}

/* The change in usual spreads and in its own unit; or where a choice goes. */
static void change_cells(gpa_text *t, const struct sheet *s, size_t k)
{
    enum { LEVEL = 24 };
    const gpai_view *v = s->v;
    gpai_text_add(t, "<td class=\"d\">");
    if (v->kinds.input[k].levels == 0) {
        gpai_text_printf(t, "%s</td><td>%s</td>",
                         gpai_cell_change(v->delta[k], s->decimals, false).text,
                         gpai_cell_raw(v->raw[k], false).text);
        return;
    }
    size_t start = t->length;
    gpai_say_move(t, v, k, LEVEL);
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td><td></td>");
}

/* "pos", "neg" or "nil": which way an input changes. */
static const char *class_of(const gpai_view *v, size_t k)
{
    double change = v->kinds.input[k].levels > 0 ? gpai_view_size(v, k) : v->delta[k];
    return change > 0 ? "pos" : change < 0 ? "neg" : "nil";
}

static void row(gpa_text *t, const struct sheet *s, size_t i)
{
    const gpai_view *v = s->v;
    size_t k = v->order[i];
    const gpa_marginal *m = s->marginals ? gpai_view_marginal(v, k) : NULL;
    bool held = gpai_view_held(v, k);
    gpai_text_printf(t, "<tr class=\"%s\"><td>", class_of(v, k));
    gpai_html_label(t, v, k, NAME);
    gpai_text_add(t, "</td><td>");
    gpai_html_value(t, v, k, gpai_view_x(v, k));
    gpai_text_add(t, "</td>");
    change_cells(t, s, k);
    if (s->marginals && !s->full) {
        gpai_text_add(t, "<td>");
        if (m != NULL && !held && i < SPARKS)
            gpai_html_spark(t, &s->x, m);
        gpai_text_add(t, "</td>");
    }
    if (m != NULL && held)
        gpai_text_add(t, s->full ? "<td>held</td><td></td><td></td>"
                                 : "<td>held</td><td></td>");
    else if (m != NULL && m->levels > 0)
        level_cells(t, s, m, k);
    else if (m != NULL)
        marginal_cells(t, s, m);
    gpai_text_add(t, "</tr>\n");
}

static void rows(gpa_text *t, const struct sheet *s, size_t from, size_t to)
{
    gpai_text_add(t, "<div class=\"scroll\"><table>\n<thead><tr><th>input</th><th>");
    gpai_text_add(t, s->v->n > 1 ? "mean value" : "value");
    gpai_text_add(t, "</th><th>change, in<br>usual spreads</th><th>change, in<br>its "
                     "own unit</th>");
    if (s->marginals) {
        gpai_text_add(t, s->full ? "<th>mean ± sd</th>" : "<th>distribution</th>");
        gpai_text_add(t, "<th>90&#160;% interval</th><th>P(&gt; 0)</th>");
    }
    gpai_text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t i = from; i < to; i++)
        row(t, s, i);
    gpai_text_add(t, "</tbody></table></div>\n");
}

void gpai_html_inputs(gpa_text *t, const gpai_view *v, bool full)
{
    size_t most = full ? FIRST : FEW, first = v->inputs < most ? v->inputs : most;
    const struct sheet s = {
        .v = v,
        .full = full,
        .marginals = gpa_explanation_spread_known(v->e),
        .decimals = gpai_cell_decimals(v),
        .x = gpai_html_spark_axis(v, first < SPARKS ? first : SPARKS)};
    rows(t, &s, 0, first);
    size_t more = v->inputs - first;
    if (more == 0)
        return;
    if (!full) {
        gpai_text_printf(t, "<p class=\"small\">%zu more inputs.</p>\n", more);
        return;
    }
    gpai_text_printf(t, "<details><summary>%zu more inputs</summary>\n", more);
    rows(t, &s, first, v->inputs);
    gpai_text_add(t, "</details>\n");
}
