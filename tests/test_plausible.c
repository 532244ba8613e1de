#include "support.h"

#include "base/alloc.h"
#include "engine/culprit/density/plausible.h"

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
        gpai_kernels column = gpai_kernels_make(value, columns[c].n, scratch);
        assert_close(column.width / columns[c].width, 1, 1e-12);
        gpai_kernels_at(&column, 0, places, PLACES, density, score);
        gpai_kernels_at(&column, 0, places, PLACES, alone, NULL);
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
    gpai_kernels column = gpai_kernels_make(value, 30, scratch);
    gpai_kernels_at(&column, 0.5, places, PLACES, density, score);
    for (size_t i = 0; i < PLACES; i++) {
        const double at = places[i] + 0.5;
        gpai_kernels_at(&column, 0, &at, 1, &d, &s);
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
    gpai_kernels column = gpai_kernels_make(value, KERNELS, scratch);
    for (size_t i = 0; i < MOVES; i++)
        move[i] = -1 + (double)i / 100;
    gpai_kernels_at(&column, 0, move, MOVES, density, score);
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
    double link[6]; /* C_00, C_01, C_12, C_20, C_last,last, C_0,last; C = R^-1 - I */
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
        double rare[12];
        size_t first[13];
        for (size_t k = 0; k <= m; k++)
            first[k] = k;
        for (size_t k = 0; k < m; k++) {
            rare[k] = 1;
            v[k] = cos((double)k);
            for (size_t i = 0; i < n; i++) {
                double row = (double)i;
                z[k * n + i] = sin(1 + 5 * row + (double)k);
                z[k * n + i] += k % 2 == 1 ? 0.8 * cos(3 * row) : 0;
                z[k * n + i] = k == m - 1 ? 0.25 : z[k * n + i];
            }
        }
        const gpai_scores scores = {
            .m = m, .n = n, .blocks = m, .z = z, .first = first, .rare = rare};
        assert_int_equal(gpai_copula_open(&copula, &scores, true, NULL), GPA_OK);
        assert_close(copula.shrinkage, copulas[c].shrinkage, 1e-10);
        for (size_t i = 0; i < 6; i++)
            assert_close(gpai_copula_link(&copula, at[i][0], at[i][1]) -
                             (at[i][0] == at[i][1]),
                         copulas[c].link[i], 1e-10);
        gpai_copula_pull(&copula, v, scratch, out);
        for (size_t i = 0; i < 4; i++)
            assert_close(out[i] - v[i], copulas[c].pull[i], 1e-10);
        gpai_copula_close(&copula);
    }
}

/* One input, or inputs that have nothing to do with each other: no dependence. */
static void test_independent_inputs(void **state)
{
    double z[8] = {1, 1, -1, -1, 1, -1, 1, -1}; /* orthogonal */
    gpai_copula copula;
    (void)state;
    static const size_t first[3] = {0, 1, 2};
    static const double rare[2] = {1, 1};
    for (size_t m = 1; m <= 2; m++) {
        const gpai_scores scores = {
            .m = m, .n = 4, .blocks = m, .z = z, .first = first, .rare = rare};
        assert_int_equal(gpai_copula_open(&copula, &scores, true, NULL), GPA_OK);
        assert_true(copula.shrinkage == 1);
        for (size_t k = 0; k < m; k++)
            assert_true(gpai_copula_link(&copula, 0, k) == (k == 0));
        gpai_copula_close(&copula);
    }
}

/* Few rows that share one factor: how far correlations are shrunk, by SciPy, which left
 * out one row after the other. Schaefer and Strimmer's t is in `plain`. What was found
 * for nearly the same rows is taken over, and choices have no say. */
