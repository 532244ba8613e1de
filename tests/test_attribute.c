/* The door to all methods: the paper's chart, options, checks, counting. */
#include "support.h"

#include "base/alloc.h"
#include "methods/attribute.h"
#include <gpa/gpa.h>

enum { D = 3 };

/* The paper's table 1; LIME's "yes/no" of a distribution is no for LIME, yes for
 * BayLIME. */
static void chart(void **state)
{
    static const struct {
        const char *name, *label;
        bool training_data_free, baseline_free, sees_y, distribution;
    } rows[] = {
        {"gpa", "GPA", true, true, true, true},
        {"lc", "LC", true, true, true, false},
        {"lime", "LIME", true, true, false, false},
        {"baylime", "BayLIME", true, true, false, true},
        {"ig", "IG", true, false, false, false},
        {"eig", "EIG", false, true, false, false},
        {"sv", "SV", false, true, false, false},
        {"z", "Z", false, true, false, false},
    };
    (void)state;
    assert_int_equal(gpa_method_count(), sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gpa_method *m = gpa_method_at(i);
        assert_string_equal(m->name, rows[i].name);
        assert_string_equal(m->label, rows[i].label);
        assert_int_equal(m->training_data_free, rows[i].training_data_free);
        assert_int_equal(m->baseline_free, rows[i].baseline_free);
        assert_int_equal(m->sees_y, rows[i].sees_y);
        assert_int_equal(m->distribution, rows[i].distribution);
        assert_true(strlen(m->title) > 0 && strlen(m->gives) > 0);
        assert_null(strpbrk(m->title, "\"\\"));
        assert_null(strpbrk(m->gives, "\"\\"));
        assert_ptr_equal(gpa_method_find(rows[i].name), m);
    }
    assert_null(gpa_method_at(gpa_method_count()));
    assert_null(gpa_method_find("GPA"));
    assert_null(gpa_method_find(""));
    assert_null(gpa_method_find(NULL));
}

static const double WEIGHT[D] = {1.5, -2, 0.25};

static int curved(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t k = 0; k < d; k++)
            y[i] += WEIGHT[k] * x[i * d + k] + 0.3 * sin(x[i * d + k]);
    }
    return 0;
}

static gpa_model *curved_model(void)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_from_callback(&m, curved, NULL, D, NULL), GPA_OK);
    return m;
}

static const double X[2 * D] = {0.5, -1, 2, 0.75, -0.5, 1}, Y[2] = {6, 5};

/* One row with sigma known: enough for every method that needs no reference. */
static gpa_sample one_row(void)
{
    return (gpa_sample){.x = X, .y = Y, .n = 1, .d = D};
}

static void resolve(const gpa_explain_options *e, gpa_attribute_options *opt,
                    gpa_attribute_options *o, gpa_explain_options *full)
{
    opt->explain = e;
    assert_int_equal(
        gpai_attribute_resolve(o, full, gpai_method_find("lime"), opt, D, NULL),
        GPA_OK);
}

/* lime's l1 is gpa's only where that is given: it may not depend on y. */
static void defaults(void **state)
{
    const double reference_x[4 * D] = {0};
    const gpa_sample reference = {.x = reference_x, .n = 4, .d = D};
    gpa_explain_options e, full;
    gpa_attribute_options opt, o;
    (void)state;
    gpa_explain_options_init(&e);
    gpa_attribute_options_init(&opt);
    resolve(NULL, &opt, &o, &full);
    assert_ptr_equal(o.explain, &full);
    assert_int_equal(o.lime_samples, 1000);
    assert_true(o.lime_l1 == 0.2 && o.lime_sd == 1 && o.lime_precision == 1);
    assert_int_equal(o.intervals, 100);
    assert_int_equal(o.sv_configurations, 100);
    assert_int_equal(full.slope_nodes, 4);
    e.eta = 0.6;
    resolve(&e, &opt, &o, &full);
    assert_close(o.lime_l1, 0.3, 1e-15);
    e.nu = 0.25;
    e.solver = GPA_SOLVER_PAPER;
    resolve(&e, &opt, &o, &full);
    assert_close(o.lime_l1, 0.15, 1e-15);
    assert_int_equal(full.slope_nodes, 10);
    opt.lime_l1 = 0;
    opt.lime_samples = 7;
    opt.reference = &reference;
    resolve(&e, &opt, &o, &full);
    assert_true(o.lime_l1 == 0 && o.lime_samples == 7);
    assert_int_equal(o.eig_rows, 4);
    opt.eig_rows = 3;
    resolve(&e, &opt, &o, &full);
    assert_int_equal(o.eig_rows, 3);
    opt.eig_rows = 9;
    resolve(&e, &opt, &o, &full);
    assert_int_equal(o.eig_rows, 4);
}

