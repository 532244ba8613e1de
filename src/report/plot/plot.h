#ifndef GPAI_PLOT_H
#define GPAI_PLOT_H
#include "report/draw/axis.h"
#include "report/draw/draw.h"
#include <gpa/plot.h>

/* What the kinds of pictures share. */

/* Checks the text and copies the caller's struct, possibly an older and shorter one,
 * over the defaults in `full`. Both begin with their size. */
gpa_status gpai_plot_take(void *full, size_t size, const void *given, const gpa_text *t,
                          const char *kind, gpa_error *err);

/* GPA_INVALID unless all of `n` names are there. */
gpa_status gpai_plot_names(const char *const *names, size_t n, const char *kind,
                           gpa_error *err);

/* GPA_INVALID unless all marked rows are below n. */
gpa_status gpai_plot_marked(const size_t *marked, size_t n_marked, size_t n,
                            const char *kind, gpa_error *err);

double gpai_plot_width(double wish, double usual);
/* Width of the widest of n names, at most `most`. */
double gpai_plot_widest(const char *const *names, size_t n, gpai_font font,
                        double most);

/* A polyline through the drawable points of a curve; with `base` it is closed down to
 * that height. Nothing is drawn outside the x axis. */
void gpai_plot_curve(gpa_text *t, const char *class, const gpai_axis *x,
                     const gpai_axis *y, const gpa_plot_curve *c, const double *base);
bool gpai_plot_curve_there(const gpa_plot_curve *c); /* arrays for all its points */
void gpai_plot_curve_span(const gpa_plot_curve *c, gpai_span *x, gpai_span *y);
/* Height of a curve at x by straight lines; NaN outside. */
double gpai_plot_curve_at(const gpa_plot_curve *c, double x);

/* Vertical lines and numbers of a horizontal axis below `bottom`, and its label. */
void gpai_plot_x_axis(gpa_text *t, const gpai_axis *x, double top, double bottom,
                      const char *label, bool plus);
enum { GPAI_X_AXIS = 40 }; /* height of its numbers and label */

#endif
