#include "report/draw/draw.h"
#include <math.h>
#include <stdio.h>

/* Linear light to the value of a byte (sRGB). */
static int encoded(double v)
{
    v = v < 0 ? 0 : v > 1 ? 1 : v;
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (int)floor(255 * v + 0.5);
}

/* From the perceptual space OKLab (lightness l, two opponent axes) to sRGB. */
static void to_rgb(double l, double a, double b, int rgb[3])
{
    double x = l + 0.3963377774 * a + 0.2158037573 * b;
    double y = l - 0.1055613458 * a - 0.0638541728 * b;
    double z = l - 0.0894841775 * a - 1.2914855480 * b;
    x *= x * x;
    y *= y * y;
    z *= z * z;
    rgb[0] = encoded(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z);
    rgb[1] = encoded(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z);
    rgb[2] = encoded(-0.0041960863 * x - 0.7034186147 * y + 1.7076147010 * z);
}

void gpai_colour(char out[GPAI_COLOUR_SIZE], double share)
{
    share = share > 0 ? share < 1 ? share : 1 : 0; /* also for NaN */
    const double degree = acos(-1) / 180;
    double l = 0.28 + 0.66 * share;            /* even steps of lightness */
    double hue = (275 - 170 * share) * degree; /* blue, teal, green, yellow */
    double chroma = 0.085 + 0.05 * share;
    int rgb[3];
    to_rgb(l, chroma * cos(hue), chroma * sin(hue), rgb);
    snprintf(out, GPAI_COLOUR_SIZE, "#%02x%02x%02x", (unsigned)rgb[0] & 0xFF,
             (unsigned)rgb[1] & 0xFF, (unsigned)rgb[2] & 0xFF);
}
