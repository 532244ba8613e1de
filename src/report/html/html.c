#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/embedded.h"
#include "report/html/parts.h"
#include "report/json/parts.h"
#include "report/write.h"

/* Pages of explanations. Each is written as it comes, so nothing can be put before
 * those that are there already: the cases themselves, folded, are the index. */

enum { TITLE = 80 }; /* columns of a name in the title */

/* Cases with all their pictures; those behind them are an eighth as long, so that
 * hundreds stay a page that opens at once. */
enum { PICTURED = 16 };

static void question(gpa_text *t, const gpa_report_info *info)
{
    gpai_text_add(t, "What explains the deviation of ");
    gpai_html_short(t, info->target != NULL ? info->target : "y", TITLE);
    gpai_text_add(t, "?");
}

void gpai_html_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    (void)e;
    gpai_page_open(t);
    question(t, info);
    gpai_page_body(t, NULL, gpai_page_js);
    gpai_text_add(t, "<header><h1>");
    question(t, info);
    gpai_text_add(t, "</h1>\n<p>Generative perturbation analysis");
    if (info->model_spec != NULL) {
        gpai_text_add(t, " of the model ");
        gpai_html_short(t, info->model_spec, 2 * TITLE);
    }
    gpai_text_add(t, "</p></header>\n<div class=\"cases\">\n");
}

/* The change of all inputs: the picture, and the numbers behind it. */
static gpa_status together(gpa_text *t, const gpai_view *v, bool full, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (v->c != NULL) {
        gpai_text_add(t, "<h3>If all inputs may change together</h3>\n");
        gpai_html_say(t, "<p class=\"lead\">", v, gpai_say_why, "");
        gpai_html_say(t, "", v, gpai_say_learnt, "</p>\n");
    }
    if (full)
        st = gpai_html_ridges(t, v, err);
    if (st == GPA_OK)
        gpai_html_inputs(t, v, full);
    return st;
}

static void notes(gpa_text *t, const gpa_explanation *e)
{
    for (size_t i = 0; gpa_explanation_note(e, i) != NULL; i++) {
        gpai_html_in(t, "<p class=\"note\">", gpa_explanation_note(e, i), "</p>\n");
    }
}

static void no_pictures(gpa_text *t, const gpai_view *v)
{
    gpai_text_printf(
        t,
        "<p class=\"small\">Pictures are drawn of the first %d "
        "explanations of a page; with --rows %zu this one is the first.</p>\n",
        PICTURED, gpa_explanation_row(v->e, 0));
}

static gpa_status body(gpa_text *t, const gpai_view *v, bool full, gpa_error *err)
{
    gpa_status st = GPA_OK;
    gpai_html_suspects(t, v);
    gpai_html_facts(t, v);
    if (full)
        st = gpai_html_alone(t, v, err);
    if (st == GPA_OK)
        st = together(t, v, full, err);
    if (st == GPA_OK && full)
        st = gpai_html_profiles(t, v, err);
    if (st == GPA_OK && full)
        st = gpai_html_scatter(t, v, err);
    if (!full)
        no_pictures(t, v);
    notes(t, v->e);
    return st == GPA_OK ? gpai_html_details(t, v, err) : st;
}

gpa_status gpai_html_explanation(gpa_text *t, const gpa_report_info *info,
                                 const gpa_explanation *e, size_t index, gpa_error *err)
{
    gpa_report_info page = *info;
    page.ascii = page.colour = false; /* the page says that it is UTF-8 */
    gpai_view v;
    gpa_status st = gpai_view_make(&v, &page, e, err);
    if (st != GPA_OK)
        return st;
    t->styled = true;
    gpai_html_case_open(t, &v, index);
    st = body(t, &v, index < PICTURED, err);
    gpai_html_case_close(t);
    t->styled = false;
    gpai_view_free(&v);
    return st;
}

gpa_status gpai_html_end(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    gpai_text_add(t, "</div>\n");
    t->styled = true;
    gpa_status st = gpai_html_scores(t, info, err);
    t->styled = false;
    gpai_html_receipt(t, info, "gpa-explanation/1");
    gpai_page_close(t,
                    "A change in an input is what would make the observed value "
                    "plausible to the model; it is no proof that the input changed.",
                    gpai_page_js);
    return st;
}
