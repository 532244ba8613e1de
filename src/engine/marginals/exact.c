#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/math/sobol.h"
#include "base/math/vectors.h"
#include "base/status.h"
#include "engine/ask.h"
#include "engine/marginals/linear_fit.h"
#include "engine/marginals/marginals.h"
#include "engine/marginals/proposal.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* docs/methods.md, eq. 22: a quarter of the draws from the prior, then three rounds.
 * Measured against runs of four million draws: 90 % intervals held 0.89 of the mass in
 * the median, 0.71 in the worst case, with 512 rows and one explained row. */
enum {
    ROUNDS = 3,                    /* after the first */
    TOP_UP = 4,                    /* times the wanted draws, when few are effective */
    FEWEST = 16,                   /* draws that make sense at all */
    MOST_PARTS = 2 * 18,           /* two a round */
    MOST_MOMENTS = GPAI_PART_RANK, /* dimensions up to which a covariance pays */
    MOST_DOUBLES = 1 << 23,        /* of draws (held twice) and predictions: 64 MiB */
    MOST_DELTAS = 1 << 21,         /* of perturbations held at once: 16 MiB */
};

/* Effective draws below which further rounds are added: P(delta > 0) is then known to
 * 0.07 only. A round's draws from the prior, which bound the weights, and from the
 * linear fit; the rest are from the matched normal. Chosen on three models, like WIDEN:
 * moments of a sample are a little too small. */
static const double ENOUGH = 50;
static const double PRIOR_SHARE = 0.2, LINEAR_SHARE = 0.4;
static const double WIDEN = 1.1;

struct sampler {
    gpai_problem *p;
    size_t m, n;             /* axes, observed rows */
    size_t have, most;       /* draws so far, and at most */
    size_t first, per_round; /* draws of round 0 and of the others */
    size_t at_once;          /* draws that the model is asked in one call */
    bool keep;               /* whether `delta` holds all draws */
    double *z;               /* most by m */
    double *blocks;          /* the same (gpai_blocks_fill) */
    double *f;               /* most by n */
    double *fit_term;        /* most: minus the log-likelihood */
    double *mix;             /* most: sum over the parts of draws q(z) / N(z; 0, I) */
    double *log_w, *w;       /* most: log weights up to a constant; normalised */
    double *tempered;        /* most */
    double *delta;           /* at_once, or with `keep` most, by d */
    double prior_draws;
    gpai_part part[MOST_PARTS];
    size_t parts;
    gpai_linear_fit fit;
    const gpai_vectors *v;
    double ess, log_evidence;
    gpai_sobol sobol;
    gpai_rng seeds;
    gpai_cells cells;
    double *block;
    gpa_error *err;
};

/* How many draws: what was asked for, the budget and the memory allow. */
static bool plan(struct sampler *s, size_t wanted, gpai_sampling *out)
{
    const gpai_problem *p = s->p;
    size_t fits = MOST_DOUBLES / (s->m + s->n + 6);
    size_t n = wanted < FEWEST ? FEWEST : wanted;
    if (p->budget > 0) {
        uint64_t left = p->rows < p->budget ? (p->budget - p->rows) / p->n : 0;
        if (left < n)
            out->budget_hit = true;
        fits = left < fits ? (size_t)left : fits;
    }
    if (fits < FEWEST && !out->budget_hit)
        fits = FEWEST;
    if (fits < FEWEST)
        return false;
    n = n < fits ? n : fits;
    s->most = fits / TOP_UP < n ? fits : TOP_UP * n;
    s->per_round = (n - n / 4) / ROUNDS;
    s->first = n - ROUNDS * s->per_round;
    s->at_once = MOST_DELTAS / p->d;
    if (s->at_once > s->first)
        s->at_once = s->first;
    if (s->at_once == 0)
        s->at_once = 1;
    s->keep = s->most <= MOST_DELTAS / p->d;
    return true;
}

