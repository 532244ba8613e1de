/* Laws an explanation obeys whatever the model. */
#include "support.h"

#include "base/rng.h"
#include <gpa/gpa.h>

enum { N = 24, D = 4 };

/* A smooth model with interactions; `order` says where input k stands in the row,
 * `size` the length of its unit. */
struct shape {
    size_t order[D];
    double size[D];
};

static const struct shape PLAIN = {{0, 1, 2, 3}, {1, 1, 1, 1}};

static int smooth(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const struct shape *s = ctx;
    double z[D];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < D; k++)
            z[k] = x[i * d + s->order[k]] / s->size[k];
        y[i] = 2 * z[0] + z[1] * z[2] + sin(z[3]) - 0.5 * z[1];
    }
    return 0;
}

struct world {
    double x[N * D], y[N], f[N], unit[D];
    gpa_sample all;
    gpa_model *m;
};

static void build(struct world *w, const struct shape *s)
{
    gpai_rng rng = gpai_rng_make(11, 0);
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < D; k++)
            w->x[i * D + s->order[k]] = s->size[k] * gpai_rng_normal(&rng);
        w->y[i] = 3 * gpai_rng_normal(&rng);
    }
    for (size_t k = 0; k < D; k++)
        w->unit[s->order[k]] = s->size[k];
    union { /* the callback's context is not const */
        const struct shape *in;
        void *out;
    } ctx = {.in = s};
    assert_int_equal(gpa_model_from_callback(&w->m, smooth, ctx.out, D, NULL), GPA_OK);
    w->all = (gpa_sample){.x = w->x, .y = w->y, .n = N, .d = D};
    assert_int_equal(gpa_predict_observed(w->m, &w->all, w->f, NULL), GPA_OK);
    w->all.f = w->f;
}

