#include "report/cells.h"
#include "report/escape.h"
#include "report/view.h"
#include "report/write.h"
#include "report/write_svg.h"
#include <gpa/version.h>
#include <math.h>
#include <string.h>

static const char *const STYLE =
    ":root{color-scheme:light "
    "dark;--bg:#f7f6f3;--card:#fff;--ink:#1c1e22;--mute:#6a6f78;"
    "--line:#e4e1db;--pos:#c0402a;--neg:#2a5fb4;--nil:#8b9099;--who:#b5541c;--fill:.20}"
    "\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14161a;--card:#1c1f24;--ink:#e9e7e2;"
    "--mute:#9aa1ab;--line:#30353c;--pos:#ff8a70;--neg:#86b4ff;--nil:#7d848e;--who:#"
    "f0a05a;--fill:."
    "28}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,"
    "-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",Ubuntu,sans-serif}\n"
    "main{max-width:920px;margin:0 auto;padding:32px 20px 48px}\n"
    "header p,footer,.lead,figcaption,.eyebrow,dt{color:var(--mute)}\n"
    "h1{font-size:1.05rem;margin:0;font-weight:650}header p{margin:.1rem 0 1.6rem}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:14px;"
    "padding:26px 30px;margin:0 0 26px}\n"
    ".eyebrow{margin:0 0 .3rem;font-size:.8rem;letter-spacing:.06em;"
    "text-transform:uppercase}\n"
    "h2{font-size:1.42rem;line-height:1.32;margin:0 0 .6rem;font-weight:650;"
    "text-wrap:balance}\n"
    ".lead{margin:0 0 "
    "1.3rem;font-size:1.03rem}h2,.lead,td,th,dd{overflow-wrap:anywhere}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(118px,1fr));"
    "margin:0 0 1.5rem;border:1px solid "
    "var(--line);border-radius:10px;overflow:hidden}\n"
    ".facts div{box-shadow:0 0 0 .5px var(--line);padding:.6rem .85rem}"
    "dt{font-size:.78rem}dd{margin:0}"
    ".facts dd{font-size:1.15rem;font-variant-numeric:tabular-nums}\n"
    "figure{margin:0 0 1.4rem}figcaption{font-size:.84rem;margin-top:.2rem}\n"
    "svg{display:block;width:100%;height:auto;font-size:10.5px}\n"
    "svg text{fill:var(--ink)}svg .name{font-weight:600;paint-order:stroke;"
    "stroke:var(--card);stroke-width:3px;stroke-opacity:.8}\n"
    "svg .val{text-anchor:end;font-variant-numeric:tabular-nums}\n"
    "svg .tick{text-anchor:middle;fill:var(--mute);font-size:.9em}\n"
    ".base{stroke:var(--line);fill:none}.zero{stroke:var(--mute);stroke-dasharray:2 3;"
    "fill:none;stroke-width:.8}\n"
    ".area{fill:var(--c);fill-opacity:var(--fill)}.ridge{fill:none;stroke:var(--c);"
    "stroke-width:1.2;stroke-linejoin:round}\n"
    ".pos{--c:var(--pos)}.neg{--c:var(--neg)}.nil{--c:var(--nil)}\n"
    ".map{fill:var(--c);stroke:var(--card);"
    "stroke-width:1.5}svg .val{fill:var(--c)}\n"
    ".i90,.i50{stroke:var(--ink);stroke-opacity:.75;fill:none}.i90{stroke-width:1}"
    ".i50{stroke-width:3}.stem .i50{stroke:var(--c)}\n"
    ".prior{fill:none;stroke:var(--mute);stroke-width:.8;stroke-dasharray:1.5 2;"
    "stroke-opacity:.8}\n"
    "h3{font-size:1.02rem;margin:1.9rem 0 .3rem;font-weight:650}h3+.lead{font-size:."
    "95rem;margin-bottom:.9rem}\n"
    ".who{margin:0 0 .3rem;table-layout:fixed}.who td{border:0;padding:.2rem .55rem}"
    ".who td.b{padding:0 .2rem}.who th:first-child{width:30%}.who "
    "th:nth-child(3){width:"
    "6.2rem}.who th:nth-child(4){width:6.4rem}"
    ".who tr{color:var(--mute)}.who tr.first{color:var(--ink);font-weight:650}"
    ".who svg.bar{height:.8rem}.bar path{fill:var(--nil)}.bar path.track{fill:"
    "var(--line);fill-opacity:.55}.who tr.first .bar path+path{fill:var(--who)}"
    ".small{color:var(--mute);font-size:.84rem;margin:.1rem 0 1.5rem}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:."
    "92rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th{font-weight:500;color:var(--mute);font-size:.8rem;vertical-align:bottom}\n"
    "th,td{text-align:right;padding:.36rem .55rem;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th:first-child,td:first-child{text-align:left;padding-left:0;"
    "white-space:normal;min-width:5em}\n"
    "tr:last-child td{border-bottom:0}td.d{color:var(--c);font-weight:600}"
    "tr.nil td{color:var(--mute)}\n"
    ".note{border-left:3px solid var(--pos);margin:1rem 0 0;padding:.1rem .8rem}\n"
    "details{margin-top:1.2rem;font-size:.9rem}summary{cursor:pointer;color:var(--mute)"
    "}"
    ".more{display:grid;grid-template-columns:minmax(7em,max-content) 1fr;"
    "gap:.15rem 1.2rem;margin:.7rem 0 0}.more dd{font-family:ui-monospace,Menlo,"
    "\"DejaVu Sans Mono\",monospace;font-size:.84rem;padding-top:.08rem}\n"
    "footer{font-size:.84rem}\n"
    "@media(max-width:640px){main{padding:18px 12px 32px}section{padding:18px 16px}"
    "h2{font-size:1.16rem}svg{font-size:19px}.map{r:7px}.i50{stroke-width:5}"
    ".i90{stroke-width:2}.more{grid-template-columns:1fr}"
    ".who th:nth-child(3){width:5.4rem}.who th:nth-child(4){width:5.2rem}}\n"
    "@media print{section{break-inside:avoid}body{background:#fff}}\n";

