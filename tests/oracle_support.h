#ifndef ORACLE_SUPPORT_H
#define ORACLE_SUPPORT_H

/* The paper's Diabetes model, data and numbers, from outside the tree. */
#include "support.h"

#include <gpa/gpa.h>
#include <jansson.h>

enum { ORACLE_D = 10 };

struct oracle {
    gpa_model *m;
    gpa_table *test, *train;
    json_t *want;  /* expected.json */
    json_t *table; /* expected_seed_grad1.json: what the paper's table rests on */
    double *x, *f, *reference_x;
    gpa_sample all, reference;
    double start[ORACLE_D];
};

/* The value at a path of keys; `o` keeps owning it. */
static inline json_t *oracle_at(const json_t *o, const char *path)
{
    union { /* jansson's getters are not all const */
        const json_t *in;
        json_t *out;
    } at = {.in = o};
    char word[64];
    while (*path != '\0') {
        size_t n = strcspn(path, "/");
        snprintf(word, sizeof word, "%.*s", (int)n, path);
        at.out = json_object_get(at.out, word);
        assert_non_null(at.out);
        path += n + (path[n] == '/');
    }
    return at.out;
}

static inline double oracle_number(const json_t *array, size_t i)
{
    assert_true(json_is_number(json_array_get(array, i)));
    return json_number_value(json_array_get(array, i));
}

/* Fills v with the first n numbers of an array. */
static inline void oracle_numbers(const json_t *array, size_t n, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = oracle_number(array, i);
}

static inline gpa_table *oracle_table(const char *name, double **x)
{
    char path[4096];
    gpa_table *t = NULL;
    size_t columns[ORACLE_D];
    assert_non_null(shared_file(path, sizeof path, name));
    assert_int_equal(gpa_table_read(&t, path, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_table_columns(t), ORACLE_D + 1);
    for (size_t k = 0; k < ORACLE_D; k++)
        columns[k] = k;
    *x = calloc(gpa_table_rows(t) * ORACLE_D, sizeof **x);
    assert_int_equal(gpa_table_matrix(t, columns, ORACLE_D, true, *x, NULL), GPA_OK);
    return t;
}

/* Group fixtures; without the files every test is to skip (oracle_needed). */
static inline int oracle_set_up(void **state)
{
    char path[4096], spec[4200];
    struct oracle *o = calloc(1, sizeof *o);
    *state = o;
    if (shared_file(path, sizeof path, "oracle/diabetes/expected.json") == NULL)
        return 0;
    o->want = json_load_file(path, 0, NULL);
    assert_non_null(
        shared_file(path, sizeof path, "oracle/diabetes/expected_seed_grad1.json"));
    o->table = json_load_file(path, 0, NULL);
    assert_true(o->want != NULL && o->table != NULL);
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/model.json"));
    snprintf(spec, sizeof spec, "mlp:%s", path);
    assert_int_equal(gpa_model_open(&o->m, spec, NULL, NULL), GPA_OK);
    o->test = oracle_table("oracle/diabetes/test.csv", &o->x);
    o->train = oracle_table("oracle/diabetes/train.csv", &o->reference_x);
    o->all = (gpa_sample){.x = o->x,
                          .y = gpa_table_numbers(o->test, ORACLE_D, NULL),
                          .n = gpa_table_rows(o->test),
                          .d = ORACLE_D};
    o->f = calloc(o->all.n, sizeof *o->f);
    assert_int_equal(gpa_predict_observed(o->m, &o->all, o->f, NULL), GPA_OK);
    o->all.f = o->f;
    o->reference =
        (gpa_sample){.x = o->reference_x, .n = gpa_table_rows(o->train), .d = ORACLE_D};
    oracle_numbers(oracle_at(o->want, "delta_init_seed1"), ORACLE_D, o->start);
    return 0;
}

static inline int oracle_tear_down(void **state)
{
    struct oracle *o = *state;
    json_decref(o->want);
    json_decref(o->table);
    gpa_model_free(o->m);
    gpa_table_free(o->test);
    gpa_table_free(o->train);
    free(o->x);
    free(o->f);
    free(o->reference_x);
    free(o);
    return 0;
}

static inline struct oracle *oracle_needed(void **state)
{
    struct oracle *o = *state;
    if (o->want == NULL)
        skip();
    return o;
}

/* One row of the test set alone. */
static inline gpa_sample oracle_row(const struct oracle *o, size_t row)
{
    return (gpa_sample){.x = o->x + row * ORACLE_D,
                        .y = o->all.y + row,
                        .f = o->f + row,
                        .n = 1,
                        .d = ORACLE_D};
}

/* The published run's settings; h are its slope perturbations. */
static inline void oracle_settings(const struct oracle *o, const double *h,
                                   gpa_explain_options *opt)
{
    gpa_explain_options_init(opt);
    opt->solver = GPA_SOLVER_PAPER;
    opt->eta = json_number_value(oracle_at(o->want, "params/l2"));
    opt->nu = json_number_value(oracle_at(o->want, "params/l1_ratio"));
    opt->a0 = json_number_value(oracle_at(o->want, "params/a0"));
    opt->cb = json_number_value(oracle_at(o->want, "params/c_b"));
    opt->kappa = json_number_value(oracle_at(o->want, "params/lr"));
    opt->slope_list = h;
    opt->slope_list_length = 10;
    opt->delta_init = o->start;
    opt->context = &o->all;
}

#endif
