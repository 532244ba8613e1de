#include "report/draw/draw.h"
#include "base/alloc.h"
#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/embedded.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *class;
    double size, heavier; /* than the regular weight, which is what is measured */
} FONTS[GPAI_FONTS] = {
    [GPAI_FONT_TITLE] = {"p-title", 15, 1.15},
    [GPAI_FONT_HEAD] = {"p-head", 12, 1.15},
    [GPAI_FONT_NAME] = {"p-name", 12, 1},
    [GPAI_FONT_SMALL] = {"p-small", 10.5, 1},
};

double gpai_font_size(gpai_font font)
{
    return FONTS[font].size * FONTS[font].heavier;
}

double gpai_text_width(const char *text, gpai_font font)
{
    return gpai_measure(text, strlen(text)) * gpai_font_size(font);
}

void gpai_draw_number(gpa_text *t, double v)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_fixed(number, v, 2);
    gpai_trim_zeros(number);
    gpai_text_add(t, number);
}

static void attribute(gpa_text *t, const char *name, double v)
{
    gpai_text_printf(t, " %s=\"", name);
    gpai_draw_number(t, v);
    gpai_text_add(t, "\"");
}

void gpai_draw_to(gpa_text *t, const char *command, double x, double y)
{
    gpai_text_add(t, command);
    gpai_draw_number(t, x);
    gpai_text_add(t, " ");
    gpai_draw_number(t, y);
}

void gpai_draw_open(gpa_text *t, const gpai_frame *f, const char *name)
{
    gpai_text_add(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gpa-plot\" "
                     "role=\"img\"");
    attribute(t, "width", f->width);
    attribute(t, "height", f->height);
    gpai_draw_to(t, " viewBox=\"0 0 ", f->width, f->height);
    gpai_html_in(t, "\"><title>", f->title != NULL ? f->title : name,
                 "</title>\n<desc>");
}

void gpai_draw_style(gpa_text *t, const gpai_frame *f)
{
    gpai_text_add(t, "</desc>\n");
    if (!t->styled)
        gpai_text_printf(t, "<style>%s</style>\n", gpai_picture_css);
    gpai_draw_rect(t, "p-paper", 0, 0, f->width, f->height);
    gpai_text_add(t, "\n");
    gpai_draw_title(t, f);
}

void gpai_draw_close(gpa_text *t, const gpai_frame *f)
{
    gpai_draw_note(t, f->note, f->width, f->height - GPAI_MARGIN / 2.0);
    gpai_text_add(t, "</svg>\n");
}

/* Text as it is drawn. Marks that pile up on one letter would reach into other rows. */
static void shown(gpa_text *t, const char *text, size_t length)
{
    enum { MOST_MARKS = 2 };
    int marks = 0;
    for (const char *p = text; p < text + length;) {
        uint32_t c = gpai_utf8_next(&p);
        marks = gpai_measure_point(c) == 0 ? marks + 1 : 0;
        if (marks <= MOST_MARKS)
            gpai_html_point(t, c);
    }
}

void gpai_draw_tooltip(gpa_text *t, const char *text)
{
    gpai_html_in(t, "<title>", text, "</title>");
}

static void open_text(gpa_text *t, const gpai_label *l)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"",
                                          " text-anchor=\"end\""};
    gpai_text_printf(t, "<text class=\"%s%s%s\"", FONTS[l->font].class,
                     l->class != NULL ? " " : "", l->class != NULL ? l->class : "");
    attribute(t, "x", l->x);
    attribute(t, "y", l->y);
    gpai_text_add(t, anchors[l->anchor]);
    if (l->turn != 0) {
        gpai_text_add(t, " transform=\"rotate(");
        gpai_draw_number(t, l->turn);
        gpai_draw_to(t, " ", l->x, l->y);
        gpai_text_add(t, ")\"");
    }
    gpai_text_add(t, ">");
}

static void label_bytes(gpa_text *t, const gpai_label *l, const char *text,
                        size_t length)
{
    double room = l->room > 0 ? l->room / gpai_font_size(l->font) : HUGE_VAL;
    size_t kept = gpai_measure_fit(text, length, room);
    open_text(t, l);
    if (kept < length)
        gpai_draw_tooltip(t, text);
    shown(t, text, kept);
    gpai_text_add(t, kept < length ? "…</text>" : "</text>");
}

gpai_label gpai_label_name(gpai_anchor anchor, double x, double y, double room)
{
    return (gpai_label){
        .font = GPAI_FONT_NAME, .anchor = anchor, .x = x, .y = y, .room = room};
}

