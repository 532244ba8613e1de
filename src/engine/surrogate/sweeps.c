#include "engine/surrogate/sweeps.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include "engine/surrogate/lines.h"
#include <math.h>
#include <string.h>

#include "base/cpu.h"
#if GPAI_X86
#include <immintrin.h>
#endif
#define GPAI_LOOPS "engine/surrogate/sweeps_loops.h"
#include "base/cpu_sets.h"

struct loops {
    void (*distances)(const float *at, const float *row, size_t axes, size_t but,
                      size_t rows, float *cover);
    void (*change)(const float *old_up, const float *old_down, const float *old_at,
                   const float *old_back, const float *up, const float *down,
                   const float *at, const float *back, size_t rows, float *cover);
    void (*conditional)(const float *cover, const uint32_t *row, const uint32_t *start,
                        size_t cells, const float *left, const float *right,
                        const float *fade, float *f);
    void (*split)(const double *slope, const double *square, const float *x,
                  size_t count, size_t from, size_t to, float *rest, float *by);
    void (*add_trend)(float centre, float size, const float *rest, const float *by,
                      const float *own, const float *x, size_t each, size_t cells,
                      float *f);
    void (*look_up)(const float *table, const float *f, const float *weight,
                    size_t cells, float *p);
    void (*draw)(const float *p, size_t cells, const float *u, float *total,
                 float *cell);
};

#define SET(x)                                                                         \
    {                                                                                  \
        x##_distances, x##_change, x##_conditional, x##_split, x##_add_trend,          \
            x##_look_up, x##_draw                                                      \
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
    if (s->axes == 1)
        return GPAI_SWEEP_ALONE;
    return s->axes <= GPAI_SWEEP_FEW ? GPAI_SWEEP_FINE : GPAI_SWEEP_CELLS;
}

static float *floats(gpai_arena *a, size_t rows, size_t columns)
{
    return gpai_take_bytes(a, rows * columns, sizeof(float));
}

static void lay_out_axis(const gpai_sweeps *s, gpai_sweep_axis *x, size_t cells,
                         gpai_arena *a)
{
    size_t rows = s->k->room;
    gpai_sweep_axis out = {.cells = cells, .scale = 1};
    GPAI_TAKE_EACH(a, cells, 1, &out.z, &out.t, &out.prior, &out.mass);
    out.g = gpai_take(a, s->each, cells);
    out.total = floats(a, cells, GPAI_CHAINS);
    out.weight = floats(a, cells, 1);
    out.own = floats(a, s->outputs, cells);
    out.fade = floats(a, cells, 1);
    out.x = floats(a, 1 + s->each, cells);
    out.row = gpai_take_bytes(a, rows, sizeof *out.row);
    out.start = gpai_take_bytes(a, cells + 2, sizeof *out.start);
    out.up = floats(a, rows, 1);
    out.down = floats(a, rows, 1);
    out.left = floats(a, s->outputs, rows);
    out.right = floats(a, s->outputs, rows);
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
    s->cover = floats(a, s->k->room, GPAI_CHAINS);
    s->row = floats(a, s->k->room, s->axes);
    s->place = floats(a, s->axes, GPAI_CHAINS);
    s->room = gpai_take(a, most > s->k->room ? most : s->k->room, GPAI_CHAINS);
    s->f = floats(a, most, GPAI_CHAINS);
    s->p = floats(a, most, GPAI_CHAINS);
    s->table = floats(a, s->outputs, 2 * GPAI_WIDENED);
    s->t = gpai_take(a, s->axes, GPAI_CHAINS);
    s->z = floats(a, s->axes, GPAI_CHAINS);
    s->g = floats(a, s->k->features, GPAI_CHAINS);
    s->up = floats(a, 2, GPAI_CHAINS);
    s->down = floats(a, 2, GPAI_CHAINS);
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
        a->x[j] = (float)a->z[j];
        a->weight[j] = (float)exp(a->prior[j]);
    }
    for (size_t i = 0; i < s->each * a->cells; i++)
        a->x[a->cells + i] = (float)a->g[i];
}

/* Cells of equal prior probability do not do where the posterior is narrower than three
 * of them, nor where it reaches into the outermost: then they are those of a normal a
 * quarter wider than the posterior. An axis alone may have two narrow places far apart:
 * its many cells are those of a wide normal. Chosen. */
