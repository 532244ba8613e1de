#include "base/text/escape.h"
#include "report/html/parts.h"
#include "report/words/sentence.h"
#include <math.h>

/* The table that is the answer: one line per input, and the outcome where its
 * probability puts it. */

enum { ALL = 10, MOST = 8, FEW = 5, LEAST = 3, FOLDED = 40, SHORT = 60 };

static void measure(gpa_text *t, const char *unit)
{
    if (unit == NULL)
        return;
    gpai_text_add(t, " <span class=\"u\">");
    gpai_html_short(t, unit, SHORT);
    gpai_text_add(t, "</span>");
}

void gpai_html_label(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    gpai_html_input(t, v, k, columns);
    measure(t, gpai_view_measure(v, k));
}

static void chance(gpa_text *t, double p)
{
    gpai_text_add(t, "</th><td class=\"b\">");
    gpai_html_bar(t, p);
    gpai_html_in(t, "</td><td class=\"p\">", gpai_cell_percent(p).text,
                 "</td><td class=\"now\">");
}

/* The likeliest level but for the best; `levels` where there is no other. */
static size_t second(const gpa_alone *a)
{
    size_t next = a->levels;
    for (size_t i = 0; i < a->levels; i++)
        if (i != a->best && a->probability[i] >= 0.01 &&
            (next == a->levels || a->probability[i] > a->probability[next]))
            next = i;
    return next;
}

/* "45 %, northwest 34 %": how surely it is the best level, and which other it is. */
static void level_words(gpa_text *t, const gpai_view *v, size_t k, const gpa_alone *a)
{
    enum { LEVEL = 24 };
    size_t next = second(a);
    if (a->best >= a->levels || next == a->levels)
        return;
    gpai_text_printf(t, "%s, ", gpai_cell_percent(a->probability[a->best]).text);
    gpai_say_level(t, v, k, a->level[next], LEVEL);
    gpai_text_printf(t, " %s", gpai_cell_percent(a->probability[next]).text);
}

/* What would look normal: a value or change with its interval, or a level and how
 * surely it is that. */
static void normal_cell(gpa_text *t, const gpai_view *v, size_t k)
{
    enum { LEVEL = 24 };
    const gpa_alone *a = gpai_view_alone(v, k);
    bool levels = gpai_has_levels(&v->kinds, k);
    gpai_text_add(t, "</td><td class=\"nn\"><span class=\"v\">");
    size_t start = t->length;
    gpai_say_alone(t, v, k, GPAI_ALONE_VALUE, LEVEL);
    gpai_html_tail(t, start);
    gpai_text_printf(t, "</span> <span class=\"iv%s\">", levels ? " w" : "");
    start = t->length;
    if (levels && a != NULL && !isnan(gpai_view_normal(v, k))) {
        level_words(t, v, k, a);
    } else if (!levels) {
        gpai_say_alone(t, v, k, GPAI_ALONE_LOW, LEVEL);
        gpai_text_add(t, t->length > start ? " … " : "");
        gpai_say_alone(t, v, k, GPAI_ALONE_HIGH, LEVEL);
    }
    gpai_html_tail(t, start);
    gpai_text_add(t, "</span></td></tr>\n");
}

static void input(gpa_text *t, const gpai_view *v, size_t k, bool full)
{
    bool held = gpai_view_held(v, k);
    gpai_text_printf(t, "<tr%s><th class=\"nm\" scope=\"row\">",
                     held                      ? " class=\"held\""
                     : gpai_view_accused(v, k) ? " class=\"first\""
                                               : "");
    gpai_html_label(t, v, k, SHORT);
    if (held)
        gpai_text_add(t, "</th><td class=\"b\"></td><td class=\"p\">held</td>"
                         "<td class=\"now\">");
    else
        chance(t, gpai_view_blame(v, k));
    gpai_html_value(t, v, k, gpai_view_x(v, k));
    gpai_text_add(t, "</td><td class=\"sl\">");
    gpai_html_strip(t, v, k, full);
    if (held)
        gpai_text_add(t, "</td><td class=\"nn\"></td></tr>\n");
    else
        normal_cell(t, v, k);
}

