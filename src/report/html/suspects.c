#include "base/text/escape.h"
#include "report/html/parts.h"
#include "report/words/sentence.h"
#include <math.h>

/* The likeliest inputs, and the outcome where it belongs among them (parts.h). */

enum { MOST = 8, LEAST = 3, NAME = 60 };

static void chance(gpa_text *t, double p)
{
    gpai_text_add(t, "</td><td class=\"b\">");
    gpai_spark_bar(t, p);
    gpai_html_in(t, "</td><td>", gpai_cell_probability(p).text, "</td><td>");
}

/* What would look normal if this input alone were off: its value, or the change where
 * there are several rows. Three digits of the interval's width are shown. */
static gpai_cell normal(const gpai_view *v, size_t k, double change)
{
    double x = gpai_view_x(v, k), raw = gpai_raw(change, v->unit[k]);
    double spread = (v->c->high[k] - v->c->low[k]) * v->unit[k];
    if (v->n > 1 || !isfinite(x) || !isfinite(raw))
        return gpai_cell_raw(raw, false);
    return gpai_cell_fixed(x + raw, gpai_decimals(spread > 0 ? spread : raw, 3), false);
}

static void input(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_culprit *c = v->c;
    gpai_text_add(t, gpai_view_accused(v, k) ? "<tr class=\"first\"><td>" : "<tr><td>");
    gpai_html_input(t, v, k, NAME);
    chance(t, gpai_view_blame(v, k));
    gpai_text_printf(t, "%s</td><td>%s</td><td>%s … %s</td></tr>\n",
                     gpai_cell_value(gpai_view_x(v, k), false).text,
                     normal(v, k, c->median[k]).text, normal(v, k, c->low[k]).text,
                     normal(v, k, c->high[k]).text);
}

static void outcome(gpa_text *t, const gpai_view *v)
{
    bool accused = v->c->verdict == GPA_VERDICT_OUTPUT;
    gpai_text_add(t, accused ? "<tr class=\"first\"><td>" : "<tr><td>");
    size_t start = t->length;
    gpai_text_add(t, "observed ");
    gpai_view_target(t, v, NAME);
    gpai_html_tail(t, start);
    chance(t, v->c->output);
    gpai_text_printf(t, "%s</td><td></td><td></td></tr>\n",
                     gpai_cell_value(v->y_mean, false).text);
}

static void head(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "<div class=\"scroll\"><table class=\"who\"><thead><tr>"
                     "<th>responsible?</th><th></th><th>probability</th><th>");
    gpai_text_add(t, v->n > 1 ? "mean now</th><th>change" : "now</th><th>normal");
    gpai_text_add(t, ", if it<br>alone is off</th><th>90&#160;% interval</th></tr>"
                     "</thead><tbody>\n");
}

void gpai_html_suspects(gpa_text *t, const gpai_view *v)
{
    const double negligible = 0.01;
    size_t shown = 0;
    bool told = false;
    if (v->c == NULL)
        return;
    head(t, v);
    for (; shown < v->d && shown < MOST; shown++) {
        size_t k = v->order[shown];
        double p = gpai_view_blame(v, k);
        if (gpai_view_held(v, k) || (shown >= LEAST && p < negligible))
            break;
        if (!told && v->c->output >= p) {
            outcome(t, v);
            told = true;
        }
        input(t, v, k);
    }
    if (!told)
        outcome(t, v);
    gpai_text_add(t, "</tbody></table></div>\n<p class=\"small\">");
    if (shown < v->d)
        gpai_text_printf(t, "%zu more input%s less likely or not allowed to move; ",
                         v->d - shown, v->d - shown > 1 ? "s are" : " is");
    gpai_html_say(t, "", v, gpai_say_basis, ".</p>\n");
}
