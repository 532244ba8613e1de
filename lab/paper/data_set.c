#include "lab/paper/data_set.h"
#include "console/say.h"
#include "lab/write.h"
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Table 2 of the paper; eta and kappa of California are per number of rows. */
static const struct paper_set SETS[] = {{.name = "diabetes",
                                         .label = "Diabetes",
                                         .kind = "neural network",
                                         .kappa = 0.08,
                                         .cb = 10,
                                         .eta = 0.4},
                                        {.name = "boston",
                                         .label = "Boston Housing",
                                         .kind = "random forest",
                                         .kappa = 0.08,
                                         .cb = 10,
                                         .eta = 0.1},
                                        {.name = "california",
                                         .label = "California Housing",
                                         .kind = "boosted trees",
                                         .kappa = 0.1,
                                         .cb = 1,
                                         .eta = 0.5}};

extern char **environ;

/* Runs tools/paper/prepare.sh, which says on standard error what it does. */
static gpa_status prepare(const struct paper *p, const char *name, const char *folder,
                          gpa_error *err)
{
    char script[4096];
    const char *data = p->a->text[OPT_DATA];
    char set[32], to[4096], flag[] = "--data", file[4096];
    snprintf(script, sizeof script, "%s/paper/prepare.sh", p->tools);
    snprintf(set, sizeof set, "%s", name);
    snprintf(to, sizeof to, "%s", folder);
    snprintf(file, sizeof file, "%s", data != NULL ? data : "");
    char *words[] = {script, set, to, data != NULL ? flag : NULL, file, NULL};
    pid_t child = 0;
    int status = 0, failed = posix_spawn(&child, script, NULL, NULL, words, environ);
    if (failed != 0)
        return fail(err, GPA_IO, "%.300s: %s", script, strerror(failed));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail(err, GPA_IO, "%.300s: %s", script, strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail(err, GPA_IO,
                    "%s: the model could not be trained; what %.200s said is above",
                    name, script);
    return GPA_OK;
}

static bool trained(const char *folder)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/about.json", folder);
    FILE *f = fopen(path, "r");
    if (f != NULL)
        fclose(f);
    return f != NULL;
}

bool paper_has_california(const struct paper *p)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/california", p->work);
    return p->a->given[OPT_DATA] || trained(folder);
}

/* Reads a table whose last column is y into x and y. */
static gpa_status take_table(const gpa_table *t, size_t d, double *x, double *y,
                             gpa_error *err)
{
    size_t columns[64];
    if (gpa_table_columns(t) != d + 1 || d > 64)
        return fail(err, GPA_DATA, "paper: a table of %zu columns for %zu inputs",
                    gpa_table_columns(t), d);
    for (size_t k = 0; k < d; k++)
        columns[k] = k;
    const double *last = gpa_table_numbers(t, d, err);
    if (last == NULL)
        return GPA_DATA;
    memcpy(y, last, gpa_table_rows(t) * sizeof *y);
    return gpa_table_matrix(t, columns, d, true, x, err);
}

