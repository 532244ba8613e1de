#include "methods/linear/lasso.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Every FULL-th sweep looks at all columns, the others at those that take part. Chosen:
 * the exact jumps end nearly every fit within PATIENCE, and the last two keep the
 * others below a minute. */
enum { FULL = 5, PATIENCE = 100, MOST_SWEEPS = 100000 };
static const double WORK = 2e10; /* multiplications at most, about */

/* The largest change that is none, relative; and what rounding alone may leave. Chosen:
 * a few thousand and a few times the distance of neighbouring doubles. */
static const double TIGHT = 1e-12, ROUNDING = 1e-15;

/* Columns in the factor, chosen: 8 MiB; and how much of a column's square must be new,
 * a few thousand times what rounding leaves of 1. */
enum { MOST = 1024 };
static const double INDEPENDENT = 1e-12;

static void lay_out(void *work, gpai_arena *arena)
{
    gpai_lasso *l = work;
    GPAI_TAKE_EACH(arena, l->s.d, 1, &l->w, &l->lambda);
    l->factor = gpai_take(arena, l->most + 1, l->most);
    l->step = gpai_take(arena, l->most, 1);
    l->turn = gpai_take(arena, l->most, 2);
    l->chosen = gpai_take_bytes(arena, l->most + 1, sizeof *l->chosen);
}

gpa_status gpai_lasso_open(gpai_lasso *l, size_t n, size_t d, const char *unit,
                           gpa_error *err)
{
    size_t rank = n - 1 < d ? n - 1 : d; /* of centred columns, at most */
    *l = (gpai_lasso){.most = rank < MOST ? rank : MOST};
    gpa_status st = gpai_standardised_open(&l->s, n, d, unit, err);
    if (st != GPA_OK)
        return st;
    l->block = gpai_carve(lay_out, l);
    if (l->block != NULL)
        return GPA_OK;
    gpai_lasso_close(l);
    return gpai_nomem(err, unit);
}

void gpai_lasso_close(gpai_lasso *l)
{
    gpai_free(l->block);
    gpai_standardised_close(&l->s);
}

/* Sets w_j. */
static void move(gpai_lasso *l, size_t j, double to)
{
    if (to != l->w[j])
        gpai_standardised_add(&l->s, j, l->w[j] - to);
    l->w[j] = to;
}

static int sign(double v)
{
    return (v > 0) - (v < 0);
}

static double *row_of(const gpai_lasso *l, size_t i)
{
    return l->factor + i * l->most;
}

/* b = L^-1 b and b = L'^-1 b. */
static void forward(gpai_lasso *l, double *b)
{
    gpai_lower_solve(l->factor, l->most, l->k, b);
    l->work += (double)l->k * (double)l->k / 2;
}

static void backward(gpai_lasso *l, double *b)
{
    gpai_lower_solve_transposed(l->factor, l->most, l->k, b);
    l->work += (double)l->k * (double)l->k / 2;
}

/* Takes the i-th column out of the factor: the rows below move up, and have one number
 * too many until rotations of neighbouring columns have made it 0. */
