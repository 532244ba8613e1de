#ifndef GPAI_PANEL_H
#define GPAI_PANEL_H
#include "report/plot/plot.h"

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
gpai_panels gpai_panels_make(gpa_text *t, size_t n, gpai_frame frame, double each,
                             double shape, gpai_span y);
gpai_panel gpai_panel_at(const gpai_panels *p, size_t i, gpai_span x);
/* Grid, numbers and labels; y has numbers in the first column only. */
void gpai_panel_draw(gpa_text *t, const gpai_panels *p, const gpai_panel *a, size_t i,
                     const char *x_label, bool plus);
/* The name of the y axis, above the first panel, in its share of the width. */
void gpai_panels_y_label(gpa_text *t, const gpai_panels *p, const char *label,
                         double share);

/* Points as dots of one path; dots on the same pixel are drawn once. x of point i is
 * x[i * step]. */
void gpai_panel_points(gpa_text *t, const gpai_panel *a, const double *x, size_t step,
                       const double *y, size_t n);

#endif
