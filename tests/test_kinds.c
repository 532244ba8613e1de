/* Kinds of inputs: tricky columns and what a person would take them for, with and
 * without a spoilt row; kinds and levels as said; the line that tells them. */
#include "base/text/input.h"
#include "data/dates.h"
#include "data/levels.h"
#include "data/table.h"
#include "data_support.h"
#include "study/kinds.h"

enum { ROWS = 300, SPOILT = 17, MOST = 32 };

/* ---- random numbers, the same everywhere ---- */

struct dice {
    uint64_t state;
};

static double uniform(struct dice *r)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(r->state >> 11) * 0x1p-53;
}

static long between(struct dice *r, long from, long to)
{
    return from + (long)(uniform(r) * (double)(to - from + 1));
}

static double normal(struct dice *r)
{
    double radius = sqrt(-2 * log(1 - uniform(r)));
    return radius * cos(6.283185307179586 * uniform(r));
}

static long poisson(struct dice *r, double mean)
{
    double p = exp(-mean), u = uniform(r) - p;
    long k = 0;
    for (; u >= 0 && k < 1000; u -= p)
        p *= mean / (double)++k;
    return k;
}

/* ---- a table as the inference sees it ---- */

struct seen {
    gpa_table *t;
    size_t d, n;
    gpai_kind_column column[MOST];
    const char *name[MOST];
    gpai_levels levels[MOST];
    gpai_dates dates[MOST];
    gpai_known_kinds k;
};

static void see_column(struct seen *s, size_t k)
{
    static const char *const words[2] = {"false", "true"};
    gpai_kind_column *c = &s->column[k];
    gpa_error err = {GPA_OK, ""};
    *c = (gpai_kind_column){.name = gpa_table_name(s->t, k), .stride = 1};
    s->name[k] = c->name;
    if (gpa_table_is_numeric(s->t, k) && !gpai_table_padded(s->t, k)) {
        c->value = gpa_table_numbers(s->t, k, &err);
        c->boolean = gpai_table_booleans(s->t, k) != NULL;
        c->level_name = words;
        c->levels = c->boolean ? 2 : 0;
        return;
    }
    assert_int_equal(gpai_dates_open(&s->dates[k], s->t, k, NULL, 0, &err), GPA_OK);
    c->writing = s->dates[k].writing;
    c->value = s->dates[k].value;
    if (c->value != NULL)
        return;
    assert_int_equal(gpai_levels_open(&s->levels[k], s->t, k, NULL, 0, NULL, 0, &err),
                     GPA_OK);
    c->writing = GPA_WRITING_LEVEL;
    c->value = s->levels[k].code;
    c->level_name = (const char *const *)s->levels[k].name;
    c->levels = s->levels[k].n;
}

static struct seen *see(gpa_table *t)
{
    struct seen *s = calloc(1, sizeof *s);
    gpa_error err = {GPA_OK, ""};
    s->t = t;
    s->d = gpa_table_columns(t);
    s->n = gpa_table_rows(t);
    assert_true(s->d <= MOST);
    for (size_t k = 0; k < s->d; k++)
        see_column(s, k);
    assert_int_equal(gpai_kinds_infer(&s->k, s->column, s->d, s->n, &err), GPA_OK);
    return s;
}

static void unsee(struct seen *s)
{
    gpai_kinds_close(&s->k);
    for (size_t k = 0; k < s->d; k++) {
        gpai_levels_close(&s->levels[k]);
        gpai_dates_close(&s->dates[k]);
    }
    gpa_table_free(s->t);
    free(s);
}

/* What an input was taken as, in short. */
static void describe(const struct seen *s, size_t i, char out[160])
{
    const gpa_input *in = &s->k.input[i];
    char a[GPAI_INPUT_ROOM], b[GPAI_INPUT_ROOM];
    size_t rare = 0;
    for (size_t l = 0; in->rare != NULL && l < in->levels; l++)
        rare += in->rare[l];
    if (in->group > 0)
        sprintf(out, "%s: %s%s", in->name, in->label, in->dropped ? " (dropped)" : "");
    else if (in->kind == GPA_KIND_HELD)
        sprintf(out, "held: %s", s->k.reason[i]);
    else if (in->kind == GPA_KIND_FLAG)
        sprintf(out, "flag %s/%s", gpai_input_text(in, in->level[0], a),
                gpai_input_text(in, in->level[1], b));
    else if (in->kind == GPA_KIND_CHOICE)
        sprintf(out, "choice %zu, %zu rare", in->levels, rare);
    else if (in->kind == GPA_KIND_WHOLE)
        sprintf(out, "whole %g..%g", in->low, in->high);
    else if (in->writing != GPA_WRITING_NUMBER)
        sprintf(out, in->writing == GPA_WRITING_DATE ? "date" : "time");
    else
        sprintf(out, "number%s%s%s", in->low == 0 ? " >= 0" : "",
                in->high == 100 ? " <= 100" : "", in->whole ? " whole" : "");
    if (!isnan(in->missing))
        sprintf(out + strlen(out), " missing %g", in->missing);
}

