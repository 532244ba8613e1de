#include "engine/culprit/extent.h"
#include "base/text/input.h"
#include "base/text/number.h"
#include "engine/explain.h"
#include "engine/settings.h"
#include <math.h>
#include <stdio.h>

/* How far beyond what is usual, in widths of that, a number is out, and far out.
 * Chosen: of 640 rows of seven tables whose inputs nobody had spoilt none has two that
 * are out, or one far out. */
static const double OUT = 0.1, FAR = 2;

enum { NAMED = 3 }; /* of more it is said how many they are */

/* An input of the rows that are explained, next to what is usual. */
struct extent {
    size_t k;
    double low, high, beyond; /* beyond: of the row that is least so, in widths */
};

static bool counts(const gpa_input *in, double v)
{
    return isfinite(v) && (in == NULL || v != in->missing);
}

/* How far a number is beyond what is usual, in widths of that. */
static double beyond(double v, double low, double high)
{
    return fmax(fmax(low - v, v - high), 0) / (high - low);
}

bool gpai_is_far(double value, double low, double high)
{
    return high > low && beyond(value, low, high) > FAR;
}

static struct extent look(const gpai_problem *p, const gpai_axis *a,
                          const gpai_usual *usual)
{
    struct extent x = {.k = a->input, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (size_t i = 0; i < usual->n; i++) {
        double v = usual->x[i * p->d + x.k];
        if (i == usual->own || !counts(a->in, v))
            continue;
        x.low = v < x.low ? v : x.low;
        x.high = v > x.high ? v : x.high;
    }
    x.beyond = x.high > x.low ? HUGE_VAL : 0; /* one value: none is usual */
    for (size_t t = 0; t < p->n && x.beyond > 0; t++) {
        double v = p->x[t * p->d + x.k];
        x.beyond = fmin(x.beyond, counts(a->in, v) ? beyond(v, x.low, x.high) : 0);
    }
    return x;
}

/* Whether it is said of the axis anyway that something is wrong with it. */
static bool is_named(const gpai_culprit *c, size_t axis)
{
    const gpai_subset *best = &c->subset[c->likeliest];
    bool exchanged = best->exchanged && c->p_likeliest > 0.5 &&
                     (best->axis[0] == axis || best->axis[1] == axis);
    return c->silent[axis] || exchanged ||
           (c->verdict == GPA_VERDICT_INPUT && c->axis_probability[axis] > 0.5);
}

/* Names one after the other, with the value of a single row. */
struct list {
    char text[NAMED * 256];
    size_t length, count;
};

static void add(struct list *l, const char *name, const char *value)
{
    if (l->count++ >= NAMED)
        return;
    bool one = value != NULL;
    int n = snprintf(l->text + l->length, sizeof l->text - l->length, "%s%s%s%s%s",
                     l->length > 0 ? ", " : "", name, one ? " (" : "", one ? value : "",
                     one ? ")" : "");
    l->length += n > 0 ? (size_t)n : 0;
}

/* " and 4 more" where there are more than were named. */
static const char *rest_of(const struct list *l, char room[32])
{
    if (l->count <= NAMED)
        return "";
    snprintf(room, 32, " and %zu more", l->count - NAMED);
    return room;
}

void gpai_tell_extent(gpa_explanation *e, const gpa_explain_options *opt,
                      const gpai_problem *p, const gpai_space *s,
                      const gpai_usual *usual, const gpai_culprit *c)
{
    struct list far = {{0}, 0, 0}, out = {{0}, 0, 0};
    char now[GPAI_REAL_SIZE], room[32];
    for (size_t i = 0; i < s->axes; i++) {
        const gpai_axis *a = &s->axis[i];
        if (a->kind == GPAI_AXIS_CHOICE || a->gap || is_named(c, i))
            continue;
        struct extent x = look(p, a, usual);
        if (!(x.beyond > OUT))
            continue;
        gpai_shown name = gpai_called(opt->names, opt->inputs, x.k);
        gpai_input_brief(a->in, p->x[x.k], now);
        add(x.beyond > FAR ? &far : &out, name.text, p->n == 1 ? now : NULL);
        if (x.beyond > FAR)
            e->far[e->n_far++] = x.k;
    }
    if (far.count > 0 && c->verdict != GPA_VERDICT_NORMAL)
        gpai_result_note(e, GPAI_FAR_FROM_USUAL, far.text, rest_of(&far, room));
    if (out.count > 1)
        gpai_result_note(
            e,
            "beyond all that is usual: %s%s; the model may be wrong so far "
            "out, and the percentages count for less",
            out.text, rest_of(&out, room));
}
