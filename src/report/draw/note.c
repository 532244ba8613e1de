#include "report/draw/draw.h"
#include <string.h>

/* Title and note of a picture (draw.h). */

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
    size_t length = gpai_measure_line(text, room / gpai_font_size(b->font));
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

void gpai_draw_title(gpa_text *t, const gpai_frame *f)
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