static void test_rows_not_known(void **state)
{
    static const struct {
        size_t n, m;
        double plain, left_out;
    } cases[] = {{20, 6, 0.057033694, 0.149070201},
                 {9, 12, 0.141073868, 0.265047265},
                 {40, 12, 0.027638301, 0.121721921},
                 {12, 12, 0.095896291, 0.240132028}};
    size_t each[13] = {0}, block[3] = {0, 0, 0};
    double rare[12], z[12 * 40];
    (void)state;
    for (size_t k = 0; k < 12; k++) {
        each[k + 1] = k + 1;
        rare[k] = 1;
    }
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t n = cases[c].n, m = cases[c].m;
        for (size_t i = 0; i < n * m; i++) {
            double row = (double)(i % n), score = (double)(i / n);
            z[i] = 0.9 * sin(1 + 5 * row) +
                   0.44 * sin(2.3 + 7.1 * (row + 1) * (score + 1));
        }
        gpai_scores s = {
            .m = m, .n = n, .blocks = m, .z = z, .first = each, .rare = rare};
        gpai_copula copula;
        assert_int_equal(gpai_copula_open(&copula, &s, true, NULL), GPA_OK);
        assert_close(copula.shrinkage, cases[c].left_out, 2e-3 * copula.shrinkage);
        gpai_copula_close(&copula);
        s.left_out = 0.3;
        assert_int_equal(gpai_copula_open(&copula, &s, true, NULL), GPA_OK);
        assert_true(copula.shrinkage == 0.3 && copula.left_out == 0.3);
        gpai_copula_close(&copula);
        s.left_out = 0.02;
        assert_int_equal(gpai_copula_open(&copula, &s, true, NULL), GPA_OK);
        assert_close(copula.shrinkage, cases[c].plain, 1e-9);
        gpai_copula_close(&copula);
        block[1] = m / 2;
        block[2] = m;
        s.left_out = 0;
        s.blocks = 2;
        s.first = block;
        assert_int_equal(gpai_copula_open(&copula, &s, true, NULL), GPA_OK);
        assert_true(copula.left_out == 0.02);
        gpai_copula_close(&copula);
    }
}

/* Both ways to the inverse, of scores in blocks with rare ones: R times it is 1. */
static void test_inverse(void **state)
{
    enum { M = 9 };
    static const size_t first[4] = {0, 1, 5, M};
    static const double rare[M] = {1, 0.9, 0.2, 0.5, 0.7, 1, 1, 0.3, 0.8};
    (void)state;
    for (size_t n = 6; n <= 40; n += 34) {
        double z[M * 40];
        gpai_copula c;
        for (size_t i = 0; i < M * n; i++)
            z[i] = sin(3.7 * (double)i) + cos(0.1 * (double)(i % n));
        const gpai_scores scores = {
            .m = M, .n = n, .blocks = 3, .z = z, .first = first, .rare = rare};
        assert_int_equal(gpai_copula_open(&c, &scores, true, NULL), GPA_OK);
        assert_true(c.shrinkage > 0.02 && c.shrinkage < 1);
        for (size_t j = 0; j < M; j++)
            for (size_t k = 0; k < M; k++) {
                double sum = 0;
                for (size_t i = 0; i < M; i++)
                    sum +=
                        gpai_copula_correlation(&c, j, i) * gpai_copula_link(&c, i, k);
                assert_close(sum, j == k, 1e-11);
            }
        gpai_copula_close(&c);
    }
}

enum { ROWS = 40, INPUTS = 5 };

/* Reference rows of two numbers, a flag, a choice and a whole number; one row. */
struct scene {
    double x[INPUTS], rows[ROWS * INPUTS], unit[INPUTS];
    gpa_input in[INPUTS];
    gpai_limits limits;
    gpai_problem p;
    gpai_space s;
};

static void set_scene(struct scene *a)
{
    static const double flag[2] = {0, 1}, code[3] = {4, 5, 6};
    *a = (struct scene){.x = {0.4, -0.3, 1, 5, 2}};
    for (size_t k = 0; k < INPUTS; k++) {
        a->unit[k] = 1 + 0.5 * (double)k;
        a->in[k] = (gpa_input){
            .low = (double)NAN, .high = (double)NAN, .missing = (double)NAN};
        for (size_t i = 0; i < ROWS; i++)
            a->rows[i * INPUTS + k] = 2 * sin(1 + 5 * (double)i + (double)k);
    }
    for (size_t i = 0; i < ROWS; i++) {
        a->rows[i * INPUTS + 2] = i % 4 == 0;                  /* 30 and 10 */
        a->rows[i * INPUTS + 3] = i < 24 ? 4 : i < 36 ? 5 : 6; /* 24, 12 and 4 */
        a->rows[i * INPUTS + 4] = (double)(i % 3);
    }
    a->in[2].kind = GPA_KIND_FLAG;
    a->in[2].levels = 2;
    a->in[2].level = flag;
    a->in[3].kind = GPA_KIND_CHOICE;
    a->in[3].levels = 3;
    a->in[3].level = code;
    a->in[4].kind = GPA_KIND_WHOLE;
    a->in[4].low = 0;
    a->in[4].high = 4;
    a->limits = (gpai_limits){.inputs = a->in, .gaps = true};
    a->p = (gpai_problem){
        .n = 1, .d = INPUTS, .x = a->x, .unit = a->unit, .eta = 1, .nu = 0.5};
    assert_int_equal(gpai_space_open(&a->s, &a->p, &a->limits, NULL), GPA_OK);
}

