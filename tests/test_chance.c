#include "support.h"

#include "lab/planted/chance.h"

/* Expected values: quantiles of SciPy's beta distribution, printed with 15 digits. */
static void intervals_are_exact(void **state)
{
    (void)state;
    static const double cases[][4] = {
        {13, 13, 0.794183334813449, 1},
        {0, 7, 0, 0.348163655131161},
        {1, 1, 0.05, 1},
        {5, 10, 0.222441101008129, 0.777558898991871},
        {1, 200, 0.000256433587223474, 0.0234984704349507},
        {199, 200, 0.976501529565049, 0.999743566412777},
        {950, 1000, 0.93713659648762, 0.960836464074411},
        {6.5, 9, 0.396043434554697, 0.932688386431297},
        {40000, 100000, 0.397448969187032, 0.402555315434774},
        {0.25, 3, 1.24572949256664e-06, 0.702826233110294},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double low, high;
        exact_interval(cases[i][0], cases[i][1], &low, &high);
        assert_close(low, cases[i][2], 1e-10 * cases[i][2]);
        assert_close(high, cases[i][3], 1e-10 * cases[i][3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