void gpai_html_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    (void)e;
    const char *target = info->target != NULL ? info->target : "y";
    gpai_text_add(
        t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
           "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>");
    gpai_text_add(t, "What explains the deviation of ");
    gpai_html_text(t, target);
    gpai_text_add(t, "?</title>\n<style>\n");
    gpai_text_add(t, STYLE);
    gpai_text_add(t, "</style>\n</head>\n<body>\n<main>\n<header><h1>What explains the "
                     "deviation of ");
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

static void term(gpa_text *t, const char *name, const char *text)
{
    if (text == NULL)
        return;
    gpai_text_printf(t, "<dt>%s</dt><dd>", name);
    gpai_html_text(t, text);
    gpai_text_add(t, "</dd>\n");
}

static void number_term(gpa_text *t, const char *name, double value)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(value))
        return;
    gpai_real_exact(number, value);
    term(t, name, number);
}

static void details(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_text_add(
        t, "<details><summary>How this was found</summary>\n<dl class=\"more\">");
    term(t, "solver", gpa_solver_name(s->solver));
    term(t, "marginals", gpa_marginals_name(s->marginals));
    number_term(t, "eta", s->eta);
    number_term(t, "nu", s->nu);
    number_term(t, "a0", s->a0);
    if (v->n == 1 || s->noise != GPA_NOISE_LOCAL)
        number_term(t, "b", v->b[0]);
    number_term(t, "sigma", s->sigma);
    number_term(t, "c_b", s->cb);
    number_term(t, "kappa", s->kappa);
    if (s->noise != GPA_NOISE_AUTO)
        term(t, "noise", gpa_noise_name(s->noise));
    number_term(t, "objective", s->objective);
    number_term(t, "objective at 0", s->objective_zero);
    gpai_text_add(t, "<dt>model</dt><dd>");
    gpai_say_rows_asked(t, v);
    gpai_text_add(t, "</dd>\n<dt>search</dt><dd>");
    gpai_say_search(t, v);
    gpai_text_printf(t, "</dd>\n<dt>seed</dt><dd>%ju</dd>\n", (uintmax_t)v->info->seed);
    term(t, "model", v->info->model_spec);
    term(t, "input digest", v->info->input_digest);
    term(t, "model probe digest", v->info->model_digest);
    term(t, "options", v->info->options_json);
    term(t, "version", gpa_version());
    gpai_text_add(t, "</dl></details>\n");
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
    details(t, &v);
    gpai_text_add(t, "</section>\n");
    gpai_view_free(&v);
    return GPA_OK;
}

void gpai_html_end(gpa_text *t, const gpa_report_info *info)
{
    (void)info;
    gpai_text_add(t, "<footer>Made with gpa ");
    gpai_html_text(t, gpa_version());
    gpai_text_add(
        t, ". A change in an input is what would make the observed value "
           "plausible to the model; it is no proof that the input changed.</footer>\n"
           "</main>\n</body>\n</html>\n");
}
