#include "console/say.h"
#include "lab/paper/paper.h"
#include "lab/write.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The paper's Diabetes table from the authors' own model, rows and random draws: what
 * our methods make of them, cell by cell beside what is printed. */

enum { METHODS = 5, FIGURES = 4, CONFIGURATIONS = 100, MOST_INPUTS = 64 };
static const char *const NAMES[METHODS] = {"lc", "ig", "sv", "z", "lime"};
static const char *const LABELS[METHODS] = {"LC", "IG", "SV", "Z", "LIME"};
static const char *const FIGURE_NAMES[FIGURES] = {"tau", "rho", "SMR", "h25"};

struct oracle {
    const char *folder;
    json_t *expected, *seed1;
    gpa_model *model;
    gpa_table *train_table, *test_table;
    double *numbers; /* owns x, y and the draws */
    gpa_sample train, test;
    double h_gpa[64], h_ig[64], start[MOST_INPUTS];
    size_t n_gpa, n_ig, d;
    size_t *draws; /* rows, then orders */
};

static gpa_status read_json(json_t **out, const char *folder, const char *name,
                            gpa_error *err)
{
    char path[4200];
    json_error_t what;
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    *out = json_load_file(path, JSON_REJECT_DUPLICATES, &what);
    return *out != NULL ? GPA_OK : fail(err, GPA_IO, "%.300s: %s", path, what.text);
}

/* A list of at most `most` numbers; how many there are, 0 when it is none. */
static size_t numbers(const json_t *list, double *out, size_t most)
{
    size_t n = json_array_size(list);
    for (size_t i = 0; i < n && i < most; i++) {
        if (!json_is_number(json_array_get(list, i)))
            return 0;
        out[i] = json_number_value(json_array_get(list, i));
    }
    return n <= most ? n : 0;
}

static gpa_status bad(const struct oracle *o, const char *key, gpa_error *err)
{
    return fail(err, GPA_DATA, "%.300s: %s is missing or not as expected", o->folder,
                key);
}

static gpa_status read_table(const struct oracle *o, gpa_table **out, const char *name,
                             gpa_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/%s", o->folder, name);
    gpa_status st = gpa_table_read(out, path, NULL, err);
    if (st == GPA_OK && gpa_table_columns(*out) != o->d + 1)
        st = bad(o, name, err);
    return st;
}

static gpa_status take_rows(const gpa_table *t, size_t d, double *x, gpa_sample *out,
                            gpa_error *err)
{
    size_t columns[MOST_INPUTS], n = gpa_table_rows(t);
    for (size_t k = 0; k < d; k++)
        columns[k] = k;
    *out = (gpa_sample){.x = x, .y = gpa_table_numbers(t, d, err), .n = n, .d = d};
    if (out->y == NULL)
        return GPA_DATA;
    return gpa_table_matrix(t, columns, d, true, x, err);
}

static gpa_status take_draws(struct oracle *o, gpa_error *err)
{
    const json_t *all = json_object_get(o->expected, "sv_draws");
    const json_t *rows = json_object_get(all, "train_row");
    const json_t *orders = json_object_get(all, "permutation");
    o->draws = room(CONFIGURATIONS * (o->d + 1), sizeof *o->draws);
    if (o->draws == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        double order[MOST_INPUTS];
        json_int_t row = json_integer_value(json_array_get(rows, i));
        if (row < 0 || (size_t)row >= o->train.n ||
            numbers(json_array_get(orders, i), order, o->d) != o->d)
            return bad(o, "sv_draws", err);
        o->draws[i] = (size_t)row;
        for (size_t k = 0; k < o->d; k++)
            o->draws[CONFIGURATIONS + i * o->d + k] = (size_t)order[k];
    }
    return GPA_OK;
}

