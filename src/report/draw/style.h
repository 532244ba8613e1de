#ifndef GPAI_DRAW_STYLE_H
#define GPAI_DRAW_STYLE_H

/* The style sheet of all pictures. */
extern const char gpai_draw_css[];

#endif
