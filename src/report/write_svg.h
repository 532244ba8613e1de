#ifndef GPAI_WRITE_SVG_H
#define GPAI_WRITE_SVG_H
#include "report/view.h"

enum { GPAI_SVG_INPUTS = 20 }; /* at most so many, the first of the view's order */

/* Draws the distribution of each input's change as a ridge with its MAP and intervals,
 * or only the change where there are no distributions. Colours and fonts are classes
 * that the page defines. */
void gpai_svg_ridges(gpa_text *t, const gpai_view *v);

/* A bar for a share of 1; it fills whatever width the page gives it. */
void gpai_svg_bar(gpa_text *t, double share);

#endif
