#include "support.h"

#include "engine/prior.h"

/* Expected values: the truncated-normal form of the elastic net in SciPy. */
static const struct {
    double eta, nu;
    double cdf[4];      /* at -3, -0.7, 0, 1.3 */
    double quantile[3]; /* at 0.001, 0.3, 0.95 */
    double logpdf;      /* at 0.8 */
    double variance;
} cases[] = {
    {0.1,
     0.5,
     {0.15347194514384965, 0.4027692972283846, 0.5, 0.674499603909674},
     {-9.397572514734271, -1.5119664160772284, 4.904575696179939},
     -2.0204760666560757,
     8.82508946921147},
    {0.4,
     0.5,
     {0.01786089181068818, 0.29786301176630553, 0.5, 0.8304501759624883},
     {-4.5184972997022745, -0.6915242786085669, 2.313393924532977},
     -1.429838367972073,
     1.951920957829022},
    {4,
     0.5,
     {4.033312834501986e-12, 0.02583442943571748, 0.5, 0.9994985713166918},
     {-1.2081846883133027, -0.1547185891576699, 0.5738911687362025},
     -2.4579168881954088,
     0.11871618095975467},
    {0.1,
     0,
     {0.17139085557395572, 0.41240628709700294, 0.5, 0.6594989636729632},
     {-9.772172586525087, -1.658300026317482, 5.201483878755574},
     -2.1022310797016956,
     10.0},
    {2,
     3,
     {4.870813163206941e-13, 0.0037833249727212905, 0.5, 0.9999729867600127},
     {-0.8701852676914212, -0.08006105887514581, 0.34694440293378737},
     -4.2920019009435855,
     0.04436946649514972},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void against_scipy(void **state)
{
    (void)state;
    static const double at[4] = {-3, -0.7, 0, 1.3}, u[3] = {0.001, 0.3, 0.95};
    for (size_t i = 0; i < CASES; i++) {
        gpai_prior p = gpai_prior_make(cases[i].eta, cases[i].nu);
        for (size_t j = 0; j < 4; j++)
            assert_close(gpai_prior_cdf(&p, at[j]), cases[i].cdf[j], 1e-14);
        for (size_t j = 0; j < 3; j++)
            assert_close(gpai_prior_quantile(&p, u[j]), cases[i].quantile[j], 1e-12);
        assert_close(gpai_prior_logpdf(&p, 0.8), cases[i].logpdf, 1e-13);
        assert_close(gpai_prior_variance(&p), cases[i].variance, 1e-11);
    }
}

static void cdf_inverts_quantile(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        gpai_prior p = gpai_prior_make(cases[i].eta, cases[i].nu);
        for (double u = 0.0005; u < 1; u += 0.0101)
            assert_close(gpai_prior_cdf(&p, gpai_prior_quantile(&p, u)), u, 1e-13);
        assert_true(gpai_prior_quantile(&p, 0.5) == 0);
        assert_true(isfinite(gpai_prior_quantile(&p, 0)));
        assert_true(isfinite(gpai_prior_quantile(&p, 1)));
    }
}

/* eta nu^2 far beyond where Phi(-sqrt(eta) nu) underflows: close to a Laplace density.
 */
static void strong_l1_is_laplace(void **state)
{
    (void)state;
    double eta = 10, nu = 1000;
    gpai_prior p = gpai_prior_make(eta, nu);
    assert_close(gpai_prior_cdf(&p, -1e-4), 0.5 * exp(-eta * nu * 1e-4), 1e-6);
    assert_close(gpai_prior_quantile(&p, 0.25), -log(2) / (eta * nu), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_scipy),
        cmocka_unit_test(cdf_inverts_quantile),
        cmocka_unit_test(strong_l1_is_laplace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
