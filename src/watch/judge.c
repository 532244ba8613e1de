#include "watch/judge.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/terminal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FEW_ROWS = 16, MANY = 8 }; /* explanations of a batch */

gpa_status judge_open(struct judge *j, const gpa_study *base,
                      const gpai_options *explain, const gpai_options *a,
                      gpa_error *err)
{
    size_t d = base->d;
    j->base = base;
    j->d = d;
    j->limit = BATCH_ROWS;
    j->rebase = a->given[OPT_REBASE];
    j->rebase_after = gpai_options_count(a, OPT_REBASE_AFTER, 1000);
    j->block = gpai_calloc(BATCH_ROWS + 1, (d + 4) * sizeof *j->block);
    if (j->block == NULL)
        return gpai_nomem(err, "watch");
    j->x = j->block;
    j->y = j->x + BATCH_ROWS * d;
    j->f = j->y + BATCH_ROWS;
    j->score = j->f + BATCH_ROWS;
    j->blame = j->score + BATCH_ROWS;
    gpa_status st = gpa_text_new(&j->texts, err);
    if (st == GPA_OK)
        st = normal_open(&j->normal, base, a, err);
    if (st == GPA_OK)
        st = episodes_open(&j->episodes, d, gpai_options_count(a, OPT_OPEN_AFTER, 3),
                           gpai_options_count(a, OPT_CLOSE_AFTER, 20), err);
    if (st == GPA_OK)
        st = gpai_study_await(&j->study, base, explain, err);
    return st == GPA_OK ? records_open(&j->records, j->study, &j->normal.force, a, err)
                        : st;
}

void judge_close(struct judge *j)
{
    records_close(&j->records);
    gpa_study_free(j->study);
    episodes_close(&j->episodes);
    normal_close(&j->normal);
    gpa_text_free(j->texts);
    gpai_free(j->block);
}

double *judge_room(struct judge *j)
{
    return j->x + j->rows * j->d;
}

bool judge_full(const struct judge *j)
{
    return j->rows >= j->limit || 2 * j->n >= sizeof j->item / sizeof *j->item;
}

static size_t keep_text(struct judge *j, const char *text)
{
    size_t at = j->texts->length;
    if (text == NULL || text[0] == '\0')
        return SIZE_MAX;
    gpai_text_bytes(j->texts, text, strlen(text) + 1);
    return at;
}

static const char *text_at(const struct judge *j, size_t at)
{
    return at < j->texts->length ? j->texts->data + at : NULL;
}

void judge_add(struct judge *j, enum trouble t, bool waits, uint64_t line,
               const char *id, const char *why, double y)
{
    j->item[j->n++] = (struct item){.trouble = t,
                                    .waits = waits,
                                    .row = j->rows,
                                    .line = line,
                                    .id = keep_text(j, id),
                                    .why = keep_text(j, why)};
    if (t != FINE || waits)
        return;
    j->line[j->rows] = (size_t)line;
    j->failure[j->rows] = SIZE_MAX;
    j->y[j->rows++] = y;
}

void judge_late(struct judge *j, enum trouble t, const char *id, const char *why,
                uint64_t n)
{
    j->item[j->n++] = (struct item){.trouble = t,
                                    .late = true,
                                    .count = n,
                                    .id = keep_text(j, id),
                                    .why = keep_text(j, why)};
}

static gpa_status predict(struct judge *j, size_t from, size_t n, gpa_error *err)
{
    double start = seconds_now();
    gpa_status st = gpai_study_predict(j->base, j->x + from * j->d, n, "line",
                                       j->line + from, j->f + from, err);
    j->counts.model_seconds += seconds_now() - start;
    j->counts.model_failures += st != GPA_OK;
    return st;
}

/* The rows that a model fails for are found by halves, while that goes quickly. They
 * have no prediction. */
static void predict_parts(struct judge *j, size_t from, size_t n, double until,
                          gpa_error *why)
{
    if (n == 1 || seconds_now() > until) {
        size_t text = keep_text(j, why->message);
        for (size_t i = from; i < from + n; i++) {
            j->f[i] = (double)INFINITY;
            j->failure[i] = text;
        }
        return;
    }
    for (size_t half = 0; half < 2; half++) {
        size_t start = half == 0 ? from : from + n / 2;
        size_t count = half == 0 ? n / 2 : n - n / 2;
        if (predict(j, start, count, why) != GPA_OK)
            predict_parts(j, start, count, until, why);
    }
}

/* A model may be away for a moment: it is asked again, twice. What goes wrong then is
 * said of the rows, and the watch goes on. */
