#ifndef GPAI_FIGURES_H
#define GPAI_FIGURES_H
#include "report/view.h"

/* The pictures of one explanation, `width` wide (0: as usual), of at most `most`
 * inputs, those first that the reports show first. Nothing is added where there is
 * nothing to draw. */

/* The distributions of the changes, and the prior. */
gpa_status gpai_figure_ridges(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err);
/* The change that each input would need if it alone were off. */
gpa_status gpai_figure_alone(gpa_text *t, const gpai_view *v, double width, size_t most,
                             gpa_error *err);
/* f along inputs, in their own units. */
gpa_status gpai_figure_profiles(gpa_text *t, const gpai_view *v, double width,
                                size_t most, gpa_error *err);
/* The explained rows among others (evenly spaced ones, where there are more than
 * GPAI_CLOUD), with where delta takes them. */
enum { GPAI_CLOUD = 250 };
gpa_status gpai_figure_scatter(gpa_text *t, const gpai_view *v, double width,
                               size_t most, gpa_error *err);
/* All scores, the explained rows marked. */
gpa_status gpai_figure_scores(gpa_text *t, const gpa_report_info *info, double width,
                              gpa_error *err);

/* The inputs of a picture, in the order in which they are shown: those that may move
 * (any where none may), at most `most`. Gives how many. */
size_t gpai_figure_inputs(const gpai_view *v, size_t most, size_t *list);
/* Those of them along which f is known. */
size_t gpai_profile_inputs(const gpai_view *v, size_t most, size_t *list);
enum { GPAI_FIGURE_INPUTS = 20 }; /* the most of any picture */

/* f along input k at its i-th point, averaged over the rows. */
double gpai_axis_mean(const gpai_view *v, size_t k, size_t i);

#endif
