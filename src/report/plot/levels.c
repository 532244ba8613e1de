#include "base/text/input.h"
#include "report/plot/plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Axes of levels and of dates. */

enum { TURNED = 64, ROOM = 4 }; /* pixels: of a name that stands upright; between two */

bool gpai_plot_has_levels(const gpa_input *kinds, size_t k)
{
    return kinds != NULL && kinds[k].levels > 0 && kinds[k].level != NULL;
}

/* Levels that may be proposed stand in their own order, then the others in that of
 * their names: so a result that was saved has them, which knows only those it needs. */
static bool stands_before(const gpa_input *in, size_t i, size_t j)
{
    bool rare = in->rare != NULL && in->rare[i];
    bool other = in->rare != NULL && in->rare[j];
    if (rare != other)
        return other;
    if (!rare || in->level_name == NULL)
        return i < j;
    int order = strcmp(in->level_name[i], in->level_name[j]);
    return order < 0 || (order == 0 && i < j);
}

void gpai_levels_choose(gpai_level_axis *a, const gpa_input *in,
                        gpai_level_weight *weight, const void *work)
{
    enum { MOST = GPAI_LEVELS_SHOWN + 1 };
    double of[MOST]; /* the weights of those that are chosen */
    size_t there = 0;
    *a = (gpai_level_axis){.in = in};
    for (size_t i = 0; i < in->levels; i++) {
        double w = weight(work, in, i);
        size_t to = a->n;
        if (isnan(w))
            continue;
        there++;
        while (to > 0 && (w > of[to - 1] ||
                          (w == of[to - 1] && stands_before(in, i, a->at[to - 1]))))
            to--;
        if (to == MOST)
            continue;
        size_t last = a->n < MOST ? a->n++ : MOST - 1;
        memmove(a->at + to + 1, a->at + to, (last - to) * sizeof *a->at);
        memmove(of + to + 1, of + to, (last - to) * sizeof *of);
        a->at[to] = i;
        of[to] = w;
    }
    if (there > MOST) /* the last place is for the others */
        a->n = GPAI_LEVELS_SHOWN;
    a->rest = there - a->n;
}

void gpai_levels_in_order(gpai_level_axis *a)
{
    for (size_t i = 1; i < a->n; i++)
        for (size_t j = i; j > 0 && stands_before(a->in, a->at[j], a->at[j - 1]); j--) {
            size_t swap = a->at[j];
            a->at[j] = a->at[j - 1];
            a->at[j - 1] = swap;
        }
}

double gpai_levels_place(const gpai_level_axis *a, double value)
{
    size_t level = gpai_input_level(a->in, value);
    if (level == a->in->levels)
        return (double)NAN;
    for (size_t i = 0; i < a->n; i++)
        if (a->at[i] == level)
            return (double)i;
    return (double)a->n;
}

const char *gpai_levels_name(const gpai_level_axis *a, size_t i,
                             char room[GPAI_LEVEL_ROOM])
{
    if (i < a->n) {
        const char *name = gpai_input_text(a->in, a->in->level[a->at[i]], room);
        return *name != '\0' ? name : "(empty)";
    }
    snprintf(room, GPAI_LEVEL_ROOM, "%zu other%s", a->rest, a->rest > 1 ? "s" : "");
    return room;
}

gpai_span gpai_levels_span(const gpai_level_axis *a)
{
    return (gpai_span){-0.5, (double)(a->n + (a->rest > 0)) - 0.5};
}

static double widest_name(const gpai_level_axis *a)
{
    char room[GPAI_LEVEL_ROOM];
    double widest = 0;
    for (size_t i = 0; i < a->n + (a->rest > 0); i++)
        widest = fmax(widest,
                      gpai_text_width(gpai_levels_name(a, i, room), GPAI_FONT_SMALL));
    return widest;
}

double gpai_levels_below(const gpai_level_axis *a, double width)
{
    double pitch = width / (double)(a->n + (a->rest > 0)), widest = widest_name(a);
    return widest + ROOM <= pitch ? 0 : fmin(widest, TURNED) - 8;
}

void gpai_levels_x_axis(gpa_text *t, const gpai_level_axis *a, const gpai_axis *x,
                        double bottom, double below, const char *label)
{
    char room[GPAI_LEVEL_ROOM];
    bool turned = gpai_levels_below(a, x->to - x->from) > 0;
    for (size_t i = 0; i < a->n + (a->rest > 0); i++) {
        double at = gpai_axis_at(x, (double)i);
        gpai_label l = gpai_label_small(GPAI_MIDDLE, at, bottom + 14, 0);
        if (turned) {
            l = gpai_label_small(GPAI_END, at + 3.5, bottom + 6, TURNED);
            l.turn = -90;
        }
        gpai_draw_label(t, l, gpai_levels_name(a, i, room));
    }
    gpai_draw_label(t,
                    gpai_label_name(GPAI_MIDDLE, (x->from + x->to) / 2,
                                    bottom + 30 + (turned ? below : 0),
                                    x->to - x->from),
                    label);
    gpai_text_add(t, "\n");
}

/* "2024-02-29"; of seconds that are close together "02-29 12:00". */
static const char *date_at(const gpa_input *in, double value, double step,
                           char room[GPAI_INPUT_ROOM])
{
    static const double DAY = 86400;
    const char *text = gpai_input_text(in, value, room);
    size_t year = 5, date = 10, minutes = 16;
    if (in->writing != GPA_WRITING_TIME || strlen(text) <= minutes || text != room)
        return text;
    room[step < DAY ? minutes : date] = '\0';
    return step < DAY ? text + year : text;
}

void gpai_dates_x_axis(gpa_text *t, const gpa_input *in, const gpai_axis *x, double top,
                       double bottom, const char *label)
{
    char room[GPAI_INPUT_ROOM];
    const double each = 82, minute = 60, day = 86400; /* pixels of a date; seconds */
    size_t most = (size_t)fmax((x->to - x->from) / each, 1);
    double step = (x->high - x->low) / (double)most;
    double grain = in->writing != GPA_WRITING_TIME ? 1 : step < day ? minute : day;
    double last = (double)NAN;
    for (size_t i = 0; i < most; i++) { /* round steps are none that a calendar has */
        double value = floor((x->low + ((double)i + 0.5) * step) / grain) * grain;
        double at = gpai_axis_at(x, value);
        if (value == last)
            continue;
        last = value;
        const char *text = date_at(in, value, step, room);
        double half = gpai_text_width(text, GPAI_FONT_SMALL) / 2;
        gpai_draw_line(t, "p-grid", at, top, at, bottom);
        at = fmin(fmax(at, x->from - 10 + half), x->to + 10 - half);
        gpai_draw_label(t, gpai_label_small(GPAI_MIDDLE, at, bottom + 14, 0), text);
    }
    gpai_draw_label(t,
                    gpai_label_name(GPAI_MIDDLE, (x->from + x->to) / 2, bottom + 30,
                                    x->to - x->from),
                    label);
    gpai_text_add(t, "\n");
}
