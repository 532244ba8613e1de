#include "engine/culprit/unjudged.h"
#include "base/text/input.h"
#include "base/text/number.h"
#include "engine/settings.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* inputs; of the others it is said how many they are */

/* What was asked of an axis, and what was not answered. */
struct lost {
    const gpai_axis *axis;
    size_t asked, lost;
    double range[2];
};

static struct lost look(const gpai_space *s, const gpai_profile *r, size_t i)
{
    struct lost l = {.axis = &s->axis[i]};
    l.lost = gpai_profile_lost(r, i, l.range);
    l.asked = r->nodes[i] - (s->axis[i].gap ? 0 : 1); /* but for the rows as they are */
    return l;
}

/* Whether all rows have the same value, so that changes are values, too. */
static bool is_same(const gpai_problem *p, size_t k)
{
    for (size_t t = 1; t < p->n; t++)
        if (p->x[t * p->d + k] != p->x[k])
            return false;
    return true;
}

/* ", from -2 to 2.9" of a number; nothing of a choice. */
static void write_range(const struct lost *l, const gpai_problem *p, bool values,
                        char *out, size_t size)
{
    size_t k = l->axis->input;
    char low[GPAI_REAL_SIZE], high[GPAI_REAL_SIZE];
    double from = values && !l->axis->gap ? p->x[k] : 0;
    double unit = l->axis->gap ? 1 : p->unit[k];
    out[0] = '\0';
    if (l->axis->kind == GPAI_AXIS_CHOICE)
        return;
    gpai_input_brief(values ? l->axis->in : NULL, from + unit * l->range[0], low);
    gpai_input_brief(values ? l->axis->in : NULL, from + unit * l->range[1], high);
    snprintf(out, size, l->lost > 1 ? ", from %s to %s" : ", at %s", low, high);
}

static void tell(gpa_explanation *e, const gpa_explain_options *opt,
                 const gpai_problem *p, const struct lost *l)
{
    bool values = l->axis->gap || is_same(p, l->axis->input);
    gpai_shown name = gpai_called(opt->names, opt->inputs, l->axis->input);
    char range[2 * GPAI_REAL_SIZE + 16];
    write_range(l, p, values, range, sizeof range);
    const char *what = l->axis->kind == GPAI_AXIS_CHOICE ? "levels"
                       : values                          ? "values"
                                                         : "changes";
    if (l->lost == l->asked)
        gpai_result_note(e,
                         "%.60s: the model has no finite value for any of the %zu %s "
                         "asked%s: it could not be judged",
                         name.text, l->asked, what, range);
    else
        gpai_result_note(e,
                         "%.60s: the model has no finite value for %zu of the %zu %s "
                         "asked%s: what lies there could not be judged",
                         name.text, l->lost, l->asked, what, range);
}

/* The next axis that lacks something and was not named; as many as there are: none. */
static size_t find_next(const gpai_space *s, const gpai_profile *r,
                        const gpai_culprit *c, const size_t *named, size_t n)
{
    size_t best = s->axes;
    for (size_t i = 0; i < s->axes; i++) {
        size_t j = 0;
        while (j < n && named[j] != i)
            j++;
        bool more = best == s->axes || c->alone[i].unjudged > c->alone[best].unjudged;
        if (j == n && more && look(s, r, i).lost > 0)
            best = i;
    }
    return best;
}

void gpai_tell_unjudged(gpa_explanation *e, const gpa_explain_options *opt,
                        const gpai_problem *p, const gpai_space *s,
                        const gpai_profile *r, const gpai_culprit *c)
{
    size_t named[NAMED], n = 0, all = 0;
    for (size_t i = 0; i < s->axes; i++)
        all += look(s, r, i).lost > 0;
    for (; n < NAMED && n < all; n++) {
        named[n] = find_next(s, r, c, named, n);
        struct lost l = look(s, r, named[n]);
        tell(e, opt, p, &l);
    }
    if (all > n)
        gpai_result_note(e, "so it is with %zu more inputs", all - n);
}
