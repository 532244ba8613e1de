#include "engine/marginals/proposal.h"
#include "base/math/matrix.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include <math.h>
#include <string.h>

/* Cells of a line: an even part over the whole range and a fine one around the place
 * that the likelihood prefers. */
enum { EVEN = 256, FINE = GPAI_PART_CELLS - EVEN };

/* Draws that are weighed and moved together. */
enum { TOGETHER = GPAI_VDRAWS };

/* sinh(18 u) at the middles of FINE cells of u in (-1/2, 1/2): a fine part reaches far
 * into the tails. */
static void fill_fine(double *t)
{
    const double step = 1.1509929446911764; /* exp(18 / 128) */
    double e = 1.0728433924348775;          /* its root */
    for (size_t i = 0; i < FINE / 2; i++, e *= step) {
        t[FINE / 2 + i] = 0.5 * (e - 1 / e);
        t[FINE / 2 - 1 - i] = -t[FINE / 2 + i];
    }
}

/* Edges of both parts in one ascending list; the fine ones that fall outside the range
 * repeat its end and make empty cells. */
static void merge_edges(double *edge, double lo, double hi, const gpai_part_line *line,
                        const double *t)
{
    double width = line->scale / sqrt(line->power), step = (hi - lo) / EVEN;
    size_t i = 0;
    for (size_t j = 0; j <= FINE; j++) {
        double fine = j < FINE ? line->centre + width * t[j] : hi;
        fine = fine < lo ? lo : fine > hi ? hi : fine;
        for (; i < EVEN && lo + step * (double)i <= fine; i++)
            edge[i + j] = lo + step * (double)i;
        edge[i + j] = fine;
    }
}

/* Log densities at the middles of the cells. */
static void find_posterior(const gpai_part_line *line, const double *edge, double *out)
{
    double by = 0.5 / line->scale;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++) {
        double r = (2 * line->centre - (edge[i] + edge[i + 1])) * by;
        out[i] = 1 + 0.5 * r * r;
    }
    gpai_vectors_at(0)->log(out, GPAI_PART_CELLS);
    for (size_t i = 0; i < GPAI_PART_CELLS; i++) {
        double s = 0.5 * (edge[i] + edge[i + 1]), r = (line->centre - s) * (2 * by);
        out[i] = fabs(r) < 1e150 ? -0.5 * s * s - line->power * out[i] : -HUGE_VAL;
    }
}

/* The cells that matter: [first, last] reach exp(-18) of the highest, which is
 * returned. */
static double find_mass(const gpai_part *p, size_t *first, size_t *last)
{
    double top = -HUGE_VAL;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++)
        top = p->ratio[i] > top ? p->ratio[i] : top;
    *first = GPAI_PART_CELLS - 1;
    *last = 0;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++)
        if (p->ratio[i] > top - 18 && p->edge[i + 1] > p->edge[i]) {
            *first = i < *first ? i : *first;
            *last = i;
        }
    return top;
}

/* From log densities at the middles to densities and their sums. */
static void normalise(gpai_part *p, double top)
{
    for (size_t i = 0; i < GPAI_PART_CELLS; i++)
        p->ratio[i] -= top;
    gpai_vectors_at(0)->exp(p->ratio, GPAI_PART_CELLS);
    p->sum[0] = 0;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++)
        p->sum[i + 1] = p->sum[i] + p->ratio[i] * (p->edge[i + 1] - p->edge[i]);
    double by = 1 / p->sum[GPAI_PART_CELLS];
    for (size_t i = 0; i < GPAI_PART_CELLS; i++) {
        p->ratio[i] *= by;
        p->sum[i + 1] *= by;
    }
}

