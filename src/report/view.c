#include "report/view.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_rank(const void *a, const void *b)
{
    const gpai_rank *p = a, *q = b;
    if (p->first != q->first)
        return p->first > q->first ? -1 : 1;
    if (p->second != q->second)
        return p->second > q->second ? -1 : 1;
    return p->k < q->k ? -1 : p->k > q->k;
}

void gpai_rank_sort(gpai_rank *ranks, size_t n)
{
    qsort(ranks, n, sizeof *ranks, by_rank);
}

static void sort(gpai_rank *ranks, const gpai_view *v, bool blame, size_t *order)
{
    for (size_t k = 0; k < v->d; k++)
        ranks[k] = (gpai_rank){blame ? gpai_view_blame(v, k) : 0, fabs(v->delta[k]), k};
    gpai_rank_sort(ranks, v->d);
    for (size_t i = 0; i < v->d; i++)
        order[i] = ranks[i].k;
}

static gpa_status sort_inputs(gpai_view *v, gpa_error *err)
{
    gpai_rank *ranks = gpai_calloc(v->d, sizeof *ranks);
    v->largest = gpai_calloc(v->d, sizeof *v->largest);
    v->order = gpai_calloc(v->d, sizeof *v->order);
    if (ranks == NULL || v->largest == NULL || v->order == NULL) {
        gpai_free(ranks);
        gpai_view_free(v);
        return gpai_nomem(err, "report");
    }
    sort(ranks, v, false, v->largest);
    sort(ranks, v, v->c != NULL, v->order);
    for (size_t k = 0; k < v->d; k++)
        v->moved += v->delta[k] != 0;
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
        sum += fabs(v->delta[v->largest[v->carriers++]]);
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
                     .c = gpa_explanation_culprit(e),
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
    gpai_free(v->largest);
    v->order = v->largest = NULL;
}

double gpai_view_x(const gpai_view *v, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < v->n; i++)
        sum += v->x[i * v->d + k];
    return sum / (double)v->n;
}

double gpai_view_blame(const gpai_view *v, size_t k)
{
    return v->c->probability[k] * (1 - v->c->output);
}

/* exp(-eta (x^2 / 2 + nu |x|)) / Z */
double gpai_view_prior(const gpai_view *v, double x)
{
    double eta = v->s->eta, nu = v->s->nu;
    double norm =
        exp(eta * nu * nu / 2) * sqrt(2 * acos(-1) / eta) * erfc(nu * sqrt(eta / 2));
    return norm > 0 && isfinite(norm) ? exp(-eta * (x * x / 2 + nu * fabs(x))) / norm
                                      : (double)NAN;
}

bool gpai_view_accused(const gpai_view *v, size_t k)
{
    if (v->c == NULL || v->c->verdict == GPA_VERDICT_NORMAL ||
        v->c->verdict == GPA_VERDICT_OUTPUT)
        return false;
    if (v->c->verdict == GPA_VERDICT_INPUT)
        return gpai_view_blame(v, k) > 0.5;
    for (size_t i = 0; i < v->c->n_set90; i++)
        if (v->c->set90[i] == k)
            return true;
    return false;
}

bool gpai_view_held(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    if (m == NULL && v->c == NULL)
        return false;
    bool still = m == NULL || (m->sd == 0 && m->interval90[0] == 0 &&
                               m->interval90[1] == 0 && m->map == 0);
    bool clear = v->c == NULL ||
                 (v->c->single[k] == 0 && v->c->low[k] == 0 && v->c->high[k] == 0);
    return still && clear;
}

double gpai_raw(double change, double unit)
{
    double raw = change * unit, whole = nearbyint(raw);
    return fabs(raw - whole) <= 1e-14 * fabs(whole) ? whole : raw;
}

const char *gpai_name_input(const gpa_report_info *info, size_t k, char *room)
{
    if (info->features != NULL)
        return info->features[k];
    snprintf(room, GPAI_NAME_SIZE, "x%zu", k + 1);
    return room;
}

static int by_number(const void *a, const void *b)
{
    size_t p = *(const size_t *)a, q = *(const size_t *)b;
    return p < q ? -1 : p > q;
}

size_t gpai_reference_row(const gpa_background *b, size_t i)
{
    return b->rows != NULL ? b->rows[i] : i;
}

size_t gpai_find_row(const size_t *rows, size_t n, size_t row)
{
    if (rows == NULL || n == 0)
        return row < n ? row : n;
    const size_t *found = bsearch(&row, rows, n, sizeof row, by_number);
    return found != NULL ? (size_t)(found - rows) : n;
}

const char *gpai_name_row(const gpa_report_info *info, size_t row, char *room)
{
    if (info->ids != NULL && info->id_rows == NULL)
        return info->ids[row];
    size_t at = info->ids != NULL ? gpai_find_row(info->id_rows, info->n_ids, row) : 0;
    if (info->ids != NULL && at < info->n_ids)
        return info->ids[at];
    snprintf(room, GPAI_NAME_SIZE, "%zu", row);
    return room;
}

void gpai_view_input(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    char room[GPAI_NAME_SIZE];
    gpai_text_visible(t, gpai_name_input(v->info, k, room), columns, v->info->ascii);
}

void gpai_view_target(gpa_text *t, const gpai_view *v, size_t columns)
{
    const char *name = v->info->target != NULL ? v->info->target : "y";
    gpai_text_visible(t, name, columns, v->info->ascii);
}

gpai_cell gpai_cell_of(const char *number, bool plus, bool ascii)
{
    gpai_cell c;
    bool negative = number[0] == '-', zero = number[strspn(number, "0.")] == '\0';
    const char *sign = negative && !ascii ? "−" : plus && !negative && !zero ? "+" : "";
    snprintf(c.text, sizeof c.text, "%s%s", sign, number + (negative && !ascii));
    return c;
}

void gpai_json_inputs_field(gpa_text *t, const gpa_report_info *info, size_t d)
{
    char room[GPAI_NAME_SIZE];
    gpai_json_open(t, "features", "[");
    for (size_t k = 0; k < d; k++)
        gpai_json_text_item(t, gpai_name_input(info, k, room));
    gpai_text_add(t, "]");
}
