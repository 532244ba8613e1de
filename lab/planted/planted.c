#include "lab/planted/planted.h"
#include "console/out.h"
#include "console/say.h"
#include "lab/planted/cases.h"
#include "lab/planted/result.h"
#include "lab/write.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const gpai_options *a;
    struct out out;
    struct bench bench;
    struct case_list list;
    gpa_study *study;
    struct planting planting;
    struct progress progress;
    char label[100];
};

static size_t workers(const gpai_options *a)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return a->given[OPT_THREADS] ? (size_t)a->count[OPT_THREADS]
           : cores > 0           ? (size_t)cores
                                 : 1;
}

/* Says so when what needs unlabelled rows would have too few of them. */
static void warn_few_rows(const struct fault_set *s, const char *name)
{
    enum { LEAST = 20 }; /* gpa_explain passes over fewer */
    size_t most = 0;
    for (size_t k = 0; k < s->n_kinds; k++)
        most = s->kinds[k].rows > most ? s->kinds[k].rows : most;
    if (s->n_rows < LEAST + most)
        say("%.80s: %zu unlabelled rows are too few to say what is plausible: the "
            "culprits may rest on the model alone",
            name, s->n_rows);
}

/* Asks every method about the cases of a set, and counts. */
static gpa_status run_set(struct run *r, struct fault_set *s, struct bench_set *to,
                          gpa_error *err)
{
    const gpai_options *a = r->a;
    struct bench *b = &r->bench;
    if (a->given[OPT_PER_KIND])
        faults_limit(s, (size_t)a->count[OPT_PER_KIND]);
    if (s->n_faults == 0)
        return fail(err, GPA_DATA, "%.80s: no cases", to->name);
    warn_few_rows(s, to->name);
    struct mark *marks = room(b->n_rivals * s->n_faults, sizeof *marks);
    if (marks == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    snprintf(r->label, sizeof r->label, "%.80s: cases", to->name);
    progress_start(&r->progress, a->text[OPT_PROGRESS], r->label);
    gpa_status st = contest_run(s, b->rivals, b->n_rivals, b->seed, workers(a), marks,
                                &r->progress, err);
    progress_hide(&r->progress);
    if (st == GPA_OK)
        st = tally_make(&to->tally, s, marks, b->n_rivals, b->seed, err);
    free(marks);
    to->inputs = s->d;
    to->rows = s->n_rows;
    to->sigma = s->sigma;
    b->n_run++;
    return st;
}

static gpa_status run_cases(struct run *r, gpa_error *err)
{
    struct bench *b = &r->bench;
    gpa_status st = cases_list(&r->list, r->a, err);
    if (st != GPA_OK)
        return st;
    b->sets = room(r->list.n, sizeof *b->sets);
    if (b->sets == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (size_t i = 0; i < r->list.n && st == GPA_OK; i++) {
        struct bench_set *to = &b->sets[b->n_sets++];
        struct fault_set s = {0};
        to->name = strdup(r->list.names[i]);
        st = to->name != NULL ? cases_read(&s, r->a, to->name, to->reason, err)
                              : fail(err, GPA_NOMEM, "out of memory");
        if (st == GPA_OK && s.model == NULL)
            say("%s: skipped: %s", to->name, to->reason);
        else if (st == GPA_OK)
            st = run_set(r, &s, to, err);
        to->model = s.model_name; /* it outlives the set */
        s.model_name = NULL;
        faults_free(&s);
    }
    if (st == GPA_OK && b->n_run == 0)
        st = fail(err, GPA_INVALID, "bench: no set has a model");
    return st;
}

static gpa_status run_planted(struct run *r, gpa_error *err)
{
    struct bench *b = &r->bench;
    struct fault_set s = {0};
    const char *file = strcmp(r->a->file, "-") == 0 ? "standard input" : r->a->file;
    gpa_status st = ask_study(&r->study, r->a, err);
    if (st != GPA_OK)
        return st;
    b->planting = &r->planting;
    b->features = r->study->inputs;
    b->sets = room(1, sizeof *b->sets);
    s.name = strdup("planted"); /* not FILE: the draws do not depend on its name */
    if (b->sets == NULL || s.name == NULL) {
        st = fail(err, GPA_NOMEM, "out of memory");
        goto done;
    }
    b->n_sets = 1;
    b->sets->name = strdup(file);
    b->sets->model = strdup(gpa_model_spec(r->study->model));
    if (b->sets->name == NULL || b->sets->model == NULL)
        st = fail(err, GPA_NOMEM, "out of memory");
    if (st == GPA_OK)
        st = plant(&s, &r->planting, r->study, (size_t)r->a->count[OPT_PLANT], b->seed,
                   err);
    if (st == GPA_OK)
        st = run_set(r, &s, b->sets, err);
done:
    faults_free(&s);
    return st;
}

static gpa_status take_mean(struct bench *b, gpa_error *err)
{
    struct tally *run = room(b->n_sets, sizeof *run);
    size_t n = 0;
    if (run == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (size_t i = 0; i < b->n_sets; i++)
        if (b->sets[i].model != NULL)
            run[n++] = b->sets[i].tally; /* borrowed */
    gpa_status st = n > 1 ? tally_mean(&b->mean, run, n, err) : GPA_OK;
    free(run);
    return st;
}

static gpa_status write_out(struct run *r, gpa_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    (r->a->given[OPT_JSON] ? bench_write_json : bench_write_table)(f, &r->bench);
    gpa_status st = fclose(f) == 0 ? out_write(&r->out, text, size, err)
                                   : fail(err, GPA_NOMEM, "out of memory");
    free(text);
    return st == GPA_OK ? out_commit(&r->out, err) : st;
}

static gpa_status check_options(const gpai_options *a, gpa_error *err)
{
    static const struct {
        enum option_id id;
        const char *name;
    } PLANT_ONLY[] = {{OPT_TARGET, "target"},       {OPT_FEATURES, "features"},
                      {OPT_DROP, "drop"},           {OPT_ID, "id"},
                      {OPT_NO_HEADER, "no-header"}, {OPT_REFERENCE, "reference"},
                      {OPT_SIGMA, "sigma"},         {OPT_SCALE, "scale"}};
    if (a->given[OPT_CASES] == a->given[OPT_PLANT])
        return fail(err, GPA_INVALID,
                    "bench: either --cases DIR, or --model SPEC --plant K FILE");
    if (a->given[OPT_PLANT])
        return a->given[OPT_SET] || a->given[OPT_PER_KIND]
                   ? fail(err, GPA_INVALID,
                          "bench: --set and --per-kind go with "
                          "--cases, not with --plant")
                   : GPA_OK;
    if (strcmp(a->file, "-") != 0)
        return fail(err, GPA_INVALID, "bench: a FILE (%.200s) goes with --plant",
                    a->file);
    for (size_t i = 0; i < sizeof PLANT_ONLY / sizeof PLANT_ONLY[0]; i++)
        if (a->given[PLANT_ONLY[i].id])
            return fail(err, GPA_INVALID, "bench: --%s goes with --plant",
                        PLANT_ONLY[i].name);
    return GPA_OK;
}

static void run_free(struct run *r)
{
    struct bench *b = &r->bench;
    for (size_t i = 0; i < b->n_sets; i++) {
        tally_free(&b->sets[i].tally);
        free(b->sets[i].model);
        free(b->sets[i].name);
    }
    free(b->sets);
    tally_free(&b->mean);
    planting_free(&r->planting);
    gpa_study_free(r->study);
    cases_list_free(&r->list);
    out_discard(&r->out);
}

int planted_run(const gpai_options *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    r.bench.seed = a->given[OPT_SEED] ? a->count[OPT_SEED] : 1;
    gpa_status st = check_options(a, &err);
    if (st == GPA_OK)
        st = rivals_choose(a->text[OPT_METHODS], r.bench.rivals, &r.bench.n_rivals,
                           &err);
    if (st == GPA_OK)
        st = out_open(&(struct outputs){.given = a}, &r.out, a->text[OPT_OUT], &err);
    if (st == GPA_OK)
        st = a->given[OPT_CASES] ? run_cases(&r, &err) : run_planted(&r, &err);
    progress_hide(&r.progress);
    if (st == GPA_OK)
        st = take_mean(&r.bench, &err);
    if (st == GPA_OK)
        st = write_out(&r, &err);
    run_free(&r);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
