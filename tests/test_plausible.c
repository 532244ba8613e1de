#include "support.h"

#include "base/alloc.h"
#include "engine/culprit/moves.h"
#include "engine/culprit/plausible.h"

/* Expected numbers were computed with NumPy and SciPy from the definitions. */

enum { PLACES = 9 };
static const double places[PLACES] = {-1e6, -7, -1, 0, 0.3, 2, 5, 1e4, 1e9};

static const struct {
    const char *name;
    size_t n;
    double width, density[PLACES], score[PLACES];
} columns[] = {
    {"spread",
     40,
     1.62334494744789,
     {2.63524851877262e-12, 0.0653911907369617, 0.466467601002001, 0.469620551081722,
      0.47562354904974, 0.488585059959653, 0.15514150752111, 2.6352790757339e-08,
      2.63524881870424e-18},
     {-4.88515914896954, -1.41259215340171, -0.251770986910777, -0.0203237738517332,
      0.0493711155361584, 0.474815024944174, 1.17277413137948, 3.88259894914013,
      5.99780701960164}},
    {"odd",
     41,
     1.59577784605827,
     {2.54650667455456e-12, 0.0631013794713351, 0.468479512493154, 0.476036398105103,
      0.480300859453681, 0.480544604213359, 0.149627885704186, 2.54653315354159e-08,
      2.54650693422982e-18},
     {-4.88853261688073, -1.42202372486784, -0.256019594998796, -0.0178190043321259,
      0.0539330676433759, 0.485373421864718, 1.18447109523141, 3.88676050702527,
      5.99780701960164}},
    {"binary",
     40,
     0.304120094933232,
     {9.2488995146632e-14, 0.00179579130649231, 0.0722471427007104, 0.816931800580339,
      0.437212229598013, 0.0350115620977521, 0.00409820831023128, 9.24927321729427e-10,
      9.24890321791935e-20},
     {-5.2053715549418, -2.21223091661941, -1.37357286217496, -0.204976921075791,
      0.316939978200764, 1.57852539237424, 2.04758013950548, 4.27213219143946,
      5.99780701960164}},
    {"constant",
     40,
     0.760300237333079,
     {5.78054138669536e-13, 0.00708593065387303, 0.0603521657919545, 0.12626678091235,
      0.16668023115385, 1, 0.0603521657919545, 5.78287739510202e-09,
      5.78056453200963e-19},
     {-5.03254094061023, -1.92962877143953, -1.41178323576931, -1.19709360480261,
      -1.10830050318551, 0, 1.41178323576931, 4.06316444193365, 5.99780701960164}},
    {"an outlier",
     40,
     117.093495559177,
     {1.37041320265674e-08, 0.971477187966763, 0.974893915379602, 0.974967782951489,
      0.974962217577327, 0.974689034282452, 0.973207458830608, 0.0251336633429163,
      1.37108935583351e-14},
     {-3.96135516889095, -0.0777561357955849, -0.0378814175154203, -0.0312340987556996,
      -0.0292401377925846, -0.0179442188994064, 0.00196860006538741, 2.141078285759,
      5.37985935545034}},
};

static double column_value(const char *name, size_t i)
{
    double at = (double)i;
    if (strcmp(name, "binary") == 0)
        return i % 5 == 0;
    if (strcmp(name, "constant") == 0)
        return 2;
    if (strcmp(name, "an outlier") == 0)
        return i == 7 ? 1e4 : cos(at);
    return 3 * sin(1 + 5 * at);
}