/* A program compiled against a shorter struct: what it does not know keeps its
 * default. */
static void older_caller(void **state)
{
    gpa_attribute_options opt, o;
    gpa_explain_options full;
    (void)state;
    size_t size = offsetof(gpa_attribute_options, lime_l1);
    memset(&opt, 0xff, sizeof opt);
    gpa_attribute_options_init_sized(&opt, size);
    assert_int_equal(opt.struct_size, size);
    assert_int_equal(*(const unsigned char *)&opt.lime_l1, 0xff); /* not touched */
    opt.lime_samples = 11;
    resolve(NULL, &opt, &o, &full);
    assert_int_equal(o.lime_samples, 11);
    assert_true(o.lime_l1 == 0.2);
    assert_null(o.progress);
}

static const size_t ROWS_BAD[2] = {0, 4}, ROWS_GOOD[2] = {0, 3};
static const size_t ORDERS_BAD[2 * D] = {0, 1, 2, 2, 2, 0};
static const size_t ORDERS_GOOD[2 * D] = {0, 1, 2, 2, 1, 0};
static const double GAP[D] = {1, (double)NAN, 1};

static void set_l1(gpa_attribute_options *o)
{
    o->lime_l1 = -1;
}
static void set_sd(gpa_attribute_options *o)
{
    o->lime_sd = 0;
}
static void set_precision(gpa_attribute_options *o)
{
    o->lime_precision = HUGE_VAL;
}
static void set_samples(gpa_attribute_options *o)
{
    o->lime_samples = SIZE_MAX;
}
static void set_intervals(gpa_attribute_options *o)
{
    o->intervals = SIZE_MAX;
}
static void set_baseline(gpa_attribute_options *o)
{
    o->baseline = GPA_BASELINE_GIVEN;
}
static void set_gap(gpa_attribute_options *o)
{
    o->baseline = GPA_BASELINE_GIVEN;
    o->baseline_x = GAP;
}
static void set_choice(gpa_attribute_options *o)
{
    o->shapley = (gpa_shapley)7;
}
static void set_lime_x(gpa_attribute_options *o)
{
    o->lime_x = X;
}
static void set_lime_gap(gpa_attribute_options *o)
{
    o->lime_x = GAP;
    o->lime_samples = 1;
}
static void set_rows_only(gpa_attribute_options *o)
{
    o->sv_rows = ROWS_GOOD;
    o->sv_configurations = 2;
}
static void set_no_count(gpa_attribute_options *o)
{
    o->sv_rows = ROWS_GOOD;
    o->sv_orders = ORDERS_GOOD;
}
static void set_rows(gpa_attribute_options *o)
{
    o->sv_rows = ROWS_BAD;
    o->sv_orders = ORDERS_GOOD;
    o->sv_configurations = 2;
}
static void set_orders(gpa_attribute_options *o)
{
    o->sv_rows = ROWS_GOOD;
    o->sv_orders = ORDERS_BAD;
    o->sv_configurations = 2;
}
static void set_no_reference(gpa_attribute_options *o)
{
    o->reference = NULL;
}
static void set_reference_baseline(gpa_attribute_options *o)
{
    o->reference = NULL;
    o->baseline = GPA_BASELINE_REFERENCE;
}
static void set_narrow(gpa_attribute_options *o)
{
    static const gpa_sample narrow = {.x = X, .n = 3, .d = 2};
    o->reference = &narrow;
}
static void set_empty(gpa_attribute_options *o)
{
    static const gpa_sample empty = {.x = X, .n = 0, .d = D};
    o->reference = &empty;
}
static void set_reference_gap(gpa_attribute_options *o)
{
    static const gpa_sample gap = {.x = GAP, .n = 1, .d = D};
    o->reference = &gap;
}
static void set_size(gpa_attribute_options *o)
{
    o->struct_size = 0;
}

