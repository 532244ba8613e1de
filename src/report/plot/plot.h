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

/* Levels side by side, or below one another: the heaviest, and the rest as one. */
enum { GPAI_LEVELS_SHOWN = 12, GPAI_LEVEL_ROOM = 48 };
typedef struct gpai_level_axis {
    const gpa_input *in;
    size_t at[GPAI_LEVELS_SHOWN + 1]; /* n places among the levels, heaviest first */
    size_t n;
    size_t rest; /* how many are not shown; they stand together, at n */
} gpai_level_axis;

/* Whether the k-th of the kinds, which may be NULL, has levels. */
bool gpai_plot_has_levels(const gpa_input *kinds, size_t k);
/* `weight` gives a number for the i-th level of the input; NaN: it is not there. */
typedef double gpai_level_weight(const void *work, const gpa_input *in, size_t i);
void gpai_levels_choose(gpai_level_axis *a, const gpa_input *in,
                        gpai_level_weight *weight, const void *work);
/* As they stand in the input, in place of the heaviest first. */
void gpai_levels_in_order(gpai_level_axis *a);
/* Where a value stands; NaN where it is no level. */
double gpai_levels_place(const gpai_level_axis *a, double value);
const char *gpai_levels_name(const gpai_level_axis *a, size_t i,
                             char room[GPAI_LEVEL_ROOM]);
/* A horizontal axis of them: what it covers, the height that it needs beside
 * GPAI_X_AXIS where names stand upright (0: they do not), and its names and label. */
gpai_span gpai_levels_span(const gpai_level_axis *a);
double gpai_levels_below(const gpai_level_axis *a, double width);
void gpai_levels_x_axis(gpa_text *t, const gpai_level_axis *a, const gpai_axis *x,
                        double bottom, double below, const char *label);
/* One of days or seconds, as dates. */
void gpai_dates_x_axis(gpa_text *t, const gpa_input *in, const gpai_axis *x, double top,
                       double bottom, const char *label);

/* Small multiples: panels of equal size in rows, with one y axis for all of them. */
typedef struct gpai_panels {
    size_t n, columns, rows;
    gpai_frame frame;        /* of the picture */
    double left, top, w, h;  /* the first panel's inside */
    double pitch_x, pitch_y; /* from one panel to the next */
    double below;            /* more room between the rows, for names of levels */
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
/* More room below each row of panels. */
void gpai_panels_stretch(gpai_panels *p, double below);
gpai_panel gpai_panel_at(const gpai_panels *p, size_t i, gpai_span x);
/* Grid, numbers and labels; y has numbers in the first column only. The x axis is of
 * `levels`, or of dates of `in`, or of numbers where both are NULL. */
void gpai_panel_draw(gpa_text *t, const gpai_panels *p, const gpai_panel *a, size_t i,
                     const char *x_label, const gpai_level_axis *levels,
                     const gpa_input *in);
/* The name of the y axis, above the first panel, in its share of the width. */
void gpai_panels_y_label(gpa_text *t, const gpai_panels *p, const char *label,
                         double share);

/* Points as dots of one path; dots on the same pixel are drawn once. x of point i is
 * x[i * step]. */
void gpai_panel_points(gpa_text *t, const gpai_panel *a, const double *x, size_t step,
                       const double *y, size_t n);

#endif
