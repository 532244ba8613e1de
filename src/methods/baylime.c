#include "base/alloc.h"
#include "base/math/spd.h"
#include "base/status.h"
#include "methods/attribute.h"
#include "methods/linear/local_samples.h"
#include "methods/linear/standardise.h"
#include <math.h>
#include <string.h>

/* Appendix B: the slopes have the prior N(0, 1 / eta) each, the predictions around x
 * are observed with precision lambda. The constant has a flat prior, as in lime, so
 * samples and predictions are centred. The posterior mean is a ridge regression with
 * weight eta / lambda. */
struct ridge {
    gpai_standardised s;
    size_t m, ld; /* unknowns: inputs, or samples where these are fewer */
    double *block;
    double *weight; /* d: the ridge in terms of the standard columns */
    double *matrix; /* ld by ld; none when s.gram does */
    double *x;      /* ld */
};

static void lay_out(void *work, gpai_arena *a)
{
    struct ridge *r = work;
    r->weight = gpai_take(a, r->s.d, 1);
    r->x = gpai_take(a, r->ld, 1);
    r->matrix = gpai_take(a, r->s.tall ? 0 : r->ld, r->ld);
}

static gpa_status ridge_open(struct ridge *r, size_t n, size_t d, gpa_error *err)
{
    gpa_status st = gpai_standardised_open(&r->s, n, d, "baylime", err);
    if (st != GPA_OK)
        return st;
    r->m = r->s.tall ? d : n;
    r->ld = r->s.tall ? r->s.ld : r->s.ldz;
    r->block = gpai_carve(lay_out, r);
    if (r->block == NULL)
        return gpai_nomem(err, "baylime");
    if (r->s.tall)
        r->matrix = r->s.gram;
    return GPA_OK;
}

static void ridge_close(struct ridge *r)
{
    gpai_free(r->block);
    gpai_standardised_close(&r->s);
}

/* Solves matrix x = x. */
static bool solve(struct ridge *r)
{
    const double *l = r->matrix;
    size_t m = r->m, ld = r->ld;
    if (!gpai_spd_factor(r->s.v, r->matrix, m, ld))
        return false;
    for (size_t j = 0; j < m; j++) {
        r->x[j] /= l[j * ld + j];
        for (size_t i = j + 1; i < m; i++)
            r->x[i] -= l[j * ld + i] * r->x[j];
    }
    for (size_t j = m; j-- > 0;) {
        for (size_t i = j + 1; i < m; i++)
            r->x[j] -= l[j * ld + i] * r->x[i];
        r->x[j] /= l[j * ld + j];
    }
    return true;
}

/* (Z'Z + R) u = Z't, R the diagonal of weights. */
static bool solve_inputs(struct ridge *r, double *u)
{
    size_t d = r->s.d, ld = r->ld;
    memcpy(r->x, r->s.gap, d * sizeof *r->x); /* Z't, as nothing was subtracted yet */
    for (size_t j = 0; j < d; j++) {
        r->matrix[j * ld + j] = isinf(r->weight[j]) ? 1 : 1 + r->weight[j];
        r->matrix[j * ld + d] = 0; /* where t stood */
    }
    if (!solve(r))
        return false;
    memcpy(u, r->x, d * sizeof *u);
    return true;
}

/* The same by u = S Y'(I + Y Y')^-1 t with S^2 R = I and Y = Z S: a system of n. */
static bool solve_samples(struct ridge *r, double *u)
{
    size_t n = r->s.n, d = r->s.d, ld = r->ld;
    for (size_t j = 0; j < d; j++) {
        double *z = r->s.z + j * ld;
        for (size_t i = 0; i < n; i++)
            z[i] /= sqrt(r->weight[j]);
    }
    memset(r->matrix, 0, ld * ld * sizeof *r->matrix);
    gpai_gram_add(r->s.v, r->s.z, n, ld, d, r->matrix);
    for (size_t i = 0; i < n; i++)
        r->matrix[i * ld + i] += 1;
    memset(r->x, 0, ld * sizeof *r->x);
    memcpy(r->x, r->s.t, n * sizeof *r->x);
    if (!solve(r))
        return false;
    for (size_t j = 0; j < d; j++)
        u[j] = r->s.v->dot(r->s.z + j * ld, r->x, n) / sqrt(r->weight[j]);
    return true;
}

/* The posterior mean of the slopes, per unit, into l->w, and that of the constant. */
static gpa_status posterior_mean(struct ridge *r, const gpai_local_samples *l,
                                 double ridge, double *constant, gpa_error *err)
{
    memset(l->w, 0, l->d * sizeof *l->w);
    *constant = l->f[0];
    if (!gpai_standardised_fill(&r->s, l->x, l->f))
        return GPA_OK; /* f is flat */
    for (size_t j = 0; j < l->d; j++) {
        double spread = r->s.spread[j];
        r->weight[j] = spread > 0 ? ridge / (double)l->n / spread / spread : HUGE_VAL;
    }
    if (!(r->s.tall ? solve_inputs(r, l->w) : solve_samples(r, l->w)))
        return gpai_fail(err, GPA_NUMERIC,
                         "baylime: the samples do not determine the slopes: take more "
                         "samples or a larger eta");
    *constant = gpai_standardised_back(&r->s, l->w);
    return GPA_OK;
}

/* In the limit of many samples all slopes have the same variance, whatever f is: 1 /
 * (eta + lambda N_s) for samples that spread by one unit. An input that is held has
 * none. */
static void fill_sd(gpai_attribute *w, double eta, size_t n)
{
    const gpa_attribute_options *o = w->opt;
    double spread = o->lime_x != NULL ? 1 : o->lime_sd;
    double sd = 1 / sqrt(eta + o->lime_precision * (double)n * spread * spread);
    const unsigned char *frozen = w->explain->frozen;
    for (size_t k = 0; k < w->s->d; k++)
        w->a->sd[k] = frozen != NULL && frozen[k] != 0 ? 0 : sd;
    w->a->has_sd = true;
}

gpa_status gpai_baylime(gpai_attribute *w)
{
    static const double ETA = 0.4; /* where none is given: as in engine/tune.c */
    double eta = isnan(w->explain->eta) ? ETA : w->explain->eta;
    gpai_local_samples local;
    struct ridge r = {0};
    gpa_status st = gpai_local_samples_open(&local, w);
    if (st == GPA_OK)
        st = ridge_open(&r, local.n, local.d, w->err);
    for (size_t t = 0; t < w->s->n && st == GPA_OK; t++) {
        double constant;
        st = gpai_local_samples_ask(&local, w, t);
        if (st == GPA_OK)
            st = posterior_mean(&r, &local, eta / w->opt->lime_precision, &constant,
                                w->err);
        if (st == GPA_OK)
            st = gpai_local_samples_score(&local, w, constant);
    }
    fill_sd(w, eta, local.n);
    ridge_close(&r);
    gpai_local_samples_close(&local);
    return st;
}
