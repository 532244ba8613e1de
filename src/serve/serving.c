#include "serve/serving.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "console/png.h"
#include "console/terminal.h"
#include "report/page.h"
#include "report/words/named.h"
#include "serve/rows/rows.h"
#include <string.h>

/* "inputs" and "target": what they are, and what was seen of them. */
static gpa_status describe(struct serving *v, gpa_text **out, gpa_error *err)
{
    const gpa_study *s = v->study;
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.target = s->target_called;
    info.target_unit = s->target_measure;
    info.features = s->called;
    info.units = s->measure;
    info.inputs = s->kinds;
    gpa_status st = gpa_text_new(out, err);
    if (st == GPA_OK)
        st = gpai_report_target(*out, &info, s->y, s->n, err);
    return st == GPA_OK ? gpai_report_inputs(*out, &info, s->x, s->n, s->d, err) : st;
}

gpa_status serving_open(struct serving *v, const gpai_options *given, gpa_error *err)
{
    pthread_mutex_init(&v->lock, NULL);
    v->metrics.began = exchange_now();
    v->png = png_ready(NULL) == GPA_OK;
    gpa_status st = gpai_study_from(&v->study, given, err);
    if (st == GPA_OK)
        st = gpai_study_open_kinds(v->study, err);
    if (st == GPA_OK)
        gpai_study_let_columns_go(v->study);
    if (st == GPA_OK && v->study->n > UINT32_MAX)
        st = gpai_fail(err, GPA_UNSUPPORTED, "serve: more than 2^32 rows");
    if (st == GPA_OK)
        st = describe(v, &v->about[0], err);
    if (st == GPA_OK)
        st = rows_new(&v->rows, v, err);
    v->who = st == GPA_OK ? gpai_calloc(v->study->n, sizeof *v->who) : NULL;
    return st == GPA_OK && v->who == NULL ? gpai_nomem(err, "serve") : st;
}

static int count_scored(void *ctx, uint64_t done, uint64_t total)
{
    struct serving *v = ctx;
    atomic_store(&v->scored, (size_t)done);
    bool ends = atomic_load(&v->enough);
    if (ends || done == total) { /* what follows settles what the inputs are */
        rows_lock(v->rows);
        v->settles = true;
    }
    return ends;
}

/* The thread that scores; then questions can be answered. */
static void *score(void *serving)
{
    struct serving *v = serving;
    gpa_study *s = v->study;
    size_t workers = gpai_options_threads(&s->given, SIZE_MAX);
    gpa_status st = gpa_study_open(s, &v->failed);
    if (st == GPA_OK && s->found.d > 0) /* limits were set */
        st = describe(v, &v->about[1], &v->failed);
    if (st == GPA_OK)
        st = jobs_open(&v->quick, s->model, 1, QUEUE, &v->failed);
    if (st == GPA_OK)
        st = jobs_open(&v->slow, s->model, workers, QUEUE, &v->failed);
    if (st == GPA_OK && !atomic_load(&v->enough))
        atomic_store(&v->scored, s->n);
    v->failed.status = st;
    if (st != GPA_OK)
        say("%s", v->failed.message);
    atomic_store(&v->state, st != GPA_OK              ? STATE_FAILED
                            : atomic_load(&v->enough) ? STATE_STOPPED
                                                      : STATE_READY);
    if (st == GPA_OK && v->settles)
        rows_prepare(v->rows);
    if (v->settles)
        rows_unlock(v->rows);
    return NULL;
}

gpa_status serving_start(struct serving *v, gpa_error *err)
{
    gpai_study_set_scoring(v->study, count_scored, v);
    atomic_store(&v->next_id, 1);
    return pthread_create(&v->scorer, NULL, score, v) == 0
               ? GPA_OK
               : gpai_fail(err, GPA_NOMEM, "serve: no thread");
}

bool serving_drain(struct serving *v, double seconds)
{
    double until = exchange_now() + seconds;
    atomic_store(&v->enough, true);
    while (serving_state(v) == STATE_SCORING) {
        if (exchange_now() > until)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    struct jobs *all[] = {v->quick, v->slow};
    bool done = true;
    for (size_t i = 0; i < 2; i++) /* most answers are there in a moment */
        if (all[i] != NULL)
            (void)jobs_drain(all[i], 0.5 * (until - exchange_now()));
    for (size_t i = 0; i < 2; i++) /* and nobody waits who would come later */
        if (all[i] != NULL)
            jobs_stop(all[i]);
    for (size_t i = 0; i < 2; i++)
        done = (all[i] == NULL || jobs_drain(all[i], until - exchange_now())) && done;
    return done;
}

void serving_close(struct serving *v)
{
    jobs_close(v->slow);
    jobs_close(v->quick);
    rows_free(v->rows);
    gpai_free(v->who);
    gpa_text_free(v->about[0]);
    gpa_text_free(v->about[1]);
    gpa_study_free(v->study);
    pthread_mutex_destroy(&v->lock);
}

enum state serving_state(struct serving *v)
{
    return (enum state)atomic_load(&v->state);
}

const char *serving_state_name(enum state state)
{
    static const char *const NAMES[] = {"scoring", "ready", "stopped", "failed"};
    return NAMES[state];
}

bool serving_ready(struct exchange *x)
{
    struct serving *v = x->on;
    enum state state = serving_state(v);
    if (state == STATE_SCORING)
        reply_problem(&x->reply, 409,
                      "%zu of %zu rows are scored; questions are answered when all are",
                      atomic_load(&v->scored), gpa_study_rows(v->study));
    else if (state == STATE_FAILED)
        reply_failed(&x->reply, v->failed.status, &v->failed);
    return state != STATE_SCORING && state != STATE_FAILED;
}

/* What the verdict names, the first and those beside it, and how probably it is just
 * these, or the first, as the sentence says. */
static void learn_named(struct who *w, const gpai_view *v)
{
    gpai_named named = {.input = {v->c->first}, .n = 1};
    if (v->c->verdict == GPA_VERDICT_INPUT)
        named = gpai_view_named(v);
    w->first = (unsigned)named.input[0] & 0xfffffffu;
    w->n_also = (named.n - 1) & 3u;
    for (size_t i = 1; i < named.n; i++)
        w->also[i - 1] = (unsigned)named.input[i];
    w->exchanged = named.exchanged;
    w->responsible =
        (float)(named.just ? v->c->p_likeliest : v->c->responsible[named.input[0]]);
}

gpa_status serving_learn(struct serving *v, const gpa_explanation *e, gpa_error *err)
{
    const gpa_culprit *c = gpa_explanation_culprit(e);
    size_t row = gpa_explanation_row(e, 0);
    gpai_view view;
    if (c == NULL || gpa_explanation_rows(e) != 1)
        return GPA_OK;
    gpa_status st = gpai_view_make(&view, gpa_study_info(v->study), e, err);
    if (st != GPA_OK)
        return st;
    pthread_mutex_lock(&v->lock);
    struct who *w = &v->who[row];
    v->explained += w->verdict == GPA_VERDICT_UNKNOWN;
    w->verdict = (unsigned)c->verdict & 15u;
    w->output = (float)c->output;
    learn_named(w, &view);
    pthread_mutex_unlock(&v->lock);
    gpai_view_free(&view);
    return GPA_OK;
}

struct who serving_who(struct serving *v, size_t row)
{
    pthread_mutex_lock(&v->lock);
    struct who w = v->who[row];
    pthread_mutex_unlock(&v->lock);
    return w;
}
