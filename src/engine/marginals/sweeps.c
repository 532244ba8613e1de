#include "engine/marginals/sweeps.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include <math.h>
#include <string.h>

#define GPAI_LOOPS "engine/marginals/sweeps_loops.h"
#include "base/cpu_sets.h"

struct loops {
    void (*distances)(double start, const double *scale, const double *at,
                      const double *row, size_t ld, size_t axes, size_t rows,
                      double *cover);
    void (*leave)(const double *up, const double *down, const double *at,
                  const double *back, size_t rows, double *cover);
    void (*enter)(const double *up, const double *down, const double *at,
                  const double *back, size_t rows, double *cover);
    void (*conditional)(const double *cover, const uint32_t *row, const uint32_t *start,
                        size_t cells, const double *left, const double *right,
                        const double *fade, double *f);
};

#define SET(x)                                                                         \
    {                                                                                  \
        x##_distances, x##_leave, x##_enter, x##_conditional                           \
    }

static const struct loops SETS[] = {GPAI_CPU_SETS(SET)};

static const struct loops *loops(void)
{
    return gpai_cpu_at(SETS, sizeof SETS[0], 0);
}

static size_t cells_of(const gpai_sweeps *s, size_t axis)
{
    size_t values = s->quantiles->axis[axis].values;
    if (values > 0)
        return values;
    return s->axes <= GPAI_SWEEP_FEW ? GPAI_SWEEP_FINE : GPAI_SWEEP_CELLS;
}

static void lay_out_axis(const gpai_sweeps *s, gpai_sweep_axis *x, size_t cells,
                         gpai_arena *a)
{
    size_t rows = s->k->room;
    gpai_sweep_axis out = {.cells = cells, .scale = 1};
    GPAI_TAKE_EACH(a, cells, 1, &out.z, &out.t, &out.prior, &out.mass, &out.fade);
    out.g = gpai_take(a, s->each, cells);
    out.total = gpai_take(a, cells, GPAI_CHAINS);
    out.row = gpai_take_bytes(a, rows, sizeof *out.row);
    out.start = gpai_take_bytes(a, cells + 2, sizeof *out.start);
    GPAI_TAKE_EACH(a, rows, 1, &out.up, &out.down);
    GPAI_TAKE_EACH(a, s->outputs, rows, &out.left, &out.right);
    if (a->base != NULL)
        *x = out;
}

void gpai_sweeps_lay_out(gpai_sweeps *s, gpai_arena *a)
{
    size_t most = 0;
    s->v = gpai_vectors_at(0);
    s->axes = s->k->axes;
    s->outputs = s->k->outputs;
    s->each = s->k->warp != NULL ? s->k->warp->each : 0;
    s->axis = gpai_take_bytes(a, s->axes, sizeof *s->axis);
    for (size_t i = 0; i < s->axes; i++) {
        size_t cells = cells_of(s, i);
        most = cells > most ? cells : most;
        lay_out_axis(s, s->axis + i, cells, a);
    }
    s->ranked = gpai_take_bytes(a, s->k->room, sizeof *s->ranked);
    s->lambda = gpai_take(a, s->axes, 1);
    s->uniform = gpai_take(a, s->most_sweeps * s->axes, s->most_chains);
    s->cover = gpai_take(a, s->k->room, GPAI_CHAINS);
    GPAI_TAKE_EACH(a, most, GPAI_CHAINS, &s->f, &s->log_p);
    GPAI_TAKE_EACH(a, s->axes, GPAI_CHAINS, &s->z, &s->t);
    s->g = gpai_take(a, s->k->features, GPAI_CHAINS);
    GPAI_TAKE_EACH(a, GPAI_CHAINS, 1, &s->up, &s->down);
    s->at = gpai_take_bytes(a, s->axes * GPAI_CHAINS, sizeof *s->at);
}

/* t and g at z. */
static double place(const gpai_sweeps *s, size_t axis, double z, double *g,
                    size_t stride)
{
    double u = gpai_norm_cdf(z);
    return s->k->warp != NULL ? gpai_warp_place(s->k->warp, axis, u, g, stride) : u;
}

static void list_cells(gpai_sweeps *s, size_t axis)
{
    gpai_sweep_axis *a = &s->axis[axis];
    const gpai_quantiles_axis *own = &s->quantiles->axis[axis];
    a->listed = own->values > 0;
    for (size_t j = 0; j < a->cells; j++) {
        double u = ((double)j + 0.5) / (double)a->cells, x = gpai_norm_quantile(u), p;
        if (a->listed) {
            a->z[j] = gpai_quantiles_middle(own, j, &p);
            a->prior[j] = log(fmax(p, 1e-300));
        } else {
            a->z[j] = a->centre + a->scale * x;
            a->prior[j] = 0.5 * (x * x - a->z[j] * a->z[j]);
        }
        a->t[j] = place(s, axis, a->z[j], a->g + j, a->cells);
    }
}

