#include "report/html/parts.h"
#include "report/plot/plot.h"
#include <math.h>

enum { WIDTH = 120, HEIGHT = 20 };

void gpai_spark_bar(gpa_text *t, double share)
{
    gpai_text_add(t, "<svg class=\"bar\" viewBox=\"0 0 100 1\" "
                     "preserveAspectRatio=\"none\"><path d=\"M0 0H");
    gpai_draw_number(t, 100 * share);
    gpai_text_add(t, "V1H0z\"/></svg>");
}

gpai_axis gpai_spark_axis(const gpai_view *v, size_t shown)
{
    gpai_span s = {0, 0};
    for (size_t i = 0; i < shown; i++) {
        const gpa_marginal *m = gpa_explanation_marginal(v->e, v->order[i]);
        if (m == NULL || gpai_view_held(v, v->order[i]))
            continue;
        gpai_span_add(&s, m->interval90[0]);
        gpai_span_add(&s, m->interval90[1]);
    }
    gpai_span_air(&s, 0.12);
    return gpai_axis_make(s, 0, WIDTH);
}

static double highest(const gpa_marginal *m)
{
    double peak = 0;
    for (size_t i = 0; i < m->points; i++)
        peak = m->density[i] > peak ? m->density[i] : peak;
    return peak;
}

void gpai_spark_density(gpa_text *t, const gpai_axis *x, const gpa_marginal *m)
{
    const gpa_plot_curve c = {m->grid, m->density, m->points};
    double peak = highest(m), base = HEIGHT - 1;
    if (!(peak > 0) || !isfinite(peak))
        return;
    const gpai_axis y = {0, peak, base, 1};
    gpai_text_printf(t, "<svg class=\"spark\" viewBox=\"0 0 %d %d\">", WIDTH, HEIGHT);
    gpai_plot_curve(t, "k", x, &y, &c, &base);
    gpai_text_add(t, "<path class=\"z\" d=\"M");
    gpai_draw_number(t, gpai_axis_at(x, 0));
    gpai_text_printf(t, " 0V%d\"/></svg>", HEIGHT);
}
