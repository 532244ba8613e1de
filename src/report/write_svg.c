#include "report/write_svg.h"
#include "report/cells.h"
#include "report/escape.h"
#include <math.h>

/* All lengths are in the picture's own units; the page scales it to its width. */
enum { WIDTH = 640, MARGIN = 2, LEFT = 112, RIGHT = 88 };
enum { ROW = 48, RIDGE = 36, AXIS = 34, TOP = 6 };

struct axis {
    double low, high;
};

static double place(const struct axis *a, double value)
{
    double share = (value - a->low) / (a->high - a->low);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static void coordinate(gpa_text *t, double v)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, v, 1);
    gpai_text_add(t, number);
}

static void widen(struct axis *a, double value)
{
    if (!isfinite(value))
        return;
    a->low = value < a->low ? value : a->low;
    a->high = value > a->high ? value : a->high;
}

/* One axis for all inputs: every interval and MAP, zero, and some air. */
static struct axis common_axis(const gpai_view *v, const size_t *inputs, size_t shown)
{
    struct axis a = {0, 0};
    for (size_t i = 0; i < shown; i++) {
        size_t k = inputs[i];
        const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
        widen(&a, v->delta[k]);
        if (m != NULL) {
            widen(&a, m->interval90[0]);
            widen(&a, m->interval90[1]);
        }
    }
    double air = a.high > a.low ? 0.08 * (a.high - a.low) : 1;
    return (struct axis){a.low - air, a.high + air};
}

static const char *tint(double delta)
{
    return delta > 0 ? "pos" : delta < 0 ? "neg" : "nil";
}

static void segment(gpa_text *t, const char *class, double x1, double x2, double y)
{
    gpai_text_printf(t, "<path class=\"%s\" d=\"M", class);
    coordinate(t, x1);
    gpai_text_add(t, " ");
    coordinate(t, y);
    gpai_text_add(t, "H");
    coordinate(t, x2);
    gpai_text_add(t, "\"/>");
}

static void corner(gpa_text *t, const char *command, double x, double y)
{
    gpai_text_add(t, command);
    coordinate(t, x);
    gpai_text_add(t, " ");
    coordinate(t, y);
}

/* The curve of a density from one end of the axis to the other; with `closed` down to
 * the base line at both ends. */
static void curve(gpa_text *t, const struct axis *a, const gpa_marginal *m, double peak,
                  double base, bool closed)
{
    double last = 0;
    bool begun = false;
    for (size_t i = 0; i < m->points; i++) {
        double g = m->grid[i], q = m->density[i];
        if (g < a->low || g > a->high || !isfinite(q))
            continue;
        last = place(a, g);
        if (!begun && closed)
            corner(t, "M", last, base);
        corner(t, begun || closed ? "L" : "M", last, base - RIDGE * q / peak);
        begun = true;
    }
    if (begun && closed)
        corner(t, "L", last, base);
}

static double highest(const gpa_marginal *m)
{
    double peak = 0;
    for (size_t i = 0; i < m->points; i++)
        peak = m->density[i] > peak ? m->density[i] : peak;
    return peak;
}

/* The elastic-net prior of a change: its density is exp(-eta (x^2 / 2 + nu |x|)) / Z.
 */
static double prior_norm(const gpa_summary *s)
{
    double root = sqrt(s->eta / 2);
    return exp(s->eta * s->nu * s->nu / 2) * sqrt(2 * acos(-1)) / sqrt(s->eta) *
           erfc(s->nu * root);
}

/* The prior as a faint line behind the density, in the same scale: what was learnt is
 * the difference. */
static void outline(gpa_text *t, const struct axis *a, const gpa_summary *s,
                    const gpa_marginal *m, double peak, double base)
{
    enum { STEPS = 80 };
    double norm = prior_norm(s);
    double low = fmax(a->low, m->grid[0]), high = fmin(a->high, m->grid[m->points - 1]);
    if (!(norm > 0) || !isfinite(norm) || !(low < high))
        return;
    gpai_text_add(t, "<path class=\"prior\" d=\"");
    for (int i = 0; i <= STEPS; i++) {
        double x = low + (high - low) * i / STEPS;
        double q = exp(-s->eta * (x * x / 2 + s->nu * fabs(x))) / norm;
        corner(t, i > 0 ? "L" : "M", place(a, x), base - RIDGE * q / peak);
    }
    gpai_text_add(t, "\"/>");
}

/* A density, each input's peak at the same height. The sides stay without a line: there
 * the grid ends, not the density. */
static void ridge(gpa_text *t, const struct axis *a, const gpa_summary *s,
                  const gpa_marginal *m, const char *class, double base)
{
    double peak = highest(m), prior = 1 / prior_norm(s);
    if (!(peak > 0) || !isfinite(peak))
        return;
    peak = isfinite(prior) && prior > peak ? prior : peak;
    gpai_text_printf(t, "<path class=\"area %s\" d=\"", class);
    curve(t, a, m, peak, base, true);
    gpai_text_printf(t, "\"/><path class=\"ridge %s\" d=\"", class);
    curve(t, a, m, peak, base, false);
    gpai_text_add(t, "\"/>");
    outline(t, a, s, m, peak, base);
}

