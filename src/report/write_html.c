#include "report/cells.h"
#include "report/escape.h"
#include "report/html_page.h"
#include "report/receipt.h"
#include "report/view.h"
#include "report/write.h"
#include "report/write_svg.h"
#include <gpa/version.h>
#include <math.h>

void gpai_html_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    (void)e;
    const char *target = info->target != NULL ? info->target : "y";
    gpai_page_open(t);
    gpai_text_add(t, "What explains the deviation of ");
    gpai_html_text(t, target);
    gpai_text_add(t, "?");
    gpai_page_body(t, NULL);
    gpai_text_add(t, "<header><h1>What explains the deviation of ");
    gpai_html_text(t, target);
    gpai_text_add(t, "?</h1>\n<p>Generative perturbation analysis");
    if (info->model_spec != NULL) {
        gpai_text_add(t, " of the model ");
        gpai_html_text(t, info->model_spec);
    }
    gpai_text_add(t, "</p></header>\n");
}

static void fact(gpa_text *t, const char *name, double value, int digits)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(value))
        return;
    gpai_real_people(number, value, digits);
    gpai_text_printf(t, "<div><dt>%s</dt><dd>", name);
    gpai_text_minus(t, number, false, false);
    gpai_text_add(t, "</dd></div>");
}

static void facts(gpa_text *t, const gpai_view *v)
{
    bool one = v->n == 1;
    gpai_text_add(t, "<dl class=\"facts\">");
    fact(t, one ? "observed" : "observed, mean", v->y_mean, 6);
    fact(t, one ? "predicted" : "predicted, mean", v->f_mean, 5);
    fact(t, "after the change", v->moved_mean, 5);
    fact(t, one ? "score" : "mean score", v->score_mean, 3);
    if (one && v->s->sigma > 0)
        fact(t, "off by, in sigma", fabs(v->gap) / v->s->sigma, 2);
    gpai_text_add(t, "</dl>\n");
}

/* One of the sentences for people as text of the page. */
static void sentence(gpa_text *t, const char *open, const gpai_view *v,
                     void (*say)(gpa_text *, const gpai_view *), const char *close)
{
    gpai_text_add(t, open);
    size_t start = t->length;
    say(t, v);
    gpai_html_tail(t, start);
    gpai_text_add(t, close);
}

static void heading(gpa_text *t, const gpai_view *v)
{
    bool verdict = v->c != NULL;
    sentence(t, "<section>\n<p class=\"eyebrow\">", v, gpai_say_rows, "</p>\n");
    sentence(t, "<h2>", v, verdict ? gpai_say_verdict : gpai_say_what, "</h2>\n");
    sentence(t, "<p class=\"lead\">", v, verdict ? gpai_say_what : gpai_say_why,
             "</p>\n");
}

static void suspect(gpa_text *t, double p)
{
    gpai_text_add(t, "</td><td class=\"b\">");
    gpai_svg_bar(t, p);
    gpai_text_add(t, "</td><td>");
    size_t start = t->length;
    gpai_cell_probability(t, p);
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td><td>");
}

static void suspect_input(gpa_text *t, const gpai_view *v, size_t k)
{
    bool accused = gpai_view_accused(v, k);
    gpai_text_add(t, accused ? "<tr class=\"first\"><td>" : "<tr><td>");
    size_t start = t->length;
    gpai_view_feature(t, v, k, 24);
    gpai_html_tail(t, start);
    suspect(t, gpai_view_blame(v, k));
    gpai_cell_raw(t, gpai_raw(v->c->median[k], v->unit[k]), false);
    gpai_text_add(t, "</td></tr>\n");
}

static void suspect_outcome(gpa_text *t, const gpai_view *v)
{
    bool accused = v->c->verdict == GPA_VERDICT_OUTPUT;
    gpai_text_add(t, accused ? "<tr class=\"first\"><td>" : "<tr><td>");
    size_t start = t->length;
    gpai_text_add(t, "observed ");
    gpai_view_target(t, v, 24);
    gpai_html_tail(t, start);
    suspect(t, v->c->output);
    gpai_text_add(t, "</td></tr>\n");
}