bool gpai_part_fit_line(gpai_part *p, const gpai_part_line *line)
{
    double hi = fmin(fmax(fabs(line->centre), 8.5), 30), lo = -hi, top, fine[FINE];
    size_t first, last;
    p->rank = 1;
    p->line = true;
    fill_fine(fine);
    for (int zoom = 0;; zoom++) {
        merge_edges(p->edge, lo, hi, line, fine);
        find_posterior(line, p->edge, p->ratio);
        top = find_mass(p, &first, &last);
        if (last - first >= 32 || zoom == 4)
            break;
        lo = p->edge[first > 0 ? first - 1 : 0];
        hi = p->edge[last + 2 < GPAI_PART_CELLS ? last + 2 : GPAI_PART_CELLS];
    }
    if (!isfinite(top) || last < first)
        return false;
    normalise(p, top);
    return true;
}

bool gpai_part_fit_normal(gpai_part *p)
{
    if (!gpai_cholesky(p->factor, p->rank))
        return false;
    gpai_lower_invert(p->factor, p->rank, p->inverse);
    p->line = false;
    p->log_det = 0;
    for (size_t i = 0; i < p->rank; i++)
        p->log_det += log(p->factor[i * p->rank + i]);
    return true;
}

/* at[k] is the last i with list[i] <= x[k], of an ascending list that holds all x.
 * Halves are chosen without a branch, which no processor could foresee, and for eight x
 * in turn, which do not wait for each other. */
enum { LOOKS = 8 };
static void locate(const double *list, const double *x, size_t n, size_t *at)
{
    for (size_t k = 0; k < n; k += LOOKS) {
        const double *found[LOOKS];
        double y[LOOKS];
        for (size_t j = 0; j < LOOKS; j++) {
            found[j] = list;
            y[j] = x[k + j < n ? k + j : k];
        }
        for (size_t length = GPAI_PART_CELLS; length > 1; length -= length / 2)
            for (size_t j = 0; j < LOOKS; j++) {
                const double *next = found[j] + length / 2;
                found[j] = *next <= y[j] ? next : found[j];
            }
        for (size_t j = 0; j < LOOKS && k + j < n; j++)
            at[k + j] = (size_t)(found[j] - list);
    }
}

/* The point of the line below which a share u of it lies; u is in cell i. */
static double line_quantile(const gpai_part *p, double u, size_t i)
{
    double mass = p->sum[i + 1] - p->sum[i];
    double part = mass > 0 ? (u - p->sum[i]) / mass : 0;
    return p->edge[i] + (part < 1 ? part : 1) * (p->edge[i + 1] - p->edge[i]);
}

/* Coordinates of z along direction i. */
static double coordinate(const gpai_part *p, const double *z, size_t i)
{
    return gpai_dot(p->direction + i * p->m, z, p->m);
}

static void shift(const gpai_part *p, size_t i, double by, double *z)
{
    const double *direction = p->direction + i * p->m;
    for (size_t k = 0; k < p->m; k++)
        z[k] += by * direction[k];
}

/* Along the part's directions. */
static void move_turned(const gpai_part *p, double *z)
{
    double *from = p->scratch, *to = from + p->rank;
    for (size_t i = 0; i < p->rank; i++)
        from[i] = coordinate(p, z, i);
    gpai_lower_times(p->factor, p->rank, from, to);
    for (size_t i = 0; i < p->rank; i++)
        shift(p, i, to[i] + p->mean[i] - from[i], z);
}

/* In all dimensions. */
static void move_normal(const gpai_part *p, double *z, size_t n)
{
    double at[GPAI_PART_RANK * TOGETHER], to[TOGETHER];
    const gpai_vectors *v = gpai_vectors_at(0);
    gpai_blocks_fill(at, z, p->m, 0, n);
    for (size_t i = 0; i < p->rank; i++) {
        v->project(at, p->factor + i * p->rank, i + 1, to);
        for (size_t k = 0; k < n; k++)
            z[k * p->m + i] = to[k] + p->mean[i];
    }
}

