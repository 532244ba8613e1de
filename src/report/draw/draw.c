#include "report/draw/draw.h"
#include "base/alloc.h"
#include "base/text/escape.h"
#include "base/text/utf8.h"
#include "report/embedded.h"
#include <math.h>
#include <string.h>

/* Advance widths by groups of characters; each is the largest of its group. */
static double ascii_width(char c)
{
    static const struct {
        const char *characters;
        double width;
    } groups[] = {
        {" '|.,:;/\\ijlI", 0.35},   {"()[]!\"-frtJ", 0.47}, {"M#+<=>^~w", 0.87},
        {"ABCDGHKNOQRUVXZ&", 0.79}, {"@%mW", 1.0},
    };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strchr(groups[i].characters, c) != NULL)
            return groups[i].width;
    return 0.64;
}

double gpai_measure_point(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        double width;
    } ranges[] = {
        {0x1C4, 0x1CC, 1.6},   {0x1F1, 0x1F3, 1.6},   {0xA0, 0xA0, 0.35},
        {0xA1, 0x3FF, 0.95},   {0x400, 0x52F, 1.15},  {0x530, 0x6FF, 1.05},
        {0x2009, 0x200A, 0.3}, {0x2070, 0x209F, 0.5}, {0x2100, 0x23FF, 1.1},
        {0xFDF0, 0xFDFF, 12},  {0x12000, 0x1254F, 4}, {0x1F000, 0x1FAFF, 1.45},
    };
    if (c < 0x80 && c >= ' ')
        return ascii_width((char)c);
    if (gpai_point_width(c) == 0) /* marks on the letter before */
        return 0;
    if (!gpai_utf8_unsafe(c))
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            if (c >= ranges[i].first && c <= ranges[i].last)
                return ranges[i].width;
    return 1.2;
}

double gpai_measure(const char *text, size_t length)
{
    double sum = 0;
    for (const char *p = text; p < text + length;)
        sum += gpai_measure_point(gpai_utf8_next(&p));
    return sum;
}

size_t gpai_measure_fit(const char *text, size_t length, double room)
{
    const double ellipsis = 1;
    double sum = 0;
    size_t kept = 0;
    room += 1e-9; /* a room that was made of this very text may be rounded */
    for (const char *p = text; p < text + length;) {
        sum += gpai_measure_point(gpai_utf8_next(&p));
        if (sum > room)
            return kept;
        if (sum + ellipsis <= room)
            kept = (size_t)(p - text);
    }
    return length;
}

/* Bytes of the next line of at most `room`, broken at a blank where there is one. */
static size_t line_fit(const char *text, double room)
{
    double sum = 0;
    size_t blank = 0;
    for (const char *p = text; *p != '\0';) {
        size_t at = (size_t)(p - text);
        uint32_t c = gpai_utf8_next(&p);
        if (c == ' ')
            blank = at;
        sum += gpai_measure_point(c);
        if (sum > room)
            return blank > 0 ? blank : at > 0 ? at : (size_t)(p - text);
    }
    return strlen(text);
}

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

/* Title and note of a picture. */

enum { LINE = 14, GAP = 8, TITLE_LINE = 19, TITLE_GAP = 5, LONGEST = 400 };

struct block {
    gpai_font font;
    const char *class;
    double line;       /* height */
    size_t most_lines; /* the last of them takes all that is left */
};

static const struct block TITLE = {GPAI_FONT_TITLE, NULL, TITLE_LINE, 2};
static const struct block NOTE = {GPAI_FONT_SMALL, "p-mute", LINE, 6};

static size_t next_line(const struct block *b, const char *text, double room,
                        size_t line)
{
    size_t length = line_fit(text, room / gpai_font_size(b->font));
    return line + 1 < b->most_lines && length < LONGEST ? length : strlen(text);
}

static const char *past(const char *text, size_t length)
{
    text += length;
    return text + strspn(text, " ");
}

static double lines_of(const struct block *b, const char *text, double room)
{
    size_t lines = 0;
    for (; text != NULL && *text != '\0'; lines++)
        text = past(text, next_line(b, text, room, lines));
    return (double)lines;
}

