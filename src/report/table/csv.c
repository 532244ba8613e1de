#include "report/table/csv_cell.h"
#include "report/view.h"
#include "report/write.h"

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
        gpai_csv_text(t, id);
        return;
    }
    gpai_csv_guard(t, id);
    for (size_t i = 0; i < n; i++) {
        gpai_text_add(t, i > 0 ? ";" : "");
        gpai_csv_quoted(t, gpai_name_row(info, gpa_explanation_row(e, i), room));
    }
    gpai_text_add(t, "\"");
}

static void marginal_cells(gpa_text *t, const gpa_marginal *m)
{
    if (m == NULL) {
        gpai_text_add(t, ",,,,,,,,");
        return;
    }
    gpai_csv_number(t, m->mean);
    gpai_csv_number(t, m->sd);
    gpai_csv_number(t, m->interval50[0]);
    gpai_csv_number(t, m->interval50[1]);
    gpai_csv_number(t, m->interval90[0]);
    gpai_csv_number(t, m->interval90[1]);
    gpai_csv_number(t, m->p_positive);
    gpai_csv_number(t, m->information);
}

/* x, y, f, f_moved and score of several rows are their means. */
static void outcome_cells(gpa_text *t, const gpa_explanation *e)
{
    size_t n = gpa_explanation_rows(e);
    gpai_csv_number(t, mean(gpa_explanation_y(e), n));
    gpai_csv_number(t, mean(gpa_explanation_f(e), n));
    gpai_csv_number(t, mean(gpa_explanation_f_moved(e), n));
    gpai_csv_number(t, mean(gpa_explanation_score(e), n));
    gpai_text_add(t, gpa_explanation_summary(e)->converged ? ",true" : ",false");
}

static void culprit_cells(gpa_text *t, const gpa_culprit *c, size_t k)
{
    if (c == NULL) {
        gpai_text_add(t, ",,,,,,,");
        return;
    }
    gpai_csv_number(t, c->probability[k]);
    gpai_csv_number(t, c->single[k]);
    gpai_csv_number(t, c->median[k]);
    gpai_csv_number(t, c->low[k]);
    gpai_csv_number(t, c->high[k]);
    gpai_text_printf(t, ",%s", gpa_verdict_name(c->verdict));
    gpai_csv_number(t, c->output);
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
        gpai_csv_text(t, gpai_name_feature(info, k, room));
        gpai_csv_number(t, sum / (double)n);
        gpai_csv_number(t, gpa_explanation_delta(e)[k]);
        gpai_csv_number(t, gpa_explanation_delta_raw(e)[k]);
        marginal_cells(t, gpa_explanation_marginal(e, k));
        gpai_csv_number(t, gpa_explanation_unit(e)[k]);
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
        gpai_csv_text(t, gpai_name_row(info, row, room));
        gpai_csv_number(t, list->sample->y[row]);
        gpai_csv_number(t, list->sample->f[row]);
        gpai_csv_number(t, list->score[row]);
        gpai_text_add(t, "\n");
    }
}