static void discard(gpai_lasso *l, size_t i)
{
    double *c = l->turn, *s = l->turn + l->most;
    l->k--;
    for (size_t r = i; r < l->k; r++) {
        double *row = row_of(l, r);
        memcpy(row, row + l->most, (r + 2) * sizeof *row);
        l->chosen[r] = l->chosen[r + 1];
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
    l->work += 2 * (double)(l->k - i) * (double)(l->k - i);
}

static void discard_zeros(gpai_lasso *l)
{
    for (size_t i = l->k; i-- > 0;)
        if (l->w[l->chosen[i]] == 0)
            discard(l, i);
}

/* How far along a step w becomes 0. */
static double until_zero(double w, double step)
{
    return w * step < 0 ? -w / step : HUGE_VAL;
}

/* Column j is a mixture of those in the factor: the residual does not notice when w_j
 * grows by 1 and theirs lose their shares. Follows this line down the penalty (or,
 * where that is level, to w_j = 0) until the first of them is 0. */
static void slide(gpai_lasso *l, size_t j, const double *row)
{
    double *share = l->step, slope = sign(l->w[j]) * l->lambda[j], all = fabs(slope);
    memcpy(share, row, l->k * sizeof *share);
    backward(l, share);
    for (size_t i = 0; i < l->k; i++) {
        size_t other = l->chosen[i];
        double one = sign(l->w[other]) * l->lambda[other] * share[i];
        slope -= one;
        all += fabs(one);
    }
    double down = fabs(slope) > 1e-10 * all ? -sign(slope) : -sign(l->w[j]);
    double part = until_zero(l->w[j], down);
    size_t first = j;
    for (size_t i = 0; i < l->k; i++) {
        double one = until_zero(l->w[l->chosen[i]], -down * share[i]);
        first = one < part ? l->chosen[i] : first;
        part = fmin(part, one);
    }
    move(l, j, first == j ? 0 : l->w[j] + part * down);
    for (size_t i = 0; i < l->k; i++) {
        size_t other = l->chosen[i];
        double to = l->w[other] - part * down * share[i];
        move(l, other, first == other ? 0 : to);
    }
    discard_zeros(l);
}

/* Lets column j, whose slope is not 0, into the factor. If it is a mixture of those
 * that are there, one of them or j itself becomes 0 instead, at no cost. False when
 * there is no room. A row of the Cholesky factor at a time: columns come and go, so the
 * factor is never made as a whole (gpai_cholesky). */
static bool admit(gpai_lasso *l, size_t j)
{
    while (l->w[j] != 0) {
        double *row = row_of(l, l->k);
        for (size_t i = 0; i < l->k; i++)
            row[i] = gpai_standardised_pair(&l->s, j, l->chosen[i]);
        l->work += l->s.tall ? 0 : (double)l->k * (double)l->s.n;
        forward(l, row);
        double left = 1 - gpai_dot(row, row, l->k);
        if (left > INDEPENDENT && l->k < l->most) {
            row[l->k] = sqrt(left);
            l->chosen[l->k++] = j;
            return true;
        }
        if (left > INDEPENDENT && l->most == MOST)
            return false;
        if (l->lambda[j] == 0) /* nothing is to be gained */
            return true;
        slide(l, j, row);
    }
    return true;
}

/* Starts anew with all columns whose slope is not 0. False when there is no room. */
static bool gather(gpai_lasso *l)
{
    l->k = 0;
    for (size_t j = 0; j < l->s.d; j++) {
        if (l->w[j] == 0)
            continue;
        if (l->k == l->most && l->lambda[j] == 0)
            return true;
        if (!admit(l, j))
            return false;
    }
    return true;
}

/* The residual from w: what thousands of moves have rounded away is back. */
static void refresh(gpai_lasso *l)
{
    gpai_standardised_reset(&l->s);
    for (size_t j = 0; j < l->s.d; j++)
        if (l->w[j] != 0)
            gpai_standardised_add(&l->s, j, -l->w[j]);
    l->work += 2 * (double)l->k * (double)(l->s.tall ? l->s.d : l->s.n);
}

/* Goes to the minimum, or as far towards it as the first slope that becomes 0. */
static bool newton(gpai_lasso *l)
{
    refresh(l);
    for (size_t i = 0; i < l->k; i++) {
        size_t j = l->chosen[i];
        l->step[i] = gpai_standardised_product(&l->s, j) - sign(l->w[j]) * l->lambda[j];
    }
    forward(l, l->step);
    backward(l, l->step);
    double part = 1;
    size_t first = l->s.d;
    for (size_t i = 0; i < l->k; i++) {
        size_t j = l->chosen[i];
        double one = l->lambda[j] > 0 ? until_zero(l->w[j], l->step[i]) : 1;
        first = one < part ? j : first;
        part = fmin(part, one);
    }
    for (size_t i = 0; i < l->k; i++) {
        size_t j = l->chosen[i];
        move(l, j, j == first ? 0 : l->w[j] + part * l->step[i]);
    }
    discard_zeros(l);
    return first == l->s.d;
}

/* Goes to the minimum over the columns in the factor. Those whose sign would change on
 * the way leave it, with slope 0. */
static void minimise(gpai_lasso *l)
{
    while (!newton(l)) /* each time there is one column less */
        continue;
}
/* The best w_j while the others stay; 0 stays 0 when only rounding speaks against it.
 */
static double best(const gpai_lasso *l, size_t j)
{
    double q = gpai_standardised_product(&l->s, j), lambda = l->lambda[j];
    double w = l->w[j], at = w + q;
    if (w == 0 && fabs(q) <= lambda + ROUNDING * (1 + lambda))
        return 0;
    if (fabs(at) <= lambda)
        return 0;
    return at > 0 ? at - lambda : at + lambda;
}

/* Goes through the columns once and gives the largest change. */
static double sweep(gpai_lasso *l, bool all, bool *flipped)
{
    double largest = 0;
    *flipped = false;
    for (size_t j = 0; j < l->s.d; j++) {
        double old = l->w[j];
        if (old == 0 && (!all || isinf(l->lambda[j])))
            continue;
        double to = best(l, j);
        *flipped = *flipped || (to > 0) != (old > 0) || (to < 0) != (old < 0);
        largest = fmax(largest, fabs(to - old));
        move(l, j, to);
        l->work += (double)(l->s.tall ? l->s.d : 2 * l->s.n);
    }
    return largest;
}

/* How many take part; the largest of them in *top. */
static size_t count(const gpai_lasso *l, double *top)
{
    size_t n = 0;
    *top = 0;
    for (size_t j = 0; j < l->s.d; j++) {
        n += l->w[j] != 0;
        *top = fmax(*top, fabs(l->w[j]));
    }
    return n;
}

/* Where there is no room for all that take part, the minimum over some of them. */
static bool jump(gpai_lasso *l)
{
    bool room = gather(l);
    minimise(l);
    return room;
}

/* Sweeps until a look at all columns, from where a jump ended, finds nothing to do. */
static void descend(gpai_lasso *l, size_t patience, gpai_lasso_fit *fit)
{
    bool all = true, there = false, flipped;
    size_t steady = 0, active = 0;
    while (fit->sweeps < patience + active / 4 && !fit->converged && l->work < WORK) {
        double top, change = sweep(l, all, &flipped);
        active = count(l, &top);
        bool tight = change <= TIGHT * top;
        fit->sweeps++;
        fit->converged = tight && all && (there || active == 0);
        steady = flipped ? 0 : steady + 1;
        /* a jump costs many sweeps: the more columns, the surer the signs must be */
        bool due = !fit->converged && ((tight && all) || steady > 2 + active / 32);
        if (due)
            jump(l);
        there = due;
        steady = due ? 0 : steady;
        all = tight || there || fit->sweeps % FULL == 0;
    }
}

/* The column that wants to change most. */
static size_t keenest(gpai_lasso *l, double *wish)
{
    size_t at = 0;
    *wish = 0;
    for (size_t j = 0; j < l->s.d; j++) {
        double one = isinf(l->lambda[j]) ? 0 : fabs(best(l, j) - l->w[j]);
        at = one > *wish ? j : at;
        *wish = fmax(*wish, one);
    }
    l->work += (double)l->s.d * (l->s.tall ? 1 : (double)l->s.n);
    return at;
}

/* Where sweeps let in too many columns, over and over: one at a time. */
static void pick(gpai_lasso *l, gpai_lasso_fit *fit)
{
    bool room = jump(l);
    while (room && l->work < WORK && fit->sweeps < MOST_SWEEPS) {
        double top, wish;
        size_t j = keenest(l, &wish);
        count(l, &top);
        fit->sweeps++;
        fit->converged = wish <= TIGHT * top;
        if (fit->converged)
            return;
        bool known = l->w[j] != 0;
        move(l, j, best(l, j));
        room = known || admit(l, j);
        minimise(l);
    }
}

gpai_lasso_fit gpai_lasso_solve(gpai_lasso *l, const double *x, const double *t,
                                double l1, double *w)
{
    gpai_lasso_fit fit = {0};
    size_t d = l->s.d;
    fit.converged = !gpai_standardised_fill(&l->s, x, t);
    double height = l->s.spread[d];
    for (size_t j = 0; j < d; j++) {
        double spread = l->s.spread[j];
        l->lambda[j] = spread > 0 ? l1 / spread / height : HUGE_VAL;
    }
    memset(l->w, 0, d * sizeof *l->w);
    l->work = 0;
    if (height > 0) { /* else it is 0, or t overflows, which the constant tells */
        descend(l, PATIENCE, &fit);
        if (!fit.converged)
            pick(l, &fit);
        if (!fit.converged)
            descend(l, MOST_SWEEPS, &fit);
    }
    memcpy(w, l->w, d * sizeof *w);
    fit.constant = gpai_standardised_back(&l->s, w);
    return fit;
}
