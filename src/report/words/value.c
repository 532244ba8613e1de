#include "base/text/input.h"
#include "base/text/utf8.h"
#include "report/words/sentence.h"
#include <math.h>
#include <string.h>

/* Values of inputs in words: the one place that knows levels, dates and whole numbers.
 */

/* Whether a value is more than digits: a level with a name, or a date. */
static bool named(const gpai_view *v, size_t k, double value)
{
    const gpa_input *in = &v->kinds.input[k];
    if (gpai_is_date(&v->kinds, k))
        return true;
    return in->level_name != NULL && gpai_input_level(in, value) < in->levels;
}

/* A time, cut after so many characters; whole minutes have no seconds. */
static const char *time_text(const gpa_input *in, double value, size_t shown,
                             char room[GPAI_INPUT_ROOM])
{
    static const size_t MINUTES = sizeof "2024-02-29 12:00" - 1;
    const char *text = gpai_input_text(in, value, room);
    size_t length = strlen(text);
    if (text != room || strchr(text, ':') == NULL)
        return text;
    if (shown > MINUTES && strcmp(text + length - 3, ":00") == 0)
        shown = length - 3;
    room[shown < length ? shown : length] = '\0';
    return room;
}

static void name_of(gpa_text *t, const gpai_view *v, size_t k, double value,
                    size_t columns)
{
    char room[GPAI_INPUT_ROOM];
    const char *name = time_text(&v->kinds.input[k], value, GPAI_INPUT_ROOM, room);
    if (gpai_is_date(&v->kinds, k)) /* half of one says nothing */
        columns = GPAI_INPUT_ROOM;
    gpai_text_visible(t, *name != '\0' ? name : "(empty)", columns, v->info->ascii);
}

/* "a + b", where the row has a 1 in both columns of a one-hot group: no level. */
static void say_columns(gpa_text *t, const gpai_view *v, size_t k)
{
    enum { NAMED = 3, COLUMNS = 12 };
    const gpa_input *in = v->info->inputs;
    char room[GPAI_NAME_SIZE];
    size_t n = 0;
    for (size_t j = k; j < v->d; j++) {
        if (v->kinds.first[j] != v->kinds.first[k] || v->x[j] == 0 || n++ >= NAMED)
            continue;
        gpai_text_add(t, n > 1 ? " + " : "");
        if (v->x[j] != 1)
            gpai_text_printf(t, "%s ", gpai_cell_value(v->x[j], v->info->ascii).text);
        const char *label = in[j].label;
        gpai_text_visible(t, label != NULL ? label : gpai_name_input(v->info, j, room),
                          COLUMNS, v->info->ascii);
    }
    if (n > NAMED)
        gpai_text_printf(t, " + %zu more", n - NAMED);
}

void gpai_say_value(gpa_text *t, const gpai_view *v, size_t k, double value,
                    size_t columns)
{
    bool levels = v->kinds.input[k].levels > 0;
    if (isnan(value) && v->info->inputs != NULL)
        gpai_text_add(t, levels && v->n > 1 ? "several" : "missing");
    else if (!isnan(value) && named(v, k, value))
        name_of(t, v, k, value, columns);
    else if (gpai_is_group(&v->kinds, k) && value == -1)
        gpai_text_add(t, GPAI_NO_LEVEL);
    else if (gpai_is_group(&v->kinds, k) && value == GPAI_NOT_ONE)
        say_columns(t, v, k);
    else
        gpai_text_add(t, gpai_cell_value(value, v->info->ascii).text);
}

/* In a sentence: names in quotes, but for those of a group; numbers with the digits
 * that they have in the table. */
static void in_words(gpa_text *t, const gpai_view *v, size_t k, double value,
                     void (*say)(gpa_text *, const gpai_view *, size_t, double, size_t))
{
    const gpai_kinds *s = &v->kinds;
    bool quoted = named(v, k, value) && !gpai_is_group(s, k) && !gpai_is_date(s, k);
    gpai_text_add(t, quoted ? "'" : "");
    say(t, v, k, value, GPAI_SAY_NAME);
    gpai_text_add(t, quoted ? "'" : "");
}

static bool is_near_whole(double value)
{
    static const double ROUNDING = 1e-9;
    return fabs(value - nearbyint(value)) <= ROUNDING * fmax(1, fabs(value));
}

/* A proposal: whole where nothing else makes sense. But from a row that is not whole
 * steps of 1 lead to fractions, and the model was asked about those. */
static double proposed(const gpai_view *v, size_t k, double value)
{
    double x = gpai_view_x(v, k);
    bool steps = !isnan(x) && !is_near_whole(x) && is_near_whole(value - x);
    return gpai_is_whole(&v->kinds, k) && !steps ? nearbyint(value) : value;
}

