#ifndef GPAI_DRAW_H
#define GPAI_DRAW_H
#include "base/text/text.h"
#include "report/view.h"

/* The values that something covers; empty to begin with. */
typedef struct gpai_span {
    double low, high;
} gpai_span;

gpai_span gpai_span_empty(void);
bool gpai_drawable(double v); /* finite, and not so large that sums overflow */
void gpai_span_add(gpai_span *s, double v); /* what is not drawable is left out */
/* The ends of ascending values but for those that lie apart (base/math/sort.h). */
void gpai_span_add_near(gpai_span *s, const double *ascending, size_t n);
void gpai_span_air(gpai_span *s, double share); /* widens both ends; never empty then */

/* Values low..high lie at from..to, in pixels (either way round). */
typedef struct gpai_axis {
    double low, high, from, to;
} gpai_axis;

gpai_axis gpai_axis_make(gpai_span s, double from, double to);
double gpai_axis_at(const gpai_axis *a, double v); /* held within from..to */
bool gpai_axis_has(const gpai_axis *a, double v);

/* How many of n values lie in each of some bins of equal width, and the most in one;
 * those outside the axis are in none. */
size_t gpai_axis_count(const gpai_axis *a, const double *values, size_t n,
                       size_t *count, size_t bins);

/* Ticks at multiples of 1, 2 or 5 times a power of ten, with labels of equal precision.
 * Very large and small values are shown in units of 10^power. */
typedef struct gpai_ticks {
    double first, step; /* the i-th tick is at (first + i) step */
    size_t count;
    int decimals, power;
} gpai_ticks;

gpai_ticks gpai_ticks_make(const gpai_axis *a, size_t most);
/* The same, as many as fit side by side in text of `size` pixels. */
gpai_ticks gpai_ticks_across(const gpai_axis *a, double size);
double gpai_tick(const gpai_ticks *k, size_t i);
gpai_cell gpai_tick_text(const gpai_ticks *k, size_t i, bool plus);
/* "×10⁶", or nothing. */
gpai_cell gpai_tick_power(const gpai_ticks *k);

/* The few elements pictures are made of. Lengths are pixels. Nothing has an id, so that
 * several pictures can stand in one page; classes begin with "p-" and get their
 * colours, light and dark, from the style that every picture carries (picture.css). */

typedef enum gpai_font {
    GPAI_FONT_TITLE, /* of the picture */
    GPAI_FONT_HEAD,  /* of a panel or column */
    GPAI_FONT_NAME,  /* of an input; an axis */
    GPAI_FONT_SMALL, /* numbers, notes */
    GPAI_FONTS
} gpai_font;

double gpai_font_size(gpai_font font);
double gpai_text_width(const char *text, gpai_font font);

typedef enum gpai_anchor { GPAI_START, GPAI_MIDDLE, GPAI_END } gpai_anchor;

typedef struct gpai_label {
    gpai_font font;
    gpai_anchor anchor;
    double x, y, room; /* room 0: as long as it is */
    const char *class; /* one more class, or NULL */
    double turn;       /* degrees, clockwise, about x, y */
} gpai_label;

/* The name of something; and small print in the colour of notes. */
gpai_label gpai_label_name(gpai_anchor anchor, double x, double y, double room);
gpai_label gpai_label_small(gpai_anchor anchor, double x, double y, double room);

/* The whole of a picture, with its title above and its note below (NULL: none). What is
 * written between open and style is its description for those who do not see it; `name`
 * is what it is called where it has no title. */
typedef struct gpai_frame {
    double width, height;
    const char *title, *note;
} gpai_frame;

void gpai_draw_open(gpa_text *t, const gpai_frame *f, const char *name);
void gpai_draw_style(gpa_text *t, const gpai_frame *f);
void gpai_draw_close(gpa_text *t, const gpai_frame *f);

/* Text; one that is cut has the whole as its tooltip. */
void gpai_draw_label(gpa_text *t, gpai_label l, const char *text);
/* The same for what was added to `t` since `start`. */
void gpai_draw_label_tail(gpa_text *t, gpai_label l, size_t start);
/* A tooltip of the element that is open. */
void gpai_draw_tooltip(gpa_text *t, const char *text);
/* A name inside a description or tooltip, not longer than a line, behind other text. */
void gpai_draw_short(gpa_text *t, const char *before, const char *name);

void gpai_draw_number(gpa_text *t, double v); /* a coordinate */
void gpai_draw_to(gpa_text *t, const char *command, double x, double y);
void gpai_draw_line(gpa_text *t, const char *class, double x1, double y1, double x2,
                    double y2);
void gpai_draw_rect(gpa_text *t, const char *class, double x, double y, double w,
                    double h);
void gpai_draw_circle(gpa_text *t, const char *class, double x, double y, double r);
void gpai_draw_square(gpa_text *t, const char *class, double x, double y, double r);
void gpai_draw_diamond(gpa_text *t, const char *class, double x, double y, double r);
/* Slanted lines across a rectangle. */
void gpai_draw_hatch(gpa_text *t, double x, double y, double w, double h);
void gpai_draw_arrow(gpa_text *t, const char *class, double x1, double y1, double x2,
                     double y2);

/* "pos", "neg" or "nil" by the sign of v, with the common beginning "p-". */
const char *gpai_draw_sign(double v);

/* The room that title and note take; 0 for those that are not there. */
enum { GPAI_MARGIN = 14 };
double gpai_title_height(const gpai_frame *f);
double gpai_note_height(const char *note, double width);
void gpai_draw_note(gpa_text *t, const char *note, double width, double bottom);

/* A number for people, with three digits and a proper minus. */
gpai_cell gpai_draw_value(double v, bool plus);

/* How wide text will be in a font nobody knows yet. The numbers are those of the widest
 * of the usual fonts, so that what fits here fits everywhere. All widths are in em, the
 * font's size; `length` counts bytes. */
double gpai_measure(const char *text, size_t length);
double gpai_measure_point(uint32_t point);

/* Bytes of the longest beginning that fits into `room` with an ellipsis after it; all
 * of them when the whole text fits. */
size_t gpai_measure_fit(const char *text, size_t length, double room);

/* What the signs of a picture mean, in as many lines as it takes. */
typedef enum gpai_sign {
    GPAI_SIGN_DOT,
    GPAI_SIGN_HOLLOW,
    GPAI_SIGN_DIAMOND,
    GPAI_SIGN_BAR50,
    GPAI_SIGN_BAR90,
    GPAI_SIGN_PRIOR,
    GPAI_SIGN_LEVEL,
    GPAI_SIGN_BAND,
    GPAI_SIGN_SEEN
} gpai_sign;

enum { GPAI_LEGEND_MOST = 6 };

typedef struct gpai_legend {
    struct {
        gpai_sign sign;
        const char *word;
    } items[GPAI_LEGEND_MOST];
    size_t count;
} gpai_legend;

/* Adds an item; one too many is dropped. */
void gpai_legend_add(gpai_legend *l, gpai_sign sign, const char *word);
double gpai_legend_height(const gpai_legend *l, double width);
void gpai_draw_legend(gpa_text *t, const gpai_legend *l, double width, double top);

/* "#rrggbb" of a share from 0 to 1: a scale of even steps to the eye, from dark blue to
 * light yellow, whose lightness alone tells high from low. */
enum { GPAI_COLOUR_SIZE = 8 };
void gpai_colour(char out[GPAI_COLOUR_SIZE], double share);

#endif
