#include "study/study.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/words.h"
#include "data/table.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gpa_status gpai_study_from(gpa_study **out, const gpai_options *given, gpa_error *err)
{
    *out = gpai_calloc(1, sizeof **out);
    if (*out == NULL)
        return gpai_nomem(err, "study");
    (*out)->given = *given;
    (*out)->id = GPAI_NO_COLUMN;
    (*out)->sigma = (*out)->collective = (double)NAN;
    return GPA_OK;
}

gpa_status gpa_study_new(gpa_study **out, const char *command, gpa_error *err)
{
    enum { ASKED = IN_SCORE | IN_EXPLAIN | IN_COMPARE | IN_MODEL | IN_BENCH };
    static const char *const NAMES[] = {"score", "explain", "compare", "model",
                                        "bench"};
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "study: nowhere to put it");
    *out = NULL;
    gpai_options given = {.bit = gpai_options_command(command)};
    if ((given.bit & ASKED) == 0)
        return gpai_fail(err, GPA_INVALID, "study: '%.40s' is no question",
                         command != NULL ? command : "");
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(NAMES[i], command) == 0)
            given.command = NAMES[i];
    return gpai_study_from(out, &given, err);
}

/* What other questions about the same rows share. */
static void free_resolved(gpa_study *s)
{
    gpai_free(s->reference_block);
    gpai_free(s->reference_columns);
    gpa_table_free(s->own_reference);
    gpai_study_close_inputs(s);
    gpai_free(s->fit_block);
    gpai_free(s->unfit);
    gpai_free(s->block);
    gpai_free(s->ids);
    gpai_free(s->inputs);
    gpai_free(s->called);
    gpai_free(s->measure);
    gpai_free(s->columns);
    gpa_table_free(s->own_table);
    gpa_model_free(s->own_model);
}

void gpa_study_free(gpa_study *s)
{
    if (s == NULL)
        return;
    gpa_text_free(s->record);
    gpai_free(s->shown_numbers);
    gpai_free(s->shown_rows);
    if (s->given.bit == IN_COMPARE)
        gpai_other_methods_free(&s->others);
    gpai_free(s->limits.lower);
    gpai_free(s->start);
    gpai_free(s->slopes);
    gpai_free(s->edits);
    gpai_chosen_free(&s->chosen);
    gpai_kinds_close(&s->known);
    gpai_kinds_close(&s->found);
    gpai_kinds_close(&s->followed);
    gpai_free(s->own_kinds);
    if (s->base == NULL)
        free_resolved(s);
    if (s->own_rows) {
        gpai_free(s->block);
        gpai_free(s->unfit);
        gpai_free(s->ids);
        gpa_text_free(s->own_csv);
    }
    for (size_t i = 0; i < s->n_kept; i++)
        gpai_free(s->kept[i]);
    gpai_free(s->kept);
    gpai_free(s);
}

__attribute__((format(printf, 3, 0))) static void
add_note(gpa_study *s, bool told, const char *format, va_list args)
{
    if (s->n_notes == GPAI_STUDY_NOTES)
        return;
    char *note = s->notes[s->n_notes];
    vsnprintf(note, GPAI_STUDY_NOTE_SIZE, format, args);
    s->told[s->n_notes++] = told;
    if (told)
        s->tell[s->n_tell++] = note;
}

void gpai_study_say(gpa_study *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(s, false, format, args);
    va_end(args);
}

void gpai_study_tell(gpa_study *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(s, true, format, args);
    va_end(args);
}

const char *gpa_study_note(const gpa_study *s, size_t i)
{
    return i < s->n_notes ? s->notes[i] : NULL;
}

/* Options, one by one. */

const char *gpa_study_option(const char *command, size_t i)
{
    unsigned bit = gpai_options_command(command);
    for (int k = 0; k < OPTIONS; k++)
        if (GPAI_OPTIONS[k].name != NULL && (GPAI_OPTIONS[k].commands & bit) != 0 &&
            i-- == 0)
            return GPAI_OPTIONS[k].name;
    return NULL;
}