/* Writes lines; `y` is that of the first. */
static void lines(gpa_text *t, const struct block *b, const char *text, double room,
                  double y)
{
    gpai_label l = {
        .font = b->font, .x = GPAI_MARGIN, .y = y, .room = room, .class = b->class};
    for (size_t line = 0; text != NULL && *text != '\0'; line++, l.y += b->line) {
        size_t length = next_line(b, text, room, line);
        char part[LONGEST];
        if (text[length] == '\0') {
            gpai_draw_label(t, l, text);
        } else {
            memcpy(part, text, length);
            part[length] = '\0';
            gpai_draw_label(t, l, part);
        }
        text = past(text, length);
    }
}

double gpai_title_height(const gpai_frame *f)
{
    double n = lines_of(&TITLE, f->title, f->width - 2 * GPAI_MARGIN);
    return n > 0 ? n * TITLE.line + TITLE_GAP : 0;
}

static void draw_title(gpa_text *t, const gpai_frame *f)
{
    lines(t, &TITLE, f->title, f->width - 2 * GPAI_MARGIN, GPAI_MARGIN + 14);
}

double gpai_note_height(const char *note, double width)
{
    double n = lines_of(&NOTE, note, width - 2 * GPAI_MARGIN);
    return n > 0 ? n * NOTE.line + GAP : 0;
}

void gpai_draw_note(gpa_text *t, const char *note, double width, double bottom)
{
    double first = bottom - gpai_note_height(note, width) + GAP + LINE - 4;
    lines(t, &NOTE, note, width - 2 * GPAI_MARGIN, first);
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
    draw_title(t, f);
}

void gpai_draw_close(gpa_text *t, const gpai_frame *f)
{
    gpai_draw_note(t, f->note, f->width, f->height - GPAI_MARGIN / 2.0);
    gpai_text_add(t, "</svg>\n");
}

/* What the signs of a picture mean. */

enum { LEGEND_LINE = 17, SIGN = 18, TO_WORD = 24, BETWEEN = 14 };

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
        [GPAI_SIGN_LEVEL] = "p-level",    [GPAI_SIGN_BAND] = "p-band",
        [GPAI_SIGN_SEEN] = "p-seen"};
    const char *class = classes[sign];
    double middle = x + SIGN / 2.0;
    if (sign == GPAI_SIGN_DOT || sign == GPAI_SIGN_HOLLOW)
        gpai_draw_circle(t, class, middle, y, sign == GPAI_SIGN_DOT ? 4.6 : 4.2);
    else if (sign == GPAI_SIGN_DIAMOND)
        gpai_draw_diamond(t, class, middle, y, 4);
    else if (sign == GPAI_SIGN_PRIOR || sign == GPAI_SIGN_BAND ||
             sign == GPAI_SIGN_SEEN)
        gpai_draw_rect(t, class, x, y - 5, SIGN, 10);
    else
        gpai_draw_line(t, class, x, y, x + SIGN, y);
    if (sign == GPAI_SIGN_PRIOR)
        gpai_draw_line(t, "p-before", x, y - 5, x + SIGN, y - 5);
}

/* Goes through the items and gives the height; draws them where there is a text. */
static double flow(gpa_text *t, const gpai_legend *l, double width, double top)
{
    double x = GPAI_MARGIN, y = top + LEGEND_LINE / 2.0;
    for (size_t i = 0; i < l->count; i++) {
        double w = TO_WORD + gpai_text_width(l->items[i].word, GPAI_FONT_SMALL);
        if (x > GPAI_MARGIN && x + w > width - GPAI_MARGIN) {
            x = GPAI_MARGIN;
            y += LEGEND_LINE;
        }
        if (t != NULL) {
            draw_sign(t, l->items[i].sign, x, y);
            gpai_label word = gpai_label_small(GPAI_START, x + TO_WORD, y + 4, 0);
            gpai_draw_label(t, word, l->items[i].word);
        }
        x += w + BETWEEN;
    }
    return y + LEGEND_LINE / 2.0 - top;
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
