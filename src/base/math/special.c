#include "base/math/special.h"
#include <math.h>

static const double INV_SQRT_2PI = 0.39894228040143267794;
static const double SQRT1_2 = 0.70710678118654752440;

double gpai_norm_pdf(double z)
{
    return INV_SQRT_2PI * exp(-0.5 * z * z);
}

double gpai_norm_cdf(double z)
{
    return 0.5 * erfc(-z * SQRT1_2);
}

double gpai_erfcx(double x)
{
    if (x < 10)
        return exp(x * x) * erfc(x);
    /* Laplace's continued fraction, bottom up: beyond x = 10 twelve terms are exact to
     * the last digit, and nothing overflows. */
    double tail = x;
    for (int k = 12; k >= 1; k--)
        tail = x + 0.5 * k / tail;
    return 0.56418958354775628695 / tail; /* 1 / sqrt(pi) */
}

double gpai_norm_logcdf(double z)
{
    if (z > -1)
        return log1p(-0.5 * erfc(z * SQRT1_2));
    return log(gpai_erfcx(-z * SQRT1_2)) - GPAI_LN2 - 0.5 * z * z;
}

/* Coefficients of algorithm AS 241 (Wichura 1988), good to about 1e-16: ratios of two
 * polynomials of degree 7, lowest power first, for the centre and two tails. */
static const double CENTRE_P[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                   1.9715909503065514427e3, 1.3731693765509461125e4,
                                   4.5921953931549871457e4, 6.7265770927008700853e4,
                                   3.3430575583588128105e4, 2.5090809287301226727e3};
static const double CENTRE_Q[8] = {1,
                                   4.2313330701600911252e1,
                                   6.8718700749205790830e2,
                                   5.3941960214247511077e3,
                                   2.1213794301586595867e4,
                                   3.9307895800092710610e4,
                                   2.8729085735721942674e4,
                                   5.2264952788528545610e3};
static const double NEAR_P[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                 5.76949722146069140550e0,  3.64784832476320460504e0,
                                 1.27045825245236838258e0,  2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
static const double NEAR_Q[8] = {1,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
static const double FAR_P[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                1.78482653991729133580e0,  2.96560571828504891230e-1,
                                2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
static const double FAR_Q[8] = {1,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};

static double ratio(const double *p, const double *q, double t)
{
    double up = p[7], down = q[7];
    for (int i = 6; i >= 0; i--) {
        up = up * t + p[i];
        down = down * t + q[i];
    }
    return up / down;
}

/* Phi^-1(exp(l)) below u = 0.075. */
static double quantile_tail(double l)
{
    double r = sqrt(-l);
    if (r <= 5)
        return -ratio(NEAR_P, NEAR_Q, r - 1.6);
    if (r <= 27)
        return -ratio(FAR_P, FAR_Q, r - 5);
    /* Beyond what a double can hold as u: Newton on ln Phi, whose slope is nearly -z.
     */
    double z = -sqrt(-2 * l - GPAI_LN_2PI - log(-2 * l));
    for (int i = 0; i < 4; i++)
        z += (gpai_norm_logcdf(z) - l) / z;
    return z;
}

double gpai_norm_quantile(double u)
{
    if (!(u > 0 && u < 1))
        return u == 0 ? -HUGE_VAL : u == 1 ? HUGE_VAL : (double)NAN;
    double q = u - 0.5;
    if (fabs(q) <= 0.425)
        return q * ratio(CENTRE_P, CENTRE_Q, 0.180625 - q * q);
    double z = quantile_tail(log(q < 0 ? u : 1 - u));
    return q < 0 ? z : -z;
}

double gpai_norm_quantile_log(double l)
{
    return l > -2.6 ? gpai_norm_quantile(exp(l)) : quantile_tail(l);
}

double gpai_log_gamma(double x)
{
    /* Stirling's series from x = 12 on, where five terms are exact to the last digit;
     * smaller x climb there by Gamma(x + 1) = x Gamma(x). */
    double product = 1;
    while (x < 12)
        product *= x++;
    double z = 1 / (x * x);
    double tail =
        (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) /
        x;
    return (x - 0.5) * log(x) - x + 0.5 * GPAI_LN_2PI + tail - log(product);
}

void gpai_powers(double first, double ratio, size_t n, double *to)
{
    double square = ratio * ratio, fourth = square * square;
    double next[4] = {first, first * ratio, first * square, first * ratio * square};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t j = 0; j < 4; j++) { /* four at a time: products have to wait */
            to[i + j] = next[j];
            next[j] *= fourth;
        }
    for (size_t j = 0; i < n; i++, j++)
        to[i] = next[j];
}

double gpai_log_add(double x, double y)
{
    double top = fmax(x, y);
    return isfinite(top) ? top + log1p(exp(fmin(x, y) - top)) : top;
}
