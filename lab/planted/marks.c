#include "lab/planted/marks.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/workers.h"
#include <math.h>

/* The part of the |S| first places that go to the culprits, as a share of |S|. Equal
 * blame shares its places. */
static double recall(const struct fault *f, const double *blame, size_t d)
{
    double found = 0, places = (double)f->culprits;
    for (size_t k = 0; k < d; k++) {
        double above = 0, equal = 0;
        if (!f->guilty[k] || isnan(blame[k]))
            continue;
        for (size_t j = 0; j < d; j++) {
            above += blame[j] > blame[k];
            equal += blame[j] == blame[k];
        }
        found += fmin(1, fmax(0, places - above) / equal);
    }
    return found / places;
}

static void judge(double *m, const struct fault *f, const struct answer *a, size_t d)
{
    for (size_t i = 0; i < MEASURES; i++)
        m[i] = (double)NAN;
    m[ROWS] = a->rows;
    m[OUTPUT] = a->output;
    if (f->culprits > 0)
        m[RECALL] = recall(f, a->blame, d);
    for (size_t k = 0; f->culprits == 1 && k < d; k++) {
        if (!f->guilty[k])
            continue;
        if (f->repair[k] != 0)
            m[ERROR] = fabs(a->move[k] / f->repair[k] - 1);
        if (a->n_set > 0) {
            m[SIZE] = (double)a->n_set;
            m[HOLDS] = 0;
        }
        for (size_t i = 0; i < a->n_set; i++)
            if (a->set[i] == k)
                m[HOLDS] = 1;
    }
}

/* What a worker has for itself. */
struct worker {
    gpa_model *model;
    struct answer answer;
    double block[]; /* the reference rows, blame, move; then the set */
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
    size_t numbers = (s->n_rows + 2) * s->d; /* the set itself has as many */
    struct worker *w =
        gpai_calloc(1, sizeof *w + numbers * sizeof(double) + s->d * sizeof(size_t));
    if (w == NULL)
        return gpai_nomem(err, "bench");
    w->answer.blame = w->block + s->n_rows * s->d;
    w->answer.move = w->answer.blame + s->d;
    w->answer.set = (size_t *)(w->answer.move + s->d);
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
        .seed = m->seed};
    for (size_t j = 0; j < m->n_methods; j++) {
        a->n_set = 0;
        a->rows = 0;
        a->output = (double)NAN;
        for (size_t k = 0; k < s->d; k++) {
            a->blame[k] = 0;
            a->move[k] = (double)NAN;
        }
        gpa_status st = m->methods[j]->ask(a, m->methods[j], &q, err);
        if (st != GPA_OK)
            return st;
        judge(m->marks[j * s->n_faults + i].of, f, a, s->d);
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
