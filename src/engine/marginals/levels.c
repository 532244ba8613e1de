#include "base/alloc.h"
#include "base/status.h"
#include "engine/marginals/cells.h"
#include <math.h>

/* What a result shows of a choice: a probability for each of its levels. */

/* The place of member j among the columns of its group, also those that left it. */
static double column_place(const gpai_axis *a, size_t j)
{
    size_t place = j;
    if (a->in == NULL || a->in->group == 0)
        return (double)j;
    const gpa_input *inputs = a->in - a->input;
    for (size_t k = place = 0; k < a->member[j]; k++)
        place += inputs[k].group == a->in->group ? 1 : 0;
    return (double)place;
}

/* What value j of a choice is called in a result. */
static double name_of(const gpai_space *s, const gpai_axis *a, size_t j)
{
    if (a->level != NULL)
        return j < a->levels ? a->level[j] : s->x[a->input];
    return j < a->members ? column_place(a, j) : j < a->levels ? -1 : (double)NAN;
}

static double divergence(const gpai_cells *c, size_t axis)
{
    double sum = 0;
    for (size_t j = 0; j < c->axis[axis].count; j++) {
        double q = c->axis[axis].mass[j], p = gpai_cells_prior_mass(c, axis, j);
        sum += q > 0 && p > 0 ? q * log(q / p) : 0;
    }
    return fmax(sum, 0);
}

static size_t count_numbers(const gpai_space *s)
{
    size_t numbers = 0;
    for (size_t i = 0; i < s->axes; i++)
        numbers += s->axis[i].kind == GPAI_AXIS_CHOICE
                       ? 2 * gpai_axis_choices(&s->axis[i])
                       : 0;
    return numbers;
}

gpa_status gpai_cells_levels(const gpai_cells *c, gpa_explanation *e, gpa_error *err)
{
    const gpai_space *s = c->space;
    double *at = gpai_calloc(count_numbers(s) + 1, sizeof *at);
    if (at == NULL)
        return gpai_nomem(err, "marginals");
    gpai_free(e->level_numbers);
    e->level_numbers = at;
    for (size_t i = 0; i < s->axes; i++) {
        const gpai_axis *a = &s->axis[i];
        size_t values = gpai_axis_choices(a);
        const double none = (double)NAN;
        if (a->kind != GPAI_AXIS_CHOICE)
            continue;
        for (size_t j = 0; j < values; j++) {
            at[j] = name_of(s, a, j);
            at[values + (size_t)c->quantiles.axis[i].value[j]] = c->axis[i].mass[j];
        }
        for (size_t j = 0; j < a->members; j++)
            e->marginals[a->member[j]] = (gpa_marginal){.map = none,
                                                        .mean = none,
                                                        .sd = none,
                                                        .interval50 = {none, none},
                                                        .interval90 = {none, none},
                                                        .p_positive = none,
                                                        .information = divergence(c, i),
                                                        .levels = values,
                                                        .level = at,
                                                        .mass = at + values};
        at += 2 * values;
    }
    return GPA_OK;
}