/* ln of how much more plausible the row is with an axis at each of some values. */
static void judge_by(const struct scene *a, const gpai_crowd *crowd, size_t axis,
                     const double *value, size_t count, double *gain)
{
    static double e[ROWS * 8], own[8], shift[3 * 8], top[8], sum[8];
    gpai_plausible q;
    gpai_terms t = {.ld = 8, .own = own, .shift = shift, .e = e};
    assert_int_equal(gpai_plausible_open(&q, crowd, &a->p, &a->s, NULL, NULL), GPA_OK);
    gpai_plausible_row(&q, 0);
    gpai_plausible_terms(&q, axis, value, count, &t);
    memset(gain, 0, count * sizeof *gain);
    gpai_plausible_gain(&q, &t, top, sum, gain);
    gpai_plausible_close(&q);
}

static void judge(const struct scene *a, bool joint, size_t axis, const double *value,
                  size_t count, double *gain)
{
    gpai_crowd crowd;
    assert_int_equal(
        gpai_crowd_open(&crowd, &a->s, a->unit, a->rows, ROWS, joint, NULL), GPA_OK);
    judge_by(a, &crowd, axis, value, count, gain);
    gpai_crowd_close(&crowd);
}

/* Values between the marks lie on straight lines: next to what the kernels say, at
 * every fifth of the way and beyond both ends. */
static void test_about(void **state)
{
    enum { COUNT = 5 * (GPAI_CROWD_MARKS + 10) };
    static double value[COUNT], own[COUNT], score[COUNT], about[COUNT], place[COUNT];
    struct scene a;
    gpai_crowd crowd;
    (void)state;
    set_scene(&a);
    assert_int_equal(gpai_crowd_open(&crowd, &a.s, a.unit, a.rows, ROWS, true, NULL),
                     GPA_OK);
    for (size_t axis = 0; axis < a.s.axes; axis++) {
        const gpai_trait *t = &crowd.trait[axis];
        if (t->kind != GPAI_TRAIT_NUMBER)
            continue;
        double low = t->mark[0], high = t->mark[GPAI_CROWD_MARKS - 1];
        for (size_t i = 0; i < COUNT; i++) {
            size_t mark = i / 5 < GPAI_CROWD_MARKS - 1 ? i / 5 : 0;
            double share = (double)(i % 5) / 5,
                   step = t->mark[mark + 1] - t->mark[mark];
            value[i] = t->unit * (mark == i / 5 ? t->mark[mark] + share * step
                                  : i % 2 == 0  ? low - share * (high - low)
                                                : high + share * (high - low));
        }
        gpai_crowd_place(&crowd, axis, value, COUNT, own, score);
        gpai_crowd_place_about(&crowd, axis, value, COUNT, about, place);
        for (size_t i = 0; i < COUNT; i++) {
            assert_close(about[i], own[i], 2e-3);
            assert_close(place[i], score[i], 2e-3);
        }
    }
    gpai_crowd_close(&crowd);
    gpai_space_close(&a.s);
}

/* Cells between marks: scores equally far apart, whichever cells they are, and what is
 * summed over them in blocks is what is summed one by one. */
