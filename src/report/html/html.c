#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/embedded.h"
#include "report/html/parts.h"
#include "report/json/parts.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <math.h>

/* Pages of explanations. Each is written as it comes, so nothing can be put before
 * those that are there already: the cases themselves, folded, are the index. */

enum { TITLE = 80 }; /* columns of a name in the title */

/* Cases with all their pictures; the others are an eighth as long, so that hundreds
 * stay a page that opens at once. Of more, those that found something come first. */
enum { PICTURED = 16 };

enum { OPEN = 3 }; /* so many cases are all unfolded; of more, none is */

void gpai_html_say(gpa_text *t, const char *open, const gpai_view *v,
                   void (*say)(gpa_text *, const gpai_view *), const char *close)
{
    gpai_text_add(t, open);
    size_t start = t->length;
    say(t, v);
    gpai_html_tail(t, start);
    gpai_text_add(t, close);
}

void gpai_html_input(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    size_t start = t->length;
    gpai_view_input(t, v, k, columns);
    gpai_html_tail(t, start);
}

void gpai_html_value(gpa_text *t, const gpai_view *v, size_t k, double value)
{
    enum { LEVEL = 40 };
    size_t start = t->length;
    gpai_say_value(t, v, k, value, LEVEL);
    gpai_html_tail(t, start);
}

static void number_attribute(gpa_text *t, const char *name, double x)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(x))
        return;
    gpai_real_digits(number, x, 6);
    gpai_text_printf(t, " data-%s=\"%s\"", name, number);
}

/* What cases are sorted by: inputs that stand out before what is tied or normal. */
static int kind_of(const gpai_view *v)
{
    static const int kinds[] = {[GPA_VERDICT_UNKNOWN] = 0,
                                [GPA_VERDICT_NORMAL] = 0,
                                [GPA_VERDICT_INPUT] = 3,
                                [GPA_VERDICT_TIED] = 2,
                                [GPA_VERDICT_OUTPUT] = 1};
    return v->c != NULL ? kinds[v->c->verdict] : 0;
}

static double surest(const gpai_view *v)
{
    if (v->c == NULL)
        return (double)NAN;
    return v->c->verdict == GPA_VERDICT_OUTPUT ? v->c->output
                                               : gpai_view_blame(v, v->c->first);
}

static void mark(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "<span class=\"mark\">");
    if (v->c != NULL) {
        const char *kind = gpa_verdict_name(v->c->verdict);
        gpai_text_printf(t, "<span class=\"tag t-%s\">%s</span>", kind, kind);
    }
    if (isfinite(v->score_mean))
        gpai_text_printf(t, "score %s", gpai_cell_people(v->score_mean, 3, false).text);
    gpai_text_add(t, "</span>");
}

/* Opens the case: what stands there also when it is folded. */
static void case_open(gpa_text *t, const gpai_view *v, size_t index)
{
    size_t count = v->info->explanations;
    bool open = count > 0 ? count <= OPEN : index == 0;
    bool verdict = v->c != NULL || v->unanswered != NULL;
    gpai_text_printf(t, "<details class=\"case%s\" id=\"case-%zu\" data-index=\"%zu\"",
                     count == 1 ? " one" : "", index, index);
    gpai_text_printf(t, " data-row=\"%zu\" data-kind=\"%d\"",
                     gpa_explanation_row(v->e, 0), kind_of(v));
    number_attribute(t, "score", v->score_mean);
    number_attribute(t, "sure", surest(v));
    gpai_text_add(t, open ? " open>\n" : ">\n");
    gpai_html_say(t, "<summary><span class=\"eyebrow\">", v, gpai_say_rows, "</span>");
    gpai_html_say(t, "<h2>", v, gpai_say_first, "</h2>");
    mark(t, v);
    gpai_html_say(t, "</summary>\n<div>\n<p class=\"lead\">", v,
                  verdict ? gpai_say_what : gpai_say_why,
                  v->unanswered != NULL ? " " : "");
    if (v->unanswered != NULL)
        gpai_html_say(t, "", v, gpai_say_why, "");
    if (v->c == NULL)
        gpai_html_say(t, "", v, gpai_say_learnt, "");
    gpai_text_add(t, "</p>\n");
}

/* How it was computed. */
static void details(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_text_add(t,
                  "<details><summary>Settings and cost</summary>\n<dl class=\"more\">");
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
    gpai_html_say(t, "<dt>model</dt><dd>", v, gpai_say_rows_asked, "</dd>\n");
    gpai_html_say(t, "<dt>search</dt><dd>", v, gpai_say_search, "</dd>\n");
    gpai_html_explanation_digest(t, v);
    gpai_text_add(t, "</dl></details>\n");
}

static void question(gpa_text *t, const gpa_report_info *info)
{
    gpai_text_add(t, "What explains the deviation of ");
    gpai_html_short(t, info->target != NULL ? info->target : "y", TITLE);
    gpai_text_add(t, "?");
}