/* Cells of equal prior probability do not do where the posterior is narrower than three
 * of them, nor where it reaches into the outermost: then they are those of a normal a
 * quarter wider than the posterior. Chosen. */
static void aim(gpai_sweep_axis *a, double mean, double sd)
{
    static const double NARROW = 3, FAR_OUT = 2.2, WIDER = 1.25;
    bool narrow = sd * gpai_norm_pdf(mean) * (double)a->cells < NARROW;
    bool far_out = fabs(mean) + 1.645 * sd > FAR_OUT;
    a->centre = narrow || far_out ? mean : 0;
    a->scale = narrow || far_out ? fmax(WIDER * sd, 1e-6 * fmax(1, fabs(mean))) : 1;
}

void gpai_sweeps_aim(gpai_sweeps *s, const double *z, const double *w, size_t n)
{
    for (size_t k = 0; k < s->axes; k++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < n; i++)
            mean += w[i] * z[i * s->axes + k];
        for (size_t i = 0; i < n; i++) {
            double off = z[i * s->axes + k] - mean;
            square += w[i] * off * off;
        }
        aim(&s->axis[k], mean, sqrt(square));
        list_cells(s, k);
    }
}

/* The rows of the fit in the order of an axis, and their weights as seen from the grid
 * on either side of them. */
static void sort_rows(gpai_sweeps *s, size_t axis)
{
    gpai_sweep_axis *a = &s->axis[axis];
    const gpai_kriging *k = s->k;
    const double *t = k->u + axis * k->ld;
    double lambda = s->lambda[axis];
    size_t rows = k->rows, room = k->room, j = 0;
    gpai_rank(t, rows, s->ranked); /* falling */
    a->fade[0] = 1;
    for (size_t c = 1; c < a->cells; c++)
        a->fade[c] = exp(-lambda * (a->t[c] - a->t[c - 1]));
    a->start[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        size_t row = s->ranked[rows - 1 - i].place;
        while (j < a->cells && a->t[j] < t[row])
            a->start[++j] = (uint32_t)i;
        a->row[i] = (uint32_t)row;
        double left = j < a->cells ? exp(-lambda * (a->t[j] - t[row])) : 0;
        double right = j > 0 ? exp(-lambda * (t[row] - a->t[j - 1])) : 0;
        for (size_t o = 0; o < s->outputs; o++) {
            a->left[o * room + i] = left * k->alpha[o * k->ld + row];
            a->right[o * room + i] = right * k->alpha[o * k->ld + row];
        }
    }
    while (j <= a->cells)
        a->start[++j] = (uint32_t)rows;
    for (size_t i = 0; i < rows; i++) {
        a->up[i] = lambda * (t[i] - 0.5);
        a->down[i] = -a->up[i];
    }
    s->v->exp(a->up, rows);
    s->v->exp(a->down, rows);
}

/* One uniform number in each of as many even parts of (0, 1), shuffled. */
static void stratify(gpai_rng *rng, double *to, size_t n)
{
    double start = gpai_rng_unit(rng);
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)(gpai_rng_unit(rng) * (double)(i + 1));
        double own = ((double)i + start) / (double)n;
        to[i] = to[j];
        to[j] = own;
    }
}

/* Where the chains are, and how much each row covers them. */
static void start_block(gpai_sweeps *s, const double *z)
{
    const gpai_kriging *k = s->k;
    for (size_t a = 0; a < s->axes; a++)
        for (size_t c = 0; c < GPAI_CHAINS; c++) {
            size_t at = a * GPAI_CHAINS + c;
            s->z[at] = z[c * s->axes + a];
            s->t[at] = place(s, a, s->z[at], s->g + a * s->each * GPAI_CHAINS + c,
                             GPAI_CHAINS);
        }
    loops()->distances(log(s->fit->s2), s->lambda, s->t, k->u, k->ld, s->axes, k->rows,
                       s->cover);
    s->v->exp(s->cover, k->rows * GPAI_CHAINS);
}

/* e^(lambda t) of the chains on an axis, and its inverse. */
static void exponentials(gpai_sweeps *s, size_t axis)
{
    for (size_t c = 0; c < GPAI_CHAINS; c++) {
        s->up[c] = s->lambda[axis] * (s->t[axis * GPAI_CHAINS + c] - 0.5);
        s->down[c] = -s->up[c];
    }
    s->v->exp(s->up, GPAI_CHAINS);
    s->v->exp(s->down, GPAI_CHAINS);
}

