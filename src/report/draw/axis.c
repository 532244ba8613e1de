#include "base/math/sort.h"
#include "report/draw/draw.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LARGEST = 1e300;
enum { MOST_TICKS = 12 };

gpai_span gpai_span_empty(void)
{
    return (gpai_span){HUGE_VAL, -HUGE_VAL};
}

bool gpai_drawable(double v)
{
    return fabs(v) <= LARGEST;
}

void gpai_span_add(gpai_span *s, double v)
{
    if (!gpai_drawable(v))
        return;
    s->low = v < s->low ? v : s->low;
    s->high = v > s->high ? v : s->high;
}

void gpai_span_add_near(gpai_span *s, const double *ascending, size_t n)
{
    double low, high;
    gpai_near(ascending, n, &low, &high);
    gpai_span_add(s, low);
    gpai_span_add(s, high);
}

void gpai_span_air(gpai_span *s, double share)
{
    if (!(s->low <= s->high)) {
        *s = (gpai_span){0, 1};
        return;
    }
    double size = fmax(fabs(s->low), fabs(s->high));
    double range = s->high - s->low, air = share * range;
    if (!(range > 1e-12 * size) ||
        range < 1e-290) /* all the same: some room around it */
        air = size > 1e-280 ? 0.1 * size : 1;
    s->low -= air;
    s->high += air;
}

gpai_axis gpai_axis_make(gpai_span s, double from, double to)
{
    return (gpai_axis){s.low, s.high, from, to};
}

double gpai_axis_at(const gpai_axis *a, double v)
{
    double share = (v - a->low) / (a->high - a->low);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return a->from + share * (a->to - a->from);
}

bool gpai_axis_has(const gpai_axis *a, double v)
{
    return v >= a->low && v <= a->high;
}

size_t gpai_axis_count(const gpai_axis *a, const double *values, size_t n,
                       size_t *count, size_t bins)
{
    size_t most = 0;
    memset(count, 0, bins * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        if (!gpai_axis_has(a, values[i]) || !(a->high > a->low))
            continue;
        double share = (values[i] - a->low) / (a->high - a->low);
        size_t bin = (size_t)(share * (double)bins);
        bin = bin < bins ? bin : bins - 1;
        count[bin]++;
        most = count[bin] > most ? count[bin] : most;
    }
    return most;
}

static double nice_step(double rough)
{
    double power = pow(10, floor(log10(rough))), lead = rough / power;
    return power * (lead <= 1 + 1e-9 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/* The power of a thousand in which values up to `largest` are written. */
static int shared_power(double largest)
{
    if (largest == 0 || (largest >= 1e-3 && largest < 1e6))
        return 0;
    return 3 * (int)floor(log10(largest) / 3);
}

gpai_ticks gpai_ticks_make(const gpai_axis *a, size_t most)
{
    most = most < 2 ? 2 : most > MOST_TICKS ? MOST_TICKS : most;
    double step = nice_step((a->high - a->low) / (double)most);
    double first = ceil(a->low / step - 1e-9), last = floor(a->high / step + 1e-9);
    double largest = step * fmax(fabs(first), fabs(last));
    gpai_ticks k = {.first = first, .step = step, .power = shared_power(largest)};
    k.count = last >= first ? (size_t)(last - first) + 1 : 0;
    k.count = k.count > 2 * MOST_TICKS ? 2 * MOST_TICKS : k.count;
    double decimals = -floor(log10(step) - k.power + 1e-9);
    k.decimals = decimals < 0 ? 0 : decimals > 15 ? 15 : (int)decimals;
    return k;
}

double gpai_tick(const gpai_ticks *k, size_t i)
{
    return (k->first + (double)i) * k->step;
}

/* Groups of three digits from 10 000 on, with a thin space as in SI. */
gpai_cell gpai_tick_text(const gpai_ticks *k, size_t i, bool plus)
{
    gpai_cell c; /* 16 digits before the point and 15 behind it at most, so it fits */
    char number[GPAI_REAL_SIZE];
    double v = gpai_tick(k, i);
    gpai_real_fixed(number, fabs(v) / pow(10, k->power), k->decimals);
    size_t whole = strspn(number, "0123456789");
    strcpy(c.text, v < 0 ? "−" : v > 0 && plus ? "+" : "");
    for (size_t j = 0; j < whole; j++) {
        strcat(c.text, j > 0 && whole > 4 && (whole - j) % 3 == 0 ? "\u2009" : "");
        strncat(c.text, number + j, 1);
    }
    strcat(c.text, number + whole);
    return c;
}

gpai_cell gpai_tick_power(const gpai_ticks *k)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    gpai_cell c = {""};
    char digits[16];
    if (k->power == 0)
        return c;
    snprintf(digits, sizeof digits, "%d", k->power);
    strcpy(c.text, "×10");
    for (const char *p = digits; *p != '\0'; p++)
        strcat(c.text, *p == '-' ? "⁻" : raised[*p - '0']);
    return c;
}

/* An upper bound of the width of the labels, in em. */
static double widest_label(const gpai_ticks *k)
{
    double largest = fmax(fabs(k->first), fabs(k->first + (double)k->count)) * k->step;
    double whole = floor(log10(fmax(largest / pow(10, k->power), 1))) + 1;
    double digits = whole + floor(whole / 3) * 0.5 + (k->decimals > 0 ? 0.6 : 0);
    return 0.64 * (digits + k->decimals) + 0.87;
}

gpai_ticks gpai_ticks_across(const gpai_axis *a, double size)
{
    double pixels = fabs(a->to - a->from);
    for (size_t most = 8;; most--) {
        gpai_ticks k = gpai_ticks_make(a, most);
        double pitch = k.step / (a->high - a->low) * pixels;
        if (most <= 2 || pitch >= size * (widest_label(&k) + 0.8))
            return k;
    }
}