/* ---- the tricky columns ---- */

typedef void (*cells)(struct dice *r, size_t row, char *out);

static const char *const REGIONS[] = {"north", "south", "east", "west"};

#define CELL(name, ...)                                                                \
    static void name(struct dice *r, size_t row, char *out)                            \
    {                                                                                  \
        (void)r;                                                                       \
        (void)row;                                                                     \
        sprintf(out, __VA_ARGS__);                                                     \
    }
CELL(years, "%ld", between(r, 1970, 1982))
CELL(long_years, "%ld", between(r, 1900, 2020))
CELL(zips, "%ld", between(r, 10000, 99999))
CELL(padded, "%05ld", 127 * between(r, 1, 40))
CELL(row_numbers, "%zu", row)
CELL(ratings, "%ld", between(r, 1, 5))
CELL(zero_one, "%ld", between(r, 0, 1))
CELL(percent, "%.1f", fmin(100, -40 * log(1 - uniform(r))))
CELL(share, "%.3f", uniform(r))
CELL(coded_age, "%ld", uniform(r) < 0.08 ? -1 : between(r, 18, 90))
CELL(coded_price, "%.2f", uniform(r) < 0.08 ? -1 : 2 - 40 * log(1 - uniform(r)))
CELL(scale, "%ld", between(r, -1, 2))
CELL(coded_counts, "%ld", uniform(r) < 0.08 ? -1 : between(r, 0, 6))
CELL(one_two, "%ld.0", between(r, 1, 2))
CELL(booleans, "%s", uniform(r) < 0.5 ? "True" : "False")
CELL(dates, "20%02ld-%ld-%02ld", between(r, 20, 23), between(r, 1, 12),
     between(r, 1, 28))
CELL(ids, "id%zu", row)
CELL(text, "%s", REGIONS[between(r, 0, 3)])
CELL(yes_no, "%s", uniform(r) < 0.3 ? "yes" : "no")
CELL(number_text, "\"%.2f\"", normal(r))
CELL(constant, "4")
CELL(cylinders, "%c", "34568"[between(r, 0, 4)])
CELL(grid, "%s", uniform(r) < 0.3 ? ".1" : uniform(r) < 0.5 ? ".25" : ".4")
CELL(money, "%ld", (long[]){10, 20, 50, 100, 200}[between(r, 0, 4)])
CELL(tenths, "%.1f", normal(r))
CELL(halves, "%.1f", 0.5 * round(2 * normal(r)))
CELL(rounded, "%.0f", 3 * normal(r))
CELL(counts, "%ld", poisson(r, 3))
CELL(far_values, "%s", uniform(r) < 0.5 ? "3.5" : "7")
CELL(inflated, "%.2f", uniform(r) < 0.6 ? 0 : -50 * log(1 - uniform(r)))
CELL(names, "name%ld", between(r, 1, 380))
CELL(cities, "city%ld", between(r, 1, 8) * between(r, 1, 8))
CELL(few, "%s", row < 5 ? (const char *[]){"1.5", "-2", "0", "7", "3.25"}[row] : "")

/* Several columns of one draw. */
static void one_hot(struct dice *r, char *out, long levels, long columns)
{
    long is = between(r, 0, levels - 1);
    out[0] = '\0';
    for (long k = 0; k < columns; k++)
        sprintf(out + strlen(out), "%s%d", k > 0 ? "," : "", k == is);
}

static void full(struct dice *r, size_t row, char *out)
{
    (void)row;
    one_hot(r, out, 4, 4);
}

static void dropped(struct dice *r, size_t row, char *out)
{
    (void)row;
    one_hot(r, out, 4, 3);
}

static void exclusive(struct dice *r, size_t row, char *out)
{
    (void)row;
    one_hot(r, out, 5, 2);
}

static void rare_pair(struct dice *r, size_t row, char *out)
{
    (void)row;
    one_hot(r, out, 60, 2);
}

struct tricky {
    const char *header;
    cells make;
    size_t n;
    const char *want[4];
    const char *spoilt[5]; /* cells of row SPOILT; "cell => what becomes of it" */
};