static void refusals(void **state)
{
    static const struct {
        const char *method;
        void (*set)(gpa_attribute_options *o);
        const char *says;
    } cases[] = {
        {"lime", set_l1, "lime-l1 is -1"},
        {"lime", set_sd, "lime-sd is 0"},
        {"baylime", set_precision, "lime-precision is inf"},
        {"lime", set_samples, "at most"},
        {"ig", set_intervals, "at most"},
        {"ig", set_baseline, "no baseline was given"},
        {"ig", set_gap, "baseline: row 0, input 1 is missing"},
        {"sv", set_choice, "unknown baseline, shapley or quadrature (0, 7, 0)"},
        {"lime", set_lime_x, "lime_samples"},
        {"lime", set_lime_gap, "lime samples: row 0, input 1 is missing"},
        {"sv", set_rows_only, "Shapley draws"},
        {"sv", set_no_count, "Shapley draws"},
        {"sv", set_rows, "sv: draw 1: there is no such reference row"},
        {"sv", set_orders, "sv: draw 1: its order is no permutation"},
        {"sv", set_no_reference, "sv: needs reference rows: give --reference FILE"},
        {"eig", set_no_reference, "eig: needs reference rows: give --reference FILE"},
        {"z", set_no_reference, "z: needs reference rows: give --reference FILE"},
        {"z", set_empty, "z: needs reference rows: give --reference FILE"},
        {"ig", set_reference_baseline, "ig: needs reference rows for its baseline"},
        {"sv", set_narrow, "sv: the reference rows have 2 inputs, not 3"},
        {"lime", set_size, "gpa_attribute_options_init"},
    };
    static const double reference_x[4 * D] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const gpa_sample reference = {.x = reference_x, .n = 4, .d = D};
    gpa_model *m = curved_model();
    gpa_sample s = one_row();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_attribute_options opt;
        gpa_attribution *a = (gpa_attribution *)(void *)&opt;
        gpa_error err;
        gpa_attribute_options_init(&opt);
        opt.reference = &reference;
        cases[i].set(&opt);
        assert_int_equal(gpa_attribute(&a, cases[i].method, m, &s, &opt, &err),
                         GPA_INVALID);
        if (strstr(err.message, cases[i].says) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", err.message, cases[i].says);
        assert_null(a);
        assert_int_equal(gpa_attribute(&a, cases[i].method, m, &s, &opt, NULL),
                         GPA_INVALID);
    }
    assert_int_equal(gpa_model_rows(m), 0); /* found before anything is asked */
    gpa_model_free(m);
}

/* A gap in the reference is the trouble of those who must ask about its rows. */
static void gap_in_the_reference(void **state)
{
    static const double reference_x[4 * D] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const gpa_sample reference = {.x = reference_x, .n = 4, .d = D};
    gpa_model *m = curved_model();
    gpa_sample s = one_row();
    gpa_attribute_options opt;
    (void)state;
    gpa_attribute_options_init(&opt);
    opt.reference = &reference;
    set_reference_gap(&opt);
    for (size_t i = 0; i < 2; i++) {
        gpa_attribution *a = NULL;
        gpa_error err;
        assert_int_equal(gpa_attribute(&a, i == 0 ? "sv" : "eig", m, &s, &opt, &err),
                         GPA_NUMERIC);
        assert_non_null(strstr(err.message, "reference: row 0, input 1 is missing"));
        assert_null(a);
    }
    gpa_attribution *z = NULL;
    assert_int_equal(gpa_attribute(&z, "z", m, &s, &opt, NULL), GPA_OK);
    gpa_attribution_free(z);
    gpa_model_free(m);
}

