#include "report/table/csv_cell.h"
#include "report/view.h"
#include "report/words/comparison.h"
#include "report/write.h"
#include <math.h>

/* One line per row, method and input; a method without an answer has empty cells. */
static void line(gpa_text *t, const gpa_report_info *info, const gpa_comparison *c,
                 size_t i, size_t j, size_t k)
{
    char room[GPAI_NAME_SIZE];
    const gpa_attribution *a = gpa_comparison_at(c, i, j);
    const double *sd = a != NULL ? gpa_attribution_sd(a) : NULL;
    gpai_text_printf(t, "%zu,", gpa_comparison_row(c, i));
    gpai_csv_text(t, gpai_name_row(info, gpa_comparison_row(c, i), room));
    gpai_text_printf(t, ",%s,", gpa_comparison_method(c, j)->name);
    gpai_csv_text(t, gpai_name_feature(info, k, room));
    double rows = a != NULL ? (double)gpa_attribution_model_rows(a) : (double)NAN;
    gpai_csv_numbers(t,
                     (double[]){gpai_compare_score(c, i, j, k),
                                sd != NULL ? sd[k] : (double)NAN, rows},
                     3);
    gpai_text_add(t, "\n");
}

gpa_status gpai_csv_comparison(gpa_text *t, const gpa_report_info *info,
                               const gpa_comparison *c, gpa_error *err)
{
    (void)err;
    gpai_text_add(t, "row,id,method,feature,score,sd,rows\n");
    for (size_t i = 0; i < gpa_comparison_rows(c); i++)
        for (size_t j = 0; j < gpa_comparison_methods(c); j++)
            for (size_t k = 0; k < gpa_comparison_dim(c); k++)
                line(t, info, c, i, j, k);
    return GPA_OK;
}
