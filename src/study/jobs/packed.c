#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "result/explanation.h"
#include <gpa/saved.h>
#include <stdint.h>
#include <string.h>

/* Bytes on their way, all in steps of eight; one walk over an explanation both writes
 * and reads. When it reads, arrays stay where they are. */
struct pack {
    gpa_text *out; /* NULL: it reads */
    const char *in;
    size_t at, size;
    bool bad; /* more is wanted than there is, or (nomem) memory */
    bool nomem;
};

enum { STEP = 8 };

/* So many bytes, padded; NULL when reading and they are not there. */
static const char *pass(struct pack *p, const void *from, size_t n, size_t size)
{
    static const char zeros[STEP] = {0};
    const char *here = p->in + p->at;
    if (p->out != NULL) {
        gpai_text_bytes(p->out, from, n * size);
        gpai_text_bytes(p->out, zeros, -(n * size) % STEP);
        return NULL;
    }
    p->bad = p->bad || n > (p->size - p->at) / size;
    if (p->bad)
        return NULL;
    size_t used = n * size + -(n * size) % STEP;
    p->bad = used > p->size - p->at;
    p->at += p->bad ? 0 : used;
    return p->bad ? NULL : here;
}

/* A structure as it stands; its truths, at these places, can be nothing but 0 and 1. */
static void plain(struct pack *p, void *what, size_t size, const size_t *truths,
                  size_t n_truths)
{
    const char *from = pass(p, what, 1, size);
    for (size_t i = 0; from != NULL && i < n_truths; i++)
        p->bad = p->bad || (unsigned char)from[truths[i]] > 1;
    if (from != NULL && !p->bad)
        memcpy(what, from, size);
}

/* An array that may be missing; `slot` is the pointer to it. */
static void array(struct pack *p, void *slot, size_t n, size_t size)
{
    const void *at;
    memcpy(&at, slot, sizeof at);
    uint64_t there = at != NULL;
    plain(p, &there, sizeof there, NULL, 0);
    if (there == 0 || p->bad)
        at = NULL;
    else if (p->out != NULL)
        (void)pass(p, at, n, size);
    else
        at = pass(p, NULL, n, size);
    if (p->out == NULL)
        memcpy(slot, &at, sizeof at);
}

static void numbers(struct pack *p, void *slot, size_t n)
{
    array(p, slot, n, sizeof(double));
}

/* What has no arrays. */
struct fixed {
    uint64_t layout;
    size_t n, d, n_notes, culprit_notes[2], n_far;
    gpa_summary summary;
    gpa_culprit culprit;
    bool stepped, has_marginals, has_culprit, has_alone, has_axes;
    gpa_stage stage;
    char notes[GPAI_NOTES][GPAI_NOTE_SIZE];
};

/* Other machines and versions have another. */
static uint64_t layout(void)
{
    return (uint64_t)sizeof(struct fixed) << 40 | (uint64_t)sizeof(gpa_marginal) << 24 |
           (uint64_t)sizeof(gpa_alone) << 16 | (uint64_t)sizeof(gpa_axis) << 8 | 1;
}

static void forget_arrays(gpa_culprit *c)
{
    c->probability = c->single = c->median = NULL;
    c->low = c->high = c->responsible = NULL;
    c->set90 = NULL;
    for (size_t i = 0; i < sizeof c->evidence / sizeof c->evidence[0]; i++)
        c->evidence[i] = NULL;
}

