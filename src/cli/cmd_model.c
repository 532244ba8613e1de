#include "base/rng.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "cli/commands.h"
#include "cli/probe.h"
#include "console/out.h"
#include "console/terminal.h"
#include "study/study.h"
#include <gpa/version.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIED = 8 }; /* rows asked beforehand: is the model content with such? */

struct run {
    const gpai_options *a;
    gpa_study *study;
    gpa_model *model;
    double *x; /* random rows, or those of the file that can be asked */
    double f[TRIED];
    size_t n;
    const char *random; /* what such rows are called; NULL: they are the file's */
    struct probe found;
};

/* --inputs N, or --features A,B, for models that do not know their inputs. */
static gpa_status tell_inputs(struct run *r, gpa_error *err)
{
    gpa_model *m = r->model;
    if (r->a->given[OPT_INPUTS])
        return gpa_model_set_inputs(m, (size_t)r->a->count[OPT_INPUTS], NULL, err);
    if (gpa_model_dim(m) == 0)
        return gpai_fail(
            err, GPA_INVALID,
            "this model takes any number of inputs: name a FILE of rows, or "
            "give --inputs N");
    return GPA_OK;
}

static gpa_status make_rows(struct run *r, gpa_error *err)
{
    enum { ROWS_MADE = 1024 };
    size_t d = gpa_model_dim(r->model);
    gpai_rng rng = gpai_rng_make(gpai_options_count(r->a, OPT_SEED, 1), 0);
    r->x = d > SIZE_MAX / ROWS_MADE ? NULL : calloc(d * ROWS_MADE, sizeof *r->x);
    if (r->x == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory for rows of %zu inputs", d);
    for (size_t i = 0; i < d * ROWS_MADE; i++)
        r->x[i] = gpai_rng_normal(&rng);
    r->n = ROWS_MADE;
    r->random = "random";
    return GPA_OK;
}

/* Inputs with levels take no numbers between them: whole ones then. */
static gpa_status suit_levels(struct run *r, gpa_error *err)
{
    gpa_error why = {0};
    gpa_status st = gpa_model_predict(r->model, r->x, TRIED, r->f, err);
    if (st != GPA_MODEL)
        return st;
    for (size_t i = 0; i < r->n * gpa_model_dim(r->model); i++)
        r->x[i] = floor(fabs(r->x[i]));
    r->random = "random whole-numbered";
    st = gpa_model_predict(r->model, r->x, TRIED, r->f, &why);
    if (st == GPA_MODEL)
        return gpai_fail(err, st,
                         "%.380s; random rows do not suit this model: name a FILE of "
                         "its rows",
                         why.message);
    return st;
}

/* The rows of the file as far as the model takes them: of those with missing inputs a
 * few are tried. */
static gpa_status take_rows(struct run *r, gpa_error *err)
{
    const gpa_study *s = r->study;
    size_t d = s->d, missing = 0;
    gpa_error why;
    r->x = d > SIZE_MAX / (s->n + 1) ? NULL : calloc((s->n + 1) * d, sizeof *r->x);
    if (r->x == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory for rows of %zu inputs", d);
    for (int gaps = 0; gaps < 2; gaps++) /* complete rows, then the others */
        for (size_t i = 0; i < s->n; i++) {
            size_t k = 0;
            while (k < d && !isnan(s->x[i * d + k]))
                k++;
            if ((k < d) == (gaps == 1))
                memcpy(r->x + r->n++ * d, s->x + i * d, d * sizeof *r->x);
            missing += gaps == 1 && k < d;
        }
    size_t first = r->n - missing, some = missing < TRIED ? missing : TRIED;
    gpa_status st =
        missing > 0 ? gpa_model_predict(r->model, r->x + first * d, some, r->f, &why)
                    : GPA_OK;
    if (st == GPA_OK || first == 0)
        return GPA_OK; /* what is asked then says why not */
    gpai_study_tell(r->study, "%zu of %zu rows left out, %s", missing, s->n,
                    gpai_study_refuser(s));
    r->n = first;
    return GPA_OK;
}

static gpa_status probe(struct run *r, gpa_error *err)
{
    const gpai_options *a = r->a;
    bool file = a->file != NULL;
    gpa_status st = gpai_study_from(&r->study, a, err);
    if (st == GPA_OK)
        st = file ? gpai_study_open_rows(r->study, err)
                  : gpai_study_open_model(r->study, err);
    if (st == GPA_OK) {
        r->model = gpa_study_model(r->study);
        st = file ? take_rows(r, err) : tell_inputs(r, err);
    }
    if (st == GPA_OK && !file)
        st = make_rows(r, err);
    say_notes(r->study);
    if (st == GPA_OK && !file)
        st = suit_levels(r, err);
    if (st != GPA_OK)
        return st;
    double limit = a->given[OPT_MODEL_TIMEOUT] ? a->real[OPT_MODEL_TIMEOUT] : 5;
    return probe_model(&r->found, r->model, r->x, r->n, limit < 5 ? limit : 5, err);
}

static const char *name_of(const struct run *r, size_t k)
{
    const char *name = gpa_model_variable(r->model, k);
    return name != NULL ? name : gpa_study_input(r->study, k);
}

enum { COLUMNS = 60 }; /* of a name on a terminal, at most */

static void write_names(const struct run *r, gpa_text *f)
{
    enum { SHOWN = 12 };
    size_t d = gpa_model_dim(r->model);
    if (name_of(r, 0) == NULL) {
        gpai_text_printf(f, "%zu, without names", d);
        return;
    }
    gpai_text_printf(f, "%zu:", d);
    for (size_t k = 0; k < d && k < SHOWN; k++) {
        gpai_text_add(f, k > 0 ? ", " : " ");
        gpai_text_visible(f, name_of(r, k), COLUMNS, false);
    }
    if (d > SHOWN)
        gpai_text_add(f, ", ...");
}

/* Seconds as people say them. */
static void write_time(gpa_text *f, double seconds)
{
    if (!isfinite(seconds))
        gpai_text_printf(f, "%10s", "-");
    else if (seconds < 1e-3)
        gpai_text_printf(f, "%7.1f us", seconds * 1e6);
    else if (seconds < 1)
        gpai_text_printf(f, "%7.2f ms", seconds * 1e3);
    else
        gpai_text_printf(f, "%7.2f s ", seconds);
}

static void write_findings(const struct run *r, gpa_text *f)
{
    const struct probe *p = &r->found;
    gpai_text_printf(f, "\n  same rows, same answer:    %s\n",
                     p->deterministic ? "yes"
                                      : "NO: explanations will differ from run to run");
    gpai_text_add(f, "  a row alone, same answer:  ");
    if (p->alone == 0)
        gpai_text_add(f, "yes\n");
    else if (p->alone < PROBE_ROUNDING)
        gpai_text_printf(f, "to rounding (it differs by %.0e of its size)\n", p->alone);
    else
        gpai_text_printf(f, "NO: it depends on the other rows of its batch\n");
    gpai_text_printf(f, "  finite:                    ");
    if (p->nonfinite == 0)
        gpai_text_add(f, "on all ");
    else
        gpai_text_printf(f, "NO: no number for %zu of ", p->nonfinite);
    gpai_text_printf(f, "%zu %s rows\n", p->checked,
                     r->random != NULL ? r->random : "probed");
    gpai_text_printf(f, "  several threads:           %s (%zu at once",
                     p->threads_equal    ? "same answers"
                     : p->threads_failed ? "NO: calls failed"
                                         : "NO: other answers",
                     p->threads);
    if (isfinite(p->speedup))
        gpai_text_printf(f, ": %.1f times the rows/s", p->speedup);
    gpai_text_add(f, ")\n");
    gpai_text_printf(
        f, "\n  recommended: --batch %zu --threads %zu%s\n", p->batch, p->workers,
        gpa_model_in_process(r->model) ? "" : " (and as many --model-workers)");
}

static void write_table(const struct run *r, gpa_text *f)
{
    const struct probe *p = &r->found;
    gpai_text_add(f, "  model:   ");
    gpai_text_visible(f, r->a->text[OPT_MODEL], COLUMNS, false);
    gpai_text_add(f, "\n  inputs:  ");
    write_names(r, f);
    gpai_text_printf(f, "\n  where:   %s\n\n  %10s  %10s  %12s\n",
                     gpa_model_in_process(r->model) ? "in this process"
                                                    : "outside this process",
                     "rows", "a call", "rows/s");
    for (size_t i = 0; i < PROBE_SIZES; i++) {
        gpai_text_printf(f, "  %10zu  ", p->size[i]);
        write_time(f, p->seconds[i]);
        if (isfinite(p->seconds[i]))
            gpai_text_printf(f, "  %12.0f\n", (double)p->size[i] / p->seconds[i]);
        else
            gpai_text_printf(f, "  %12s\n", "not tried");
    }
    write_findings(r, f);
}

static void write_json(const struct run *r, gpa_text *f)
{
    const struct probe *p = &r->found;
    size_t d = gpa_model_dim(r->model);
    gpai_text_printf(
        f, "{\"format\":\"gpa-model/1\",\"version\":\"%s\",\"model\":{\"spec\":",
        gpa_version());
    gpai_json_string(f, r->a->text[OPT_MODEL]);
    gpai_text_printf(f, ",\"inputs\":%zu,\"in_process\":%s},\n \"features\":", d,
                     gpa_model_in_process(r->model) ? "true" : "false");
    gpai_text_add(f, name_of(r, 0) != NULL ? "[" : "null");
    for (size_t k = 0; k < d && name_of(r, 0) != NULL; k++)
        gpai_json_text_item(f, name_of(r, k));
    gpai_text_add(f,
                  name_of(r, 0) != NULL ? "],\n \"latency\":[" : ",\n \"latency\":[");
    for (size_t i = 0; i < PROBE_SIZES; i++) {
        gpai_text_printf(f, "%s\n  {\"rows\":%zu,\"seconds\":", i > 0 ? "," : "",
                         p->size[i]);
        gpai_json_number(f, p->seconds[i]);
        gpai_text_add(f, ",\"rows_per_second\":");
        gpai_json_number(f, (double)p->size[i] / p->seconds[i]);
        gpai_text_add(f, "}");
    }
    gpai_text_printf(f,
                     "],\n \"deterministic\":%s,\"row_alone\":%s,\"checked_rows\":%zu,"
                     "\"nonfinite_rows\":%zu,\"thread_safe\":%s,\"threads\":%zu,"
                     "\"thread_speedup\":",
                     p->deterministic ? "true" : "false",
                     p->alone < PROBE_ROUNDING ? "true" : "false", p->checked,
                     p->nonfinite, p->threads_equal ? "true" : "false", p->threads);
    gpai_json_number(f, p->speedup);
    gpai_text_add(f, ",\"row_alone_difference\":");
    gpai_json_number(f, p->alone);
    gpai_text_printf(
        f, ",\n \"model_rows\":%zu,\"recommended\":{\"batch\":%zu,\"threads\":%zu}}\n",
        p->rows_asked, p->batch, p->workers);
}

int cmd_model(const gpai_options *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_text *text = NULL;
    gpa_status st = gpa_text_new(&text, &err);
    if (st == GPA_OK)
        st = probe(&r, &err);
    if (st == GPA_OK) {
        (a->given[OPT_JSON] ? write_json : write_table)(&r, text);
        st = gpai_text_seal(text, 0, &err);
    }
    if (st == GPA_OK)
        st = out_whole(&(struct outputs){.given = a}, a->text[OPT_OUT], text, &err);
    gpa_text_free(text);
    free(r.x);
    gpa_study_free(r.study);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
