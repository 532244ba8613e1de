#include "cli/commands.h"
#include "cli/dice.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/out.h"
#include "cli/probe.h"
#include "cli/say.h"
#include "cli/words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct args *a;
    struct load load;
    double *x; /* random rows, when no file is named */
    size_t n;
    bool random;
    struct probe found;
};

/* --inputs N, or --features A,B, for models that do not know their inputs. */
static gpa_status tell_inputs(struct run *r, gpa_error *err)
{
    gpa_model *m = r->load.model;
    if (r->a->given[OPT_INPUTS])
        return gpa_model_set_inputs(m, (size_t)r->a->count[OPT_INPUTS], NULL, err);
    if (gpa_model_dim(m) == 0)
        return fail(err, GPA_INVALID,
                    "this model takes any number of inputs: name a FILE of rows, or "
                    "give --inputs N");
    return GPA_OK;
}

/* Two normal numbers from two uniform ones (Box and Muller); one of them is enough. */
static double normal(struct dice *d)
{
    double u = 1 - dice_unit(d), v = dice_unit(d);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static gpa_status make_rows(struct run *r, gpa_error *err)
{
    enum { ROWS_MADE = 1024 };
    size_t d = gpa_model_dim(r->load.model);
    uint64_t seed = r->a->given[OPT_SEED] ? r->a->count[OPT_SEED] : 1;
    struct dice dice = dice_make(seed, "probe", 0);
    r->x = d > SIZE_MAX / ROWS_MADE ? NULL : room(d * ROWS_MADE, sizeof *r->x);
    if (r->x == NULL)
        return fail(err, GPA_NOMEM, "out of memory for rows of %zu inputs", d);
    for (size_t i = 0; i < d * ROWS_MADE; i++)
        r->x[i] = normal(&dice);
    r->n = ROWS_MADE;
    r->random = true;
    return GPA_OK;
}

static gpa_status probe(struct run *r, gpa_error *err)
{
    const struct args *a = r->a;
    bool file = a->file != NULL;
    gpa_status st = file ? load_rows(&r->load, a, err) : load_model(&r->load, a, err);
    if (st == GPA_OK && !file && (st = tell_inputs(r, err)) == GPA_OK)
        st = make_rows(r, err);
    if (st != GPA_OK)
        return st;
    double limit = a->given[OPT_MODEL_TIMEOUT] ? a->real[OPT_MODEL_TIMEOUT] : 5;
    return probe_model(&r->found, r->load.model, file ? r->load.x : r->x,
                       file ? r->load.n : r->n, limit < 5 ? limit : 5, err);
}

static const char *name_of(const struct run *r, size_t k)
{
    const char *name = gpa_model_variable(r->load.model, k);
    return name != NULL || r->load.features == NULL ? name : r->load.features[k];
}

static void write_names(const struct run *r, FILE *f)
{
    enum { SHOWN = 12 };
    size_t d = gpa_model_dim(r->load.model);
    if (name_of(r, 0) == NULL) {
        fprintf(f, "%zu, without names", d);
        return;
    }
    fprintf(f, "%zu:", d);
    for (size_t k = 0; k < d && k < SHOWN; k++) {
        fputs(k > 0 ? ", " : " ", f);
        word_plain(f, name_of(r, k));
    }
    if (d > SHOWN)
        fputs(", ...", f);
}

/* Seconds as people say them. */
static void write_time(FILE *f, double seconds)
{
    if (!isfinite(seconds))
        fprintf(f, "%10s", "-");
    else if (seconds < 1e-3)
        fprintf(f, "%7.1f us", seconds * 1e6);
    else if (seconds < 1)
        fprintf(f, "%7.2f ms", seconds * 1e3);
    else
        fprintf(f, "%7.2f s ", seconds);
}

static void write_findings(const struct run *r, FILE *f)
{
    const struct probe *p = &r->found;
    fprintf(f, "\n  same rows, same answer:    %s\n",
            p->deterministic ? "yes" : "NO: explanations will differ from run to run");
    fputs("  a row alone, same answer:  ", f);
    if (p->alone == 0)
        fputs("yes\n", f);
    else if (p->alone < PROBE_ROUNDING)
        fprintf(f, "to rounding (it differs by %.0e of its size)\n", p->alone);
    else
        fprintf(f, "NO: it depends on the other rows of its batch\n");
    fprintf(f, "  finite:                    ");
    if (p->nonfinite == 0)
        fprintf(f, "on all %zu %s rows\n", p->checked, r->random ? "random" : "probed");
    else
        fprintf(f, "NO: no number for %zu of %zu %s rows\n", p->nonfinite, p->checked,
                r->random ? "random" : "probed");
    fprintf(f, "  several threads:           %s (%zu at once",
            p->threads_equal    ? "same answers"
            : p->threads_failed ? "NO: calls failed"
                                : "NO: other answers",
            p->threads);
    if (isfinite(p->speedup))
        fprintf(f, ": %.1f times the rows/s", p->speedup);
    fputs(")\n", f);
    fprintf(f, "\n  recommended: --batch %zu --threads %zu%s\n", p->batch, p->workers,
            gpa_model_in_process(r->load.model) ? ""
                                                : " (and as many --model-workers)");
}

static void write_table(const struct run *r, FILE *f)
{
    const struct probe *p = &r->found;
    fputs("  model:   ", f);
    word_plain(f, r->a->text[OPT_MODEL]);
    fputs("\n  inputs:  ", f);
    write_names(r, f);
    fprintf(f, "\n  where:   %s\n\n  %10s  %10s  %12s\n",
            gpa_model_in_process(r->load.model) ? "in this process"
                                                : "outside this process",
            "rows", "a call", "rows/s");
    for (size_t i = 0; i < PROBE_SIZES; i++) {
        fprintf(f, "  %10zu  ", p->size[i]);
        write_time(f, p->seconds[i]);
        if (isfinite(p->seconds[i]))
            fprintf(f, "  %12.0f\n", (double)p->size[i] / p->seconds[i]);
        else
            fprintf(f, "  %12s\n", "not tried");
    }
    write_findings(r, f);
}

static void write_real(FILE *f, double value)
{
    if (isfinite(value))
        word_json_real(f, value);
    else
        fputs("null", f);
}

static void write_json(const struct run *r, FILE *f)
{
    const struct probe *p = &r->found;
    size_t d = gpa_model_dim(r->load.model);
    fprintf(f, "{\"format\":\"gpa-model/1\",\"version\":\"%s\",\"model\":{\"spec\":",
            gpa_version());
    word_json(f, r->a->text[OPT_MODEL]);
    fprintf(f, ",\"inputs\":%zu,\"in_process\":%s},\n \"features\":", d,
            gpa_model_in_process(r->load.model) ? "true" : "false");
    for (size_t k = 0; k < d && name_of(r, 0) != NULL; k++) {
        fputs(k > 0 ? "," : "[", f);
        word_json(f, name_of(r, k));
    }
    fputs(name_of(r, 0) != NULL ? "]" : "null", f);
    fputs(",\n \"latency\":[", f);
    for (size_t i = 0; i < PROBE_SIZES; i++) {
        fprintf(f, "%s\n  {\"rows\":%zu,\"seconds\":", i > 0 ? "," : "", p->size[i]);
        write_real(f, p->seconds[i]);
        fputs(",\"rows_per_second\":", f);
        write_real(f, (double)p->size[i] / p->seconds[i]);
        fputs("}", f);
    }
    fprintf(f,
            "],\n \"deterministic\":%s,\"row_alone\":%s,\"checked_rows\":%zu,"
            "\"nonfinite_rows\":%zu,\"thread_safe\":%s,\"threads\":%zu,"
            "\"thread_speedup\":",
            p->deterministic ? "true" : "false",
            p->alone < PROBE_ROUNDING ? "true" : "false", p->checked, p->nonfinite,
            p->threads_equal ? "true" : "false", p->threads);
    write_real(f, p->speedup);
    fputs(",\"row_alone_difference\":", f);
    write_real(f, p->alone);
    fprintf(f,
            ",\n \"model_rows\":%zu,\"recommended\":{\"batch\":%zu,\"threads\":%zu}}\n",
            p->rows_asked, p->batch, p->workers);
}

int cmd_model(const struct args *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    struct out o = {0};
    char *text = NULL;
    size_t size = 0;
    gpa_status st = out_open(&o, a->text[OPT_OUT], &err);
    if (st == GPA_OK)
        st = probe(&r, &err);
    FILE *f = st == GPA_OK ? open_memstream(&text, &size) : NULL;
    if (st == GPA_OK && f == NULL)
        st = fail(&err, GPA_NOMEM, "out of memory");
    if (st == GPA_OK) {
        (a->given[OPT_JSON] ? write_json : write_table)(&r, f);
        if (fclose(f) != 0)
            st = fail(&err, GPA_NOMEM, "out of memory");
    }
    if (st == GPA_OK)
        st = out_write(&o, text, size, &err);
    if (st == GPA_OK)
        st = out_commit(&o, &err);
    out_discard(&o);
    free(text);
    free(r.x);
    load_free(&r.load);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
