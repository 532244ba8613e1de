#include "methods/linear/active_set.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Columns in the factor, chosen: 8 MiB; and how much of a column's square must be new,
 * a few thousand times what rounding leaves of 1. */
enum { MOST = 1024 };
static const double INDEPENDENT = 1e-12;

static void lay_out(void *work, gpai_arena *arena)
{
    gpai_active_set *a = work;
    GPAI_TAKE_EACH(arena, a->s->d, 1, &a->w, &a->lambda);
    a->factor = gpai_take(arena, a->most + 1, a->most);
    a->step = gpai_take(arena, a->most, 1);
    a->turn = gpai_take(arena, a->most, 2);
    a->chosen = gpai_take_bytes(arena, a->most + 1, sizeof *a->chosen);
}

gpa_status gpai_active_set_open(gpai_active_set *a, gpai_standardised *s,
                                const char *unit, gpa_error *err)
{
    size_t rank = s->n - 1 < s->d ? s->n - 1 : s->d; /* of centred columns, at most */
    *a = (gpai_active_set){.s = s, .most = rank < MOST ? rank : MOST};
    a->block = gpai_carve(lay_out, a);
    return a->block != NULL ? GPA_OK : gpai_nomem(err, unit);
}

void gpai_active_set_close(gpai_active_set *a)
{
    gpai_free(a->block);
    *a = (gpai_active_set){0};
}

void gpai_active_set_move(gpai_active_set *a, size_t j, double to)
{
    if (to != a->w[j])
        gpai_standardised_add(a->s, j, a->w[j] - to);
    a->w[j] = to;
}

static int sign(double v)
{
    return (v > 0) - (v < 0);
}

static double *row_of(const gpai_active_set *a, size_t i)
{
    return a->factor + i * a->most;
}

/* b = L^-1 b and b = L'^-1 b. */
static void forward(gpai_active_set *a, double *b)
{
    gpai_lower_solve(a->factor, a->most, a->k, b);
    a->work += (double)a->k * (double)a->k / 2;
}

static void backward(gpai_active_set *a, double *b)
{
    gpai_lower_solve_transposed(a->factor, a->most, a->k, b);
    a->work += (double)a->k * (double)a->k / 2;
}

/* Takes the i-th column out of the factor: the rows below move up, and have one number
 * too many until rotations of neighbouring columns have made it 0. */
static void discard(gpai_active_set *a, size_t i)
{
    double *c = a->turn, *s = a->turn + a->most;
    a->k--;
    for (size_t r = i; r < a->k; r++) {
        double *row = row_of(a, r);
        memcpy(row, row + a->most, (r + 2) * sizeof *row);
        a->chosen[r] = a->chosen[r + 1];
        for (size_t j = i; j < r; j++) {
            double left = row[j], right = row[j + 1];
            row[j] = c[j] * left + s[j] * right;
            row[j + 1] = c[j] * right - s[j] * left;
        }
        double length = hypot(row[r], row[r + 1]);
        c[r] = row[r] / length;
        s[r] = row[r + 1] / length;
        row[r] = length;
    }
    a->work += 2 * (double)(a->k - i) * (double)(a->k - i);
}

static void discard_zeros(gpai_active_set *a)
{
    for (size_t i = a->k; i-- > 0;)
        if (a->w[a->chosen[i]] == 0)
            discard(a, i);
}

/* How far along a step w becomes 0. */
static double until_zero(double w, double step)
{
    return w * step < 0 ? -w / step : HUGE_VAL;
}

/* Column j is a mixture of those in the factor: the residual does not notice when w_j
 * grows by 1 and theirs lose their shares. Follows this line down the penalty (or,
 * where that is level, to w_j = 0) until the first of them is 0. */
