#include "engine/culprit/several/linked.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

enum { MOST = GPAI_LINKED_MOST };

static void lay_out(void *work, gpai_arena *a)
{
    gpai_linked *k = work;
    size_t n = MOST * k->q->widest;
    k->score = gpai_take_bytes(a, n, sizeof *k->score);
    k->p = gpai_take(a, n, n);
    k->g = gpai_take(a, n, k->q->crowd->ld);
    k->base = gpai_take(a, k->q->crowd->ld, 1);
    GPAI_TAKE_EACH(a, n, MOST, &k->to_line, &k->by_line);
    k->part = gpai_take(a, n, 1);
    k->ends = gpai_take(a, k->q->crowd->ld, 4);
}

gpa_status gpai_linked_open(gpai_linked *k, const gpai_plausible *q, gpa_error *err)
{
    *k = (gpai_linked){.q = q};
    k->block = gpai_carve(lay_out, k);
    return k->block != NULL ? GPA_OK : gpai_nomem(err, "plausible");
}

void gpai_linked_close(gpai_linked *k)
{
    gpai_free(k->block);
    *k = (gpai_linked){0};
}

/* The precision of the scores, and the components' pulls, as they are. */
static void take_scores(gpai_linked *k)
{
    const gpai_plausible *q = k->q;
    const gpai_crowd *d = q->crowd;
    size_t n = 0;
    for (size_t i = 0; i < k->axes; i++) {
        const gpai_trait *t = &d->trait[k->axis[i]];
        k->first[i] = n;
        for (size_t j = 0; j < t->width && !q->s->axis[k->axis[i]].gap; j++)
            k->score[n++] = t->first + j;
    }
    k->first[k->axes] = k->n = n;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b <= a; b++)
            k->p[a * n + b] = k->p[b * n + a] =
                gpai_plausible_link(q, k->score[a], k->score[b]);
        memcpy(k->g + a * d->ld, q->g + k->score[a] * d->ld,
               d->components * sizeof *k->g);
    }
    k->components = d->components;
    memcpy(k->base, q->base, d->components * sizeof *k->base);
}

/* The inverse of a positive definite m by m matrix, which is used up; ln of its
 * determinant is returned. */
static double invert(double *a, size_t m, double *inverse)
{
    double log_det = 0;
    gpai_cholesky(a, m); /* part of a precision: succeeds */
    for (size_t j = 0; j < m; j++) {
        double *column = inverse + j * m;
        memset(column, 0, m * sizeof *column);
        column[j] = 1;
        gpai_cholesky_solve(a, m, column);
        log_det += 2 * log(a[j * m + j]);
    }
    return log_det;
}

/* b' T b of m numbers. */
static double form(const double *t, const double *b, size_t m)
{
    double sum = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            sum += b[i] * t[i * m + j] * b[j];
    return sum;
}

/* Components N(mean_i, P^-1) become N(mean_i, P^-1 + V), V on m scores of lines. With
 * T = (V^-1 + P_ll)^-1: base += g_l' T g_l / 2 - ln det(I + V P_ll) / 2, then g -= P_l
 * T g_l and P -= P_l T P_l'. */
static void widen_components(gpai_linked *k, const size_t *line, const double *v,
                             size_t m)
{
    size_t n = k->n, ld = k->q->crowd->ld;
    double a[MOST * MOST], t[MOST * MOST], pull[MOST], lost = 0;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            a[i * m + j] = k->p[line[i] * n + line[j]] + (i == j ? 1 / v[i] : 0);
        lost += log(v[i]);
    }
    lost += invert(a, m, t);
    k->blur = exp(0.5 * lost);
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < m; i++) {
            k->to_line[s * m + i] = k->p[s * n + line[i]];
            k->by_line[s * m + i] = 0;
            for (size_t j = 0; j < m; j++)
                k->by_line[s * m + i] += t[i * m + j] * k->p[s * n + line[j]];
        }
    for (size_t c = 0; c < k->components; c++) {
        for (size_t i = 0; i < m; i++)
            pull[i] = k->g[line[i] * ld + c];
        k->base[c] += 0.5 * (form(t, pull, m) - lost);
        for (size_t s = 0; s < n; s++)
            for (size_t i = 0; i < m; i++)
                k->g[s * ld + c] -= k->by_line[s * m + i] * pull[i];
    }
    for (size_t s = 0; s < n; s++)
        for (size_t r = 0; r < n; r++)
            for (size_t i = 0; i < m; i++)
                k->p[s * n + r] -= k->to_line[s * m + i] * k->by_line[r * m + i];
}

