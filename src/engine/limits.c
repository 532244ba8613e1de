#include "engine/limits.h"
#include "base/alloc.h"
#include "base/status.h"
#include <string.h>

gpa_status gpai_limits_space(gpai_space *s, const gpai_problem *p,
                             const gpa_explain_options *o, gpa_error *err)
{
    gpai_limits limits = {.frozen = o->frozen,
                          .lower = o->lower,
                          .upper = o->upper,
                          .integer = o->integer,
                          .group = o->onehot};
    return gpai_space_open(s, p, &limits, err);
}

gpa_status gpai_limits_whole(unsigned char **whole, size_t d,
                             const gpa_explain_options *o, gpa_error *err)
{
    *whole = NULL;
    if (o->integer == NULL && o->onehot == NULL)
        return GPA_OK;
    *whole = gpai_calloc(d, sizeof **whole);
    if (*whole == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < d; k++)
        (*whole)[k] = (o->integer != NULL && o->integer[k] != 0) ||
                      (o->onehot != NULL && o->onehot[k] != 0);
    return GPA_OK;
}

bool gpai_limits_split_group(const gpai_space *s, size_t n,
                             const gpa_explain_options *o)
{
    for (size_t k = 0; o->onehot != NULL && k < s->d; k++)
        if (o->onehot[k] != 0 && s->axis_of[k] == s->axes && n > 1 &&
            (o->frozen == NULL || !o->frozen[k]))
            return true;
    return false;
}

gpa_status gpai_limits_check(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *o, gpa_error *err)
{
    if (o->lower == NULL && o->upper == NULL && o->onehot == NULL)
        return GPA_OK;
    double *unit = gpai_calloc(all->d, sizeof *unit);
    if (unit == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < all->d; k++)
        unit[k] = o->unit != NULL ? o->unit[k] : 1;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n_rows && st == GPA_OK; i++) {
        gpai_space s = {0};
        gpai_problem p = {.n = 1,
                          .d = all->d,
                          .x = all->x + rows[i] * all->d,
                          .unit = unit,
                          .eta = 1};
        st = gpai_limits_space(&s, &p, o, err);
        gpai_space_close(&s);
        if (st == GPA_INVALID && err != NULL) {
            static const char unit_name[] = "explain: "; /* said once, before the row */
            gpa_error inner = *err;
            size_t skip = strncmp(inner.message, unit_name, sizeof unit_name - 1) == 0
                              ? sizeof unit_name - 1
                              : 0;
            st = gpai_fail(err, st, "%srow %zu: %.400s", unit_name, rows[i],
                           inner.message + skip);
        }
    }
    gpai_free(unit);
    return st;
}