gpai_label gpai_label_small(gpai_anchor anchor, double x, double y, double room)
{
    gpai_label l = gpai_label_name(anchor, x, y, room);
    l.font = GPAI_FONT_SMALL;
    l.class = "p-mute";
    return l;
}

void gpai_draw_label(gpa_text *t, gpai_label l, const char *text)
{
    if (*text != '\0')
        label_bytes(t, &l, text, strlen(text));
}

void gpai_draw_label_tail(gpa_text *t, gpai_label l, size_t start)
{
    char *text = gpai_text_take(t, start);
    if (text != NULL)
        gpai_draw_label(t, l, text);
    gpai_free(text);
}

void gpai_draw_short(gpa_text *t, const char *before, const char *name)
{
    enum { LONG = 60 };
    gpai_text_add(t, before);
    gpai_html_short(t, name, LONG);
}

/* A path through n points, closed or not. */
static void path(gpa_text *t, const char *class, const double (*at)[2], size_t n,
                 bool closed)
{
    gpai_text_printf(t, "<path class=\"%s\" d=\"", class);
    for (size_t i = 0; i < n; i++)
        gpai_draw_to(t, i > 0 ? "L" : "M", at[i][0], at[i][1]);
    gpai_text_add(t, closed ? "z\"/>" : "\"/>");
}

void gpai_draw_line(gpa_text *t, const char *class, double x1, double y1, double x2,
                    double y2)
{
    path(t, class, (const double[][2]){{x1, y1}, {x2, y2}}, 2, false);
}

void gpai_draw_rect(gpa_text *t, const char *class, double x, double y, double w,
                    double h)
{
    gpai_text_printf(t, "<rect class=\"%s\"", class);
    attribute(t, "x", x);
    attribute(t, "y", y);
    attribute(t, "width", w);
    attribute(t, "height", h);
    gpai_text_add(t, "/>");
}

void gpai_draw_circle(gpa_text *t, const char *class, double x, double y, double r)
{
    gpai_text_printf(t, "<circle class=\"%s\"", class);
    attribute(t, "cx", x);
    attribute(t, "cy", y);
    attribute(t, "r", r);
    gpai_text_add(t, "/>");
}

void gpai_draw_square(gpa_text *t, const char *class, double x, double y, double r)
{
    gpai_draw_rect(t, class, x - r, y - r, 2 * r, 2 * r);
}

void gpai_draw_diamond(gpa_text *t, const char *class, double x, double y, double r)
{
    path(t, class, (const double[][2]){{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}},
         4, true);
}

void gpai_draw_hatch(gpa_text *t, double x, double y, double w, double h)
{
    const double pitch = 6;
    gpai_text_add(t, "<path class=\"p-hatch\" d=\"");
    for (double s = pitch; s < w + h; s += pitch) { /* from the left or bottom edge */
        double x1 = s > h ? s - h : 0, y1 = s > h ? h : s;
        double x2 = s > w ? w : s, y2 = s > w ? s - w : 0;
        gpai_draw_to(t, "M", x + x1, y + y1);
        gpai_draw_to(t, "L", x + x2, y + y2);
    }
    gpai_text_add(t, "\"/>");
}

void gpai_draw_arrow(gpa_text *t, const char *class, double x1, double y1, double x2,
                     double y2)
{
    const double size = 5;
    double dx = x2 - x1, dy = y2 - y1, length = sqrt(dx * dx + dy * dy);
    if (!(length > 1))
        return;
    dx *= size / length;
    dy *= size / length;
    gpai_text_printf(t, "<path class=\"%s\" d=\"", class);
    gpai_draw_to(t, "M", x1, y1);
    gpai_draw_to(t, "L", x2, y2);
    gpai_draw_to(t, "M", x2 - dx - 0.7 * dy, y2 - dy + 0.7 * dx);
    gpai_draw_to(t, "L", x2, y2);
    gpai_draw_to(t, "L", x2 - dx + 0.7 * dy, y2 - dy - 0.7 * dx);
    gpai_text_add(t, "\"/>");
}

const char *gpai_draw_sign(double v)
{
    return v > 0 ? "p-pos" : v < 0 ? "p-neg" : "p-nil";
}

gpai_cell gpai_draw_value(double v, bool plus)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_people(number, v, 3);
    return gpai_cell_of(number, plus && isfinite(v), false);
}
