/* All methods side by side: workers, reflection, what is left out, and what ends it. */
#include "support.h"

#include "base/alloc.h"
#include "result/attribution.h"
#include <gpa/gpa.h>
#include <pthread.h>

enum { N = 30, D = 4, PICKED = 5 };

struct world {
    double x[N * D], y[N], f[N];
    gpa_sample all;
    gpa_model *m;
};

static int smooth(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *v = x + i * d;
        y[i] = 2 * v[0] - v[1] + 0.5 * v[2] * v[3] + sin(v[2]);
    }
    return 0;
}

static const size_t ROWS[PICKED] = {7, 0, 29, 12, 3};

static struct world build(gpa_predict_fn f)
{
    struct world w;
    for (size_t i = 0; i < N * D; i++)
        w.x[i] = 1.5 * sin(12.9898 * (double)(i + 1));
    assert_int_equal(gpa_model_from_callback(&w.m, f, NULL, D, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(w.m, w.x, N, w.f, NULL), GPA_OK);
    for (size_t i = 0; i < N; i++)
        w.y[i] = w.f[i] + 0.7 * cos(78.233 * (double)i);
    for (size_t i = 0; i < PICKED; i++)
        w.y[ROWS[i]] = w.f[ROWS[i]] + (i % 2 == 0 ? 5 : -4);
    return w;
}

/* The sample points into the world, which must not move any more. */
static void place(struct world *w)
{
    w->all = (gpa_sample){.x = w->x, .y = w->y, .f = w->f, .n = N, .d = D};
}

static void options(gpa_compare_options *opt, gpa_attribute_options *a,
                    const struct world *w)
{
    gpa_attribute_options_init(a);
    a->reference = &w->all;
    a->lime_samples = 50;
    a->sv_configurations = 20;
    a->shapley = GPA_SHAPLEY_SAMPLE;
    gpa_compare_options_init(opt);
    opt->attribute = a;
}

static gpa_comparison *compare(struct world *w, const gpa_compare_options *opt)
{
    gpa_comparison *c = NULL;
    gpa_error err;
    if (gpa_compare(&c, w->m, &w->all, ROWS, PICKED, opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return c;
}

static size_t column(const gpa_comparison *c, const char *name)
{
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        if (strcmp(gpa_comparison_method(c, j)->name, name) == 0)
            return j;
    fail_msg("no %s", name);
    return 0;
}

/* Every cell is what gpa_attribute gives for that row alone; only lc is told what gpa
 * has settled on. */
static void cells(void **state)
{
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    gpa_comparison *c = compare(&w, &opt);
    assert_int_equal(gpa_comparison_rows(c), PICKED);
    assert_int_equal(gpa_comparison_dim(c), D);
    assert_int_equal(gpa_comparison_methods(c), gpa_method_count());
    assert_null(gpa_comparison_method(c, gpa_method_count()));
    for (size_t i = 0; i < PICKED; i++) {
        size_t row = ROWS[i];
        double eta = (double)NAN;
        assert_int_equal(gpa_comparison_row(c, i), row);
        assert_true(gpa_comparison_y(c, i) == w.y[row]);
        assert_true(gpa_comparison_f(c, i) == w.f[row]);
        for (size_t j = 0; j < gpa_method_count(); j++) {
            const gpa_method *method = gpa_method_at(j);
            const gpa_attribution *got = gpa_comparison_at(c, i, j);
            gpa_attribution *alone = NULL;
            gpa_explain_options e;
            gpa_sample s = {
                .x = w.x + row * D, .y = w.y + row, .f = w.f + row, .n = 1, .d = D};
            gpa_explain_options_init(&e);
            e.context = &w.all;
            e.context_rows = &row;
            e.culprit = GPA_CULPRIT_ON; /* as gpa_explain: the same delta */
            if (strcmp(method->name, "lc") == 0)
                e.eta = eta;
            a.explain = &e;
            assert_int_equal(gpa_attribute(&alone, method->name, w.m, &s, &a, NULL),
                             GPA_OK);
            if (j == 0) {
                gpa_explanation *whole = NULL;
                eta = alone->eta;
                e.culprit = GPA_CULPRIT_AUTO;
                assert_int_equal(gpa_explain(&whole, w.m, &s, &e, NULL), GPA_OK);
                assert_memory_equal(gpa_attribution_score(got),
                                    gpa_explanation_delta(whole), D * sizeof(double));
                gpa_explanation_free(whole);
            }
            assert_ptr_equal(gpa_comparison_method(c, j), method);
            assert_ptr_equal(gpa_attribution_method(got), method);
            assert_null(gpa_comparison_skipped(c, i, j));
            assert_memory_equal(gpa_attribution_score(got),
                                gpa_attribution_score(alone), D * sizeof(double));
            assert_int_equal(gpa_attribution_model_rows(got),
                             gpa_attribution_model_rows(alone));
            gpa_attribution_free(alone);
        }
        assert_true(eta > 0);
    }
    gpa_comparison_free(c);
    gpa_comparison_free(NULL);
    gpa_model_free(w.m);
}

/* The deviation-agnostic property, and the two methods that do not have it. */
static void reflection(void **state)
{
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    (void)state;
    w.y[ROWS[3]] = w.f[ROWS[3]]; /* nothing to reflect */
    place(&w);
    options(&opt, &a, &w);
    gpa_comparison *c = compare(&w, &opt);
    for (size_t i = 0; i < PICKED; i++)
        for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
            const double *flipped = gpa_comparison_flipped(c, i, j);
            int reacts = gpa_comparison_reacts(c, i, j);
            if (i == 3) {
                assert_int_equal(reacts, -1);
                assert_null(flipped);
                continue;
            }
            assert_int_equal(reacts, gpa_comparison_method(c, j)->sees_y);
            int differs =
                memcmp(flipped, gpa_attribution_score(gpa_comparison_at(c, i, j)),
                       D * sizeof *flipped) != 0;
            assert_int_equal(differs, reacts);
        }
    gpa_comparison_free(c);
    opt.flip = false;
    c = compare(&w, &opt);
    assert_int_equal(gpa_comparison_reacts(c, 0, 0), -1);
    assert_null(gpa_comparison_flipped(c, 0, 0));
    gpa_comparison_free(c);
    gpa_model_free(w.m);
}

static void same(const gpa_comparison *a, const gpa_comparison *b)
{
    for (size_t j = 0; j < gpa_comparison_methods(a); j++) {
        for (size_t i = 0; i < PICKED; i++) {
            assert_memory_equal(gpa_attribution_score(gpa_comparison_at(a, i, j)),
                                gpa_attribution_score(gpa_comparison_at(b, i, j)),
                                D * sizeof(double));
            assert_memory_equal(gpa_comparison_flipped(a, i, j),
                                gpa_comparison_flipped(b, i, j), D * sizeof(double));
            assert_int_equal(gpa_comparison_reacts(a, i, j),
                             gpa_comparison_reacts(b, i, j));
        }
        assert_memory_equal(gpa_comparison_consistency(a, j),
                            gpa_comparison_consistency(b, j), sizeof(gpa_consistency));
    }
}

static void workers(void **state)
{
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    gpa_comparison *one = compare(&w, &opt);
    for (opt.threads = 0; opt.threads <= 7; opt.threads += opt.threads == 0 ? 2 : 5) {
        gpa_comparison *many = compare(&w, &opt);
        same(one, many);
        gpa_comparison_free(many);
    }
    gpa_comparison_free(one);
    gpa_model_free(w.m);
}

/* gpa is the measure also where it is not shown; the order is the caller's. */
static void chosen_methods(void **state)
{
    static const char *const names[] = {"z", "lc", "lime"};
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    gpa_comparison *all = compare(&w, &opt);
    opt.methods = names;
    opt.n_methods = 3;
    gpa_comparison *few = compare(&w, &opt);
    assert_int_equal(gpa_comparison_methods(few), 3);
    for (size_t j = 0; j < 3; j++) {
        assert_string_equal(gpa_comparison_method(few, j)->name, names[j]);
        assert_memory_equal(gpa_comparison_consistency(few, j),
                            gpa_comparison_consistency(all, column(all, names[j])),
                            sizeof(gpa_consistency));
    }
    const gpa_consistency *self = gpa_comparison_consistency(all, 0);
    assert_true(self->tau.n == PICKED && self->tau.mean == 1 && self->tau.sd == 0);
    /* the figures are those of gpa_agree */
    gpa_agreement first;
    assert_int_equal(gpa_agree(gpa_attribution_score(gpa_comparison_at(all, 0, 0)),
                               gpa_attribution_score(gpa_comparison_at(few, 0, 2)), D,
                               &first, NULL),
                     GPA_OK);
    double sum = first.rho;
    for (size_t i = 1; i < PICKED; i++) {
        gpa_agreement other;
        assert_int_equal(gpa_agree(gpa_attribution_score(gpa_comparison_at(all, i, 0)),
                                   gpa_attribution_score(gpa_comparison_at(few, i, 2)),
                                   D, &other, NULL),
                         GPA_OK);
        sum += other.rho;
    }
    assert_close(gpa_comparison_consistency(few, 2)->rho.mean, sum / PICKED, 1e-14);
    gpa_comparison_free(all);
    gpa_comparison_free(few);
    gpa_model_free(w.m);
}

enum { FEW = 4 };

static void without_reference(void **state)
{
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    a.reference = NULL;
    a.baseline = GPA_BASELINE_REFERENCE;
    const size_t rows[FEW] = {7, 0, 12, 3};
    w.all.n = 20; /* 19 others are too few to stand for it */
    gpa_comparison *c = NULL;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, rows, FEW, &opt, NULL), GPA_OK);
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const gpa_method *method = gpa_comparison_method(c, j);
        bool needs = !method->training_data_free || !method->baseline_free;
        for (size_t i = 0; i < FEW; i++) {
            assert_int_equal(gpa_comparison_at(c, i, j) == NULL, needs);
            assert_int_equal(gpa_comparison_skipped(c, i, j) != NULL, needs);
            if (needs) {
                assert_string_equal(gpa_comparison_skipped(c, i, j),
                                    "needs reference rows: give --reference FILE");
                assert_null(gpa_comparison_flipped(c, i, j));
                assert_int_equal(gpa_comparison_reacts(c, i, j), -1);
            }
        }
        assert_int_equal(gpa_comparison_consistency(c, j) == NULL, needs);
    }
    gpa_comparison_free(c);
    gpa_model_free(w.m);
}

