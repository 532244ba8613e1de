#ifndef GPAI_METHODS_LINEAR_STANDARDISE_H
#define GPAI_METHODS_LINEAR_STANDARDISE_H
#include "base/math/vectors.h"
#include <gpa/status.h>
#include <stdbool.h>

/* A linear regression of t on the columns of X, in columns that are centred and have
 * length 1, like t: then no number is too large or small for what is done to it. A
 * column that is constant becomes 0. With more rows than columns only the products of
 * the columns are kept. */
typedef struct gpai_standardised {
    size_t n, d;
    bool tall;  /* more rows than columns: gram and gap, else z, t and rest */
    size_t ld;  /* numbers between columns of `gram` */
    size_t ldz; /* numbers between columns of `z` */
    const gpai_vectors *v;
    double *block;  /* owns all arrays below */
    double *first;  /* d + 1: the first row, t behind it */
    double *mean;   /* d + 1: what is to be added to it for the mean */
    double *spread; /* d + 1: standard deviations; 0: constant */
    double *row;    /* d + 1 */
    double *square; /* d + 1 */
    double *gram;   /* ld by ld: products of the columns and of t, both halves */
    double *gap;    /* ld: products of the residual with the columns */
    double *panel;  /* a few rows */
    double *z;      /* d columns of n, ldz apart */
    double *t;      /* ldz */
    double *rest;   /* ldz: the residual */
} gpai_standardised;

/* Room for problems of n rows (at least 1) and d columns; `unit` is for messages. */
gpa_status gpai_standardised_open(gpai_standardised *s, size_t n, size_t d,
                                  const char *unit, gpa_error *err);
void gpai_standardised_close(gpai_standardised *s);

/* Takes in x (n by d, row-major) and t. The residual is t. False when t is constant and
 * there is nothing to explain: then only mean and spread are there. */
bool gpai_standardised_fill(gpai_standardised *s, const double *x, const double *t);

/* The residual is t again. */
void gpai_standardised_reset(gpai_standardised *s);

/* Adds `a` times column j to the residual. */
void gpai_standardised_add(gpai_standardised *s, size_t j, double a);

/* The residual's product with column j; that of two columns. */
double gpai_standardised_product(const gpai_standardised *s, size_t j);
double gpai_standardised_pair(const gpai_standardised *s, size_t i, size_t j);

/* Coefficients of the standard columns to those of X, in place; gives the constant. */
double gpai_standardised_back(const gpai_standardised *s, double *w);

/* g += the sum of z z' over `depth` vectors of m numbers, its lower half at least. The
 * vectors and the columns of g (there are ld) are ld = gpai_spd_ld(m) numbers apart,
 * zeros from m on. The same bytes on every processor. */
void gpai_gram_add(const gpai_vectors *v, const double *z, size_t m, size_t ld,
                   size_t depth, double *g);

#endif
