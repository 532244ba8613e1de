#include "report/words/sentence.h"
#include <math.h>

/* What stands in the lines of the answer, for pages and for those who draw it
 * themselves. */

double gpai_line_blame(const gpai_view *v, size_t k)
{
    if (k == v->d)
        return v->c->output;
    return gpai_view_held(v, k) ? (double)NAN : gpai_view_blame(v, k);
}

bool gpai_line_accused(const gpai_view *v, size_t k)
{
    return k == v->d ? v->c->verdict == GPA_VERDICT_OUTPUT : gpai_view_accused(v, k);
}

size_t gpai_line_outcome(const gpai_view *v)
{
    size_t i = 0;
    while (i < v->inputs && gpai_line_blame(v, v->order[i]) > v->c->output)
        i++;
    return i;
}

/* In how many of several rows a number is missing. */
static size_t count_missing(const gpai_view *v, size_t k)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++)
        n += isnan(v->x[i * v->d + k]) ? 1 : 0;
    return v->n > 1 && !gpai_has_levels(&v->kinds, k) ? n : 0;
}

void gpai_say_recorded(gpa_text *t, const gpai_view *v, size_t k, size_t columns)
{
    size_t missing = count_missing(v, k);
    if (missing > 0)
        gpai_text_printf(t, "missing in %zu", missing);
    else
        gpai_say_value(t, v, k, gpai_view_x(v, k), columns);
}

void gpai_say_now(gpa_text *t, const gpai_view *v, size_t k)
{
    enum { LEVEL = 40 };
    if (k == v->d)
        gpai_text_add(t, gpai_cell_value(v->y_mean, v->info->ascii).text);
    else
        gpai_say_recorded(t, v, k, LEVEL);
}

/* The likeliest level but for the best; `levels` where there is no other. */
static size_t second(const gpa_alone *a)
{
    size_t next = a->levels;
    for (size_t i = 0; i < a->levels; i++)
        if (i != a->best && a->probability[i] >= 0.01 &&
            (next == a->levels || a->probability[i] > a->probability[next]))
            next = i;
    return next;
}

enum { LEVEL = 24 }; /* columns of a name */

/* "45 %, northwest 34 %": how surely it is the best level, and which other it is. */
static void level_words(gpa_text *t, const gpai_view *v, size_t k)
{
    const gpa_alone *a = gpai_view_alone(v, k);
    size_t next = a != NULL ? second(a) : 0;
    if (a == NULL || isnan(gpai_view_normal(v, k)) || next == a->levels)
        return;
    gpai_text_printf(t, "%s, ", gpai_cell_percent(a->probability[a->best]).text);
    gpai_say_level(t, v, k, a->level[next], LEVEL);
    gpai_text_printf(t, " %s", gpai_cell_percent(a->probability[next]).text);
}

static void outcome_words(gpa_text *t, const gpai_view *v, gpai_alone_part part)
{
    double ends[2], normal = gpai_view_output_normal(v, ends);
    int decimals = gpai_decimals(ends[1] - ends[0], 3);
    double x = part == GPAI_ALONE_VALUE ? normal : ends[part == GPAI_ALONE_HIGH];
    if (!isnan(normal))
        gpai_text_add(t, gpai_cell_fixed(x, decimals, v->info->ascii).text);
}

static void part_words(gpa_text *t, const gpai_view *v, size_t k, gpai_alone_part part)
{
    if (k == v->d)
        outcome_words(t, v, part);
    else if (!gpai_view_held(v, k))
        gpai_say_alone(t, v, k, part, LEVEL);
}

void gpai_say_would(gpa_text *t, const gpai_view *v, size_t k)
{
    part_words(t, v, k, GPAI_ALONE_VALUE);
}

void gpai_say_would_range(gpa_text *t, const gpai_view *v, size_t k)
{
    size_t start = t->length;
    if (k < v->d && gpai_view_held(v, k))
        return;
    if (k < v->d && gpai_has_levels(&v->kinds, k)) {
        level_words(t, v, k);
        return;
    }
    if (k < v->d && v->n == 1 && gpai_view_exchanged(v, k) < v->d) {
        gpai_text_add(t, GPAI_EXCHANGED);
        return;
    }
    part_words(t, v, k, GPAI_ALONE_LOW);
    gpai_text_add(t, t->length > start ? " … " : "");
    part_words(t, v, k, GPAI_ALONE_HIGH);
}
