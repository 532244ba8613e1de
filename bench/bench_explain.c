/* bench_explain MODEL FILE.csv: how many rows per second a model gives by batch size,
 * and what explaining every row of a file costs. The last column is the outcome. Wall
 * time; bench/README.md says how to read it. */
#include <gpa/gpa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct data {
    gpa_table *table;
    double *x, *f, *center, *unit;
    gpa_sample sample;
};

static gpa_status read_data(struct data *data, const char *path, gpa_error *err)
{
    gpa_status st = gpa_table_read(&data->table, path, NULL, err);
    if (st != GPA_OK)
        return st;
    size_t n = gpa_table_rows(data->table), d = gpa_table_columns(data->table) - 1;
    size_t *columns = calloc(d, sizeof *columns);
    data->x = calloc(n * d, sizeof *data->x);
    data->f = calloc(n, sizeof *data->f);
    data->center = calloc(2 * d, sizeof *data->center);
    if (columns == NULL || data->x == NULL || data->f == NULL || data->center == NULL)
        abort();
    data->unit = data->center + d;
    for (size_t k = 0; k < d; k++)
        columns[k] = k;
    data->sample = (gpa_sample){.x = data->x,
                                .y = gpa_table_numbers(data->table, d, err),
                                .f = data->f,
                                .n = n,
                                .d = d};
    st = data->sample.y == NULL
             ? GPA_DATA
             : gpa_table_matrix(data->table, columns, d, true, data->x, err);
    if (st == GPA_OK)
        st = gpa_scale_fit(data->x, n, d, data->center, data->unit, NULL, err);
    free(columns);
    return st;
}

static void free_data(struct data *data)
{
    free(data->x);
    free(data->f);
    free(data->center);
    gpa_table_free(data->table);
}

/* Rows per second in calls of `batch` rows, for about half a second. */
static gpa_status time_batch(gpa_model *m, const struct data *data, size_t batch,
                             gpa_error *err)
{
    size_t d = data->sample.d, rows = 0;
    double *x = calloc(batch * d, sizeof *x), *y = calloc(batch, sizeof *y);
    if (x == NULL || y == NULL)
        abort();
    for (size_t i = 0; i < batch; i++)
        memcpy(x + i * d, data->x + i % data->sample.n * d, d * sizeof *x);
    gpa_status st = gpa_model_predict(m, x, batch, y, err); /* warm-up */
    double start = now(), end = start;
    while (st == GPA_OK && end - start < 0.5) {
        st = gpa_model_predict(m, x, batch, y, err);
        rows += batch;
        end = now();
    }
    if (st == GPA_OK)
        printf("model  batch %4zu  %12.0f rows/s\n", batch,
               (double)rows / (end - start));
    free(x);
    free(y);
    return st;
}

/* Adds up what explanations asked of the model. */
static gpa_status count_rows(void *ctx, size_t index, const gpa_explanation *e,
                             gpa_error *err)
{
    (void)index;
    (void)err;
    *(double *)ctx += (double)gpa_explanation_summary(e)->model_rows;
    return GPA_OK;
}

static gpa_status time_solver(gpa_model *m, const struct data *data, gpa_solver solver,
                              gpa_error *err)
{
    size_t n = data->sample.n;
    size_t *rows = calloc(n, sizeof *rows);
    if (rows == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        rows[i] = i;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.solver = solver;
    opt.marginals = GPA_MARGINALS_PAPER;
    opt.culprit = GPA_CULPRIT_OFF;
    opt.unit = data->unit;
    double asked = 0, start = now();
    gpa_status st =
        gpa_explain_many(m, &data->sample, rows, n, 1, &opt, count_rows, &asked, err);
    double each = (now() - start) / (double)n;
    if (st == GPA_OK)
        printf("explain %-10s %9.3f ms each  %8.0f model rows each\n",
               gpa_solver_name(solver), 1e3 * each, asked / (double)n);
    free(rows);
    return st;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bench_explain MODEL FILE.csv\n");
        return 2;
    }
    gpa_error err;
    gpa_model *m = NULL;
    struct data data = {0};
    gpa_status st = gpa_model_open(&m, argv[1], NULL, &err);
    if (st == GPA_OK)
        st = read_data(&data, argv[2], &err);
    for (size_t batch = 1; st == GPA_OK && batch <= 4096; batch *= 8)
        st = time_batch(m, &data, batch, &err);
    if (st == GPA_OK)
        st = gpa_predict_observed(m, &data.sample, data.f, &err);
    if (st == GPA_OK)
        st = time_solver(m, &data, GPA_SOLVER_PAPER, &err);
    if (st == GPA_OK)
        st = time_solver(m, &data, GPA_SOLVER_PAPER_DET, &err);
    if (st != GPA_OK)
        fprintf(stderr, "%s\n", err.message);
    free_data(&data);
    gpa_model_free(m);
    return st == GPA_OK ? 0 : 1;
}