static gpa_status predict_all(struct judge *j, gpa_error *why)
{
    static const struct timespec PAUSES[] = {{0, 200000000}, {1, 0}};
    gpa_status st = j->rows > 0 ? predict(j, 0, j->rows, why) : GPA_OK;
    for (size_t i = 0; i < 2 && st == GPA_MODEL; i++) {
        nanosleep(&PAUSES[i], NULL);
        st = predict(j, 0, j->rows, why);
    }
    if (st == GPA_MODEL) {
        predict_parts(j, 0, j->rows, seconds_now() + 2, why);
        st = GPA_OK;
    }
    return st;
}

/* From row `from` of the batch on, with what is in force now. A score that is too large
 * for a number is infinite. */
static void score_from(struct judge *j, size_t from)
{
    double offset = j->normal.force.offset, y, score;
    for (size_t i = from; i < j->rows; i++) {
        y = j->y[i] - offset;
        const gpa_sample one = {.y = &y, .f = &j->f[i], .n = 1};
        bool good = gpa_score(&one, j->normal.now.sigma, &score, NULL, NULL) == GPA_OK;
        j->score[i] = good ? score : (double)INFINITY;
    }
}

static gpa_status blame(struct judge *j, const gpa_sample *rows, gpa_explanation **out,
                        gpa_error *err)
{
    double start = seconds_now();
    gpa_status st = gpai_study_blame(j->study, rows, &j->normal.now, out, err);
    j->counts.model_seconds += seconds_now() - start;
    j->counts.explanations++;
    return st;
}

/* What all rows of an episode say together. */
static gpa_status look_at(struct judge *j, struct episode *x, const char *event,
                          const char *why, gpa_error *err)
{
    gpa_explanation *e = NULL;
    const gpa_sample rows = {.x = x->x, .y = x->y, .f = x->f, .n = x->kept, .d = j->d};
    gpa_status st = blame(j, &rows, &e, err);
    if (st == GPA_OK) {
        blame_of(e, j->d, x->blame);
        x->seen = x->rows;
        st = record_episode(&j->records, event, why, x, e, err);
    }
    gpa_explanation_free(e);
    return st;
}

/* Whether what an episode is off by is the same in nearly all rows since it began. */
static bool lasts(const struct episode *x, double *median)
{
    double off[EPISODE_ROWS];
    size_t up = 0;
    for (size_t i = 0; i < x->kept; i++) {
        off[i] = x->y[i] - x->f[i];
        up += off[i] > 0;
    }
    gpai_sort(off, x->kept);
    *median = gpai_sorted_median(off, x->kept);
    uint64_t span = x->ended - x->began + 1;
    return 5 * x->rows >= 4 * span && (5 * up >= 4 * x->kept || 5 * up <= x->kept);
}

/* The model failed for an explanation: that is said, and the row is done with. */
static gpa_status give_up_on(struct judge *j, gpa_status st, const char *id,
                             const gpa_error *why, gpa_error *err)
{
    if (st != GPA_MODEL && st != GPA_NUMERIC)
        return st == GPA_OK ? st : gpai_fail(err, st, "%s", why->message);
    j->counts.problems[NO_MODEL]++;
    record_late(&j->records, NO_MODEL, id, why->message, 1);
    return GPA_OK;
}

/* --rebase: from now on it is normal. */
static gpa_status rebase(struct judge *j, struct episode *x, bool *done, gpa_error *err)
{
    double off;
    *done = j->rebase && x->number > 0 && x->rows >= j->rebase_after && lasts(x, &off);
    if (!*done)
        return GPA_OK;
    j->normal.force.offset += off;
    gpa_error why = {0};
    gpa_status st = look_at(j, x, "new-normal", NULL, &why);
    st = give_up_on(j, st, x->last, &why, err);
    episode_end(&j->episodes, x);
    return st;
}

/* An anomaly: explained, and taken into its episode. */
static gpa_status accuse(struct judge *j, const struct judged *row, const double *x,
                         bool *rebased, gpa_error *err)
{
    gpa_explanation *e = NULL;
    double y = row->y - j->normal.force.offset, f = row->f;
    const gpa_sample one = {.x = x, .y = &y, .f = &f, .n = 1, .d = j->d};
    struct judged said = *row;
    gpa_error why = {0};
    gpa_status st = blame(j, &one, &e, &why);
    j->counts.anomalies++;
    if (st != GPA_OK) {
        st = record_row(&j->records, row, NULL, err);
        return st == GPA_OK ? give_up_on(j, GPA_MODEL, row->id, &why, err) : st;
    }
    blame_of(e, j->d, j->blame);
    const struct anomaly a = {x, y, f, row->score, row->id, j->blame, j->at};
    struct episode *ep = episodes_take(&j->episodes, &a);
    said.episode = ep;
    st = record_row(&j->records, &said, e, err);
    gpa_explanation_free(e);
    if (st != GPA_OK || ep == NULL)
        return st;
    if (ep->rows == ep->update) {
        bool new = ep->rows == j->episodes.open_after;
        ep->update = 2 * ep->rows;
        st = look_at(j, ep, new ? "open" : "update", NULL, &why);
        st = give_up_on(j, st, row->id, &why, err);
    }
    return st == GPA_OK ? rebase(j, ep, rebased, err) : st;
}