static void test_marks(void **state)
{
    enum { MOST = GPAI_CROWD_CELLS };
    static const gpai_strip strips[] = {
        {0, 1, MOST}, {0, 8, 8}, {0, 2, 32}, {20, 1, 30}, {32, 4, 10}};
    static double own[MOST + 16], shift[MOST + 16], plain[MOST], score[MOST];
    double border[MOST + 1], middle[MOST], width[MOST], even[MOST], each[MOST];
    struct scene a;
    gpai_crowd crowd;
    gpai_plausible q;
    (void)state;
    set_scene(&a);
    assert_int_equal(gpai_crowd_open(&crowd, &a.s, a.unit, a.rows, ROWS, true, NULL),
                     GPA_OK);
    for (size_t i = 0; i < sizeof strips / sizeof strips[0]; i++) {
        gpai_strip c = strips[i];
        gpai_crowd_cells(&crowd, 1, c, border, middle);
        gpai_crowd_cells_own(&crowd, 1, c, own);
        gpai_crowd_place(&crowd, 1, middle, c.count, plain, score);
        for (size_t j = 0; j < c.count; j++) {
            double at = -4 + (double)(c.first + (2 * j + 1) * c.half) / 16;
            assert_true(border[j] < middle[j] && middle[j] < border[j + 1]);
            assert_close(score[j], at, 1e-6);
            assert_close(own[j], plain[j], 1e-6);
        }
    }
    assert_int_equal(gpai_plausible_open(&q, &crowd, &a.p, &a.s, NULL, NULL), GPA_OK);
    gpai_plausible_row(&q, 0);
    gpai_terms t = {.ld = MOST, .own = own, .shift = shift};
    gpai_plausible_even(&q, 1, strips[0], &t);
    for (size_t j = 0; j < MOST; j++) {
        width[j] = 1.0 / 8;
        even[j] = each[j] = 0;
    }
    gpai_plausible_even_cells(&q, 1, &t, width[0], even);
    gpai_plausible_cells(&q, 1, &t, width, each);
    for (size_t j = 0; j < MOST; j++)
        assert_close(even[j], each[j], 1e-9);
    gpai_plausible_close(&q);
    gpai_crowd_close(&crowd);
    gpai_space_close(&a.s);
}

/* Every axis for itself: kernels around the numbers, shares of levels with half a row
 * more each, four fifths of a whole number's frequency and a fifth of its kernels. */
static void test_each_for_itself(void **state)
{
    struct scene a;
    double gain[3], value[ROWS], scratch[ROWS], density[3];
    static const double move[3] = {-1.5, 0, 40}, flag[2] = {0, 1}, code[3] = {0, 1, 2};
    (void)state;
    set_scene(&a);
    for (size_t i = 0; i < ROWS; i++)
        value[i] = a.rows[i * INPUTS + 1] / a.unit[1];
    gpai_kernels c = gpai_kernels_make(value, ROWS, scratch);
    gpai_kernels_at(&c, a.x[1] / a.unit[1], move, 3, density, NULL);
    judge(&a, false, 1, move, 3, gain);
    for (size_t i = 0; i < 3; i++)
        assert_close(gain[i], log(density[i] / density[1]), 1e-9);
    judge(&a, false, 2, flag, 2, gain);
    assert_close(gain[0], log(30.5 / 10.5), 1e-12);
    assert_close(gain[1], 0, 1e-12);
    judge(&a, false, 3, code, 3, gain);
    assert_close(gain[0], log(24.5 / 12.5), 1e-12);
    assert_close(gain[2], log(4.5 / 12.5), 1e-12);
    for (size_t i = 0; i < ROWS; i++)
        value[i] = a.rows[i * INPUTS + 4] / a.unit[4];
    c = gpai_kernels_make(value, ROWS, scratch);
    const double at[3] = {0, 2, 4}, steps[3] = {-2 / a.unit[4], 0, 2 / a.unit[4]};
    double units[3], mass[3];
    for (size_t i = 0; i < 3; i++)
        units[i] = at[i] / a.unit[4];
    gpai_kernels_at(&c, 0, units, 3, density, NULL);
    for (size_t i = 0; i < 3; i++) {
        double seen = i == 0 ? 14.0 / ROWS : i == 1 ? 13.0 / ROWS : 0;
        double pi = 3.14159265358979323846;
        mass[i] = 0.8 * seen + 0.2 * density[i] / (pi * c.width) / a.unit[4];
    }
    judge(&a, false, 4, steps, 3, gain);
    for (size_t i = 0; i < 3; i++)
        assert_close(gain[i], log(mass[i] / mass[1]), 1e-9);
    gpai_space_close(&a.s);
}

/* Together: staying gains nothing, a choice keeps the shares it has in all rows, and
 * what is far away is finite. */
static void test_together(void **state)
{
    struct scene a;
    static const double far[3] = {-1e300, 0, 1e300}, now[1] = {1};
    double gain[3];
    (void)state;
    set_scene(&a);
    for (size_t k = 0; k < 2; k++) {
        judge(&a, true, k, far, 3, gain);
        assert_true(gain[0] < -50 && isfinite(gain[0]));
        assert_close(gain[1], 0, 1e-9);
        assert_true(gain[2] < -50 && isfinite(gain[2]));
    }
    for (size_t k = 2; k < 4; k++) {
        judge(&a, true, k, now, 1, gain);
        assert_close(gain[0], 0, 1e-9);
    }
    gpai_space_close(&a.s);
}