static gpa_explanation *explain_rows(struct world *w, const size_t *rows, size_t n,
                                     gpa_solver solver)
{
    double x[N * D], y[N], f[N];
    for (size_t t = 0; t < n; t++) {
        memcpy(x + t * D, w->x + rows[t] * D, D * sizeof *x);
        y[t] = w->y[rows[t]];
        f[t] = w->f[rows[t]];
    }
    gpa_sample s = {.x = x, .y = y, .f = f, .n = n, .d = D};
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.solver = solver;
    opt.marginals = GPA_MARGINALS_PAPER;
    opt.unit = w->unit;
    opt.context = &w->all;
    opt.context_rows = rows;
    opt.grid_points = 30;
    gpa_explanation *e;
    gpa_error err;
    if (gpa_explain(&e, w->m, &s, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return e;
}

/* Another order of the columns gives the same deltas in that order. */
static void permuting_columns(void **state)
{
    (void)state;
    static const struct shape turned = {{2, 0, 3, 1}, {1, 1, 1, 1}};
    struct world a, b;
    build(&a, &PLAIN);
    build(&b, &turned);
    for (size_t row = 0; row < N; row++) {
        gpa_solver solver = row % 2 ? GPA_SOLVER_PAPER_DET : GPA_SOLVER_FAST;
        gpa_explanation *u = explain_rows(&a, &row, 1, solver);
        gpa_explanation *v = explain_rows(&b, &row, 1, solver);
        for (size_t k = 0; k < D; k++) {
            assert_close(gpa_explanation_delta(v)[turned.order[k]],
                         gpa_explanation_delta(u)[k], 1e-12);
            assert_close(gpa_explanation_marginal(v, turned.order[k])->mean,
                         gpa_explanation_marginal(u, k)->mean, 1e-12);
        }
        gpa_explanation_free(u);
        gpa_explanation_free(v);
    }
    gpa_model_free(a.m);
    gpa_model_free(b.m);
}

/* A column and its unit times a power of two: not one bit changes in delta, and
 * delta_raw grows with the unit. */
static void scaling_a_column(void **state)
{
    (void)state;
    static const struct shape large = {{0, 1, 2, 3}, {1, 1024, 0.125, 1}};
    struct world a, b;
    build(&a, &PLAIN);
    build(&b, &large);
    for (int solver = GPA_SOLVER_PAPER; solver <= GPA_SOLVER_THOROUGH; solver++)
        for (size_t row = 0; row < N; row++) {
            gpa_explanation *u = explain_rows(&a, &row, 1, (gpa_solver)solver);
            gpa_explanation *v = explain_rows(&b, &row, 1, (gpa_solver)solver);
            for (size_t k = 0; k < D; k++) {
                assert_true(gpa_explanation_delta(v)[k] == gpa_explanation_delta(u)[k]);
                assert_true(gpa_explanation_delta_raw(v)[k] ==
                            large.size[k] * gpa_explanation_delta_raw(u)[k]);
            }
            gpa_explanation_free(u);
            gpa_explanation_free(v);
        }
    gpa_model_free(a.m);
    gpa_model_free(b.m);
}

static int ignores_last(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * x[i * d] - x[i * d + 1];
    return 0;
}

/* An input the model ignores gets exactly 0 and keeps its prior, which is even. */
static void useless_input(void **state)
{
    (void)state;
    double x[3] = {1, 2, 3}, y = 4, sigma = 0.5;
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 3};
    gpa_model *m;
    gpa_explanation *e;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.sigma = sigma;
    assert_int_equal(gpa_model_from_callback(&m, ignores_last, NULL, 3, NULL), GPA_OK);
    for (int marginals = GPA_MARGINALS_PAPER; marginals <= GPA_MARGINALS_PLUGIN;
         marginals++) {
        bool drawn = marginals == GPA_MARGINALS_EXACT;
        opt.marginals = (gpa_marginals)marginals;
        opt.solver = marginals % 2 ? GPA_SOLVER_FAST : GPA_SOLVER_PAPER_DET;
        assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
        assert_true(gpa_explanation_delta(e)[0] > 0.3);
        assert_true(gpa_explanation_delta(e)[1] < 0);
        assert_true(gpa_explanation_delta(e)[2] == 0);
        /* draws of an ignored input still scatter a little */
        assert_close(gpa_explanation_marginal(e, 2)->p_positive, 0.5,
                     drawn ? 0.03 : 0.01);
        assert_close(gpa_explanation_marginal(e, 2)->mean, 0, drawn ? 0.15 : 0.05);
        gpa_explanation_free(e);
    }
    gpa_model_free(m);
}

struct collected {
    gpa_text *text[N];
    size_t order[N], n;
};

static gpa_status collect(void *ctx, size_t index, const gpa_explanation *e,
                          gpa_error *err)
{
    struct collected *c = ctx;
    gpa_report_info info;
    gpa_report_info_init(&info);
    size_t row = gpa_explanation_row(e, 0);
    assert_int_equal(index, c->n);
    c->order[c->n++] = row;
    gpa_status st = gpa_text_new(&c->text[row], err);
    return st != GPA_OK ? st
                        : gpa_report_explanation(c->text[row], GPA_FORMAT_JSON, &info,
                                                 e, 0, err);
}

static void release(struct collected *c)
{
    for (size_t i = 0; i < N; i++)
        gpa_text_free(c->text[i]);
}

/* Alone or among others, in any order, on 1 to 8 threads, in batches of any size: the
 * same bytes. */
static void same_bytes(void **state)
{
    (void)state;
    struct world w;
    build(&w, &PLAIN);
    struct collected alone = {0};
    gpa_error err;
    for (size_t row = 0; row < N; row++) {
        struct collected one = {0};
        assert_int_equal(
            gpa_explain_many(w.m, &w.all, &row, 1, 1, NULL, collect, &one, &err),
            GPA_OK);
        alone.text[row] = one.text[row];
    }
    static const size_t threads[] = {1, 2, 4, 8}, batch[] = {4096, 7, 1, 100};
    for (size_t t = 0; t < 4; t++) {
        size_t rows[N];
        gpa_model_set_batch(w.m, batch[t]);
        for (size_t i = 0; i < N; i++)
            rows[i] = (7 * i + t) % N;
        struct collected many = {0};
        assert_int_equal(gpa_explain_many(w.m, &w.all, rows, N, threads[t], NULL,
                                          collect, &many, &err),
                         GPA_OK);
        for (size_t i = 0; i < N; i++) {
            assert_int_equal(many.order[i], rows[i]);
            assert_string_equal(gpa_text_data(many.text[i]),
                                gpa_text_data(alone.text[i]));
            assert_true(gpa_text_length(many.text[i]) > 200);
        }
        release(&many);
    }
    release(&alone);
    gpa_model_free(w.m);
}

static gpa_status refuse_third(void *ctx, size_t index, const gpa_explanation *e,
                               gpa_error *err)
{
    (void)e;
    (*(size_t *)ctx)++;
    if (index < 2)
        return GPA_OK;
    if (err != NULL)
        snprintf(err->message, sizeof err->message, "enough");
    return GPA_STOPPED;
}

static void sink_can_stop(void **state)
{
    (void)state;
    struct world w;
    build(&w, &PLAIN);
    size_t rows[N];
    for (size_t i = 0; i < N; i++)
        rows[i] = i;
    for (size_t threads = 1; threads <= 4; threads++) {
        size_t seen = 0;
        gpa_error err;
        assert_int_equal(gpa_explain_many(w.m, &w.all, rows, N, threads, NULL,
                                          refuse_third, &seen, &err),
                         GPA_STOPPED);
        assert_int_equal(seen, 3);
        assert_string_equal(err.message, "enough");
    }
    rows[3] = N; /* no such row */
    size_t seen = 0;
    assert_int_equal(
        gpa_explain_many(w.m, &w.all, rows, N, 2, NULL, refuse_third, &seen, NULL),
        GPA_INVALID);
    assert_int_equal(seen, 0);
    gpa_model_free(w.m);
}

/* Collectively: the order of the rows does not matter (up to the rounding of sums), and
 * a row given twice pulls like two. */
static void collective_order(void **state)
{
    (void)state;
    struct world w;
    build(&w, &PLAIN);
    size_t there[3] = {2, 9, 17}, back[3] = {17, 2, 9};
    gpa_explanation *u = explain_rows(&w, there, 3, GPA_SOLVER_PAPER_DET);
    gpa_explanation *v = explain_rows(&w, back, 3, GPA_SOLVER_PAPER_DET);
    assert_close(gpa_explanation_summary(u)->eta, 0.3, 1e-15);
    assert_close(gpa_explanation_summary(u)->a0, 6.5, 1e-15);
    assert_close(gpa_explanation_summary(u)->kappa, 0.1 / 3, 1e-15);
    for (size_t k = 0; k < D; k++)
        assert_close(gpa_explanation_delta(u)[k], gpa_explanation_delta(v)[k], 1e-12);
    gpa_explanation_free(u);
    gpa_explanation_free(v);
    gpa_model_free(w.m);
}

/* The plausible rows are the context without the explained rows and no others: the same
 * answer as with exactly those rows as reference. Too few rows: none, and a note. */
static void own_rows_left_out(void **state)
{
    (void)state;
    struct world w;
    build(&w, &PLAIN);
    for (size_t row = 0; row < N; row += 5) {
        double others[(N - 1) * D];
        for (size_t i = 0, k = 0; i < N; i++)
            if (i != row)
                memcpy(others + D * k++, w.x + D * i, D * sizeof *others);
        gpa_sample one = {
            .x = w.x + row * D, .y = w.y + row, .f = w.f + row, .n = 1, .d = D};
        gpa_sample reference = {.x = others, .n = N - 1, .d = D};
        gpa_explain_options opt;
        gpa_explain_options_init(&opt);
        opt.marginals = GPA_MARGINALS_NONE;
        opt.context = &w.all;
        opt.context_rows = &row;
        gpa_explanation *a, *b;
        assert_int_equal(gpa_explain(&a, w.m, &one, &opt, NULL), GPA_OK);
        opt.plausible = GPA_PLAUSIBLE_REFERENCE;
        opt.reference = &reference;
        assert_int_equal(gpa_explain(&b, w.m, &one, &opt, NULL), GPA_OK);
        const gpa_culprit *u = gpa_explanation_culprit(a),
                          *v = gpa_explanation_culprit(b);
        assert_int_equal(u->plausible, GPA_PLAUSIBLE_DATA);
        assert_int_equal(v->plausible, GPA_PLAUSIBLE_REFERENCE);
        assert_int_equal(u->plausible_rows, N - 1);
        assert_memory_equal(u->probability, v->probability, D * sizeof(double));
        assert_memory_equal(u->single, v->single, D * sizeof(double));
        assert_true(u->output == v->output && u->verdict == v->verdict);
        double sum = 0;
        for (size_t k = 0; k < D; k++)
            sum += u->single[k];
        assert_close(sum, 1, 1e-12);
        gpa_explanation_free(b);
        reference.n = 7;
        assert_int_equal(gpa_explain(&b, w.m, &one, &opt, NULL), GPA_OK);
        v = gpa_explanation_culprit(b);
        assert_int_equal(v->plausible, GPA_PLAUSIBLE_NONE);
        assert_non_null(gpa_explanation_note(b, 0));
        gpa_explanation_free(a);
        gpa_explanation_free(b);
    }
    gpa_model_free(w.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuting_columns), cmocka_unit_test(scaling_a_column),
        cmocka_unit_test(useless_input),     cmocka_unit_test(same_bytes),
        cmocka_unit_test(sink_can_stop),     cmocka_unit_test(own_rows_left_out),
        cmocka_unit_test(collective_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
