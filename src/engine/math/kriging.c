#include "engine/math/kriging.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/math/spd.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* The box of the logarithms (chosen: exp(-9) is no dependence at all on u in (0, 1),
 * exp(4) forgets within a fiftieth of it), and a little noise that keeps every matrix
 * definite: 1e-6 of outputs of variance 1, far below any surrogate's own error. */
static const double LOWEST = -9, HIGHEST = 4, JITTER = 1e-6;

/* The prior of the logarithms of lambda, and of s2, t2 and the noise (docs/methods.md,
 * eq. 23 and before): medians and standard deviations. Chosen: so wide that the rows
 * decide. */
static const double LAMBDA_MEDIAN = 0.7, LAMBDA_SD = 1.5;
static const double OTHER_MEDIAN[GPAI_KRIGING_OTHERS] = {0.5, 0.5,  0.01,
                                                         0.5, 0.05, 0.05};
static const double OTHER_SD[GPAI_KRIGING_OTHERS] = {1, 2, 2, 2, 2, 2};

static size_t round_up(size_t n)
{
    return (n + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_kriging *k = work;
    size_t most = GPAI_KRIGING_SUBSET_MOST, subset = k->room < most ? k->room : most;
    k->pair_room = round_up(subset * (subset - 1) / 2);
    k->id = gpai_take_bytes(a, k->room, sizeof(size_t));
    k->chosen = gpai_take_bytes(a, subset, sizeof(size_t));
    k->z = gpai_take(a, k->axes, k->ld);
    k->u = gpai_take(a, k->axes, k->ld);
    GPAI_TAKE_EACH(a, k->outputs, k->ld, &k->f, &k->alpha, &k->left_out);
    GPAI_TAKE_EACH(a, k->ld, k->ld, &k->gram, &k->matrix);
    k->g = gpai_take(a, k->features, k->ld);
    k->g_gram = gpai_take(a, k->features > 0 ? k->ld : 0, k->ld);
    k->second = gpai_take(a, gpai_spd_ld(subset), gpai_spd_ld(subset));
    k->scratch = gpai_take(a, gpai_spd_scratch(k->room), 1);
    GPAI_TAKE_EACH(a, k->outputs, 1, &k->centre, &k->size);
    k->gap = gpai_take(a, k->axes, k->pair_room);
    GPAI_TAKE_EACH(a, k->pair_room, 1, &k->gap_gram, &k->cover, &k->pull);
    GPAI_TAKE_EACH(a, subset, 1, &k->own_gram, &k->own_g);
    k->gap_g = gpai_take(a, k->features > 0 ? k->pair_room : 0, 1);
    GPAI_TAKE_EACH(a, k->outputs, gpai_spd_ld(subset), &k->target, &k->solved);
    double *room = gpai_take(a, gpai_bfgs_room(k->axes + k->others), 1);
    if (a->base != NULL)
        gpai_bfgs_init(&k->search, k->axes + k->others, LOWEST, HIGHEST, room);
}

static double median_of(const gpai_kriging *k, size_t i)
{
    if (i >= k->axes)
        return OTHER_MEDIAN[i - k->axes];
    /* With more axes a typical distance must not grow. */
    return LAMBDA_MEDIAN * (k->axes > 10 ? 10 / (double)k->axes : 1);
}

static double sd_of(const gpai_kriging *k, size_t i)
{
    return i < k->axes ? LAMBDA_SD : OTHER_SD[i - k->axes];
}

gpa_status gpai_kriging_open(gpai_kriging *k, size_t axes, size_t outputs, size_t room,
                             const gpai_warp *warp, gpa_error *err)
{
    *k = (gpai_kriging){.v = gpai_vectors_at(0),
                        .axes = axes,
                        .outputs = outputs,
                        .warp = warp,
                        .features = warp != NULL ? axes * warp->each : 0,
                        .others = warp != NULL ? GPAI_KRIGING_OTHERS : GPAI_KRIGING_G,
                        .design = SIZE_MAX,
                        .most = GPAI_KRIGING_SUBSET,
                        .room = room,
                        .ld = gpai_spd_ld(room)};
    k->block = gpai_carve(lay_out, k);
    if (k->block == NULL)
        return gpai_nomem(err, "kriging");
    for (size_t i = 0; i < axes + k->others; i++)
        k->search.x[i] = log(median_of(k, i));
    return GPA_OK;
}

void gpai_kriging_close(gpai_kriging *k)
{
    gpai_free(k->block);
    *k = (gpai_kriging){0};
}

/* The products z.z' (or g.g') of rows from `old` on with all rows before them. */
static void extend_gram(const gpai_kriging *k, const double *each, size_t count,
                        size_t old, double *gram)
{
    for (size_t j = 0; j < k->rows; j++) {
        size_t from = (j > old ? j : old) / GPAI_VPAD * GPAI_VPAD;
        double *column = gram + j * k->ld + from;
        memset(column, 0, (k->rows - from) * sizeof *column);
        for (size_t a = 0; a < count; a++) {
            const double *z = each + a * k->ld;
            k->v->axpy(z[j], z + from, k->rows - from, column);
        }
    }
}

/* t and g of the row at a place. */
static void warp_row(gpai_kriging *k, size_t at)
{
    for (size_t a = 0; a < k->axes; a++) {
        double *g = k->g + a * k->warp->each * k->ld + at;
        double u = gpai_norm_cdf(k->z[a * k->ld + at]);
        k->u[a * k->ld + at] = gpai_warp_place(k->warp, a, u, g, k->ld);
    }
}

void gpai_kriging_add(gpai_kriging *k, const double *z, const double *f, size_t n,
                      size_t first)
{
    size_t old = k->rows;
    for (size_t i = 0; i < n; i++) {
        bool good = true;
        for (size_t t = 0; t < k->outputs; t++)
            good = good && isfinite(f[i * k->outputs + t]);
        size_t at = good ? k->rows++ : k->room - ++k->bad;
        k->id[at] = first + i;
        for (size_t a = 0; a < k->axes; a++)
            k->z[a * k->ld + at] = z[i * k->axes + a];
        for (size_t t = 0; t < k->outputs; t++)
            k->f[t * k->ld + at] = f[i * k->outputs + t];
        if (k->warp != NULL)
            warp_row(k, at);
    }
    extend_gram(k, k->z, k->axes, old, k->gram);
    if (k->features > 0)
        extend_gram(k, k->g, k->features, old, k->g_gram);
}

/* Whether a row is of the design; all are, where none is. */
static bool designed(const gpai_kriging *k, size_t row)
{
    return k->id[row] < k->design;
}

/* Mean and standard deviation of each output; huge ones do not overflow. */
static void standardise(gpai_kriging *k)
{
    double n = 0;
    for (size_t i = 0; i < k->rows; i++)
        n += designed(k, i) ? 1 : 0;
    if (n == 0)
        k->design = SIZE_MAX;
    n = n > 0 ? n : (double)k->rows;
    k->flat = true;
    for (size_t t = 0; t < k->outputs; t++) {
        const double *f = k->f + t * k->ld;
        double mean = 0, large = 0, square = 0;
        for (size_t i = 0; i < k->rows; i++)
            mean += designed(k, i) ? f[i] / n : 0;
        for (size_t i = 0; i < k->rows; i++)
            large = designed(k, i) ? fmax(large, fabs(f[i] - mean)) : large;
        for (size_t i = 0; i < k->rows && large > 0; i++)
            if (designed(k, i))
                square += (f[i] - mean) / large * ((f[i] - mean) / large) / n;
        k->centre[t] = mean;
        k->size[t] = large * sqrt(square);
        if (!(k->size[t] > 1e-12 * fabs(mean)) || !isfinite(k->size[t]))
            k->size[t] = 0;
        k->flat = k->flat && k->size[t] == 0;
    }
}

static double standard(const gpai_kriging *k, size_t t, size_t row)
{
    double f = k->f[t * k->ld + row] - k->centre[t];
    return k->size[t] > 0 ? f / k->size[t] : 0;
}

static void update_u(gpai_kriging *k)
{
    for (size_t i = 0; i < k->axes && k->warp == NULL; i++) {
        double *u = k->u + i * k->ld;
        memcpy(u, k->z + i * k->ld, k->ld * sizeof *u);
        k->v->cdf(u, k->ld);
    }
}

/* Up to `most` rows, of the design or not, evenly spaced among those; how many. */
static size_t pick_rows(const gpai_kriging *k, bool design, size_t most, size_t *to)
{
    size_t all = 0, next = 0, picked = 0;
    for (size_t i = 0; i < k->rows; i++)
        all += designed(k, i) == design ? 1 : 0;
    most = all < most ? all : most;
    for (size_t i = 0; i < k->rows && picked < most; i++)
        if (designed(k, i) == design &&
            next++ == (most > 1 ? picked * (all - 1) / (most - 1) : 0))
            to[picked++] = i;
    return picked;
}

/* The products of pairs of chosen rows, and of each with itself. */
static void pair_products(const gpai_kriging *k, const double *gram, double *pair,
                          double *own)
{
    for (size_t j = 0; j < k->subset; j++) {
        own[j] = gram[k->chosen[j] * k->ld + k->chosen[j]];
        for (size_t i = j + 1; i < k->subset; i++)
            *pair++ = gram[k->chosen[j] * k->ld + k->chosen[i]];
    }
    for (size_t p = k->pairs; p < round_up(k->pairs); p++)
        *pair++ = 0;
}

/* Rows for the likelihood, the distances of their pairs along each axis
 * and their products. Pairs (i > j) are in the order of a lower triangle by columns. */
static void choose_rows(gpai_kriging *k)
{
    size_t n = pick_rows(k, true, k->most, k->chosen);
    size_t left = k->most - n;
    if (n > 0 && left > n / 2) /* the others are all about one place */
        left = n / 2;
    n += pick_rows(k, false, left, k->chosen + n);
    k->subset = n;
    k->subset_ld = gpai_spd_ld(n);
    memset(k->target, 0, k->outputs * k->subset_ld * sizeof *k->target);
    k->pairs = n * (n - 1) / 2;
    gpai_sort_indices(k->chosen, n); /* of a lower triangle */
    for (size_t a = 0; a < k->axes; a++) {
        const double *u = k->u + a * k->ld;
        double *gap = k->gap + a * k->pair_room;
        for (size_t j = 0; j < n; j++)
            for (size_t i = j + 1; i < n; i++)
                *gap++ = fabs(u[k->chosen[i]] - u[k->chosen[j]]);
        for (size_t p = k->pairs; p < round_up(k->pairs); p++)
            *gap++ = 0;
    }
    pair_products(k, k->gram, k->gap_gram, k->own_gram);
    if (k->features > 0)
        pair_products(k, k->g_gram, k->gap_g, k->own_g);
    for (size_t t = 0; t < k->outputs; t++)
        for (size_t i = 0; i < n; i++)
            k->target[t * k->subset_ld + i] = standard(k, t, k->chosen[i]);
}

/* What the parameters behind the lambdas come to. */
struct weights {
    double s2, noise;
    double z, g, z2, g2; /* of z.z', g.g' and their squares, M included */
};

static struct weights weights_at(const gpai_kriging *k, const double *theta)
{
    const double *other = theta + k->axes;
    double by = 1 / (double)k->axes;
    struct weights w = {.s2 = exp(other[GPAI_KRIGING_S2]),
                        .noise = exp(other[GPAI_KRIGING_NOISE]),
                        .z = by * exp(other[GPAI_KRIGING_Z])};
    if (k->others == GPAI_KRIGING_OTHERS) {
        w.g = by * exp(other[GPAI_KRIGING_G]);
        w.z2 = by * by * exp(other[GPAI_KRIGING_Z2]);
        w.g2 = by * by * exp(other[GPAI_KRIGING_G2]);
    }
    return w;
}

/* The trends from products z.z' and g.g' (which may be NULL) are added to n numbers. */
static void add_trends(const struct weights *w, const double *z, const double *g,
                       size_t n, double *to)
{
    for (size_t i = 0; i < n && g == NULL; i++)
        to[i] += w->z * z[i];
    for (size_t i = 0; i < n && g != NULL; i++)
        to[i] += z[i] * (w->z + w->z2 * z[i]) + g[i] * (w->g + w->g2 * g[i]);
}

static const double *own_g(const gpai_kriging *k)
{
    return k->features > 0 ? k->own_g : NULL;
}

/* The lower triangle of K for the chosen rows, and in `cover` its first term. */
static void fill_matrix(gpai_kriging *k, const double *theta, const struct weights *w)
{
    size_t n = k->subset, p = 0;
    for (size_t i = 0; i < k->pairs; i++)
        k->cover[i] = theta[k->axes + GPAI_KRIGING_S2];
    for (size_t a = 0; a < k->axes; a++)
        k->v->axpy(-exp(theta[a]), k->gap + a * k->pair_room, k->pairs, k->cover);
    k->v->exp(k->cover, k->pairs);
    for (size_t j = 0; j < n; j++) {
        double *column = k->matrix + j * k->subset_ld;
        const double *g = own_g(k);
        memset(column + n, 0, (k->subset_ld - n) * sizeof *column);
        column[j] = w->s2 + w->noise + JITTER;
        add_trends(w, k->own_gram + j, g != NULL ? g + j : NULL, 1, column + j);
        memcpy(column + j + 1, k->cover + p, (n - j - 1) * sizeof *column);
        add_trends(w, k->gap_gram + p, g != NULL ? k->gap_g + p : NULL, n - j - 1,
                   column + j + 1);
        p += n - j - 1;
    }
}

/* d value / d K_ij of the pairs, twice because of symmetry, into `pull`, and of the
 * diagonal into `own`. */
static void find_pull(gpai_kriging *k, double *own)
{
    size_t n = k->subset, p = 0;
    double outputs = (double)k->outputs;
    for (size_t j = 0; j < n; j++) {
        const double *inverse = k->matrix + j * k->subset_ld;
        double *pull = k->pull + p;
        for (size_t i = j + 1; i < n; i++)
            pull[i - j - 1] = outputs * inverse[i];
        own[j] = outputs * inverse[j];
        for (size_t t = 0; t < k->outputs; t++) {
            const double *solved = k->solved + t * k->subset_ld;
            own[j] -= solved[j] * solved[j];
            for (size_t i = j + 1; i < n; i++)
                pull[i - j - 1] -= solved[i] * solved[j];
        }
        own[j] *= 0.5;
        p += n - j - 1;
    }
    for (; p < round_up(k->pairs); p++)
        k->pull[p] = 0;
}

/* The sums over K of d value / d K times a product, and times its square. */
static void pull_product(const gpai_kriging *k, const double *own, const double *pair,
                         const double *itself, double *plain, double *square)
{
    *plain = *square = 0;
    for (size_t p = 0; p < k->pairs; p++) {
        double by = k->pull[p] * pair[p];
        *plain += by;
        *square += by * pair[p];
    }
    for (size_t j = 0; j < k->subset; j++) {
        *plain += own[j] * itself[j];
        *square += own[j] * itself[j] * itself[j];
    }
}

static void find_gradient(gpai_kriging *k, const double *theta, const struct weights *w,
                          double *gradient)
{
    double own[GPAI_KRIGING_SUBSET_MOST], *other = gradient + k->axes;
    double trace = 0, sum = 0, plain, square;
    find_pull(k, own);
    for (size_t j = 0; j < k->subset; j++)
        trace += own[j];
    pull_product(k, own, k->gap_gram, k->own_gram, &plain, &square);
    other[GPAI_KRIGING_Z] = w->z * plain;
    other[GPAI_KRIGING_NOISE] = w->noise * trace;
    if (k->features > 0) {
        other[GPAI_KRIGING_Z2] = w->z2 * square;
        pull_product(k, own, k->gap_g, k->own_g, &plain, &square);
        other[GPAI_KRIGING_G] = w->g * plain;
        other[GPAI_KRIGING_G2] = w->g2 * square;
    }
    for (size_t p = 0; p < k->pairs; p++) {
        k->pull[p] *= k->cover[p];
        sum += k->pull[p];
    }
    other[GPAI_KRIGING_S2] = sum + w->s2 * trace;
    for (size_t a = 0; a < k->axes; a++)
        gradient[a] =
            -exp(theta[a]) * k->v->dot(k->pull, k->gap + a * k->pair_room, k->pairs);
}

/* value = 1/2 sum_t y_t' K^-1 y_t + outputs/2 ln |K| + prior. */
double gpai_kriging_misfit(void *ctx, const double *theta, double *gradient)
{
    gpai_kriging *k = ctx;
    size_t n = k->subset, ld = k->subset_ld;
    double value = 0;
    struct weights w = weights_at(k, theta);
    fill_matrix(k, theta, &w);
    if (!gpai_spd_factor(k->v, k->matrix, n, ld))
        return HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        value += (double)k->outputs * log(k->matrix[i * ld + i]);
    gpai_spd_invert_factor(k->v, k->matrix, n, ld, k->scratch);
    memcpy(k->solved, k->target, k->outputs * ld * sizeof *k->solved);
    for (size_t t = 0; t < k->outputs; t++) {
        gpai_spd_solve(k->v, k->matrix, n, ld, k->solved + t * ld, k->scratch);
        value += 0.5 * k->v->dot(k->target + t * ld, k->solved + t * ld, n);
    }
    gpai_spd_inverse(k->v, k->matrix, n, ld, k->second);
    find_gradient(k, theta, &w, gradient);
    for (size_t i = 0; i < k->axes + k->others; i++) {
        double sd = sd_of(k, i), off = (theta[i] - log(median_of(k, i))) / sd;
        value += 0.5 * off * off;
        gradient[i] += off / sd;
    }
    return isfinite(value) ? value : HUGE_VAL;
}

/* The lower triangle of K for all rows, with so much on the diagonal. */
static void fill_full(gpai_kriging *k, double extra)
{
    const double *theta = k->search.x;
    struct weights w = weights_at(k, theta);
    for (size_t j = 0; j < k->rows; j++) {
        size_t from = j / GPAI_VPAD * GPAI_VPAD, n = k->rows - from;
        double *column = k->matrix + j * k->ld + from;
        for (size_t i = 0; i < n; i++)
            column[i] = theta[k->axes + GPAI_KRIGING_S2];
        for (size_t a = 0; a < k->axes; a++)
            k->v->add_gap(-exp(theta[a]), k->u + a * k->ld + from, k->u[a * k->ld + j],
                          n, column);
        k->v->exp(column, n);
        add_trends(&w, k->gram + j * k->ld + from,
                   k->features > 0 ? k->g_gram + j * k->ld + from : NULL, n, column);
        column[j - from] += w.noise + extra;
        memset(column + n, 0, (k->ld - k->rows) * sizeof *column);
    }
}

/* alpha = K^-1 y, and the leave-one-out residuals alpha_i / (K^-1)_ii: the inverse's
 * diagonal is the sum of squares of each column of the inverse factor. */
static void solve_full(gpai_kriging *k)
{
    gpai_spd_invert_factor(k->v, k->matrix, k->rows, k->ld, k->scratch);
    memset(k->alpha, 0, k->outputs * k->ld * sizeof *k->alpha);
    for (size_t t = 0; t < k->outputs; t++) {
        for (size_t i = 0; i < k->rows; i++)
            k->alpha[t * k->ld + i] = standard(k, t, i);
        gpai_spd_solve(k->v, k->matrix, k->rows, k->ld, k->alpha + t * k->ld,
                       k->scratch);
    }
    for (size_t i = 0; i < k->rows; i++) {
        const double *column = k->matrix + i * k->ld;
        double own = k->v->dot(column, column, k->rows); /* 0 above the diagonal */
        for (size_t t = 0; t < k->outputs; t++)
            k->left_out[t * k->ld + i] = k->size[t] * k->alpha[t * k->ld + i] / own;
    }
}

gpa_status gpai_kriging_estimate(gpai_kriging *k, size_t evaluations, gpa_error *err)
{
    standardise(k);
    update_u(k);
    choose_rows(k);
    if (!k->flat && evaluations > 0)
        gpai_bfgs_minimise(&k->search, gpai_kriging_misfit, k, evaluations, 0.05);
    bool factored = false;
    for (double extra = JITTER; !factored && extra < 1; extra *= 100) {
        fill_full(k, extra);
        factored = gpai_spd_factor(k->v, k->matrix, k->rows, k->ld);
    }
    if (!factored)
        return gpai_fail(err, GPA_NUMERIC,
                         "kriging: the covariance of %zu rows cannot be factored",
                         k->rows);
    solve_full(k);
    return GPA_OK;
}
