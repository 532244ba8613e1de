#include "lab/planted/marks.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/workers.h"
#include <math.h>

/* The part of the |S| first places that go to the culprits, as a share of |S|. Equal
 * blame shares its places. A one-hot group has one, that of its first column. */
static double recall(const struct fault *f, const double *blame,
                     const struct fault_set *s)
{
    double found = 0, places = (double)f->culprits;
    for (size_t k = 0; k < s->d; k++) {
        double above = 0, equal = 0;
        if (!f->guilty[k] || isnan(blame[k]))
            continue;
        for (size_t j = 0; j < s->d; j++) {
            above += s->axis[j] == j && blame[j] > blame[k];
            equal += s->axis[j] == j && blame[j] == blame[k];
        }
        found += fmin(1, fmax(0, places - above) / equal);
    }
    return found / places;
}

/* What is said of the columns of a one-hot group goes to its first: the largest, or of
 * columns that were judged one by one (`add`) the sum. */
static void gather(double *values, const struct fault_set *s, bool add)
{
    for (size_t k = 0; k < s->d; k++) {
        double *to = &values[s->axis[k]];
        if (s->axis[k] != k)
            *to = add ? fmin(1, *to + values[k]) : fmax(*to, values[k]);
    }
}

static size_t largest(const double *values, const struct fault_set *s)
{
    size_t best = 0;
    for (size_t k = 1; k < s->d; k++)
        if (s->axis[k] == k && values[k] > values[best])
            best = k;
    return best;
}

/* Whether the value proposed for an input can exist; a column of a one-hot group that
 * moves alone leaves two levels, or none. */
static double impossible(const struct answer *a, const struct fault_set *s, size_t k)
{
    bool group = false;
    for (size_t j = k + 1; j < s->d; j++)
        group = group || s->axis[j] == k;
    if (isnan(a->value[k]))
        return (double)NAN;
    return group ? !a->by_level[k]
                 : !a->by_level[k] && faults_impossible(s, k, a->value[k]);
}

/* The figures of those who give probabilities. */
static void judge_verdict(double *m, const struct fault *f, const struct answer *a,
                          const struct fault_set *s)
{
    bool input = a->verdict == GPA_VERDICT_INPUT;
    size_t first = largest(a->blame, s), sure = largest(a->single, s);
    if (a->verdict == GPA_VERDICT_UNKNOWN)
        return;
    m[SAYS_OUTPUT] = a->verdict == GPA_VERDICT_OUTPUT;
    m[SAYS_TIED] = a->verdict == GPA_VERDICT_TIED;
    m[SAYS_NORMAL] = a->verdict == GPA_VERDICT_NORMAL;
    if (f->culprits > 0) {
        m[RIGHT] = input && f->guilty[first];
        m[WRONG] = input && !f->guilty[first];
    } else {
        m[ACCUSES] = input;
    }
    if (f->n == 1)
        m[IMPOSSIBLE] = impossible(a, s, first);
    if (f->culprits != 1)
        return;
    m[SURE] = a->single[sure];
    m[HIT] = f->guilty[sure];
    for (size_t k = 0; k < s->d; k++)
        if (f->guilty[k])
            m[SURPRISE] = -log(fmax(a->single[k], 1e-12));
}

/* How many inputs the set names, a one-hot group once. */
static double set_size(const struct answer *a, const struct fault_set *s)
{
    double size = 0;
    for (size_t i = 0; i < a->n_set; i++) {
        bool again = false;
        for (size_t j = 0; j < i; j++)
            again = again || s->axis[a->set[j]] == s->axis[a->set[i]];
        size += !again;
    }
    return size;
}

static void judge(double *m, const struct fault *f, const struct answer *a,
                  const struct fault_set *s)
{
    size_t d = s->d;
    for (size_t i = 0; i < MEASURES; i++)
        m[i] = (double)NAN;
    m[ROWS] = a->rows;
    m[OUTPUT] = a->output;
    if (f->culprits > 0)
        m[RECALL] = recall(f, a->blame, s);
    judge_verdict(m, f, a, s);
    for (size_t k = 0; f->culprits == 1 && k < d; k++) {
        if (!f->guilty[k])
            continue;
        if (f->repair[k] != 0 && !a->by_level[k])
            m[ERROR] = fabs(a->move[k] / f->repair[k] - 1);
        if (a->n_set > 0) {
            m[SIZE] = set_size(a, s);
            m[HOLDS] = 0;
        }
        for (size_t i = 0; i < a->n_set; i++)
            if (s->axis[a->set[i]] == k)
                m[HOLDS] = 1;
    }
}