/* All rows but one, two values of every axis in turn: tests/culprit_reference.py
 * without. */
static const struct {
    bool tied;
    size_t row;
    double alpha, gain[2 * INPUTS];
} others[] = {
    {0,
     0,
     0,
     {3.671087326573e-05, -1.211137561717, -0.04342021701316, -2.426852139968,
      1.166434885007, 1.166434885007, 0.6312717768419, -1.021651247532,
      -8.881784197001e-16, -4.090993691762}},
    {0,
     17,
     0,
     {-0.04129863948041, -1.180711475287, -0.08590508244139, -2.385580364639,
      1.033015006182, 1.033015006182, 0.6312717768419, -1.021651247532, 0.1464596885044,
      -4.048077931807}},
    {0,
     39,
     0,
     {-0.002726975761517, -1.223943957269, -0.04183625523071, -2.420202748054,
      1.033015006182, 1.033015006182, 0.6729444732424, -1.272965675813, 0,
      -4.090993691762}},
    {1,
     0,
     0.9,
     {-6.487157006499, -4.922089131761, -8.42577969167, -10.37948277599,
      -0.3456049077859, -0.3456049077859, 3.601954343761, -24.73433233101,
      0.08902433328881, -3.907125313149}},
    {1,
     17,
     0.8,
     {-3.077026237038, -2.472318746074, -4.379308636065, -4.932873681773,
      -0.160394358371, -0.160394358371, 2.373604926017, -11.48940261535,
      -0.09948338127106, -3.609227963926}},
    {1,
     39,
     0.8,
     {-3.112415336042, -2.092558033065, -4.346055808404, -4.536152765367,
      0.03728022968609, 0.03728022968609, 2.356822629059, -11.36837871753,
      -0.009318763652953, -3.914838214376}},
};

static void tie(struct scene *a)
{
    for (size_t i = 0; i < ROWS; i++) {
        double *x = a->rows + i * INPUTS;
        x[1] = x[0] * x[0] + 0.05 * x[1];
        x[2] = x[0] > 0.5;
        x[3] = 4 + (x[1] > 1) + (x[1] > 3);
    }
}

static void test_without(void **state)
{
    static const double to[INPUTS][2] = {
        {-1.1, 3.4}, {-1.8, 5.7}, {0, 0}, {0, 2}, {0, 4}};
    (void)state;
    for (size_t c = 0; c < sizeof others / sizeof others[0]; c++) {
        struct scene a;
        gpai_crowd all, rest;
        double gain[2], move[2], score[2], own[2], plain[2], at[3];
        set_scene(&a);
        if (others[c].tied)
            tie(&a);
        assert_int_equal(gpai_crowd_open(&all, &a.s, a.unit, a.rows, ROWS, true, NULL),
                         GPA_OK);
        assert_int_equal(gpai_crowd_without(&rest, &all, &a.s, a.unit, a.rows, ROWS,
                                            others[c].row, NULL),
                         GPA_OK);
        assert_int_equal(rest.rows, ROWS - 1);
        assert_true(rest.alpha == others[c].alpha);
        for (size_t k = 0; k < INPUTS; k++) {
            for (size_t i = 0; i < 2; i++)
                move[i] = k == 2 || k == 3 ? to[k][i] : (to[k][i] - a.x[k]) / a.unit[k];
            judge_by(&a, &rest, k, move, 2, gain);
            for (size_t i = 0; i < 2; i++)
                assert_close(gain[i], others[c].gain[2 * k + i], 1e-9);
        }
        /* the marks say the same as their values */
        gpai_crowd_cells(&rest, 0, (gpai_strip){31, 9, 2}, at, move);
        gpai_crowd_cells_own(&rest, 0, (gpai_strip){31, 9, 2}, own);
        gpai_crowd_place(&rest, 0, move, 2, plain, score);
        for (size_t i = 0; i < 2; i++)
            assert_close(own[i], plain[i], 1e-9);
        gpai_crowd_close(&rest);
        gpai_crowd_close(&all);
        gpai_space_close(&a.s);
    }
}

/* A value that widens the kernels by itself, one of the fewest that say anything: the
 * others are looked at as if it had never been there. */
