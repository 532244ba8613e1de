#include "lab/planted/marks.h"
#include "console/say.h"
#include "lab/write.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

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

/* What the workers share. */
struct contest {
    const struct fault_set *set;
    const struct rival *const *rivals;
    size_t n_rivals;
    uint64_t seed;
    struct mark *marks;
    struct progress *progress;
    pthread_mutex_t lock; /* of what follows */
    size_t next, done;
    size_t failed; /* the first case that failed: the same at any number of workers */
    gpa_status status;
    gpa_error err;
};

/* What a worker has for itself. */
struct worker {
    struct contest *c;
    gpa_model *model;
    double *block; /* background, blame, move */
    struct answer answer;
};

static gpa_status judge_case(struct worker *w, size_t i, gpa_error *err)
{
    const struct contest *c = w->c;
    const struct fault_set *s = c->set;
    const struct fault *f = &s->faults[i];
    const struct question q = {
        .model = w->model,
        .sample = {.x = f->x, .y = f->y, .n = f->n, .d = s->d},
        .background = {.x = w->block, .n = faults_others(s, f, w->block), .d = s->d},
        .unit = s->unit,
        .sigma = s->sigma,
        .seed = c->seed};
    for (size_t r = 0; r < c->n_rivals; r++) {
        struct answer *a = &w->answer;
        a->n_set = 0;
        a->rows = 0;
        a->output = (double)NAN;
        for (size_t k = 0; k < s->d; k++) {
            a->blame[k] = 0;
            a->move[k] = (double)NAN;
        }
        gpa_status st = c->rivals[r]->ask(a, c->rivals[r], &q, err);
        if (st != GPA_OK)
            return st;
        judge(c->marks[r * s->n_faults + i].of, f, a, s->d);
    }
    return GPA_OK;
}

/* Takes the next case, if there is one and nobody has failed. */
static bool take(struct contest *c, size_t *i)
{
    pthread_mutex_lock(&c->lock);
    *i = c->next;
    bool any = c->status == GPA_OK && c->next < c->set->n_faults;
    c->next += any;
    pthread_mutex_unlock(&c->lock);
    return any;
}

static void report(struct contest *c, size_t i, gpa_status st, const gpa_error *err)
{
    pthread_mutex_lock(&c->lock);
    if (st == GPA_OK) {
        progress_show(c->progress, ++c->done, c->set->n_faults);
    } else if (c->status == GPA_OK || i < c->failed) {
        c->failed = i;
        c->status = st;
        c->err = *err;
    }
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *ctx)
{
    struct worker *w = ctx;
    size_t i;
    while (take(w->c, &i)) {
        gpa_error err = {0};
        gpa_status st = judge_case(w, i, &err);
        report(w->c, i, st, &err);
    }
    return NULL;
}

static gpa_status prepare(struct worker *w, struct contest *c, gpa_error *err)
{
    size_t n = c->set->n_rows, d = c->set->d;
    *w = (struct worker){.c = c};
    gpa_status st = gpa_model_clone(&w->model, c->set->model, err);
    if (st != GPA_OK)
        return st;
    w->block = room(n * d + 2 * d, sizeof *w->block); /* the set itself has as much */
    w->answer.set = room(d, sizeof *w->answer.set);
    if (w->block == NULL || w->answer.set == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    w->answer.blame = w->block + n * d;
    w->answer.move = w->answer.blame + d;
    return GPA_OK;
}

/* The calling thread works, too: one that cannot be started is no loss but of time. */
static gpa_status work_together(struct contest *c, struct worker *workers,
                                pthread_t *threads, size_t n, gpa_error *err)
{
    size_t started = 0;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = prepare(&workers[i], c, err);
    if (st != GPA_OK)
        return st;
    while (started + 1 < n &&
           pthread_create(&threads[started], NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[n - 1]);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (c->status != GPA_OK)
        *err = c->err;
    return c->status;
}

gpa_status contest_run(const struct fault_set *s, const struct rival *const *rivals,
                       size_t n_rivals, uint64_t seed, size_t threads,
                       struct mark *marks, struct progress *progress, gpa_error *err)
{
    struct contest c = {.set = s,
                        .rivals = rivals,
                        .n_rivals = n_rivals,
                        .seed = seed,
                        .marks = marks,
                        .progress = progress};
    size_t n = threads < s->n_faults ? threads : s->n_faults;
    n = n > 0 ? n : 1;
    struct worker *workers = room(n, sizeof *workers);
    pthread_t *ids = room(n, sizeof *ids);
    gpa_status st = GPA_NOMEM;
    if (workers == NULL || ids == NULL || pthread_mutex_init(&c.lock, NULL) != 0) {
        fail(err, st, "out of memory");
    } else {
        progress_show(progress, 0, s->n_faults);
        st = work_together(&c, workers, ids, n, err);
        pthread_mutex_destroy(&c.lock);
    }
    for (size_t i = 0; workers != NULL && i < n; i++) {
        free(workers[i].answer.set);
        free(workers[i].block);
        gpa_model_free(workers[i].model);
    }
    free(ids);
    free(workers);
    return st;
}
