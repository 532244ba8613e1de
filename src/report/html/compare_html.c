#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/embedded.h"
#include "report/html/parts.h"
#include "report/json/parts.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <gpa/plot.h>
#include <gpa/version.h>
#include <math.h>
#include <string.h>

/* A comparison as a page: a picture per row, then the methods side by side. */

/* What was written since `start` is a sentence of the page. */
static void finish(gpa_text *t, size_t start, const char *close)
{
    gpai_html_tail(t, start);
    gpai_text_add(t, close);
}

static void begin(gpa_text *t, const gpa_report_info *info)
{
    const char *target = info->target != NULL ? info->target : "y";
    gpai_page_open(t);
    gpai_text_add(t, "Who says what about the deviation of ");
    gpai_html_text(t, target);
    gpai_page_body(t, gpai_comparison_css, NULL);
    gpai_html_in(t, "<header><h1>Who says what about the deviation of ", target,
                 "</h1>\n<p>Methods of attribution side by side");
    if (info->model_spec != NULL) {
        gpai_text_add(t, ", on the model ");
        gpai_html_model(t, info, 160);
    }
    gpai_text_add(t, "</p>");
    gpai_html_notes(t, info);
    gpai_text_add(t, "</header>\n");
}

/* A score, and its spread where the method has one. */
static void score_cell(gpa_text *t, const gpa_comparison *c, size_t i, size_t j,
                       size_t k)
{
    const gpa_attribution *a = gpa_comparison_at(c, i, j);
    double v = gpai_compare_score(c, i, j, k);
    gpai_text_printf(t, "<td class=\"%s\">%s",
                     v > 0   ? "d pos"
                     : v < 0 ? "d neg"
                             : "",
                     a != NULL ? gpai_cell_raw(v, false).text : "–");
    if (a != NULL && gpa_attribution_sd(a) != NULL)
        gpai_text_printf(t, " ± %s",
                         gpai_cell_people(gpa_attribution_sd(a)[k], 3, false).text);
    gpai_text_add(t, "</td>");
}

/* All numbers, for those who want them. */
static void numbers(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                    size_t i)
{
    char room[GPAI_NAME_SIZE];
    gpai_text_add(t, "<details><summary>The scores as numbers</summary>\n<div "
                     "class=\"scroll\"><table>\n<thead><tr><th>input</th>");
    double output = 0;
    const double *p = gpai_compare_responsible(c, i, &output);
    if (p != NULL)
        gpai_text_printf(t, "<th>%s</th>",
                         gpai_blame_head(gpa_comparison_verdict(c, i)));
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        gpai_html_in(t, "<th>", gpai_score_label(c, i, j), "</th>");
    gpai_text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < gpa_comparison_dim(c); k++) {
        gpai_html_in(t, "<tr><td>", gpai_name_input(info, k, room), "</td>");
        if (p != NULL)
            gpai_html_in(t, "<td>", gpai_cell_percent(p[k]).text, "</td>");
        for (size_t j = 0; j < gpa_comparison_methods(c); j++)
            score_cell(t, c, i, j, k);
        gpai_text_add(t, "</tr>\n");
    }
    if (p != NULL) {
        gpai_html_in(t, "<tr><td>observed ", info->target != NULL ? info->target : "y",
                     "</td>");
        gpai_html_in(t, "<td>", gpai_cell_percent(output).text, "</td>");
        for (size_t j = 0; j < gpa_comparison_methods(c); j++)
            gpai_text_add(t, "<td></td>");
        gpai_text_add(t, "</tr>\n");
    }
    gpai_text_add(t, "</tbody></table></div></details>\n");
}

/* What a + says, which is not the same of all methods. */
static void signs(gpa_text *t, const gpa_comparison *c)
{
    gpai_text_add(t, "<p class=\"small\">Red is positive, blue negative; ");
    size_t start = t->length;
    gpai_say_signs(t, c);
    finish(t, start, ".</p>\n");
}

static void tops(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                 size_t i)
{
    gpai_text_add(t, "Largest score: ");
    gpai_say_tops(t, info, c, i);
}

static gpa_status row(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                      size_t i, gpa_error *err)
{
    gpai_text_add(t, "<section>\n<p class=\"eyebrow\">");
    size_t start = t->length;
    gpai_say_compared_row(t, info, c, i);
    finish(t, start, "</p>\n<h2>");
    start = t->length;
    bool who = gpa_comparison_verdict(c, i) != GPA_VERDICT_UNKNOWN;
    if (who)
        gpai_say_compared_verdict(t, info, c, i);
    else
        tops(t, info, c, i);
    finish(t, start, "</h2>\n<p class=\"lead\">");
    start = t->length;
    gpai_say_compared_y(t, info, c, i);
    gpai_text_add(t, ".");
    if (who) {
        gpai_text_add(t, " ");
        tops(t, info, c, i);
        gpai_text_add(t, ".");
    }
    finish(t, start, "</p>\n<figure>\n");
    t->styled = true;
    gpa_status st = gpa_plot_comparison(t, info, c, i, err);
    t->styled = false;
    if (st != GPA_OK)
        return st;
    gpai_text_add(t, "</figure>\n");
    signs(t, c);
    numbers(t, info, c, i);
    gpai_text_add(t, "</section>\n");
    return GPA_OK;
}

