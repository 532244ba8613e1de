#include "base/text/escape.h"
#include "report/html/parts.h"
#include "report/words/sentence.h"

/* The numbers of every input (parts.h). */

enum { FIRST = 20 }; /* the rest is folded, or left out where room is short */
enum { SPARKS = 8 }; /* inputs with a small curve */
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
    gpai_text_printf(t, "</td><td>%s</td>",
                     gpai_cell_fixed(m->information, 2, false).text);
}

static void row(gpa_text *t, const struct sheet *s, size_t i)
{
    const gpai_view *v = s->v;
    size_t k = v->order[i];
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    bool held = gpai_view_held(v, k);
    gpai_text_printf(t, "<tr class=\"%s\"><td>",
                     v->delta[k] > 0   ? "pos"
                     : v->delta[k] < 0 ? "neg"
                                       : "nil");
    gpai_html_input(t, v, k, NAME);
    gpai_text_printf(t, "</td><td>%s</td><td class=\"d\">%s</td><td>%s</td>",
                     gpai_cell_value(gpai_view_x(v, k), false).text,
                     gpai_cell_change(v->delta[k], s->decimals, false).text,
                     gpai_cell_raw(v->raw[k], false).text);
    if (s->marginals && !s->full) {
        gpai_text_add(t, "<td>");
        if (m != NULL && !held && i < SPARKS)
            gpai_spark_density(t, &s->x, m);
        gpai_text_add(t, "</td>");
    }
    if (m != NULL && held)
        gpai_text_add(t, s->full ? "<td>held</td><td></td><td></td><td></td>"
                                 : "<td>held</td><td></td><td></td>");
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
        gpai_text_add(t, "<th>90&#160;% interval</th><th>P(&gt; 0)</th>"
                         "<th>nats<br>learnt</th>");
    }
    gpai_text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t i = from; i < to; i++)
        row(t, s, i);
    gpai_text_add(t, "</tbody></table></div>\n");
}

void gpai_html_inputs(gpa_text *t, const gpai_view *v, bool full)
{
    size_t first = v->d < FIRST ? v->d : FIRST;
    const struct sheet s = {.v = v,
                            .full = full,
                            .marginals =
                                v->d > 0 && gpa_explanation_marginal(v->e, 0) != NULL,
                            .decimals = gpai_cell_decimals(v),
                            .x = gpai_spark_axis(v, first < SPARKS ? first : SPARKS)};
    rows(t, &s, 0, first);
    if (first == v->d)
        return;
    if (!full) {
        gpai_text_printf(t, "<p class=\"small\">%zu more inputs.</p>\n", v->d - first);
        return;
    }
    gpai_text_printf(t, "<details><summary>%zu more inputs</summary>\n", v->d - first);
    rows(t, &s, first, v->d);
    gpai_text_add(t, "</details>\n");
}
