/* gold JOBS SEED [PARTICLES SWEEPS]: the true marginals of Q(delta), slowly.
 *
 * Thousands of Metropolis chains at once, brought from the prior to the posterior by
 * raising the likelihood to a growing power (resampling at each step), then run on at
 * power 1 and counted. It shares nothing with the library's own distributions: other
 * draws, other proposals, no weights in the result, no smoothing. The model is the only
 * common part.
 *
 * Prints per job `job NAME rows R evidence LOGZ`, then per input a line
 * of 400 shares: the mass in cells of equal prior probability. */
#include "jobs.h"
#include "support.h"
#include <gpa/gpa.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program[] = "gold";

enum { CELLS = 400, STAGE_SWEEPS = 20 };

/* Share of the chains that stay effective when the power grows; small steps and many
 * sweeps between them keep the weights of separate modes right. */
static const double KEPT = 0.8;

static const double ROOT_HALF = 0.70710678118654752440;
static const double TWO_PI = 6.28318530717958647693;

/* xoshiro256**, seeded by splitmix64. */
struct random {
    uint64_t s[4];
};

static void seed(struct random *r, uint64_t value)
{
    for (int i = 0; i < 4; i++) {
        value += 0x9e3779b97f4a7c15u;
        uint64_t z = value;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r->s[i] = z ^ (z >> 31);
    }
}

static uint64_t rotate(uint64_t v, int k)
{
    return (v << k) | (v >> (64 - k));
}

static double draw(struct random *r)
{
    uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return ((double)(result >> 11) + 0.5) * 0x1p-53;
}

static double draw_normal(struct random *r)
{
    double radius = sqrt(-2 * log(draw(r)));
    return radius * cos(TWO_PI * draw(r));
}

static size_t below(struct random *r, size_t n)
{
    size_t i = (size_t)(draw(r) * (double)n);
    return i < n ? i : n - 1;
}

/* One coordinate of the prior: a normal about -nu, kept when positive, and a sign. */
static double prior_draw(struct random *r, const job *j)
{
    double size, sd = 1 / sqrt(j->eta);
    do {
        size = sd * draw_normal(r) - j->nu;
    } while (size < 0);
    return draw(r) < 0.5 ? -size : size;
}

static double penalty(const job *j, const double *delta)
{
    double sum = 0;
    for (size_t k = 0; k < j->d; k++)
        sum += 0.5 * j->eta * delta[k] * delta[k] + j->eta * j->nu * fabs(delta[k]);
    return sum;
}

static size_t cell(const job *j, double delta)
{
    double s = sqrt(j->eta);
    double tail =
        0.5 * erfc(s * (fabs(delta) + j->nu) * ROOT_HALF) / erfc(s * j->nu * ROOT_HALF);
    double u = delta < 0 ? tail : 1 - tail;
    size_t i = (size_t)(u * CELLS);
    return i < CELLS ? i : CELLS - 1;
}

/* The ways to move. The first four draw coordinates from the prior, whose ratio then
 * leaves the acceptance; the others are symmetric. */
enum kind { FRESH_1, FRESH_2, FRESH_HALF, FRESH_ALL, STEP_1, STEP_ALL, PAIR, KINDS };

struct chains {
    const job *j;
    gpa_model *model;
    struct random random;
    size_t count;
    double power;
    double *delta, *proposal;  /* count by d */
    double *likelihood, *next; /* logs */
    double *prior_ratio; /* log of the prior's ratio where a proposal ignores it */
    double *rows, *f;    /* count * n rows for the model */
    double *spare;       /* count by d, then count */
    enum kind *kind;     /* of each proposal */
    double share[KINDS], tried[KINDS], moved[KINDS];
    double asked;
};

static void chains_open(struct chains *c, const job *j, gpa_model *model, size_t count,
                        uint64_t seed_value)
{
    *c = (struct chains){.j = j, .model = model, .count = count};
    seed(&c->random, seed_value);
    c->delta = take(count * j->d, sizeof(double));
    c->proposal = take(count * j->d, sizeof(double));
    c->spare = take(count * (j->d + 1), sizeof(double));
    c->likelihood = take(count, sizeof(double));
    c->next = take(count, sizeof(double));
    c->prior_ratio = take(count, sizeof(double));
    c->rows = take(count * j->n * j->d, sizeof(double));
    c->f = take(count * j->n, sizeof(double));
    c->kind = take(count, sizeof *c->kind);
    for (int i = 0; i < KINDS; i++)
        c->share[i] = 1.0 / KINDS;
}

static void chains_close(struct chains *c)
{
    free(c->delta);
    free(c->proposal);
    free(c->spare);
    free(c->likelihood);
    free(c->next);
    free(c->prior_ratio);
    free(c->rows);
    free(c->f);
    free(c->kind);
}

