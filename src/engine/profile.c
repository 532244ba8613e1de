#include "engine/profile.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "engine/ask.h"
#include <math.h>
#include <string.h>

/* Of a node. */
enum { WANTED, PUT_OFF, KNOWN };

static void lay_out(void *work, gpai_arena *a)
{
    gpai_profile *r = work;
    r->base = gpai_take(a, r->n, 1);
    r->node = gpai_take(a, r->room, 1);
    r->f = gpai_take(a, r->room, r->n);
    r->zero = gpai_take(a, r->d, 1);
    r->start = gpai_take_bytes(a, r->axes, sizeof *r->start);
    r->nodes = gpai_take_bytes(a, r->axes, sizeof *r->nodes);
    r->state = gpai_take_bytes(a, r->room, sizeof *r->state);
}

gpa_status gpai_profile_open(gpai_profile *r, const gpai_problem *p,
                             const gpai_space *s, size_t room, gpa_error *err)
{
    *r = (gpai_profile){.axes = s->axes, .n = p->n, .d = s->d, .room = room};
    r->block = gpai_carve(lay_out, r);
    return r->block != NULL ? GPA_OK : gpai_nomem(err, "profile");
}

void gpai_profile_close(gpai_profile *r)
{
    gpai_free(r->block);
    *r = (gpai_profile){0};
}

/* The value at which the rows are as they were; NaN: there is none. */
static double unmoved(const gpai_axis *a)
{
    if (a->gap)
        return (double)NAN;
    return a->kind == GPAI_AXIS_CHOICE ? (double)a->now : 0;
}

void gpai_profile_plan(gpai_profile *r, const gpai_space *s, size_t axis, double *value,
                       size_t count)
{
    const gpai_axis *a = &s->axis[axis];
    double zero = unmoved(a);
    size_t own = a->gap ? 0 : 1, before = 0;
    count = gpai_sorted_distinct(value, count, zero);
    if (r->nodes[axis] < count + own) { /* else they fit where the old ones were */
        r->start[axis] = r->used;
        r->used += count + own;
    }
    r->nodes[axis] = count + own;
    double *to = r->node + r->start[axis];
    while (before < count && !(value[before] >= zero))
        before++;
    memcpy(to, value, before * sizeof *to);
    if (own == 1)
        to[before] = zero;
    memcpy(to + before + own, value + before, (count - before) * sizeof *to);
    memset(r->state + r->start[axis], WANTED, count + own);
}

void gpai_profile_put_off(gpai_profile *r, const gpai_space *s, size_t axis)
{
    double zero = unmoved(&s->axis[axis]);
    const double *node = r->node + r->start[axis];
    unsigned char *state = r->state + r->start[axis];
    size_t nodes = r->nodes[axis], middle = 0;
    while (middle < nodes && !(node[middle] >= zero))
        middle++;
    for (size_t j = 1; j < middle; j += 2)
        state[j] = PUT_OFF;
    for (size_t j = 1; j + middle + 1 < nodes; j += 2)
        state[nodes - 1 - j] = PUT_OFF;
}

/* Whether f of all rows is the same at two nodes. */
static bool is_same(const gpai_profile *r, size_t a, size_t b)
{
    size_t n = r->n, same = 0;
    for (size_t t = 0; t < n; t++)
        same += r->f[a * n + t] == r->f[b * n + t] ? 1 : 0;
    return same == n;
}

size_t gpai_profile_settle(gpai_profile *r, size_t axis)
{
    size_t n = r->n, left = 0, first = r->start[axis], end = first + r->nodes[axis];
    for (size_t j = first + 1; j + 1 < end; j++) {
        if (r->state[j] != PUT_OFF)
            continue;
        bool still = is_same(r, j - 1, j + 1); /* no two in turn are put off */
        r->state[j] = still ? KNOWN : WANTED;
        left += still ? 0 : 1;
        if (still)
            memcpy(r->f + j * n, r->f + (j - 1) * n, n * sizeof *r->f);
    }
    return left;
}

static gpa_status check_base(const gpai_profile *r, gpa_error *err)
{
    for (size_t t = 0; t < r->n; t++)
        if (!isfinite(r->base[t]))
            return gpai_fail(err, GPA_NUMERIC,
                             "profile: the model's prediction of row %zu is not finite",
                             t + 1);
    return GPA_OK;
}

/* Puts the answers, n numbers per asked node in turn, where their nodes are. */
static void sort_in(gpai_profile *r, const gpai_space *s, const size_t *axis,
                    size_t axes, const double *answer)
{
    size_t n = r->n;
    for (size_t i = 0; i < axes; i++) {
        double zero = unmoved(&s->axis[axis[i]]);
        for (size_t j = 0; j < r->nodes[axis[i]]; j++) {
            size_t node = r->start[axis[i]] + j;
            bool asked = r->node[node] != zero;
            if (r->state[node] != WANTED)
                continue;
            memcpy(r->f + node * n, asked ? answer : r->base, n * sizeof *answer);
            r->state[node] = KNOWN;
            answer += asked ? n : 0;
        }
    }
}

/* Whether a call asks a node. */
static bool is_asked(const gpai_profile *r, const gpai_space *s, size_t axis,
                     size_t node)
{
    return r->state[node] == WANTED && r->node[node] != unmoved(&s->axis[axis]);
}

