/* The look-up of widened.c for one instruction set. What is not finite becomes NaN. */
TARGET static void NAMED(look_up)(const gpai_widened *w, double power, const double *f,
                                  size_t n, double *total)
{
    const double *table = w->log;
    double y = w->y, scale = w->scale;
    for (size_t i = 0; i < n; i++) {
        double x = fabs(f[i] - y) * scale;
        double at = x / (GPAI_WIDENED_HALF + x) * GPAI_WIDENED;
        at = at < GPAI_WIDENED - 1 ? at : GPAI_WIDENED - 1;
        int j = (int)at;
        double left = table[j], part = at - (double)j;
        total[i] += power * (left + part * (table[j + 1] - left)) + 0 * x;
    }
}
