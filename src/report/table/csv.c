#include "base/text/input.h"
#include "base/text/utf8.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

/* CSV: explanations, scores, comparisons. */

/* Whether a whole cell is a plain number, which spreadsheets may take as it is. */
static bool is_number(const char *text)
{
    const char *p = text + (*text == '-' || *text == '+');
    size_t whole = strspn(p, "0123456789");
    p += whole;
    size_t part = 0;
    if (*p == '.') {
        part = strspn(p + 1, "0123456789");
        p += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '-' || p[1] == '+');
        size_t exponent = strspn(p, "0123456789");
        if (exponent == 0)
            return false;
        p += exponent;
    }
    return *p == '\0';
}

/* Adds text inside quotes: quotes doubled, control characters but tab and line ends
 * made visible. */
static void csv_quoted(gpa_text *t, const char *text)
{
    while (*text != '\0') {
        uint32_t c = gpai_utf8_next(&text);
        bool plain = c == '\t' || c == '\n' || c == '\r' || !gpai_utf8_unsafe(c);
        gpai_text_add(t, c == '"' ? "\"" : "");
        gpai_text_point(t, plain ? c : 0xFFFD);
    }
}

/* Starts a text cell: what a spreadsheet would run as a formula gets a '. */
static void csv_guard(gpa_text *t, const char *text)
{
    gpai_text_add(t, "\"");
    if (*text != '\0' && strchr("=+-@\t\r", *text) != NULL && !is_number(text))
        gpai_text_add(t, "'");
}

/* A cell of text: quoted where it must be. Numbers stay as they are. */
static void csv_text(gpa_text *t, const char *text)
{
    bool bare = strpbrk(text, "\"',; ") == NULL && strchr("=+-@", *text) == NULL;
    for (const char *p = text; *p != '\0'; p++)
        bare = bare && (unsigned char)*p > 0x1F && (unsigned char)*p < 0x7F;
    if (bare || is_number(text)) {
        gpai_text_add(t, text);
        return;
    }
    csv_guard(t, text);
    csv_quoted(t, text);
    gpai_text_add(t, "\"");
}

/* A comma before each number. */
static void csv_numbers(gpa_text *t, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, ",");
        if (isfinite(v[i])) /* a value that does not exist is an empty cell */
            gpai_text_real(t, v[i]);
    }
}

void gpai_csv_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    (void)info;
    (void)e;
    gpai_text_add(t,
                  "rows,ids,feature,x,responsible,value_normal,value_low,value_high,"
                  "level_normal,verdict,p_output,delta,delta_raw,mean,sd,lo50,hi50,"
                  "lo90,hi90,p_positive,information,unit,y,f,f_moved,score,converged,"
                  "p_if_input,single,alone_median,alone_lo90,alone_hi90,"
                  "alone_median_raw,alone_lo90_raw,alone_hi90_raw\n");
}

/* Rows and ids; several are joined by ";". */
static void row_cells(gpa_text *t, const gpa_report_info *info,
                      const gpa_explanation *e)
{
    char room[GPAI_NAME_SIZE];
    size_t n = gpa_explanation_rows(e);
    for (size_t i = 0; i < n; i++)
        gpai_text_printf(t, "%s%zu", i > 0 ? ";" : "", gpa_explanation_row(e, i));
    gpai_text_add(t, ",");
    const char *id = gpai_name_row(info, gpa_explanation_row(e, 0), room);
    if (n == 1) {
        csv_text(t, id);
        return;
    }
    csv_guard(t, id);
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, i > 0 ? ";" : "");
        csv_quoted(t, gpai_name_row(info, gpa_explanation_row(e, i), room));
    }
    gpai_text_add(t, "\"");
}

static void marginal_cells(gpa_text *t, const gpa_marginal *m)
{
    if (m == NULL) {
        gpai_text_add(t, ",,,,,,,,");
        return;
    }
    csv_numbers(t,
                (double[]){m->mean, m->sd, m->interval50[0], m->interval50[1],
                           m->interval90[0], m->interval90[1], m->p_positive,
                           m->information},
                8);
}

static void culprit_cells(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_culprit *c = v->c;
    if (c == NULL) {
        gpai_text_add(t, ",,,,,,,,");
        return;
    }
    csv_numbers(t, (double[]){c->probability[k], c->single[k]}, 2);
    if (gpai_has_levels(&v->kinds, k)) { /* has no change in units */
        gpai_text_add(t, ",,,,,,");
        return;
    }
    double u = v->unit[k];
    csv_numbers(t,
                (double[]){c->median[k], c->low[k], c->high[k],
                           gpai_raw(c->median[k], u), gpai_raw(c->low[k], u),
                           gpai_raw(c->high[k], u)},
                6);
}

/* The verdict, and P(no input). */
static void verdict_cells(gpa_text *t, const gpai_view *v)
{
    gpai_text_printf(t, ",%s", v->c != NULL ? gpa_verdict_name(v->c->verdict) : "");
    csv_numbers(t, (double[]){v->c != NULL ? v->c->output : (double)NAN}, 1);
}

/* A comma and a value of an input: levels by name, dates as dates. */
static void value_cell(gpa_text *t, const gpa_input *in, double value)
{
    char room[GPAI_INPUT_ROOM];
    gpai_text_add(t, ",");
    if (isfinite(value))
        csv_text(t, gpai_input_text(in, value, room));
}

