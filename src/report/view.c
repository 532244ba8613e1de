#include "report/view.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "result/explanation.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_rank(const void *a, const void *b)
{
    const gpai_placed *p = a, *q = b;
    if (p->first != q->first)
        return p->first > q->first ? -1 : 1;
    if (p->second != q->second)
        return p->second > q->second ? -1 : 1;
    return p->k < q->k ? -1 : p->k > q->k;
}

void gpai_placed_sort(gpai_placed *ranks, size_t n)
{
    qsort(ranks, n, sizeof *ranks, by_rank);
}

static void sort(gpai_placed *ranks, const gpai_view *v, bool blame, size_t *order)
{
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->kinds.seen[i];
        ranks[i] =
            (gpai_placed){blame ? gpai_view_blame(v, k) : 0, gpai_view_size(v, k), k};
    }
    gpai_placed_sort(ranks, v->inputs);
    for (size_t i = 0; i < v->inputs; i++)
        order[i] = ranks[i].k;
}

static gpa_status sort_inputs(gpai_view *v, gpa_error *err)
{
    gpai_placed *ranks = gpai_calloc(v->inputs, sizeof *ranks);
    v->largest = gpai_calloc(v->inputs, sizeof *v->largest);
    v->order = gpai_calloc(v->inputs, sizeof *v->order);
    if (ranks == NULL || v->largest == NULL || v->order == NULL) {
        gpai_free(ranks);
        gpai_view_free(v);
        return gpai_nomem(err, "report");
    }
    sort(ranks, v, false, v->largest);
    sort(ranks, v, v->c != NULL, v->order);
    for (size_t i = 0; i < v->inputs; i++) {
        size_t k = v->kinds.seen[i];
        v->moved += gpai_view_size(v, k) != 0;
        if (v->kinds.input[k].levels == 0)
            v->longest = fmax(v->longest, fabs(v->delta[k]));
    }
    gpai_free(ranks);
    return GPA_OK;
}

/* When words tell suspects apart; chosen: 78 % and 8 % are no tie, and 66 % and 29 %
 * are one that has a favourite; so are 53 % and 17 % where y has 41 %. 43 % and 42 %
 * are alike. */
static const double FAR_LESS = 0.2, AHEAD = 2, PROBABLE = 0.5, ALIKE = 0.9;

bool gpai_view_ahead(const gpai_view *v)
{
    double first = gpai_view_blame(v, v->order[0]);
    double second = v->inputs > 1 ? gpai_view_blame(v, v->order[1]) : 0;
    return first > PROBABLE && first >= AHEAD * second;
}

/* Whether an input is hardly a rival: far less likely than the first, or behind that
 * and the outcome. */
static bool is_behind(const gpai_view *v, size_t k)
{
    double p = gpai_view_blame(v, k), first = gpai_view_blame(v, v->order[0]);
    return !(p > fmax(FAR_LESS * first, 0)) || AHEAD * p < fmin(first, v->c->output);
}

bool gpai_view_just(const gpai_view *v)
{
    return v->c->n_likeliest > 1 && v->c->p_likeliest > 0.5;
}

size_t gpai_view_reach(const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    size_t reach = 0;
    for (size_t i = 0; i < v->inputs && c->n_likeliest > 1; i++)
        for (size_t j = 0; j < c->n_likeliest; j++)
            if (v->kinds.first[c->likeliest[j]] == v->order[i])
                reach = i + 1;
    return reach;
}

/* With the first n those that are about as likely as the last of them: two may be wrong
 * together that are not wrong alone. And all of an idea that is named with them, but
 * one suspect that is not enough alone has its partners (words/verdict.c). */
static size_t add_together(const gpai_view *v, size_t n)
{
    double last = n > 0 ? gpai_view_blame(v, v->order[n - 1]) : 0;
    size_t reach = gpai_view_reach(v);
    while (n > 0 && n < v->inputs && !is_behind(v, v->order[n]) &&
           gpai_view_blame(v, v->order[n]) >= ALIKE * last)
        n++;
    bool partners = n == 1 && gpai_view_short(v, v->order[0]) && !gpai_view_just(v);
    return n == 0 || partners || reach < n ? n : reach;
}