static void aim(gpai_sweep_axis *a, double mean, double sd)
{
    static const double NARROW = 3, FAR_OUT = 2.2, WIDER = 1.25, ALONE = 2.5;
    bool narrow = sd * gpai_norm_pdf(mean) * (double)a->cells < NARROW;
    bool far_out = fabs(mean) + 1.645 * sd > FAR_OUT;
    bool alone = a->cells == GPAI_SWEEP_ALONE;
    bool aimed = narrow || (far_out && !alone);
    a->centre = aimed ? mean : 0;
    a->scale = aimed ? fmax(WIDER * sd, 1e-6 * fmax(1, fabs(mean))) : alone ? ALONE : 1;
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

/* e^(lambda (t - 1/2)) of n places, and its inverse. */
static void exponentials(const gpai_sweeps *s, const double *t, double lambda, size_t n,
                         float *up, float *down)
{
    for (size_t i = 0; i < n; i++)
        s->room[i] = lambda * (t[i] - 0.5);
    s->v->exp(s->room, n);
    for (size_t i = 0; i < n; i++) {
        up[i] = (float)s->room[i];
        down[i] = (float)(1 / s->room[i]);
    }
}

/* The rows of the fit in the order of an axis, and their weights as seen from the grid
 * on either side of them. */
static void sort_rows(gpai_sweeps *s, size_t axis)
{
    gpai_sweep_axis *a = &s->axis[axis];
    const gpai_kriging *k = s->k;
    const double *t = k->u + axis * k->ld;
    double lambda = s->lambda[axis], s2 = s->fit->s2;
    size_t rows = k->rows, room = k->room, j = 0;
    gpai_rank(t, rows, s->ranked); /* falling */
    a->fade[0] = 1;
    for (size_t c = 1; c < a->cells; c++)
        a->fade[c] = (float)exp(-lambda * (a->t[c] - a->t[c - 1]));
    a->start[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        size_t row = s->ranked[rows - 1 - i].place;
        while (j < a->cells && a->t[j] < t[row])
            a->start[++j] = (uint32_t)i;
        a->row[i] = (uint32_t)row;
        s->row[row * s->axes + axis] = (float)(lambda * t[row]);
        double left = j < a->cells ? exp(-lambda * (a->t[j] - t[row])) : 0;
        double right = j > 0 ? exp(-lambda * (t[row] - a->t[j - 1])) : 0;
        for (size_t o = 0; o < s->outputs; o++) {
            a->left[o * room + i] = (float)(s2 * left * k->alpha[o * k->ld + row]);
            a->right[o * room + i] = (float)(s2 * right * k->alpha[o * k->ld + row]);
        }
    }
    while (j <= a->cells)
        a->start[++j] = (uint32_t)rows;
    exponentials(s, t, lambda, rows, a->up, a->down);
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

/* How much each row covers the chains, all axes but one. */
static void find_cover(gpai_sweeps *s, size_t but)
{
    for (size_t a = 0; a < s->axes; a++)
        for (size_t c = 0; c < GPAI_CHAINS; c++) {
            size_t i = a * GPAI_CHAINS + c;
            s->place[i] = (float)(s->lambda[a] * s->t[i]);
        }
    loops()->distances(s->place, s->row, s->axes, but, s->k->rows, s->cover);
    s->v->decay(s->cover, s->k->rows * GPAI_CHAINS);
}

/* Where the chains are. */
static void start_block(gpai_sweeps *s, const double *z)
{
    double g[GPAI_LINES_EACH * GPAI_CHAINS];
    for (size_t a = 0; a < s->axes; a++) {
        double *t = s->t + a * GPAI_CHAINS;
        for (size_t c = 0; c < GPAI_CHAINS; c++) {
            t[c] = z[c * s->axes + a];
            s->z[a * GPAI_CHAINS + c] = (float)t[c];
        }
        s->v->cdf(t, GPAI_CHAINS);
        if (s->k->warp != NULL)
            gpai_warp_places(s->k->warp, a, t, GPAI_CHAINS, g, GPAI_CHAINS);
        for (size_t i = 0; i < s->each * GPAI_CHAINS; i++)
            s->g[a * s->each * GPAI_CHAINS + i] = (float)g[i];
    }
}

/* What the cells of an axis add to the trend by themselves. */
static void find_own(gpai_sweeps *s, size_t axis)
{
    gpai_sweep_axis *a = &s->axis[axis];
    size_t axes = s->axes, features = s->k->features, from = axis * s->each;
    for (size_t o = 0; o < s->outputs; o++) {
        const double *q = s->fit->square + o * axes * axes;
        const double *p = s->fit->g_square + o * features * features;
        for (size_t j = 0; j < a->cells; j++) {
            double own = features > 0 ? q[axis * axes + axis] * a->z[j] * a->z[j] : 0;
            for (size_t e = 0; e < s->each; e++)
                for (size_t h = 0; h < s->each; h++)
                    own += p[(from + e) * features + from + h] *
                           a->g[e * a->cells + j] * a->g[h * a->cells + j];
            a->own[o * a->cells + j] = (float)own;
        }
    }
}

/* Adds the trend of output o to f on the grid of an axis, and makes it a residual. */
static void add_trend(gpai_sweeps *s, size_t axis, size_t o)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    const gpai_kriging_fit *fit = s->fit;
    size_t axes = s->axes, features = s->k->features, from = axis * s->each;
    const double *q = features > 0 ? fit->square + o * axes * axes : NULL;
    const double *p = fit->g_square + o * features * features;
    float rest[GPAI_CHAINS] = {0}, by[(1 + GPAI_LINES_EACH) * GPAI_CHAINS];
    double scale = s->lik[o].scale;
    loops()->split(fit->slope + o * axes, q, s->z, axes, axis, axis + 1, rest, by);
    if (features > 0)
        loops()->split(fit->g_slope + o * features, p, s->g, features, from,
                       from + s->each, rest, by + GPAI_CHAINS);
    loops()->add_trend((float)((fit->centre[o] - s->lik[o].y) * scale),
                       (float)(fit->size[o] * scale), rest, by, a->own + o * a->cells,
                       a->x, 1 + s->each, a->cells, s->f);
}

/* p = exp(p) times a factor of each chain that makes its largest number 1. */
static void unlog(const gpai_sweeps *s, const gpai_sweep_axis *a)
{
    float top[GPAI_CHAINS];
    for (size_t j = 0; j < a->cells; j++)
        for (size_t c = 0; c < GPAI_CHAINS; c++) {
            float *p = s->p + j * GPAI_CHAINS + c;
            *p += (float)a->prior[j];
            top[c] = j == 0 || *p > top[c] ? *p : top[c];
        }
    for (size_t i = 0; i < a->cells * GPAI_CHAINS; i++)
        s->room[i] = (double)(s->p[i] - top[i % GPAI_CHAINS]);
    s->v->exp(s->room, a->cells * GPAI_CHAINS);
    for (size_t i = 0; i < a->cells * GPAI_CHAINS; i++)
        s->p[i] = (float)s->room[i];
}

/* The conditional of an axis, chain by chain, up to constants. */
static void find_conditional(gpai_sweeps *s, size_t axis)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    size_t room = s->k->room;
    if (!s->plain)
        memset(s->p, 0, a->cells * GPAI_CHAINS * sizeof *s->p);
    for (size_t o = 0; o < s->outputs; o++) {
        loops()->conditional(s->cover, a->row, a->start, a->cells, a->left + o * room,
                             a->right + o * room, a->fade, s->f);
        add_trend(s, axis, o);
        loops()->look_up(s->table + o * 2 * GPAI_WIDENED, s->f,
                         s->plain ? a->weight : NULL, a->cells, s->p);
    }
    if (!s->plain)
        unlog(s, a);
}