static void slide(gpai_active_set *a, size_t j, const double *row)
{
    double *share = a->step, slope = sign(a->w[j]) * a->lambda[j], all = fabs(slope);
    memcpy(share, row, a->k * sizeof *share);
    backward(a, share);
    for (size_t i = 0; i < a->k; i++) {
        size_t other = a->chosen[i];
        double one = sign(a->w[other]) * a->lambda[other] * share[i];
        slope -= one;
        all += fabs(one);
    }
    double down = fabs(slope) > 1e-10 * all ? -sign(slope) : -sign(a->w[j]);
    double part = until_zero(a->w[j], down);
    size_t first = j;
    for (size_t i = 0; i < a->k; i++) {
        double one = until_zero(a->w[a->chosen[i]], -down * share[i]);
        first = one < part ? a->chosen[i] : first;
        part = fmin(part, one);
    }
    gpai_active_set_move(a, j, first == j ? 0 : a->w[j] + part * down);
    for (size_t i = 0; i < a->k; i++) {
        size_t other = a->chosen[i];
        double to = a->w[other] - part * down * share[i];
        gpai_active_set_move(a, other, first == other ? 0 : to);
    }
    discard_zeros(a);
}

/* A row of the Cholesky factor at a time: columns come and go, so the factor is never
 * made as a whole (gpai_cholesky). */
bool gpai_active_set_admit(gpai_active_set *a, size_t j)
{
    while (a->w[j] != 0) {
        double *row = row_of(a, a->k);
        for (size_t i = 0; i < a->k; i++)
            row[i] = gpai_standardised_pair(a->s, j, a->chosen[i]);
        a->work += a->s->tall ? 0 : (double)a->k * (double)a->s->n;
        forward(a, row);
        double left = 1 - gpai_dot(row, row, a->k);
        if (left > INDEPENDENT && a->k < a->most) {
            row[a->k] = sqrt(left);
            a->chosen[a->k++] = j;
            return true;
        }
        if (left > INDEPENDENT && a->most == MOST)
            return false;
        if (a->lambda[j] == 0) /* nothing is to be gained */
            return true;
        slide(a, j, row);
    }
    return true;
}

bool gpai_active_set_gather(gpai_active_set *a)
{
    a->k = 0;
    for (size_t j = 0; j < a->s->d; j++) {
        if (a->w[j] == 0)
            continue;
        if (a->k == a->most && a->lambda[j] == 0)
            return true;
        if (!gpai_active_set_admit(a, j))
            return false;
    }
    return true;
}

/* The residual from w: what thousands of moves have rounded away is back. */
static void refresh(gpai_active_set *a)
{
    gpai_standardised_reset(a->s);
    for (size_t j = 0; j < a->s->d; j++)
        if (a->w[j] != 0)
            gpai_standardised_add(a->s, j, -a->w[j]);
    a->work += 2 * (double)a->k * (double)(a->s->tall ? a->s->d : a->s->n);
}

/* Goes to the minimum, or as far towards it as the first slope that becomes 0. */
static bool newton(gpai_active_set *a)
{
    refresh(a);
    for (size_t i = 0; i < a->k; i++) {
        size_t j = a->chosen[i];
        a->step[i] = gpai_standardised_product(a->s, j) - sign(a->w[j]) * a->lambda[j];
    }
    forward(a, a->step);
    backward(a, a->step);
    double part = 1;
    size_t first = a->s->d;
    for (size_t i = 0; i < a->k; i++) {
        size_t j = a->chosen[i];
        double one = a->lambda[j] > 0 ? until_zero(a->w[j], a->step[i]) : 1;
        first = one < part ? j : first;
        part = fmin(part, one);
    }
    for (size_t i = 0; i < a->k; i++) {
        size_t j = a->chosen[i];
        gpai_active_set_move(a, j, j == first ? 0 : a->w[j] + part * a->step[i]);
    }
    discard_zeros(a);
    return first == a->s->d;
}

void gpai_active_set_finish(gpai_active_set *a)
{
    while (!newton(a)) /* each time there is one column less */
        continue;
}