/* How many inputs the set that reaches 0.9 has, a group once; but none that is far
 * behind. */
static size_t count_suspects(const gpai_view *v)
{
    size_t n = 0;
    if (v->c == NULL || v->inputs == 0)
        return 0;
    for (size_t i = 0; i < v->c->n_set90; i++) {
        size_t first = v->kinds.first[v->c->set90[i]];
        bool again = false;
        for (size_t j = 0; j < i && !again; j++)
            again = v->kinds.first[v->c->set90[j]] == first;
        n += !again;
    }
    while (n > 0 && is_behind(v, v->order[n - 1]))
        n--;
    return add_together(v, n);
}

/* The first inputs that make up 80 % of all changes, three at most. */
static void find_carriers(gpai_view *v)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < v->inputs; i++)
        total += gpai_view_size(v, v->kinds.seen[i]);
    while (v->carriers < v->moved && v->carriers < 3 && sum < 0.8 * total)
        sum += gpai_view_size(v, v->largest[v->carriers++]);
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

static const char *find_unanswered(const gpa_explanation *e)
{
    static const char small[] = GPAI_SMALL_BUDGET;
    const char *why = gpai_result_noted(e, GPAI_NO_CULPRITS);
    if (gpa_explanation_culprit(e) != NULL)
        return NULL;
    if (why != NULL && strncmp(why, small, strlen(small)) == 0)
        return why;
    return gpai_result_noted(e, GPAI_SEARCH_CUT) != NULL
               ? "the budget ended the search before it was done (--budget)"
               : NULL;
}

gpa_status gpai_view_make(gpai_view *v, const gpa_report_info *info,
                          const gpa_explanation *e, gpa_error *err)
{
    *v = (gpai_view){.e = e,
                     .info = info,
                     .s = gpa_explanation_summary(e),
                     .c = gpa_explanation_culprit(e),
                     .unanswered = find_unanswered(e),
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
    gpa_status st = gpai_kinds_make(&v->kinds, info, v->d, err);
    v->inputs = v->kinds.n;
    if (st == GPA_OK)
        st = sort_inputs(v, err);
    if (st != GPA_OK)
        return st;
    find_carriers(v);
    v->suspects = count_suspects(v);
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
    gpai_kinds_free(&v->kinds);
}

/* The level that all rows have. */
static double common_level(const gpai_view *v, size_t k)
{
    double level = gpai_value_in(&v->kinds, k, v->x);
    for (size_t i = 1; i < v->n; i++)
        if (gpai_value_in(&v->kinds, k, v->x + i * v->d) != level ||
            level == GPAI_NOT_ONE)
            return (double)NAN;
    return level;
}

double gpai_view_x(const gpai_view *v, size_t k)
{
    double sum = 0;
    if (v->kinds.input[k].levels > 0)
        return common_level(v, k);
    for (size_t i = 0; i < v->n; i++)
        sum += v->x[i * v->d + k];
    return sum / (double)v->n;
}

double gpai_view_moved(const gpai_view *v, size_t k)
{
    double value = gpai_value_moved(&v->kinds, k, v->x, v->raw);
    return gpai_is_group(&v->kinds, k) ? value : gpai_level_near(&v->kinds, k, value);
}

double gpai_view_size(const gpai_view *v, size_t k)
{
    if (v->kinds.input[k].levels == 0)
        return fabs(v->delta[k]);
    double now = gpai_value_in(&v->kinds, k, v->x), then = gpai_view_moved(v, k);
    bool moves = !isnan(now) && now != then && gpai_has_levels(&v->kinds, k) &&
                 (gpai_is_group(&v->kinds, k) || v->raw[k] != 0);
    return moves ? 1 : 0;
}

const gpa_alone *gpai_view_alone(const gpai_view *v, size_t k)
{
    return v->c != NULL && !gpai_view_held(v, k) ? gpa_explanation_alone(v->e, k)
                                                 : NULL;
}

/* Whether a level brings f nearer to y, over all rows: by a hundredth of the way at
 * least, so that a level to which the model is blind is none. True where f is not known
 * there. */
static bool level_helps(const gpai_view *v, size_t k, double level)
{
    const gpa_axis *axis = gpa_explanation_axis(v->e, k);
    const double *y = gpa_explanation_y(v->e), *f = gpa_explanation_f(v->e);
    double before = 0, after = 0;
    size_t i = 0;
    if (axis == NULL || axis->level == NULL)
        return true;
    while (i < axis->points && axis->level[i] != level)
        i++;
    if (i == axis->points)
        return true;
    for (size_t row = 0; row < v->n; row++) {
        before += pow(y[row] - f[row], 2);
        after += pow(y[row] - axis->f[i * v->n + row], 2);
    }
    return !isfinite(after) || sqrt(after) <= 0.99 * sqrt(before);
}

double gpai_view_normal_alone(const gpai_view *v, size_t k)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    if (gpai_has_levels(&v->kinds, k)) {
        bool any = a != NULL && a->best < a->levels;
        any = any && (a->missing || level_helps(v, k, a->level[a->best]));
        return any ? a->level[a->best] : (double)NAN;
    }
    if (a != NULL && isfinite(a->value) && v->info->inputs != NULL)
        return a->value;
    return gpai_view_x(v, k) + gpai_raw(v->c->median[k], v->unit[k]);
}

