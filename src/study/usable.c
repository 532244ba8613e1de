#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "model/model.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows that cannot be used, for lack of an outcome, an input or a prediction, are left
 * out and counted; the others are what everything rests on. */

/* Why a row is left out. */
enum unfit { FIT, NO_TARGET, NO_INPUT, NO_PREDICTION, NOT_ASKED };

static const char *where(const gpa_study *s)
{
    return s->given.file != NULL ? s->given.file : "the data";
}

/* The first missing input of a row; s->d: there is none. */
static size_t missing_input(const gpa_study *s, size_t row)
{
    size_t k = 0;
    while (k < s->d && !isnan(s->x[row * s->d + k]))
        k++;
    return k;
}

/* Where a row is found: on a line of the file, or by its number in the caller's table.
 */
static const char *place_word(const gpa_study *s)
{
    return s->own_table != NULL ? "line" : "row";
}

static size_t place_of(const gpa_study *s, size_t row)
{
    return s->own_table != NULL ? gpa_table_line(s->table, row) : row;
}

/* What --strict says instead. */
static gpa_status refuse(const gpa_study *s, size_t row, enum unfit why, gpa_error *err)
{
    if (why == NO_TARGET)
        return gpai_fail(err, GPA_DATA,
                         "%.200s: %s %zu: no value of the target '%.80s'", where(s),
                         place_word(s), place_of(s, row), gpa_study_target(s));
    if (why == NO_INPUT)
        return gpai_fail(err, GPA_DATA,
                         "%.200s: %s %zu, column \"%.80s\": missing value; fill it "
                         "in, or drop the row",
                         where(s), place_word(s), place_of(s, row),
                         s->inputs[missing_input(s, row)]);
    if (why == NOT_ASKED)
        return gpai_fail(err, GPA_DATA,
                         "row %zu has no prediction: scoring was stopped before it",
                         row);
    return gpai_fail(
        err, GPA_NUMERIC,
        "predict: the model gives %s for row %zu: every observed row needs "
        "a finite prediction",
        isnan(s->f[row]) ? "NaN" : "infinity", row);
}

gpa_status gpai_study_refuse(const gpa_study *s, size_t row, gpa_error *err)
{
    return refuse(s, row, (enum unfit)s->unfit[row], err);
}

static gpa_status leave_out(gpa_study *s, size_t row, enum unfit why, gpa_error *err)
{
    if (s->given.given[OPT_STRICT])
        return refuse(s, row, why, err);
    s->unfit[row] = (unsigned char)why;
    s->n_unfit++;
    return GPA_OK;
}

gpa_status gpai_study_leave_out(gpa_study *s, size_t row, int why, gpa_error *err)
{
    return leave_out(s, row, (enum unfit)why, err);
}

const char *gpai_study_unfit_name(int why)
{
    static const char *const NAMES[] = {NULL, "target", "input", "prediction"};
    return why >= 0 && why <= NO_PREDICTION ? NAMES[why] : NULL;
}

const char *gpai_study_refuser(const gpa_study *s)
{
    bool sent = !gpa_model_in_process(s->model); /* refused before the model is asked */
    return gpa_model_refuses_missing(s->model) && sent
               ? "with a missing input, which JSON cannot send to the model"
               : "with a missing input, which this model refuses";
}

/* One note for each reason. */
static void say_left_out(gpa_study *s)
{
    const struct {
        enum unfit why;
        const char *text;
    } REASONS[] = {{NO_TARGET, "without a value of the target"},
                   {NO_INPUT, gpai_study_refuser(s)},
                   {NO_PREDICTION, "without a finite prediction of the model"},
                   {NOT_ASKED, "as scoring was stopped before them"}};
    char also[200] = "";
    for (size_t i = 0; i < sizeof REASONS / sizeof REASONS[0]; i++) {
        gpai_row_names rows = {.n = 0}, lines = {.n = 0};
        for (size_t row = 0; row < s->n; row++)
            if (s->unfit[row] == REASONS[i].why) {
                gpai_row_names_add(&rows, row);
                gpai_row_names_add(&lines, gpa_table_line(s->table, row));
            }
        const char *more = rows.n == 1 ? "" : "s";
        if (s->own_table != NULL)
            snprintf(also, sizeof also, "; line%s %s of the file", more, lines.text);
        if (rows.n > 0)
            gpai_study_tell(s, "%zu of %zu rows left out, %s (row%s %s%s)", rows.n,
                            s->n, REASONS[i].text, more, rows.text, also);
    }
}