static void bad_rows(void **state)
{
    static const double gap[D] = {1, (double)NAN, 1}, far[1] = {HUGE_VAL};
    gpa_model *m = curved_model();
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_attribution *a = NULL;
    gpa_error err;
    gpa_sample s = one_row();
    (void)state;
    gpa_explain_options_init(&e);
    e.sigma = 1;
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    assert_int_equal(gpa_attribute(NULL, "lime", m, &s, &opt, &err), GPA_INVALID);
    assert_int_equal(gpa_attribute(&a, "limes", m, &s, &opt, &err), GPA_INVALID);
    assert_string_equal(err.message, "attribute: no method \"limes\": see gpa methods");
    assert_int_equal(gpa_attribute(&a, NULL, m, &s, &opt, &err), GPA_INVALID);
    assert_int_equal(gpa_attribute(&a, "lime", NULL, &s, &opt, &err), GPA_INVALID);
    assert_int_equal(gpa_attribute(&a, "lime", m, NULL, &opt, &err), GPA_INVALID);
    s.d = 2;
    assert_int_equal(gpa_attribute(&a, "lime", m, &s, &opt, &err), GPA_INVALID);
    assert_string_equal(err.message, "lime: the rows have 2 inputs, the model takes 3");
    s.d = D;
    s.y = NULL;
    assert_int_equal(gpa_attribute(&a, "gpa", m, &s, &opt, &err), GPA_INVALID);
    assert_string_equal(err.message, "gpa: rows with y are needed");
    assert_int_equal(gpa_attribute(&a, "lime", m, &s, &opt, &err), GPA_OK);
    gpa_attribution_free(a);
    s = one_row();
    s.x = gap;
    assert_int_equal(gpa_attribute(&a, "lime", m, &s, &opt, &err), GPA_NUMERIC);
    assert_string_equal(err.message,
                        "lime: row 0, input 1 is missing: only gpa and lc explain rows "
                        "with missing inputs");
    assert_int_equal(gpa_attribute(&a, "gpa", m, &s, &opt, &err), GPA_NUMERIC);
    assert_string_equal(err.message, "gpa: the model gives NaN for row 0: a finite "
                                     "prediction is needed");
    s.x = X;
    s.f = far;
    assert_int_equal(gpa_attribute(&a, "lc", m, &s, &opt, &err), GPA_NUMERIC);
    assert_string_equal(err.message, "lc: the model gives infinity for row 0: a finite "
                                     "prediction is needed");
    s.f = NULL;
    s.y = far;
    assert_int_equal(gpa_attribute(&a, "lc", m, &s, &opt, &err), GPA_NUMERIC);
    assert_null(a);
    gpa_model_free(m);
}

/* A model that takes missing inputs is explained where the others refuse. */
static int patient(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t k = 0; k < d; k++)
            y[i] += isnan(x[i * d + k]) ? 0 : WEIGHT[k] * x[i * d + k];
    }
    return 0;
}

