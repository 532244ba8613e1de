#ifndef GPA_PLOT_H
#define GPA_PLOT_H
#include <gpa/report.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pictures. Each gpa_plot_ function appends one complete SVG document to a text: no
 * scripts, no outside files, light and dark, names as text. It can be saved as a file
 * or put into a page as it is, also several into one page.
 *
 * All arrays and texts are borrowed. Every picture's struct begins alike; fill it with
 * its _init. `width` is the width in
 * pixels that is aimed at (0: what suits the content; a picture that needs more takes
 * more), `title` stands above and `note` below the picture (NULL: none). Numbers that
 * are not finite are left out. Names may be anything; what is too long ends in an
 * ellipsis and is whole in its tooltip.
 *
 * Curves, marks, ridges and profiles are given as arrays, so they never change: what is
 * to be added comes into the picture's struct.
 *
 * `kinds`, where a picture has it, says what its inputs are (NULL: numbers). One with
 * levels is drawn level by level, with their names: the twelve of most weight, and the
 * rest as one. Dates are shown as dates.
 *
 * GPA_INVALID comes back for a picture of nothing (no inputs, no points), for arrays
 * that are missing and for indices out of range.
 */

/** A curve; points that are not finite are left out. */
typedef struct gpa_plot_curve {
    const double *x, *y; /* x ascending */
    size_t points;       /* 0: no curve */
} gpa_plot_curve;

/** A point to be marked; the label, if any, should be short. */
typedef struct gpa_plot_mark {
    double x, y;
    const char *label;
} gpa_plot_mark;

/**
 * The litmus plot: inputs down, methods (or rows) across. Colour and a bar from the
 * middle of the cell show sign and size, each column divided by its own largest size
 * (0 / 0 = 0), which is printed under its name. Columns without any number are hatched
 * and explained.
 */
typedef struct gpa_litmus_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t n_inputs, n_columns;
    const char *const *inputs;  /* n_inputs names */
    const char *const *columns; /* n_columns names */
    const double *score;        /* n_inputs by n_columns, row-major; NaN: none */
    const char *const
        *reasons;       /* n_columns: why a column is empty; entries or all NULL */
    const double *full; /* n_columns: what a full cell stands for, 1 of probabilities;
                           NULL, or NaN: the column's largest size */
    const char *legend; /* that in words, one line; NULL: "A full cell is …" */
} gpa_litmus_plot;

/** One input's distribution. A number that is NaN, or a curve of no points, is not
 * drawn.
 */
typedef struct gpa_ridge {
    gpa_plot_curve density, prior; /* prior: before y was seen, in grey */
    double map, mean;
    double interval50[2], interval90[2];
} gpa_ridge;

/** Distributions: one ridge per input. With `beside` a second panel on the right shows
 * another distribution of the same inputs, on an axis of its own. */
typedef struct gpa_ridge_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t n;
    const char *const *names;
    const gpa_ridge *ridges;   /* n */
    const gpa_ridge *beside;   /* n, or NULL */
    const char *heads[2];      /* of the two panels; NULL: none */
    const char *x_labels[2];   /* likewise; NULL: "change" */
    const char *const *values; /* n texts on the right; NULL: none; not with `beside` */
    bool common_height; /* heights comparable between inputs; else each its own */
    /* n each: of an input with levels `density` holds levels (x) and their probability
     * (y), and `map` is a level; `now` is where the input stands, NaN or NULL: unknown
     */
    const gpa_input *kinds;
    const double *now;
} gpa_ridge_plot;

/** A forest: points with their intervals, sorted by falling |weight|. */
typedef struct gpa_forest_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t n;
    const char *const *names;
    const double *point;          /* n */
    const double *low50, *high50; /* n each, or NULL */
    const double *low90, *high90; /* n each, or NULL */
    const double *weight;         /* n; NULL: |point| */
    const char *x_label;
    const char *const *words; /* n: what stands in place of a point and its interval;
                                 entries or all NULL */
} gpa_forest_plot;

/** Chosen inputs against y: all rows as grey points, the marked ones as red squares
 * with an arrow to x + delta. */
typedef struct gpa_scatter_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t n, d;
    const double *x;          /* n by d, row-major */
    const double *y;          /* n */
    const char *const *names; /* d */
    const char *y_label;
    const size_t *inputs; /* which inputs to show; NULL: all */
    size_t n_inputs;
    const size_t *marked; /* rows */
    size_t n_marked;
    const double *delta;    /* n_marked by d in the data's units; NULL: no arrows */
    const size_t *rows;     /* n row numbers to be shown; NULL: 0, 1, … */
    const gpa_input *kinds; /* d */
} gpa_scatter_plot;

/** Anomaly scores of all rows, some of them marked. */
typedef struct gpa_score_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t n;
    const double *score; /* n */
    const size_t *marked;
    size_t n_marked;
    const char *const *labels; /* n_marked names; NULL: row numbers */
    double threshold;          /* a line across; NaN: none */
    const char *y_label;       /* NULL: "anomaly score" */
    const size_t *rows;        /* n ascending row numbers; NULL: 0, 1, … */
} gpa_score_plot;

/** f along one input. */
typedef struct gpa_profile {
    const char *name;
    gpa_plot_curve f;
    double map; /* the most probable place on the x axis; NaN: not marked */
    const gpa_plot_mark *marks;
    size_t n_marks;
} gpa_profile;

