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

TARGET static void NAMED(mean)(const double *t, const double *a, const double *b,
                               size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        double x = fabs(t[i]), v = fabs(a[i]), w = fabs(b[i]);
        double least = NARROW * (1 + x);
        v = v > least ? v : least;
        w = w > least ? w : least;
        double far = NAMED(twice)(x + v + w) - NAMED(twice)(x + v - w);
        double near = NAMED(twice)(x - v + w) - NAMED(twice)(x - v - w);
        double mean = (far - near) / (4 * v * w);
        /* nowhere is there less; rounding may say so */
        double end = x + v + w;
        end = end < FARTHEST ? end : FARTHEST;
        double d = 1 / (1 + end * end), d2 = d * d;
        double bottom = d2 * d2 * d2;
        out[i] = mean > bottom ? mean : bottom;
    }
}
