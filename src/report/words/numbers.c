#include "report/words/numbers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char NONE[] = "n/a";

gpai_cell gpai_cell_value(double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    if (strlen(number) > 8)
        gpai_real_people(number, x, 5);
    return gpai_cell_of(isfinite(x) ? number : NONE, false, ascii);
}

gpai_cell gpai_cell_people(double x, int digits, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_people(number, x, digits);
    return gpai_cell_of(number, false, ascii);
}

gpai_cell gpai_cell_observed(double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    if (strlen(number) > 9)
        gpai_real_people(number, x, 6);
    return gpai_cell_of(number, false, ascii);
}

gpai_cell gpai_cell_fixed(double x, int decimals, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, x, decimals);
    return gpai_cell_of(isfinite(x) ? number : NONE, false, ascii);
}

gpai_cell gpai_cell_change(double x, int decimals, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, x, decimals);
    return gpai_cell_of(!isfinite(x) ? NONE
                        : x == 0     ? "0"
                                     : number,
                        isfinite(x), ascii);
}

gpai_cell gpai_cell_raw(double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    double size = fabs(x);
    if (size != 0 && (size < 1e-4 || size >= 1e12))
        gpai_real_digits(number, x, 3);
    else
        gpai_real_fixed(number, x, gpai_decimals(x, 3));
    return gpai_cell_of(isfinite(x) ? number : NONE, isfinite(x), ascii);
}

gpai_cell gpai_cell_probability(double p)
{
    gpai_cell c;
    char number[GPAI_REAL_SIZE];
    bool low = p<0.01, high = p> 0.99; /* never a 0 or 1 that is only rounded */
    gpai_real_fixed(number, low ? 0.01 : high ? 0.99 : p, 2);
    snprintf(c.text, sizeof c.text, "%s%s",
             low    ? "<"
             : high ? ">"
                    : "",
             isfinite(p) ? number : NONE);
    return c;
}

int gpai_cell_decimals(const gpai_view *v)
{
    double longest = v->d > 0 ? fabs(v->delta[v->largest[0]]) : 0;
    return gpai_decimals(longest > 0 ? longest : 1, 3);
}