static void fixed(struct pack *p, gpa_explanation *e)
{
    static const size_t TRUTHS[] = {offsetof(struct fixed, summary.converged),
                                    offsetof(struct fixed, summary.budget_hit),
                                    offsetof(struct fixed, summary.marginals_still),
                                    offsetof(struct fixed, culprit.exchanged),
                                    offsetof(struct fixed, stepped),
                                    offsetof(struct fixed, has_marginals),
                                    offsetof(struct fixed, has_culprit),
                                    offsetof(struct fixed, has_alone),
                                    offsetof(struct fixed, has_axes)};
    struct fixed f;
    memset(&f, 0, sizeof f);
    f.layout = layout();
    f.n = e->n;
    f.d = e->d;
    f.n_notes = e->n_notes;
    memcpy(f.culprit_notes, e->culprit_notes, sizeof f.culprit_notes);
    f.n_far = e->n_far;
    f.summary = e->summary;
    f.culprit = e->culprit;
    forget_arrays(&f.culprit);
    f.stepped = e->stepped;
    f.stage = e->stage;
    f.has_marginals = e->marginals != NULL;
    f.has_culprit = e->culprit_numbers != NULL;
    f.has_alone = e->alone != NULL;
    f.has_axes = e->axes != NULL;
    memcpy(f.notes, e->notes, sizeof f.notes);
    plain(p, &f, sizeof f, TRUTHS, sizeof TRUTHS / sizeof TRUTHS[0]);
    p->bad = p->bad || f.layout != layout() || f.n_notes > GPAI_NOTES ||
             f.culprit_notes[0] > f.n_notes || f.culprit_notes[1] > f.n_notes;
    if (p->out != NULL || p->bad)
        return;
    e->n = f.n;
    e->d = f.d;
    e->n_notes = f.n_notes;
    memcpy(e->culprit_notes, f.culprit_notes, sizeof f.culprit_notes);
    e->n_far = f.n_far;
    e->summary = f.summary;
    e->culprit = f.culprit;
    forget_arrays(&e->culprit); /* whatever was read */
    e->stepped = f.stepped;
    e->stage = f.stage;
    memcpy(e->notes, f.notes, sizeof f.notes);
    for (size_t i = 0; i < GPAI_NOTES; i++)
        e->notes[i][GPAI_NOTE_SIZE - 1] = '\0';
    /* no more than there are numbers */
    p->bad = f.d > p->size / sizeof(double) || f.n > p->size / sizeof(double);
    if (p->bad)
        return;
    e->marginals = f.has_marginals ? gpai_calloc(f.d, sizeof *e->marginals) : NULL;
    e->alone = f.has_alone ? gpai_calloc(f.d, sizeof *e->alone) : NULL;
    e->axes = f.has_axes ? gpai_calloc(f.d, sizeof *e->axes) : NULL;
    /* arrays are not on their own, but say that there are some */
    e->culprit_numbers = f.has_culprit ? gpai_calloc(1, sizeof(double)) : NULL;
    p->nomem = (f.has_marginals && e->marginals == NULL) ||
               (f.has_alone && e->alone == NULL) || (f.has_axes && e->axes == NULL) ||
               (f.has_culprit && e->culprit_numbers == NULL);
    p->bad = p->nomem;
}

static void rows(struct pack *p, gpa_explanation *e)
{
    array(p, &e->rows, e->n, sizeof *e->rows);
    bool fits = e->d == 0 || e->n <= SIZE_MAX / e->d;
    p->bad = p->bad || !fits;
    numbers(p, &e->x, e->n * e->d);
    double **each[] = {&e->y, &e->f, &e->score, &e->f_moved, &e->b};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        numbers(p, each[i], e->n);
    double **input[] = {&e->unit, &e->delta, &e->delta_raw};
    for (size_t i = 0; i < sizeof input / sizeof input[0]; i++)
        numbers(p, input[i], e->d);
}

static void marginal(struct pack *p, gpa_marginal *m)
{
    gpa_marginal one = *m;
    one.grid = one.density = one.level = one.mass = NULL;
    plain(p, &one, sizeof one, NULL, 0);
    if (p->out == NULL)
        *m = one;
    numbers(p, &m->grid, m->points);
    numbers(p, &m->density, m->points);
    numbers(p, &m->level, m->levels);
    numbers(p, &m->mass, m->levels);
}

static void culprit(struct pack *p, gpa_explanation *e)
{
    gpa_culprit *c = &e->culprit;
    const double **each[] = {&c->probability, &c->single,      &c->median,
                             &c->low,         &c->high,        &c->evidence[0],
                             &c->evidence[1], &c->evidence[2], &c->evidence[3],
                             &c->responsible};
    bool within = c->n_set90 <= e->d && c->n_likeliest <= 3 && c->first < e->d &&
                  e->n_far <= e->d;
    p->bad = p->bad || !within;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        numbers(p, each[i], e->d);
    array(p, &c->set90, c->n_set90, sizeof *c->set90);
    array(p, &e->far, e->n_far, sizeof *e->far);
    for (size_t i = 0; i < c->n_set90 && !p->bad; i++)
        p->bad = c->set90 == NULL || c->set90[i] >= e->d;
    for (size_t i = 0; i < e->n_far && !p->bad; i++)
        p->bad = e->far == NULL || e->far[i] >= e->d;
    for (size_t i = 0; i < c->n_likeliest && !p->bad; i++)
        p->bad = c->likeliest[i] >= e->d;
}

