/* The means of student.c for one instruction set. */

/* H of |x|, and what there is more of it below 0. */
FN double NAMED(twice)(double x)
{
    double far = fabs(x), at = far < FARTHEST ? far : FARTHEST;
    double square = 1 + at * at, root = sqrt(square);
    double s = 1 / (square + at * root), series = SERIES[DEGREE];
    for (int i = DEGREE - 1; i >= 0; i--)
        series = series * s + SERIES[i];
    double s2 = s * s, inverse = 1 / square, i2 = inverse * inverse;
    double below = s2 * s2 * s * sqrt(s) * series;
    return 0.1 * (i2 * i2 * inverse) - at * below + TOTAL * (far - x) * 0.5;
}

TARGET static void NAMED(scale)(double b, double doubt, size_t n, double *t, double *a,
                                double *c, double *share)
{
    double root = sqrt(2 * b);
    for (size_t i = 0; i < n; i++) {
        double scale = 1 / sqrt(2 * (b + doubt * share[i]));
        t[i] *= scale;
        a[i] *= scale;
        c[i] *= scale;
        share[i] = root * scale;
    }
}

TARGET static void NAMED(mean)(const double *t, const double *a, const double *b,
                               size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        double x = fabs(t[i]), wide = fabs(a[i]), w = fabs(b[i]);
        double v = wide > w ? wide : w;
        w = wide > w ? w : wide;
        /* narrow against where the box begins, not where its middle is: v, the wider,
         * may reach from there to 0 */
        double least = NARROW * (1 + x);
        v = v > least ? v : least;
        double begin = x - v, end = x + v;
        least = NARROW * (1 + fabs(begin));
        w = w > least ? w : least;
        double far = NAMED(twice)(end + w) - NAMED(twice)(end - w);
        double near = NAMED(twice)(begin + w) - NAMED(twice)(begin - w);
        double mean = (far - near) / (4 * v * w);
        /* nowhere is there less; rounding may say so */
        end = end + w < FARTHEST ? end + w : FARTHEST;
        double d = 1 / (1 + end * end), d2 = d * d;
        double bottom = d2 * d2 * d2;
        out[i] = mean > bottom ? mean : bottom;
    }
}