static gpa_status find_option(const gpa_study *s, const char *name, int *option,
                              gpa_error *err)
{
    char dashed[64];
    if (s == NULL || name == NULL || s->opened)
        return gpai_fail(err, GPA_INVALID, "study: no study, no name, or open already");
    snprintf(dashed, sizeof dashed, "%s", name);
    for (char *p = dashed; *p != '\0'; p++)
        *p = *p == '_' ? '-' : *p;
    *option = gpai_options_find(s->given.bit, dashed, strlen(dashed));
    if (*option >= 0)
        return GPA_OK;
    if (err == NULL) /* who only asks pays for no advice */
        return GPA_INVALID;
    const char *near = gpai_options_nearest(s->given.bit, dashed);
    return gpai_fail(err, GPA_INVALID, "%s: unknown option '%s'%s%s%s",
                     s->given.command, dashed, near != NULL ? "; did you mean '" : "",
                     near != NULL ? near : "", near != NULL ? "'?" : "");
}

/* A copy that lives as long as the study; NULL without memory. */
static void *keep(gpa_study *s, const void *bytes, size_t n, size_t size)
{
    void *copy = gpai_calloc(n > 0 ? n : 1, size);
    void **more = gpai_regrow(s->kept, s->n_kept + 1, sizeof *more);
    s->kept = more != NULL ? more : s->kept;
    if (copy == NULL || more == NULL) {
        gpai_free(copy);
        return NULL;
    }
    if (n > 0)
        memcpy(copy, bytes, n * size);
    s->kept[s->n_kept++] = copy;
    return copy;
}

static const char *keep_text(gpa_study *s, const char *text)
{
    return keep(s, text, strlen(text) + 1, 1);
}

