#ifndef GPA_CONSOLE_PNG_H
#define GPA_CONSOLE_PNG_H
#include <gpa/report.h>

/* Pictures as PNG, by the program rsvg-convert, which draws SVG. */

/* GPA_UNSUPPORTED, with what to install, where it is not there. */
gpa_status png_ready(gpa_error *err);

/* The SVG in `t` becomes PNG, twice as many pixels as it is wide. */
gpa_status png_from(gpa_text *t, gpa_error *err);

#endif