/* Puts the chains into cells of an axis. */
static void move(gpai_sweeps *s, size_t axis, const float *cell)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    for (size_t c = 0; c < GPAI_CHAINS; c++) {
        size_t i = axis * GPAI_CHAINS + c, j = (size_t)cell[c];
        s->at[i] = j = j < a->cells ? j : a->cells - 1;
        s->z[i] = a->x[j];
        s->t[i] = a->t[j];
        for (size_t e = 0; e < s->each; e++)
            s->g[(axis * s->each + e) * GPAI_CHAINS + c] = a->x[(1 + e) * a->cells + j];
    }
}

/* Adds the conditionals to the marginal, and draws from them. */
static void draw(gpai_sweeps *s, size_t axis, const double *uniform)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    float u[GPAI_CHAINS], cell[GPAI_CHAINS];
    for (size_t c = 0; c < GPAI_CHAINS; c++)
        u[c] = (float)uniform[c];
    loops()->draw(s->p, a->cells, u, a->total, cell);
    move(s, axis, cell);
}

/* Takes an axis out of the cover, after putting in the one before. */
static void take_out(gpai_sweeps *s, size_t axis, bool first)
{
    size_t before = axis > 0 ? axis - 1 : s->axes - 1;
    const gpai_sweep_axis *a = &s->axis[axis], *b = &s->axis[before];
    float *up = s->up + GPAI_CHAINS, *down = s->down + GPAI_CHAINS;
    if (first || s->far) { /* anew, without it */
        find_cover(s, axis);
        return;
    }
    exponentials(s, s->t + axis * GPAI_CHAINS, s->lambda[axis], GPAI_CHAINS, up, down);
    exponentials(s, s->t + before * GPAI_CHAINS, s->lambda[before], GPAI_CHAINS, s->up,
                 s->down);
    loops()->change(b->up, b->down, s->up, s->down, a->up, a->down, up, down,
                    s->k->rows, s->cover);
}

static void sweep_block(gpai_sweeps *s, size_t sweeps, size_t first, size_t chains)
{
    for (size_t i = 0; i < sweeps; i++)
        for (size_t k = 0; k < s->axes; k++) {
            take_out(s, k, i == 0 && k == 0);
            find_conditional(s, k);
            draw(s, k, s->uniform + (i * s->axes + k) * chains + first);
        }
}