static gpa_status open_oracle(struct oracle *o, gpa_error *err)
{
    char path[4200];
    gpa_status st = read_json(&o->expected, o->folder, "expected.json", err);
    if (st == GPA_OK)
        st = read_json(&o->seed1, o->folder, "expected_seed_grad1.json", err);
    snprintf(path, sizeof path, "mlp:%.4000s/model.json", o->folder);
    if (st == GPA_OK)
        st = gpa_model_open(&o->model, path, NULL, err);
    if (st != GPA_OK)
        return st;
    o->d = gpa_model_dim(o->model);
    o->n_gpa = numbers(json_object_get(o->seed1, "h_seed1"), o->h_gpa, 64);
    o->n_ig = numbers(json_object_get(o->expected, "h_ig_seed0"), o->h_ig, 64);
    if (o->d > MOST_INPUTS || o->n_gpa == 0 || o->n_ig == 0 ||
        numbers(json_object_get(o->expected, "delta_init_seed1"), o->start, o->d) !=
            o->d)
        return bad(o, "h_seed1, h_ig_seed0 or delta_init_seed1", err);
    if ((st = read_table(o, &o->train_table, "train.csv", err)) != GPA_OK ||
        (st = read_table(o, &o->test_table, "test.csv", err)) != GPA_OK)
        return st;
    size_t n = gpa_table_rows(o->train_table), m = gpa_table_rows(o->test_table);
    o->numbers = room((n + m) * o->d, sizeof *o->numbers);
    if (o->numbers == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    if ((st = take_rows(o->train_table, o->d, o->numbers, &o->train, err)) != GPA_OK ||
        (st = take_rows(o->test_table, o->d, o->numbers + n * o->d, &o->test, err)) !=
            GPA_OK)
        return st;
    return take_draws(o, err);
}

static void close_oracle(struct oracle *o)
{
    free(o->draws);
    free(o->numbers);
    gpa_table_free(o->test_table);
    gpa_table_free(o->train_table);
    gpa_model_free(o->model);
    json_decref(o->seed1);
    json_decref(o->expected);
}

/* The scores of one method of one row, by the published choices. */
static gpa_status run_method(const struct oracle *o, const char *name, size_t row,
                             double *score, gpa_error *err)
{
    const json_t *given = json_object_get(o->expected, "params");
    bool ig = strcmp(name, "ig") == 0;
    gpa_sample s = {
        .x = o->test.x + row * o->d, .y = o->test.y + row, .n = 1, .d = o->d};
    gpa_explain_options e;
    gpa_attribute_options a;
    gpa_attribution *out = NULL;
    gpa_explain_options_init(&e);
    e.solver = GPA_SOLVER_PAPER;
    e.noise = GPA_NOISE_CONSTANT;
    e.eta = json_number_value(json_object_get(given, "l2"));
    e.nu = json_number_value(json_object_get(given, "l1_ratio"));
    e.kappa = json_number_value(json_object_get(given, "lr"));
    e.a0 = json_number_value(json_object_get(given, "a0"));
    e.cb = json_number_value(json_object_get(given, "c_b"));
    e.sigma = json_number_value(json_object_get(o->expected, "sigma_yf"));
    e.slope_list = ig ? o->h_ig : o->h_gpa;
    e.slope_list_length = ig ? o->n_ig : o->n_gpa;
    e.delta_init = o->start;
    gpa_attribute_options_init(&a);
    a.explain = &e;
    a.reference = &o->train;
    a.quadrature = GPA_QUADRATURE_TRAPEZOID;
    a.intervals = 100;
    a.shapley = GPA_SHAPLEY_SAMPLE;
    a.sv_configurations = CONFIGURATIONS;
    a.sv_rows = o->draws;
    a.sv_orders = o->draws + CONFIGURATIONS;
    a.lime_samples = 10;
    gpa_status st = gpa_attribute(&out, name, o->model, &s, &a, err);
    if (st == GPA_OK)
        memcpy(score, gpa_attribution_score(out), o->d * sizeof *score);
    gpa_attribution_free(out);
    return st;
}

/* Mean and standard deviation (n - 1) as the paper prints them. */
static void print_cell(const double *v, size_t n, char *out, size_t size)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (v[i] - mean) * (v[i] - mean);
    snprintf(out, size, "%.2f\u00b1%.2f", mean, sqrt(square / (double)(n - 1)));
}