static const struct tricky TRICKY[] = {
    {"chance", ratings, 20, {"number"}, {NULL}},
    {"years", years, ROWS, {"whole 1970..1982"}, {"197", "19700", "1975.5"}},
    {"long_years", long_years, ROWS, {"number >= 0 whole"}, {"-1", "1999.5"}},
    {"zip", zips, ROWS, {"number >= 0 whole"}, {"-13"}},
    {"padded", padded, ROWS, {"choice 40, 0 rare"}, {"00127"}},
    {"row", row_numbers, ROWS, {"held: row numbers"}, {"99999", "-3", "450"}},
    {"rating", ratings, ROWS, {"whole 1..5"}, {"50", "2.5", "-13", "1e9"}},
    {"flag", zero_one, ROWS, {"flag 0/1"}, {"30", "0.5", "2", "-1", "10"}},
    {"percent", percent, ROWS, {"number >= 0 <= 100"}, {"1000", "-13"}},
    {"share", share, ROWS, {"number >= 0"}, {"37", "-13"}},
    {"age", coded_age, ROWS, {"number >= 0 whole missing -1"}, {"-13", "0", "1e4"}},
    {"price", coded_price, ROWS, {"number >= 0 missing -1"}, {"-13"}},
    {"scale", scale, ROWS, {"whole -1..2"}, {"20", "-99", "0.5"}},
    {"coded", coded_counts, ROWS, {"whole -1..6"}, {"60", "2.5"}},
    {"sex", one_two, ROWS, {"flag 1/2"}, {"12", "0", "3"}},
    {"bool", booleans, ROWS, {"flag false/true"}, {"False"}},
    {"pool,lift", exclusive, ROWS, {"flag 0/1", "flag 0/1"}, {"1,1", "30,0"}},
    {"has_pool,has_lift", rare_pair, ROWS, {"flag 0/1", "flag 0/1"}, {"0,30"}},
    {"region_north,region_south,region_east,region_west",
     full,
     ROWS,
     {"region: north", "region: south", "region: east", "region: west"},
     {"1,1,0,0", "0,0,0,0", "30,0,0,0", "0,0,,1"}},
    {"r=north,r=south,r=east",
     dropped,
     ROWS,
     {"r: north (dropped)", "r: south (dropped)", "r: east (dropped)"},
     {"1,0,1", "1,1,1", "0,0,7"}},
    {"north,south,east,west",
     full,
     ROWS,
     {"north/south/\xe2\x80\xa6: north", "north/south/\xe2\x80\xa6: south",
      "north/south/\xe2\x80\xa6: east", "north/south/\xe2\x80\xa6: west"},
     {"1,1,0,0", "0,0,0,0"}},
    {"date", dates, ROWS, {"date"}, {"soon", "2024-02-30"}},
    {"id", ids, ROWS, {"held: 300 of 300 texts distinct"}, {NULL}},
    {"text", text, ROWS, {"choice 4, 0 rare"}, {"nroth => choice 5, 0 rare"}},
    {"smoker", yes_no, ROWS, {"flag no/yes"}, {"maybe => choice 3, 0 rare"}},
    {"number text", number_text, ROWS, {"number"}, {"1e6"}},
    {"constant", constant, ROWS, {"held: one value"}, {"5 => whole 4..5"}},
    {"cylinders", cylinders, ROWS, {"whole 3..8"}, {"80", "-4", "4.5"}},
    {"grid", grid, ROWS, {"number >= 0"}, {"-13", "40"}},
    {"money", money, ROWS, {"number >= 0 whole"}, {"-13", "12.5"}},
    {"tenths", tenths, ROWS, {"number"}, {"1000"}},
    {"halves", halves, ROWS, {"number"}, {"1000"}},
    {"rounded", rounded, ROWS, {"whole -10..6"}, {"90", "-500", "0.5"}},
    {"counts", counts, ROWS, {"whole 0..9"}, {"500", "2.5", "-13", "30", "1e300"}},
    {"far", far_values, ROWS, {"flag 3.5/7"}, {"70", "5"}},
    {"inflated", inflated, ROWS, {"number >= 0"}, {"-0.5"}},
    {"names", names, ROWS, {"held: 207 of 300 texts distinct"}, {NULL}},
    {"cities", cities, ROWS, {"choice 30, 0 rare"}, {NULL}},
    {"few", few, ROWS, {"number"}, {NULL}},
};

static gpa_table *make(const struct tricky *c, size_t rows, const char *spoilt)
{
    struct dice r = {1};
    char *csv = malloc(rows * 64 + 256);
    size_t used = (size_t)sprintf(csv, "%s,y\n", c->header);
    for (size_t row = 0; row < rows; row++) {
        char cell[64];
        c->make(&r, row, cell);
        used += (size_t)sprintf(csv + used, "%s,1\n",
                                spoilt != NULL && row == SPOILT ? spoilt : cell);
    }
    gpa_table *t = parse_ok(csv, used, c->header, NULL);
    free(csv);
    return t;
}