/* Log-likelihoods, without constants, of `count` perturbations. */
static void evaluate(struct chains *c, const double *delta, size_t count,
                     double *likelihood)
{
    const job *j = c->j;
    size_t d = j->d, n = j->n;
    for (size_t i = 0; i < count * n; i++)
        for (size_t k = 0; k < d; k++)
            c->rows[i * d + k] = j->x[i % n * d + k] + delta[i / n * d + k];
    gpa_error err;
    must(gpa_model_predict(c->model, c->rows, count * n, c->f, &err), &err);
    c->asked += (double)(count * n);
    for (size_t i = 0; i < count; i++) {
        likelihood[i] = 0;
        for (size_t t = 0; t < n; t++) {
            double r = j->y[t] - c->f[i * n + t];
            likelihood[i] -= (j->a + 0.5) * log1p(r * r / (2 * j->b));
        }
    }
}

static enum kind pick(struct chains *c)
{
    double u = draw(&c->random);
    size_t kind = 0;
    while (kind + 1 < KINDS && u >= c->share[kind])
        u -= c->share[kind++];
    return (enum kind)kind;
}

static void step(struct chains *c, enum kind kind, double *to)
{
    const job *j = c->j;
    struct random *r = &c->random;
    double width = 2 * pow(0.01, draw(r)) / sqrt(j->eta); /* over two decades */
    if (kind == STEP_1) {
        to[below(r, j->d)] += width * draw_normal(r);
        return;
    }
    for (size_t k = 0; k < j->d; k++)
        to[k] += width / sqrt((double)j->d) * draw_normal(r);
}

/* Along the difference of two chains of the other half, which stands still meanwhile:
 * its directions are those of the posterior. A full difference leaps between modes. */
static void along_pair(struct chains *c, size_t other, double *to)
{
    size_t half = c->count / 2, d = c->j->d;
    const double *p = c->delta + (other + below(&c->random, half)) * d;
    const double *q = c->delta + (other + below(&c->random, half)) * d;
    double factor = draw(&c->random) < 0.2 ? 1 : 2 * draw(&c->random) / sqrt((double)d);
    for (size_t k = 0; k < d; k++)
        to[k] += factor * (p[k] - q[k]) + 1e-4 * draw_normal(&c->random);
}

/* A proposal for one chain; returns the log ratio of the priors where it counts. */
static double propose(struct chains *c, enum kind kind, size_t other,
                      const double *delta, double *to)
{
    const job *j = c->j;
    const size_t fresh[] = {1, 2, (j->d + 1) / 2, j->d};
    memcpy(to, delta, j->d * sizeof *to);
    if (kind == FRESH_ALL) {
        for (size_t k = 0; k < j->d; k++)
            to[k] = prior_draw(&c->random, j);
    } else if (kind < FRESH_ALL) {
        for (size_t i = 0; i < fresh[kind]; i++)
            to[below(&c->random, j->d)] = prior_draw(&c->random, j);
    } else if (kind == PAIR) {
        along_pair(c, other, to);
    } else {
        step(c, kind, to);
    }
    return kind <= FRESH_ALL ? 0 : penalty(j, delta) - penalty(j, to);
}

static double squared_distance(const double *p, const double *q, size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++)
        sum += (p[k] - q[k]) * (p[k] - q[k]);
    return sum;
}

/* Moves the chains of one half. */
static void sweep_half(struct chains *c, size_t first)
{
    size_t d = c->j->d, half = c->count / 2;
    double *delta = c->delta + first * d, *likelihood = c->likelihood + first;
    for (size_t i = 0; i < half; i++) {
        c->kind[i] = pick(c);
        c->prior_ratio[i] = propose(c, c->kind[i], first == 0 ? half : 0, delta + i * d,
                                    c->proposal + i * d);
    }
    evaluate(c, c->proposal, half, c->next);
    for (size_t i = 0; i < half; i++) {
        double gain = c->power * (c->next[i] - likelihood[i]) + c->prior_ratio[i];
        c->tried[c->kind[i]]++;
        if (log(draw(&c->random)) >= gain)
            continue;
        c->moved[c->kind[i]] += squared_distance(delta + i * d, c->proposal + i * d, d);
        memcpy(delta + i * d, c->proposal + i * d, d * sizeof *delta);
        likelihood[i] = c->next[i];
    }
}

static void sweep(struct chains *c)
{
    sweep_half(c, 0);
    sweep_half(c, c->count / 2);
}

/* Kinds that moved far get tried more often from now on, none less than 4 %. Never
 * called while chains are counted. */
