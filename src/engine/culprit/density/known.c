#include "engine/culprit/density/known.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "engine/culprit/density/witness.h"
#include <math.h>
#include <pthread.h>
#include <string.h>

/* Rows of a table mostly have the same axes; gaps and categories that only some are in
 * make others. */
enum { CROWDS = 8 };

struct remembered {
    gpai_axis *axis; /* as they were; only what does not belong to a row is compared */
    size_t axes;
    bool joint;
    gpai_crowd crowd;
};

struct gpai_known {
    pthread_mutex_t lock;
    gpai_plausible_rows rows;
    size_t d;
    struct remembered crowd[CROWDS];
    size_t crowds;
    double spread;
    bool spread_known;
};

gpa_status gpai_known_new(gpai_known **out, gpa_error *err)
{
    *out = gpai_calloc(1, sizeof **out);
    if (*out == NULL)
        return gpai_nomem(err, "explain");
    pthread_mutex_init(&(*out)->lock, NULL); /* cannot fail without attributes */
    return GPA_OK;
}

void gpai_known_free(gpai_known *k)
{
    if (k == NULL)
        return;
    for (size_t i = 0; i < k->crowds; i++) {
        gpai_crowd_close(&k->crowd[i].crowd);
        gpai_free(k->crowd[i].axis);
    }
    gpai_free(k->rows.x);
    pthread_mutex_destroy(&k->lock);
    gpai_free(k);
}

static double median_of(const double *x, size_t n, size_t d, double missing,
                        double *column)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i * d]) && x[i * d] != missing)
            column[count++] = x[i * d];
    if (count < GPAI_CROWD_LEAST)
        return (double)NAN;
    gpai_sort(column, count);
    return gpai_sorted_median(column, count);
}

void gpai_medians(const double *x, size_t n, size_t d, const gpa_input *inputs,
                  double *column, double *median)
{
    for (size_t k = 0; k < d; k++)
        median[k] = median_of(x + k, n, d,
                              inputs != NULL ? inputs[k].missing : (double)NAN, column);
}

static bool is_among(size_t row, const size_t *own, size_t n_own)
{
    for (size_t t = 0; t < n_own; t++)
        if (own[t] == row)
            return true;
    return false;
}

size_t gpai_other_rows(size_t n, const size_t *own, size_t n_own,
                       size_t rows[GPAI_CROWD_MOST])
{
    bool many = n > GPAI_CROWD_MOST && n_own > 1;
    size_t most = n > GPAI_CROWD_MOST ? GPAI_CROWD_MOST : n, kept = 0;
    for (size_t i = 0; i < most; i++) {
        size_t row = i * n / most;
        for (size_t tried = 0; many && tried < n && is_among(row, own, n_own); tried++)
            row = (row + 1) % n;
        if (!is_among(row, own, n_own))
            rows[kept++] = row;
    }
    return kept;
}

static void take_rows(gpai_known *k, const gpa_sample *from, const gpa_input *inputs,
                      bool every)
{
    gpai_plausible_rows *to = &k->rows;
    size_t d = from->d, n = gpai_other_rows(from->n, NULL, 0, to->row);
    if (!every) {
        n = gpai_witnesses(from, inputs, to->row, n);
        n = gpai_witness_distinct(from, inputs, to->row, n);
    }
    double *block = gpai_calloc(n + 2, (d > n ? d : n) * sizeof *block);
    double *x = gpai_calloc(n + 1, d * sizeof *x);
    if (block != NULL && x != NULL) {
        for (size_t i = 0; i < n; i++)
            memcpy(x + i * d, from->x + to->row[i] * d, d * sizeof *x);
        gpai_medians(x, n, d, inputs, block, x + n * d);
        to->n = n;
        to->x = x;
        to->median = x + n * d;
        k->d = d;
        x = NULL;
    }
    gpai_free(x);
    gpai_free(block);
}

const gpai_plausible_rows *gpai_known_rows(gpai_known *k, const gpa_sample *from,
                                           const gpa_input *inputs, bool every)
{
    pthread_mutex_lock(&k->lock);
    if (k->rows.x == NULL)
        take_rows(k, from, inputs, every);
    bool there = k->rows.x != NULL;
    pthread_mutex_unlock(&k->lock);
    return there ? &k->rows : NULL;
}

/* What a density knows of an axis. */
static bool same_axis(const gpai_axis *a, const gpai_axis *b)
{
    return a->kind == b->kind && a->input == b->input && a->in == b->in &&
           a->gap == b->gap && a->levels == b->levels && a->members == b->members;
}

static const gpai_crowd *find_crowd(const gpai_known *k, const gpai_space *s,
                                    bool joint)
{
    for (size_t i = 0; i < k->crowds; i++) {
        const struct remembered *r = &k->crowd[i];
        size_t j = 0;
        while (j < s->axes && r->axes == s->axes && same_axis(&r->axis[j], &s->axis[j]))
            j++;
        if (j == s->axes && r->axes == s->axes && r->joint == joint)
            return &r->crowd;
    }
    return NULL;
}

static const gpai_crowd *add_crowd(gpai_known *k, const gpai_space *s,
                                   const double *unit, bool joint)
{
    struct remembered *r = &k->crowd[k->crowds];
    *r = (struct remembered){.axes = s->axes, .joint = joint};
    r->axis = gpai_calloc(s->axes > 0 ? s->axes : 1, sizeof *r->axis);
    if (r->axis == NULL)
        return NULL;
    memcpy(r->axis, s->axis, s->axes * sizeof *r->axis);
    if (gpai_crowd_open(&r->crowd, s, unit, k->rows.x, k->rows.n, joint, NULL) !=
        GPA_OK) { /* whoever asked will find out why */
        gpai_free(r->axis);
        return NULL;
    }
    k->crowds++;
    return &r->crowd;
}

const gpai_crowd *gpai_known_crowd(gpai_known *k, const gpai_space *s,
                                   const double *unit, bool joint)
{
    pthread_mutex_lock(&k->lock);
    const gpai_crowd *c = find_crowd(k, s, joint);
    if (c == NULL && k->crowds < CROWDS)
        c = add_crowd(k, s, unit, joint);
    pthread_mutex_unlock(&k->lock);
    return c;
}

double gpai_known_spread(gpai_known *k, const gpa_sample *from, bool every)
{
    pthread_mutex_lock(&k->lock);
    if (!k->spread_known)
        k->spread = gpai_witness_spread(from, every);
    k->spread_known = true;
    double spread = k->spread;
    pthread_mutex_unlock(&k->lock);
    return spread;
}
