#include "report/draw/draw.h"

enum { LINE = 17, SIGN = 18, TO_WORD = 24, BETWEEN = 14 };

void gpai_legend_add(gpai_legend *l, gpai_sign sign, const char *word)
{
    if (l->count == GPAI_LEGEND_MOST)
        return;
    l->items[l->count].sign = sign;
    l->items[l->count].word = word;
    l->count++;
}

static void draw_sign(gpa_text *t, gpai_sign sign, double x, double y)
{
    static const char *const classes[] = {
        [GPAI_SIGN_DOT] = "p-dot p-nil",  [GPAI_SIGN_HOLLOW] = "p-hollow",
        [GPAI_SIGN_DIAMOND] = "p-hollow", [GPAI_SIGN_BAR50] = "p-bar50",
        [GPAI_SIGN_BAR90] = "p-bar90",    [GPAI_SIGN_PRIOR] = "p-prior",
        [GPAI_SIGN_LEVEL] = "p-level",    [GPAI_SIGN_BAND] = "p-band"};
    const char *class = classes[sign];
    double middle = x + SIGN / 2.0;
    if (sign == GPAI_SIGN_DOT || sign == GPAI_SIGN_HOLLOW)
        gpai_draw_circle(t, class, middle, y, sign == GPAI_SIGN_DOT ? 4.6 : 4.2);
    else if (sign == GPAI_SIGN_DIAMOND)
        gpai_draw_diamond(t, class, middle, y, 4);
    else if (sign == GPAI_SIGN_PRIOR || sign == GPAI_SIGN_BAND)
        gpai_draw_rect(t, class, x, y - 5, SIGN, 10);
    else
        gpai_draw_line(t, class, x, y, x + SIGN, y);
    if (sign == GPAI_SIGN_PRIOR)
        gpai_draw_line(t, "p-before", x, y - 5, x + SIGN, y - 5);
}

/* Goes through the items and gives the height; draws them where there is a text. */
static double flow(gpa_text *t, const gpai_legend *l, double width, double top)
{
    double x = GPAI_MARGIN, y = top + LINE / 2.0;
    for (size_t i = 0; i < l->count; i++) {
        double w = TO_WORD + gpai_text_width(l->items[i].word, GPAI_FONT_SMALL);
        if (x > GPAI_MARGIN && x + w > width - GPAI_MARGIN) {
            x = GPAI_MARGIN;
            y += LINE;
        }
        if (t != NULL) {
            draw_sign(t, l->items[i].sign, x, y);
            gpai_label word = gpai_label_small(GPAI_START, x + TO_WORD, y + 4, 0);
            gpai_draw_label(t, word, l->items[i].word);
        }
        x += w + BETWEEN;
    }
    return y + LINE / 2.0 - top;
}

double gpai_legend_height(const gpai_legend *l, double width)
{
    return l->count > 0 ? flow(NULL, l, width, 0) + 4 : 0;
}

void gpai_draw_legend(gpa_text *t, const gpai_legend *l, double width, double top)
{
    flow(t, l, width, top);
    gpai_text_add(t, "\n");
}