static void lay_out_part(struct sampler *s, gpai_arena *a, gpai_part *part, size_t rank)
{
    part->m = s->m;
    part->mean = gpai_take(a, rank, 1);
    GPAI_TAKE_EACH(a, rank, rank, &part->factor, &part->inverse);
    part->scratch = gpai_take(a, rank, 3);
}

/* Even parts come from linear fits, odd ones from moments (none for large m). */
static void lay_out_parts(struct sampler *s, gpai_arena *a)
{
    size_t rank = gpai_linear_fit_rank(s->m, s->n);
    for (size_t i = 0; i < MOST_PARTS; i++) {
        gpai_part *part = &s->part[i];
        if (i % 2 == 1 && s->m <= MOST_MOMENTS) {
            lay_out_part(s, a, part, s->m);
        } else if (i % 2 == 0) {
            lay_out_part(s, a, part, rank);
            part->direction = gpai_take(a, rank, s->m);
            if (s->n == 1) {
                GPAI_TAKE_EACH(a, GPAI_PART_CELLS + 1, 1, &part->edge, &part->sum);
                part->ratio = gpai_take(a, GPAI_PART_CELLS, 1);
            }
        }
    }
}

static void lay_out(struct sampler *s, gpai_arena *a)
{
    size_t m1 = s->m + 1, rank = gpai_linear_fit_rank(s->m, s->n);
    size_t direct = s->m <= GPAI_FIT_DIRECT ? m1 : 0;
    s->z = gpai_take(a, s->most + GPAI_VPAD, s->m);
    s->blocks = gpai_take(a, gpai_blocks_size(s->most, s->m), 1);
    s->f = gpai_take(a, s->most, s->n);
    GPAI_TAKE_EACH(a, s->most, 1, &s->fit_term, &s->mix, &s->log_w, &s->w,
                   &s->tempered);
    s->delta = gpai_take(a, s->keep ? s->most : s->at_once, s->p->d);
    lay_out_parts(s, a);
    s->fit.m = s->m;
    s->fit.n = s->n;
    GPAI_TAKE_EACH(a, m1, direct, &s->fit.gram, &s->fit.factor);
    s->fit.sums = gpai_take(a, s->n, direct);
    s->fit.beta = gpai_take(a, s->n, m1);
    GPAI_TAKE_EACH(a, s->n, 1, &s->fit.misfit, &s->fit.length);
    s->fit.reduced = gpai_take(a, s->n, rank);
    s->fit.row = gpai_take(a, m1, 1);
    s->fit.scratch = gpai_take(a, m1, 3);
}

static gpa_status acquire(struct sampler *s, const gpai_space *space)
{
    gpai_arena a = {0};
    lay_out(s, &a);
    /* not zeroed, so not gpai_carve: most of it is never used */
    s->block = a.overflow ? NULL : gpai_regrow(NULL, a.used, sizeof *s->block);
    if (s->block == NULL)
        return gpai_nomem(s->err, "marginals");
    a = (gpai_arena){.base = s->block};
    lay_out(s, &a);
    gpa_status st = gpai_sobol_open(&s->sobol, s->m, 0, 0, s->err);
    if (st == GPA_OK)
        st = gpai_cells_open(&s->cells, space, s->err);
    return st;
}

static void release(struct sampler *s)
{
    gpai_cells_close(&s->cells);
    gpai_sobol_close(&s->sobol);
    gpai_free(s->block);
}

/* The next k draws of the prior, behind those there are. */
static double *draw_normals(struct sampler *s, size_t k)
{
    double *z = s->z + s->have * s->m;
    gpai_sobol_restart(&s->sobol, gpai_rng_bits(&s->seeds), 0);
    gpai_sobol_fill(&s->sobol, k, z);
    s->v->quantile(z, k * s->m);
    return z;
}

/* gpai_data_term of draws from..to, a block at a time: the logarithms are what it takes
 * its time for. */
