#include "study/kinds/facts.h"
#include "base/alloc.h"
#include "base/status.h"
#include "study/kinds/parts.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Values are counted until there are more than a flag or steps could have, those that
 * break the rule included. Small whole numbers, which most such columns are made of,
 * have places of their own. */
enum { BLOCK = 512, SMALL = 128, BELOW_ZERO = 16, COUNTED = 64, MOST_COUNTED = 4096 };

struct counter {
    size_t small[2][SMALL]; /* two, as the next number is often the same */
    gpai_value *slot;       /* the others, by their bits; count 0: free */
    size_t n_slots, used, most;
    size_t rows; /* so many were counted */
    bool many;
};

bool gpai_whole(double v)
{
    static const double ROUND = 6755399441055744.0, MOST = 2147483648.0;
    return fabs(v) < MOST && (v + ROUND) - ROUND == v;
}

/* What can be said of a block of numbers without looking at each: no branches, so that
 * it takes little more than reading them. */
static void sum_up(gpai_facts *f, const double *v, size_t n)
{
    double min = f->min, max = f->max;
    size_t finite = 0, parts = 0, negative = 0;
    for (size_t i = 0; i < n; i++) {
        bool there = fabs(v[i]) <= DBL_MAX;
        min = v[i] < min && there ? v[i] : min;
        max = v[i] > max && there ? v[i] : max;
        finite += (size_t)there;
        parts += (size_t)(there & !gpai_whole(v[i]));
        negative += (size_t)(there & (v[i] < 0));
    }
    f->min = min;
    f->max = max;
    f->n += finite;
    f->parts += parts;
    f->negative += negative;
}

/* The bits of a double, well mixed. */
static size_t hash_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(bits ^ bits >> 29);
}

static void count_other(struct counter *c, double v)
{
    size_t i = hash_of(v) & (c->n_slots - 1);
    while (c->slot[i].count > 0 && c->slot[i].value != v)
        i = (i + 1) & (c->n_slots - 1);
    if (c->slot[i].count++ > 0)
        return;
    c->slot[i].value = v;
    c->many = ++c->used >= c->most;
}

static void count(struct counter *c, const double *v, size_t n)
{
    for (size_t i = 0; i < n && !c->many; i++) {
        if (!(fabs(v[i]) <= DBL_MAX))
            continue;
        c->rows++;
        int small =
            v[i] >= -BELOW_ZERO && v[i] < SMALL - BELOW_ZERO ? (int)v[i] : SMALL;
        if ((double)small == v[i])
            c->small[i & 1][small + BELOW_ZERO]++;
        else
            count_other(c, v[i]);
    }
}

/* The next numbers side by side; NaN in place of `skip`. */
static const double *gather(const gpai_kind_column *c, size_t from, size_t n,
                            double skip, double *room)
{
    size_t step = c->stride > 1 ? c->stride : 1;
    const double *at = c->value + from * step;
    if (step == 1 && isnan(skip))
        return at;
    for (size_t i = 0; i < n; i++)
        room[i] = at[i * step] == skip ? (double)NAN : at[i * step];
    return room;
}

static int ascending(const void *a, const void *b)
{
    double x = ((const gpai_value *)a)->value, y = ((const gpai_value *)b)->value;
    return x < y ? -1 : x > y;
}

/* What was counted, in order; what is 1 there again was no repetition. */
static void list(gpai_facts *f, const struct counter *c)
{
    f->m = 0;
    for (int i = 0; i < SMALL; i++) {
        size_t times = c->small[0][i] + c->small[1][i];
        if (times > 0)
            f->list[f->m++] = (gpai_value){i - BELOW_ZERO, times};
    }
    for (size_t i = 0; i < c->n_slots; i++)
        if (c->slot[i].count > 0)
            f->list[f->m++] = c->slot[i];
    qsort(f->list, f->m, sizeof *f->list, ascending);
    f->repeats = c->rows - f->m;
}

gpa_status gpai_facts_find(gpai_facts *f, const gpai_kind_column *column, size_t n,
                           double skip, gpa_error *err)
{
    double room[BLOCK];
    struct counter c = {.most = COUNTED + gpai_kinds_tolerated(n)};
    gpa_status st = GPA_OK;
    *f = (gpai_facts){.min = (double)INFINITY, .max = -(double)INFINITY};
    c.most = c.most < MOST_COUNTED ? c.most : MOST_COUNTED;
    for (c.n_slots = 2 * COUNTED; c.n_slots < 2 * c.most;)
        c.n_slots *= 2;
    c.slot = gpai_calloc(c.n_slots, sizeof *c.slot);
    f->list = gpai_calloc(SMALL + c.most, sizeof *f->list);
    if (c.slot == NULL || f->list == NULL) {
        st = gpai_nomem(err, "kinds");
        goto done;
    }
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t rows = n - i < BLOCK ? n - i : BLOCK;
        const double *v = gather(column, i, rows, skip, room);
        sum_up(f, v, rows);
        count(&c, v, rows);
    }
    list(f, &c);
done:
    gpai_free(c.slot);
    if (c.many || st != GPA_OK)
        gpai_facts_free(f);
    return st;
}

void gpai_facts_free(gpai_facts *f)
{
    gpai_free(f->list);
    f->list = NULL;
}
