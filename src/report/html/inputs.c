#include "base/text/escape.h"
#include "report/html/parts.h"
#include "report/plot/plot.h"
#include "report/words/sentence.h"
#include <math.h>

/* Pictures as small as a word, for tables in pages; colours are the page's. */

enum { WIDTH = 120, HEIGHT = 20 };

/* A bar for a share of 1; it fills whatever width the page gives it. */
static void bar(gpa_text *t, double share)
{
    gpai_text_add(t, "<svg class=\"bar\" viewBox=\"0 0 100 1\" "
                     "preserveAspectRatio=\"none\"><path d=\"M0 0H");
    gpai_draw_number(t, 100 * share);
    gpai_text_add(t, "V1H0z\"/></svg>");
}

/* The share of each level as a bar beside the next, the likeliest one in full height;
 * of as few bytes as possible. */
static void spark_bars(gpa_text *t, const gpa_marginal *m)
{
    double highest = 0, width = (double)WIDTH / (double)m->levels;
    for (size_t i = 0; i < m->levels; i++)
        highest = fmax(highest, m->mass[i]);
    if (!(highest > 0))
        return;
    gpai_text_printf(t, "<svg class=\"spark\" viewBox=\"0 0 %d %d\"><path d=\"", WIDTH,
                     HEIGHT);
    for (size_t i = 0; i < m->levels; i++) {
        double left = width * ((double)i + 0.1), high = m->mass[i] / highest;
        gpai_draw_to(t, "M", left, HEIGHT - 1);
        gpai_text_add(t, "v");
        gpai_draw_number(t, -(HEIGHT - 2) * high);
        gpai_text_add(t, "h");
        gpai_draw_number(t, 0.8 * width);
        gpai_text_add(t, "v");
        gpai_draw_number(t, (HEIGHT - 2) * high);
    }
    gpai_text_add(t, "\"/></svg>");
}

/* A common axis of the small curves. */
static gpai_axis spark_axis(const gpai_view *v, size_t shown)
{
    gpai_span s = {0, 0};
    for (size_t i = 0; i < shown; i++) {
        const gpa_marginal *m = gpa_explanation_marginal(v->e, v->order[i]);
        if (m == NULL || m->levels > 0 || gpai_view_held(v, v->order[i]))
            continue;
        gpai_span_add(&s, m->interval90[0]);
        gpai_span_add(&s, m->interval90[1]);
    }
    gpai_span_air(&s, 0.12);
    return gpai_axis_make(s, 0, WIDTH);
}

static double highest(const gpa_marginal *m)
{
    double peak = 0;
    for (size_t i = 0; i < m->points; i++)
        peak = m->density[i] > peak ? m->density[i] : peak;
    return peak;
}

/* The density of an input's change, of as few bytes as possible. */
static void spark(gpa_text *t, const gpai_axis *x, const gpa_marginal *m)
{
    const gpa_plot_curve c = {m->grid, m->density, m->points};
    double peak = highest(m), base = HEIGHT - 1;
    if (m->levels > 0)
        spark_bars(t, m);
    if (!(peak > 0) || !isfinite(peak))
        return;
    const gpai_axis y = {0, peak, base, 1};
    gpai_text_printf(t, "<svg class=\"spark\" viewBox=\"0 0 %d %d\">", WIDTH, HEIGHT);
    gpai_plot_curve(t, "k", x, &y, &c, &base);
    gpai_text_add(t, "<path class=\"z\" d=\"M");
    gpai_draw_number(t, gpai_axis_at(x, 0));
    gpai_text_printf(t, " 0V%d\"/></svg>", HEIGHT);
}

/* The likeliest inputs, and the outcome where it belongs among them. */

enum { MOST = 8, LEAST = 3, SHORT = 60 };