/** f along each of some inputs, with the observed y and the noise around it. */
typedef struct gpa_profile_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t n;
    const gpa_profile *profiles;
    double y;     /* a line across; NaN: none */
    double noise; /* half the width of a band around y; NaN: none */
    double here;  /* where the row is now; 0 for changes; NaN: not marked */
    const char *x_label, *y_label; /* "f" when NULL */
    /* n each: of an input with levels `f` holds them as x, and `map` is one of them;
     * `now` is where each input stands, in place of `here` */
    const gpa_input *kinds;
    const double *now;
    /* n each: the input's values in other rows, ascending, as the x of a curve (its y
     * is not looked at): a histogram, and their middle 90 % shaded; and the 90 %
     * interval of `map` (NaN: none) */
    const gpa_plot_curve *seen;
    const double (*interval90)[2];
} gpa_profile_plot;

/** A function of two inputs as coloured heights, with contour lines. */
typedef struct gpa_surface_plot {
    size_t struct_size;
    double width;
    const char *title, *note;
    size_t nx, ny;        /* at least 2 each */
    const double *values; /* ny by nx, row-major; the first row is at y_low */
    double x_low, x_high, y_low, y_high;
    const char *x_label, *y_label, *value_label;
    const gpa_plot_mark *marks;
    size_t n_marks;
} gpa_surface_plot;

/* Defaults: nothing shown, NaN where that means "none". */
#define gpa_litmus_plot_init(p)  gpa_litmus_plot_init_sized((p), sizeof *(p))
#define gpa_ridge_plot_init(p)   gpa_ridge_plot_init_sized((p), sizeof *(p))
#define gpa_forest_plot_init(p)  gpa_forest_plot_init_sized((p), sizeof *(p))
#define gpa_scatter_plot_init(p) gpa_scatter_plot_init_sized((p), sizeof *(p))
#define gpa_score_plot_init(p)   gpa_score_plot_init_sized((p), sizeof *(p))
#define gpa_profile_plot_init(p) gpa_profile_plot_init_sized((p), sizeof *(p))
#define gpa_surface_plot_init(p) gpa_surface_plot_init_sized((p), sizeof *(p))
GPA_API void gpa_litmus_plot_init_sized(gpa_litmus_plot *p, size_t size);
GPA_API void gpa_ridge_plot_init_sized(gpa_ridge_plot *p, size_t size);
GPA_API void gpa_forest_plot_init_sized(gpa_forest_plot *p, size_t size);
GPA_API void gpa_scatter_plot_init_sized(gpa_scatter_plot *p, size_t size);
GPA_API void gpa_score_plot_init_sized(gpa_score_plot *p, size_t size);
GPA_API void gpa_profile_plot_init_sized(gpa_profile_plot *p, size_t size);
GPA_API void gpa_surface_plot_init_sized(gpa_surface_plot *p, size_t size);

GPA_API GPA_CHECKED gpa_status gpa_plot_litmus(gpa_text *t, const gpa_litmus_plot *p,
                                               gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_plot_ridges(gpa_text *t, const gpa_ridge_plot *p,
                                               gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_plot_forest(gpa_text *t, const gpa_forest_plot *p,
                                               gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_plot_scatter(gpa_text *t, const gpa_scatter_plot *p,
                                                gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_plot_scores(gpa_text *t, const gpa_score_plot *p,
                                               gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_plot_profiles(gpa_text *t, const gpa_profile_plot *p,
                                                 gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_plot_surface(gpa_text *t, const gpa_surface_plot *p,
                                                gpa_error *err);

/** The distributions of an explanation as ridges, with the elastic-net prior, likeliest
 * culprit first; only the changes where it has no distributions. At most 20 inputs. */
GPA_API GPA_CHECKED gpa_status gpa_plot_explanation(gpa_text *t,
                                                    const gpa_report_info *info,
                                                    const gpa_explanation *e,
                                                    gpa_error *err);

/*
 * More pictures of an explanation. Nothing is added where what they show is not known.
 */

/** The most probable changes with their 50 % and 90 % intervals, likeliest culprit
 * first; 20 inputs at most. */
GPA_API GPA_CHECKED gpa_status gpa_plot_explanation_forest(gpa_text *t,
                                                           const gpa_report_info *info,
                                                           const gpa_explanation *e,
                                                           gpa_error *err);

/** The likeliest inputs (six at most) against y in the rows of info->background, the
 * explained ones in red with an arrow to x + delta. */
GPA_API GPA_CHECKED gpa_status gpa_plot_explanation_scatter(gpa_text *t,
                                                            const gpa_report_info *info,
                                                            const gpa_explanation *e,
                                                            gpa_error *err);

/** f along each input (twelve at most), with y and the noise around it: figure 2 of the
 * paper on any model. */
GPA_API GPA_CHECKED gpa_status gpa_plot_explanation_profiles(
    gpa_text *t, const gpa_report_info *info, const gpa_explanation *e, gpa_error *err);

/** The anomaly scores of info->background, with the rows info->marked. */
GPA_API GPA_CHECKED gpa_status gpa_plot_background_scores(gpa_text *t,
                                                          const gpa_report_info *info,
                                                          gpa_error *err);

/** The litmus plot of the i-th row of a comparison. */
GPA_API GPA_CHECKED gpa_status gpa_plot_comparison(gpa_text *t,
                                                   const gpa_report_info *info,
                                                   const gpa_comparison *c, size_t i,
                                                   gpa_error *err);

#ifdef __cplusplus
}
#endif
#endif
