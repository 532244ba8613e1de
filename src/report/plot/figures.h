#ifndef GPAI_FIGURES_H
#define GPAI_FIGURES_H
#include "report/view.h"

/* The pictures of one explanation, `width` wide (0: as usual), of at most `most`
 * inputs, those first that the reports show first. Nothing is added where there is
 * nothing to draw. */
typedef gpa_status gpai_figure(gpa_text *t, const gpai_view *v, double width,
                               size_t most, gpa_error *err);

/* The distributions of the changes, and the prior. */
gpai_figure gpai_figure_ridges;
/* The most probable changes with their intervals. */
gpai_figure gpai_figure_forest;
/* f along inputs, in their own values (of several rows: over the change). */
gpai_figure gpai_figure_profiles;
/* The explained rows among others (evenly spaced ones, where there are more than
 * GPAI_CLOUD), with where delta takes them. */
enum { GPAI_CLOUD = 250 };
gpai_figure gpai_figure_scatter;
/* All scores, the explained rows marked; of the view only `info` counts. */
gpai_figure gpai_figure_scores;

/* The inputs of a picture, in the order in which they are shown, with their names. */
enum { GPAI_FIGURE_INPUTS = 20 }; /* the most of any picture */
typedef struct gpai_inputs {
    size_t n, k[GPAI_FIGURE_INPUTS];
    const char *names[GPAI_FIGURE_INPUTS]; /* with units */
    gpa_input kinds[GPAI_FIGURE_INPUTS];   /* numbers but for those with levels */
    double now[GPAI_FIGURE_INPUTS];        /* their levels; NaN of numbers */
} gpai_inputs;

/* Those along which f is known, at most `most`. */
void gpai_profile_inputs(gpai_inputs *list, const gpai_view *v, size_t most);

/* Where the i-th point along input k is: a level, a value, or, of several rows, a
 * change in its own unit. And f there, averaged over the rows. */
double gpai_axis_place(const gpai_view *v, size_t k, size_t i);
double gpai_axis_mean(const gpai_view *v, size_t k, size_t i);

#endif
