/* bench_methods SPEC CONFIG ROWS REFERENCE: attributes rows of a file as told on
 * standard input, one command a line; bench/bench_methods.py is at the other end.
 * CONFIG is for a plugin, or `-`. Both files are CSV with a header, the outcome in the
 * last column.
 *
 *     slopes FILE          the perturbations h from now on; `slopes -`: none
 *     draws FILE           Shapley draws from now on: N, N reference rows, N orders
 *     rule RULE INTERVALS NODES ROWS
 *                          how ig and eig integrate from now on (auto or trapezoid) and
 *                          how many reference rows eig takes; 0: the default
 *     run METHOD ROW N REPEATS
 *                          seconds, model rows and calls of one attribution, then its
 *                          scores; N: Shapley configurations, 0: the default */
#include "support.h"
#include <gpa/gpa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char program[] = "bench_methods";

struct rows {
    gpa_table *table;
    double *x, *f;
    gpa_sample s;
};

struct bench {
    gpa_model *model;
    struct rows rows, reference;
    gpa_attribute_options opt;
    gpa_explain_options explain;
    double *slopes;
    size_t *draws;
};

static void read_rows(struct rows *r, gpa_model *m, const char *path)
{
    gpa_error err;
    must(gpa_table_read(&r->table, path, NULL, &err), &err);
    size_t n = gpa_table_rows(r->table), d = gpa_table_columns(r->table) - 1;
    size_t *columns = take(d, sizeof *columns);
    for (size_t k = 0; k < d; k++)
        columns[k] = k;
    r->x = take(n * d, sizeof *r->x);
    r->f = take(n, sizeof *r->f);
    must(gpa_table_matrix(r->table, columns, d, true, r->x, &err), &err);
    r->s = (gpa_sample){.x = r->x, .n = n, .d = d};
    r->s.y = gpa_table_numbers(r->table, d, &err);
    must(gpa_predict_observed(m, &r->s, r->f, &err), &err);
    r->s.f = r->f;
    free(columns);
}

static void free_rows(struct rows *r)
{
    gpa_table_free(r->table);
    free(r->x);
    free(r->f);
}

static double *read_numbers(const char *path, size_t *n)
{
    gpa_error err;
    double *list = NULL;
    must(gpa_numbers_read(path, &list, n, &err), &err);
    return list;
}

static void use_slopes(struct bench *b, const char *path)
{
    gpa_numbers_free(b->slopes);
    b->slopes = NULL;
    size_t n = 0;
    if (strcmp(path, "-") != 0)
        b->slopes = read_numbers(path, &n);
    b->explain.slope_list = b->slopes;
    b->explain.slope_list_length = n;
    printf("%zu\n", n);
}

static void use_draws(struct bench *b, const char *path)
{
    size_t n, d = b->rows.s.d;
    double *list = read_numbers(path, &n);
    size_t count = (size_t)list[0];
    if (n != 1 + count * (1 + d))
        stop_at("not as many numbers as the first one says", path);
    free(b->draws);
    b->draws = take(n - 1, sizeof *b->draws);
    for (size_t i = 0; i + 1 < n; i++)
        b->draws[i] = (size_t)list[i + 1];
    b->opt.sv_rows = b->draws;
    b->opt.sv_orders = b->draws + count;
    gpa_numbers_free(list);
    printf("%zu\n", count);
}

static void use_rule(struct bench *b, const char *rule, size_t intervals, size_t nodes,
                     size_t rows)
{
    b->opt.quadrature =
        strcmp(rule, "trapezoid") == 0 ? GPA_QUADRATURE_TRAPEZOID : GPA_QUADRATURE_AUTO;
    b->opt.intervals = intervals;
    b->opt.eig_rows = rows;
    b->explain.slope_nodes = nodes;
    printf("%s\n", rule);
}

static void run(struct bench *b, const char *method, size_t row, size_t configurations,
                size_t repeats)
{
    gpa_error err;
    const gpa_sample *all = &b->rows.s;
    gpa_sample s = {.x = all->x + row * all->d, .n = 1, .d = all->d};
    s.y = all->y + row;
    s.f = all->f + row;
    gpa_attribute_options opt = b->opt;
    opt.explain = &b->explain;
    opt.sv_configurations = configurations;
    if (configurations == 0)
        opt.sv_rows = opt.sv_orders = NULL;
    gpa_attribution *a = NULL;
    double start = now();
    for (size_t i = 0; i < repeats; i++) {
        gpa_attribution_free(a);
        must(gpa_attribute(&a, method, b->model, &s, &opt, &err), &err);
    }
    printf("%.9g %llu %llu", (now() - start) / (double)repeats,
           (unsigned long long)gpa_attribution_model_rows(a),
           (unsigned long long)gpa_attribution_model_calls(a));
    for (size_t k = 0; k < all->d; k++)
        printf(" %.17g", gpa_attribution_score(a)[k]);
    printf("\n");
    gpa_attribution_free(a);
}

static void answer(struct bench *b, const char *line)
{
    char word[1024];
    size_t one, two, three;
    if (sscanf(line, "run %1023s %zu %zu %zu", word, &one, &two, &three) == 4)
        run(b, word, one, two, three);
    else if (sscanf(line, "rule %1023s %zu %zu %zu", word, &one, &two, &three) == 4)
        use_rule(b, word, one, two, three);
    else if (sscanf(line, "slopes %1023[^\n]", word) == 1)
        use_slopes(b, word);
    else if (sscanf(line, "draws %1023[^\n]", word) == 1)
        use_draws(b, word);
    else
        stop_at("cannot read the command", line);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    gpa_error err;
    char line[2048];
    if (argc != 5) {
        fprintf(stderr, "usage: bench_methods SPEC CONFIG ROWS REFERENCE\n");
        return 2;
    }
    gpa_model_options how;
    gpa_model_options_init(&how);
    how.config = strcmp(argv[2], "-") == 0 ? NULL : argv[2];
    must(gpa_model_open(&b.model, argv[1], &how, &err), &err);
    read_rows(&b.rows, b.model, argv[3]);
    read_rows(&b.reference, b.model, argv[4]);
    b.reference.s.f = NULL; /* as in the published program: to be asked */
    gpa_explain_options_init(&b.explain);
    gpa_attribute_options_init(&b.opt);
    b.explain.context = &b.rows.s;
    b.opt.reference = &b.reference.s;
    while (fgets(line, sizeof line, stdin) != NULL)
        answer(&b, line);
    gpa_numbers_free(b.slopes);
    free(b.draws);
    free_rows(&b.rows);
    free_rows(&b.reference);
    gpa_model_free(b.model);
    return 0;
}
