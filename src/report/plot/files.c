#include "base/status.h"
#include "report/plot/figures.h"
#include "report/write.h"
#include <gpa/plot.h>
#include <math.h>
#include <stdio.h>

/* Pictures of an explanation as files of their own. */

enum { FOREST = GPAI_FIGURE_INPUTS, PANELS = 6, PROFILES = 12 };

/* The most probable changes with their intervals, heaviest blame first. */
static gpa_status forest(gpa_text *t, const gpai_view *v, double width, size_t most,
                         gpa_error *err)
{
    size_t list[FOREST], n = gpai_figure_inputs(v, most, list);
    double at[6][FOREST]; /* point, the ends of two intervals, weight */
    const char *names[FOREST];
    char room[FOREST][GPAI_NAME_SIZE], note[80];
    for (size_t i = 0; i < n; i++) {
        const gpa_marginal *m = gpa_explanation_marginal(v->e, list[i]);
        names[i] = gpai_name_feature(v->info, list[i], room[i]);
        at[0][i] = v->delta[list[i]];
        at[1][i] = m != NULL ? m->interval50[0] : (double)NAN;
        at[2][i] = m != NULL ? m->interval50[1] : (double)NAN;
        at[3][i] = m != NULL ? m->interval90[0] : (double)NAN;
        at[4][i] = m != NULL ? m->interval90[1] : (double)NAN;
        at[5][i] = (double)(n - i); /* they are sorted already */
    }
    gpa_forest_plot p;
    gpa_forest_plot_init(&p);
    snprintf(note, sizeof note, "%s first%s",
             v->c != NULL ? "likeliest culprit" : "largest change",
             n < v->d ? "; not all inputs" : "");
    p.note = note;
    p.width = width;
    p.n = n;
    p.names = names;
    p.point = at[0];
    p.low50 = at[1];
    p.high50 = at[2];
    p.low90 = at[3];
    p.high90 = at[4];
    p.weight = at[5];
    p.x_label = "change, in usual spreads";
    return gpa_plot_forest(t, &p, err);
}

typedef gpa_status (*figure)(gpa_text *, const gpai_view *, double, size_t,
                             gpa_error *);

static gpa_status draw(gpa_text *t, const gpa_report_info *info,
                       const gpa_explanation *e, figure f, size_t most, gpa_error *err)
{
    gpai_view v;
    if (t == NULL || e == NULL)
        return gpai_fail(err, GPA_INVALID, "plot: no text or no explanation");
    gpa_report_info full = gpai_report_info(info);
    full.ascii = full.colour = false;
    gpa_status st = gpai_view_make(&v, &full, e, err);
    if (st != GPA_OK)
        return st;
    st = f(t, &v, 0, most, err);
    gpai_view_free(&v);
    return st;
}

gpa_status gpa_plot_explanation_forest(gpa_text *t, const gpa_report_info *info,
                                       const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, forest, FOREST, err);
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
    if (t == NULL)
        return gpai_fail(err, GPA_INVALID, "plot: no text to draw into");
    const gpa_report_info full = gpai_report_info(info);
    return gpai_figure_scores(t, &full, 0, err);
}