static void outcome(gpa_text *t, const gpai_view *v, bool full)
{
    bool accused = v->c->verdict == GPA_VERDICT_OUTPUT;
    double ends[2], normal = gpai_view_output_normal(v, ends);
    int decimals = gpai_decimals(ends[1] - ends[0], 3);
    gpai_text_printf(t, "<tr class=\"out%s\"><th class=\"nm\" scope=\"row\">",
                     accused ? " first" : "");
    size_t start = t->length;
    gpai_text_add(t, "observed ");
    gpai_view_target(t, v, SHORT);
    gpai_html_tail(t, start);
    measure(t, v->info->target_unit);
    gpai_text_add(t, " <span class=\"u\">or the model</span>");
    chance(t, v->c->output);
    gpai_text_printf(t, "%s</td><td class=\"sl\">",
                     gpai_cell_value(v->y_mean, false).text);
    gpai_html_strip_outcome(t, v, full);
    gpai_text_add(t, "</td><td class=\"nn\">");
    if (!isnan(normal))
        gpai_text_printf(
            t, "<span class=\"v\">%s</span> <span class=\"iv\">%s … %s</span>",
            gpai_cell_fixed(normal, decimals, false).text,
            gpai_cell_fixed(ends[0], decimals, false).text,
            gpai_cell_fixed(ends[1], decimals, false).text);
    gpai_text_add(t, "</td></tr>\n");
}

static void head(gpa_text *t, const gpai_view *v)
{
    bool calm = v->c->verdict == GPA_VERDICT_NORMAL;
    gpai_text_printf(t,
                     "<table class=\"who%s\">"
                     "<colgroup><col class=\"nm\"><col "
                     "class=\"b\"><col class=\"p\"><col class=\"now\"><col "
                     "class=\"sl\"><col class=\"nn\"></colgroup>"
                     "<thead><tr><th class=\"nm\">input</th>",
                     calm ? " calm" : "");
    gpai_text_printf(t, "<th class=\"b\" colspan=\"2\">responsible%s</th>",
                     calm ? ", if anyone" : "");
    gpai_text_printf(t,
                     "<th class=\"now\">%s</th><th class=\"sl\">in the data</th>"
                     "<th class=\"nn\">%s, 90&#160;%%</th></tr></thead><tbody>\n",
                     v->n > 1 ? "mean now" : "now",
                     v->n > 1 ? "change that would look normal" : "would look normal");
}

/* How many inputs are shown at once: all of a few; of many, those that count. */
static size_t at_once(const gpai_view *v, bool full)
{
    const double negligible = 0.01;
    size_t n = 0, most = full ? MOST : FEW;
    if (v->inputs <= ALL)
        return v->inputs;
    while (n < most && (n < LEAST || gpai_view_blame(v, v->order[n]) >= negligible))
        n++;
    return n;
}

static void lines(gpa_text *t, const gpai_view *v, size_t from, size_t to, bool full)
{
    head(t, v);
    bool told = from > 0;
    for (size_t i = from; i < to; i++) {
        size_t k = v->order[i];
        if (!told && (v->c->output >= gpai_view_blame(v, k) || gpai_view_held(v, k))) {
            outcome(t, v, full);
            told = true;
        }
        input(t, v, k, full);
    }
    if (!told)
        outcome(t, v, full);
    gpai_text_add(t, "</tbody></table>\n");
}

void gpai_html_answer(gpa_text *t, const gpai_view *v, bool full)
{
    if (v->c == NULL)
        return;
    size_t shown = at_once(v, full), more = v->inputs - shown;
    lines(t, v, 0, shown, full);
    if (more == 0)
        return;
    if (!full || more > FOLDED) {
        gpai_text_printf(
            t, "<p class=\"small\">%zu more input%s less likely or held.</p>\n", more,
            more > 1 ? "s are" : " is");
        return;
    }
    gpai_text_printf(t,
                     "<details><summary>%zu more input%s, less likely or held"
                     "</summary>\n",
                     more, more > 1 ? "s" : "");
    lines(t, v, shown, v->inputs, full);
    gpai_text_add(t, "</details>\n");
}

void gpai_html_legend(gpa_text *t)
{
    gpai_text_add(
        t,
        "<p class=\"legend\"><span><svg class=\"key\" viewBox=\"0 0 16 12\"><path "
        "class=\"h\" d=\"M1 11v-5h4v5M6 11v-9h4v9M11 11v-6h4v6\"/></svg>how often in "
        "the data</span> <span><svg class=\"key\" viewBox=\"0 0 16 12\"><circle "
        "class=\"o\" cx=\"8\" cy=\"6\" r=\"4.2\"/></svg>now</span> <span><svg "
        "class=\"key\" viewBox=\"0 0 16 12\"><path class=\"n\" d=\"M8 1.6L12.4 "
        "6L8 10.4L3.6 6z\"/></svg>would look normal if it alone were wrong</span> "
        "<span><svg class=\"key\" viewBox=\"0 0 16 12\"><path class=\"i\" d=\"M0 "
        "6H16\"/></svg>its 90&#160;% interval</span></p>\n");
}