static gpa_status take_rows(struct paper_set *s, gpa_error *err)
{
    size_t d = gpa_model_dim(s->model), n = gpa_table_rows(s->train_table);
    size_t m = gpa_table_rows(s->test_table);
    s->block = room((n + m) * (d + 1) + 2 * m, sizeof *s->block);
    s->order = room(m, sizeof *s->order);
    s->features = room(d, sizeof *s->features);
    if (s->block == NULL || s->order == NULL || s->features == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    double *x = s->block, *y = x + n * d, *x_test = y + n, *y_test = x_test + m * d;
    double *f = y_test + m;
    s->score = f + m;
    gpa_status st = take_table(s->train_table, d, x, y, err);
    if (st == GPA_OK)
        st = take_table(s->test_table, d, x_test, y_test, err);
    s->train = (gpa_sample){.x = x, .y = y, .n = n, .d = d};
    s->test = (gpa_sample){.x = x_test, .y = y_test, .n = m, .d = d};
    for (size_t k = 0; k < d; k++)
        s->features[k] = gpa_table_name(s->test_table, k);
    s->target = gpa_table_name(s->test_table, d);
    if (st == GPA_OK)
        st = gpa_predict_observed(s->model, &s->test, f, err);
    s->test.f = f;
    return st;
}

/* Highest score first; ties by row. */
static void sort_rows(struct paper_set *s)
{
    for (size_t i = 0; i < s->test.n; i++) {
        size_t at = i;
        for (; at > 0 && s->score[s->order[at - 1]] < s->score[i]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

gpa_status paper_set_open(struct paper_set *s, struct paper *p, const char *name,
                          gpa_error *err)
{
    char folder[4096], path[4200];
    *s = (struct paper_set){0};
    for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++)
        if (strcmp(SETS[i].name, name) == 0)
            *s = SETS[i];
    snprintf(folder, sizeof folder, "%s/%s", p->work, name);
    gpa_status st = GPA_OK;
    if (!trained(folder)) {
        say("training the model of %s (once; it is kept in %s)", s->label, folder);
        st = prepare(p, name, folder, err);
    }
    snprintf(path, sizeof path, "%s/model.json", folder);
    if (st == GPA_OK)
        st = gpa_model_open(&s->model, path, NULL, err);
    snprintf(path, sizeof path, "%s/train.csv", folder);
    if (st == GPA_OK)
        st = gpa_table_read(&s->train_table, path, NULL, err);
    snprintf(path, sizeof path, "%s/test.csv", folder);
    if (st == GPA_OK)
        st = gpa_table_read(&s->test_table, path, NULL, err);
    if (st == GPA_OK)
        st = take_rows(s, err);
    if (st == GPA_OK)
        st = gpa_residual_sigma(&s->test, &s->sigma, err);
    if (st == GPA_OK)
        st = gpa_score(&s->test, s->sigma, s->score, NULL, err);
    if (st == GPA_OK)
        sort_rows(s);
    return st;
}

void paper_set_free(struct paper_set *s)
{
    free(s->features);
    free(s->order);
    free(s->block);
    gpa_table_free(s->test_table);
    gpa_table_free(s->train_table);
    gpa_model_free(s->model);
}

gpa_explain_options paper_set_options(const struct paper *p, const struct paper_set *s,
                                      size_t rows)
{
    gpa_explain_options o;
    double n = (double)rows;
    bool per_row = strcmp(s->name, "california") == 0;
    gpa_explain_options_init(&o);
    o.solver = GPA_SOLVER_PAPER;
    for (int i = 0; p->a->given[OPT_SOLVER] && gpa_solver_name((gpa_solver)i) != NULL;
         i++)
        if (strcmp(p->a->text[OPT_SOLVER], gpa_solver_name((gpa_solver)i)) == 0)
            o.solver = (gpa_solver)i;
    o.marginals = GPA_MARGINALS_NONE;
    o.culprit = GPA_CULPRIT_OFF;
    o.noise = GPA_NOISE_CONSTANT;
    o.seed = p->seed;
    o.sigma = s->sigma;
    o.eta = per_row ? s->eta * n : s->eta;
    o.kappa = per_row ? s->kappa / n : s->kappa;
    o.nu = 0.5;
    o.cb = s->cb;
    o.a0 = 5 + n / 2;
    return o;
}

gpa_attribute_options paper_set_methods(const struct paper_set *s,
                                        const gpa_explain_options *explain)
{
    gpa_attribute_options o;
    gpa_attribute_options_init(&o);
    o.explain = explain;
    o.reference = &s->train;
    o.lime_samples = 10; /* what the published numbers come from */
    o.quadrature = GPA_QUADRATURE_TRAPEZOID;
    o.intervals = 100;
    o.shapley = GPA_SHAPLEY_SAMPLE;
    o.sv_configurations = 100;
    return o;
}

gpa_status paper_set_top(const struct paper_set *s, size_t n, gpa_sample *out,
                         gpa_error *err)
{
    size_t d = s->test.d;
    double *x = room(n * (d + 2), sizeof *x), *y = x + n * d, *f = y + n;
    if (x == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) {
        size_t row = s->order[i];
        memcpy(x + i * d, s->test.x + row * d, d * sizeof *x);
        y[i] = s->test.y[row];
        f[i] = s->test.f[row];
    }
    *out = (gpa_sample){.x = x, .y = y, .f = f, .n = n, .d = d};
    return GPA_OK;
}

size_t paper_set_input(const struct paper_set *s, const char *name)
{
    for (size_t k = 0; k < s->test.d; k++)
        if (strcmp(s->features[k], name) == 0)
            return k;
    return SIZE_MAX;
}

gpa_scatter_plot paper_set_scatter(const struct paper_set *s, const size_t inputs[2])
{
    gpa_scatter_plot plot;
    gpa_scatter_plot_init(&plot);
    plot.n = s->test.n;
    plot.d = s->test.d;
    plot.x = s->test.x;
    plot.y = s->test.y;
    plot.names = s->features;
    plot.y_label = s->target;
    plot.inputs = inputs;
    plot.n_inputs = 2;
    return plot;
}

gpa_report_info paper_set_info(const struct paper_set *s, const struct paper *p)
{
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.features = s->features;
    info.target = s->target;
    info.model_spec = gpa_model_spec(s->model);
    info.seed = p->seed;
    return info;
}