static void test_columns(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        double value[41], scratch[41], density[PLACES], alone[PLACES], score[PLACES];
        print_message("%s\n", columns[c].name);
        for (size_t i = 0; i < columns[c].n; i++)
            value[i] = column_value(columns[c].name, i);
        gpai_column column = gpai_column_make(value, columns[c].n, scratch);
        assert_close(column.width / columns[c].width, 1, 1e-12);
        gpai_column_at(&column, 0, places, PLACES, density, score);
        gpai_column_at(&column, 0, places, PLACES, alone, NULL);
        for (size_t i = 0; i < PLACES; i++) {
            assert_close(density[i] / columns[c].density[i], 1, 1e-10);
            assert_close(alone[i] / columns[c].density[i], 1, 1e-10);
            /* 1 - 1e-9 is not known any better than this */
            assert_close(score[i], columns[c].score[i], 1e-7);
        }
    }
}

/* Each place is looked at for itself, whoever stands beside it. */
static void test_places_are_independent(void **state)
{
    double value[30], scratch[30], density[PLACES], score[PLACES], d, s;
    (void)state;
    for (size_t i = 0; i < 30; i++)
        value[i] = column_value("", i);
    gpai_column column = gpai_column_make(value, 30, scratch);
    gpai_column_at(&column, 0.5, places, PLACES, density, score);
    for (size_t i = 0; i < PLACES; i++) {
        const double at = places[i] + 0.5;
        gpai_column_at(&column, 0, &at, 1, &d, &s);
        assert_true(d == density[i] && s == score[i]);
    }
}

/* The score is that of the kernels' distribution function: it rises, and its full turns
 * are counted right however many kernels there are. */
static void test_scores_rise(void **state)
{
    enum { KERNELS = 500, MOVES = 300 };
    static double value[KERNELS], scratch[KERNELS], move[MOVES], density[MOVES],
        score[MOVES];
    (void)state;
    for (size_t i = 0; i < KERNELS; i++)
        value[i] = (double)(i * 7919 % KERNELS) / KERNELS;
    gpai_column column = gpai_column_make(value, KERNELS, scratch);
    for (size_t i = 0; i < MOVES; i++)
        move[i] = -1 + (double)i / 100;
    gpai_column_at(&column, 0, move, MOVES, density, score);
    for (size_t i = 0; i < MOVES; i++) {
        double sum = 0;
        for (size_t j = 0; j < KERNELS; j++)
            sum += atan((move[i] - value[j]) / column.width);
        double u = 0.5 + sum / (3.14159265358979323846 * KERNELS);
        assert_close(0.5 * erfc(-score[i] / sqrt(2)), u, 1e-12);
        assert_true(i == 0 || score[i] > score[i - 1]);
    }
}

static const struct {
    size_t n, m;
    double shrinkage;
    double link[6]; /* C_00, C_01, C_12, C_20, C_last,last, C_0,last */
    double pull[4]; /* C cos(k) */
} copulas[] = {
    {30,
     4,
     0.121832679476,
     {0.771626730858628, -1.04074141135322, -0.971914336602378, 0.996090250736471, 0,
      0},
     {-0.205208060267409, -0.234562130932295, 0.182916332159365, 0}},
    {10,
     12,
     0.230186698604,
     {2.50754331805579, -0.37994738387844, -0.270072568326843, 0.40491153181279, 0, 0},
     {-1.13021873728781, -0.0564099264719464, 0.477741361626574, 0.171989603118266}},
    {12,
     12,
     0.191251019455,
     {3.21362923407069, -0.472448262691441, -0.335223985152149, 0.481538135445913, 0,
      0},
     {-1.21737750952196, -0.0267523208583862, 0.458014303286519, 0.155807584177185}},
};