void gpai_html_notes(gpa_text *t, const gpa_report_info *info)
{
    for (size_t i = 0; i < info->n_notes; i++)
        gpai_html_in(t, "\n<p class=\"note\">", info->notes[i], "</p>");
}

void gpai_html_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    gpa_text *aside = gpai_text_aside(t);
    if (aside != NULL)
        gpa_text_clear(aside);
    gpai_page_open(t);
    question(t, info);
    gpai_page_body(t, NULL, gpai_page_js);
    gpai_text_add(t, "<header><h1>");
    question(t, info);
    gpai_text_add(t, "</h1>\n<p>Generative perturbation analysis");
    if (info->model_spec != NULL) {
        gpai_text_add(t, " of the model ");
        gpai_html_model(t, info, 2 * TITLE);
    }
    gpai_text_add(t, "</p>");
    gpai_html_notes(t, info);
    gpai_text_add(t, "</header>\n");
    if (info->explanations > OPEN && e != NULL && gpa_explanation_culprit(e) != NULL)
        gpai_html_legend(t);
    gpai_text_add(t, "<div class=\"cases\">\n");
}

/* The change of all inputs: the picture, and the numbers behind it. It is the answer
 * where there is no other. */
static gpa_status together(gpa_text *t, const gpai_view *v, bool full, gpa_error *err)
{
    gpa_status st = GPA_OK;
    bool folded = v->c != NULL;
    if (folded) {
        gpai_text_add(t, "<details><summary>All inputs at once: the most probable "
                         "joint change</summary>\n");
        gpai_html_say(t, "<p>", v, gpai_say_why, "");
        gpai_html_say(t, "", v, gpai_say_joint, "");
        gpai_html_say(t, "", v, gpai_say_learnt, "</p>\n");
    }
    if (full)
        st = gpai_html_ridges(t, v, err);
    if (st == GPA_OK)
        gpai_html_inputs(t, v, full);
    if (st == GPA_OK && full)
        st = gpai_html_scatter(t, v, err);
    gpai_text_add(t, folded ? "</details>\n" : "");
    return st;
}

/* How sure the answer is: what it rests on, and all that changes its reading. */
static void sure(gpa_text *t, const gpai_view *v)
{
    for (size_t i = 0; gpa_explanation_note(v->e, i) != NULL; i++)
        gpai_html_in(t, "<p class=\"note\">", gpa_explanation_note(v->e, i), "</p>\n");
    if (v->c == NULL)
        return;
    gpai_html_say(t, "<p class=\"small\">Who is responsible was ", v, gpai_say_basis,
                  ".</p>\n");
    size_t start = t->length;
    gpai_say_short(t, v);
    bool any = t->length > start;
    gpai_text_cut(t, start);
    if (any)
        gpai_html_say(t, "<p class=\"small\">What would look normal: ", v,
                      gpai_say_short, ".</p>\n");
}

static void no_pictures(gpa_text *t, const gpai_view *v)
{
    gpai_text_printf(
        t,
        "<p class=\"small\">Pictures are drawn of the first %d explanations of a page "
        "that found something; with --rows %zu this one is the first.</p>\n",
        PICTURED, gpa_explanation_row(v->e, 0));
}

static bool has_pictures(gpa_text *t, const gpai_view *v)
{
    bool few = v->info->explanations > 0 && v->info->explanations <= PICTURED;
    bool nothing = v->c != NULL && v->c->verdict == GPA_VERDICT_NORMAL;
    return few || (!nothing && gpai_html_pictured(t) < PICTURED);
}

static gpa_status body(gpa_text *t, const gpai_view *v, size_t index, bool full,
                       gpa_error *err)
{
    gpa_status st = GPA_OK;
    gpai_html_answer(t, v, full);
    if (v->c != NULL && index == 0 && v->info->explanations <= OPEN)
        gpai_html_legend(t);
    sure(t, v);
    if (full)
        st = gpai_html_profiles(t, v, err);
    if (st == GPA_OK)
        st = together(t, v, full, err);
    details(t, v);
    if (!full)
        no_pictures(t, v);
    return st;
}

gpa_status gpai_html_explanation(gpa_text *t, const gpai_view *v, size_t index,
                                 gpa_error *err)
{
    t->styled = true;
    bool full = has_pictures(t, v);
    case_open(t, v, index);
    gpa_status st = body(t, v, index, full, err);
    gpai_html_note_case(t, v, full);
    gpai_text_add(t, "</div>\n</details>\n");
    t->styled = false;
    return st;
}

gpa_status gpai_html_end(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    gpai_text_add(t, "</div>\n");
    t->styled = true;
    gpa_status st = gpai_html_summary(t, info, err);
    if (st == GPA_OK)
        st = gpai_html_scores(t, info, err);
    t->styled = false;
    gpai_html_receipt(t, info, "gpa-explanation/1");
    gpai_page_close(t,
                    "A change in an input is what would make the observed value "
                    "plausible to the model; it is no proof that the input changed.",
                    gpai_page_js);
    return st;
}