static void check_tricky(const struct tricky *c, const char *spoilt, const char *want)
{
    struct seen *s = see(make(c, c->n, spoilt));
    for (size_t k = 0; k + 1 < s->d; k++) {
        char got[160];
        describe(s, k, got);
        const char *wanted = want != NULL ? want : c->want[k];
        if (strcmp(got, wanted) != 0)
            print_error("%s (%s): %s, not %s\n", c->header,
                        spoilt != NULL ? spoilt : "as it is", got, wanted);
        assert_string_equal(got, wanted);
    }
    unsee(s);
}

static void test_tricky(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TRICKY / sizeof TRICKY[0]; i++)
        check_tricky(&TRICKY[i], NULL, NULL);
}

static void test_spoilt(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TRICKY / sizeof TRICKY[0]; i++)
        for (size_t j = 0; j < 5 && TRICKY[i].spoilt[j] != NULL; j++) {
            char cell[64];
            strcpy(cell, TRICKY[i].spoilt[j]);
            char *other = strstr(cell, " => ");
            if (other != NULL)
                *other = '\0';
            check_tricky(&TRICKY[i], cell, other != NULL ? other + 4 : NULL);
        }
}

/* What is rare by nature is no mistake; in few rows nothing is. */
CELL(rare_counts, "%d", row < 272 ? 0 : row < 299 ? 1 : 2)
CELL(long_tail, "%d", row < 150 ? 1 : row < 220 ? 2 : row < 290 ? 3 : row < 299 ? 5 : 9)
CELL(low_tail, "%.3f", row == 299 ? -0.1 : 0.05 + 0.018 * (double)row)
CELL(eight, "%zu", row % 2)
CELL(eight_and, "%zu", row == 7 ? 30 : row % 2)
CELL(twelve, "%zu", row % 3)

static void test_natural(void **state)
{
    static const struct tricky CASES[] = {
        {"counts", rare_counts, ROWS, {"whole 0..2"}, {NULL}},
        {"tail", long_tail, ROWS, {"whole 1..9"}, {NULL}},
        {"low", low_tail, ROWS, {"number"}, {NULL}},
        {"eight", eight, 8, {"flag 0/1"}, {NULL}},
        {"seven", eight, 7, {"number"}, {NULL}},
        {"eight and", eight_and, 8, {"number >= 0"}, {NULL}},
        {"twelve", twelve, 12, {"number >= 0"}, {NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        check_tricky(&CASES[i], NULL, NULL);
}

/* Very many rows: as many may be spoilt as one in 200, and no more. */
static void test_tolerance(void **state)
{
    enum { N = 4000 };
    double *x = malloc(N * sizeof *x);
    gpai_kind_column c = {.name = "x", .value = x, .stride = 1};
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t spoilt = 19; spoilt < 23; spoilt++) {
        gpai_known_kinds k;
        for (size_t i = 0; i < N; i++)
            x[i] = i < spoilt ? 1000.5 + (double)i : (double)(i % 7);
        assert_int_equal(gpai_kinds_infer(&k, &c, 1, N, &err), GPA_OK);
        assert_int_equal(k.input[0].kind,
                         spoilt <= 20 ? GPA_KIND_WHOLE : GPA_KIND_NUMBER);
        gpai_kinds_close(&k);
    }
    free(x);
}

/* A step between the rows makes no difference. */
static void test_stride(void **state)
{
    static const gpa_kind want[] = {GPA_KIND_NUMBER, GPA_KIND_WHOLE, GPA_KIND_FLAG,
                                    GPA_KIND_HELD};
    struct dice r = {3};
    double *x = malloc(4 * 2000 * sizeof *x), *y = malloc(4 * 2000 * sizeof *y);
    gpai_kind_column a[4], b[4];
    gpai_known_kinds k, l;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t i = 0; i < 2000; i++) {
        double row[4] = {normal(&r), (double)poisson(&r, 2), (double)between(&r, 0, 1),
                         (double)i};
        for (size_t j = 0; j < 4; j++)
            x[4 * i + j] = y[2000 * j + i] = row[j];
    }
    for (size_t j = 0; j < 4; j++) {
        a[j] = (gpai_kind_column){.name = "a", .value = x + j, .stride = 4};
        b[j] = (gpai_kind_column){.name = "b", .value = y + 2000 * j, .stride = 0};
    }
    assert_int_equal(gpai_kinds_infer(&k, a, 4, 2000, &err), GPA_OK);
    assert_int_equal(gpai_kinds_infer(&l, b, 4, 2000, &err), GPA_OK);
    for (size_t j = 0; j < 4; j++) {
        assert_int_equal(k.input[j].kind, want[j]);
        assert_int_equal(k.input[j].kind, l.input[j].kind);
        assert_string_equal(k.reason[j], l.reason[j]);
    }
    gpai_kinds_close(&k);
    gpai_kinds_close(&l);
    free(x);
    free(y);
}

/* Texts in memory may be empty, or say nan; an order of the rows is no order of levels.
 */
static void test_texts(void **state)
{
    static const char *const five[] = {"a, b", "\xf0\x9f\x98\x80", "", "nan", "x\"y"};
    static const char *const sorted[] = {"", "a, b", "nan", "x\"y", "\xf0\x9f\x98\x80"};
    const char *texts[ROWS], *back[ROWS];
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        texts[i] = i == 9 ? NULL : five[i * i * 7 % 31 % 5];
        back[ROWS - 1 - i] = texts[i];
    }
    const gpa_column columns[] = {{"a", NULL, 0, texts}, {"b", NULL, 0, back}};
    assert_int_equal(gpa_table_from_columns(&t, ROWS, columns, 2, "t", &err), GPA_OK);
    struct seen *s = see(t);
    for (size_t k = 0; k < 2; k++) {
        char got[160];
        describe(s, k, got);
        assert_string_equal(got, "choice 5, 0 rare");
        for (size_t l = 0; l < 5; l++)
            assert_string_equal(s->k.input[k].level_name[l], sorted[l]);
    }
    unsee(s);
}

