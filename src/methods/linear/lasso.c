#include "methods/linear/lasso.h"
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

gpa_status gpai_lasso_open(gpai_lasso *l, size_t n, size_t d, const char *unit,
                           gpa_error *err)
{
    *l = (gpai_lasso){0};
    gpa_status st = gpai_standardised_open(&l->s, n, d, unit, err);
    if (st == GPA_OK)
        st = gpai_active_set_open(&l->a, &l->s, unit, err);
    if (st != GPA_OK)
        gpai_lasso_close(l);
    return st;
}

void gpai_lasso_close(gpai_lasso *l)
{
    gpai_active_set_close(&l->a);
    gpai_standardised_close(&l->s);
}

/* The best w_j while the others stay; 0 stays 0 when only rounding speaks against it.
 */
static double best(const gpai_lasso *l, size_t j)
{
    double q = gpai_standardised_product(&l->s, j), lambda = l->a.lambda[j];
    double w = l->a.w[j], at = w + q;
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
        double old = l->a.w[j];
        if (old == 0 && (!all || isinf(l->a.lambda[j])))
            continue;
        double to = best(l, j);
        *flipped = *flipped || (to > 0) != (old > 0) || (to < 0) != (old < 0);
        largest = fmax(largest, fabs(to - old));
        gpai_active_set_move(&l->a, j, to);
        l->a.work += (double)(l->s.tall ? l->s.d : 2 * l->s.n);
    }
    return largest;
}

/* How many take part; the largest of them in *top. */
static size_t count(const gpai_lasso *l, double *top)
{
    size_t n = 0;
    *top = 0;
    for (size_t j = 0; j < l->s.d; j++) {
        n += l->a.w[j] != 0;
        *top = fmax(*top, fabs(l->a.w[j]));
    }
    return n;
}

/* Where there is no room for all that take part, the minimum over some of them. */
static bool jump(gpai_lasso *l)
{
    bool room = gpai_active_set_gather(&l->a);
    gpai_active_set_finish(&l->a);
    return room;
}

/* Sweeps until a look at all columns, from where a jump ended, finds nothing to do. */
static void descend(gpai_lasso *l, size_t patience, gpai_lasso_fit *fit)
{
    bool all = true, there = false, flipped;
    size_t steady = 0, active = 0;
    while (fit->sweeps < patience + active / 4 && !fit->converged && l->a.work < WORK) {
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
        double one = isinf(l->a.lambda[j]) ? 0 : fabs(best(l, j) - l->a.w[j]);
        at = one > *wish ? j : at;
        *wish = fmax(*wish, one);
    }
    l->a.work += (double)l->s.d * (l->s.tall ? 1 : (double)l->s.n);
    return at;
}

/* Where sweeps let in too many columns, over and over: one at a time. */
static void pick(gpai_lasso *l, gpai_lasso_fit *fit)
{
    bool room = jump(l);
    while (room && l->a.work < WORK && fit->sweeps < MOST_SWEEPS) {
        double top, wish;
        size_t j = keenest(l, &wish);
        count(l, &top);
        fit->sweeps++;
        fit->converged = wish <= TIGHT * top;
        if (fit->converged)
            return;
        bool known = l->a.w[j] != 0;
        gpai_active_set_move(&l->a, j, best(l, j));
        room = known || gpai_active_set_admit(&l->a, j);
        gpai_active_set_finish(&l->a);
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
        l->a.lambda[j] = spread > 0 ? l1 / spread / height : HUGE_VAL;
    }
    memset(l->a.w, 0, d * sizeof *l->a.w);
    l->a.work = 0;
    if (height > 0) { /* else it is 0, or t overflows, which the constant tells */
        descend(l, PATIENCE, &fit);
        if (!fit.converged)
            pick(l, &fit);
        if (!fit.converged)
            descend(l, MOST_SWEEPS, &fit);
    }
    memcpy(w, l->a.w, d * sizeof *w);
    fit.constant = gpai_standardised_back(&l->s, w);
    return fit;
}