static void learn(struct chains *c)
{
    double mean[KINDS], sum = 0;
    for (int i = 0; i < KINDS; i++) {
        mean[i] = c->tried[i] > 0 ? c->moved[i] / c->tried[i] : 0;
        sum += mean[i];
        c->tried[i] = c->moved[i] = 0;
    }
    for (int i = 0; i < KINDS; i++)
        c->share[i] = sum > 0 ? 0.04 + (1 - 0.04 * KINDS) * mean[i] / sum : 1.0 / KINDS;
}

/* Weights of the chains when the power grows by `step`; returns their effective number
 * and the logarithm of their mean. */
static double weigh(const struct chains *c, double step, double *weight, double *mean)
{
    double top = -HUGE_VAL, sum = 0, squares = 0;
    for (size_t i = 0; i < c->count; i++)
        top = fmax(top, step * c->likelihood[i]);
    for (size_t i = 0; i < c->count; i++) {
        weight[i] = exp(step * c->likelihood[i] - top);
        sum += weight[i];
        squares += weight[i] * weight[i];
    }
    *mean = top + log(sum / (double)c->count);
    return sum * sum / squares;
}

/* Systematic resampling by the weights. */
static void resample(struct chains *c, const double *weight)
{
    size_t d = c->j->d, from = 0;
    double sum = 0, reached = weight[0], *likelihood = c->spare + c->count * d;
    for (size_t i = 0; i < c->count; i++)
        sum += weight[i];
    double start = draw(&c->random);
    for (size_t i = 0; i < c->count; i++) {
        double at = ((double)i + start) / (double)c->count * sum;
        while (reached < at && from + 1 < c->count)
            reached += weight[++from];
        memcpy(c->spare + i * d, c->delta + from * d, d * sizeof(double));
        likelihood[i] = c->likelihood[from];
    }
    memcpy(c->delta, c->spare, c->count * d * sizeof(double));
    memcpy(c->likelihood, likelihood, c->count * sizeof(double));
}

/* From the prior (power 0) to the posterior (power 1). Returns the log evidence. */
static double anneal(struct chains *c)
{
    double evidence = 0, mean, *weight = take(c->count, sizeof(double));
    for (size_t i = 0; i < c->count * c->j->d; i++)
        c->delta[i] = prior_draw(&c->random, c->j);
    evaluate(c, c->delta, c->count, c->likelihood);
    while (c->power < 1) {
        double low = 0, high = 1 - c->power;
        if (weigh(c, high, weight, &mean) < KEPT * (double)c->count) {
            for (int i = 0; i < 40; i++) {
                double middle = 0.5 * (low + high);
                bool enough =
                    weigh(c, middle, weight, &mean) >= KEPT * (double)c->count;
                *(enough ? &low : &high) = middle;
            }
            weigh(c, high, weight, &mean);
        }
        c->power = high >= 1 - c->power ? 1 : c->power + high;
        evidence += mean;
        resample(c, weight);
        for (int i = 0; i < STAGE_SWEEPS; i++)
            sweep(c);
        learn(c);
    }
    free(weight);
    return evidence;
}

static void count_cells(const struct chains *c, double *cells)
{
    size_t d = c->j->d;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < d; k++)
            cells[k * CELLS + cell(c->j, c->delta[i * d + k])] += 1;
}

static void run(const job *j, gpa_model *model, size_t count, size_t sweeps,
                uint64_t seed_value)
{
    struct chains c;
    double *cells = take(j->d * CELLS, sizeof *cells);
    chains_open(&c, j, model, count, seed_value);
    double evidence = anneal(&c);
    for (size_t i = 0; i < sweeps / 4; i++)
        sweep(&c);
    learn(&c);
    for (size_t i = 0; i < sweeps; i++) {
        sweep(&c);
        count_cells(&c, cells);
    }
    printf("job %s rows %.0f evidence %.6f\n", j->name, c.asked, evidence);
    for (size_t k = 0; k < j->d; k++)
        for (size_t i = 0; i < CELLS; i++)
            printf("%.8g%c", cells[k * CELLS + i] / ((double)count * (double)sweeps),
                   i + 1 < CELLS ? ' ' : '\n');
    fflush(stdout);
    chains_close(&c);
    free(cells);
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: gold JOBS SEED [PARTICLES SWEEPS]\n");
        return 2;
    }
    uint64_t seed_value = strtoull(argv[2], NULL, 10);
    size_t count = argc == 5 ? strtoull(argv[3], NULL, 10) : 8192;
    size_t sweeps = argc == 5 ? strtoull(argv[4], NULL, 10) : 200;
    if (count < 2 || count % 2 != 0 || sweeps == 0) {
        fprintf(stderr, "gold: PARTICLES must be even, SWEEPS positive\n");
        return 2;
    }
    jobs all;
    jobs_open(&all, argv[1]);
    for (size_t i = 0; i < all.count; i++)
        run(&all.list[i], all.model, count, sweeps, seed_value * 1000 + i);
    jobs_close(&all);
    return 0;
}