static void test_without_its_like(void **state)
{
    (void)state;
    for (int few = 0; few < 2; few++) {
        struct scene a;
        gpai_crowd all, rest, anew;
        static const double move[2] = {-1, 2};
        double with[2], without[2];
        set_scene(&a);
        size_t row = few ? 0 : 7;
        a.rows[7 * INPUTS] = few ? a.rows[7 * INPUTS] : 1e4;
        for (size_t i = 0; i < ROWS && few; i++)
            if (i % 5 > 0)
                a.rows[i * INPUTS + 1] = (double)NAN; /* 8 are left */
        assert_int_equal(gpai_crowd_open(&all, &a.s, a.unit, a.rows, ROWS, true, NULL),
                         GPA_OK);
        assert_int_equal(
            gpai_crowd_without(&rest, &all, &a.s, a.unit, a.rows, ROWS, row, NULL),
            GPA_OK);
        memmove(a.rows + row * INPUTS, a.rows + (row + 1) * INPUTS,
                (ROWS - 1 - row) * INPUTS * sizeof *a.rows);
        assert_int_equal(
            gpai_crowd_open(&anew, &a.s, a.unit, a.rows, ROWS - 1, true, NULL), GPA_OK);
        for (size_t k = 0; k < 2; k++) {
            judge_by(&a, &rest, k, move, 2, with);
            judge_by(&a, &anew, k, move, 2, without);
            assert_memory_equal(with, without, sizeof with);
        }
        gpai_crowd_close(&anew);
        gpai_crowd_close(&rest);
        gpai_crowd_close(&all);
        gpai_space_close(&a.s);
    }
}

/* A cell without a number, or with the code of a missing one, takes nothing but itself
 * out; a column with too few says nothing. */
static void test_holes(void **state)
{
    struct scene a;
    double with[2], without[2];
    static const double move[2] = {-1, 2};
    (void)state;
    set_scene(&a);
    for (size_t i = 0; i < ROWS; i++)
        if (i % 5 == 0)
            a.rows[i * INPUTS] = i % 10 == 0 ? (double)NAN : HUGE_VAL;
    judge(&a, true, 0, move, 2, with);
    a.in[0].missing = -999;
    for (size_t i = 0; i < ROWS; i++)
        if (i % 5 == 0)
            a.rows[i * INPUTS] = -999;
    judge(&a, true, 0, move, 2, without);
    assert_memory_equal(with, without, sizeof with);
    for (size_t i = 0; i < ROWS; i++)
        a.rows[i * INPUTS] = i < 7 ? 1 : -999;
    judge(&a, true, 0, move, 2, without);
    assert_close(without[0], 0, 1e-12);
    assert_close(without[1], 0, 1e-12);
    gpai_space_close(&a.s);
}

/* Levels of a missing choice are as plausible as all other values make them: their
 * chances add up to 1 in the density of one axis for itself. */
static void test_missing(void **state)
{
    struct scene a;
    static const double code[3] = {0, 1, 2};
    double gain[3];
    (void)state;
    set_scene(&a);
    gpai_space_close(&a.s);
    a.x[3] = (double)NAN;
    assert_int_equal(gpai_space_open(&a.s, &a.p, &a.limits, NULL), GPA_OK);
    assert_true(a.s.axis[4].gap && a.s.axis[4].input == 3);
    judge(&a, false, 4, code, 3, gain);
    assert_close(gain[0] - gain[1], log(24.5 / 12.5), 1e-12);
    assert_close(gain[2] - gain[1], log(4.5 / 12.5), 1e-12);
    gpai_space_close(&a.s);
}

static void test_out_of_memory(void **state)
{
    struct scene a;
    (void)state;
    set_scene(&a);
    gpai_space_close(&a.s);
    a.x[3] = (double)NAN;
    assert_int_equal(gpai_space_open(&a.s, &a.p, &a.limits, NULL), GPA_OK);
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        for (size_t k = 1; st != GPA_OK; k++) {
            gpai_crowd crowd;
            gpai_plausible q = {0};
            gpa_error err = {GPA_OK, ""};
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpai_crowd_open(&crowd, &a.s, a.unit, a.rows, ROWS, true, &err);
            if (st == GPA_OK)
                st = gpai_plausible_open(&q, &crowd, &a.p, &a.s, NULL, &err);
            bool reached = gpai_alloc_count() >= k;
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, reached ? GPA_NOMEM : GPA_OK);
            assert_int_equal(err.status, st);
            gpai_plausible_close(&q);
            gpai_crowd_close(&crowd);
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
        cmocka_unit_test(test_rows_not_known),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_about),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_each_for_itself),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_without),
        cmocka_unit_test(test_without_its_like),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
