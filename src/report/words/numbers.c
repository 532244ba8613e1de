#include "report/words/numbers.h"
#include <math.h>
#include <string.h>

static const char NONE[] = "n/a";

void gpai_cell_value(gpa_text *t, double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    if (strlen(number) > 8)
        gpai_real_people(number, x, 5);
    gpai_text_minus(t, isfinite(x) ? number : NONE, false, ascii);
}

void gpai_cell_people(gpa_text *t, double x, int digits, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_people(number, x, digits);
    gpai_text_minus(t, number, false, ascii);
}

void gpai_cell_observed(gpa_text *t, double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_number_text(x, number);
    if (strlen(number) > 9)
        gpai_cell_people(t, x, 6, ascii);
    else
        gpai_text_minus(t, number, false, ascii);
}

void gpai_cell_fixed(gpa_text *t, double x, int decimals, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, x, decimals);
    gpai_text_minus(t, isfinite(x) ? number : NONE, false, ascii);
}

void gpai_cell_change(gpa_text *t, double x, int decimals, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, x, decimals);
    gpai_text_minus(t, !isfinite(x) ? NONE : x == 0 ? "0" : number, isfinite(x), ascii);
}

void gpai_cell_raw(gpa_text *t, double x, bool ascii)
{
    char number[GPAI_REAL_SIZE];
    double size = fabs(x);
    if (size != 0 && (size < 1e-4 || size >= 1e12))
        gpai_real_digits(number, x, 3);
    else
        gpai_real_fixed(number, x, gpai_decimals(x, 3));
    gpai_text_minus(t, isfinite(x) ? number : NONE, isfinite(x), ascii);
}

void gpai_cell_probability(gpa_text *t, double p)
{
    char number[GPAI_REAL_SIZE];
    bool low = p<0.01, high = p> 0.99; /* never a 0 or 1 that is only rounded */
    gpai_real_fixed(number, low ? 0.01 : high ? 0.99 : p, 2);
    gpai_text_add(t, low ? "<" : high ? ">" : "");
    gpai_text_add(t, isfinite(p) ? number : NONE);
}

int gpai_cell_decimals(const gpai_view *v)
{
    double longest = v->d > 0 ? fabs(v->delta[v->largest[0]]) : 0;
    return gpai_decimals(longest > 0 ? longest : 1, 3);
}
