#include "base/text/escape.h"
#include "report/html/parts.h"
#include "report/json/parts.h"
#include "report/words/sentence.h"
#include <math.h>

/* What an explanation says in words and single numbers (parts.h). */

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

void gpai_html_case_open(gpa_text *t, const gpai_view *v, size_t index)
{
    size_t count = v->info->explanations;
    bool open = count > 0 ? count <= OPEN : index == 0, verdict = v->c != NULL;
    gpai_text_printf(t, "<details class=\"case%s\" id=\"case-%zu\" data-index=\"%zu\"",
                     count == 1 ? " one" : "", index, index);
    gpai_text_printf(t, " data-row=\"%zu\" data-kind=\"%d\"",
                     gpa_explanation_row(v->e, 0), kind_of(v));
    number_attribute(t, "score", v->score_mean);
    number_attribute(t, "sure", surest(v));
    gpai_text_add(t, open ? " open>\n" : ">\n");
    gpai_html_say(t, "<summary><span class=\"eyebrow\">", v, gpai_say_rows, "</span>");
    gpai_html_say(t, "<h2>", v, verdict ? gpai_say_verdict : gpai_say_what, "</h2>");
    mark(t, v);
    gpai_html_say(t, "</summary>\n<div>\n<p class=\"lead\">", v,
                  verdict ? gpai_say_what : gpai_say_why, "");
    if (!verdict)
        gpai_html_say(t, "", v, gpai_say_learnt, "");
    gpai_text_add(t, "</p>\n");
}

void gpai_html_case_close(gpa_text *t)
{
    gpai_text_add(t, "</div>\n</details>\n");
}

static void fact(gpa_text *t, const char *name, double value, int digits)
{
    if (isfinite(value))
        gpai_text_printf(t, "<div><dt>%s</dt><dd>%s</dd></div>", name,
                         gpai_cell_people(value, digits, false).text);
}

void gpai_html_facts(gpa_text *t, const gpai_view *v)
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

gpa_status gpai_html_details(gpa_text *t, const gpai_view *v, gpa_error *err)
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
    gpai_html_say(t, "<dt>model</dt><dd>", v, gpai_say_rows_asked, "</dd>\n");
    gpai_html_say(t, "<dt>search</dt><dd>", v, gpai_say_search, "</dd>\n");
    gpa_status st = gpai_html_explanation_digest(t, v->info, v->e, err);
    gpai_text_add(t, "</dl></details>\n");
    return st;
}