/* A polynomial x'Qx + slope'x of count numbers, of which those from `from` to `to` are
 * yet to come: the rest of it into `rest`, and the factors of those into `by` (to -
 * from by GPAI_CHAINS). */
static void split(const double *slope, const double *square, const double *x,
                  size_t count, size_t from, size_t to, double *rest, double *by)
{
    for (size_t a = 0; a < count; a++) {
        double own[GPAI_CHAINS];
        bool open = a >= from && a < to;
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            own[c] = slope[a];
        for (size_t b = 0; b < count && square != NULL; b++) {
            double q = (open ? 2 : 1) * square[a * count + b];
            if (b < from || b >= to)
                for (size_t c = 0; c < GPAI_CHAINS; c++)
                    own[c] += q * x[b * GPAI_CHAINS + c];
        }
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            if (open)
                by[(a - from) * GPAI_CHAINS + c] = own[c];
            else
                rest[c] += own[c] * x[a * GPAI_CHAINS + c];
    }
}

/* Adds the trend of output o to f on the grid of an axis, and makes it a prediction. */
static void add_trend(gpai_sweeps *s, size_t axis, size_t o)
{
    enum { MOST_EACH = 4 };
    const gpai_sweep_axis *a = &s->axis[axis];
    const gpai_kriging_fit *fit = s->fit;
    size_t axes = s->axes, features = s->k->features, from = axis * s->each;
    const double *q = features > 0 ? fit->square + o * axes * axes : NULL;
    const double *p = fit->g_square + o * features * features;
    double rest[GPAI_CHAINS] = {0}, by[GPAI_CHAINS], g_by[MOST_EACH * GPAI_CHAINS];
    double centre = fit->centre[o], size = fit->size[o];
    split(fit->slope + o * axes, q, s->z, axes, axis, axis + 1, rest, by);
    if (features > 0)
        split(fit->g_slope + o * features, p, s->g, features, from, from + s->each,
              rest, g_by);
    for (size_t j = 0; j < a->cells; j++) {
        double *f = s->f + j * GPAI_CHAINS, z = a->z[j], own = 0;
        own += q != NULL ? q[axis * axes + axis] * z * z : 0;
        for (size_t e = 0; e < s->each; e++)
            for (size_t h = 0; h < s->each; h++)
                own += p[(from + e) * features + from + h] * a->g[e * a->cells + j] *
                       a->g[h * a->cells + j];
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            f[c] += rest[c] + by[c] * z + own;
        for (size_t e = 0; e < s->each; e++)
            for (size_t c = 0; c < GPAI_CHAINS; c++)
                f[c] += g_by[e * GPAI_CHAINS + c] * a->g[e * a->cells + j];
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            f[c] = centre + size * f[c];
    }
}

/* ln of the conditional of an axis, chain by chain, up to constants. */
static void find_conditional(gpai_sweeps *s, size_t axis)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    size_t room = s->k->room, numbers = a->cells * GPAI_CHAINS;
    for (size_t i = 0; i < numbers; i++)
        s->log_p[i] = a->prior[i / GPAI_CHAINS];
    for (size_t o = 0; o < s->outputs; o++) {
        loops()->conditional(s->cover, a->row, a->start, a->cells, a->left + o * room,
                             a->right + o * room, a->fade, s->f);
        add_trend(s, axis, o);
        gpai_widened_add(&s->lik[o], s->power, s->f, numbers, s->log_p);
    }
}

/* exp(log_p) in place, times a factor of each chain that makes its sum 1. */
static void normalise(const gpai_sweeps *s, size_t cells)
{
    double top[GPAI_CHAINS], by[GPAI_CHAINS] = {0};
    memcpy(top, s->log_p, sizeof top);
    for (size_t j = 1; j < cells; j++) {
        const double *p = s->log_p + j * GPAI_CHAINS;
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            top[c] = p[c] > top[c] ? p[c] : top[c];
    }
    for (size_t j = 0; j < cells; j++)
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            s->log_p[j * GPAI_CHAINS + c] -= top[c];
    s->v->exp(s->log_p, cells * GPAI_CHAINS);
    for (size_t j = 0; j < cells; j++)
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            by[c] += s->log_p[j * GPAI_CHAINS + c];
    for (size_t c = 0; c < GPAI_CHAINS; c++)
        by[c] = 1 / by[c];
    for (size_t j = 0; j < cells; j++)
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            s->log_p[j * GPAI_CHAINS + c] *= by[c];
}

/* Puts the chains into cells of an axis. */
static void move(gpai_sweeps *s, size_t axis, const double *cell)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    for (size_t c = 0; c < GPAI_CHAINS; c++) {
        size_t i = axis * GPAI_CHAINS + c, j = (size_t)cell[c];
        s->at[i] = j = j < a->cells ? j : a->cells - 1;
        s->z[i] = a->z[j];
        s->t[i] = a->t[j];
        for (size_t e = 0; e < s->each; e++)
            s->g[(axis * s->each + e) * GPAI_CHAINS + c] = a->g[e * a->cells + j];
    }
}