static void spread_cell(gpa_text *t, const gpa_spread *s, size_t rows)
{
    double mean = s->n > 0 ? s->mean : (double)NAN;
    gpai_text_printf(t, "<td>%s", gpai_cell_fixed(mean, 2, false).text);
    if (s->n > 1 && isfinite(s->sd))
        gpai_text_printf(t, " ± %s", gpai_cell_fixed(s->sd, 2, false).text);
    if (s->n > 0 && s->n < rows)
        gpai_text_printf(t, " (%zu)", s->n);
    gpai_text_add(t, "</td>");
}

static void reacts_cell(gpa_text *t, const gpa_comparison *c, size_t j)
{
    size_t known = 0, yes = gpai_compare_reacted(c, j, &known);
    if (known == 0)
        gpai_text_add(t, "<td>–</td>");
    else if (yes == 0 || yes == known)
        gpai_text_printf(t, "<td>%s</td>", yes > 0 ? "yes" : "no");
    else
        gpai_text_printf(t, "<td>%zu of %zu</td>", yes, known);
}

static void method(gpa_text *t, const gpa_comparison *c, size_t j)
{
    const gpa_consistency *v = gpa_comparison_consistency(c, j);
    size_t rows = gpa_comparison_rows(c);
    gpai_html_in(t, "<tr><td>", gpai_method_label(c, j), "</td>");
    reacts_cell(t, c, j);
    if (strcmp(gpa_comparison_method(c, j)->name, "gpa") == 0) {
        gpai_text_add(t, "<td class=\"no\" colspan=\"4\">what the others are compared "
                         "with</td>");
    } else if (v == NULL) {
        const char *why = gpai_compare_silent(c, j);
        gpai_html_in(t, "<td class=\"no\" colspan=\"4\">",
                     why != NULL ? why : "GPA has no answer", "</td>");
    } else {
        spread_cell(t, &v->tau, rows);
        spread_cell(t, &v->rho, rows);
        spread_cell(t, &v->smr, rows);
        spread_cell(t, &v->hit25, rows);
    }
    double asked = gpai_compare_model_rows(c, j);
    gpai_text_printf(t, "<td>%s</td></tr>\n",
                     isfinite(asked) ? gpai_cell_fixed(asked, 0, false).text : "");
}

static void remark(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                   size_t j, size_t i, const char *words)
{
    if (gpai_compare_silent(c, j) != NULL)
        return; /* the table says so */
    gpai_text_add(t, "<p class=\"note\">");
    size_t start = t->length;
    gpai_say_who(t, info, c, j, i, words);
    gpai_text_add(t, ": ");
    gpai_text_visible(t, words, 0, false);
    finish(t, start, "</p>\n");
}

static void details(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c)
{
    gpai_text_add(
        t, "<details><summary>How this was found</summary>\n<dl class=\"more\">");
    if (info->model_spec != NULL) {
        gpai_text_add(t, "<dt>model</dt><dd>");
        gpai_html_model(t, info, 0);
        gpai_text_add(t, "</dd>\n");
    }
    gpai_page_term(t, "input digest", info->input_digest);
    gpai_page_term(t, "model probe digest", info->model_digest);
    gpai_text_printf(t, "<dt>seed</dt><dd>%ju</dd>\n", (uintmax_t)info->seed);
    gpai_page_term(t, "version", info->version != NULL ? info->version : gpa_version());
    gpai_html_comparison_digest(t, info, c);
    gpai_text_add(t, "</dl></details>\n");
}

/* What holds for all rows. */
static void methods(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c)
{
    size_t rows = gpa_comparison_rows(c);
    gpai_text_printf(t, "<section>\n<p class=\"eyebrow\">%zu row%s</p>\n<h2>", rows,
                     rows > 1 ? "s" : "");
    bool both = rows > 0 && gpai_compare_responsible(c, 0, NULL) != NULL;
    gpai_text_printf(t,
                     "How consistent the methods are with GPA%s</h2>\n<p "
                     "class=\"lead\">",
                     both ? "&#39;s change" : "");
    size_t start = t->length;
    if (gpai_reacts_known(c)) {
        gpai_text_add(t, "y was reflected about the prediction; ");
        gpai_say_reacts(t, c);
        gpai_text_add(t, "; ");
    }
    if (!gpai_say_same_first(t, c) && t->length > start)
        gpai_text_cut(t, t->length - strlen("; "));
    gpai_text_add(t, t->length > start ? "." : "");
    finish(t, start,
           "</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>method</th>"
           "<th>reacts to y</th><th>Kendall&#39;s tau</th><th>Spearman&#39;s "
           "rho</th><th>same signs</th><th>same top 25&#160;%</th><th>model "
           "rows</th></tr></thead>\n<tbody>\n");
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        method(t, c, j);
    gpai_text_add(t, "</tbody></table></div>\n<p class=\"small\">1 is the highest");
    if (rows > 1)
        gpai_text_add(t, "; mean ± standard deviation over the rows, in brackets how "
                         "many have one");
    gpai_text_add(t, "; model rows for one row, on average.</p>\n");
    gpai_compare_remarks(t, info, c, remark);
    details(t, info, c);
    gpai_text_add(t, "</section>\n");
}

gpa_status gpai_html_comparison(gpa_text *t, const gpa_report_info *info,
                                const gpa_comparison *c, gpa_error *err)
{
    begin(t, info);
    for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
        gpa_status st = row(t, info, c, i, err);
        if (st != GPA_OK)
            return st;
    }
    methods(t, info, c);
    gpai_html_receipt(t, info, "gpa-comparison/1");
    gpai_page_close(t,
                    "Each column of a picture but the probabilities is divided by its "
                    "largest size, which stands under its name.",
                    NULL);
    return GPA_OK;
}