/* The likelihoods as tables of floats: each place and the step to the next. */
static void fill_tables(gpai_sweeps *s)
{
    static const double LEAST = -80; /* e to this is a float, with room to spare */
    const double *log = s->lik[0].log;
    s->plain = s->outputs == 1 && s->power * (log[GPAI_WIDENED] - log[0]) > LEAST;
    for (size_t o = 0; o < s->outputs; o++) {
        float *table = s->table + o * 2 * GPAI_WIDENED, before = 0;
        for (size_t i = 0; i <= GPAI_WIDENED; i++) {
            double of = s->power * (s->lik[o].log[i] - s->lik[o].log[0]);
            float now = (float)(s->plain ? exp(of) : of);
            if (i > 0)
                table[2 * i - 1] = now - before;
            if (i < GPAI_WIDENED)
                table[2 * i] = now;
            before = now;
        }
    }
}

/* Puts the chains somewhere in their cells of an axis. */
static void spread(const gpai_sweeps *s, size_t axis, gpai_rng *rng, double *z)
{
    const gpai_sweep_axis *a = &s->axis[axis];
    const size_t *at = s->at + axis * GPAI_CHAINS;
    double u[GPAI_CHAINS];
    for (size_t c = 0; c < GPAI_CHAINS; c++) {
        u[c] = ((double)at[c] + gpai_rng_unit(rng)) / (double)a->cells;
        u[c] = fmin(fmax(u[c], 1e-9), 1 - 1e-9);
    }
    s->v->quantile(u, GPAI_CHAINS);
    for (size_t c = 0; c < GPAI_CHAINS; c++)
        z[c * s->axes] = a->listed ? a->z[at[c]] : a->centre + a->scale * u[c];
}

void gpai_sweeps_run(gpai_sweeps *s, const gpai_kriging_fit *fit,
                     const gpai_widened *lik, double power, double *z, size_t chains,
                     size_t sweeps, gpai_rng *rng)
{
    s->fit = fit;
    s->lik = lik;
    s->power = power;
    fill_tables(s);
    double lambdas = 0;
    for (size_t k = 0; k < s->axes; k++)
        lambdas += fit->lambda[k];
    s->far = lambdas > 60; /* e^-80 is the least float; s2 and what is left need room */
    for (size_t k = 0; k < s->axes; k++) {
        s->lambda[k] = fit->lambda[k];
        memset(s->axis[k].total, 0,
               s->axis[k].cells * GPAI_CHAINS * sizeof *s->axis[k].total);
        sort_rows(s, k);
        find_own(s, k);
    }
    for (size_t i = 0; i < sweeps * s->axes; i++)
        stratify(rng, s->uniform + i * chains, chains);
    for (size_t first = 0; first < chains; first += GPAI_CHAINS) {
        double *own = z + first * s->axes;
        start_block(s, own);
        sweep_block(s, sweeps, first, chains);
        for (size_t k = 0; k < s->axes; k++)
            spread(s, k, rng, own + k);
    }
    for (size_t k = 0; k < s->axes; k++)
        for (size_t j = 0; j < s->axis[k].cells; j++) {
            double sum = 0;
            for (size_t c = 0; c < GPAI_CHAINS; c++)
                sum += (double)s->axis[k].total[j * GPAI_CHAINS + c];
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

void gpai_sweeps_blend(gpai_sweeps *s, double share)
{
    for (size_t k = 0; k < s->axes; k++) {
        gpai_sweep_axis *a = &s->axis[k];
        double even = a->listed ? 1 : 1 / (double)a->cells;
        for (size_t j = 0; j < a->cells; j++)
            a->mass[j] += share * (even * exp(a->prior[j]) - a->mass[j]);
    }
}

/* The mass at place i of `count`: straight between the middles of the cells around it;
 * of more cells than places those that are its own, each in part where it is cut. */
static double mass_at(const gpai_sweep_axis *a, size_t i, size_t count)
{
    double per = (double)a->cells / (double)count, low = (double)i * per, sum = 0;
    if (per > 1) {
        for (size_t j = (size_t)low; j < a->cells && (double)j < low + per; j++)
            sum += a->mass[j] * (fmin(low + per, (double)j + 1) - fmax(low, (double)j));
        return sum;
    }
    double at = fmin(fmax(low + 0.5 * per - 0.5, 0), (double)(a->cells - 1));
    size_t j = (size_t)fmin(at, (double)(a->cells - 2));
    double part = at - (double)j;
    return (1 - part) * a->mass[j] + part * a->mass[j + 1];
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
        for (size_t i = 0; i < to->count; i++)
            to->mass[i] = mass_at(a, i, to->count);
    }
    gpai_cells_finish(cells, 0);
}