/* x; of a column of a group it is its own. */
static void x_cell(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_input *in = &v->kinds.input[k];
    if (gpai_is_group(&v->kinds, k)) {
        double sum = 0;
        for (size_t i = 0; i < v->n; i++)
            sum += v->x[i * v->d + k];
        csv_numbers(t, (double[]){sum / (double)v->n}, 1);
    } else {
        value_cell(t, in, gpai_view_x(v, k));
    }
}

/* The change; that between texts is no number. */
static void change_cells(gpa_text *t, const gpai_view *v, size_t k)
{
    if (gpai_is_text(&v->kinds, k))
        gpai_text_add(t, ",,");
    else
        csv_numbers(t, (double[]){v->delta[k], v->raw[k]}, 2);
}

/* Who is responsible, and what would look normal: a value or a level; of several rows
 * only where all have the same value. */
static void normal_cells(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_input *in = &v->kinds.input[k];
    const double none = (double)NAN;
    if (v->c == NULL || gpai_view_held(v, k)) {
        csv_numbers(t, (double[]){v->c != NULL ? gpai_view_blame(v, k) : none}, 1);
        gpai_text_add(t, ",,,,");
        return;
    }
    double ends[2], normal = gpai_view_normal(v, k);
    bool levels = gpai_has_levels(&v->kinds, k);
    bool known = v->n == 1 || gpai_view_alone(v, k) != NULL;
    gpai_view_normal_ends(v, k, ends);
    csv_numbers(t, (double[]){gpai_view_blame(v, k)}, 1);
    value_cell(t, in, levels || !known ? none : normal);
    value_cell(t, in, ends[0]);
    value_cell(t, in, ends[1]);
    value_cell(t, in, levels ? normal : none);
}

/* x, y, f, f_moved and score of several rows are their means. */
static void line(gpa_text *t, const gpai_view *v, size_t k)
{
    char room[GPAI_NAME_SIZE];
    row_cells(t, v->info, v->e);
    gpai_text_add(t, ",");
    csv_text(t, gpai_name_input(v->info, k, room));
    x_cell(t, v, k);
    normal_cells(t, v, k);
    verdict_cells(t, v);
    change_cells(t, v, k);
    marginal_cells(t, gpai_view_marginal(v, k));
    csv_numbers(
        t, (double[]){v->unit[k], v->y_mean, v->f_mean, v->moved_mean, v->score_mean},
        5);
    gpai_text_add(t, v->s->converged ? ",true" : ",false");
    culprit_cells(t, v, k);
    gpai_text_add(t, "\n");
}

gpa_status gpai_csv_explanation(gpa_text *t, const gpai_view *v, size_t index,
                                gpa_error *err)
{
    (void)index;
    (void)err;
    for (size_t k = 0; k < v->d; k++)
        line(t, v, k);
    return GPA_OK;
}

void gpai_csv_scores(gpa_text *t, const gpa_report_info *info,
                     const gpa_score_list *list)
{
    char room[GPAI_NAME_SIZE];
    gpai_text_add(t, "row,id,y,f,score\n");
    for (size_t i = 0; i < list->n_shown; i++) {
        size_t row = list->order[i];
        gpai_text_printf(t, "%zu,", row);
        csv_text(t, gpai_name_row(info, row, room));
        csv_numbers(
            t, (double[]){list->sample->y[row], list->sample->f[row], list->score[row]},
            3);
        gpai_text_add(t, "\n");
    }
}

/* One line per row, method and input; a method without an answer has empty cells. */
static void compared_line(gpa_text *t, const gpa_report_info *info,
                          const gpa_comparison *c, size_t i, size_t j, size_t k)
{
    char room[GPAI_NAME_SIZE];
    const gpa_attribution *a = gpa_comparison_at(c, i, j);
    const double *sd = a != NULL ? gpa_attribution_sd(a) : NULL;
    gpai_text_printf(t, "%zu,", gpa_comparison_row(c, i));
    csv_text(t, gpai_name_row(info, gpa_comparison_row(c, i), room));
    gpai_text_printf(t, ",%s,", gpa_comparison_method(c, j)->name);
    csv_text(t, gpai_name_input(info, k, room));
    double rows = a != NULL ? (double)gpa_attribution_model_rows(a) : (double)NAN;
    const double *p = a != NULL ? gpa_attribution_responsible(a) : NULL;
    csv_numbers(t,
                (double[]){gpai_compare_score(c, i, j, k),
                           sd != NULL ? sd[k] : (double)NAN, rows,
                           p != NULL ? p[k] : (double)NAN},
                4);
    gpai_text_add(t, "\n");
}

gpa_status gpai_csv_comparison(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, gpa_error *err)
{
    (void)err;
    gpai_text_add(t, "row,id,method,feature,score,sd,rows,responsible\n");
    for (size_t i = 0; i < gpa_comparison_rows(c); i++)
        for (size_t j = 0; j < gpa_comparison_methods(c); j++)
            for (size_t k = 0; k < gpa_comparison_dim(c); k++)
                compared_line(t, info, c, i, j, k);
    return GPA_OK;
}