static bool says(const gpa_attribution *a, const char *note)
{
    size_t i = 0;
    while (gpa_attribution_note(a, i) != NULL &&
           strcmp(gpa_attribution_note(a, i), note) != 0)
        i++;
    return gpa_attribution_note(a, i) != NULL;
}

/* The other rows stand for a reference that nobody gave: the same as giving them, but
 * for those with gaps. */
static void others_stand_for_it(void **state)
{
    static const char *const names[] = {"z", "eig", "sv"};
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    gpa_explain_options e;
    gpa_comparison *c, *want = NULL;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    gpa_explain_options_init(&e);
    opt.methods = names;
    opt.n_methods = 3;
    a.eig_rows = N; /* all there are */
    e.every_witness = true;
    a.explain = &e;
    w.x[20 * D + 1] = (double)NAN;
    a.reference = NULL;
    opt.threads = 3;
    c = compare(&w, &opt);
    for (size_t i = 0; i < PICKED; i++) {
        double x[N * D];
        size_t n = 0;
        for (size_t r = 0; r < N; r++)
            if (r != ROWS[i] && r != 20)
                memcpy(x + n++ * D, w.x + r * D, D * sizeof *x);
        const gpa_sample others = {.x = x, .n = n, .d = D};
        a.reference = &others;
        assert_int_equal(gpa_compare(&want, w.m, &w.all, &ROWS[i], 1, &opt, NULL),
                         GPA_OK);
        for (size_t j = 0; j < 3; j++) {
            const gpa_attribution *got = gpa_comparison_at(c, i, j);
            assert_memory_equal(gpa_attribution_score(got),
                                gpa_attribution_score(gpa_comparison_at(want, 0, j)),
                                D * sizeof(double));
            assert_true(
                says(got, "the 29 other rows stand for the reference, without 1 that "
                          "have gaps"));
        }
        gpa_comparison_free(want);
    }
    gpa_comparison_free(c);
    a.reference = NULL;
    a.eig_rows = 0; /* some of them suffice */
    c = compare(&w, &opt);
    assert_true(
        says(gpa_comparison_at(c, 0, 1), "20 of 28 reference rows, chosen by seed"));
    gpa_comparison_free(c);
    gpa_model_free(w.m);
}