/* Of 90 levels the 64 most frequent are proposed, whatever their order; between equals
 * those that come first. */
static void test_many_known(void **state)
{
    enum { N = 40 };
    double code[N];
    char room[N][8];
    const char *names[N];
    gpa_error err = {0};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        snprintf(room[i], sizeof room[i], "id%zu", i);
        names[i] = room[i];
        code[i] = (double)i;
    }
    for (int text = 0; text < 2; text++)
        for (int known = 0; known < 2; known++) {
            gpai_kind_column c = {.name = "c", .value = code, .known = known};
            gpai_known_kinds k;
            if (text) {
                c.writing = GPA_WRITING_LEVEL;
                c.level_name = names;
                c.levels = N;
            }
            assert_int_equal(gpai_kinds_infer(&k, &c, 1, N, &err), GPA_OK);
            assert_int_equal(k.input[0].kind == GPA_KIND_HELD, !known);
            gpai_kinds_close(&k);
        }
}

static void test_many_levels(void **state)
{
    char name[90][8];
    const char *names[90];
    double x[1000];
    gpai_known_kinds k;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t turn = 0; turn < 2; turn++) {
        size_t rare = 0;
        for (size_t l = 0; l < 90; l++) {
            sprintf(name[l], "c%02zu", turn == 0 ? l : 89 - l);
            names[l] = name[l];
        }
        for (size_t i = 0; i < 1000; i++) {
            size_t level = i < 90 ? i : i % 60;
            x[i] = (double)(turn == 0 ? level : 89 - level);
        }
        gpai_kind_column c = {.name = "city",
                              .value = x,
                              .writing = GPA_WRITING_LEVEL,
                              .level_name = names,
                              .levels = 90};
        assert_int_equal(gpai_kinds_infer(&k, &c, 1, 1000, &err), GPA_OK);
        assert_int_equal(k.input[0].kind, GPA_KIND_CHOICE);
        assert_int_equal(k.input[0].levels, 90);
        for (size_t l = 0; l < 90; l++) {
            bool late = strcmp(k.input[0].level_name[l], "c63") > 0;
            assert_int_equal(k.input[0].rare[l], late);
            rare += k.input[0].rare[l];
        }
        assert_int_equal(rare, 26);
        gpai_kinds_close(&k);
    }
}

/* A level of the dictionary that these rows do not have is not proposed. */
static void test_unseen_level(void **state)
{
    static const char *const names[] = {"no", "yes", "maybe"};
    double x[40];
    gpai_kind_column c = {.name = "a",
                          .value = x,
                          .writing = GPA_WRITING_LEVEL,
                          .level_name = names,
                          .levels = 3};
    gpai_known_kinds k;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t i = 0; i < 40; i++)
        x[i] = (double)(i % 2);
    assert_int_equal(gpai_kinds_infer(&k, &c, 1, 40, &err), GPA_OK);
    assert_int_equal(k.input[0].kind, GPA_KIND_CHOICE);
    assert_true(k.input[0].rare[2] && !k.input[0].rare[0] && !k.input[0].rare[1]);
    gpai_kinds_close(&k);
}

/* ---- groups ---- */