/* Adds the conditionals to the marginal, and draws from them. */
static void draw(gpai_sweeps *s, size_t axis, const double *uniform)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    double below[GPAI_CHAINS] = {0}, cell[GPAI_CHAINS] = {0};
    normalise(s, a->cells);
    for (size_t j = 0; j < a->cells; j++) {
        const double *p = s->log_p + j * GPAI_CHAINS;
        double *sum = a->total + j * GPAI_CHAINS;
        for (size_t c = 0; c < GPAI_CHAINS; c++) {
            sum[c] += p[c];
            below[c] += p[c];
            cell[c] += below[c] < uniform[c] ? 1 : 0;
        }
    }
    move(s, axis, cell);
}

static void sweep_block(gpai_sweeps *s, size_t sweeps, size_t first, size_t chains)
{
    size_t rows = s->k->rows;
    for (size_t i = 0; i < sweeps; i++)
        for (size_t k = 0; k < s->axes; k++) {
            const gpai_sweep_axis *a = &s->axis[k];
            exponentials(s, k);
            loops()->leave(a->up, a->down, s->up, s->down, rows, s->cover);
            find_conditional(s, k);
            draw(s, k, s->uniform + (i * s->axes + k) * chains + first);
            exponentials(s, k);
            loops()->enter(a->up, a->down, s->up, s->down, rows, s->cover);
        }
}

void gpai_sweeps_run(gpai_sweeps *s, const gpai_kriging_fit *fit,
                     const gpai_widened *lik, double power, double *z, size_t chains,
                     size_t sweeps, gpai_rng *rng)
{
    s->fit = fit;
    s->lik = lik;
    s->power = power;
    for (size_t k = 0; k < s->axes; k++) {
        s->lambda[k] = fit->lambda[k];
        memset(s->axis[k].total, 0,
               s->axis[k].cells * GPAI_CHAINS * sizeof *s->axis[k].total);
        sort_rows(s, k);
    }
    for (size_t i = 0; i < sweeps * s->axes; i++)
        stratify(rng, s->uniform + i * chains, chains);
    for (size_t first = 0; first < chains; first += GPAI_CHAINS) {
        double *own = z + first * s->axes;
        start_block(s, own);
        sweep_block(s, sweeps, first, chains);
        for (size_t c = 0; c < GPAI_CHAINS; c++)
            for (size_t k = 0; k < s->axes; k++) {
                const gpai_sweep_axis *a = &s->axis[k];
                size_t at = s->at[k * GPAI_CHAINS + c];
                double u = ((double)at + gpai_rng_unit(rng)) / (double)a->cells;
                u = fmin(fmax(u, 1e-9), 1 - 1e-9);
                own[c * s->axes + k] =
                    a->listed ? a->z[at] : a->centre + a->scale * gpai_norm_quantile(u);
            }
    }
    for (size_t k = 0; k < s->axes; k++)
        for (size_t j = 0; j < s->axis[k].cells; j++) {
            double sum = 0;
            for (size_t c = 0; c < GPAI_CHAINS; c++)
                sum += s->axis[k].total[j * GPAI_CHAINS + c];
            s->axis[k].mass[j] = sum / (double)(chains * sweeps);
        }
}

double gpai_sweeps_below(const gpai_sweep_axis *a, const double *mass, double z)
{
    double at = gpai_norm_cdf((z - a->centre) / a->scale) * (double)a->cells, sum = 0;
    for (size_t j = 0; j < a->cells && at > (double)j; j++)
        sum += mass[j] * fmin(at - (double)j, 1);
    return sum;
}

void gpai_sweeps_show(const gpai_sweeps *s, gpai_cells *cells)
{
    for (size_t k = 0; k < s->axes; k++) {
        const gpai_sweep_axis *a = &s->axis[k];
        gpai_cell_axis *to = &cells->axis[k];
        if (a->listed) {
            memcpy(to->mass, a->mass, a->cells * sizeof *to->mass);
            continue;
        }
        to->centre = a->centre;
        to->scale = a->scale;
        for (size_t i = 0; i < to->count; i++) { /* straight between the middles */
            double at = ((double)i + 0.5) / (double)to->count * (double)a->cells - 0.5;
            at = fmin(fmax(at, 0), (double)(a->cells - 1));
            size_t j = (size_t)fmin(at, (double)(a->cells - 2));
            double part = at - (double)j;
            to->mass[i] = (1 - part) * a->mass[j] + part * a->mass[j + 1];
        }
    }
    gpai_cells_finish(cells, 0);
}
