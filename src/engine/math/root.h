#ifndef GPAI_ROOT_H
#define GPAI_ROOT_H

/* A root of fn between lo and hi, where its signs differ, by Brent's method. */
double gpai_root(double (*fn)(void *ctx, double x), void *ctx, double lo, double hi,
                 double tol);

#endif
