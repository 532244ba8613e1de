#ifndef GPAI_LEGEND_H
#define GPAI_LEGEND_H
#include "base/text/text.h"

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
    GPAI_SIGN_SQUARE
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

#endif
