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

/* One of the words of line k as text of the page. */
static void say(gpa_text *t, const gpai_view *v, size_t k,
                void (*words)(gpa_text *, const gpai_view *, size_t))
{
    size_t start = t->length;
    words(t, v, k);
    gpai_html_tail(t, start);
}

static void name(gpa_text *t, const gpai_view *v, size_t k)
{
    if (k < v->d) {
        gpai_html_label(t, v, k, SHORT);
        return;
    }
    size_t start = t->length;
    gpai_text_add(t, "observed ");
    gpai_view_target(t, v, SHORT);
    gpai_html_tail(t, start);
    measure(t, v->info->target_unit);
    gpai_text_add(t, " <span class=\"u\">or the model</span>");
}

static void chance(gpa_text *t, double p)
{
    gpai_text_add(t, "</th><td class=\"b\">");
    if (!isnan(p))
        gpai_html_bar(t, p);
    gpai_html_in(t, "</td><td class=\"p\">",
                 isnan(p) ? "held" : gpai_cell_percent(p).text,
                 "</td><td class=\"now\">");
}

/* What would look normal: a value or change with its interval, or a level and how
 * surely it is that. */
static void would(gpa_text *t, const gpai_view *v, size_t k)
{
    bool levels = k < v->d && gpai_has_levels(&v->kinds, k);
    gpai_text_add(t, "<span class=\"v\">");
    say(t, v, k, gpai_say_would);
    gpai_text_printf(t, "</span> <span class=\"iv%s\">", levels ? " w" : "");
    say(t, v, k, gpai_say_would_range);
    gpai_text_add(t, "</span>");
}

static void line(gpa_text *t, const gpai_view *v, size_t k, bool full)
{
    double p = gpai_line_blame(v, k), ends[2];
    bool outcome = k == v->d;
    bool known = outcome ? !isnan(gpai_view_output_normal(v, ends)) : !isnan(p);
    bool accused = gpai_line_accused(v, k);
    gpai_text_printf(t, "<tr%s><th class=\"nm\" scope=\"row\">",
                     outcome    ? accused ? " class=\"out first\"" : " class=\"out\""
                     : isnan(p) ? " class=\"held\""
                     : accused  ? " class=\"first\""
                                : "");
    name(t, v, k);
    chance(t, p);
    say(t, v, k, gpai_say_now);
    gpai_text_add(t, "</td><td class=\"sl\">");
    (outcome ? gpai_html_strip_outcome(t, v, full) : gpai_html_strip(t, v, k, full));
    gpai_text_add(t, "</td><td class=\"nn\">");
    if (known)
        would(t, v, k);
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
    size_t outcome = from == 0 ? gpai_line_outcome(v) : SIZE_MAX;
    head(t, v);
    for (size_t i = from; i < to; i++) {
        if (i == outcome)
            line(t, v, v->d, full);
        line(t, v, v->order[i], full);
    }
    if (outcome != SIZE_MAX && outcome >= to)
        line(t, v, v->d, full);
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
