#ifndef GPAI_MEASURE_H
#define GPAI_MEASURE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How wide text will be in a font nobody knows yet. The numbers are those of the widest
 * of the usual fonts, so that what fits here fits everywhere. All widths are in em, the
 * font's size; `length` counts bytes. */
double gpai_measure(const char *text, size_t length);
double gpai_measure_point(uint32_t point);

/* Bytes of the longest beginning that fits into `room` with an ellipsis after it; all
 * of them when the whole text fits. */
size_t gpai_measure_fit(const char *text, size_t length, double room);

/* Bytes of the next line of at most `room`, broken at a blank where there is one. */
size_t gpai_measure_line(const char *text, double room);

#endif