static void missing_inputs(void **state)
{
    static const double gap[D] = {1, (double)NAN, 1};
    gpa_model *m = NULL;
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_error err;
    (void)state;
    assert_int_equal(gpa_model_from_callback(&m, patient, NULL, D, NULL), GPA_OK);
    gpa_explain_options_init(&e);
    e.sigma = 1;
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    for (size_t i = 0; i < gpa_method_count(); i++) {
        const gpa_method *method = gpa_method_at(i);
        gpa_sample s = {.x = gap, .y = Y, .n = 1, .d = D};
        gpa_attribution *a = NULL;
        opt.reference = &(const gpa_sample){.x = X, .n = 2, .d = D};
        gpa_status st = gpa_attribute(&a, method->name, m, &s, &opt, &err);
        assert_int_equal(st, method->sees_y ? GPA_OK : GPA_NUMERIC);
        if (st == GPA_OK) {
            assert_true(gpa_attribution_score(a)[0] > 0);
            assert_true(gpa_attribution_score(a)[1] == 0);
        }
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* f is asked for once when the caller does not know it; the answer is the same. */
static void asking_for_f(void **state)
{
    static const char *const names[] = {"gpa", "lc", "lime", "ig"};
    gpa_model *m = curved_model();
    gpa_explain_options e;
    gpa_attribute_options opt;
    double f[2], ones[D] = {1, 1, 1};
    gpa_sample s = {.x = X, .y = Y, .n = 2, .d = D};
    (void)state;
    assert_int_equal(gpa_predict_observed(m, &s, f, NULL), GPA_OK);
    gpa_explain_options_init(&e);
    e.sigma = 1;
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        gpa_attribution *asked = NULL, *known = NULL;
        uint64_t rows = gpa_model_rows(m), calls = gpa_model_calls(m);
        s.f = NULL;
        e.unit = NULL;
        assert_int_equal(gpa_attribute(&asked, names[i], m, &s, &opt, NULL), GPA_OK);
        assert_int_equal(gpa_attribution_model_rows(asked), gpa_model_rows(m) - rows);
        assert_int_equal(gpa_attribution_model_calls(asked),
                         gpa_model_calls(m) - calls);
        s.f = f;
        e.unit = ones; /* what NULL means */
        assert_int_equal(gpa_attribute(&known, names[i], m, &s, &opt, NULL), GPA_OK);
        assert_int_equal(gpa_attribution_model_rows(asked),
                         gpa_attribution_model_rows(known) + 2);
        assert_int_equal(gpa_attribution_model_calls(asked),
                         gpa_attribution_model_calls(known) + 1);
        assert_memory_equal(gpa_attribution_score(asked), gpa_attribution_score(known),
                            D * sizeof(double));
        gpa_attribution_free(asked);
        gpa_attribution_free(known);
    }
    gpa_model_free(m);
}

static void budget(void **state)
{
    static const char *const names[] = {"gpa", "lc"};
    gpa_model *m = curved_model();
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_sample s = {.x = X, .y = Y, .n = 2, .d = D};
    gpa_error err;
    (void)state;
    gpa_explain_options_init(&e);
    e.sigma = 1;
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    for (size_t i = 0; i < 2; i++)
        for (e.budget = 1; e.budget <= 60; e.budget++) {
            gpa_attribution *a = NULL;
            uint64_t rows = gpa_model_rows(m);
            gpa_status st = gpa_attribute(&a, names[i], m, &s, &opt, &err);
            assert_int_equal(st, e.budget < 2 ? GPA_INVALID : GPA_OK);
            assert_true(gpa_model_rows(m) - rows <= e.budget);
            if (e.budget == 20) {
                assert_false(gpa_attribution_converged(a));
                assert_string_equal(gpa_attribution_note(a, 0),
                                    "the budget of 20 rows is used up");
            }
            gpa_attribution_free(a);
        }
    gpa_model_free(m);
}

/* gpa is the MAP of gpa_explain; what is asked for explicitly is done. */
static void gpa_is_explain(void **state)
{
    gpa_model *m = curved_model();
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_attribution *a = NULL;
    gpa_explanation *x = NULL;
    gpa_sample s = one_row();
    (void)state;
    gpa_explain_options_init(&e);
    e.sigma = 1;
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    assert_int_equal(gpa_attribute(&a, "gpa", m, &s, &opt, NULL), GPA_OK);
    e.marginals = GPA_MARGINALS_NONE;
    e.culprit = GPA_CULPRIT_OFF;
    assert_int_equal(gpa_explain(&x, m, &s, &e, NULL), GPA_OK);
    assert_memory_equal(gpa_attribution_score(a), gpa_explanation_delta(x),
                        D * sizeof(double));
    const gpa_summary *sum = gpa_explanation_summary(x);
    assert_int_equal(gpa_attribution_model_rows(a), sum->model_rows);
    assert_int_equal(gpa_attribution_model_calls(a), sum->model_calls);
    assert_int_equal(gpa_attribution_iterations(a), sum->iterations);
    assert_int_equal(gpa_attribution_converged(a), sum->converged);
    assert_string_equal(gpa_attribution_method(a)->name, "gpa");
    assert_int_equal(gpa_attribution_dim(a), D);
    assert_null(gpa_attribution_sd(a));
    assert_null(gpa_attribution_extra_name(a));
    assert_true(isnan(gpa_attribution_extra(a)));
    assert_null(gpa_attribution_note(a, 0));
    uint64_t rows = gpa_attribution_model_rows(a);
    gpa_attribution_free(a);
    gpa_explanation_free(x);
    e.marginals = GPA_MARGINALS_PLUGIN;
    assert_int_equal(gpa_attribute(&a, "gpa", m, &s, &opt, NULL), GPA_OK);
    assert_true(gpa_attribution_model_rows(a) >= rows + 24 * D); /* a row per node */
    gpa_attribution_free(a);
    gpa_model_free(m);
}

static int wild(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i * d] > 2 ? HUGE_VAL : x[i * d] < -2 ? (double)NAN : x[i * d];
    return 0;
}