void gpai_linked_take(gpai_linked *k, const size_t *axis, size_t axes,
                      const double *widen)
{
    size_t line[MOST], m = 0;
    double v[MOST];
    k->axes = axes;
    memcpy(k->axis, axis, axes * sizeof *axis);
    k->blur = 1;
    take_scores(k);
    for (size_t i = 0; i < axes; i++)
        if (widen[i] > 0) {
            line[m] = k->first[i];
            v[m++] = widen[i];
        }
    if (m > 0)
        widen_components(k, line, v, m);
}

/* ln of component c at changes of the scores, up to what all have in common. */
static double line_at(const gpai_linked *k, size_t c, const double *dz)
{
    double e = k->base[c];
    for (size_t i = 0; i < k->n; i++)
        e -= k->g[i * k->q->crowd->ld + c] * dz[i];
    return e;
}

/* Of changes between low and high. */
static void prune_between(gpai_linked *k, const double *low, const double *high)
{
    static const double NOTHING = 35; /* 200 times exp of minus that is rounding */
    enum { CORNERS = 1 << MOST };
    size_t corners = (size_t)1 << k->n, best = 0, left = 0, ld = k->q->crowd->ld;
    double dz[CORNERS][MOST], middle[MOST], top[CORNERS], most = -HUGE_VAL;
    for (size_t i = 0; i < k->n; i++) {
        middle[i] = 0.5 * (low[i] + high[i]);
        for (size_t j = 0; j < corners; j++)
            dz[j][i] = (j >> i & 1) != 0 ? high[i] : low[i];
    }
    for (size_t c = 0; c < k->components; c++) {
        double e = line_at(k, c, middle);
        if (e > most) {
            most = e;
            best = c;
        }
    }
    /* Differences of two are linear: below the best at all corners is below it
     * everywhere between. */
    for (size_t j = 0; j < corners; j++)
        top[j] = line_at(k, best, dz[j]) - NOTHING;
    for (size_t c = 0; c < k->components; c++) {
        bool counts = false;
        for (size_t j = 0; j < corners && !counts; j++)
            counts = !(line_at(k, c, dz[j]) < top[j]);
        if (!counts)
            continue;
        k->base[left] = k->base[c];
        for (size_t i = 0; i < k->n; i++)
            k->g[i * ld + left] = k->g[i * ld + c];
        left++;
    }
    k->components = left;
}

void gpai_linked_prune(gpai_linked *k, const double *const *shift, const size_t *count)
{
    double low[MOST], high[MOST];
    for (size_t i = 0; i < k->axes; i++) {
        const double *at = shift[i];
        if (k->first[i + 1] - k->first[i] != 1)
            return;
        low[i] = high[i] = at[0];
        for (size_t c = 1; c < count[i]; c++) {
            low[i] = at[c] < low[i] ? at[c] : low[i];
            high[i] = at[c] > high[i] ? at[c] : high[i];
        }
    }
    prune_between(k, low, high);
}

/* One score: ln of component l is -g_l dz, the largest that of the least or the largest
 * pull. */
static double line_terms(const gpai_linked *k, size_t score, const double *shift,
                         size_t count, size_t ld, double *own, double *e)
{
    const double *g = k->g + score * k->q->crowd->ld;
    double least = g[0], most = g[0], p = k->p[score * k->n + score], far = 0;
    for (size_t l = 1; l < k->components; l++) {
        least = g[l] < least ? g[l] : least;
        most = g[l] > most ? g[l] : most;
    }
    for (size_t c = 0; c < count; c++) {
        double dz = shift[c], pull = dz > 0 ? least : most;
        own[c] -= dz * (0.5 * p * dz + pull);
        far = fabs(dz) > far ? fabs(dz) : far;
    }
    for (size_t l = 0; l < k->components; l++) {
        double *to = e + l * ld, below = least - g[l], above = most - g[l];
        for (size_t c = 0; c < count; c++)
            to[c] = (shift[c] > 0 ? below : above) * shift[c];
        for (size_t c = count; c < ld; c++)
            to[c] = -HUGE_VAL;
    }
    return (most - least) * far;
}