/* Who did it: the likeliest inputs, and the outcome where it belongs among them. */
static void suspects(gpa_text *t, const gpai_view *v)
{
    enum { MOST = 8, LEAST = 3 };
    const double negligible = 0.01;
    size_t shown = 0;
    bool outcome = false;
    gpai_text_add(
        t, "<table class=\"who\"><thead><tr><th>responsible?</th><th></th>"
           "<th>probability</th><th>change, if it<br>alone is off</th></tr></thead>"
           "<tbody>\n");
    for (; shown < v->d && shown < MOST; shown++) {
        size_t k = v->order[shown];
        double p = gpai_view_blame(v, k);
        if (gpai_view_held(v, k) || (shown >= LEAST && p < negligible))
            break;
        if (!outcome && v->c->output >= p) {
            suspect_outcome(t, v);
            outcome = true;
        }
        suspect_input(t, v, k);
    }
    if (!outcome)
        suspect_outcome(t, v);
    gpai_text_add(t, "</tbody></table>\n");
    if (shown < v->d)
        gpai_text_printf(t,
                         "<p class=\"small\">%zu more inputs are less likely or were "
                         "not allowed to move; ",
                         v->d - shown);
    else
        gpai_text_add(t, "<p class=\"small\">");
    sentence(t, "", v, gpai_say_basis, ".</p>\n");
}

/* What the curves are. */
static void caption(gpa_text *t, const gpai_view *v)
{
    bool held = v->s->marginals == GPA_MARGINALS_PAPER ||
                v->s->marginals == GPA_MARGINALS_PLUGIN;
    if (gpa_explanation_marginal(v->e, 0) == NULL) {
        gpai_text_add(t, "The most probable change of each input, in units of its "
                         "spread; on the right in the data&#39;s own units.");
        return;
    }
    gpai_text_add(t, "How each input may have to change, in units of its spread: the "
                     "curve is the distribution ");
    gpai_text_add(t, held ? "with the others held at their most probable values"
                          : "with all other inputs free to change as well");
    gpai_text_add(t,
                  " (all drawn equally high), the dotted line what it was before y "
                  "was seen, the dot the most probable change, the lines hold "
                  "50&#160;% and 90&#160;%. On the right the most probable change in "
                  "the data&#39;s own units.");
}

static void figure(gpa_text *t, const gpai_view *v)
{
    if (v->c != NULL) {
        gpai_text_add(t, "<h3>If all inputs may change together</h3>\n");
        sentence(t, "<p class=\"lead\">", v, gpai_say_why, "</p>\n");
    }
    gpai_text_add(t, "<figure>\n");
    gpai_svg_ridges(t, v);
    gpai_text_add(t, "<figcaption>");
    caption(t, v);
    if (v->d > GPAI_SVG_INPUTS)
        gpai_text_printf(t, " %d inputs of %zu.", GPAI_SVG_INPUTS, v->d);
    gpai_text_add(t, "</figcaption></figure>\n");
}

static void marginal_cells(gpa_text *t, const gpa_marginal *m, int decimals)
{
    gpai_text_add(t, "<td>");
    gpai_cell_change(t, m->mean, decimals, false);
    gpai_text_add(t, " ± ");
    gpai_cell_fixed(t, m->sd, decimals, false);
    gpai_text_add(t, "</td><td>");
    gpai_cell_change(t, m->interval90[0], decimals, false);
    gpai_text_add(t, " … ");
    gpai_cell_change(t, m->interval90[1], decimals, false);
    gpai_text_add(t, "</td><td>");
    size_t start = t->length;
    gpai_cell_probability(t, m->p_positive);
    gpai_html_tail(t, start);
    gpai_text_add(t, "</td><td>");
    gpai_cell_fixed(t, m->information, 2, false);
    gpai_text_add(t, "</td>");
}

static void input_row(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    const char *class = v->delta[k] > 0 ? "pos" : v->delta[k] < 0 ? "neg" : "nil";
    char room[GPAI_NAME_SIZE];
    int decimals = gpai_cell_decimals(v);
    gpai_text_printf(t, "<tr class=\"%s\"><td>", class);
    gpai_html_text(t, gpai_name_feature(v->info, k, room));
    gpai_text_add(t, "</td><td>");
    gpai_cell_value(t, gpai_view_x(v, k), false);
    gpai_text_add(t, "</td><td class=\"d\">");
    gpai_cell_change(t, v->delta[k], decimals, false);
    gpai_text_add(t, "</td><td>");
    gpai_cell_raw(t, v->raw[k], false);
    gpai_text_add(t, "</td>");
    if (m != NULL && gpai_view_held(v, k))
        gpai_text_add(t, "<td>held</td><td></td><td></td><td></td>");
    else if (m != NULL)
        marginal_cells(t, m, decimals);
    gpai_text_add(t, "</tr>\n");
}