size_t gpai_view_exchanged(const gpai_view *v, size_t k)
{
    const gpa_culprit *c = v->c;
    if (c == NULL || !c->exchanged || c->n_likeliest != 2 || !gpai_view_just(v) ||
        (c->verdict != GPA_VERDICT_INPUT && c->verdict != GPA_VERDICT_TIED))
        return v->d;
    size_t first = c->likeliest[0], second = c->likeliest[1];
    bool numbers = v->kinds.input[first].levels == 0 && /* a file may claim others */
                   v->kinds.input[second].levels == 0;
    return !numbers ? v->d : k == first ? second : k == second ? first : v->d;
}

double gpai_view_normal(const gpai_view *v, size_t k)
{
    size_t other = gpai_view_exchanged(v, k);
    if (other == v->d)
        return gpai_view_normal_alone(v, k);
    return v->n == 1 ? gpai_view_x(v, other) : (double)NAN;
}

/* f of a row along a number, on straight lines between the places where it was asked.
 */
static double number_f(const gpa_axis *axis, size_t rows, size_t row, double at)
{
    size_t i = 1;
    while (i + 1 < axis->points && axis->change[i] < at)
        i++;
    double from = axis->change[i - 1], width = axis->change[i] - from;
    double share = width > 0 ? fmin(fmax((at - from) / width, 0), 1) : 0;
    const double *f = axis->f + (i - 1) * rows + row;
    return f[0] + share * (f[rows] - f[0]);
}

/* The least |y - f| of one of several rows with a change between two: on a straight
 * line it is 0 where y - f changes its sign, else at an end. */
static double number_off(const gpai_view *v, const gpa_axis *axis, size_t row,
                         const double ends[2])
{
    double before = v->y[row] - number_f(axis, v->n, row, ends[0]),
           least = fabs(before);
    for (size_t i = 0; i <= axis->points; i++) {
        double at = i < axis->points ? axis->change[i] : ends[1];
        if (i < axis->points && !(at > ends[0] && at < ends[1]))
            continue;
        double off = v->y[row] - number_f(axis, v->n, row, at);
        if (before * off <= 0)
            return 0;
        least = fmin(least, fabs(off));
        before = off;
    }
    return least;
}

/* The same at one of its likely levels, or at the likeliest alone. */
static double level_off(const gpai_view *v, const gpa_axis *axis, const gpa_alone *a,
                        size_t row, bool shared)
{
    static const double LIKELY = 0.05; /* beyond each end of an interval of 90 % */
    double least = (double)NAN;
    for (size_t i = 0; a != NULL && i < axis->points; i++)
        for (size_t j = 0; j < a->levels; j++)
            if (a->level[j] == axis->level[i] &&
                (j == a->best || (!shared && a->probability[j] > LIKELY)))
                least = fmin(least, fabs(v->y[row] - axis->f[i * v->n + row]));
    return least;
}