double gpai_linked_terms(const gpai_linked *k, size_t i, const double *shift,
                         size_t count, size_t ld, double *own, double *e, double *top)
{
    size_t first = k->first[i], width = k->first[i + 1] - first, n = k->components;
    double range = 0;
    if (width == 1)
        return line_terms(k, first, shift, count, ld, own, e);
    for (size_t c = 0; c < ld; c++)
        top[c] = -HUGE_VAL;
    for (size_t c = 0; c < count; c++)
        for (size_t j = 0; j < width; j++)
            own[c] -=
                0.5 * shift[c * width + j] *
                gpai_dot(k->p + (first + j) * k->n + first, shift + c * width, width);
    for (size_t l = 0; l < n; l++) {
        double *to = e + l * ld;
        for (size_t c = 0; c < count && width > 0; c++)
            to[c] = 0;
        for (size_t j = 0; j < width; j++) {
            double g = k->g[(first + j) * k->q->crowd->ld + l];
            for (size_t c = 0; c < count; c++)
                to[c] -= g * shift[c * width + j];
        }
        for (size_t c = 0; c < count; c++)
            top[c] = to[c] > top[c] ? to[c] : top[c];
    }
    for (size_t l = 0; l < n; l++) {
        double *to = e + l * ld;
        for (size_t c = 0; c < count; c++) {
            to[c] -= top[c];
            range = -to[c] > range ? -to[c] : range;
        }
        for (size_t c = count; c < ld; c++)
            to[c] = -HUGE_VAL;
    }
    for (size_t c = 0; c < count; c++)
        own[c] += top[c];
    return range;
}

/* Whether places are as far apart, each from the next. */
static bool is_even(const double *at, size_t count)
{
    static const double ROUNDING = 1e-11;
    double step = count > 1 ? (at[count - 1] - at[0]) / (double)(count - 1) : 0;
    for (size_t c = 0; c < count; c++)
        if (!(fabs(at[0] + step * (double)c - at[c]) < ROUNDING))
            return false;
    return count > 8;
}

void gpai_linked_factors(gpai_linked *k, size_t i, const double *shift, size_t count,
                         size_t ld, double *e)
{
    enum { LEFT, RIGHT = 2, EACH = 4 }; /* the first and the ratio of both parts */
    size_t n = k->components, left = 0;
    if (k->first[i + 1] - k->first[i] != 1 || !is_even(shift, count)) {
        k->q->v->exp(e, n * ld);
        return;
    }
    while (left < count && !(shift[left] > 0))
        left++;
    size_t last = count - 1, right = left < count ? left : last;
    double *x = k->ends;
    for (size_t l = 0; l < n; l++) {
        const double *from = e + l * ld;
        x[l * EACH + LEFT] = from[0];
        x[l * EACH + LEFT + 1] = left > 1 ? from[1] - from[0] : 0;
        x[l * EACH + RIGHT] = from[right];
        x[l * EACH + RIGHT + 1] = right < last ? from[right + 1] - from[right] : 0;
    }
    k->q->v->exp(x, n * EACH);
    for (size_t l = 0; l < n; l++, x += EACH) {
        double *to = e + l * ld;
        gpai_powers(x[LEFT], x[LEFT + 1], left, to);
        gpai_powers(x[RIGHT], x[RIGHT + 1], count - left, to + left);
        memset(to + count, 0, (ld - count) * sizeof *to);
    }
}

void gpai_linked_cross(const gpai_linked *k, size_t a, const double *shift_a,
                       size_t count_a, size_t b, const double *shift_b, size_t count_b,
                       size_t ld, double *out)
{
    size_t x = k->first[a + 1] - k->first[a], y = k->first[b + 1] - k->first[b];
    double link = x == 1 && y == 1 ? k->p[k->first[a] * k->n + k->first[b]] : 0;
    for (size_t i = 0; i < count_b; i++) {
        double pull = link * shift_b[i];
        if (x == 1 && y == 1) {
            for (size_t j = 0; j < count_a; j++)
                out[i * ld + j] = pull * shift_a[j];
            continue;
        }
        for (size_t j = 0; j < x; j++)
            k->part[j] = gpai_dot(k->p + (k->first[a] + j) * k->n + k->first[b],
                                  shift_b + i * y, y);
        for (size_t j = 0; j < count_a; j++)
            out[i * ld + j] = gpai_dot(shift_a + j * x, k->part, x);
    }
}