/* No number beyond a wall in the first input: only rows near it are concerned. */
static int walled(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    int st = smooth(ctx, x, n, d, y);
    for (size_t i = 0; i < n; i++)
        if (x[i * d] > 1.6)
            y[i] = (double)NAN;
    return st;
}

static void no_number(void **state)
{
    struct world w = build(walled);
    gpa_compare_options opt;
    gpa_attribute_options a;
    gpa_explain_options e;
    double near_wall = 1.55;
    (void)state;
    for (size_t i = 0; i < PICKED; i++)
        w.x[ROWS[i] * D] = i == 1 ? near_wall : -3;
    assert_int_equal(gpa_model_predict(w.m, w.x, N, w.f, NULL), GPA_OK);
    w.y[ROWS[4]] = (double)NAN; /* and an outcome that is no number */
    place(&w);
    options(&opt, &a, &w);
    gpa_explain_options_init(&e);
    e.sigma = 1;
    a.explain = &e;
    for (opt.threads = 1; opt.threads <= 2; opt.threads++) {
        gpa_comparison *c = compare(&w, &opt);
        size_t lime = column(c, "lime"), lc = column(c, "lc");
        for (size_t i = 0; i < PICKED; i++) {
            const char *why = gpa_comparison_skipped(c, i, lime);
            assert_int_equal(why != NULL, i == 1);
            if (i == 1)
                assert_non_null(strstr(why, "lime: the model gives NaN at point"));
            assert_int_equal(gpa_comparison_at(c, i, lime) == NULL, i == 1);
            assert_int_equal(gpa_comparison_at(c, i, 0) == NULL, i == 4);
            assert_int_equal(gpa_comparison_at(c, i, lc) == NULL, i == 4);
            if (i == 4) {
                assert_non_null(strstr(gpa_comparison_skipped(c, i, 0), "row 3: y is"));
                assert_int_equal(gpa_comparison_reacts(c, i, lime), -1);
            }
        }
        assert_int_equal(gpa_comparison_consistency(c, lime)->smr.n, PICKED - 2);
        assert_int_equal(gpa_comparison_consistency(c, lc)->smr.n, PICKED - 1);
        gpa_comparison_free(c);
    }
    gpa_model_free(w.m);
}

