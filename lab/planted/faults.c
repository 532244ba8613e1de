#include "lab/planted/faults.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

size_t faults_find_kind(const struct fault_kind *kinds, size_t n, const char *name)
{
    size_t k = 0;
    while (k < n && strcmp(kinds[k].name, name) != 0)
        k++;
    return k;
}

gpa_status faults_add(struct fault_set *s, const char *kind, size_t n,
                      struct fault **out, gpa_error *err)
{
    size_t k = faults_find_kind(s->kinds, s->n_kinds, kind);
    if (k == FAULT_KINDS || strlen(kind) >= sizeof s->kinds->name)
        return gpai_fail(err, GPA_DATA, "%.80s: kind '%.40s': %s", s->name, kind,
                         k == FAULT_KINDS ? "too many kinds" : "too long a name");
    if (!gpai_grow(&s->faults, &s->room, s->n_faults + 1, sizeof *s->faults))
        return gpai_nomem(err, "bench");
    struct fault *f = &s->faults[s->n_faults];
    size_t numbers = n * s->d + 2 * n + s->d;
    *f = (struct fault){.kind = k, .n = n};
    f->x = gpai_calloc(1, numbers * sizeof *f->x + s->d); /* what is read has as many */
    if (f->x == NULL)
        return gpai_nomem(err, "bench");
    f->guilty = (unsigned char *)(f->x + numbers);
    f->y = f->x + n * s->d;
    f->source = f->y + n;
    f->repair = f->source + n;
    s->n_faults++;
    if (k == s->n_kinds)
        memcpy(s->kinds[s->n_kinds++].name, kind, strlen(kind) + 1);
    s->kinds[k].cases++;
    s->kinds[k].rows = n;
    *out = f;
    return GPA_OK;
}

gpa_status faults_inputs(struct fault_set *s, gpa_error *err)
{
    s->unit = gpai_calloc(s->d, sizeof *s->unit);
    s->numbers = gpai_calloc(s->d, sizeof *s->numbers);
    s->axis = gpai_calloc(s->d, sizeof *s->axis);
    s->habits = gpai_calloc(s->d, sizeof *s->habits);
    s->spread = (double)NAN;
    if (s->unit == NULL || s->numbers == NULL || s->axis == NULL || s->habits == NULL)
        return gpai_nomem(err, "bench");
    faults_kinds(s, NULL, NULL);
    return GPA_OK;
}

void faults_kinds(struct fault_set *s, const gpa_input *inputs, const size_t *group)
{
    const double none = (double)NAN;
    s->inputs = inputs;
    for (size_t k = 0; k < s->d; k++) {
        bool text = inputs != NULL && inputs[k].writing == GPA_WRITING_LEVEL;
        s->numbers[k] =
            text ? inputs[k] : (gpa_input){.low = none, .high = none, .missing = none};
        size_t own = group != NULL ? group[k] : inputs != NULL ? inputs[k].group : 0;
        s->axis[k] = k;
        for (size_t j = 0; j < k && own != 0 && s->axis[k] == k; j++)
            if ((group != NULL ? group[j] : inputs[j].group) == own)
                s->axis[k] = j;
    }
}

static struct habit learn_habit(const struct fault_set *s, size_t k)
{
    struct habit h = {true, true, true, {(double)INFINITY, -(double)INFINITY}};
    for (size_t pass = 0; pass < 2; pass++) /* the ends are known in the second */
        for (size_t i = 0; i < s->n_rows; i++) {
            double v = s->rows[i * s->d + k];
            if (isnan(v))
                continue;
            h.value[0] = fmin(h.value[0], v);
            h.value[1] = fmax(h.value[1], v);
            h.never_negative = h.never_negative && v >= 0;
            h.whole = h.whole && v == floor(v);
            if (pass == 1)
                h.two_values = h.two_values && (v == h.value[0] || v == h.value[1]);
        }
    return h;
}

gpa_status faults_learn(struct fault_set *s, gpa_error *err)
{
    double sum = 0, square = 0, n = 0;
    double *f = gpai_calloc(s->n_rows, sizeof *f);
    if (f == NULL)
        return gpai_nomem(err, "bench");
    for (size_t k = 0; k < s->d; k++)
        s->habits[k] = learn_habit(s, k);
    gpa_status st = gpa_model_predict(s->model, s->rows, s->n_rows, f, err);
    for (int pass = 0; pass < 2; pass++) /* the mean is known in the second */
        for (size_t i = 0; st == GPA_OK && i < s->n_rows; i++) {
            if (!isfinite(f[i]))
                continue;
            n += pass == 0;
            sum += pass == 0 ? f[i] : 0;
            square += pass == 1 ? pow(f[i] - sum / n, 2) : 0;
        }
    s->spread = n > 1 ? sqrt(square / n) : (double)NAN;
    gpai_free(f);
    return st;
}

bool faults_impossible(const struct fault_set *s, size_t k, double value)
{
    enum { LEAST = 20 }; /* rows that show a habit */
    const struct habit *h = &s->habits[k];
    return s->n_rows >= LEAST &&
           ((h->never_negative && value < 0) || (h->whole && value != floor(value)) ||
            (h->two_values && value != h->value[0] && value != h->value[1]));
}

void faults_blame(struct fault_set *s, struct fault *f, size_t k)
{
    struct fault_kind *kind = &s->kinds[f->kind];
    k = s->axis[k];
    f->culprits += f->guilty[k] == 0;
    f->guilty[k] = 1;
    if (f->culprits > kind->culprits)
        kind->culprits = f->culprits;
}

void faults_limit(struct fault_set *s, size_t most)
{
    size_t kept = 0;
    for (size_t k = 0; k < s->n_kinds; k++)
        s->kinds[k].cases = 0;
    for (size_t i = 0; i < s->n_faults; i++) {
        struct fault *f = &s->faults[i];
        if (s->kinds[f->kind].cases == most) {
            gpai_free(f->x);
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
        gpai_free(s->faults[i].x);
    gpai_free(s->faults);
    gpai_free(s->row_number);
    gpai_free(s->rows);
    gpai_free(s->unit);
    gpai_kinds_close(&s->known);
    gpai_free(s->numbers);
    gpai_free(s->axis);
    gpai_free(s->habits);
    gpa_study_free(s->study);
    gpai_free(s->model_name);
    *s = (struct fault_set){0};
}
