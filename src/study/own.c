#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "model/model.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

/* Rows that are in no file, judged by those of a study. */

/* A cell of CSV. */
static void add_cell(gpa_text *t, const char *text, bool first)
{
    if (!first)
        gpai_text_add(t, ",");
    if (text[strcspn(text, ",\"\r\n\t ")] == '\0') {
        gpai_text_add(t, text);
        return;
    }
    gpai_text_add(t, "\"");
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"')
            gpai_text_add(t, "\"");
        gpai_text_bytes(t, p, 1);
    }
    gpai_text_add(t, "\"");
}

/* The rows as a file: the id, where there is one, the inputs, the target. */
static gpa_status write_csv(gpa_study *s, const char *const *cells,
                            const char *const *ids, size_t n, gpa_error *err)
{
    size_t width = s->d + 1;
    gpa_status st = gpa_text_new(&s->own_csv, err);
    if (st != GPA_OK)
        return st;
    gpa_text *t = s->own_csv;
    for (size_t i = 0; i <= n; i++) {
        if (ids != NULL)
            add_cell(t, i == 0 ? gpa_table_name(s->table, s->id) : ids[i - 1], true);
        for (size_t k = 0; k < width; k++) {
            const char *text = i > 0      ? cells[(i - 1) * width + k]
                               : k < s->d ? s->inputs[k]
                                          : gpa_study_target(s);
            add_cell(t, text != NULL ? text : "", k == 0 && ids == NULL);
        }
        gpai_text_add(t, "\n");
    }
    gpa_digest(t->data, t->length, s->own_digest);
    return gpai_text_seal(t, 0, err);
}

/* Room of their own; nothing of the base is written to. */
static gpa_status take_room(gpa_study *s, const char *const *ids, size_t n,
                            gpa_error *err)
{
    size_t d = s->d;
    s->n = n;
    s->n_unfit = 0;
    s->row = s->place = NULL;
    s->block = gpai_calloc(n, (d + 3) * sizeof *s->block);
    s->unfit = gpai_calloc(n, 1);
    s->ids = ids != NULL ? gpai_calloc(n, sizeof *s->ids) : NULL;
    if (s->block == NULL || s->unfit == NULL || (ids != NULL && s->ids == NULL))
        return gpai_nomem(err, "study");
    s->x = s->block;
    s->f = s->x + n * d;
    s->score = s->f + n;
    for (size_t i = 0; ids != NULL && i < n; i++) {
        s->ids[i] = gpai_study_keep_text(s, ids[i], strlen(ids[i]));
        if (s->ids[i] == NULL)
            return gpai_nomem(err, "study");
    }
    return GPA_OK;
}

static gpa_status read_rows(gpa_study *s, const char *const *cells, gpa_error *err)
{
    size_t width = s->d + 1;
    double *y = s->score + s->n;
    s->y = y;
    for (size_t i = 0; i < s->n * width; i++) {
        size_t row = i / width, k = i % width;
        double *to = k < s->d ? &s->x[row * s->d + k] : &y[row];
        const char *text = cells[i] != NULL ? cells[i] : "";
        gpa_error why = {0};
        if (gpai_study_read_value(s, k, text, to, &why) != GPA_OK)
            return gpai_fail(err, GPA_INVALID,
                             text[0] != '\0' ? "row %zu: '%.80s' is no value of '%.80s'"
                                             : "row %zu: %.0s'%.80s' is missing",
                             row, text, k < s->d ? s->inputs[k] : gpa_study_target(s));
    }
    return GPA_OK;
}

static gpa_status score_rows(gpa_study *s, gpa_error *err)
{
    const gpa_sample rows = {.x = s->x, .y = s->y, .n = s->n, .d = s->d};
    gpai_study_tell_sigma(s);
    gpa_status st = gpa_predict_observed(s->model, &rows, s->f, err);
    if (st != GPA_OK)
        return st;
    s->sample = (gpa_sample){.x = s->x, .y = s->y, .f = s->f, .n = s->n, .d = s->d};
    gpa_digest(s->f, s->n * sizeof *s->f, s->model_digest);
    for (size_t i = 0; i < s->n; i++)
        s->score[i] = (double)NAN;
    return isnan(s->sigma)
               ? GPA_OK
               : gpa_score(&s->sample, s->sigma, s->score, &s->collective, err);
}

/* As the command would be asked: its own file, the other as the reference. */
static gpa_status take_options(gpa_study *s, const gpai_setting *more, size_t n_more,
                               gpa_error *err)
{
    gpa_status st = gpai_study_take_settings(s, more, n_more, err);
    if (st == GPA_OK && s->n > 1)
        st = gpa_study_set(s, "all", NULL, err);
    if (st == GPA_OK && s->given.file != NULL)
        st = gpa_study_set(s, "reference", s->given.file, err);
    s->given.file = "-";
    return st;
}