static void test_group_names(void **state)
{
    static const struct {
        const char *header, *name, *label[3];
    } CASES[] = {
        {"region[T.north],region[T.south],region[T.east]",
         "region",
         {"north", "south", "east"}},
        {"size of shirt_S,size of shirt_M,size of shirt_L",
         "size of shirt",
         {"S", "M", "L"}},
        {"job admin,job other work,job none", "job", {"admin", "other work", "none"}},
        {"area_north_west,area_north_east,area_south",
         "area",
         {"north_west", "north_east", "south"}},
        {"dose_0.5,dose_1.0,dose_1.5", "dose", {"0.5", "1.0", "1.5"}},
        {"cat__r_a,cat__r_b,cat__r_c", "cat__r", {"a", "b", "c"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct tricky c = {.header = CASES[i].header, .make = dropped, .n = ROWS};
        struct seen *s = see(make(&c, ROWS, NULL));
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(s->k.input[k].group, 1);
            assert_true(s->k.input[k].dropped);
            assert_string_equal(s->k.input[k].name, CASES[i].name);
            assert_string_equal(s->k.input[k].label, CASES[i].label[k]);
            assert_int_equal(s->k.input[k].levels, 0);
        }
        unsee(s);
    }
}

/* Two groups side by side, a rare flag beside a group, columns of another sort between.
 */
static void side_by_side(struct dice *r, size_t row, char *out)
{
    char a[16], b[16];
    one_hot(r, a, 3, 3);
    one_hot(r, b, 2, 2);
    sprintf(out, "%s,%s,%d,%.3f", a, b, row % 97 == 3, normal(r));
}

static void full_and(struct dice *r, size_t row, char *out)
{
    full(r, row, out);
    sprintf(out + strlen(out), ",%.3f", normal(r));
}

static void test_groups_apart(void **state)
{
    static const size_t want[] = {1, 1, 1, 2, 2, 0, 0, 0};
    struct tricky c = {.header = "a,b,c,d,e,rare,x", .make = side_by_side};
    (void)state;
    for (size_t n = 300; n <= 2400; n *= 2) { /* of 2400 rows 12 may break a rule */
        struct seen *s = see(make(&c, n, NULL));
        for (size_t k = 0; k < 8; k++)
            assert_int_equal(s->k.input[k].group, want[k]);
        assert_string_equal(s->k.input[3].name, "d/e");
        assert_int_equal(s->k.input[5].kind, GPA_KIND_FLAG);
        unsee(s);
    }
}

/* ---- as said ---- */

static void assert_said(struct seen *s, size_t i, gpa_kind kind, const char *want)
{
    gpa_error err = {GPA_OK, ""};
    char got[160];
    gpa_status st = gpai_kinds_set(&s->k, i, kind, &s->column[i], s->n, &err);
    if (st != GPA_OK) {
        assert_int_equal(st, GPA_INVALID);
        assert_string_equal(err.message, want);
        return;
    }
    describe(s, i, got);
    assert_string_equal(got, want);
    assert_int_equal(s->k.input[i].kind, kind);
    assert_false(s->k.input[i].inferred);
}

static void said(struct dice *r, size_t row, char *out)
{
    char a[16];
    one_hot(r, a, 3, 3);
    sprintf(out, "%ld,%s,%ld,%ld,%s", between(r, 0, 5), REGIONS[between(r, 0, 3)],
            between(r, 18, 90), row % 3 == 0 ? between(r, 1, 2) : 1, a);
}

static struct seen *see_said(void)
{
    struct tricky c = {.header = "n,region,age,sex,g_a,g_b,g_c", .make = said};
    return see(make(&c, ROWS, NULL));
}

static void test_set(void **state)
{
    struct seen *s = see_said();
    (void)state;
    assert_said(s, 0, GPA_KIND_CHOICE, "choice 6, 0 rare");
    assert_said(s, 0, GPA_KIND_NUMBER, "number");
    assert_said(s, 0, GPA_KIND_WHOLE, "whole 0..5");
    assert_said(s, 0, GPA_KIND_HELD, "held: as said");
    assert_said(s, 0, GPA_KIND_FLAG,
                "--kind n=flag: it has 6 values, and a flag has two");
    assert_said(s, 1, GPA_KIND_NUMBER,
                "--kind region=number: it is text: a choice, or held");
    assert_said(s, 1, GPA_KIND_FLAG, "--kind region=flag: its texts are not two");
    assert_said(s, 1, GPA_KIND_HELD, "held: as said");
    assert_string_equal(s->k.input[1].level_name[0], "east"); /* still to be written */
    assert_said(s, 1, GPA_KIND_CHOICE, "choice 4, 0 rare");
    assert_said(s, 2, GPA_KIND_CHOICE, "choice 64, 0 rare");
    assert_said(s, 2, GPA_KIND_WHOLE, "whole 18..90");
    assert_said(s, 3, GPA_KIND_FLAG, "flag 1/2");
    assert_said(s, 7, GPA_KIND_CHOICE,
                "--kind y=choice: it has 1 value, and a choice needs two");
    assert_said(s, 7, GPA_KIND_WHOLE, "--kind y=whole: it has not two whole numbers");
    assert_int_equal(s->k.input[4].group, 1);
    assert_said(s, 4, GPA_KIND_NUMBER, "number");
    assert_int_equal(s->k.input[4].group, 0);
    assert_true(s->k.input[5].group == 1 && s->k.input[5].dropped);
    assert_said(s, 5, GPA_KIND_NUMBER, "number");
    char got[160];
    describe(s, 6, got);
    assert_string_equal(got, "flag 0/1");
    gpai_kinds_all_numbers(&s->k);
    for (size_t k = 0; k < s->d; k++)
        assert_int_equal(s->k.input[k].kind,
                         k == 1 ? GPA_KIND_CHOICE : GPA_KIND_NUMBER);
    unsee(s);
}

static gpa_status name_levels(struct seen *s, size_t i, const char *names,
                              gpa_error *err)
{
    char copy[64], *part[8] = {copy};
    size_t n = 1;
    strcpy(copy, names);
    for (char *p = copy; *p != '\0'; p++)
        if (*p == ',') {
            *p = '\0';
            part[n++] = p + 1;
        }
    return gpai_kinds_levels(&s->k, i, (const char *const *)part, n, &s->column[i],
                             s->n, err);
}

/* A group is one input: a column that may not move holds the others, one with limits of
 * its own leaves. */
static void test_groups_held(void **state)
{
    struct tricky c = {.header = "r_a,r_b,r_c,r_d,x", .make = full_and, .n = ROWS};
    char got[160];
    (void)state;
    for (size_t column = 0; column < 4; column++) {
        struct seen *s = see(make(&c, ROWS, NULL));
        gpai_kinds_hold(&s->k, column);
        for (size_t k = 0; k < 4; k++) {
            describe(s, k, got);
            assert_string_equal(got, "held: as said");
            assert_true(s->k.input[k].group == 0 && s->k.input[k].name == NULL);
        }
        assert_int_equal(s->k.input[4].kind, GPA_KIND_NUMBER);
        unsee(s);
        s = see(make(&c, ROWS, NULL));
        gpai_kinds_limit(&s->k, column, GPA_KIND_NUMBER, 0, (double)NAN);
        for (size_t k = 0; k < 4; k++) {
            const gpa_input *in = &s->k.input[k];
            assert_int_equal(in->group, k == column ? 0 : 1);
            assert_int_equal(in->dropped, k != column);
        }
        describe(s, column, got);
        assert_string_equal(got, "number >= 0");
        unsee(s);
    }
}

static void test_levels(void **state)
{
    struct seen *s = see_said();
    gpa_error err = {GPA_OK, ""};
    char room[GPAI_INPUT_ROOM], got[160];
    (void)state;
    assert_int_equal(name_levels(s, 0, "a,b,c,d,e,f,g", &err),
                     GPA_OK); /* codes 0 to 6 */
    describe(s, 0, got);
    assert_string_equal(got, "choice 7, 1 rare");
    assert_string_equal(gpai_input_text(&s->k.input[0], 5, room), "f");
    assert_int_equal(s->k.input[0].writing, GPA_WRITING_NUMBER);
    assert_int_equal(name_levels(s, 3, "m,f", &err),
                     GPA_OK); /* two values, ascending */
    describe(s, 3, got);
    assert_string_equal(got, "flag m/f");
    assert_string_equal(gpai_input_text(&s->k.input[3], 2, room), "f");
    assert_int_equal(name_levels(s, 0, "a,b,c", &err), GPA_INVALID);
    assert_string_equal(err.message,
                        "--levels n: 3 names for 6 different values, which "
                        "are not the codes 0 to 2 either");
    assert_int_equal(name_levels(s, 0, "a", &err), GPA_INVALID);
    assert_string_equal(err.message, "--levels n: two names at least");
    assert_int_equal(name_levels(s, 0, "a,b,c,d,e,a", &err), GPA_INVALID);
    assert_string_equal(err.message, "--levels n: 'a' is given twice");
    assert_int_equal(name_levels(s, 4, "no,yes", &err), GPA_OK);
    describe(s, 4, got);
    assert_string_equal(got, "flag no/yes");
    assert_int_equal(s->k.input[4].group, 0);
    assert_int_equal(name_levels(s, 1, "north,south,east,west", &err), GPA_OK);
    describe(s, 1, got);
    assert_string_equal(got, "choice 4, 0 rare");
    unsee(s);
}

/* ---- the line ---- */

static void all_sorts(struct dice *r, size_t row, char *out)
{
    char a[16];
    one_hot(r, a, 4, 3);
    sprintf(out, "%ld,%ld,%s,%ld,%s,%ld,%.1f,%.1f,%zu,2024-01-%02zu,%s,%ld,7",
            between(r, 0, 1), between(r, 0, 1), uniform(r) < 0.4 ? "no" : "yes",
            between(r, 0, 5), REGIONS[between(r, 0, 3)], between(r, 18, 90),
            30 + 5 * normal(r), normal(r), row, 1 + row % 28, a,
            uniform(r) < 0.1 ? -999 : between(r, 900, 1100));
}

static void test_line(void **state)
{
    struct tricky c = {.header = "sex,car,smoker,children,region,age,bmi,z,row,day,"
                                 "g_a,g_b,g_c,pressure,same",
                       .make = all_sorts};
    struct seen *s = see(make(&c, ROWS, NULL));
    char line[400];
    gpa_error err = {GPA_OK, ""};
    (void)state;
    assert_int_equal(gpai_kinds_line(&s->k, s->name, line, sizeof line, &err), GPA_OK);
    assert_string_equal(
        line, "taken as: sex, car 0/1; smoker no/yes; children whole numbers 0-5; "
              "region, g one of 4; age, bmi, pressure numbers from 0; z numbers; day "
              "dates; row held: row numbers; same, y held: one value; -999 taken as "
              "missing in pressure");
    unsee(s);
}

/* Hundreds of inputs are counted; whatever they are, the line is not cut in the midst
 * of something. */
static void test_long_line(void **state)
{
    enum { D = 700, N = 60 };
    double *x = malloc(D * N * sizeof *x);
    gpai_kind_column *c = calloc(D, sizeof *c);
    const char **names = calloc(D, sizeof *names);
    char(*name)[40] = calloc(D, sizeof *name), line[512];
    struct dice r = {7};
    gpai_known_kinds k;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t j = 0; j < D; j++) {
        for (size_t i = 0; i < N; i++)
            x[j * N + i] = j < 300   ? normal(&r)
                           : j < 500 ? (double)between(&r, 0, 1)
                                     : 1000 * (double)j + (double)between(&r, 0, 5);
        sprintf(name[j], "an input with a rather long name %zu", j);
        names[j] = name[j];
        c[j] = (gpai_kind_column){.name = name[j], .value = x + j * N, .stride = 1};
    }
    assert_int_equal(gpai_kinds_infer(&k, c, D, N, &err), GPA_OK);
    for (size_t size = 256; size <= sizeof line; size += 16) {
        assert_int_equal(gpai_kinds_line(&k, names, line, size, &err), GPA_OK);
        assert_true(strlen(line) < size);
        assert_memory_equal(line, "taken as: an input", 18);
        assert_string_equal(line + strlen(line) - 5, " more");
        assert_non_null(strstr(line, " more 0/1"));
    }
    gpai_kinds_close(&k);
    free(name);
    free(names);
    free(c);
    free(x);
}