/* Fewer rows than inputs and more; the last input is constant. */
static void test_copulas(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof copulas / sizeof copulas[0]; c++) {
        double z[30 * 12], v[12], out[12], scratch[30];
        size_t n = copulas[c].n, m = copulas[c].m;
        const size_t at[6][2] = {{0, 0}, {0, 1},         {1, 2},
                                 {2, 0}, {m - 1, m - 1}, {0, m - 1}};
        gpai_copula copula;
        for (size_t k = 0; k < m; k++) {
            v[k] = cos((double)k);
            for (size_t i = 0; i < n; i++) {
                double row = (double)i;
                z[k * n + i] = sin(1 + 5 * row + (double)k);
                z[k * n + i] += k % 2 == 1 ? 0.8 * cos(3 * row) : 0;
                z[k * n + i] = k == m - 1 ? 0.25 : z[k * n + i];
            }
        }
        assert_int_equal(gpai_copula_open(&copula, z, n, m, NULL), GPA_OK);
        assert_close(copula.shrinkage, copulas[c].shrinkage, 1e-10);
        for (size_t i = 0; i < 6; i++)
            assert_close(gpai_copula_link(&copula, at[i][0], at[i][1]),
                         copulas[c].link[i], 1e-10);
        gpai_copula_pull(&copula, v, scratch, out);
        for (size_t i = 0; i < 4; i++)
            assert_close(out[i], copulas[c].pull[i], 1e-10);
        gpai_copula_close(&copula);
    }
}

/* One input, or inputs that have nothing to do with each other: no dependence. */
static void test_independent_inputs(void **state)
{
    double z[8] = {1, 1, -1, -1, 1, -1, 1, -1}; /* orthogonal */
    gpai_copula copula;
    (void)state;
    for (size_t m = 1; m <= 2; m++) {
        assert_int_equal(gpai_copula_open(&copula, z, 4, m, NULL), GPA_OK);
        assert_true(copula.shrinkage == 1);
        for (size_t k = 0; k < m; k++)
            assert_true(gpai_copula_link(&copula, 0, k) == 0);
        gpai_copula_close(&copula);
    }
}

enum { ROWS = 30, INPUTS = 3, OBSERVED = 2, MOVES = 5 };
static const double moves[MOVES] = {-9.18838369644541, -1.50137063589272,
                                    -0.0087744163418515, 1.11357611061096,
                                    9.18838369644541};
static const double basic[INPUTS][MOVES] = {
    {-7.58268609089851, -0.51948064089345, -0.000614749635229783, -0.323627863201657,
     -7.64156183209216},
    {-8.49716507545655, -0.869589588502405, 8.48355401239509e-05, -0.490639483858431,
     -8.46864175091278},
    {-11.0724477255937, -3.11912270885339, -0.000876098145874638, -1.45064225139093,
     -11.0291525202791}};
static const double joint[INPUTS][MOVES] = {
    {-10.1841800512169, -0.573630894266206, -0.00114647684234684, -0.236210720494617,
     -9.94363244405365},
    {-15.1983092889144, -2.50363532665928, -0.000307089925375198, -1.43495741280817,
     -15.3483221479695},
    {-13.729764208986, -3.66261520095178, 0.000891603772943785, -1.76549544142643,
     -14.1313310064379}};
static const double shifts[INPUTS][OBSERVED * MOVES] = {
    {-3.11647779443994, -1.04039041746428, -0.00393593376568435, 0.333117894264289,
     0.974392300730645, -1.03374649071565, -0.447045310126951, -0.0044486953401377,
     0.787594343088967, 3.059607283165},
    {-3.0806892861198, -1.22019140869385, -0.00545071355254079, 0.430746198035185,
     1.12014186211452, -1.08744423170714, -0.491867240920195, -0.00510856614900534,
     0.857608694411208, 3.11241791951227},
    {-3.27694520649751, -2.14759648497292, -0.0111199360682072, 0.65392819579073,
     1.39228210228939, -1.28075939388688, -0.660500011822533, -0.00902737914951546,
     1.62753238599809, 3.38776966015103}};
static const double links[3] = {-1.04543457217423, 0.994569817437721,
                                -0.974473442071569}; /* 01, 02, 12 */

/* Two observed rows and thirty unlabelled ones. */
struct scene {
    double x[OBSERVED * INPUTS], rows[ROWS * INPUTS], unit[INPUTS];
    gpai_problem p;
    gpai_space s;
};