static void chance(gpa_text *t, double p)
{
    gpai_text_add(t, "</td><td class=\"b\">");
    bar(t, p);
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

/* Levels and values as text: what would look normal, and how surely. */
static void normal_words(gpa_text *t, const gpai_view *v, size_t k)
{
    enum { LEVEL = 24, LISTED = 2 };
    const gpa_alone *a = gpai_view_alone(v, k);
    size_t start = t->length;
    gpai_say_normal(t, v, k, gpai_view_normal(v, k), LEVEL);
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td><td>");
    start = t->length;
    if (a != NULL && a->levels > 0) {
        gpai_say_levels(t, v, k, a->level, a->probability, a->levels, LISTED);
    } else if (a != NULL && isfinite(a->low)) {
        gpai_say_normal(t, v, k, a->low, LEVEL);
        gpai_text_add(t, " … ");
        gpai_say_normal(t, v, k, a->high, LEVEL);
    }
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td></tr>\n");
}

static void input(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_culprit *c = v->c;
    const gpa_alone *a = gpai_view_alone(v, k);
    bool levels = gpai_has_levels(&v->kinds, k);
    gpai_text_add(t, gpai_view_accused(v, k) ? "<tr class=\"first\"><td>" : "<tr><td>");
    gpai_html_input(t, v, k, SHORT);
    chance(t, gpai_view_blame(v, k));
    gpai_html_value(t, v, k, gpai_view_x(v, k));
    gpai_text_add(t, "</td><td>");
    if (levels || (a != NULL && v->n == 1 && (v->kinds.mixed || a->missing)))
        normal_words(t, v, k);
    else
        gpai_text_printf(t, "%s</td><td>%s … %s</td></tr>\n",
                         normal(v, k, c->median[k]).text, normal(v, k, c->low[k]).text,
                         normal(v, k, c->high[k]).text);
}

static void outcome(gpa_text *t, const gpai_view *v)
{
    bool accused = v->c->verdict == GPA_VERDICT_OUTPUT;
    gpai_text_add(t, accused ? "<tr class=\"first\"><td>" : "<tr><td>");
    size_t start = t->length;
    gpai_text_add(t, "observed ");
    gpai_view_target(t, v, SHORT);
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
    for (; shown < v->inputs && shown < MOST; shown++) {
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
    size_t more = v->inputs - shown;
    if (more > 0)
        gpai_text_printf(t, "%zu more input%s less likely or not allowed to move; ",
                         more, more > 1 ? "s are" : " is");
    gpai_html_say(t, "", v, gpai_say_basis, ".</p>\n");
}

/* The numbers of every input. */

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

/* The likeliest levels, where numbers have their interval. */
static void level_cells(gpa_text *t, const struct sheet *s, const gpa_marginal *m,
                        size_t k)
{
    enum { LISTED = 3 };
    gpai_text_add(t, s->full ? "<td colspan=\"2\">" : "<td>");
    size_t start = t->length;
    gpai_say_levels(t, s->v, k, m->level, m->mass, m->levels, LISTED);
    gpai_html_tail(t, start);
    gpai_text_printf(t, "</td><td></td><td>%s</td>",
                     gpai_cell_fixed(m->information, 2, false).text);
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
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    bool held = gpai_view_held(v, k);
    gpai_text_printf(t, "<tr class=\"%s\"><td>", class_of(v, k));
    gpai_html_input(t, v, k, NAME);
    gpai_text_add(t, "</td><td>");
    gpai_html_value(t, v, k, gpai_view_x(v, k));
    gpai_text_add(t, "</td>");
    change_cells(t, s, k);
    if (s->marginals && !s->full) {
        gpai_text_add(t, "<td>");
        if (m != NULL && !held && i < SPARKS)
            spark(t, &s->x, m);
        gpai_text_add(t, "</td>");
    }
    if (m != NULL && held)
        gpai_text_add(t, s->full ? "<td>held</td><td></td><td></td><td></td>"
                                 : "<td>held</td><td></td><td></td>");
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
    size_t first = v->inputs < FIRST ? v->inputs : FIRST;
    const struct sheet s = {.v = v,
                            .full = full,
                            .marginals =
                                v->d > 0 && gpa_explanation_marginal(v->e, 0) != NULL,
                            .decimals = gpai_cell_decimals(v),
                            .x = spark_axis(v, first < SPARKS ? first : SPARKS)};
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
