#include "base/status.h"
#include "report/plot/figures.h"
#include "report/write.h"
#include <gpa/plot.h>

/* Pictures of an explanation as files of their own. */

enum { PANELS = 6, PROFILES = 12 };

static gpa_status draw(gpa_text *t, const gpa_report_info *info,
                       const gpa_explanation *e, gpai_figure *figure, size_t most,
                       gpa_error *err)
{
    gpai_report r;
    gpai_view v;
    if (t == NULL || e == NULL)
        return gpai_fail(err, GPA_INVALID, "plot: no text or no explanation");
    gpa_status st = gpai_report_take(&r, t, info, err);
    r.info.ascii = r.info.colour = false;
    if (st == GPA_OK)
        st = gpai_view_make(&v, &r.info, e, err);
    if (st != GPA_OK)
        return st;
    st = figure(t, &v, 0, most, err);
    gpai_view_free(&v);
    return st;
}

gpa_status gpa_plot_explanation(gpa_text *t, const gpa_report_info *info,
                                const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_ridges, GPAI_FIGURE_INPUTS, err);
}

gpa_status gpa_plot_explanation_forest(gpa_text *t, const gpa_report_info *info,
                                       const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_forest, GPAI_FIGURE_INPUTS, err);
}

gpa_status gpa_plot_explanation_scatter(gpa_text *t, const gpa_report_info *info,
                                        const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_scatter, PANELS, err);
}

gpa_status gpa_plot_explanation_profiles(gpa_text *t, const gpa_report_info *info,
                                         const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_profiles, PROFILES, err);
}

gpa_status gpa_plot_background_scores(gpa_text *t, const gpa_report_info *info,
                                      gpa_error *err)
{
    gpai_report r;
    gpa_status st = gpai_report_take(&r, t, info, err);
    const gpai_view v = {.info = &r.info};
    return st == GPA_OK ? gpai_figure_scores(t, &v, 0, 0, err) : st;
}