static void alone(struct pack *p, gpa_alone *a)
{
    static const size_t MISSING = offsetof(gpa_alone, missing);
    gpa_alone one = *a;
    one.level = one.probability = NULL;
    plain(p, &one, sizeof one, &MISSING, 1);
    if (p->out == NULL)
        *a = one;
    numbers(p, &a->level, a->levels);
    numbers(p, &a->probability, a->levels);
    p->bad = p->bad || (a->levels > 0 && a->best >= a->levels);
}

static void axis(struct pack *p, gpa_axis *a, size_t n)
{
    static const size_t GAP = offsetof(gpa_axis, gap);
    gpa_axis one = *a;
    one.change = one.f = one.level = NULL;
    plain(p, &one, sizeof one, &GAP, 1);
    if (p->out == NULL)
        *a = one;
    p->bad = p->bad || (n > 0 && a->points > SIZE_MAX / n);
    numbers(p, &a->change, a->points);
    numbers(p, &a->level, a->points);
    numbers(p, &a->f, a->points * n);
}

static void visit(struct pack *p, gpa_explanation *e)
{
    fixed(p, e);
    if (!p->bad)
        rows(p, e);
    for (size_t k = 0; e->marginals != NULL && k < e->d && !p->bad; k++)
        marginal(p, &e->marginals[k]);
    if (e->culprit_numbers != NULL && !p->bad)
        culprit(p, e);
    for (size_t k = 0; e->alone != NULL && k < e->d && !p->bad; k++)
        alone(p, &e->alone[k]);
    for (size_t k = 0; e->axes != NULL && k < e->d && !p->bad; k++)
        axis(p, &e->axes[k], e->n);
}

gpa_status gpa_explanation_pack(gpa_text *t, const gpa_explanation *e, gpa_error *err)
{
    if (t == NULL || e == NULL)
        return gpai_fail(err, GPA_INVALID, "pack: no explanation, or no text");
    struct pack p = {.out = t};
    size_t start = gpa_text_length(t);
    gpa_explanation shown = *e; /* its arrays are only read */
    visit(&p, &shown);
    return gpai_text_seal(t, start, err);
}

/* The words that reports use, and the arrays that they take for granted. */
static bool is_whole(const gpa_explanation *e)
{
    const gpa_summary *s = &e->summary;
    return e->rows != NULL && e->n > 0 && e->d > 0 && e->x != NULL && e->y != NULL &&
           e->f != NULL && e->score != NULL && e->f_moved != NULL && e->b != NULL &&
           e->unit != NULL && e->delta != NULL && e->delta_raw != NULL &&
           gpa_solver_name(s->solver) != NULL && gpa_noise_name(s->noise) != NULL &&
           gpa_marginals_name(s->marginals) != NULL &&
           gpa_verdict_name(e->culprit.verdict) != NULL &&
           gpa_plausible_name(e->culprit.plausible) != NULL &&
           (e->culprit.verdict == GPA_VERDICT_UNKNOWN || e->culprit_numbers != NULL);
}

gpa_status gpa_explanation_unpack(gpa_explanation **out, const char *bytes, size_t size,
                                  gpa_error *err)
{
    if (out == NULL || (bytes == NULL && size > 0))
        return gpai_fail(err, GPA_INVALID, "pack: no bytes, or nowhere to put them");
    *out = NULL;
    gpa_explanation *e = gpai_calloc(1, sizeof *e);
    if (e != NULL)
        e->block = gpai_calloc(size + 1, 1);
    if (e == NULL || e->block == NULL) {
        gpa_explanation_free(e);
        return gpai_nomem(err, "journal");
    }
    if (size > 0)
        memcpy(e->block, bytes, size);
    struct pack p = {.in = (const char *)e->block, .size = size};
    visit(&p, e);
    if (!p.bad && p.at == size && is_whole(e)) {
        *out = e;
        return GPA_OK;
    }
    gpa_explanation_free(e);
    if (p.nomem)
        return gpai_nomem(err, "journal");
    return gpai_fail(err, GPA_DATA, "an explanation that does not fit together");
}