static void fit_terms(struct sampler *s, size_t from, size_t to)
{
    enum { TOGETHER = 32 };
    const gpai_problem *p = s->p;
    for (size_t i = from; i < to; i += TOGETHER) {
        size_t count = to - i < TOGETHER ? to - i : TOGETHER;
        double l[TOGETHER], sum[TOGETHER] = {0};
        bool odd[TOGETHER] = {false}; /* too large or not finite */
        for (size_t t = 0; t < p->n; t++) {
            double by = 0.5 / p->b[t];
            for (size_t j = 0; j < TOGETHER; j++) {
                double r = j < count ? p->y[t] - s->f[(i + j) * p->n + t] : 0;
                double q = r * r * by;
                odd[j] |= !(q < 1e300);
                l[j] = 1 + q;
            }
            s->v->log(l, TOGETHER);
            for (size_t j = 0; j < TOGETHER; j++)
                sum[j] += l[j];
        }
        for (size_t j = 0; j < count; j++)
            s->fit_term[i + j] = odd[j] ? gpai_data_term(p, s->f + (i + j) * p->n)
                                        : (p->a + 0.5) * sum[j];
    }
}

/* Asks the model for the next k draws. */
static gpa_status ask(struct sampler *s, size_t k)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < k && st == GPA_OK; i += s->at_once) {
        size_t chunk = k - i < s->at_once ? k - i : s->at_once, at = s->have + i;
        double *delta = s->delta + (s->keep ? at * s->p->d : 0);
        gpai_quantiles_delta(&s->cells.quantiles, s->z + at * s->m, chunk, delta);
        st = gpai_predict_points(s->p, delta, NULL, chunk, s->f + at * s->n, s->err);
        if (st == GPA_OK)
            fit_terms(s, at, at + chunk);
    }
    return st;
}

/* Divides w by its sum, which is returned; *ess is how many draws carry it. */
static double share_out(double *w, size_t n, double *ess)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        sum += w[i];
        square += w[i] * w[i];
    }
    *ess = sum * sum / square;
    for (size_t i = 0; i < n; i++)
        w[i] *= 1 / sum;
    return sum;
}

