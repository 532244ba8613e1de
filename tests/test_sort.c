/* Numbers in order, in time that grows as n, against the C library's sort. */
#include "support.h"

#include "base/math/sort.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct item {
    double value;
    uint32_t place;
};

static int rising(const void *a, const void *b)
{
    const struct item *p = a, *q = b;
    if (isnan(p->value) || isnan(q->value)) {
        if (isnan(p->value) != isnan(q->value))
            return isnan(p->value) ? 1 : -1;
    } else if (p->value != q->value) {
        return p->value < q->value ? -1 : 1;
    }
    return p->place < q->place ? -1 : 1;
}

static int falling(const void *a, const void *b)
{
    const struct item *p = a, *q = b;
    struct item x = {-p->value, p->place}, y = {-q->value, q->place};
    return rising(&x, &y);
}

static void check(const double *value, size_t n, bool down)
{
    struct item *want = calloc(n + 1, sizeof *want);
    uint32_t *got = calloc(n + 1, sizeof *got);
    assert_true(want != NULL && got != NULL);
    for (size_t i = 0; i < n; i++)
        want[i] = (struct item){value[i], (uint32_t)i};
    qsort(want, n, sizeof *want, down ? falling : rising);
    assert_true(gpai_order(value, n, down, got));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(got[i], want[i].place);
    free(got);
    free(want);
}

static int rising_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Few are sorted in another way than many: both sides of 1024, with many ties. */
static void test_sort_and_rank(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 3, 10, 57, 200, 702, 1024, 1025, 3000};
    static double value[3000], want[3000];
    static struct item ranks[3000];
    static gpai_ranked got[3000];
    (void)state;
    srand(16);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int ties = 0; ties < 2; ties++) {
            size_t n = sizes[s];
            for (size_t i = 0; i < n; i++) {
                value[i] = ties ? rand() % 7 - 3 : rand() / 1e3 - 1e6;
                ranks[i] = (struct item){value[i], (uint32_t)i};
            }
            memcpy(want, value, n * sizeof *want);
            qsort(want, n, sizeof *want, rising_value);
            qsort(ranks, n, sizeof *ranks, falling);
            gpai_rank(value, n, got);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(got[i].place, ranks[i].place);
            gpai_sort(value, n);
            assert_memory_equal(value, want, n * sizeof *want);
        }
}

static void test_order(void **state)
{
    static const double odd[] = {0.0,          -0.0,      1,      -1,    (double)NAN,
                                 HUGE_VAL,     -HUGE_VAL, 1e-310, 1e300, -1e300,
                                 -(double)NAN, 0.0,       1,      -2.5,  5e-324};
    double many[5000];
    (void)state;
    for (int down = 0; down < 2; down++) {
        check(odd, sizeof odd / sizeof odd[0], down);
        check(odd, 0, down);
        check(odd, 1, down);
        srand(18);
        for (size_t i = 0; i < 5000; i++)
            many[i] = i % 3 == 0 ? rand() % 50 - 25 : (double)rand() / 1e9 - 1;
        check(many, 5000, down);
        for (size_t i = 0; i < 5000; i++)
            many[i] = 7; /* equal ones keep their places */
        check(many, 5000, down);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What stands at some places is what stands there once all is sorted. */
static void test_around(void **state)
{
    enum { MOST = 20000 };
    static double want[MOST], got[MOST];
    (void)state;
    srand(19);
    for (int kind = 0; kind < 4; kind++)
        for (size_t n = 1; n <= MOST; n = n < 10 ? n + 1 : n * 2 + 1) {
            size_t place[5] = {n / 2, 0, n - 1, n / 2, n / 7}, at[5];
            for (size_t i = 0; i < n; i++) {
                double even = (double)rand() / RAND_MAX - 0.5;
                got[i] = kind == 0   ? even
                         : kind == 1 ? ldexp(even, rand() % 1000 - 500)
                         : kind == 2 ? rand() % 3 - 1
                                     : 7;
            }
            memcpy(want, got, n * sizeof *want);
            qsort(want, n, sizeof *want, by_value);
            gpai_sort_around(got, n, place, 5, at);
            for (size_t i = 0; i < 5; i++)
                assert_true(at[i] < n && got[at[i]] == want[place[i]]);
        }
}

/* Codes such as -999 lie apart; long tails do not, nor does what is beside a column of
 * one value. */
static void test_near(void **state)
{
    double value[203] = {0}, low, high;
    (void)state;
    gpai_near(value, 0, &low, &high);
    assert_true(low > high);
    value[0] = value[1] = -999;
    for (size_t i = 0; i < 200; i++)
        value[2 + i] = -log1p(-((double)i + 0.5) / 200); /* exponential */
    value[202] = 1e6;
    gpai_near(value, 203, &low, &high);
    assert_true(low == value[2] && high == value[201]);
    gpai_near(value + 2, 200, &low, &high);
    assert_true(low == value[2] && high == value[201]);
    for (size_t i = 0; i < 202; i++)
        value[i] = 3;
    gpai_near(value, 203, &low, &high);
    assert_true(low == 3 && high == 1e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_sort_and_rank),
        cmocka_unit_test(test_around), cmocka_unit_test(test_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