/* How far it is with the rows. */
struct scored {
    size_t done;
    bool stopped;
};

/* Asks in pieces of whole batches when somebody wants to know how far it is: the same
 * answers as at once. *asked: how many were until it was stopped. */
static gpa_status predict_rows(gpa_study *s, const double *x, size_t n,
                               gpai_asked names, double *f, struct scored *all,
                               size_t *asked, gpa_error *err)
{
    enum { ABOUT = 8192 }; /* rows, a few milliseconds of most models */
    size_t batch = gpa_model_batch(s->model);
    size_t piece = s->scoring == NULL ? n
                   : batch < ABOUT    ? ABOUT / batch * batch
                                      : batch;
    gpa_status st = GPA_OK;
    *asked = 0;
    while (*asked < n && st == GPA_OK && !all->stopped) {
        size_t now = n - *asked < piece ? n - *asked : piece;
        st = gpai_model_predict(s->model, x + *asked * s->d, now,
                                gpai_asked_from(names, *asked), f + *asked, err);
        if (st != GPA_OK)
            break;
        *asked += now;
        all->done += now;
        all->stopped =
            s->scoring != NULL && s->scoring(s->scoring_ctx, all->done, s->n) != 0;
    }
    return st;
}

/* Predictions of the rows that have all their inputs, or of those that have not, into
 * s->f. */
static gpa_status predict_some(gpa_study *s, bool complete, struct scored *all,
                               gpa_error *err)
{
    size_t n = 0, d = s->d, asked = 0;
    size_t *which = gpai_calloc(s->n, sizeof *which);
    double *x = NULL, *f = NULL;
    gpa_status st = GPA_OK;
    for (size_t i = 0; which != NULL && i < s->n; i++)
        if (s->unfit[i] == FIT && (missing_input(s, i) == d) == complete)
            which[n++] = i;
    x = gpai_calloc(n + 1, d * sizeof *x);
    f = gpai_calloc(n + 1, sizeof *f);
    if (which == NULL || x == NULL || f == NULL) {
        st = gpai_nomem(err, "study");
        goto done;
    }
    for (size_t j = 0; j < n; j++)
        memcpy(x + j * d, s->x + which[j] * d, d * sizeof *x);
    st = predict_rows(s, x, n, (gpai_asked){.number = which}, f, all, &asked, err);
    for (size_t j = 0; j < n && st == GPA_OK; j++) {
        if (j < asked)
            s->f[which[j]] = f[j];
        else
            st = leave_out(s, which[j], NOT_ASKED, err);
    }
done:
    gpai_free(f);
    gpai_free(x);
    gpai_free(which);
    return st;
}

/* Rows with missing inputs go on their own: a model that fails for them has refused
 * them, and the others stay. */
static gpa_status predict_apart(gpa_study *s, gpa_error *err)
{
    struct scored all = {.done = s->n_unfit};
    gpa_error why = {0};
    gpa_status st = predict_some(s, true, &all, err);
    if (st != GPA_OK)
        return st;
    st = predict_some(s, false, &all, &why);
    if (st != GPA_MODEL && st != GPA_OK)
        return gpai_fail(err, st, "%s", why.message);
    for (size_t i = 0; st == GPA_MODEL && i < s->n; i++)
        if (s->unfit[i] == FIT && missing_input(s, i) < s->d &&
            leave_out(s, i, NO_INPUT, err) != GPA_OK)
            return GPA_DATA;
    return GPA_OK;
}