char *gpai_study_keep_text(gpa_study *s, const char *text, size_t length)
{
    char *copy = keep(s, NULL, 0, length + 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

gpa_status gpa_study_set(gpa_study *s, const char *name, const char *value,
                         gpa_error *err)
{
    int option = -1;
    gpa_status st = find_option(s, name, &option, err);
    if (st != GPA_OK)
        return st;
    const gpai_option *o = &GPAI_OPTIONS[option];
    if (o->kind == OPTION_FLAG && value != NULL && value[0] != '\0')
        return gpai_fail(err, GPA_INVALID, "--%s takes no argument", o->name);
    if (o->kind != OPTION_FLAG && value == NULL)
        return gpai_fail(err, GPA_INVALID, "--%s needs %s", o->name, o->argument);
    const char *kept = keep_text(s, value != NULL ? value : "");
    if (kept == NULL)
        return gpai_nomem(err, "study");
    return gpai_options_take(&s->given, option, kept, err);
}

gpa_status gpa_study_set_numbers(gpa_study *s, const char *name, const double *numbers,
                                 size_t n, gpa_error *err)
{
    static const enum option_id TAKE[] = {OPT_DELTA_INIT, OPT_SLOPE_NODES, OPT_BASELINE,
                                          OPT_SV_DRAWS, OPT_SCALE};
    int option = -1;
    bool takes = false;
    gpa_status st = find_option(s, name, &option, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < sizeof TAKE / sizeof TAKE[0]; i++)
        takes = takes || option == (int)TAKE[i];
    if (!takes || (numbers == NULL && n > 0))
        return gpai_fail(err, GPA_INVALID, "--%s takes no list of numbers",
                         GPAI_OPTIONS[option].name);
    double *copy = keep(s, numbers, n, sizeof *copy);
    if (copy == NULL)
        return gpai_nomem(err, "study");
    s->given.given[option] = true;
    s->given.text[option] = "given";
    s->given.numbers[option].at = copy;
    s->given.numbers[option].n = n;
    return GPA_OK;
}

gpa_status gpa_study_set_file(gpa_study *s, const char *path, gpa_error *err)
{
    if (s == NULL || path == NULL || s->columns != NULL)
        return gpai_fail(err, GPA_INVALID, "study: no study, no file, or open already");
    s->given.file = keep_text(s, path);
    return s->given.file != NULL ? GPA_OK : gpai_nomem(err, "study");
}

void gpa_study_set_table(gpa_study *s, const gpa_table *table)
{
    if (s->columns == NULL) /* what is resolved stays */
        s->table = table;
}

void gpa_study_set_model(gpa_study *s, gpa_model *m)
{
    if (s->columns == NULL)
        s->model = m;
}

void gpa_study_set_predict(gpa_study *s, gpa_predict_fn predict, void *ctx, size_t d,
                           const char *const *names)
{
    s->function.predict = predict;
    s->function.ctx = ctx;
    s->function.d = d;
    s->function.names = names;
}

void gpa_study_set_reference(gpa_study *s, const gpa_table *table, bool observed)
{
    s->reference_table = table;
    s->observed = observed;
}

void gpa_study_set_progress(gpa_study *s, gpa_progress_fn progress, void *ctx)
{
    s->progress = progress;
    s->progress_ctx = ctx;
}

void gpai_study_set_scoring(gpa_study *s, gpa_progress_fn scoring, void *ctx)
{
    s->scoring = scoring;
    s->scoring_ctx = ctx;
}

void gpai_study_set_stage(gpa_study *s, gpa_stage_fn stage, void *ctx)
{
    s->stage = stage;
    s->stage_ctx = ctx;
}

/* What is resolved, in order. */

gpa_status gpai_study_open_model(gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    gpa_model_options opt;
    if (s->model != NULL || s->function.predict != NULL)
        return GPA_OK;
    if (!o->given[OPT_MODEL])
        return gpai_fail(err, GPA_INVALID,
                         "%s: --model is missing, e.g. --model mlp:model.json",
                         o->command);
    gpa_model_options_init(&opt);
    opt.config = o->text[OPT_MODEL_CONFIG];
    opt.batch_rows = (size_t)gpai_options_count(o, OPT_BATCH, opt.batch_rows);
    if (o->given[OPT_MODEL_TIMEOUT])
        opt.timeout = o->real[OPT_MODEL_TIMEOUT];
    opt.workers = (size_t)o->count[OPT_MODEL_WORKERS];
    opt.auth = o->text[OPT_MODEL_AUTH];
    gpa_status st = gpa_model_open(&s->own_model, o->text[OPT_MODEL], &opt, err);
    s->model = s->own_model;
    return st;
}

static gpa_status read_table(gpa_study *s, gpa_error *err)
{
    gpa_table_options opt;
    if (s->table != NULL)
        return GPA_OK;
    if (s->given.file == NULL)
        return gpai_fail(err, GPA_INVALID, "study: neither a file nor a table is set");
    gpa_table_options_init(&opt);
    opt.text_column = s->given.text[OPT_ID];
    opt.no_header = s->given.given[OPT_NO_HEADER];
    gpa_status st = gpai_table_open(&s->own_table, s->given.file, &opt, err);
    s->table = s->own_table;
    return st;
}

/* The columns that were chosen, of a file that can be read column by column. */
static gpa_status load_columns(gpa_study *s, gpa_error *err)
{
    size_t n = s->d;
    if (s->own_table == NULL)
        return GPA_OK;
    size_t *each = gpai_calloc(n + 2, sizeof *each);
    if (each == NULL)
        return gpai_nomem(err, "study");
    memcpy(each, s->columns, n * sizeof *each);
    each[n++] = s->target;
    if (s->id != GPAI_NO_COLUMN)
        each[n++] = s->id;
    gpa_status st = gpai_table_load(s->own_table, each, n, err);
    gpai_free(each);
    return st;
}

gpa_status gpai_study_digest(const char *path, char digest[GPA_DIGEST_SIZE],
                             gpa_error *err)
{
    return gpai_table_digest(path, digest, err);
}

/* The model of a function, now that the number of its inputs is known; and its batches,
 * whoever opened it. */
static gpa_status settle_model(gpa_study *s, gpa_error *err)
{
    if (s->model == NULL) {
        gpa_status st = gpa_model_from_callback(&s->own_model, s->function.predict,
                                                s->function.ctx, s->d, err);
        if (st != GPA_OK)
            return st;
        s->model = s->own_model;
    }
    gpa_model_set_batch(s->model, (size_t)s->given.count[OPT_BATCH]);
    return GPA_OK;
}

static gpa_status take_room(gpa_study *s, gpa_error *err)
{
    size_t n = s->n, d = s->d;
    bool fits = d == 0 || n <= (SIZE_MAX / sizeof(double) - 2 * n - 2 * d) / d;
    s->block = fits ? gpai_calloc(n * d + 2 * n + 2 * d, sizeof(double)) : NULL;
    s->inputs = gpai_calloc(d, sizeof *s->inputs);
    s->called = gpai_calloc(d, sizeof *s->called);
    s->measure = gpai_calloc(d, sizeof *s->measure);
    s->ids = s->id != GPAI_NO_COLUMN ? gpai_calloc(n, sizeof *s->ids) : NULL;
    if (s->block == NULL || s->inputs == NULL || s->called == NULL ||
        s->measure == NULL || (s->id != GPAI_NO_COLUMN && s->ids == NULL))
        return gpai_fail(err, GPA_NOMEM, "out of memory for %zu rows of %zu inputs", n,
                         d);
    s->x = s->block;
    s->f = s->x + n * d;
    s->score = s->f + n;
    s->center = s->score + n;
    s->unit = s->center + d;
    return GPA_OK;
}

static gpa_status name_inputs(gpa_study *s, gpa_error *err)
{
    for (size_t k = 0; k < s->d; k++)
        s->inputs[k] = gpa_table_name(s->table, s->columns[k]);
    gpa_status st = gpai_study_take_measures(s, err);
    if (st == GPA_OK)
        st = gpai_study_open_sources(s, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; s->ids != NULL && i < s->n; i++) {
        const char *id = gpa_table_text(s->table, i, s->id);
        s->ids[i] = id != NULL ? id : "";
    }
    return GPA_OK;
}

/* The model and the table's columns. */
static gpa_status open_columns(gpa_study *s, gpa_error *err)
{
    s->begun = true;
    gpa_status st = gpai_study_open_model(s, err);
    if (st == GPA_OK)
        st = read_table(s, err);
    if (st != GPA_OK)
        return st;
    s->n = gpa_table_rows(s->table);
    if (s->n == 0)
        return gpai_fail(err, GPA_DATA, "%.200s: no rows",
                         s->given.file != NULL ? s->given.file : "the data");
    if (s->table->commas > 0)
        gpai_study_tell(s, "the file has decimal commas: %zu column%s read so",
                        s->table->commas, s->table->commas > 1 ? "s are" : " is");
    st = gpai_choose_columns(s, err);
    if (st == GPA_OK)
        st = load_columns(s, err);
    if (st == GPA_OK)
        st = settle_model(s, err);
    if (st == GPA_OK)
        st = take_room(s, err);
    if (st == GPA_OK)
        st = name_inputs(s, err);
    if (st == GPA_OK)
        st = gpa_model_set_inputs(s->model, s->d, s->inputs, err);
    s->rows_open = st == GPA_OK;
    return st;
}

gpa_status gpai_study_open_rows(gpa_study *s, gpa_error *err)
{
    gpa_status st = open_columns(s, err);
    return st == GPA_OK ? gpai_study_take_inputs(s, err) : st;
}

gpa_status gpa_study_open_rows(gpa_study *s, gpa_error *err)
{
    if (s == NULL || s->begun)
        return gpai_fail(err, GPA_INVALID, "study: no study, or open already");
    return gpai_study_open_rows(s, err);
}

/* The observed outcomes, where there are. */
static gpa_status take_target(gpa_study *s, gpa_error *err)
{
    gpa_error why;
    s->y = gpa_table_numbers(s->table, s->target, &why);
    if (s->y != NULL)
        return GPA_OK;
    if (gpai_table_meant_as_numbers(s->table, s->target))
        return gpai_fail(err, GPA_DATA, "%s", why.message);
    if (s->given.given[OPT_TARGET])
        return gpai_fail(err, GPA_DATA,
                         "--target: '%s' is a column of text: name the one with the "
                         "numbers that were observed",
                         gpai_show_text(gpa_table_name(s->table, s->target)).text);
    return gpai_fail(err, GPA_DATA, "%.380s; is '%.40s' the target? use --target",
                     why.message, gpa_table_name(s->table, s->target));
}

/* Whether scores can be done without: the rows are named, or there is but the one that
 * the caller handed over, and the noise is given. */
static bool scores_needless(const gpa_study *s)
{
    const gpai_options *o = &s->given;
    return o->bit == IN_EXPLAIN && o->given[OPT_B0] && !o->given[OPT_FAIL_ABOVE] &&
           (o->given[OPT_ROWS] || o->given[OPT_ALL_ROWS] ||
            (s->n == 1 && s->own_table == NULL));
}

/* Why rows, several of them, do not say what sigma is. */
static const char *useless(const gpa_sample *from)
{
    for (size_t i = 0; i < from->n; i++)
        if (!isfinite(from->y[i] - from->f[i]))
            return " whose y - f are too large for numbers";
    return " whose y - f do not differ";
}

/* A model is nearer to the rows it was fitted to than to any others. */
void gpai_study_tell_sigma(gpa_study *s)
{
    char sigma[GPAI_REAL_SIZE];
    if (!s->observed || isnan(s->sigma) || s->given.given[OPT_SIGMA])
        return;
    gpai_real_people(sigma, s->sigma, 3);
    gpai_study_tell(s,
                    "sigma is %s, from the %zu reference rows; too small if the model "
                    "was fitted to them: then give --sigma",
                    sigma, s->reference.n);
}

/* sigma as given, or from the rows whose outcomes say how noisy y is. */
static gpa_status take_sigma(gpa_study *s, gpa_error *err)
{
    const gpa_sample *from = s->observed ? &s->reference : &s->sample;
    s->sigma = s->given.real[OPT_SIGMA];
    if (s->given.given[OPT_SIGMA])
        return GPA_OK;
    gpa_status st =
        from->n < 2 ? GPA_NUMERIC : gpa_residual_sigma(from, &s->sigma, err);
    if (st == GPA_OK)
        gpai_study_tell_sigma(s);
    if (st != GPA_NUMERIC)
        return st;
    s->sigma = (double)NAN;
    if (scores_needless(s))
        return GPA_OK;
    return gpai_fail(err, GPA_DATA,
                     "sigma cannot be taken from %zu row%s%s: give --sigma, or "
                     "--reference rows that have %.80s",
                     from->n, from->n == 1 ? "" : "s", from->n < 2 ? "" : useless(from),
                     gpa_study_target(s));
}

/* Scores of the rows that can be used; the others have none. */
static gpa_status take_scores(gpa_study *s, gpa_error *err)
{
    gpa_status st = isnan(s->sigma) ? GPA_OK
                                    : gpa_score(&s->sample, s->sigma, s->score,
                                                &s->collective, err);
    for (size_t i = s->n; i-- > 0 && st == GPA_OK;) /* backwards: places only grow */
        s->score[i] = isnan(s->sigma) || s->unfit[i] != 0 ? (double)NAN
                      : s->place == NULL                  ? s->score[i]
                                                          : s->score[s->place[i]];
    return st;
}

void gpai_study_let_columns_go(gpa_study *s)
{
    for (size_t k = 0; s->own_table != NULL && k < s->d; k++)
        if (s->columns[k] != s->target)
            gpai_table_let_go(s->own_table, s->columns[k], 0);
}

gpa_status gpai_study_open_kinds(gpa_study *s, gpa_error *err)
{
    gpa_status st = s->rows_open ? GPA_OK : open_columns(s, err);
    if (st == GPA_OK)
        st = gpai_study_open_reference(s, err);
    if (st == GPA_OK)
        st = gpai_study_open_inputs(s, err);
    if (st == GPA_OK)
        st = take_target(s, err);
    if (st == GPA_OK)
        st = gpai_study_take_inputs(s, err);
    s->kinds_open = st == GPA_OK;
    return st;
}

gpa_status gpai_study_open_scores(gpa_study *s, gpa_error *err)
{
    gpa_status st = s->kinds_open ? GPA_OK : gpai_study_open_kinds(s, err);
    if (st == GPA_OK)
        st = gpai_study_open_usable(s, err);
    if (st != GPA_OK)
        return st;
    if (!s->given.given[OPT_SCORES])
        gpa_digest(s->f, s->n * sizeof *s->f, s->model_digest);
    st = gpai_study_observe(s, err);
    if (st == GPA_OK)
        st = take_sigma(s, err);
    return st == GPA_OK ? take_scores(s, err) : st;
}

gpa_status gpai_study_tell_kinds(gpa_study *s, gpa_error *err)
{
    gpa_status st =
        gpai_kinds_line(&s->known, s->called, s->taken, sizeof s->taken, err);
    if (s->base != NULL && !s->own_rows) { /* it was said of the others */
        s->tell[0] = s->taken;
        return st;
    }
    memmove(s->tell + 1, s->tell, s->n_tell * sizeof *s->tell);
    s->tell[0] = s->taken;
    s->n_tell++;
    return st;
}

gpa_status gpa_study_open(gpa_study *s, gpa_error *err)
{
    if (s == NULL || s->opened || (s->begun && !s->rows_open))
        return gpai_fail(err, GPA_INVALID, "study: no study, or open already");
    s->opened = true;
    bool score = s->given.bit == IN_SCORE;
    gpa_status st = gpai_study_open_scores(s, err);
    if (st == GPA_OK && !score)
        st = gpai_study_open_units(s, err);
    if (st == GPA_OK)
        st = gpai_choose_rows(&s->chosen, s, err);
    if (st == GPA_OK && !score && s->given.repeats > 0)
        st = gpai_study_copy_kinds(&s->found, &s->known, err);
    if (st == GPA_OK && !score)
        st = gpai_study_settings(s, err);
    if (st == GPA_OK && !score)
        st = gpai_study_tell_kinds(s, err);
    if (st == GPA_OK && s->given.bit == IN_COMPARE)
        st = gpai_other_methods_read(&s->others, s, err);
    if (st == GPA_OK)
        st = gpai_study_look(s, err);
    if (st == GPA_OK)
        st = gpai_study_describe(s, err);
    s->ready = st == GPA_OK;
    return st;
}

/* What was resolved, a line each. */
#define GET(type, name, answer)                                                        \
    type name(const gpa_study *s)                                                      \
    {                                                                                  \
        return answer;                                                                 \
    }

GET(size_t, gpa_study_rows, s->n)
GET(size_t, gpa_study_dim, s->d)
GET(gpa_model *, gpa_study_model, s->model)
GET(const char *, gpa_study_target,
    s->table != NULL ? gpa_table_name(s->table, s->target) : NULL)
GET(const double *, gpa_study_x, s->x)
GET(const double *, gpa_study_y, s->y)
GET(const double *, gpa_study_f, s->f)
GET(const double *, gpa_study_score, s->score)
GET(double, gpa_study_sigma, s->sigma)
GET(double, gpa_study_collective, s->collective)
GET(const double *, gpa_study_center, s->center)
GET(const double *, gpa_study_unit, s->unit)
GET(const gpa_report_info *, gpa_study_info, &s->info)

const char *gpa_study_input(const gpa_study *s, size_t k)
{
    return s->inputs != NULL && k < s->d ? s->inputs[k] : NULL;
}

const gpa_input *gpa_study_kind(const gpa_study *s, size_t k)
{
    return s->kinds != NULL && k < s->d ? &s->kinds[k] : NULL;
}

const size_t *gpa_study_chosen(const gpa_study *s, size_t *n)
{
    *n = s->chosen.n;
    return s->chosen.rows;
}