/* What a worker has for itself. */
struct worker {
    gpa_model *model;
    struct answer answer;
    double block[]; /* the reference rows, blame, single, move, value; then the set */
};

static void close_worker(void *own)
{
    struct worker *w = own;
    if (w != NULL)
        gpa_model_free(w->model);
    gpai_free(w);
}

static gpa_status open_worker(void *ctx, void **own, gpa_error *err)
{
    const struct fault_set *s = ((struct marking *)ctx)->set;
    size_t numbers = (s->n_rows + 4) * s->d; /* the set itself has as many */
    struct worker *w = gpai_calloc(1, sizeof *w + numbers * sizeof(double) +
                                          s->d * (sizeof(size_t) + 1));
    if (w == NULL)
        return gpai_nomem(err, "bench");
    w->answer.blame = w->block + s->n_rows * s->d;
    w->answer.single = w->answer.blame + s->d;
    w->answer.move = w->answer.single + s->d;
    w->answer.value = w->answer.move + s->d;
    w->answer.set = (size_t *)(w->answer.value + s->d);
    w->answer.by_level = (unsigned char *)(w->answer.set + s->d);
    gpa_status st = gpa_model_clone(&w->model, s->model, err);
    if (st != GPA_OK)
        close_worker(w);
    else
        *own = w;
    return st;
}

static gpa_status mark_case(void *ctx, void *own, size_t i, void **result,
                            gpa_error *err)
{
    const struct marking *m = ctx;
    const struct fault_set *s = m->set;
    const struct fault *f = &s->faults[i];
    struct worker *w = own;
    struct answer *a = &w->answer;
    (void)result; /* the marks have their places already */
    const struct question q = {
        .model = w->model,
        .sample = {.x = f->x, .y = f->y, .n = f->n, .d = s->d},
        .reference = {.x = w->block, .n = faults_others(s, f, w->block), .d = s->d},
        .unit = s->unit,
        .sigma = s->sigma,
        .spread = s->spread,
        .inputs = s->inputs,
        .numbers = s->numbers,
        .seed = m->seed};
    for (size_t j = 0; j < m->n_methods; j++) {
        a->n_set = 0;
        a->rows = 0;
        a->output = (double)NAN;
        a->verdict = GPA_VERDICT_UNKNOWN;
        for (size_t k = 0; k < s->d; k++) {
            a->blame[k] = a->single[k] = 0;
            a->move[k] = a->value[k] = (double)NAN;
            a->by_level[k] = 0;
        }
        gpa_status st = m->methods[j]->ask(a, m->methods[j], &q, err);
        if (st != GPA_OK)
            return st;
        gather(a->blame, s, m->methods[j]->all_numbers && a->n_set > 0);
        gather(a->single, s, true); /* they add up to 1 over all columns */
        judge(m->marks[j * s->n_faults + i].of, f, a, s);
    }
    return GPA_OK;
}

static gpa_status count_case(void *ctx, size_t i, const void *result, gpa_error *err)
{
    const struct marking *m = ctx;
    (void)result;
    (void)err;
    progress_show(m->progress, i + 1, m->set->n_faults);
    return GPA_OK;
}

static void drop_nothing(void *result)
{
    (void)result;
}

gpa_status marks_take(struct marking *m, size_t threads, gpa_error *err)
{
    const gpai_workers all = {.unit = "bench",
                              .ctx = m,
                              .jobs = m->set->n_faults,
                              .open = open_worker,
                              .close = close_worker,
                              .run = mark_case,
                              .take = count_case,
                              .drop = drop_nothing};
    void *own = NULL; /* of the calling thread, when it works alone */
    progress_show(m->progress, 0, all.jobs);
    gpa_status st = threads <= 1 || all.jobs <= 1 ? open_worker(m, &own, err) : GPA_OK;
    if (st == GPA_OK)
        st = gpai_workers_run(&all, own, threads, err);
    close_worker(own);
    return st;
}
