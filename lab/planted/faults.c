#include "lab/planted/faults.h"
#include "base/alloc.h"
#include "base/status.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpa_status find_kind(struct fault_set *s, const char *name, size_t *kind,
                            gpa_error *err)
{
    struct fault_kind *k = s->kinds;
    for (*kind = 0; *kind < s->n_kinds; (*kind)++)
        if (strcmp(k[*kind].name, name) == 0)
            return GPA_OK;
    if (s->n_kinds == FAULT_KINDS || strlen(name) >= sizeof k->name)
        return gpai_fail(err, GPA_DATA, "%.80s: kind '%.40s': %s", s->name, name,
                         s->n_kinds == FAULT_KINDS ? "too many kinds"
                                                   : "too long a name");
    memcpy(k[s->n_kinds++].name, name, strlen(name) + 1);
    return GPA_OK;
}

/* Room for a power of two of cases, doubled when it is full. */
static bool grow(struct fault_set *s)
{
    size_t n = s->n_faults;
    if ((n & (n - 1)) != 0)
        return true;
    struct fault *more = gpai_regrow(s->faults, n > 0 ? 2 * n : 1, sizeof *more);
    if (more == NULL)
        return false;
    s->faults = more;
    return true;
}

gpa_status faults_add(struct fault_set *s, const char *kind, size_t n,
                      struct fault **out, gpa_error *err)
{
    size_t k = 0;
    gpa_status st = find_kind(s, kind, &k, err);
    if (st != GPA_OK)
        return st;
    if (!grow(s))
        return gpai_nomem(err, "bench");
    struct fault *f = &s->faults[s->n_faults];
    *f = (struct fault){.kind = k, .n = n};
    f->x = gpai_calloc(n * s->d + 2 * n + s->d, sizeof *f->x);
    f->guilty = gpai_calloc(s->d, 1);
    if (f->x == NULL || f->guilty == NULL) {
        gpai_free(f->x);
        gpai_free(f->guilty);
        return gpai_nomem(err, "bench");
    }
    f->y = f->x + n * s->d;
    f->source = f->y + n;
    f->repair = f->source + n;
    s->n_faults++;
    s->kinds[k].cases++;
    s->kinds[k].rows = n;
    *out = f;
    return GPA_OK;
}

void faults_blame(struct fault_set *s, struct fault *f, size_t k)
{
    struct fault_kind *kind = &s->kinds[f->kind];
    f->culprits += f->guilty[k] == 0;
    f->guilty[k] = 1;
    if (f->culprits > kind->culprits)
        kind->culprits = f->culprits;
}

static void free_fault(struct fault *f)
{
    gpai_free(f->x);
    gpai_free(f->guilty);
}

void faults_limit(struct fault_set *s, size_t most)
{
    size_t kept = 0;
    for (size_t k = 0; k < s->n_kinds; k++)
        s->kinds[k].cases = 0;
    for (size_t i = 0; i < s->n_faults; i++) {
        struct fault *f = &s->faults[i];
        if (s->kinds[f->kind].cases == most) {
            free_fault(f);
            continue;
        }
        s->kinds[f->kind].cases++;
        s->faults[kept++] = *f;
    }
    s->n_faults = kept;
}

size_t faults_others(const struct fault_set *s, const struct fault *f, double *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        bool own = false;
        for (size_t t = 0; t < f->n; t++)
            own = own || s->row_number[i] == f->source[t];
        if (!own)
            memcpy(out + kept++ * s->d, s->rows + i * s->d, s->d * sizeof *out);
    }
    return kept;
}

size_t faults_opponent(const struct fault_kind *kinds, size_t n, size_t kind)
{
    for (size_t k = 0; k < n; k++)
        if (kinds[kind].culprits == 0 && kinds[k].culprits == 1 &&
            kinds[k].rows == kinds[kind].rows)
            return k;
    return n;
}

void faults_free(struct fault_set *s)
{
    for (size_t i = 0; i < s->n_faults; i++)
        free_fault(&s->faults[i]);
    gpai_free(s->faults);
    gpai_free(s->row_number);
    gpai_free(s->rows);
    gpai_free(s->unit);
    gpa_study_free(s->study);
    gpai_free(s->model_name);
    *s = (struct fault_set){0};
}
