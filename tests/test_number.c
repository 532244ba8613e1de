/* Text to double against the C library's strtod, which the default C locale makes
 * unambiguous, and against cases known by definition. */
#include "support.h"

#include "base/rng.h"
#include "base/text/number.h"
#include <errno.h>
#include <float.h>
#include <locale.h>

static uint64_t bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* The same double to the last bit, the sign of zero included. */
static void check(const char *text)
{
    double got = -1, want = strtod(text, NULL);
    gpai_number_kind kind = gpai_number(text, strlen(text), &got);
    if (isinf(want)) {
        if (kind != GPAI_NUMBER_RANGE)
            fail_msg("%s: kind %d, expected out of range", text, (int)kind);
    } else if (kind != GPAI_NUMBER || bits_of(got) != bits_of(want)) {
        fail_msg("%s: %.17g, expected %.17g", text, got, want);
    }
}

static void test_known(void **state)
{
    static const struct {
        const char *text;
        double want;
    } cases[] = {
        {"0", 0.0},
        {"1", 1.0},
        {"-1", -1.0},
        {"+1e-3", 0.001},
        {"007", 7.0},
        {".5", 0.5},
        {"5.", 5.0},
        {"-.5E+1", -5.0},
        {"2.e3", 2000.0},
        {"0.1", 0x1.999999999999ap-4},
        {"123456789012345678", 0x1.b69b4ba630f35p+56},
        {"9007199254740993", 0x1p53},               /* halfway: to even, down */
        {"9007199254740995", 0x1.0000000000002p53}, /* halfway: to even, up */
        {"9007199254740993.00000000000000000000000001", 0x1.0000000000001p53},
        {"1.7976931348623157e308", DBL_MAX},
        {"1.7976931348623158e308", DBL_MAX}, /* still nearer to it than to 2^1024 */
        {"2.2250738585072014e-308", DBL_MIN},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0.0}, /* just below half of the smallest */
        {"2.4703282292062328e-324", 0x1p-1074},
        {"1e-400", 0.0},
        {"1e-99999999999999999999", 0.0},
        {"0e999999999999999999999", 0.0},
        {"0.000000000000000000000000000001e30", 1.0},
        {"1000000000000000000000000000000e-30", 1.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double got = -7;
        assert_int_equal(gpai_number(cases[i].text, strlen(cases[i].text), &got),
                         GPAI_NUMBER);
        if (bits_of(got) != bits_of(cases[i].want))
            fail_msg("%s: %.17g, expected %.17g", cases[i].text, got, cases[i].want);
    }
    double zero = 1;
    assert_int_equal(gpai_number("-0.0", 4, &zero), GPAI_NUMBER);
    assert_true(zero == 0 && signbit(zero));
}

static void test_not_numbers(void **state)
{
    static const char *const cases[] = {
        "",     " ",     "+",     "-",   ".",     "e5",    "1e",  "1e+",  "1 ",
        " 1",   "1,5",   "0x10",  "1p3", "inf",   "-inf",  "nan", "NaN",  "infinity",
        "1e5.", "--1",   "+-1",   "1-",  "1.2.3", "1_000", "１",  "12kg", "1d5",
        "1f",   "0x1p3", "1e5e5", "$1",  "1%",    "-.e5",  ".e1"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double got = 42;
        if (gpai_number(cases[i], strlen(cases[i]), &got) != GPAI_NUMBER_NOT)
            fail_msg("\"%s\" was taken for a number", cases[i]);
        assert_true(got == 42);
    }
    double got = 42;
    assert_int_equal(gpai_number("1\0", 2, &got), GPAI_NUMBER_NOT);
    assert_int_equal(gpai_number("15", 1, &got), GPAI_NUMBER); /* the length counts */
    assert_true(got == 1);
}

static void test_range(void **state)
{
    static const char *const cases[] = {
        "1e309", "-1e999", "1.7976931348623159e308", /* nearer to 2^1024 */
        "1e99999999999999999999",
        /* exactly between DBL_MAX and 2^1024 */
        "179769313486231580793728971405303415079934132710037826936173"
        "778980444968292764750946649017977587207096330286416692887910"
        "946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834"
        "936475292719074168444365510704342711559699508093042880177904"
        "174497792"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double got = 42;
        errno = 0;
        assert_int_equal(gpai_number(cases[i], strlen(cases[i]), &got),
                         GPAI_NUMBER_RANGE);
        assert_true(got == 42);
        assert_int_equal(errno, 0);
    }
}

/* Doubles of every exponent, printed with all digits, with few, and shortest. */
static void test_random_doubles(void **state)
{
    gpai_rng rng = gpai_rng_make(1, 1);
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        uint64_t b = gpai_rng_bits(&rng);
        double x;
        if (i % 2) /* half of them of the sizes that data have */
            b = (b & UINT64_C(0x800fffffffffffff)) | (UINT64_C(983) + (b >> 52) % 80)
                                                         << 52;
        memcpy(&x, &b, sizeof x);
        if (!isfinite(x))
            continue;
        snprintf(text, sizeof text, "%.17g", x);
        check(text);
        double back = 0;
        assert_int_equal(gpai_number(text, strlen(text), &back), GPAI_NUMBER);
        assert_true(bits_of(back) == b);
        snprintf(text, sizeof text, "%.*e", i % 25, x);
        check(text);
        gpai_number_text(x, text);
        assert_true(bits_of(strtod(text, NULL)) == b);
        snprintf(text, sizeof text, "%.*g", 1 + i % 19, x);
        check(text);
    }
}

