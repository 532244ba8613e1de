#include "report/view.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct rank {
    double size;
    size_t k;
};

static int by_size(const void *a, const void *b)
{
    const struct rank *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return p->k < q->k ? -1 : p->k > q->k;
}

static gpa_status sort_inputs(gpai_view *v, gpa_error *err)
{
    struct rank *ranks = gpai_calloc(v->d, sizeof *ranks);
    v->order = gpai_calloc(v->d, sizeof *v->order);
    if (ranks == NULL || v->order == NULL) {
        gpai_free(ranks);
        gpai_free(v->order);
        return gpai_nomem(err, "report");
    }
    for (size_t k = 0; k < v->d; k++)
        ranks[k] = (struct rank){fabs(v->delta[k]), k};
    qsort(ranks, v->d, sizeof *ranks, by_size);
    for (size_t i = 0; i < v->d; i++) {
        v->order[i] = ranks[i].k;
        v->moved += ranks[i].size != 0;
    }
    gpai_free(ranks);
    return GPA_OK;
}

/* The first inputs that make up 80 % of |delta|_1, three at most. */
static void find_carriers(gpai_view *v)
{
    double total = 0, sum = 0;
    for (size_t k = 0; k < v->d; k++)
        total += fabs(v->delta[k]);
    while (v->carriers < v->moved && v->carriers < 3 && sum < 0.8 * total)
        sum += fabs(v->delta[v->order[v->carriers++]]);
    v->carried = total > 0 ? sum / total : 0;
}

static double mean(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum / (double)n; /* NaN when there is none */
}

static double share_closed(const gpai_view *v)
{
    double before = 0, after = 0;
    for (size_t i = 0; i < v->n; i++) {
        before += fabs(v->y[i] - v->f[i]);
        after += fabs(v->y[i] - v->f_moved[i]);
    }
    return 1 - after / before;
}

gpa_status gpai_view_make(gpai_view *v, const gpa_report_info *info,
                          const gpa_explanation *e, gpa_error *err)
{
    *v = (gpai_view){.e = e,
                     .info = info,
                     .s = gpa_explanation_summary(e),
                     .n = gpa_explanation_rows(e),
                     .d = gpa_explanation_dim(e),
                     .x = gpa_explanation_x(e),
                     .y = gpa_explanation_y(e),
                     .f = gpa_explanation_f(e),
                     .score = gpa_explanation_score(e),
                     .f_moved = gpa_explanation_f_moved(e),
                     .b = gpa_explanation_b(e),
                     .unit = gpa_explanation_unit(e),
                     .delta = gpa_explanation_delta(e),
                     .raw = gpa_explanation_delta_raw(e)};
    gpa_status st = sort_inputs(v, err);
    if (st != GPA_OK)
        return st;
    find_carriers(v);
    v->y_mean = mean(v->y, v->n);
    v->f_mean = mean(v->f, v->n);
    v->moved_mean = mean(v->f_moved, v->n);
    v->score_mean = mean(v->score, v->n);
    v->gap = v->y_mean - v->f_mean;
    v->closed = share_closed(v);
    return GPA_OK;
}

void gpai_view_free(gpai_view *v)
{
    gpai_free(v->order);
    v->order = NULL;
}

double gpai_view_x(const gpai_view *v, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < v->n; i++)
        sum += v->x[i * v->d + k];
    return sum / (double)v->n;
}

const char *gpai_name_feature(const gpa_report_info *info, size_t k, char *room)
{
    if (info->features != NULL)
        return info->features[k];
    snprintf(room, GPAI_NAME_SIZE, "x%zu", k + 1);
    return room;
}

const char *gpai_name_row(const gpa_report_info *info, size_t row, char *room)
{
    if (info->ids != NULL)
        return info->ids[row];
    snprintf(room, GPAI_NAME_SIZE, "%zu", row);
    return room;
}

void gpai_view_feature(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    char room[GPAI_NAME_SIZE];
    gpai_text_visible(t, gpai_name_feature(v->info, k, room), columns, v->info->ascii);
}

void gpai_text_minus(gpa_text *t, const char *number, bool plus, bool ascii)
{
    if (number[0] == '-' && !ascii) {
        gpai_text_add(t, "−");
        number++;
    } else if (plus && number[0] != '-' && number[0] != '0') {
        gpai_text_add(t, "+");
    } else if (plus && number[0] == '0') {
        bool zero = true;
        for (const char *p = number; *p != '\0'; p++)
            zero = zero && (*p == '0' || *p == '.');
        gpai_text_add(t, zero ? "" : "+");
    }
    gpai_text_add(t, number);
}
