/* The paper's Diabetes table from the authors' model, rows and random draws: the
 * columns LC, IG, SV and Z, all 16 cells as printed. */
#include "oracle_support.h"

#include "methods/consistency.h"

enum { OUTLIERS = 5, CONFIGURATIONS = 100 };

static size_t outlier_row(const struct oracle *o, size_t i)
{
    const json_t *row = json_array_get(oracle_at(o->table, "rows"), i);
    return (size_t)json_integer_value(oracle_at(row, "test_index"));
}

static void score(struct oracle *o, const char *method, size_t row,
                  const gpa_attribute_options *opt, double *out)
{
    gpa_attribution *a = NULL;
    gpa_error err;
    gpa_sample s = oracle_row(o, row);
    if (gpa_attribute(&a, method, o->m, &s, opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    memcpy(out, gpa_attribution_score(a), ORACLE_D * sizeof *out);
    gpa_attribution_free(a);
}

/* The draws of the published run with 100 configurations are its first 100. */
struct draws {
    size_t rows[CONFIGURATIONS], orders[CONFIGURATIONS * ORACLE_D];
};

static void take_draws(const struct oracle *o, struct draws *d)
{
    const json_t *orders = oracle_at(o->want, "sv_draws/permutation");
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        d->rows[i] = (size_t)oracle_number(oracle_at(o->want, "sv_draws/train_row"), i);
        for (size_t k = 0; k < ORACLE_D; k++)
            d->orders[i * ORACLE_D + k] =
                (size_t)oracle_number(json_array_get(orders, i), k);
    }
}

static void options(const struct oracle *o, const gpa_explain_options *e,
                    const struct draws *d, gpa_attribute_options *opt)
{
    gpa_attribute_options_init(opt);
    opt->explain = e;
    opt->reference = &o->reference;
    opt->quadrature = GPA_QUADRATURE_TRAPEZOID;
    opt->shapley = GPA_SHAPLEY_SAMPLE;
    opt->sv_configurations = CONFIGURATIONS;
    opt->sv_rows = d->rows;
    opt->sv_orders = d->orders;
}

static void check_cell(const struct oracle *o, const char *label, size_t figure,
                       const gpa_spread *got)
{
    char cell[64];
    const json_t *want =
        json_array_get(oracle_at(json_object_get(o->table, "table"), label), figure);
    snprintf(cell, sizeof cell, "%.2f\u00b1%.2f", got->mean, got->sd);
    assert_string_equal(cell, json_string_value(want));
}

static void table(void **state)
{
    static const char *const names[] = {"lc", "ig", "sv", "z"};
    struct oracle *o = oracle_needed(state);
    double h[10], h_ig[10], gpa[ORACLE_D], other[ORACLE_D];
    struct draws d;
    size_t cells = 0;
    gpa_explain_options e;
    gpa_attribute_options opt;
    take_draws(o, &d);
    oracle_numbers(oracle_at(o->table, "h_seed1"), 10, h);
    oracle_numbers(oracle_at(o->want, "h_ig_seed0"), 10, h_ig);
    for (size_t j = 0; j < sizeof names / sizeof names[0]; j++) {
        const char *label = gpa_method_find(names[j])->label;
        gpa_agreement rows[OUTLIERS];
        gpa_consistency c;
        for (size_t i = 0; i < OUTLIERS; i++) {
            size_t row = outlier_row(o, i);
            const json_t *want = json_array_get(oracle_at(o->table, "rows"), i);
            oracle_settings(o, h, &e);
            options(o, &e, &d, &opt);
            score(o, "gpa", row, &opt, gpa);
            if (strcmp(names[j], "ig") == 0)
                e.slope_list = h_ig;
            score(o, names[j], row, &opt, other);
            for (size_t k = 0; k < ORACLE_D; k++)
                assert_close(gpa[k], oracle_number(oracle_at(want, "GPA_delta"), k),
                             1e-9);
            for (size_t k = 0; strcmp(names[j], "sv") == 0 && k < ORACLE_D; k++)
                assert_close(other[k],
                             oracle_number(oracle_at(want, "SV_100_configurations"), k),
                             1e-9);
            assert_int_equal(gpa_agree(gpa, other, ORACLE_D, &rows[i], NULL), GPA_OK);
        }
        gpai_consistency(rows, OUTLIERS, &c);
        const gpa_spread figure[4] = {c.tau, c.rho, c.smr, c.hit25};
        for (size_t k = 0; k < 4; k++, cells++)
            check_cell(o, label, k, &figure[k]);
    }
    assert_int_equal(cells, 16);
}

/* gpa_compare gives the same columns at once, where they share one list of h. */
static void compared(void **state)
{
    static const char *const names[] = {"lc", "sv", "z"};
    struct oracle *o = oracle_needed(state);
    double h[10];
    struct draws d;
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_compare_options how;
    gpa_comparison *c = NULL;
    gpa_error err;
    size_t rows[OUTLIERS];
    take_draws(o, &d);
    oracle_numbers(oracle_at(o->table, "h_seed1"), 10, h);
    oracle_settings(o, h, &e);
    options(o, &e, &d, &opt);
    gpa_compare_options_init(&how);
    how.attribute = &opt;
    how.methods = names;
    how.n_methods = 3;
    how.threads = 2;
    for (size_t i = 0; i < OUTLIERS; i++)
        rows[i] = outlier_row(o, i);
    if (gpa_compare(&c, o->m, &o->all, rows, OUTLIERS, &how, &err) != GPA_OK)
        fail_msg("%s", err.message);
    for (size_t j = 0; j < 3; j++) {
        const gpa_consistency *got = gpa_comparison_consistency(c, j);
        const gpa_spread figure[4] = {got->tau, got->rho, got->smr, got->hit25};
        for (size_t k = 0; k < 4; k++)
            check_cell(o, gpa_comparison_method(c, j)->label, k, &figure[k]);
    }
    gpa_comparison_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(compared),
    };
    return cmocka_run_group_tests(tests, oracle_set_up, oracle_tear_down);
}
