#ifndef GPAI_PLOT_H
#define GPAI_PLOT_H
#include "base/sized.h"
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

/* The public functions of a kind: one fills a struct with its defaults, one draws it.
 * tools/check_layers.py finds them by the names in these lists. */
#define GET_INIT(type, name, defaults)                                                 \
    void name(type *p, size_t size)                                                    \
    {                                                                                  \
        gpai_sized_init(p, size, &(defaults), sizeof(defaults));                       \
    }
#define GET_PLOT(type, name, words, defaults, check, draw)                             \
    gpa_status name(gpa_text *t, const type *p, gpa_error *err)                        \
    {                                                                                  \
        static const gpai_plot_kind kind = {words, &(defaults), sizeof(defaults),      \
                                            check, draw};                              \
        type full;                                                                     \
        return gpai_plot(t, &kind, &full, p, err);                                     \
    }

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

/* Small multiples: panels of equal size in rows, with one y axis for all of them. */
typedef struct gpai_panels {
    size_t n, columns, rows;
    gpai_frame frame;        /* of the picture */
    double left, top, w, h;  /* the first panel's inside */
    double pitch_x, pitch_y; /* from one panel to the next */
    gpai_ticks ticks;        /* of y */
    gpai_span y;
} gpai_panels;

typedef struct gpai_panel {
    gpai_axis x, y;
} gpai_panel;

/* Fills the frame, whose width is that of all, with n panels that are about `each`
 * wide; `shape` is height by width. */
gpai_panels gpai_panels_make(size_t n, gpai_frame frame, double each, double shape,
                             gpai_span y);
gpai_panel gpai_panel_at(const gpai_panels *p, size_t i, gpai_span x);
/* Grid, numbers and labels; y has numbers in the first column only. */
void gpai_panel_draw(gpa_text *t, const gpai_panels *p, const gpai_panel *a, size_t i,
                     const char *x_label);
/* The name of the y axis, above the first panel, in its share of the width. */
void gpai_panels_y_label(gpa_text *t, const gpai_panels *p, const char *label,
                         double share);

/* Points as dots of one path; dots on the same pixel are drawn once. x of point i is
 * x[i * step]. */
void gpai_panel_points(gpa_text *t, const gpai_panel *a, const double *x, size_t step,
                       const double *y, size_t n);

#endif