/* ---- nothing there, no memory ---- */

static void test_nothing(void **state)
{
    double x[3] = {(double)NAN, (double)INFINITY, (double)NAN};
    gpai_kind_column c = {.name = "x", .value = x, .stride = 1};
    gpai_known_kinds k;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    assert_int_equal(gpai_kinds_infer(&k, &c, 1, 3, &err), GPA_OK);
    assert_int_equal(k.input[0].kind, GPA_KIND_HELD);
    assert_string_equal(k.reason[0], "no values");
    gpai_kinds_close(&k);
    assert_int_equal(gpai_kinds_infer(&k, &c, 1, 0, &err), GPA_OK);
    assert_int_equal(k.input[0].kind, GPA_KIND_HELD);
    gpai_kinds_close(&k);
}

static gpa_status everything(void *ctx, gpa_error *err)
{
    const struct seen *s = ctx;
    static const char *const two[] = {"a", "b"};
    char line[256];
    gpai_known_kinds k;
    gpa_status st = gpai_kinds_infer(&k, s->column, s->d, s->n, err);
    if (st == GPA_OK)
        st = gpai_kinds_line(&k, s->name, line, sizeof line, err);
    if (st == GPA_OK)
        st = gpai_kinds_set(&k, 5, GPA_KIND_CHOICE, &s->column[5], s->n, err);
    if (st == GPA_OK)
        st = gpai_kinds_levels(&k, 0, two, 2, &s->column[0], s->n, err);
    gpai_kinds_close(&k);
    return st;
}

static void test_no_memory(void **state)
{
    struct tricky c = {.header = "sex,car,smoker,children,region,age,bmi,z,row,day,"
                                 "g_a,g_b,g_c,pressure,same",
                       .make = all_sorts};
    struct seen *s = see(make(&c, 60, NULL));
    (void)state;
    every_allocation_fails(everything, s);
    unsee(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tricky),       cmocka_unit_test(test_spoilt),
        cmocka_unit_test(test_natural),      cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_stride),       cmocka_unit_test(test_texts),
        cmocka_unit_test(test_many_levels),  cmocka_unit_test(test_many_known),
        cmocka_unit_test(test_unseen_level), cmocka_unit_test(test_group_names),
        cmocka_unit_test(test_groups_apart), cmocka_unit_test(test_set),
        cmocka_unit_test(test_groups_held),  cmocka_unit_test(test_levels),
        cmocka_unit_test(test_line),         cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_nothing),      cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