/* The rows of `base` are the reference; there are no others yet. */
static gpa_status begin(gpa_study **out, const gpa_study *base,
                        const gpai_options *given, const char *command,
                        gpa_model *model, gpa_error *err)
{
    gpa_status st = gpai_study_begin_again(out, base, given, command, model, err);
    if (st != GPA_OK)
        return st;
    gpa_study *s = *out;
    s->own_rows = true;
    s->observed = true;
    s->reference = base->sample;
    s->stuck = s->d;
    s->block = NULL;
    s->unfit = NULL;
    s->ids = NULL;
    s->n_notes = s->n_tell = 0;
    return GPA_OK;
}

gpa_status gpai_study_own(gpa_study **out, const gpa_study *base,
                          const gpai_options *given, const char *command,
                          const gpai_setting *more, size_t n_more,
                          const char *const *cells, const char *const *ids, size_t n,
                          gpa_model *model, gpa_error *err)
{
    gpa_status st = begin(out, base, given, command, model, err);
    if (st != GPA_OK)
        return st;
    gpa_study *s = *out;
    st = take_room(s, ids, n, err);
    if (st == GPA_OK)
        st = read_rows(s, cells, err);
    const gpa_sample rows = {.x = s->x, .n = n, .d = s->d};
    if (st == GPA_OK)
        st = gpai_study_suspect_rows(s, &s->reference, &rows, err);
    if (st == GPA_OK)
        st = write_csv(s, cells, ids, n, err);
    if (st == GPA_OK)
        st = take_options(s, more, n_more, err);
    if (st == GPA_OK)
        st = score_rows(s, err);
    return st == GPA_OK ? gpai_study_end_again(s, err) : st;
}

/* They change from one explanation to the next, in one place. */
static gpa_status take_own_kinds(gpa_study *s, gpa_error *err)
{
    s->own_kinds = gpai_calloc(s->d, sizeof *s->own_kinds);
    if (s->own_kinds == NULL)
        return gpai_nomem(err, "study");
    memcpy(s->own_kinds, s->known.input, s->d * sizeof *s->own_kinds);
    s->explain.inputs = s->kinds = s->own_kinds;
    return GPA_OK;
}

gpa_status gpai_study_await(gpa_study **out, const gpa_study *base,
                            const gpai_options *given, gpa_error *err)
{
    gpa_status st = begin(out, base, given, "explain", base->model, err);
    if (st != GPA_OK)
        return st;
    gpa_study *s = *out;
    s->n = 0;
    s->n_unfit = 0;
    s->row = s->place = NULL;
    s->sample = (gpa_sample){.d = s->d};
    st = gpai_study_take_settings(s, NULL, 0, err);
    s->opened = true;
    if (st == GPA_OK)
        st = gpai_study_settings(s, err);
    if (st == GPA_OK)
        st = take_own_kinds(s, err);
    if (st == GPA_OK)
        st = gpai_study_describe(s, err);
    s->ready = st == GPA_OK;
    return st;
}

/* The culprits are all that is wanted. */
static int end_at_verdict(void *ctx, const gpa_explanation *e)
{
    (void)ctx;
    return gpa_explanation_stage(e) == GPA_STAGE_VERDICT;
}

gpa_status gpai_study_predict(const gpa_study *s, const double *x, size_t n,
                              const char *word, const size_t *number, double *f,
                              gpa_error *err)
{
    return gpai_model_predict(s->model, x, n, (gpai_asked){word, number, 0}, f, err);
}

void gpai_normal_forget(gpai_normal *n)
{
    gpai_known_free(n->known);
    n->known = NULL;
}

gpa_status gpai_study_blame(gpa_study *s, const gpa_sample *rows, gpai_normal *normal,
                            gpa_explanation **out, gpa_error *err)
{
    gpa_status st = GPA_OK;
    gpa_explain_options o = s->explain;
    o.context = o.reference = &normal->rows;
    o.sigma = normal->sigma;
    o.unit = normal->unit;
    o.marginals = GPA_MARGINALS_NONE;
    o.stage = end_at_verdict;
    if (normal->known == NULL) { /* other rows are normal */
        st = gpai_study_follow(s, &normal->rows, err);
        if (st == GPA_OK)
            st = gpai_known_new(&normal->known, err);
    }
    if (st != GPA_OK)
        return st;
    gpai_study_suspect_now(s, &normal->rows, rows);
    return gpai_explain_known(out, s->model, rows, &o, normal->known, err);
}