static gpa_status predict_every(gpa_study *s, gpa_error *err)
{
    struct scored all = {.done = 0};
    size_t asked;
    gpa_status st =
        predict_rows(s, s->x, s->n, (gpai_asked){.first = 0}, s->f, &all, &asked, err);
    for (size_t i = asked; i < s->n && st == GPA_OK; i++)
        st = leave_out(s, i, NOT_ASKED, err);
    return st;
}

static gpa_status predict(gpa_study *s, gpa_error *err)
{
    bool gaps = false;
    for (size_t i = 0; i < s->n * s->d && !gaps; i++)
        gaps = isnan(s->x[i]);
    gpa_status st = s->given.given[OPT_SCORES] ? gpai_study_take_scored(s, err)
                    : s->n_unfit > 0 || gaps   ? predict_apart(s, err)
                                               : predict_every(s, err);
    for (size_t i = 0; i < s->n && st == GPA_OK; i++)
        if (s->unfit[i] == FIT && !isfinite(s->f[i]))
            st = leave_out(s, i, NO_PREDICTION, err);
    return st;
}

/* Rows that lack what is needed before anything is asked. */
static gpa_status find_missing(gpa_study *s, gpa_error *err)
{
    bool refuses = gpa_model_refuses_missing(s->model);
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < s->n && st == GPA_OK; i++)
        if (!isfinite(s->y[i]))
            st = leave_out(s, i, NO_TARGET, err);
        else if (refuses && missing_input(s, i) < s->d)
            st = leave_out(s, i, NO_INPUT, err);
    return st;
}

struct fit {
    gpa_study *s;
    double *x, *y, *f;
};

static void lay_out(void *work, gpai_arena *a)
{
    struct fit *w = work;
    size_t n = w->s->n - w->s->n_unfit;
    w->x = gpai_take(a, n, w->s->d);
    GPAI_TAKE_EACH(a, n, 1, &w->y, &w->f);
    w->s->row = gpai_take_bytes(a, n, sizeof *w->s->row);
    w->s->place = gpai_take_bytes(a, w->s->n, sizeof *w->s->place);
}

/* s->sample of the rows that are left, one after another. */
static gpa_status close_ranks(gpa_study *s, gpa_error *err)
{
    struct fit w = {.s = s};
    size_t n = 0, d = s->d;
    if (s->n_unfit == s->n) {
        for (size_t i = 0; i < s->n; i++) /* the first says what is wrong */
            return refuse(s, i, (enum unfit)s->unfit[i], err);
    }
    s->fit_block = gpai_carve(lay_out, &w);
    if (s->fit_block == NULL)
        return gpai_nomem(err, "study");
    for (size_t i = 0; i < s->n; i++) {
        s->place[i] = n;
        if (s->unfit[i] != FIT) {
            s->f[i] = s->unfit[i] == NO_PREDICTION ? s->f[i] : (double)NAN;
            continue;
        }
        memcpy(w.x + n * d, s->x + i * d, d * sizeof *w.x);
        w.y[n] = s->y[i];
        w.f[n] = s->f[i];
        s->row[n++] = i;
    }
    s->sample = (gpa_sample){.x = w.x, .y = w.y, .f = w.f, .n = n, .d = d};
    return GPA_OK;
}

gpa_status gpai_study_open_usable(gpa_study *s, gpa_error *err)
{
    s->unfit = gpai_calloc(s->n, 1);
    if (s->unfit == NULL)
        return gpai_nomem(err, "study");
    gpa_status st = find_missing(s, err);
    if (st == GPA_OK)
        st = predict(s, err);
    if (st != GPA_OK)
        return st;
    s->sample = (gpa_sample){.x = s->x, .y = s->y, .f = s->f, .n = s->n, .d = s->d};
    if (s->n_unfit > 0) {
        st = close_ranks(s, err);
        say_left_out(s);
    }
    return st;
}
