#ifndef GPAI_ENGINE_MATH_ROOT_H
#define GPAI_ENGINE_MATH_ROOT_H

/* A root of fn between lo and hi, where its signs differ, by Brent's method. */
double gpai_root(double (*fn)(void *ctx, double x), void *ctx, double lo, double hi,
                 double tol);

#endif
