/* The loops of grid_kernels.c for one instruction set, for base/cpu_sets.h: vectors of
 * four doubles with every set, for an axis has few places. */

TARGET static void NAMED(times_squares)(const double *u, size_t n, double r,
                                        double scale, double *out)
{
    four one = {1, 1, 1, 1}, level = {r, r, r, r}, s = {scale, scale, scale, scale};
    for (size_t j = 0; j < n; j += 4) {
        four g = level - *(const four *)(const void *)(u + j);
        *(four *)(void *)(out + j) *= one + g * g * s;
    }
}

TARGET static void NAMED(subtract_scaled)(const double *u, size_t n, double by,
                                          double *out)
{
    four b = {by, by, by, by};
    for (size_t j = 0; j < n; j += 4)
        *(four *)(void *)(out + j) -= b * *(const four *)(const void *)(u + j);
}

/* Two running minima, so that one need not wait for the other. */
TARGET static size_t NAMED(lowest)(const double *v, size_t n)
{
    const double top = HUGE_VAL;
    four best = {top, top, top, top}, other = best;
    four_bits index = {0, 1, 2, 3}, at = index, elsewhere = index;
    const four_bits step = {8, 8, 8, 8}, half = {4, 4, 4, 4};
    for (size_t j = 0; j < n; j += 8) {
        four x = *(const four *)(const void *)(v + j);
        four y = *(const four *)(const void *)(v + j + 4);
        four_bits lower = x < best, less = y < other;
        best = (four)((lower & (four_bits)x) | (~lower & (four_bits)best));
        other = (four)((less & (four_bits)y) | (~less & (four_bits)other));
        at = (lower & index) | (~lower & at);
        elsewhere = (less & (index + half)) | (~less & elsewhere);
        index += step;
    }
    double low = best[0];
    int64_t place = at[0];
    for (size_t k = 1; k < 8; k++) {
        double value = k < 4 ? best[k] : other[k - 4];
        int64_t where = k < 4 ? at[k] : elsewhere[k - 4];
        if (value < low || (value == low && where < place)) {
            low = value;
            place = where;
        }
    }
    return (size_t)place;
}