static int refuse(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *seen = ctx;
    seen[0] = done;
    seen[1] = total;
    return done == 2;
}

/* What the methods share: predictions that must be numbers, and progress. */
static void shared_tools(void **state)
{
    static const double x[3] = {1, 0, -3}, above[2] = {0, 3};
    double y[3];
    uint64_t seen[2] = {0, 0};
    gpa_error err;
    gpa_attribute_options opt;
    gpa_model *m = NULL;
    gpai_attribute w = {.opt = &opt, .err = &err};
    (void)state;
    gpa_attribute_options_init(&opt);
    assert_int_equal(gpa_model_from_callback(&m, wild, NULL, 1, NULL), GPA_OK);
    assert_int_equal(gpai_attribution_new(&w.a, gpa_method_find("sv"), 1, NULL),
                     GPA_OK);
    w.model = m;
    assert_int_equal(gpai_attribute_predict(&w, x, 2, y), GPA_OK);
    assert_true(y[0] == 1 && y[1] == 0);
    assert_int_equal(gpai_attribute_predict(&w, x, 3, y), GPA_NUMERIC);
    assert_string_equal(err.message, "sv: the model gives NaN at point 3 of 3: every "
                                     "point needs a finite prediction");
    assert_int_equal(gpai_attribute_predict(&w, above, 2, y), GPA_NUMERIC);
    assert_non_null(strstr(err.message, "infinity at point 2 of 2"));
    assert_int_equal(gpa_attribution_model_rows(w.a), 7);
    assert_int_equal(gpa_attribution_model_calls(w.a), 3);
    assert_int_equal(gpai_attribute_progress(&w, 1, 5), GPA_OK); /* nobody listens */
    opt.progress = refuse;
    opt.progress_ctx = seen;
    assert_int_equal(gpai_attribute_progress(&w, 1, 5), GPA_OK);
    assert_true(seen[0] == 1 && seen[1] == 5);
    assert_int_equal(gpai_attribute_progress(&w, 2, 5), GPA_STOPPED);
    assert_string_equal(err.message, "sv: stopped");
    for (int i = 0; i < 6; i++)
        gpai_attribution_note(w.a, "note %d", i);
    assert_string_equal(gpa_attribution_note(w.a, 3), "note 3");
    assert_null(gpa_attribution_note(w.a, 4));
    gpa_attribution_free(w.a);
    gpa_attribution_free(NULL);
    gpa_model_free(m);
}

static void out_of_memory(void **state)
{
    static const double reference_x[4 * D] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const gpa_sample reference = {.x = reference_x, .n = 4, .d = D};
    gpa_model *m = curved_model();
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_error err;
    gpa_sample s = one_row();
    (void)state;
    gpa_explain_options_init(&e);
    e.sigma = 1;
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    opt.reference = &reference;
    opt.sv_rows = ROWS_GOOD;
    opt.sv_orders = ORDERS_GOOD;
    opt.sv_configurations = 2;
    for (size_t i = 0; i < gpa_method_count(); i++) {
        size_t k = 1;
        for (;; k++) {
            gpa_attribution *a = NULL;
            gpai_alloc_fail_at(k, false);
            gpa_status st =
                gpa_attribute(&a, gpa_method_at(i)->name, m, &s, &opt, &err);
            bool reached = gpai_alloc_count() >= k;
            gpai_alloc_fail_at(0, false);
            gpa_attribution_free(a);
            if (!reached) {
                assert_int_equal(st, GPA_OK);
                break;
            }
            assert_int_equal(st, GPA_NOMEM);
            assert_null(a);
        }
        assert_true(k > 3); /* attribution, scores, f, unit */
    }
    gpa_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chart),
        cmocka_unit_test(defaults),
        cmocka_unit_test(older_caller),
        cmocka_unit_test(refusals),
        cmocka_unit_test(gap_in_the_reference),
        cmocka_unit_test(bad_rows),
        cmocka_unit_test(missing_inputs),
        cmocka_unit_test(asking_for_f),
        cmocka_unit_test(budget),
        cmocka_unit_test(gpa_is_explain),
        cmocka_unit_test(shared_tools),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