static void set_scene(struct scene *a, const gpai_limits *limits)
{
    *a = (struct scene){0};
    for (size_t k = 0; k < INPUTS; k++) {
        double in = (double)k;
        a->unit[k] = 1 + 0.5 * in;
        for (size_t t = 0; t < OBSERVED; t++)
            a->x[t * INPUTS + k] = 2 * sin(1 + 3 * (double)t + 7 * in);
        for (size_t i = 0; i < ROWS; i++) {
            double row = (double)i;
            a->rows[i * INPUTS + k] = sin(1 + 5 * row + in);
            a->rows[i * INPUTS + k] += k % 2 == 1 ? 0.8 * cos(3 * row) : 0;
        }
    }
    a->p = (gpai_problem){
        .n = OBSERVED, .d = INPUTS, .x = a->x, .unit = a->unit, .eta = 1, .nu = 0.5};
    assert_int_equal(gpai_space_open(&a->s, &a->p, limits, NULL), GPA_OK);
}

static void test_moved_rows(void **state)
{
    struct scene a;
    (void)state;
    set_scene(&a, NULL);
    for (int together = 0; together < 2; together++) {
        double gain[MOVES], shift[OBSERVED * MOVES], again[MOVES];
        gpai_plausible q;
        assert_int_equal(
            gpai_plausible_open(&q, &a.p, &a.s, a.rows, ROWS, together == 1, NULL),
            GPA_OK);
        assert_int_equal(q.rows, ROWS);
        for (size_t k = 0; k < INPUTS; k++) {
            const double *want = together == 1 ? joint[k] : basic[k];
            gpai_plausible_judge(&q, k, moves, MOVES, gain, NULL);
            gpai_plausible_judge(&q, k, moves, MOVES, again, shift);
            for (size_t i = 0; i < MOVES; i++) {
                assert_close(gain[i], want[i], 1e-9);
                assert_true(gain[i] == again[i]);
            }
            for (size_t i = 0; together == 1 && i < OBSERVED * MOVES; i++)
                assert_close(shift[i], shifts[k][i], 1e-9);
        }
        assert_close(gpai_plausible_link(&q, 0, 1), together == 1 ? links[0] : 0,
                     1e-10);
        assert_close(gpai_plausible_link(&q, 0, 2), together == 1 ? links[1] : 0,
                     1e-10);
        assert_close(gpai_plausible_link(&q, 2, 1), together == 1 ? links[2] : 0,
                     1e-10);
        gpai_plausible_close(&q);
    }
    gpai_space_close(&a.s);
}

/* Staying where it is gains nothing; infinitely far away is finite. */
static void test_ends(void **state)
{
    static const double far[3] = {-1e300, 0, 1e300};
    struct scene a;
    gpai_plausible q;
    double gain[3];
    (void)state;
    set_scene(&a, NULL);
    assert_int_equal(gpai_plausible_open(&q, &a.p, &a.s, a.rows, ROWS, true, NULL),
                     GPA_OK);
    for (size_t k = 0; k < INPUTS; k++) {
        gpai_plausible_judge(&q, k, far, 3, gain, NULL);
        assert_true(gain[0] < -50 && isfinite(gain[0]));
        assert_close(gain[1], 0, 1e-12);
        assert_true(gain[2] < -50 && isfinite(gain[2]));
    }
    gpai_plausible_close(&q);
    gpai_space_close(&a.s);
}

/* A cell without a number takes nothing but itself out: input 0 as if rows 0 .. 4 had
 * never been, a row's own hole as if its input said nothing. */
