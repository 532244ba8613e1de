/* Models whose cost per row is chosen (by busy waiting), on one thread:
 *
 *     bench_synthetic map COST COUNT
 *         MAP estimates of COUNT rows of 10 inputs, COST seconds a model row
 *     bench_synthetic table MARGINALS ROWS CULPRIT STRIDE
 *         every STRIDE-th row of 20,640 by 8, a microsecond a model row
 *
 * Prints the seconds in all, those inside the model, explanations and model rows. */
#include "support.h"
#include <gpa/gpa.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program[] = "bench_synthetic";

enum { MAP_INPUTS = 10, TABLE_ROWS = 20640, TABLE_INPUTS = 8 };

/* Seconds spent in all and inside the model, and what was done in them. */
struct spent {
    double total, model;
    size_t explanations, rows;
};

/* A smooth function that takes its time. */
struct slow {
    double cost;  /* seconds a row */
    double spent; /* seconds so far */
    size_t rows;
};

static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct slow *s = ctx;
    double start = now(), end;
    for (size_t i = 0; i < n; i++) {
        const double *r = x + i * d;
        y[i] = 0.5 * r[0] * r[1];
        for (size_t k = 0; k < d; k++) /* a softened absolute value per input */
            y[i] +=
                (k % 2 == 0 ? 1.0 : -0.6) * sqrt(1 + r[k] * r[k] * (1 + (double)k)) +
                0.4 * r[k];
    }
    do
        end = now();
    while (end - start < s->cost * (double)n);
    s->spent += end - start;
    s->rows += n;
    return 0;
}

struct table {
    struct slow slow;
    gpa_model *model;
    double *x, *y, *f;
    gpa_sample sample;
};

/* Normal inputs; one row in ten deviates clearly from its prediction. */
static void table_open(struct table *t, size_t n, size_t d)
{
    gpa_error err;
    uint64_t state = 1;
    *t = (struct table){0};
    t->x = take(n * d, sizeof *t->x);
    t->y = take(n, sizeof *t->y);
    t->f = take(n, sizeof *t->f);
    for (size_t i = 0; i < n * d; i++)
        t->x[i] = normal(&state);
    must(gpa_model_from_callback(&t->model, predict, &t->slow, d, &err), &err);
    t->sample = (gpa_sample){.x = t->x, .y = t->y, .f = t->f, .n = n, .d = d};
    must(gpa_model_predict(t->model, t->x, n, t->f, &err), &err);
    for (size_t i = 0; i < n; i++)
        t->y[i] = t->f[i] + (i % 10 == 0 ? 2 : 0.5) * normal(&state);
}

static void table_close(struct table *t)
{
    gpa_model_free(t->model);
    free(t->x);
    free(t->y);
    free(t->f);
}

static gpa_status count(void *ctx, size_t index, const gpa_explanation *e,
                        gpa_error *err)
{
    (void)index;
    (void)e;
    (void)err;
    ++*(size_t *)ctx;
    return GPA_OK;
}

/* Every `stride`-th row of a new table. */
static struct spent explain(size_t n, size_t d, size_t stride, double cost,
                            const gpa_explain_options *opt)
{
    gpa_error err;
    struct table t;
    struct spent s = {0};
    table_open(&t, n, d);
    size_t jobs = n / stride, *rows = take(jobs, sizeof *rows);
    for (size_t i = 0; i < jobs; i++)
        rows[i] = stride * i;
    t.slow = (struct slow){.cost = cost};
    double start = now();
    must(gpa_explain_many(t.model, &t.sample, rows, jobs, 1, opt, count,
                          &s.explanations, &err),
         &err);
    s.total = now() - start;
    s.model = t.slow.spent;
    s.rows = t.slow.rows;
    free(rows);
    table_close(&t);
    return s;
}

static gpa_culprit_mode culprit_of(const char *word)
{
    for (int i = 0; gpa_culprit_mode_name((gpa_culprit_mode)i) != NULL; i++)
        if (strcmp(gpa_culprit_mode_name((gpa_culprit_mode)i), word) == 0)
            return (gpa_culprit_mode)i;
    stop_at("no such culprit mode", word);
}

int main(int argc, char **argv)
{
    struct spent s;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    if (argc == 4 && strcmp(argv[1], "map") == 0) {
        opt.marginals = GPA_MARGINALS_NONE;
        opt.culprit = GPA_CULPRIT_OFF;
        size_t rows = 10 * strtoull(argv[3], NULL, 10); /* one in ten deviates */
        s = explain(rows, MAP_INPUTS, 10, strtod(argv[2], NULL), &opt);
    } else if (argc == 6 && strcmp(argv[1], "table") == 0) {
        opt.marginals = marginals_of(argv[2]);
        opt.marginal_rows = strtoull(argv[3], NULL, 10);
        opt.culprit = culprit_of(argv[4]);
        s = explain(TABLE_ROWS, TABLE_INPUTS, strtoull(argv[5], NULL, 10), 1e-6, &opt);
    } else {
        fprintf(stderr, "usage: bench_synthetic map COST COUNT\n"
                        "       bench_synthetic table MARGINALS ROWS CULPRIT STRIDE\n");
        return 2;
    }
    printf("%.9g %.9g %zu %zu\n", s.total, s.model, s.explanations, s.rows);
    return 0;
}