void gpai_say_measure(gpa_text *t, const gpai_view *v, size_t k)
{
    const char *unit = gpai_view_measure(v, k);
    if (unit == NULL || (k < v->d && v->kinds.input[k].levels > 0))
        return;
    gpai_text_add(t, " ");
    gpai_text_visible(t, unit, GPAI_SAY_NAME, v->info->ascii);
}

/* Decimals of what would look normal and of its interval: three digits of that; -1: it
 * has none. */
static int interval_decimals(const gpai_view *v, size_t k)
{
    double ends[2];
    gpai_view_normal_ends(v, k, ends);
    return ends[1] - ends[0] > 0 ? gpai_decimals(ends[1] - ends[0], 3) : -1;
}

/* Whether it is shown as a name, a date or a whole number, which have no decimals. */
static bool without_decimals(const gpai_view *v, size_t k, double value)
{
    bool whole = gpai_is_whole(&v->kinds, k) && value == nearbyint(value);
    return v->kinds.input[k].levels > 0 || gpai_is_date(&v->kinds, k) || whole;
}

/* Digits of what would look normal are those its interval is worth; of a value that is
 * in the data those it has there. */
static void then_words(gpa_text *t, const gpai_view *v, size_t k, double value)
{
    bool normal = value == gpai_view_normal(v, k);
    in_words(t, v, k, normal ? proposed(v, k, value) : value,
             normal ? gpai_say_normal : gpai_say_value);
}

/* What the row has, beside what would look normal: with no more decimals than that. */
static void now_words(gpa_text *t, const gpai_view *v, size_t k, double value)
{
    double x = gpai_view_x(v, k);
    bool normal = value == gpai_view_normal(v, k);
    bool shown = normal && !without_decimals(v, k, proposed(v, k, value));
    int decimals = shown ? interval_decimals(v, k) : -1;
    gpai_cell now = gpai_cell_value(x, v->info->ascii);
    const char *point = strchr(now.text, '.');
    bool longer = point != NULL && decimals >= 0 && !named(v, k, x) &&
                  strspn(point + 1, "0123456789") > (size_t)decimals;
    if (longer)
        gpai_text_add(t, gpai_cell_fixed(x, decimals, v->info->ascii).text);
    else
        in_words(t, v, k, x, gpai_say_value);
}

/* "3 or 1" */
static void either(gpa_text *t, const gpai_view *v, size_t k, const gpai_ways *w)
{
    for (size_t i = 0; i < w->n; i++) {
        gpai_text_add(t, i > 0 ? " or " : "");
        then_words(t, v, k, w->value[i]);
    }
}

void gpai_say_ways(gpa_text *t, const gpai_view *v, size_t k, const gpai_ways *w)
{
    either(t, v, k, w);
    if (!isnan(gpai_view_x(v, k))) {
        gpai_text_add(t, " instead of ");
        now_words(t, v, k, w->value[0]);
    }
    gpai_say_measure(t, v, k);
}

void gpai_say_instead(gpa_text *t, const gpai_view *v, size_t k, double value)
{
    gpai_say_ways(t, v, k, &(gpai_ways){{value}, 1});
}

void gpai_say_again(gpa_text *t, const gpai_view *v, size_t k, const gpai_ways *w)
{
    gpai_text_add(t, "at ");
    either(t, v, k, w);
    gpai_text_add(t, " it is ");
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_add(t, ", at ");
    now_words(t, v, k, w->value[0]);
    gpai_text_add(t, " it is not");
}

void gpai_say_filled(gpa_text *t, const gpai_view *v, size_t k)
{
    then_words(t, v, k, gpai_view_normal(v, k));
    gpai_say_measure(t, v, k);
}

void gpai_say_input(gpa_text *t, const gpai_view *v, size_t k)
{
    gpai_view_input(t, v, k, GPAI_SAY_NAME);
    gpai_text_add(t, gpai_is_group(&v->kinds, k) ? ": " : " ");
}

static const double HOUR = 3600, DAY = 24 * 3600;

/* A time that would look normal, as finely as its interval is worth: seconds, minutes
 * or the day. */
static const char *normal_time(const gpai_view *v, size_t k, double value,
                               char room[GPAI_INPUT_ROOM])
{
    double ends[2];
    gpai_view_normal_ends(v, k, ends);
    double width = ends[1] - ends[0];
    size_t shown = width > DAY    ? sizeof "2024-02-29" - 1
                   : width > HOUR ? sizeof "2024-02-29 12:00" - 1
                                  : GPAI_INPUT_ROOM;
    return time_text(&v->kinds.input[k], value, shown, room);
}