/* Digits and exponents at random: 1 to 40 digits, a point anywhere. */
static void test_random_text(void **state)
{
    gpai_rng rng = gpai_rng_make(2, 1);
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char text[80];
        size_t n = 0, digits = 1 + gpai_rng_bits(&rng) % (i % 2 ? 20 : 40);
        size_t point = gpai_rng_bits(&rng) % (digits + 1);
        for (size_t k = 0; k < digits; k++) {
            if (k == point)
                text[n++] = '.';
            text[n++] = (char)('0' + gpai_rng_bits(&rng) % 10);
        }
        int range = i % 3 ? 30 : 340;
        int e = (int)(gpai_rng_bits(&rng) % (uint64_t)(2 * range + 1)) - range;
        snprintf(text + n, sizeof text - n, "e%d", e);
        check(text);
    }
}

/* Numbers exactly between two doubles, and a hair to either side of them. */
static void test_halfway(void **state)
{
    gpai_rng rng = gpai_rng_make(3, 1);
    (void)state;
    if (LDBL_MANT_DIG < 54)
        skip(); /* nothing to print them with */
    for (int i = 0; i < 20000; i++) {
        static char text[1400];
        uint64_t b = gpai_rng_bits(&rng) & UINT64_C(0x7fffffffffffffff);
        if (i % 2)
            b = (b & UINT64_C(0xfffffffffffff)) | (UINT64_C(993) + (b >> 52) % 60)
                                                      << 52;
        double x;
        memcpy(&x, &b, sizeof x);
        if (!isfinite(x) || x < DBL_MIN)
            continue;
        long double up = (long double)nextafter(x, (double)INFINITY);
        if (isinf(up))
            continue;
        long double half = (long double)x + (up - (long double)x) / 2;
        snprintf(text, sizeof text, "%.1100Le", half); /* all its digits */
        check(text);
        char *e = strchr(text, 'e'), tail[16];
        snprintf(tail, sizeof tail, "%s", e);
        snprintf(e, 32, "1%s", tail); /* above: one more digit, far behind */
        check(text);
        for (e--; *e == '0' || *e == '1'; e--)
            *e = '9';
        --*e; /* below: the last digit less one, and nines */
        check(text);
        snprintf(text, sizeof text, "%.20Le", half);
        check(text);
    }
}

static void test_long_text(void **state)
{
    size_t n = 1000000;
    char *text = calloc(n + 32, 1);
    double got = 0;
    (void)state;
    memset(text, '0', n);
    memcpy(text, "0.", 2);
    memcpy(text + n, "25e999999", 10); /* n - 2 zeros behind the point, then 25 */
    assert_int_equal(gpai_number(text, n + 9, &got), GPAI_NUMBER);
    assert_true(got == 2.5);
    memset(text, '1', n);
    memcpy(text + n, "e-999999", 9);
    assert_int_equal(gpai_number(text, n + 8, &got), GPAI_NUMBER);
    assert_true(got == 10.0 / 9);
    free(text);
}

/* A locale with a decimal comma changes nothing. */
static void test_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "fr_FR.utf8",  "de_DE",      "ps_AF.UTF-8"};
    const char *set = NULL;
    char text[GPAI_NUMBER_ROOM];
    double got = 0;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && set == NULL; i++)
        set = setlocale(LC_ALL, names[i]);
    if (set == NULL) {
        print_message("SKIP: no locale with a decimal comma is installed\n");
        skip();
    }
    int one = gpai_number("1.5", 3, &got) == GPAI_NUMBER && got == 1.5;
    int two = gpai_number("1.2345678901234567e-100", 23, &got) == GPAI_NUMBER &&
              got == 1.2345678901234567e-100;
    int three = gpai_number("1,5", 3, &got) == GPAI_NUMBER_NOT;
    gpai_number_text(0.5, text);
    setlocale(LC_ALL, "C");
    assert_true(one && two && three);
    assert_string_equal(text, "0.5");
}

static void test_missing(void **state)
{
    static const char *const yes[] = {"",     "NA",   "N/A",  "n/a",  "#N/A",
                                      "<NA>", "NaN",  "nan",  "-nan", "NaT",
                                      "null", "NULL", "None", "?"};
    static const char *const no[] = {"0", "na", "none", "Null", "-", "NAN1", "N", "??"};
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        assert_true(gpai_missing(yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        assert_false(gpai_missing(no[i], strlen(no[i])));
}

static void test_number_text(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {0.1, "0.1"},
                 {1e22, "1e+22"},
                 {123456789, "123456789"},
                 {-2.5e-7, "-2.5e-07"},
                 {0x1p53, "9007199254740992"}};
    char text[GPAI_NUMBER_ROOM];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpai_number_text(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
    gpai_number_text((double)INFINITY, text);
    assert_string_equal(text, "inf");
    gpai_number_text(-(double)INFINITY, text);
    assert_string_equal(text, "-inf");
    gpai_number_text((double)NAN, text);
    assert_string_equal(text, "nan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),       cmocka_unit_test(test_not_numbers),
        cmocka_unit_test(test_range),       cmocka_unit_test(test_random_doubles),
        cmocka_unit_test(test_random_text), cmocka_unit_test(test_halfway),
        cmocka_unit_test(test_long_text),   cmocka_unit_test(test_locale),
        cmocka_unit_test(test_missing),     cmocka_unit_test(test_number_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
