#ifndef GPAI_COLOUR_H
#define GPAI_COLOUR_H

/* "#rrggbb" of a share from 0 to 1: a scale of even steps to the eye, from dark blue to
 * light yellow, whose lightness alone tells high from low. */
enum { GPAI_COLOUR_SIZE = 8 };
void gpai_colour(char out[GPAI_COLOUR_SIZE], double share);

#endif