static void move_along(const gpai_part *p, double *z, size_t n)
{
    double from[TOGETHER], below[TOGETHER] = {0};
    size_t cell[TOGETHER];
    for (size_t i = 0; i < n; i++)
        below[i] = from[i] = coordinate(p, z + i * p->m, 0);
    gpai_vectors_at(0)->cdf(below, n);
    locate(p->sum, below, n, cell);
    for (size_t i = 0; i < n; i++)
        shift(p, 0, line_quantile(p, below[i], cell[i]) - from[i], z + i * p->m);
}

void gpai_part_move(const gpai_part *p, double *z, size_t n)
{
    for (size_t i = 0; i < n; i += TOGETHER, z += TOGETHER * p->m) {
        size_t count = n - i < TOGETHER ? n - i : TOGETHER;
        if (p->line)
            move_along(p, z, count);
        else if (p->direction == NULL)
            move_normal(p, z, count);
        for (size_t k = 0; !p->line && p->direction != NULL && k < count; k++)
            move_turned(p, z + k * p->m);
    }
}

void gpai_blocks_fill(double *blocks, const double *z, size_t m, size_t from, size_t to)
{
    for (size_t i = from, next; i < to; i = next) {
        size_t first = i - i % TOGETHER, start = i - first, end;
        double *block = blocks + first * m;
        end = to - first < TOGETHER ? to - first : TOGETHER;
        next = first + end;
        if (start == 0 && end < TOGETHER)
            memset(block, 0, TOGETHER * m * sizeof *block);
        for (size_t k = 0; k < m; k++, block += TOGETHER) {
            const double *x = z + first * m + k;
            for (size_t place = start; place < end; place++)
                block[place] = x[place * m];
        }
    }
}

/* q(z) / N(z; 0, I) of a block of draws. */
static void line_ratios(const gpai_part *p, const double *z, double *out)
{
    double at[TOGETHER], normal[TOGETHER];
    size_t cell[TOGETHER];
    const gpai_vectors *v = gpai_vectors_at(0);
    v->project(z, p->direction, p->m, at);
    for (size_t i = 0; i < TOGETHER; i++)
        normal[i] = 0.5 * (at[i] * at[i] + GPAI_LN_2PI);
    v->exp(normal, TOGETHER);
    locate(p->edge, at, TOGETHER, cell);
    for (size_t i = 0; i < TOGETHER; i++) {
        bool inside = at[i] >= p->edge[0] && at[i] < p->edge[GPAI_PART_CELLS];
        out[i] = inside ? p->draws * p->ratio[cell[i]] * normal[i] : 0;
    }
}

static void normal_ratios(const gpai_part *p, const double *z, double *out)
{
    double at[GPAI_PART_RANK * TOGETHER], room[GPAI_PART_RANK * TOGETHER];
    const gpai_vectors *v = gpai_vectors_at(0);
    for (size_t i = 0; i < p->rank && p->direction != NULL; i++)
        v->project(z, p->direction + i * p->m, p->m, at + i * TOGETHER);
    v->squares(p->direction != NULL ? at : z, p->mean, p->inverse, p->rank, room, out);
    for (size_t k = 0; k < TOGETHER; k++) {
        out[k] = 0.5 * out[k] - p->log_det;
        out[k] = out[k] < 600 ? out[k] : 600;
    }
    v->exp(out, TOGETHER);
    for (size_t k = 0; k < TOGETHER; k++)
        out[k] *= p->draws;
}

void gpai_part_add_ratio(const gpai_part *p, const double *blocks, size_t from,
                         size_t to, double *out)
{
    double ratio[TOGETHER];
    for (size_t i = from, next; i < to; i = next) {
        const double *z = gpai_block_of(blocks, i, p->m);
        size_t first = i - i % TOGETHER;
        next = first + TOGETHER < to ? first + TOGETHER : to;
        if (p->line)
            line_ratios(p, z, ratio);
        else
            normal_ratios(p, z, ratio);
        for (size_t k = i; k < next; k++)
            out[k] += ratio[k - first];
    }
}
