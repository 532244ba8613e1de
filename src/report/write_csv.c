#include "report/utf8.h"
#include "report/view.h"
#include "report/write.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static void quoted(gpa_text *t, const char *text)
{
    while (*text != '\0') {
        uint32_t c = gpai_utf8_next(&text);
        bool plain = c == '\t' || c == '\n' || c == '\r' || !gpai_utf8_unsafe(c);
        gpai_text_add(t, c == '"' ? "\"" : "");
        gpai_text_point(t, plain ? c : 0xFFFD);
    }
}

/* Starts a text cell: what a spreadsheet would run as a formula gets a '. */
static void guard(gpa_text *t, const char *text)
{
    gpai_text_add(t, "\"");
    if (*text != '\0' && strchr("=+-@\t\r", *text) != NULL && !is_number(text))
        gpai_text_add(t, "'");
}

static void text_cell(gpa_text *t, const char *text)
{
    bool bare = strpbrk(text, "\"',; ") == NULL && strchr("=+-@", *text) == NULL;
    for (const char *p = text; *p != '\0'; p++)
        bare = bare && (unsigned char)*p > 0x1F && (unsigned char)*p < 0x7F;
    if (bare || is_number(text)) {
        gpai_text_add(t, text);
        return;
    }
    guard(t, text);
    quoted(t, text);
    gpai_text_add(t, "\"");
}

static void number_cell(gpa_text *t, double v)
{
    gpai_text_add(t, ",");
    if (isfinite(v)) /* a value that does not exist is an empty cell */
        gpai_text_real(t, v);
}

void gpai_csv_begin(gpa_text *t)
{
    gpai_text_add(t, "rows,ids,feature,x,delta,delta_raw,mean,sd,lo50,hi50,lo90,hi90,"
                     "p_positive,information,unit,y,f,f_moved,score,converged,"
                     "p_culprit,single,alone_median,alone_lo90,alone_hi90,verdict,"
                     "p_output\n");
}

static double mean(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum / (double)n;
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
        text_cell(t, id);
        return;
    }
    guard(t, id);
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, i > 0 ? ";" : "");
        quoted(t, gpai_name_row(info, gpa_explanation_row(e, i), room));
    }
    gpai_text_add(t, "\"");
}

static void marginal_cells(gpa_text *t, const gpa_marginal *m)
{
    if (m == NULL) {
        gpai_text_add(t, ",,,,,,,,");
        return;
    }
    number_cell(t, m->mean);
    number_cell(t, m->sd);
    number_cell(t, m->interval50[0]);
    number_cell(t, m->interval50[1]);
    number_cell(t, m->interval90[0]);
    number_cell(t, m->interval90[1]);
    number_cell(t, m->p_positive);
    number_cell(t, m->information);
}

/* x, y, f, f_moved and score of several rows are their means. */
static void outcome_cells(gpa_text *t, const gpa_explanation *e)
{
    size_t n = gpa_explanation_rows(e);
    number_cell(t, mean(gpa_explanation_y(e), n));
    number_cell(t, mean(gpa_explanation_f(e), n));
    number_cell(t, mean(gpa_explanation_f_moved(e), n));
    number_cell(t, mean(gpa_explanation_score(e), n));
    gpai_text_add(t, gpa_explanation_summary(e)->converged ? ",true" : ",false");
}

static void culprit_cells(gpa_text *t, const gpa_culprit *c, size_t k)
{
    if (c == NULL) {
        gpai_text_add(t, ",,,,,,,");
        return;
    }
    number_cell(t, c->probability[k]);
    number_cell(t, c->single[k]);
    number_cell(t, c->median[k]);
    number_cell(t, c->low[k]);
    number_cell(t, c->high[k]);
    gpai_text_printf(t, ",%s", gpa_verdict_name(c->verdict));
    number_cell(t, c->output);
}

void gpai_csv_explanation(gpa_text *t, const gpa_report_info *info,
                          const gpa_explanation *e, size_t index)
{
    (void)index;
    char room[GPAI_NAME_SIZE];
    size_t n = gpa_explanation_rows(e), d = gpa_explanation_dim(e);
    for (size_t k = 0; k < d; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += gpa_explanation_x(e)[i * d + k];
        row_cells(t, info, e);
        gpai_text_add(t, ",");
        text_cell(t, gpai_name_feature(info, k, room));
        number_cell(t, sum / (double)n);
        number_cell(t, gpa_explanation_delta(e)[k]);
        number_cell(t, gpa_explanation_delta_raw(e)[k]);
        marginal_cells(t, gpa_explanation_marginal(e, k));
        number_cell(t, gpa_explanation_unit(e)[k]);
        outcome_cells(t, e);
        culprit_cells(t, gpa_explanation_culprit(e), k);
        gpai_text_add(t, "\n");
    }
}

void gpai_csv_scores(gpa_text *t, const gpa_report_info *info,
                     const gpa_score_list *list)
{
    char room[GPAI_NAME_SIZE];
    gpai_text_add(t, "row,id,y,f,score\n");
    for (size_t i = 0; i < list->n_shown; i++) {
        size_t row = list->order[i];
        gpai_text_printf(t, "%zu,", row);
        text_cell(t, gpai_name_row(info, row, room));
        number_cell(t, list->sample->y[row]);
        number_cell(t, list->sample->f[row]);
        number_cell(t, list->score[row]);
        gpai_text_add(t, "\n");
    }
}