void gpai_say_normal(gpa_text *t, const gpai_view *v, size_t k, double value,
                     size_t columns)
{
    char room[GPAI_INPUT_ROOM];
    int decimals = interval_decimals(v, k);
    bool recorded = gpai_view_exchanged(v, k) < v->d; /* it stands in the data */
    value = proposed(v, k, value);
    if (recorded)
        gpai_say_value(t, v, k, value, columns);
    else if (isnan(value))
        gpai_text_add(t, GPAI_NO_HELP(v)); /* nothing else helps */
    else if (v->kinds.input[k].writing == GPA_WRITING_TIME)
        gpai_text_add(t, normal_time(v, k, value, room));
    else if (without_decimals(v, k, value))
        gpai_say_value(t, v, k, value, columns);
    else if (decimals >= 0)
        gpai_text_add(t, gpai_cell_fixed(value, decimals, v->info->ascii).text);
    else
        gpai_text_add(t, gpai_cell_people(value, 4, v->info->ascii).text);
}

/* Whether an interval lies within one day. */
static bool same_day(const gpai_view *v, size_t k, const double ends[2])
{
    return v->kinds.input[k].writing == GPA_WRITING_TIME &&
           floor(ends[0] / DAY) == floor(ends[1] / DAY);
}

/* The end of such an interval: the time of the day. */
static void clock_words(gpa_text *t, const gpai_view *v, size_t k, double value)
{
    char room[GPAI_INPUT_ROOM];
    const char *text = normal_time(v, k, value, room), *clock = strchr(text, ' ');
    gpai_text_add(t, clock != NULL ? clock + 1 : text);
}

/* The same of columns that look exchanged: one value, or of several rows none. */
static void say_exchanged(gpa_text *t, const gpai_view *v, size_t k,
                          gpai_alone_part part, size_t columns)
{
    if (part == GPAI_ALONE_VALUE && v->n == 1)
        gpai_say_normal(t, v, k, gpai_view_normal(v, k), columns);
    else if (part == GPAI_ALONE_VALUE)
        gpai_text_add(t, GPAI_EXCHANGED);
}

void gpai_say_alone(gpa_text *t, const gpai_view *v, size_t k, gpai_alone_part part,
                    size_t columns)
{
    const gpa_culprit *c = v->c;
    bool levels = gpai_has_levels(&v->kinds, k), value = part == GPAI_ALONE_VALUE;
    double ends[2];
    if (gpai_view_exchanged(v, k) < v->d) {
        say_exchanged(t, v, k, part, columns);
        return;
    }
    if (v->n > 1 && !levels && !gpai_view_gap(v, k)) { /* rows share a change only */
        double x = value                    ? c->median[k]
                   : part == GPAI_ALONE_LOW ? c->low[k]
                                            : c->high[k];
        if (isfinite(x))
            gpai_text_add(t,
                          gpai_cell_raw(gpai_raw(x, v->unit[k]), v->info->ascii).text);
        else if (value)
            gpai_text_add(t, GPAI_NO_HELP(v));
        return;
    }
    gpai_view_normal_ends(v, k, ends);
    double x = value ? gpai_view_normal(v, k) : ends[part == GPAI_ALONE_HIGH];
    if (part == GPAI_ALONE_HIGH && same_day(v, k, ends))
        clock_words(t, v, k, x);
    else if (value || isfinite(x)) {
        bool fills = value && isfinite(x) && v->n > 1 && gpai_view_gap(v, k);
        gpai_text_add(t, fills ? "to " : ""); /* among changes */
        gpai_say_normal(t, v, k, x, columns);
    }
}

void gpai_say_move(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    if (gpai_view_size(v, k) == 0) {
        gpai_text_add(t, gpai_view_held(v, k) ? "" : "stays");
        return;
    }
    gpai_text_add(t, v->info->ascii ? "-> " : "→ ");
    gpai_say_value(t, v, k, gpai_view_moved(v, k), columns);
}

void gpai_say_level(gpa_text *t, const gpai_view *v, size_t k, double level,
                    size_t columns)
{
    if (isnan(level))
        gpai_text_visible(t, "as it is", columns, v->info->ascii);
    else
        gpai_say_value(t, v, k, level, columns);
}

/* The next likeliest level behind the one at `last`, in the order of falling shares;
 * n: there is none. */
static size_t next_level(const double *share, size_t n, size_t last)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        bool behind = last == n || share[i] < share[last] ||
                      (share[i] == share[last] && i > last);
        if (behind && share[i] > 0 && (best == n || share[i] > share[best]))
            best = i;
    }
    return best;
}

void gpai_say_levels(gpa_text *t, const gpai_view *v, size_t k, const double *level,
                     const double *share, size_t n, size_t most)
{
    size_t last = n, said = 0;
    double rest = 1;
    for (; said < most; said++) {
        size_t i = next_level(share, n, last);
        if (i == n || (said > 0 && share[i] < 0.005))
            break;
        gpai_text_add(t, said > 0 ? ", " : "");
        gpai_say_level(t, v, k, level[i], GPAI_SAY_NAME);
        gpai_text_printf(t, " %s", gpai_cell_probability(share[i]).text);
        rest -= share[i];
        last = i;
    }
    if (said == most && rest >= 0.005)
        gpai_text_add(t, v->info->ascii ? ", ..." : ", …");
}