/* Several rows, root mean square: with one change that all share, or each may have its
 * own place in the interval that holds 90 %. */
static double several_left(const gpai_view *v, const gpa_axis *axis, size_t k,
                           bool shared)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    bool own = axis->gap && a != NULL;
    double at = own ? a->value : v->c->median[k], sum = 0;
    const double ends[2] = {shared ? at
                            : own  ? a->low
                                   : v->c->low[k],
                            shared ? at
                            : own  ? a->high
                                   : v->c->high[k]};
    for (size_t row = 0; row < v->n; row++) {
        double off = axis->level != NULL ? level_off(v, axis, a, row, shared)
                                         : number_off(v, axis, row, ends);
        sum += off * off;
    }
    return sqrt(sum / (double)v->n);
}

static double level_f(const gpa_axis *axis, double level)
{
    for (size_t i = 0; i < axis->points; i++)
        if (axis->level[i] == level)
            return axis->f[i];
    return (double)NAN;
}

static double left(const gpai_view *v, size_t k, bool shared)
{
    const gpa_axis *axis = gpa_explanation_axis(v->e, k);
    double normal = v->c != NULL ? gpai_view_normal_alone(v, k) : (double)NAN;
    if (axis == NULL || isnan(normal) || !(v->s->sigma > 0))
        return (double)NAN;
    if (axis->level == NULL && axis->points < 2)
        return (double)NAN;
    if (v->n > 1)
        return several_left(v, axis, k, shared) / v->s->sigma;
    double at = axis->gap ? normal : (normal - v->x[k]) / v->unit[k];
    double f = axis->level != NULL ? level_f(axis, normal) : number_f(axis, 1, 0, at);
    return fabs(v->y[0] - f) / v->s->sigma;
}

double gpai_view_left(const gpai_view *v, size_t k)
{
    return left(v, k, false);
}

bool gpai_view_shared(const gpai_view *v, size_t k)
{
    return !(left(v, k, true) > GPAI_LOOKS_NORMAL);
}

bool gpai_view_short(const gpai_view *v, size_t k)
{
    return gpai_view_left(v, k) > GPAI_LOOKS_NORMAL;
}

void gpai_view_normal_ends(const gpai_view *v, size_t k, double ends[2])
{
    const gpa_alone *a = gpai_view_alone(v, k);
    double x = v->n == 1 && v->c != NULL ? gpai_view_x(v, k) : (double)NAN;
    ends[0] = ends[1] = (double)NAN;
    if (gpai_has_levels(&v->kinds, k) || v->c == NULL || gpai_view_held(v, k) ||
        gpai_view_exchanged(v, k) < v->d)
        return;
    ends[0] = a != NULL ? a->low : x + gpai_raw(v->c->low[k], v->unit[k]);
    ends[1] = a != NULL ? a->high : x + gpai_raw(v->c->high[k], v->unit[k]);
}

double gpai_view_change(const gpai_view *v, size_t k)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    bool known = a != NULL && isfinite(a->value) && v->n == 1 && v->kinds.mixed &&
                 isfinite(v->x[k]);
    return known ? a->value - v->x[k] : gpai_raw(v->c->median[k], v->unit[k]);
}

bool gpai_view_gap(const gpai_view *v, size_t k)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    return a != NULL && a->missing;
}

double gpai_view_output_normal(const gpai_view *v, double ends[2])
{
    const double z = 1.6448536269514722; /* of 95 % */
    bool known = v->n == 1 && v->s->sigma > 0 && isfinite(v->s->sigma);
    ends[0] = known ? v->f_mean - z * v->s->sigma : (double)NAN;
    ends[1] = known ? v->f_mean + z * v->s->sigma : (double)NAN;
    return known ? v->f_mean : (double)NAN;
}

