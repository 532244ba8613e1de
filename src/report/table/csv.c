#include "report/table/csv_cell.h"
#include "report/view.h"
#include "report/write.h"

void gpai_csv_begin(gpa_text *t, const gpa_report_info *info, const gpa_explanation *e)
{
    (void)info;
    (void)e;
    gpai_text_add(t, "rows,ids,feature,x,delta,delta_raw,mean,sd,lo50,hi50,lo90,hi90,"
                     "p_positive,information,unit,y,f,f_moved,score,converged,"
                     "p_culprit,single,alone_median,alone_lo90,alone_hi90,verdict,"
                     "p_output\n");
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
    gpai_csv_numbers(t,
                     (double[]){m->mean, m->sd, m->interval50[0], m->interval50[1],
                                m->interval90[0], m->interval90[1], m->p_positive,
                                m->information},
                     8);
}

static void culprit_cells(gpa_text *t, const gpa_culprit *c, size_t k)
{
    if (c == NULL) {
        gpai_text_add(t, ",,,,,,,");
        return;
    }
    gpai_csv_numbers(t,
                     (double[]){c->probability[k], c->single[k], c->median[k],
                                c->low[k], c->high[k]},
                     5);
    gpai_text_printf(t, ",%s", gpa_verdict_name(c->verdict));
    gpai_csv_numbers(t, &c->output, 1);
}

/* x, y, f, f_moved and score of several rows are their means. */
static void line(gpa_text *t, const gpai_view *v, size_t k)
{
    char room[GPAI_NAME_SIZE];
    row_cells(t, v->info, v->e);
    gpai_text_add(t, ",");
    gpai_csv_text(t, gpai_name_feature(v->info, k, room));
    gpai_csv_numbers(t, (double[]){gpai_view_x(v, k), v->delta[k], v->raw[k]}, 3);
    marginal_cells(t, gpa_explanation_marginal(v->e, k));
    gpai_csv_numbers(
        t, (double[]){v->unit[k], v->y_mean, v->f_mean, v->moved_mean, v->score_mean},
        5);
    gpai_text_add(t, v->s->converged ? ",true" : ",false");
    culprit_cells(t, v->c, k);
    gpai_text_add(t, "\n");
}

gpa_status gpai_csv_explanation(gpa_text *t, const gpa_report_info *info,
                                const gpa_explanation *e, size_t index, gpa_error *err)
{
    (void)index;
    gpai_view v;
    gpa_status st = gpai_view_make(&v, info, e, err);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < v.d; k++)
        line(t, &v, k);
    gpai_view_free(&v);
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
        gpai_csv_text(t, gpai_name_row(info, row, room));
        gpai_csv_numbers(
            t, (double[]){list->sample->y[row], list->sample->f[row], list->score[row]},
            3);
        gpai_text_add(t, "\n");
    }
}