static gpa_status run_rows(const struct oracle *o, double found[METHODS][FIGURES][64],
                           size_t n, gpa_error *err)
{
    const json_t *outliers = json_object_get(o->expected, "outliers");
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        double gpa[MOST_INPUTS], other[MOST_INPUTS];
        const json_t *one = json_array_get(outliers, i);
        const json_t *place = json_object_get(one, "test_index");
        json_int_t row = json_integer_value(place);
        if (!json_is_integer(place) || row < 0 || (size_t)row >= o->test.n)
            return bad(o, "test_index", err);
        st = run_method(o, "gpa", (size_t)row, gpa, err);
        for (size_t j = 0; j < METHODS && st == GPA_OK; j++) {
            gpa_agreement a = {0};
            st = run_method(o, NAMES[j], (size_t)row, other, err);
            if (st == GPA_OK)
                st = gpa_agree(gpa, other, o->d, &a, err);
            const double figures[FIGURES] = {a.tau, a.rho, a.smr, a.hit25};
            for (size_t k = 0; k < FIGURES; k++)
                found[j][k][i] = figures[k];
        }
    }
    return st;
}

static gpa_status show(struct paper *p, const struct oracle *o,
                       double found[METHODS][FIGURES][64], size_t n, gpa_error *err)
{
    const json_t *printed = json_object_get(o->seed1, "table");
    struct grid g = {.name = "oracle",
                     .title = "Diabetes with the authors' model and draws: printed in "
                              "the paper, and here",
                     .columns = 2 + METHODS};
    size_t equal = 0, cells = 0;
    char text[200];
    grid_text(&g, "figure");
    grid_text(&g, "whose");
    for (size_t j = 0; j < METHODS; j++)
        grid_text(&g, "%s", LABELS[j]);
    for (size_t k = 0; k < FIGURES; k++) {
        grid_text(&g, "%s", FIGURE_NAMES[k]);
        grid_text(&g, "printed");
        for (size_t j = 0; j < METHODS; j++) {
            const char *want = json_string_value(
                json_array_get(json_object_get(printed, LABELS[j]), k));
            grid_text(&g, "%s", want != NULL ? want : "-");
        }
        grid_text(&g, "%s", "");
        grid_text(&g, "here");
        for (size_t j = 0; j < METHODS; j++) {
            const char *want = json_string_value(
                json_array_get(json_object_get(printed, LABELS[j]), k));
            char here[64];
            print_cell(found[j][k], n, here, sizeof here);
            grid_text(&g, "%s", here);
            if (strcmp(NAMES[j], "lime") == 0)
                continue; /* its ten samples are random */
            cells++;
            equal += want != NULL && strcmp(want, here) == 0;
        }
    }
    gpa_status st = paper_table(p, &g, err);
    snprintf(
        text, sizeof text,
        "%zu of %zu cells of LC, IG, SV and Z are equal at two decimals. LIME draws "
        "ten random points and cannot be.",
        equal, cells);
    paper_say(p, text);
    return st;
}

/* The parameters that every method is run with. */
static gpa_status check_numbers(const struct oracle *o, gpa_error *err)
{
    static const char *const NAMES_OF[] = {"l2", "l1_ratio", "lr", "a0", "c_b"};
    const json_t *given = json_object_get(o->expected, "params");
    if (!(json_number_value(json_object_get(o->expected, "sigma_yf")) > 0))
        return bad(o, "sigma_yf", err);
    for (size_t i = 0; i < sizeof NAMES_OF / sizeof NAMES_OF[0]; i++)
        if (!(json_number_value(json_object_get(given, NAMES_OF[i])) > 0))
            return bad(o, NAMES_OF[i], err);
    return GPA_OK;
}

gpa_status paper_oracle(struct paper *p, const char *folder, gpa_error *err)
{
    struct oracle o = {.folder = folder};
    double found[METHODS][FIGURES][64];
    paper_heading(p, "Consistency, with the authors' own model");
    gpa_status st = open_oracle(&o, err);
    size_t n = json_array_size(json_object_get(o.expected, "outliers"));
    if (st == GPA_OK && (n < 2 || n > 64))
        st = bad(&o, "outliers", err);
    if (st == GPA_OK)
        st = check_numbers(&o, err);
    if (st == GPA_OK)
        st = run_rows(&o, found, n, err);
    if (st == GPA_OK)
        st = show(p, &o, found, n, err);
    close_oracle(&o);
    return st;
}
