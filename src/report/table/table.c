#include "base/text/utf8.h"
#include "report/table/sheet.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <math.h>

enum { NARROWEST = 40, USUAL = 100, WIDEST = 160, PROSE = 92 };

/* Columns of a line of the table, and of a line of prose. */
static size_t table_columns(const gpa_report_info *info)
{
    size_t width = info->width > 0 ? info->width : USUAL;
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

static size_t prose_columns(const gpa_report_info *info)
{
    size_t width = table_columns(info);
    return width < PROSE ? width : PROSE;
}

static void setting(gpa_text *t, const gpai_view *v, const char *name, double x)
{
    if (isfinite(x))
        gpai_text_printf(t, "%s %s  ", name, gpai_say_number(v, x, 5).text);
}

static void settings(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    setting(t, v, "eta", s->eta);
    setting(t, v, "nu", s->nu);
    setting(t, v, "a0", s->a0);
    if (v->n == 1 || s->noise != GPA_NOISE_LOCAL)
        setting(t, v, "b", v->b[0]);
    else
        gpai_text_add(t, "b local  ");
    setting(t, v, "sigma", s->sigma);
    setting(t, v, "c_b", s->cb);
    gpai_text_printf(t, "solver %s  marginals %s", gpa_solver_name(s->solver),
                     gpa_marginals_name(s->marginals));
}

/* One sentence of the small print, on lines of its own. */
static void small(gpa_text *t, const gpai_view *v,
                  void (*say)(gpa_text *, const gpai_view *))
{
    gpai_paint(t, v->info, GPAI_DIM);
    size_t start = t->length;
    gpai_text_add(t, "  ");
    say(t, v);
    gpai_text_wrap(t, start, table_columns(v->info), 4);
    gpai_line_end(t, v->info);
}

static void small_print(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "\n");
    small(t, v, settings);
    small(t, v, gpai_say_rows_asked);
    small(t, v, gpai_say_search);
    if (v->c != NULL)
        small(t, v, gpai_say_basis);
}

static void sentences(gpa_text *t, const gpai_view *v)
{
    size_t columns = prose_columns(v->info), start = t->length;
    gpai_say_rows(t, v);
    gpai_text_add(t, ": ");
    gpai_say_what(t, v);
    gpai_text_wrap(t, start, columns, 0);
    gpai_text_add(t, "\n");
    if (v->c != NULL) {
        gpai_paint(t, v->info, GPAI_BOLD);
        start = t->length;
        gpai_say_verdict(t, v);
        gpai_text_wrap(t, start, columns, 0);
        gpai_line_end(t, v->info);
    }
    start = t->length;
    gpai_say_why(t, v);
    gpai_say_learnt(t, v);
    gpai_text_wrap(t, start, columns, 0);
    gpai_text_add(t, "\n\n");
}

static void note(gpa_text *t, const gpa_report_info *info, const char *words)
{
    size_t start = t->length;
    gpai_text_add(t, "  note: ");
    gpai_text_visible(t, words, 0, info->ascii);
    gpai_text_wrap(t, start, table_columns(info), 4);
    gpai_text_add(t, "\n");
}

gpa_status gpai_table_explanation(gpa_text *t, const gpa_report_info *info,
                                  const gpa_explanation *e, size_t index,
                                  gpa_error *err)
{
    gpai_view v;
    gpa_status st = gpai_view_make(&v, info, e, err);
    if (st != GPA_OK)
        return st;
    gpai_text_add(t, index > 0 ? "\n\n" : "");
    sentences(t, &v);
    gpai_table_inputs(t, &v, table_columns(info), index == 0);
    small_print(t, &v);
    for (size_t i = 0; gpa_explanation_note(e, i) != NULL; i++)
        note(t, info, gpa_explanation_note(e, i));
    gpai_view_free(&v);
    return GPA_OK;
}
