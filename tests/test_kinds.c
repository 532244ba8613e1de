/* Kinds of inputs: what the rules make of columns, spoilt ones included. */
#include "data_support.h"
#include "study/kinds.h"

enum { ROWS = 300 };

static gpai_kinds infer(const gpai_kind_column *columns, size_t d, size_t n)
{
    gpai_kinds k;
    gpa_error err = {GPA_OK, ""};
    assert_int_equal(gpai_kinds_infer(&k, columns, d, n, &err), GPA_OK);
    return k;
}

static void test_line(void **state)
{
    static const char *const regions[] = {"east", "north", "south", "west"};
    static const char *const names[] = {"sex", "children", "region", "bmi", "age"};
    double x[5][ROWS];
    gpai_kind_column c[5];
    char line[256];
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        x[0][i] = (double)(i % 2);
        x[1][i] = (double)(i % 6);
        x[2][i] = (double)(i % 4);
        x[3][i] = 0.1 * (double)(i * 7 % 300) - 3;
        x[4][i] = 18 + (double)(i * 7 % 60);
    }
    for (size_t k = 0; k < 5; k++)
        c[k] = (gpai_kind_column){.name = names[k], .value = x[k], .stride = 1};
    c[2].writing = GPA_WRITING_LEVEL;
    c[2].level_name = regions;
    c[2].levels = 4;
    gpai_kinds k = infer(c, 5, ROWS);
    assert_int_equal(gpai_kinds_line(&k, names, line, sizeof line, &err), GPA_OK);
    assert_string_equal(line,
                        "taken as: sex 0/1; children whole numbers 0-5; region one of "
                        "4; bmi numbers; age numbers from 0");
    gpai_kinds_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