/* Every node that is asked: each axis may have a number of its own. */
static void list_probes(const gpai_profile *r, const gpai_space *s, const size_t *axis,
                        size_t axes, gpai_probe *probe)
{
    for (size_t i = 0; i < axes; i++)
        for (size_t j = 0; j < r->nodes[axis[i]]; j++) {
            size_t node = r->start[axis[i]] + j;
            if (is_asked(r, s, axis[i], node))
                *probe++ = (gpai_probe){.axis = axis[i], .value = r->node[node]};
        }
}

static size_t count_probes(const gpai_profile *r, const gpai_space *s,
                           const size_t *axis, size_t axes)
{
    size_t count = 0;
    for (size_t i = 0; i < axes; i++)
        for (size_t j = 0; j < r->nodes[axis[i]]; j++)
            count += is_asked(r, s, axis[i], r->start[axis[i]] + j) ? 1 : 0;
    return count;
}

gpa_status gpai_profile_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const size_t *axis, size_t axes, const double *known,
                            gpa_error *err)
{
    size_t n = r->n, points = count_probes(r, s, axis, axes);
    bool with_base = !r->started && known == NULL;
    if (!r->started && known != NULL)
        memcpy(r->base, known, n * sizeof *known);
    r->started = true;
    gpa_status st = GPA_OK;
    /* fits: it is no more than the profile itself holds */
    size_t also = r->n_also, all = points + also;
    double *answer = gpai_calloc((all + 1) * n, sizeof *answer);
    gpai_probe *probe = gpai_calloc(all, sizeof *probe);
    if (answer == NULL || probe == NULL) {
        st = gpai_nomem(err, "profile");
        goto done;
    }
    list_probes(r, s, axis, axes, probe);
    if (also > 0)
        memcpy(probe + points, r->also, also * sizeof *probe);
    if (all > 0 || with_base) {
        st = gpai_predict_probes(p, s, r->zero, probe, all, with_base, answer, err);
        r->rows += (all + with_base) * n;
    }
    if (st != GPA_OK)
        goto done;
    if (with_base)
        memcpy(r->base, answer, n * sizeof *answer);
    st = check_base(r, err);
    if (st == GPA_OK)
        sort_in(r, s, axis, axes, answer + (with_base ? n : 0));
    if (also > 0)
        memcpy(r->also_f, answer + (points + with_base) * n, also * n * sizeof *answer);
    r->n_also = 0;
done:
    gpai_free(probe);
    gpai_free(answer);
    return st;
}

void gpai_profile_places(const gpai_profile *r, size_t axis, const double *value,
                         size_t count, gpai_place *place)
{
    const double *node = r->node + r->start[axis];
    size_t last = r->nodes[axis] - 1, left = 0;
    for (size_t i = 0; i < count; i++) {
        while (left + 1 < last && node[left + 1] < value[i])
            left++;
        double t = 0; /* stays so when the axis has only one node */
        if (last > 0)
            t = (value[i] - node[left]) / (node[left + 1] - node[left]);
        place[i] = (gpai_place){left, t > 0 ? t < 1 ? t : 1 : 0};
    }
}

void gpai_profile_change(const gpai_profile *r, size_t axis, size_t t,
                         const gpai_place *place, size_t count, double *change)
{
    const double *f = r->f + r->start[axis] * r->n + t;
    double base = r->base[t];
    for (size_t i = 0; i < count; i++) {
        const double *left = f + place[i].left * r->n, *right = left + r->n;
        double at = place[i].t;
        if (at <= 0) /* at a node, only that node matters */
            change[i] = *left - base;
        else if (at >= 1)
            change[i] = *right - base;
        else
            change[i] = (*left - base) * (1 - at) + (*right - base) * at;
    }
}

void gpai_profile_range(const gpai_profile *r, size_t axis, size_t t,
                        const gpai_place *left, const gpai_place *right,
                        const double at[2], double *middle, double *half)
{
    const double *f = r->f + r->start[axis] * r->n + t;
    double low = at[0] < at[1] ? at[0] : at[1], high = at[0] < at[1] ? at[1] : at[0];
    double all = at[0] + at[1];
    for (size_t j = left->left + 1; j <= right->left; j++) {
        double u = f[j * r->n] - r->base[t];
        low = u < low ? u : low;
        high = u > high ? u : high;
        all += u;
    }
    /* a comparison with what is no number is false */
    bool known = high - low < GPAI_FARTHEST_CHANGE && fabs(all) < GPAI_FARTHEST_CHANGE;
    *middle = known ? 0.5 * (low + high) : (double)NAN;
    *half = 0.5 * (at[0] < at[1] ? high - low : low - high);
}

size_t gpai_profile_lost(const gpai_profile *r, size_t axis, double range[2])
{
    const double *f = r->f + r->start[axis] * r->n, *node = r->node + r->start[axis];
    size_t lost = 0;
    for (size_t j = 0; j < r->nodes[axis]; j++) {
        size_t t = 0;
        while (t < r->n && isfinite(f[j * r->n + t]))
            t++;
        if (t == r->n)
            continue;
        range[0] = lost == 0 ? node[j] : range[0];
        range[1] = node[j];
        lost++;
    }
    return lost;
}

double gpai_profile_reach(const gpai_profile *r, size_t axis, size_t t)
{
    const double *f = r->f + r->start[axis] * r->n + t;
    double reach = 0;
    for (size_t j = 0; j < r->nodes[axis]; j++) {
        double change = fabs(f[j * r->n] - r->base[t]);
        if (isfinite(change) && change > reach)
            reach = change;
    }
    return reach;
}