static int broken(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    return smooth(ctx, x, n, d, y) != 0 || n != N; /* only the whole table at once */
}

static void failures(void **state)
{
    static const char *const twice[] = {"lc", "z", "lc"}, *const unknown[] = {"lcc"};
    static const size_t beyond[1] = {N};
    struct world w = build(broken);
    gpa_compare_options opt;
    gpa_attribute_options a;
    gpa_comparison *c = NULL;
    gpa_error err;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    for (opt.threads = 1; opt.threads <= 2; opt.threads++) {
        assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                         GPA_MODEL);
        assert_null(c);
    }
    gpa_model_free(w.m);
    w = build(smooth);
    place(&w);
    uint64_t asked = gpa_model_rows(w.m);
    assert_int_equal(gpa_compare(NULL, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    assert_int_equal(gpa_compare(&c, NULL, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, 0, &opt, &err), GPA_INVALID);
    assert_int_equal(gpa_compare(&c, w.m, &w.all, beyond, 1, &opt, &err), GPA_INVALID);
    assert_string_equal(err.message, "compare: row 30, but there are 30 rows");
    gpa_sample some = w.all;
    some.f = NULL;
    assert_int_equal(gpa_compare(&c, w.m, &some, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    some = w.all;
    some.d = 3;
    assert_int_equal(gpa_compare(&c, w.m, &some, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    opt.methods = twice;
    opt.n_methods = 3;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    assert_string_equal(err.message, "compare: method lc twice");
    opt.methods = unknown;
    opt.n_methods = 1;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    assert_string_equal(err.message, "compare: no method \"lcc\": see gpa methods");
    opt.n_methods = 0;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    opt.methods = NULL;
    a.lime_l1 = -1;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    a.lime_l1 = 0;
    a.struct_size = 0;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    opt.struct_size = 0;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    assert_null(c);
    assert_int_equal(gpa_model_rows(w.m), asked); /* found before anything is asked */
    gpa_model_free(w.m);
}

/* Bounds that a row cannot obey are found first, and the row is named. */
static void limits(void **state)
{
    const double lower[D] = {(double)NAN, 3, (double)NAN, (double)NAN};
    const double upper[D] = {(double)NAN, 2, (double)NAN, (double)NAN};
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    gpa_explain_options e;
    gpa_comparison *c = NULL;
    gpa_error err;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    gpa_explain_options_init(&e);
    e.lower = lower;
    e.upper = upper;
    a.explain = &e;
    assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                     GPA_INVALID);
    assert_non_null(strstr(err.message, "row 7"));
    gpa_model_free(w.m);
}

struct listener {
    pthread_t thread;
    uint64_t last, total, calls, stop_at;
    bool strange; /* another thread, going back, or another total */
};

static int listen_to(void *ctx, uint64_t done, uint64_t total)
{
    struct listener *l = ctx;
    l->strange = l->strange || !pthread_equal(pthread_self(), l->thread) ||
                 done < l->last || (l->calls > 0 && total != l->total) || done > total;
    l->last = done;
    l->total = total;
    l->calls++;
    return done >= l->stop_at;
}

static void progress(void **state)
{
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    gpa_comparison *c = NULL;
    gpa_error err;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    a.progress = listen_to;
    for (opt.threads = 1; opt.threads <= 3; opt.threads += 2) {
        struct listener l = {.thread = pthread_self(), .stop_at = UINT64_MAX};
        a.progress_ctx = &l;
        opt.flip = true;
        gpa_comparison_free(compare(&w, &opt));
        assert_false(l.strange);
        assert_int_equal(l.last, 2 * PICKED * gpa_method_count());
        assert_int_equal(l.total, l.last);
        l = (struct listener){.thread = pthread_self(), .stop_at = UINT64_MAX};
        opt.flip = false;
        gpa_comparison_free(compare(&w, &opt));
        assert_int_equal(l.last, PICKED * gpa_method_count());
        assert_true(opt.threads > 1 || l.calls >= PICKED * gpa_method_count());
        l = (struct listener){.thread = pthread_self(), .stop_at = 3};
        assert_int_equal(gpa_compare(&c, w.m, &w.all, ROWS, PICKED, &opt, &err),
                         GPA_STOPPED);
        assert_string_equal(err.message, "compare: stopped");
        assert_null(c);
        assert_false(l.strange);
    }
    gpa_model_free(w.m);
}

static void older_caller(void **state)
{
    gpa_compare_options opt;
    (void)state;
    memset(&opt, 0xff, sizeof opt);
    gpa_compare_options_init_sized(&opt, offsetof(gpa_compare_options, flip));
    assert_int_equal(*(const unsigned char *)&opt.attribute, 0xff); /* not touched */
    opt.methods = (const char *const[]){"lc"};
    opt.n_methods = 1;
    struct world w = build(smooth);
    place(&w);
    gpa_comparison *c = compare(&w, &opt);
    assert_int_equal(gpa_comparison_reacts(c, 0, 0), 1); /* flip is on by default */
    gpa_comparison_free(c);
    gpa_model_free(w.m);
}

static void out_of_memory(void **state)
{
    static const char *const names[] = {"lime", "lc", "z"};
    struct world w = build(smooth);
    gpa_compare_options opt;
    gpa_attribute_options a;
    (void)state;
    place(&w);
    options(&opt, &a, &w);
    opt.methods = names;
    opt.n_methods = 3;
    size_t k = 1;
    for (;; k++) {
        gpa_comparison *c = NULL;
        gpa_error err;
        gpai_alloc_fail_at(k, false);
        gpa_status st = gpa_compare(&c, w.m, &w.all, ROWS, 2, &opt, &err);
        bool reached = gpai_alloc_count() >= k;
        gpai_alloc_fail_at(0, false);
        if (!reached) {
            assert_int_equal(st, GPA_OK);
            gpa_comparison_free(c);
            break;
        }
        assert_int_equal(st, GPA_NOMEM);
        assert_null(c);
    }
    assert_true(k > 20);
    gpa_model_free(w.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells),
        cmocka_unit_test(reflection),
        cmocka_unit_test(workers),
        cmocka_unit_test(chosen_methods),
        cmocka_unit_test(without_reference),
        cmocka_unit_test(others_stand_for_it),
        cmocka_unit_test(no_number),
        cmocka_unit_test(failures),
        cmocka_unit_test(limits),
        cmocka_unit_test(progress),
        cmocka_unit_test(older_caller),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
