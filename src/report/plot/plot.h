#ifndef GPAI_PLOT_H
#define GPAI_PLOT_H
#include "report/draw/axis.h"
#include "report/draw/draw.h"
#include <gpa/plot.h>

/* What the kinds of pictures share. */

/* A kind of picture, drawn from a struct of `size` bytes that begins with its size.
 * `check` says what is wrong with one, and may complete it; `kind` is the name. */
typedef struct gpai_plot_kind {
    const char *name;
    const void *defaults;
    size_t size;
    gpa_status (*check)(void *plot, const char *kind, gpa_error *err);
    void (*draw)(gpa_text *t, const void *plot);
} gpai_plot_kind;

/* Draws `given`, possibly of an older and shorter layout: copied over the defaults into
 * `full`, checked and drawn. */
gpa_status gpai_plot(gpa_text *t, const gpai_plot_kind *kind, void *full,
                     const void *given, gpa_error *err);

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