static void inputs(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "<div class=\"scroll\"><table>\n<thead><tr><th>input</th><th>");
    gpai_text_add(t, v->n > 1 ? "mean value" : "value");
    gpai_text_add(t, "</th><th>change,<br>in units</th><th>change,<br>own units</th>");
    if (gpa_explanation_marginal(v->e, 0) != NULL)
        gpai_text_add(t,
                      "<th>mean ± sd</th><th>90&#160;% interval</th><th>P(&gt; 0)</th>"
                      "<th>nats</th>");
    gpai_text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < v->d; i++)
        input_row(t, v, v->order[i]);
    gpai_text_add(t, "</tbody></table></div>\n");
}

static gpa_status details(gpa_text *t, const gpai_view *v, gpa_error *err)
{
    const gpa_summary *s = v->s;
    gpai_text_add(
        t, "<details><summary>How this was found</summary>\n<dl class=\"more\">");
    gpai_page_term(t, "solver", gpa_solver_name(s->solver));
    gpai_page_term(t, "marginals", gpa_marginals_name(s->marginals));
    gpai_page_number(t, "eta", s->eta);
    gpai_page_number(t, "nu", s->nu);
    gpai_page_number(t, "a0", s->a0);
    if (v->n == 1 || s->noise != GPA_NOISE_LOCAL)
        gpai_page_number(t, "b", v->b[0]);
    gpai_page_number(t, "sigma", s->sigma);
    gpai_page_number(t, "c_b", s->cb);
    gpai_page_number(t, "kappa", s->kappa);
    if (s->noise != GPA_NOISE_AUTO)
        gpai_page_term(t, "noise", gpa_noise_name(s->noise));
    gpai_page_number(t, "objective", s->objective);
    gpai_page_number(t, "objective at 0", s->objective_zero);
    gpai_text_add(t, "<dt>model</dt><dd>");
    gpai_say_rows_asked(t, v);
    gpai_text_add(t, "</dd>\n<dt>search</dt><dd>");
    gpai_say_search(t, v);
    gpai_text_printf(t, "</dd>\n<dt>seed</dt><dd>%ju</dd>\n", (uintmax_t)v->info->seed);
    gpai_page_term(t, "model", v->info->model_spec);
    gpai_page_term(t, "input digest", v->info->input_digest);
    gpai_page_term(t, "model probe digest", v->info->model_digest);
    gpai_page_term(t, "options", v->info->options_json);
    gpai_page_term(t, "version",
                   v->info->version != NULL ? v->info->version : gpa_version());
    gpa_status st = gpai_html_explanation_digest(t, v->info, v->e, err);
    gpai_text_add(t, "</dl></details>\n");
    return st;
}

gpa_status gpai_html_explanation(gpa_text *t, const gpa_report_info *info,
                                 const gpa_explanation *e, size_t index, gpa_error *err)
{
    (void)index;
    gpa_report_info page = *info;
    page.ascii = page.colour = false; /* the page says that it is UTF-8 */
    gpai_view v;
    gpa_status st = gpai_view_make(&v, &page, e, err);
    if (st != GPA_OK)
        return st;
    heading(t, &v);
    if (v.c != NULL)
        suspects(t, &v);
    facts(t, &v);
    figure(t, &v);
    inputs(t, &v);
    for (size_t i = 0; gpa_explanation_note(e, i) != NULL; i++) {
        gpai_text_add(t, "<p class=\"note\">");
        gpai_html_text(t, gpa_explanation_note(e, i));
        gpai_text_add(t, "</p>\n");
    }
    st = details(t, &v, err);
    gpai_text_add(t, "</section>\n");
    gpai_view_free(&v);
    return st;
}

void gpai_html_end(gpa_text *t, const gpa_report_info *info)
{
    gpai_html_receipt(t, info, "gpa-explanation/1");
    gpai_page_close(t, "A change in an input is what would make the observed value "
                       "plausible to the model; it is no proof that the input "
                       "changed.");
}
