#include "engine/proposal.h"
#include "base/small.h"
#include "base/special.h"
#include <math.h>

/* Cells of a line: an even part over the whole range and a fine one around the place
 * that the likelihood prefers. */
enum { EVEN = 256, FINE = GPAI_PART_CELLS - EVEN };

static const double LN_2PI = 1.83787706640934548356;

static double log_posterior(const gpai_part_line *line, double s)
{
    double r = (line->centre - s) / line->scale;
    return -0.5 * s * s - line->power * log1p(0.5 * r * r);
}

/* Edges of both parts in one ascending list; the fine ones that fall outside the range
 * repeat its end and make empty cells. */
static void merge_edges(double *edge, double lo, double hi, const gpai_part_line *line)
{
    double width = line->scale / sqrt(line->power);
    size_t i = 0, j = 0;
    while (i <= EVEN || j < FINE) {
        double even = i < EVEN ? lo + (hi - lo) * (double)i / EVEN : hi;
        double t = sinh(18 * (((double)j + 0.5) / FINE - 0.5)); /* its tails too */
        double fine = fmin(fmax(line->centre + width * t, lo), hi);
        bool take_even = j == FINE || (i <= EVEN && even <= fine);
        edge[i + j] = take_even ? even : fine;
        if (take_even)
            i++;
        else
            j++;
    }
}

/* The cells that matter: [first, last] reach exp(-18) of the highest. */
static void find_mass(const gpai_part *p, size_t *first, size_t *last)
{
    double top = -HUGE_VAL;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++)
        top = fmax(top, p->ratio[i]);
    *first = GPAI_PART_CELLS - 1;
    *last = 0;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++)
        if (p->ratio[i] > top - 18 && p->edge[i + 1] > p->edge[i]) {
            *first = i < *first ? i : *first;
            *last = i;
        }
}

/* From log densities at the middles to densities and their sums. */
static void normalise(gpai_part *p, double top)
{
    p->sum[0] = 0;
    for (size_t i = 0; i < GPAI_PART_CELLS; i++) {
        p->ratio[i] = exp(p->ratio[i] - top);
        p->sum[i + 1] = p->sum[i] + p->ratio[i] * (p->edge[i + 1] - p->edge[i]);
    }
    double total = p->sum[GPAI_PART_CELLS];
    for (size_t i = 0; i < GPAI_PART_CELLS; i++) {
        p->ratio[i] /= total;
        p->sum[i + 1] /= total;
    }
}

bool gpai_part_fit_line(gpai_part *p, const gpai_part_line *line)
{
    double hi = fmin(fmax(fabs(line->centre), 8.5), 30), lo = -hi;
    size_t first, last;
    p->rank = 1;
    p->line = true;
    for (int zoom = 0;; zoom++) {
        merge_edges(p->edge, lo, hi, line);
        for (size_t i = 0; i < GPAI_PART_CELLS; i++)
            p->ratio[i] = log_posterior(line, 0.5 * (p->edge[i] + p->edge[i + 1]));
        find_mass(p, &first, &last);
        if (last - first >= 32 || zoom == 4)
            break;
        lo = p->edge[first > 0 ? first - 1 : 0];
        hi = p->edge[last + 2 < GPAI_PART_CELLS ? last + 2 : GPAI_PART_CELLS];
    }
    double top = -HUGE_VAL;
    for (size_t i = first; i <= last; i++)
        top = fmax(top, p->ratio[i]);
    if (!isfinite(top))
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

/* The last i with list[i] <= x, of an ascending list that holds x. */
static size_t locate(const double *list, double x)
{
    size_t lo = 0, hi = GPAI_PART_CELLS;
    while (hi - lo > 1) {
        size_t i = (lo + hi) / 2;
        if (list[i] <= x)
            lo = i;
        else
            hi = i;
    }
    return lo;
}

/* The point of the line below which a share u of it lies. */
static double line_quantile(const gpai_part *p, double u)
{
    size_t i = locate(p->sum, u);
    double mass = p->sum[i + 1] - p->sum[i];
    double part = mass > 0 ? fmin((u - p->sum[i]) / mass, 1) : 0;
    return p->edge[i] + part * (p->edge[i + 1] - p->edge[i]);
}

/* Coordinates of z along the part's directions. */
static const double *project(const gpai_part *p, const double *z, double *room)
{
    if (p->direction == NULL)
        return z;
    for (size_t i = 0; i < p->rank; i++)
        room[i] = gpai_dot(p->direction + i * p->m, z, p->m);
    return room;
}

static void move_one(const gpai_part *p, double *z)
{
    double *room = p->scratch, *to = room + p->rank;
    const double *from = project(p, z, room);
    if (p->line) {
        to[0] = line_quantile(p, gpai_norm_cdf(from[0]));
    } else {
        gpai_lower_times(p->factor, p->rank, from, to);
        for (size_t i = 0; i < p->rank; i++)
            to[i] += p->mean[i];
    }
    for (size_t i = 0; i < p->rank; i++) {
        if (p->direction == NULL) {
            z[i] = to[i];
            continue;
        }
        double by = to[i] - from[i];
        const double *direction = p->direction + i * p->m;
        for (size_t k = 0; k < p->m; k++)
            z[k] += by * direction[k];
    }
}

void gpai_part_move(const gpai_part *p, double *z, size_t n)
{
    for (size_t i = 0; i < n; i++)
        move_one(p, z + i * p->m);
}

static double line_ratio(const gpai_part *p, double s)
{
    if (!(s >= p->edge[0] && s < p->edge[GPAI_PART_CELLS]))
        return 0;
    return p->ratio[locate(p->edge, s)] * exp(0.5 * (s * s + LN_2PI));
}

static double normal_ratio(const gpai_part *p, const double *at)
{
    double *off = p->scratch + p->rank, *white = off + p->rank, log_ratio = -p->log_det;
    for (size_t i = 0; i < p->rank; i++)
        off[i] = at[i] - p->mean[i];
    gpai_lower_times(p->inverse, p->rank, off, white);
    for (size_t i = 0; i < p->rank; i++)
        log_ratio += 0.5 * (at[i] * at[i] - white[i] * white[i]);
    return exp(fmin(log_ratio, 600));
}

void gpai_part_add_ratio(const gpai_part *p, const double *z, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const double *at = project(p, z + i * p->m, p->scratch);
        out[i] += p->draws * (p->line ? line_ratio(p, at[0]) : normal_ratio(p, at));
    }
}