/* Weights of all draws against the mixture they came from; false when all are 0. */
static bool weigh(struct sampler *s)
{
    size_t padded = (s->have + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    double top = -HUGE_VAL;
    for (size_t i = 0; i < s->have; i++)
        s->log_w[i] = s->prior_draws + s->mix[i];
    for (size_t i = s->have; i < padded; i++)
        s->log_w[i] = 1;
    s->v->log(s->log_w, padded);
    for (size_t i = 0; i < s->have; i++) {
        double l = isfinite(s->fit_term[i]) ? -s->fit_term[i] - s->log_w[i] : -HUGE_VAL;
        s->log_w[i] = l;
        top = l > top ? l : top;
    }
    s->ess = 0;
    if (!isfinite(top))
        return false;
    for (size_t i = 0; i < s->have; i++)
        s->w[i] = s->log_w[i] -= top;
    s->v->exp(s->w, s->have);
    s->log_evidence = top + log(share_out(s->w, s->have, &s->ess));
    return true;
}

/* Weights to the given power (1 or 1/2), and flatter still until `wanted` draws carry
 * them; returns how many do. */
static double temper(struct sampler *s, double power, double wanted)
{
    double ess;
    for (size_t i = 0; i < s->have; i++)
        s->tempered[i] = power < 1 ? sqrt(s->w[i]) : s->w[i];
    share_out(s->tempered, s->have, &ess);
    while (ess < wanted && power >= 1e-9) {
        power *= 0.85;
        for (size_t i = 0; i < s->have; i++)
            s->tempered[i] = power * s->log_w[i];
        s->v->exp(s->tempered, s->have);
        share_out(s->tempered, s->have, &ess);
    }
    return ess;
}

/* The part that follows from a linear fit, when there is something to follow. The
 * weights' square roots let more draws have a say. */
static gpai_part *fit_linear(struct sampler *s, size_t round)
{
    gpai_part *part = &s->part[2 * round];
    temper(s, 0.5, fmin(fmax(30, 3 * (double)s->m), 0.5 * (double)s->have));
    if (!gpai_linear_fit_make(&s->fit, s->p, s->z, s->blocks, s->f, s->tempered,
                              s->have))
        return NULL;
    return gpai_linear_fit_part(&s->fit, s->p, part) ? part : NULL;
}

/* Weighted mean, and the lower half of the covariance into the part's factor: with a 1
 * behind every draw both are in one matrix. */
static void find_moments(const struct sampler *s, gpai_part *part)
{
    enum { TOGETHER = 32, STRIDE = (MOST_MOMENTS + GPAI_VPAD) / GPAI_VPAD * GPAI_VPAD };
    size_t m = s->m, stride = (m + GPAI_VPAD) / GPAI_VPAD * GPAI_VPAD;
    double g[(MOST_MOMENTS + 1) * STRIDE], row[TOGETHER * STRIDE], by[4 * STRIDE],
        w[TOGETHER];
    memset(g, 0, (m + 1) * stride * sizeof *g);
    memset(row, 0, TOGETHER * stride * sizeof *row);
    for (size_t i = 0; i < s->have; i += TOGETHER) {
        for (size_t j = 0; j < TOGETHER; j++) {
            w[j] = i + j < s->have ? s->tempered[i + j] : 0;
            if (i + j < s->have)
                memcpy(row + j * stride, s->z + (i + j) * m, m * sizeof *row);
            row[j * stride + m] = 1;
        }
        s->v->gram(row, w, TOGETHER, m + 1, stride, by, g);
    }
    memcpy(part->mean, g + m * stride, m * sizeof *g);
    for (size_t k = 0; k < m; k++)
        for (size_t j = 0; j <= k; j++)
            part->factor[k * m + j] = g[k * stride + j] - part->mean[k] * part->mean[j];
}

/* A normal of the weighted moments, shrunk towards the prior where draws are few. */
static gpai_part *fit_moments(struct sampler *s, size_t round)
{
    gpai_part *part = &s->part[2 * round + 1];
    double m = (double)s->m, shrink = m / (temper(s, 1, fmax(30, 2 * m)) + m);
    part->rank = s->m;
    find_moments(s, part);
    for (size_t k = 0; k < s->m; k++) {
        for (size_t j = 0; j <= k; j++)
            part->factor[k * s->m + j] *= WIDEN * (1 - shrink);
        part->factor[k * s->m + k] += WIDEN * shrink;
        part->mean[k] *= 1 - 0.5 * shrink;
    }
    return gpai_part_fit_normal(part) ? part : NULL;
}

/* Hands `share` of the k new draws at z to a part. */
static size_t give(gpai_part *part, double *z, size_t share)
{
    if (part == NULL)
        return 0;
    part->draws = (double)share;
    gpai_part_move(part, z, share);
    return share;
}

/* One more round of k draws: from the prior, a linear fit, the moments. */
static gpa_status add_round(struct sampler *s, size_t round, size_t k)
{
    bool known = round > 0 && s->ess > 0;
    gpai_part *linear = known ? fit_linear(s, round - 1) : NULL;
    gpai_part *moments =
        linear != NULL && s->m <= MOST_MOMENTS ? fit_moments(s, round - 1) : NULL;
    size_t n_prior = (size_t)(PRIOR_SHARE * (double)k);
    size_t n_linear =
        moments != NULL ? (size_t)(LINEAR_SHARE * (double)k) : k - n_prior;
    double *z = draw_normals(s, k);
    memset(s->mix + s->have, 0, k * sizeof *s->mix);
    size_t moved = give(linear, z + n_prior * s->m, n_linear);
    moved += give(moments, z + (n_prior + n_linear) * s->m, k - n_prior - n_linear);
    gpai_blocks_fill(s->blocks, s->z, s->m, s->have, s->have + k);
    gpa_status st = ask(s, k);
    if (st != GPA_OK)
        return st;
    s->prior_draws += (double)(k - moved);
    size_t before = s->have;
    s->have += k;
    for (size_t i = 0; i < MOST_PARTS; i++) /* old parts weigh the new draws */
        if (s->part[i].draws > 0 && &s->part[i] != linear && &s->part[i] != moments)
            gpai_part_add_ratio(&s->part[i], s->blocks, before, s->have, s->mix);
    if (linear != NULL)
        gpai_part_add_ratio(linear, s->blocks, 0, s->have, s->mix);
    if (moments != NULL)
        gpai_part_add_ratio(moments, s->blocks, 0, s->have, s->mix);
    s->parts += linear != NULL ? 1 : 0;
    weigh(s);
    return GPA_OK;
}

static gpa_status sample(struct sampler *s, gpai_sampling *out)
{
    gpa_status st = add_round(s, 0, s->first);
    for (size_t round = 1; st == GPA_OK && 2 * round <= MOST_PARTS; round++) {
        size_t k = s->per_round;
        if (round > ROUNDS && (s->ess >= ENOUGH || s->ess == 0))
            break;
        if (s->have + k > s->most)
            break;
        if (!gpai_problem_affords(s->p, (uint64_t)k * s->n)) {
            out->budget_hit = true;
            break;
        }
        st = add_round(s, round, k);
    }
    return st;
}

/* No draw said anything: what is known is the prior, exactly. */
static bool says_nothing(const struct sampler *s)
{
    for (size_t i = 0; i < s->have; i++)
        if (!(fabs(s->fit_term[i] - s->fit_term[0]) <= 1e-12))
            return false;
    return s->parts == 0;
}

static gpa_status show(struct sampler *s, gpa_explanation *e)
{
    if (says_nothing(s)) {
        gpai_cells_prior(&s->cells);
        return gpai_cells_show(&s->cells, e, s->err);
    }
    gpai_cells_aim(&s->cells, s->z, s->w, s->have);
    if (s->keep)
        gpai_cells_add(&s->cells, s->z, s->delta, s->w, s->have);
    for (size_t i = 0; i < s->have && !s->keep; i += s->at_once) {
        size_t chunk = s->have - i < s->at_once ? s->have - i : s->at_once;
        const double *z = s->z + i * s->m;
        gpai_quantiles_delta(&s->cells.quantiles, z, chunk, s->delta);
        gpai_cells_add(&s->cells, z, s->delta, s->w + i, chunk);
    }
    gpai_cells_finish(&s->cells, s->ess);
    return gpai_cells_show(&s->cells, e, s->err);
}

gpa_status gpai_marginal_exact(gpai_problem *p, const gpai_space *space, size_t rows,
                               uint64_t seed, uint64_t stream, gpa_explanation *e,
                               gpai_sampling *out, gpa_error *err)
{
    struct sampler s = {.p = p,
                        .m = space->axes,
                        .n = p->n,
                        .v = gpai_vectors_at(0),
                        .seeds = gpai_rng_make(seed, stream),
                        .err = err};
    *out = (gpai_sampling){.surrogate_error = (double)NAN, .change = (double)NAN};
    if (s.m == 0) { /* nothing may move */
        gpai_cells_frozen(e);
        return GPA_OK;
    }
    if (!plan(&s, rows, out))
        return GPA_OK;
    gpa_status st = acquire(&s, space);
    if (st == GPA_OK)
        st = sample(&s, out);
    if (st == GPA_OK && s.ess == 0)
        st = gpai_fail(err, GPA_NUMERIC,
                       "marginals: the model gave no finite prediction at any of %zu "
                       "perturbed points",
                       s.have);
    if (st == GPA_OK) {
        st = show(&s, e);
        out->draws = s.have;
        out->ess = s.ess;
        out->log_evidence = s.log_evidence;
    }
    release(&s);
    return st;
}