static gpa_status close_quiet(struct judge *j, gpa_error *err)
{
    struct episode *x;
    gpa_status st = GPA_OK;
    while (st == GPA_OK && (x = episodes_quiet(&j->episodes, j->at)) != NULL) {
        gpa_error why = {0};
        st = look_at(j, x, "close", NULL, &why);
        st = give_up_on(j, st, x->last, &why, err);
        episode_end(&j->episodes, x);
    }
    return st;
}

/* Of a row without a name it is said on which line it stands. */
static void refuse(struct judge *j, enum trouble t, const struct item *it,
                   const char *id, const char *why)
{
    j->counts.problems[t]++;
    if (t != DUPLICATE || j->records.every)
        record_problem(&j->records, t, id, text_at(j, it->id) == NULL ? it->line : 0,
                       why);
}

/* A row that has all it needs. */
static gpa_status judge_row(struct judge *j, const struct item *it, const char *id,
                            gpa_error *err)
{
    size_t i = it->row;
    char number[32];
    bool changed = false;
    snprintf(number, sizeof number, "%ju", (uintmax_t)j->at);
    struct judged row = {.id = id != NULL ? id : number,
                         .y = j->y[i],
                         .f = j->f[i],
                         .score = j->score[i]};
    const double *x = j->x + i * j->d;
    j->counts.rows++;
    gpa_status st = GPA_OK;
    if (!isfinite(row.f)) {
        const char *failure = text_at(j, j->failure[i]);
        refuse(j, failure != NULL ? NO_MODEL : NO_PREDICTION, it, row.id,
               failure != NULL ? failure : "the model gives no finite prediction");
        return GPA_OK;
    }
    if (!isfinite(row.score)) {
        refuse(j, BAD_VALUE, it, row.id, "y is too far from everything");
        return GPA_OK;
    }
    row.warm_up = j->warming;
    if (j->warming)
        st = record_row(&j->records, &row, NULL, err);
    else if (row.score > j->normal.force.threshold)
        st = accuse(j, &row, x, &changed, err);
    else {
        st = record_row(&j->records, &row, NULL, err);
        changed = normal_teach(&j->normal, x, row.y - j->normal.force.offset, row.f);
    }
    if (st == GPA_OK)
        st = close_quiet(j, err);
    j->at++;
    if (changed)
        score_from(j, i + 1);
    return st;
}

static gpa_status judge_item(struct judge *j, const struct item *it, gpa_error *err)
{
    const char *id = text_at(j, it->id);
    if (it->late) {
        j->counts.problems[it->trouble] += it->count;
        record_late(&j->records, it->trouble, id, text_at(j, it->why), it->count);
        return GPA_OK;
    }
    j->counts.lines++;
    if (it->trouble != FINE) {
        refuse(j, it->trouble, it, id, text_at(j, it->why));
        return GPA_OK;
    }
    if (!it->waits)
        return judge_row(j, it, id, err);
    const struct judged half = {.id = id,
                                .y = (double)NAN,
                                .f = (double)NAN,
                                .score = (double)NAN,
                                .waits = "the rest of the row is still to come"};
    return j->records.every ? record_row(&j->records, &half, NULL, err) : GPA_OK;
}

gpa_status judge_all(struct judge *j, gpa_error *err)
{
    gpa_error model = {0};
    uint64_t explained = j->counts.explanations;
    gpa_status st = predict_all(j, &model);
    if (st != GPA_OK)
        return gpai_fail(err, st, "%s", model.message);
    score_from(j, 0);
    for (size_t i = 0; i < j->n && st == GPA_OK; i++) {
        uint64_t before = j->counts.explanations;
        st = judge_item(j, &j->item[i], err);
        record_end(&j->records);
        if (st == GPA_OK && j->counts.explanations > before)
            st = gpai_text_seal(j->records.text, 0, err);
        if (st == GPA_OK && j->counts.explanations > before)
            st = j->said(j->said_ctx, err);
    }
    if (j->counts.explanations > explained + MANY)
        j->limit = FEW_ROWS;
    else if (j->limit < BATCH_ROWS)
        j->limit *= 2;
    j->n = j->rows = 0;
    gpa_text_clear(j->texts);
    return st == GPA_OK ? gpai_text_seal(j->records.text, 0, err) : st;
}

gpa_status judge_end(struct judge *j, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < EPISODES && st == GPA_OK; i++) {
        struct episode *x = &j->episodes.all[i];
        gpa_error why = {0};
        if (x->used && x->number > 0 && !j->records.every) {
            st = look_at(j, x, "close", "the lines end", &why);
            st = give_up_on(j, st, x->last, &why, err);
        }
        x->used = false;
    }
    return st == GPA_OK ? gpai_text_seal(j->records.text, 0, err) : st;
}
