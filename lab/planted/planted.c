#include "lab/planted/planted.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/args.h"
#include "console/out.h"
#include "console/terminal.h"
#include "lab/planted/cases.h"
#include <stdio.h>
#include <string.h>

struct run {
    const gpai_options *a;
    struct out out;
    struct planted_result result;
    struct case_list list;
    gpa_study *study;
    struct planting planting;
    struct progress progress;
    char label[100];
};

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
static gpa_status run_set(struct run *r, struct fault_set *s, struct set_result *to,
                          gpa_error *err)
{
    const gpai_options *a = r->a;
    struct planted_result *b = &r->result;
    if (a->given[OPT_PER_KIND])
        faults_limit(s, (size_t)a->count[OPT_PER_KIND]);
    if (s->n_faults == 0)
        return gpai_fail(err, GPA_DATA, "%.80s: no cases", to->name);
    warn_few_rows(s, to->name);
    struct marking m = {.set = s,
                        .methods = b->methods,
                        .n_methods = b->n_methods,
                        .seed = b->seed,
                        .progress = &r->progress};
    m.marks = gpai_calloc(b->n_methods * s->n_faults, sizeof *m.marks);
    if (m.marks == NULL)
        return gpai_nomem(err, "bench");
    snprintf(r->label, sizeof r->label, "%.80s: cases", to->name);
    progress_start(&r->progress, a->text[OPT_PROGRESS], r->label);
    gpa_status st = marks_take(&m, gpai_options_threads(a, s->n_faults), err);
    progress_hide(&r->progress);
    struct summary *summary = &b->summaries[b->n_run++];
    if (st == GPA_OK)
        st = summary_make(summary, s, m.marks, b->n_methods, b->seed, err);
    gpai_free(m.marks);
    to->summary = summary;
    to->inputs = s->d;
    to->rows = s->n_rows;
    to->sigma = s->sigma;
    return st;
}

/* Room for the results of so many sets. */
static gpa_status take_room(struct planted_result *b, size_t n, gpa_error *err)
{
    b->sets = gpai_calloc(n, sizeof *b->sets);
    b->summaries = gpai_calloc(n, sizeof *b->summaries);
    return b->sets != NULL && b->summaries != NULL ? GPA_OK : gpai_nomem(err, "bench");
}

static gpa_status run_cases(struct run *r, gpa_error *err)
{
    struct planted_result *b = &r->result;
    gpa_status st = cases_list(&r->list, r->a, err);
    if (st == GPA_OK)
        st = take_room(b, r->list.n, err);
    for (size_t i = 0; i < r->list.n && st == GPA_OK; i++) {
        struct set_result *to = &b->sets[b->n_sets++];
        struct fault_set s = {0};
        to->name = r->list.sets[i]->d_name;
        st = cases_read(&s, r->a, to->name, to->reason, err);
        if (st == GPA_OK && s.model == NULL)
            say("%s: skipped: %s", to->name, to->reason);
        else if (st == GPA_OK)
            st = run_set(r, &s, to, err);
        to->model = s.model_name; /* it outlives the set */
        s.model_name = NULL;
        faults_free(&s);
    }
    if (st == GPA_OK && b->n_run == 0)
        st = gpai_fail(err, GPA_INVALID, "bench: no set has a model");
    return st;
}

static gpa_status run_planted(struct run *r, gpa_error *err)
{
    struct planted_result *b = &r->result;
    struct fault_set s = {.name = "planted"}; /* not FILE: the draws do not depend on
                                               * its name */
    gpa_status st = ask_study(&r->study, r->a, err);
    if (st == GPA_OK)
        st = take_room(b, 1, err);
    if (st != GPA_OK)
        return st;
    b->planting = &r->planting;
    b->inputs = r->study->inputs;
    b->n_sets = 1;
    b->sets->name = strcmp(r->a->file, "-") == 0 ? "standard input" : r->a->file;
    b->sets->model = gpai_strdup(gpa_model_spec(r->study->model));
    st = b->sets->model != NULL ? plant(&s, &r->planting, r->study,
                                        (size_t)r->a->count[OPT_PLANT], b->seed, err)
                                : gpai_nomem(err, "bench");
    if (st == GPA_OK)
        st = run_set(r, &s, b->sets, err);
    faults_free(&s);
    return st;
}

static gpa_status write_out(struct run *r, gpa_error *err)
{
    gpa_text *t = NULL;
    gpa_status st = gpa_text_new(&t, err);
    if (st == GPA_OK) {
        (r->a->given[OPT_JSON] ? result_json : result_table)(t, &r->result);
        st = gpai_text_seal(t, 0, err);
    }
    if (st == GPA_OK)
        st = out_text(&r->out, t, err);
    if (st == GPA_OK)
        st = out_commit(&r->out, err);
    gpa_text_free(t);
    return st;
}

static gpa_status check_options(const gpai_options *a, gpa_error *err)
{
    static const enum option_id PLANT_ONLY[] = {
        OPT_TARGET,    OPT_FEATURES,  OPT_DROP,  OPT_ID,
        OPT_NO_HEADER, OPT_REFERENCE, OPT_SIGMA, OPT_SCALE};
    if (a->given[OPT_CASES] == a->given[OPT_PLANT])
        return gpai_fail(err, GPA_INVALID,
                         "bench: either --cases DIR, or --model SPEC --plant K FILE");
    if (a->given[OPT_PLANT])
        return a->given[OPT_SET] || a->given[OPT_PER_KIND]
                   ? gpai_fail(err, GPA_INVALID,
                               "bench: --set and --per-kind go with "
                               "--cases, not with --plant")
                   : GPA_OK;
    if (strcmp(a->file, "-") != 0)
        return gpai_fail(err, GPA_INVALID, "bench: a FILE (%.200s) goes with --plant",
                         a->file);
    for (size_t i = 0; i < sizeof PLANT_ONLY / sizeof PLANT_ONLY[0]; i++)
        if (a->given[PLANT_ONLY[i]])
            return gpai_fail(err, GPA_INVALID, "bench: --%s goes with --plant",
                             GPAI_OPTIONS[PLANT_ONLY[i]].name);
    return GPA_OK;
}

static void run_free(struct run *r)
{
    struct planted_result *b = &r->result;
    for (size_t i = 0; i < b->n_run; i++)
        summary_free(&b->summaries[i]);
    for (size_t i = 0; i < b->n_sets; i++)
        gpai_free(b->sets[i].model);
    gpai_free(b->summaries);
    gpai_free(b->sets);
    summary_free(&b->mean);
    planting_free(&r->planting);
    gpa_study_free(r->study);
    cases_list_free(&r->list);
    out_discard(&r->out);
}

int planted_run(const gpai_options *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    r.result.seed = gpai_options_count(a, OPT_SEED, 1);
    gpa_status st = check_options(a, &err);
    if (st == GPA_OK)
        st = methods_choose(a->text[OPT_METHODS], r.result.methods, &r.result.n_methods,
                            &err);
    if (st == GPA_OK)
        st = out_open(&(struct outputs){.given = a}, &r.out, a->text[OPT_OUT], &err);
    if (st == GPA_OK)
        st = a->given[OPT_CASES] ? run_cases(&r, &err) : run_planted(&r, &err);
    progress_hide(&r.progress);
    if (st == GPA_OK && r.result.n_run > 1)
        st = summary_mean(&r.result.mean, r.result.summaries, r.result.n_run, &err);
    if (st == GPA_OK)
        st = write_out(&r, &err);
    run_free(&r);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
