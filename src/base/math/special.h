#ifndef GPAI_BASE_MATH_SPECIAL_H
#define GPAI_BASE_MATH_SPECIAL_H
#include <stddef.h>

#define GPAI_PI     3.14159265358979323846
#define GPAI_LN2    0.69314718055994530942
#define GPAI_LN_2PI 1.83787706640934548356

/* Functions of the normal distribution that libm lacks. */
double gpai_norm_cdf(double z);          /* Phi(z) */
double gpai_norm_logcdf(double z);       /* ln Phi(z), also where Phi underflows */
double gpai_norm_quantile(double u);     /* Phi^-1(u); -+inf at 0 and 1 */
double gpai_norm_quantile_log(double l); /* Phi^-1(exp(l)) for l < 0 */
double gpai_norm_pdf(double z);
double gpai_log_gamma(double x); /* ln Gamma(x), x > 0; libm's writes a global */
double gpai_erfcx(double x);     /* exp(x^2) erfc(x) for x >= 0 */

double gpai_log_add(double x, double y); /* ln (exp x + exp y) */

/* to[i] = first ratio^i for i < n. */
void gpai_powers(double first, double ratio, size_t n, double *to);

#endif
