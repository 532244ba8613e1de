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
 * break the rule included. Whole numbers near the first one, which most such columns
 * are made of, have places of their own. */
enum {
    BLOCK = 512,
    CHUNK = 8,
    NEAR = 256,
    LANES = 4,
    COUNTED = 64,
    MOST_COUNTED = 4096
};

struct counter {
    double base;              /* of the near ones: what the first place is for */
    size_t near[LANES][NEAR]; /* several, as the next number is often the same */
    gpai_value *slot;         /* the others, by their bits; count 0: free */
    size_t n_slots, used, most;
    bool begun, many;
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

/* The bits of a double. */
static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static void count_other(struct counter *c, double v)
{
    if (!(fabs(v) <= DBL_MAX))
        return;
    uint64_t mixed = bits_of(v) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(mixed ^ mixed >> 29) & (c->n_slots - 1);
    while (c->slot[i].count > 0 && c->slot[i].value != v)
        i = (i + 1) & (c->n_slots - 1);
    if (c->slot[i].count++ > 0)
        return;
    c->slot[i].value = v;
    c->many = ++c->used >= c->most;
}

static void begin(struct counter *c, const double *v, size_t n)
{
    for (size_t i = 0; i < n && !c->begun; i++)
        if (gpai_whole(v[i])) {
            c->base = v[i] - NEAR / 2;
            c->begun = true;
        }
}

/* Counts numbers as long as they are near; gives the first that is not. Adding 2^52
 * leaves the place in the lowest bits; what is negative, large or no number has other
 * ones. */
static size_t count_near(struct counter *c, const double *v, size_t i, size_t n)
{
    static const double SHIFT = 0x1p52;
    const double base = c->base;
    const uint64_t zero = bits_of(SHIFT);
    for (; i < n; i++) {
        double shifted = v[i] - base + SHIFT;
        uint64_t place = bits_of(shifted) - zero;
        if (place >= NEAR || shifted - SHIFT + base != v[i])
            break;
        c->near[i % LANES][place]++;
    }
    return i;
}

/* How many of 8 numbers are 1; `odd` becomes other than 0 when one is neither 0 nor 1.
 * The lowest bit of the exponent tells these two apart. */
static uint64_t count_ones(const double *v, uint64_t *odd)
{
    const uint64_t one = bits_of(1);
    uint64_t ones = 0, differ = 0;
    for (int j = 0; j < CHUNK; j++) {
        uint64_t bits = bits_of(v[j]), bit = bits >> 52 & 1;
        ones += bit;
        differ |= bits ^ (one & (0 - bit));
    }
    *odd |= differ;
    return ones;
}

/* A block of nothing but 0 and 1, the most frequent sort of all; false: it is not. */
static bool count_flags(struct counter *c, const double *v, size_t n)
{
    uint64_t odd = 0, ones = 0;
    if (n % CHUNK > 0 || c->base > 0 || c->base + NEAR <= 1)
        return false;
    for (size_t i = 0; i < n && odd == 0; i += CHUNK)
        ones += count_ones(v + i, &odd);
    if (odd != 0)
        return false;
    c->near[0][(size_t)(1 - c->base)] += ones;
    c->near[0][(size_t)(0 - c->base)] += n - ones;
    return true;
}

static void count(struct counter *c, const double *v, size_t n)
{
    if (!c->begun)
        begin(c, v, n);
    if (count_flags(c, v, n))
        return;
    for (size_t i = 0; i < n && !c->many; i++) {
        i = count_near(c, v, i, n);
        if (i < n)
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

/* What was counted, in order. */
static void list(gpai_facts *f, const struct counter *c)
{
    size_t rows = 0;
    for (unsigned i = 0; i < NEAR; i++) {
        size_t times = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            times += c->near[lane][i];
        if (times > 0)
            f->list[f->m++] = (gpai_value){c->base + i, times};
    }
    for (size_t i = 0; i < c->n_slots; i++)
        if (c->slot[i].count > 0)
            f->list[f->m++] = c->slot[i];
    if (!c->many)
        qsort(f->list, f->m, sizeof *f->list, ascending);
    for (size_t l = 0; l < f->m; l++)
        rows += f->list[l].count;
    f->repeats = rows - f->m;
}

/* What sum_up says, from the list. */
static void sum_list(gpai_facts *f)
{
    for (size_t l = 0; l < f->m; l++) {
        const gpai_value *v = &f->list[l];
        f->n += v->count;
        f->parts += gpai_whole(v->value) ? 0 : v->count;
        f->negative += v->value < 0 ? v->count : 0;
    }
    if (f->m > 0) {
        f->min = f->list[0].value;
        f->max = f->list[f->m - 1].value;
    }
}

static gpa_status make_room(gpai_facts *f, struct counter *c, size_t n, gpa_error *err)
{
    size_t most = COUNTED + gpai_kinds_tolerated(n);
    c->most = most < MOST_COUNTED ? most : MOST_COUNTED;
    for (c->n_slots = 2 * COUNTED; c->n_slots < 2 * c->most;)
        c->n_slots *= 2;
    c->slot = gpai_calloc(c->n_slots, sizeof *c->slot);
    f->list = gpai_calloc(NEAR + c->most, sizeof *f->list);
    return c->slot == NULL || f->list == NULL ? gpai_nomem(err, "kinds") : GPA_OK;
}

gpa_status gpai_facts_find(gpai_facts *f, const gpai_kind_column *column, size_t n,
                           double skip, gpa_error *err)
{
    double room[BLOCK];
    struct counter c = {.base = 0};
    *f = (gpai_facts){.min = (double)INFINITY, .max = -(double)INFINITY};
    gpa_status st = make_room(f, &c, n, err);
    if (st != GPA_OK)
        goto done;
    for (size_t i = 0; i < n && !c.many; i += BLOCK) {
        size_t rows = n - i < BLOCK ? n - i : BLOCK;
        count(&c, gather(column, i, rows, skip, room), rows);
    }
    list(f, &c);
    if (!c.many)
        sum_list(f);
    for (size_t i = 0; i < n && c.many; i += BLOCK) {
        size_t rows = n - i < BLOCK ? n - i : BLOCK;
        sum_up(f, gather(column, i, rows, skip, room), rows);
    }
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
