#include "engine/surrogate/lines.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>

static void lay_out(void *work, gpai_arena *a)
{
    gpai_lines *l = work;
    gpai_warp_lay_out(&l->warp, a);
    GPAI_TAKE_EACH(a, l->warp.room, 1, &l->u, &l->step);
    l->value = gpai_take(a, l->warp.room, l->n);
    l->order = gpai_take_bytes(a, l->warp.room, sizeof *l->order);
    l->size = gpai_take(a, l->n, 1);
}

double gpai_lines_z(const gpai_quantiles *q, size_t axis, double value)
{
    const gpai_quantiles_axis *a = &q->axis[axis];
    size_t j = 0;
    double chance;
    if (a->values == 0)
        return gpai_quantiles_z(q, axis, value);
    while (j + 1 < a->values && fabs(a->value[j] - value) > 1e-9 * (1 + fabs(value)))
        j++;
    return gpai_quantiles_middle(a, j, &chance);
}

/* f - f(x) of the n rows at node j. */
static double change(const gpai_profile *r, size_t axis, size_t j, size_t t)
{
    double by = r->f[(r->start[axis] + j) * r->n + t] - r->base[t];
    return isfinite(by) ? fmin(fmax(by, -GPAI_FARTHEST_CHANGE), GPAI_FARTHEST_CHANGE)
                        : by;
}

/* What is not finite says nothing. */
static bool is_finite(const gpai_profile *r, size_t axis, size_t j)
{
    for (size_t t = 0; t < r->n; t++)
        if (!isfinite(change(r, axis, j, t)))
            return false;
    return true;
}

static void find_size(gpai_lines *l, const gpai_profile *r)
{
    for (size_t t = 0; t < l->n; t++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < l->warp.axes; i++)
            for (size_t j = 0; j < r->nodes[i]; j++)
                if (is_finite(r, i, j)) {
                    sum += change(r, i, j, t) * change(r, i, j, t);
                    count++;
                }
        l->size[t] = sum > 0 && isfinite(sum) ? sqrt(sum / count) : 1;
    }
}

/* The finite nodes of an axis by their place; how many have one of their own. */
static size_t sort_nodes(gpai_lines *l, const gpai_quantiles *q, const gpai_profile *r,
                         size_t axis)
{
    size_t count = 0;
    for (size_t j = 0; j < r->nodes[axis]; j++) {
        double u = gpai_norm_cdf(gpai_lines_z(q, axis, r->node[r->start[axis] + j]));
        size_t at = count;
        if (!is_finite(r, axis, j) || !(u > 1e-9 && u < 1 - 1e-9))
            continue;
        while (at > 0 && l->u[at - 1] >= u)
            at--;
        if ((at < count && l->u[at] - u < 1e-9) || (at > 0 && u - l->u[at - 1] < 1e-9))
            continue;
        for (size_t i = count++; i > at; i--) {
            l->u[i] = l->u[i - 1];
            l->order[i] = l->order[i - 1];
        }
        l->u[at] = u;
        l->order[at] = j;
    }
    return count;
}

static void tell(gpai_lines *l, const gpai_quantiles *q, const gpai_profile *r,
                 size_t axis)
{
    gpai_warp *w = &l->warp;
    size_t count = sort_nodes(l, q, r, axis), n = l->n;
    if (count < 2)
        return;
    for (size_t j = 0; j < count; j++) {
        l->step[j] = 0;
        for (size_t t = 0; t < n; t++) {
            l->value[j * n + t] = change(r, axis, l->order[j], t) / l->size[t];
            double gap = j > 0 ? l->value[j * n + t] - l->value[(j - 1) * n + t] : 0;
            l->step[j] += fabs(gap);
        }
        for (size_t e = 0; e < w->each; e++) {
            double *g = w->g + (axis * w->each + e) * (w->room + 2) + 1 + j;
            *g = 0;
            for (size_t t = e; t < n; t += w->each)
                *g += l->value[j * n + t] * (double)w->each / (double)n;
        }
    }
    gpai_warp_tell(w, axis, l->u, l->step + 1, count);
}

gpa_status gpai_lines_open(gpai_lines *l, const gpai_quantiles *q,
                           const gpai_profile *r, gpa_error *err)
{
    size_t room = 2;
    for (size_t i = 0; i < q->space->axes; i++)
        room = r->nodes[i] > room ? r->nodes[i] : room;
    *l = (gpai_lines){.n = r->n,
                      .warp = {.axes = q->space->axes,
                               .each = r->n <= GPAI_LINES_EACH ? r->n : 1,
                               .room = room}};
    l->block = gpai_carve(lay_out, l);
    if (l->block == NULL)
        return gpai_nomem(err, "marginals");
    gpai_warp_clear(&l->warp);
    find_size(l, r);
    for (size_t i = 0; i < l->warp.axes; i++)
        tell(l, q, r, i);
    return GPA_OK;
}

void gpai_lines_close(gpai_lines *l)
{
    gpai_free(l->block);
    *l = (gpai_lines){0};
}
