/* bench_engine JOBS: explains the jobs of a file as told on standard input, one command
 * a line; bench/bench_engine.py is at the other end.
 *
 *     run SOLVER MARGINALS ROWS SEED
 *         every job: one line of JSON each, then `end`
 *     time SOLVER MARGINALS ROWS REPEATS
 *         the first job: seconds and model rows of one explanation
 *     share SOLVER MARGINALS ROWS REPEATS
 *         the same: seconds in all, and those inside the model
 *     slopes FILE
 *         the perturbations h from now on
 *     start FILE
 *         the first delta from now on
 *
 * SOLVER and MARGINALS are words of the command line; ROWS 0 is the default. */
#include "jobs.h"
#include "support.h"
#include <gpa/gpa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program[] = "bench_engine";

struct bench {
    jobs all;
    gpa_model *timed; /* the same model behind a stopwatch */
    double model_seconds;
    double *slopes, *start;
    size_t n_slopes;
};

static gpa_solver solver_of(const char *word)
{
    for (int i = 0; gpa_solver_name((gpa_solver)i) != NULL; i++)
        if (strcmp(gpa_solver_name((gpa_solver)i), word) == 0)
            return (gpa_solver)i;
    stop_at("no such solver", word);
}

static int predict_timed(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct bench *b = ctx;
    (void)d;
    double start = now();
    gpa_status st = gpa_model_predict(b->all.model, x, n, y, NULL);
    b->model_seconds += now() - start;
    return st != GPA_OK;
}

static gpa_explanation *explain(struct bench *b, gpa_model *m, const job *j,
                                const char *solver, const char *marginals, size_t rows,
                                uint64_t seed)
{
    gpa_error err;
    gpa_explanation *e = NULL;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.solver = solver_of(solver);
    opt.marginals = marginals_of(marginals);
    opt.marginal_rows = rows;
    opt.culprit = GPA_CULPRIT_OFF;
    opt.seed = seed;
    opt.eta = j->eta;
    opt.nu = j->nu;
    opt.a0 = j->a;
    opt.b0 = j->b;
    opt.kappa = j->kappa;
    if (opt.solver == GPA_SOLVER_PAPER) {
        opt.slope_list = b->slopes;
        opt.slope_list_length = b->n_slopes;
        opt.delta_init = b->start;
    }
    gpa_sample s = {.x = j->x, .y = j->y, .f = j->f, .n = j->n, .d = j->d};
    must(gpa_explain(&e, m, &s, &opt, &err), &err);
    return e;
}

static void show(const char *key, double v)
{
    if (isfinite(v))
        printf("\"%s\":%.17g,", key, v);
    else
        printf("\"%s\":null,", key);
}

static void show_list(const char *key, const double *v, size_t n)
{
    printf("\"%s\":[", key);
    for (size_t i = 0; i < n; i++)
        printf("%s%.9g", i > 0 ? "," : "", v[i]);
    printf("]");
}

static void show_explanation(const job *j, const gpa_explanation *e, double seconds)
{
    const gpa_summary *s = gpa_explanation_summary(e);
    printf("{\"name\":\"%s\",", j->name);
    show("seconds", seconds);
    show("iterations", (double)s->iterations);
    show("objective", s->objective);
    show("rows", (double)s->model_rows);
    show("rows_map", (double)s->rows_map);
    show("rows_marginals", (double)s->rows_marginals);
    show("calls", (double)s->model_calls);
    show("ess", s->ess);
    show("surrogate_error", s->surrogate_error);
    show_list("delta", gpa_explanation_delta(e), j->d);
    printf(",\"marginals\":[");
    for (size_t k = 0; k < j->d; k++) {
        const gpa_marginal *m = gpa_explanation_marginal(e, k);
        if (m == NULL)
            break;
        printf("%s{", k > 0 ? "," : "");
        show_list("interval90", m->interval90, 2);
        printf(",");
        show_list("grid", m->grid, m->points);
        printf(",");
        show_list("density", m->density, m->points);
        printf("}");
    }
    printf("]}\n");
}

static void run(struct bench *b, const char *solver, const char *marginals, size_t rows,
                uint64_t seed)
{
    for (size_t i = 0; i < b->all.count; i++) {
        const job *j = &b->all.list[i];
        double start = now();
        gpa_explanation *e = explain(b, b->all.model, j, solver, marginals, rows, seed);
        show_explanation(j, e, now() - start);
        gpa_explanation_free(e);
    }
    printf("end\n");
}

static void time_first(struct bench *b, bool share, const char *solver,
                       const char *marginals, size_t rows, size_t repeats)
{
    const job *j = &b->all.list[0];
    uint64_t asked = 0;
    b->model_seconds = 0;
    double start = now();
    for (size_t i = 0; i < repeats; i++) {
        gpa_explanation *e =
            explain(b, share ? b->timed : b->all.model, j, solver, marginals, rows, 1);
        asked += gpa_explanation_summary(e)->model_rows;
        gpa_explanation_free(e);
    }
    double n = (double)repeats, seconds = now() - start;
    printf("%.9g %.9g\n", seconds / n,
           share ? b->model_seconds / n : (double)asked / n);
}

static void read_numbers(double **list, size_t *count, const char *path)
{
    gpa_error err;
    gpa_numbers_free(*list);
    *list = NULL;
    must(gpa_numbers_read(path, list, count, &err), &err);
    printf("%zu\n", *count);
}

static void answer(struct bench *b, const char *line)
{
    char one[32], two[32], path[1024];
    unsigned long long rows, count;
    size_t n;
    if (sscanf(line, "run %31s %31s %llu %llu", one, two, &rows, &count) == 4)
        run(b, one, two, rows, count);
    else if (sscanf(line, "time %31s %31s %llu %llu", one, two, &rows, &count) == 4)
        time_first(b, false, one, two, rows, count);
    else if (sscanf(line, "share %31s %31s %llu %llu", one, two, &rows, &count) == 4)
        time_first(b, true, one, two, rows, count);
    else if (sscanf(line, "slopes %1023[^\n]", path) == 1)
        read_numbers(&b->slopes, &b->n_slopes, path);
    else if (sscanf(line, "start %1023[^\n]", path) == 1)
        read_numbers(&b->start, &n, path);
    else
        stop_at("cannot read the command", line);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_engine JOBS\n");
        return 2;
    }
    struct bench b = {0};
    gpa_error err;
    char line[2048];
    jobs_open(&b.all, argv[1]);
    must(gpa_model_from_callback(&b.timed, predict_timed, &b,
                                 gpa_model_dim(b.all.model), &err),
         &err);
    while (fgets(line, sizeof line, stdin) != NULL)
        answer(&b, line);
    gpa_numbers_free(b.slopes);
    gpa_numbers_free(b.start);
    gpa_model_free(b.timed);
    jobs_close(&b.all);
    return 0;
}