static void test_holes(void **state)
{
    struct scene a;
    gpai_plausible q;
    double some[MOVES], fewer[MOVES], shift[OBSERVED * MOVES];
    (void)state;
    set_scene(&a, NULL);
    assert_int_equal(
        gpai_plausible_open(&q, &a.p, &a.s, a.rows + 5 * INPUTS, ROWS - 5, false, NULL),
        GPA_OK);
    gpai_plausible_judge(&q, 0, moves, MOVES, fewer, NULL);
    gpai_plausible_close(&q);
    for (size_t i = 0; i < 5; i++)
        a.rows[i * INPUTS] = i == 0 ? HUGE_VAL : (double)NAN;
    assert_int_equal(gpai_plausible_open(&q, &a.p, &a.s, a.rows, ROWS, false, NULL),
                     GPA_OK);
    gpai_plausible_judge(&q, 0, moves, MOVES, some, NULL);
    gpai_plausible_close(&q);
    assert_memory_equal(some, fewer, sizeof some);
    for (size_t i = 0; i < ROWS; i++)
        a.rows[i * INPUTS + 1] = i < 19 ? 1 : (double)NAN; /* too few to say anything */
    a.x[2] = (double)NAN;
    assert_int_equal(gpai_plausible_open(&q, &a.p, &a.s, a.rows, ROWS, true, NULL),
                     GPA_OK);
    gpai_plausible_judge(&q, 1, moves, MOVES, some, shift);
    for (size_t i = 0; i < MOVES; i++)
        assert_true(some[i] == 0 && shift[i] == 0 && shift[MOVES + i] == 0);
    gpai_plausible_judge(&q, 2, moves, MOVES, some, shift);
    for (size_t i = 0; i < MOVES; i++) /* the second row still counts */
        assert_true(isfinite(some[i]) && shift[i] == 0 && shift[MOVES + i] != 0);
    gpai_plausible_close(&q);
    gpai_space_close(&a.s);
}

/* A group is judged by how often its categories occur, each half a time more. */
static void test_categories(void **state)
{
    static const size_t group[INPUTS] = {1, 1, 1};
    const gpai_limits limits = {.group = group};
    static const double to[2] = {0, 2};
    struct scene a;
    gpai_plausible q;
    double gain[2], shift[2 * OBSERVED] = {1, 1, 1, 1};
    (void)state;
    set_scene(&a, NULL);
    gpai_space_close(&a.s);
    for (size_t i = 0; i < OBSERVED * INPUTS; i++)
        a.x[i] = i % INPUTS == 1;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < INPUTS; k++)
            a.rows[i * INPUTS + k] = k == (i < 24 ? 0 : 1); /* 24, 6 and 0 times */
    assert_int_equal(gpai_space_open(&a.s, &a.p, &limits, NULL), GPA_OK);
    assert_int_equal(a.s.axes, 1);
    assert_int_equal(gpai_plausible_open(&q, &a.p, &a.s, a.rows, ROWS, true, NULL),
                     GPA_OK);
    gpai_plausible_judge(&q, 0, to, 2, gain, shift);
    assert_close(gain[0], 2 * log(24.5 / 6.5), 1e-12); /* two rows move */
    assert_close(gain[1], 2 * log(0.5 / 6.5), 1e-12);
    for (size_t i = 0; i < 2 * OBSERVED; i++)
        assert_true(shift[i] == 0);
    gpai_plausible_close(&q);
    gpai_space_close(&a.s);
}

static void test_out_of_memory(void **state)
{
    struct scene a;
    (void)state;
    set_scene(&a, NULL);
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        for (size_t k = 1; st != GPA_OK; k++) {
            gpai_plausible q;
            gpa_error err = {GPA_OK, ""};
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpai_plausible_open(&q, &a.p, &a.s, a.rows, ROWS, true, &err);
            bool reached = gpai_alloc_count() >= k;
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, reached ? GPA_NOMEM : GPA_OK);
            assert_int_equal(err.status, st);
            gpai_plausible_close(&q);
            assert_true(k < 20);
        }
    }
    gpai_space_close(&a.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_places_are_independent),
        cmocka_unit_test(test_scores_rise),
        cmocka_unit_test(test_copulas),
        cmocka_unit_test(test_independent_inputs),
        cmocka_unit_test(test_moved_rows),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_categories),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