/* The most probable change, in the data's own units. */
static void change(gpa_text *t, const gpai_view *v, size_t k)
{
    if (v->delta[k] == 0) {
        gpai_text_add(t, "no change");
        return;
    }
    gpai_cell_raw(t, v->raw[k], false);
}

static void input_row(gpa_text *t, const gpai_view *v, const struct axis *a, size_t k,
                      double base)
{
    const gpa_marginal *m = gpa_explanation_marginal(v->e, k);
    const char *class = tint(v->delta[k]);
    double zero = place(a, 0), map = place(a, v->delta[k]);
    segment(t, "base", MARGIN, WIDTH - MARGIN, base);
    if (m != NULL) {
        ridge(t, a, v->s, m, class, base);
        segment(t, "i90", place(a, m->interval90[0]), place(a, m->interval90[1]), base);
        segment(t, "i50", place(a, m->interval50[0]), place(a, m->interval50[1]), base);
    } else {
        gpai_text_printf(t, "<g class=\"stem %s\">", class);
        segment(t, "i50", zero < map ? zero : map, zero < map ? map : zero, base);
        gpai_text_add(t, "</g>");
    }
    gpai_text_printf(t, "<circle class=\"map %s\" r=\"4.5\" cx=\"", class);
    coordinate(t, map);
    gpai_text_add(t, "\" cy=\"");
    coordinate(t, base);
    gpai_text_printf(t, "\"/><text class=\"name\" x=\"%d\" y=\"", MARGIN);
    coordinate(t, base - RIDGE / 2 + 4);
    gpai_text_add(t, "\">");
    size_t start = t->length;
    gpai_view_feature(t, v, k, 18);
    gpai_html_tail(t, start);
    gpai_text_printf(t, "</text><text class=\"val %s\" x=\"%d\" y=\"", class,
                     WIDTH - MARGIN);
    coordinate(t, base - RIDGE / 2 + 4);
    gpai_text_add(t, "\">");
    change(t, v, k);
    gpai_text_add(t, "</text>\n");
}

/* A step of 1, 2 or 5 times a power of ten that gives four to nine ticks. */
static double tick_step(const struct axis *a)
{
    double rough = (a->high - a->low) / 6;
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static void ticks(gpa_text *t, const struct axis *a, double y)
{
    double step = tick_step(a);
    char number[GPAI_REAL_SIZE];
    for (int i = -20; i <= 20; i++) {
        double value = i * step;
        if (value < a->low || value > a->high)
            continue;
        gpai_text_add(t, "<text class=\"tick\" x=\"");
        coordinate(t, place(a, value));
        gpai_text_add(t, "\" y=\"");
        coordinate(t, y);
        gpai_text_add(t, "\">");
        gpai_real_people(number, value, 3);
        gpai_text_minus(t, number, true, false);
        gpai_text_add(t, "</text>");
    }
    gpai_text_add(t, "\n");
}

/* The first inputs that may move; gives how many. */
static size_t choose(const gpai_view *v, size_t *inputs)
{
    size_t shown = 0;
    for (size_t i = 0; i < v->d && shown < GPAI_SVG_INPUTS; i++)
        if (!gpai_view_held(v, v->order[i]))
            inputs[shown++] = v->order[i];
    return shown;
}

void gpai_svg_ridges(gpa_text *t, const gpai_view *v)
{
    size_t inputs[GPAI_SVG_INPUTS], shown = choose(v, inputs);
    struct axis a = common_axis(v, inputs, shown);
    int height = TOP + (int)shown * ROW + AXIS;
    gpai_text_printf(
        t,
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" xmlns=\"http://www.w3.org/"
        "2000/svg\"><title>Distribution of each input&#39;s change</title>\n",
        WIDTH, height);
    gpai_text_add(t, "<path class=\"zero\" d=\"M");
    coordinate(t, place(&a, 0));
    gpai_text_printf(t, " %dV%d\"/>\n", TOP, height - AXIS + 10);
    for (size_t i = 0; i < shown; i++)
        input_row(t, v, &a, inputs[i], TOP + (double)(i + 1) * ROW - 4);
    ticks(t, &a, height - 8);
    gpai_text_add(t, "</svg>\n");
}

void gpai_svg_bar(gpa_text *t, double share)
{
    gpai_text_add(t, "<svg class=\"bar\" viewBox=\"0 0 100 10\" "
                     "preserveAspectRatio=\"none\"><path class=\"track\" "
                     "d=\"M0 0H100V10H0z\"/><path d=\"M0 0H");
    coordinate(t, 100 * share);
    gpai_text_add(t, "V10H0z\"/></svg>");
}
