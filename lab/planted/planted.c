#include "lab/planted/planted.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/args.h"
#include "console/out.h"
#include "console/terminal.h"
#include "lab/planted/cases.h"
#include "lab/scripts.h"
#include <stdio.h>
#include <string.h>

struct run {
    const gpai_options *a;
    struct scripts scripts;
    char folder[4200], worker[SCRIPT_PATH]; /* of --tables; "": not wanted */
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

/* Takes over the cases, without their rows, and the marks. */
static void keep_marks(struct marked *to, struct fault_set *s, struct mark *marks)
{
    to->name = s->name;
    to->marks = marks;
    to->n_kinds = s->n_kinds;
    memcpy(to->kinds, s->kinds, sizeof to->kinds);
    to->faults = gpai_calloc(s->n_faults, sizeof *to->faults);
    for (size_t i = 0; i < s->n_faults && to->faults != NULL; i++) {
        const struct fault *f = &s->faults[i];
        to->faults[to->n_faults++] = (struct fault){
            .kind = f->kind, .n = f->n, .culprits = f->culprits, .gap = f->gap};
    }
    size_t inputs = 0; /* a one-hot group is one */
    for (size_t k = 0; k < s->d; k++)
        inputs += s->axis[k] == k;
    marked_weigh(to, inputs);
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
    gpa_status st = faults_learn(s, err);
    struct marking m = {.set = s,
                        .methods = b->methods,
                        .n_methods = b->n_methods,
                        .seed = b->seed,
                        .progress = &r->progress};
    m.marks = gpai_calloc(b->n_methods * s->n_faults, sizeof *m.marks);
    struct marked *marked = &b->marked[b->n_run];
    struct summary *summary = &b->summaries[b->n_run++];
    keep_marks(marked, s, m.marks);
    if (m.marks == NULL || marked->faults == NULL)
        return gpai_nomem(err, "bench");
    snprintf(r->label, sizeof r->label, "%.80s: cases", to->name);
    progress_start(&r->progress, a->text[OPT_PROGRESS], r->label);
    if (st == GPA_OK)
        st = marks_take(&m, gpai_options_threads(a, s->n_faults), err);
    progress_hide(&r->progress);
    if (st == GPA_OK)
        st = summary_make(summary, marked, b->n_methods, b->seed, err);
    marked->name = NULL; /* it was the set's */
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
    b->marked = gpai_calloc(n, sizeof *b->marked);
    return b->sets != NULL && b->summaries != NULL && b->marked != NULL
               ? GPA_OK
               : gpai_nomem(err, "bench");
}

static gpa_status run_cases(struct run *r, const gpai_options *a, gpa_error *err)
{
    struct planted_result *b = &r->result;
    const char *worker = r->worker[0] != '\0' ? r->worker : NULL;
    gpa_status st = cases_list(&r->list, a, err);
    if (st == GPA_OK)
        st = take_room(b, r->list.n, err);
    for (size_t i = 0; i < r->list.n && st == GPA_OK; i++) {
        struct set_result *to = &b->sets[b->n_sets++];
        struct fault_set s = {0};
        to->name = r->list.sets[i]->d_name;
        st = cases_read(&s, a, to->name, worker, to->reason, err);
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

/* Makes the tables, unless they were made before, and takes them as cases. */
static gpa_status run_tables(struct run *r, const char *program, gpa_error *err)
{
    enum { AUTOMATIC = 4 };
    char seed[24], size[24];
    const char *more[] = {"--seed", seed, "--plant", size, NULL};
    gpai_options cases = *r->a;
    snprintf(seed, sizeof seed, "%ju", (uintmax_t)r->result.seed);
    snprintf(size, sizeof size, "%ju",
             (uintmax_t)gpai_options_count(r->a, OPT_PLANT, AUTOMATIC));
    gpa_status st =
        scripts_open(&r->scripts, program, r->a->text[OPT_BENCH_WORK], "tables", err);
    if (st == GPA_OK)
        st = scripts_find(&r->scripts, "worker.py", r->worker, err);
    if (st != GPA_OK)
        return st;
    snprintf(r->folder, sizeof r->folder, "%s/seed-%s-plant-%s", r->scripts.work, seed,
             size);
    if (!scripts_made(r->folder)) {
        say("making tables, models and faults (once; they are kept in %s)", r->folder);
        st = scripts_make(&r->scripts, "tables", r->folder, more, err);
    }
    cases.text[OPT_CASES] = r->folder;
    r->result.tables = true;
    return st == GPA_OK ? run_cases(r, &cases, err) : st;
}

static bool has_text(const gpa_study *s)
{
    for (size_t k = 0; k < s->d; k++)
        if (s->kinds[k].writing == GPA_WRITING_LEVEL)
            return true;
    return false;
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
    if (r->a->text[OPT_METHODS] == NULL) /* published methods do not take text */
        st = methods_choose(NULL, has_text(r->study), b->methods, &b->n_methods, err);
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
        OPT_LEVELS,    OPT_TARGET,    OPT_FEATURES, OPT_DROP, OPT_ID,
        OPT_NO_HEADER, OPT_REFERENCE, OPT_SIGMA,    OPT_SCALE};
    bool tables = a->given[OPT_WITH_TABLES], cases = a->given[OPT_CASES];
    if (tables && (cases || a->given[OPT_MODEL]))
        return gpai_fail(err, GPA_INVALID, "bench: --tables goes without --%s",
                         cases ? "cases" : "model");
    if (!tables && cases == a->given[OPT_PLANT])
        return gpai_fail(err, GPA_INVALID,
                         "bench: --cases DIR, or --model SPEC --plant K FILE, or "
                         "--tables");
    if (a->given[OPT_BENCH_WORK] && !tables)
        return gpai_fail(err, GPA_INVALID, "bench: --work goes with --tables");
    if (!tables && !cases)
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
    for (size_t i = 0; i < b->n_run; i++) {
        summary_free(&b->summaries[i]);
        marked_free(&b->marked[i]);
    }
    for (size_t i = 0; i < b->n_sets; i++)
        gpai_free(b->sets[i].model);
    gpai_free(b->summaries);
    gpai_free(b->marked);
    gpai_free(b->sets);
    summary_free(&b->mean);
    summary_free(&b->all);
    planting_free(&r->planting);
    gpa_study_free(r->study);
    cases_list_free(&r->list);
    out_discard(&r->out);
}

/* Over all sets, when there are several. */
static gpa_status sum_up(struct planted_result *b, gpa_error *err)
{
    if (b->n_run < 2)
        return GPA_OK;
    gpa_status st = summary_mean(&b->mean, b->summaries, b->n_run, err);
    return st == GPA_OK
               ? summary_pool(&b->all, b->marked, b->n_run, b->n_methods, b->seed, err)
               : st;
}

int planted_run(const gpai_options *a, const char *program)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    r.result.seed = gpai_options_count(a, OPT_SEED, 1);
    gpa_status st = check_options(a, &err);
    if (st == GPA_OK)
        st = methods_choose(a->text[OPT_METHODS], a->given[OPT_WITH_TABLES],
                            r.result.methods, &r.result.n_methods, &err);
    if (st == GPA_OK)
        st = out_open(&(struct outputs){.given = a}, &r.out, a->text[OPT_OUT], &err);
    if (st == GPA_OK)
        st = a->given[OPT_WITH_TABLES] ? run_tables(&r, program, &err)
             : a->given[OPT_CASES]     ? run_cases(&r, a, &err)
                                       : run_planted(&r, &err);
    progress_hide(&r.progress);
    if (st == GPA_OK)
        st = sum_up(&r.result, &err);
    if (st == GPA_OK)
        st = write_out(&r, &err);
    run_free(&r);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