const gpa_marginal *gpai_view_marginal(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    return gpa_explanation_spread_known(v->e) || gpai_view_held(v, k) ? m : NULL;
}

bool gpai_view_outside(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpai_view_marginal(v, k);
    return m != NULL && m->levels == 0 && !gpai_view_held(v, k) &&
           (v->delta[k] < m->interval90[0] || v->delta[k] > m->interval90[1]);
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

double *gpai_view_seen(gpa_text *t, const gpai_view *v, size_t k, size_t *n)
{
    const gpa_background *b = v->info->background;
    bool outcome = k == v->d;
    *n = 0;
    if (b == NULL || b->n == 0 || (outcome ? b->y == NULL : b->x == NULL) ||
        (!outcome && b->d != v->d))
        return NULL;
    double *seen = t->failed ? NULL : gpai_calloc(b->n, sizeof *seen);
    t->failed = seen == NULL;
    for (size_t i = 0; i < b->n && seen != NULL; i++) {
        double value = outcome ? b->y[i] : gpai_value_in(&v->kinds, k, b->x + i * b->d);
        if (isfinite(value))
            seen[(*n)++] = value;
    }
    if (seen != NULL)
        qsort(seen, *n, sizeof *seen, ascending);
    return seen;
}

double gpai_view_blame(const gpai_view *v, size_t k)
{
    return v->c->responsible[k];
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
    for (size_t i = 0; i < v->suspects; i++)
        if (v->order[i] == k)
            return true;
    return false;
}

/* Of a choice neither culprits nor distributions were asked. */
static bool choice_held(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    const gpa_alone *a = gpa_explanation_alone(v->e, k);
    bool still = m == NULL || m->levels < 2;
    bool clear =
        v->c == NULL || (v->c->single[k] == 0 && (a == NULL || a->levels == 0));
    return still && clear && (m != NULL || v->c != NULL);
}

bool gpai_view_held(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    if (v->kinds.input[k].kind == GPA_KIND_HELD && v->delta[k] == 0)
        return true;
    if (gpai_has_levels(&v->kinds, k))
        return choice_held(v, k);
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

const char *gpai_view_measure(const gpai_view *v, size_t k)
{
    if (k == v->d)
        return v->info->target_unit;
    return v->kinds.label[k] != v->kinds.name[k] ? v->info->units[k] : NULL;
}

void gpai_view_input(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    gpai_text_visible(t, v->kinds.name[k], columns, v->info->ascii);
}

void gpai_view_target(gpa_text *t, const gpai_view *v, size_t columns)
{
    const char *name = v->info->target != NULL ? v->info->target : "y";
    gpai_text_visible(t, name, columns, v->info->ascii);
}

void gpai_view_label(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    const char *unit = gpai_view_measure(v, k);
    size_t start = t->length;
    if (k == v->d)
        gpai_view_target(t, v, columns);
    else
        gpai_view_input(t, v, k, columns);
    size_t width = unit != NULL ? gpai_utf8_width(t->data + start) +
                                      gpai_utf8_width(unit) + strlen(" []")
                                : 0;
    if (unit == NULL || t->failed || (columns > 0 && width > columns))
        return; /* the name counts more */
    gpai_text_add(t, " [");
    gpai_text_visible(t, unit, columns, v->info->ascii);
    gpai_text_add(t, "]");
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
    if (info->units != NULL && d > 0) {
        gpai_json_open(t, "units", "[");
        bool whole = true;
        for (size_t k = 0; k < d; k++) {
            if (info->units[k] != NULL)
                gpai_json_text_item(t, info->units[k]);
            else
                gpai_text_add(t, k > 0 ? ",null" : "null");
            whole = whole && info->units[k] != NULL;
        }
        gpai_text_add(t, "]");
        if (!whole)
            gpai_json_text_field(t, "units_reason", "nobody said");
    }
    if (info->target != NULL)
        gpai_json_text_field(t, "target_name", info->target);
    if (info->target_unit != NULL)
        gpai_json_text_field(t, "target_unit", info->target_unit);
}
