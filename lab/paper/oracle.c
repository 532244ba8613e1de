#include "base/alloc.h"
#include "base/status.h"
#include "lab/paper/data_set.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The paper's Diabetes table from the authors' own model, rows and random draws: what
 * our methods make of them, cell by cell beside what is printed. */

enum { METHODS = 5, FIGURES = 4, CONFIGURATIONS = 100, MOST = 64 };
static const char *const NAMES[METHODS] = {"lc", "ig", "sv", "z", "lime"};
static const char *const LABELS[METHODS] = {"LC", "IG", "SV", "Z", "LIME"};
static const char *const FIGURE_NAMES[FIGURES] = {"tau", "rho", "SMR", "h25"};

/* IG was published with slopes at other points than the rest. */
enum { MOST_OF_THEM, IG, QUESTIONS };

struct oracle {
    const char *folder;
    json_t *expected, *seed1;
    gpa_study *study[QUESTIONS];
    gpa_comparison *answer[QUESTIONS];
};

static gpa_status bad(const struct oracle *o, const char *key, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA, "%.300s: %s is missing or not as expected",
                     o->folder, key);
}

static gpa_status read_json(json_t **out, const char *folder, const char *name,
                            gpa_error *err)
{
    char path[4200];
    json_error_t what;
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    *out = json_load_file(path, JSON_REJECT_DUPLICATES, &what);
    return *out != NULL ? GPA_OK
                        : gpai_fail(err, GPA_IO, "%.300s: %s", path, what.text);
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

/* A list in a description as the option of a study that takes numbers. */
static gpa_status set_list(const struct oracle *o, gpa_study *s, const char *option,
                           const json_t *from, const char *key, gpa_error *err)
{
    double list[MOST];
    size_t n = numbers(json_object_get(from, key), list, MOST);
    return n > 0 ? gpa_study_set_numbers(s, option, list, n, err) : bad(o, key, err);
}

/* Lines of a reference row and an order of the inputs. */
static gpa_status set_draws(const struct oracle *o, gpa_study *s, gpa_error *err)
{
    const json_t *all = json_object_get(o->expected, "sv_draws");
    const json_t *rows = json_object_get(all, "train_row");
    const json_t *orders = json_object_get(all, "permutation");
    size_t d = json_array_size(json_array_get(orders, 0)), good = 0;
    double *draws = gpai_calloc(CONFIGURATIONS, (d + 1) * sizeof *draws);
    if (draws == NULL)
        return gpai_nomem(err, "paper");
    for (size_t i = 0; i < CONFIGURATIONS && d > 0; i++) {
        draws[i * (d + 1)] = json_number_value(json_array_get(rows, i));
        good += json_is_integer(json_array_get(rows, i)) &&
                numbers(json_array_get(orders, i), draws + i * (d + 1) + 1, d) == d;
    }
    gpa_status st =
        good == CONFIGURATIONS
            ? gpa_study_set_numbers(s, "sv-draws", draws, CONFIGURATIONS * (d + 1), err)
            : bad(o, "sv_draws", err);
    gpai_free(draws);
    return st;
}

/* The parameters that every method is run with. */
static gpa_status set_parameters(const struct oracle *o, gpa_study *s, gpa_error *err)
{
    static const char *const KEYS[] = {"l2", "l1_ratio", "lr", "a0", "c_b", "sigma_yf"};
    static const char *const OPTIONS_OF[] = {"eta", "nu", "kappa", "a0", "cb", "sigma"};
    const json_t *given = json_object_get(o->expected, "params");
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0] && st == GPA_OK; i++) {
        const json_t *at = json_object_get(i < 5 ? given : o->expected, KEYS[i]);
        st = json_number_value(at) > 0
                 ? study_set_words(s, err, "%s=%.17g", OPTIONS_OF[i],
                                   json_number_value(at))
                 : bad(o, KEYS[i], err);
    }
    return st;
}

/* The published choices, and the authors' own draws. */
static gpa_status set_choices(const struct oracle *o, size_t which, gpa_study *s,
                              gpa_error *err)
{
    gpa_status st = study_set_words(
        s, err,
        "scale=none noise=constant solver=paper intervals=100 lime-samples=10 flip=off "
        "methods=%s",
        which == IG ? "ig" : "gpa,lc,sv,z,lime");
    if (st == GPA_OK)
        st = set_parameters(o, s, err);
    if (st == GPA_OK)
        st = which == IG ? set_list(o, s, "slope-nodes", o->expected, "h_ig_seed0", err)
                         : set_list(o, s, "slope-nodes", o->seed1, "h_seed1", err);
    if (st == GPA_OK)
        st = set_list(o, s, "delta-init", o->expected, "delta_init_seed1", err);
    return st == GPA_OK ? set_draws(o, s, err) : st;
}

static gpa_status ask(struct oracle *o, size_t which, const size_t *rows, size_t n,
                      gpa_error *err)
{
    gpa_study **s = &o->study[which];
    gpa_status st = gpa_study_new(s, "compare", err);
    if (st == GPA_OK)
        st = data_set_files(*s, o->folder, err);
    if (st == GPA_OK)
        st = set_choices(o, which, *s, err);
    if (st == GPA_OK)
        st = gpa_study_open(*s, err);
    if (st != GPA_OK)
        return st;
    (*s)->explain.culprit = GPA_CULPRIT_OFF; /* nothing else was published */
    return gpa_study_compare(*s, rows, n, &o->answer[which], err);
}

static gpa_status find_rows(const struct oracle *o, size_t rows[MOST], size_t *n,
                            gpa_error *err)
{
    const json_t *outliers = json_object_get(o->expected, "outliers");
    *n = json_array_size(outliers);
    if (*n < 2 || *n > MOST)
        return bad(o, "outliers", err);
    for (size_t i = 0; i < *n; i++) {
        const json_t *row = json_object_get(json_array_get(outliers, i), "test_index");
        if (!json_is_integer(row) || json_integer_value(row) < 0)
            return bad(o, "test_index", err);
        rows[i] = (size_t)json_integer_value(row);
    }
    return GPA_OK;
}

/* How far each method agrees with gpa, row by row. */
static gpa_status judge(const struct oracle *o, double found[METHODS][FIGURES][MOST],
                        size_t n, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t j = 0; j < METHODS; j++) {
        bool ig = strcmp(NAMES[j], "ig") == 0;
        const gpa_comparison *c = o->answer[ig ? IG : MOST_OF_THEM];
        size_t at = 0;
        while (strcmp(gpa_comparison_method(c, at)->name, NAMES[j]) != 0)
            at++;
        for (size_t i = 0; i < n && st == GPA_OK; i++) {
            gpa_agreement a = {0};
            st = gpa_agree(
                gpa_attribution_score(gpa_comparison_at(o->answer[MOST_OF_THEM], i, 0)),
                gpa_attribution_score(gpa_comparison_at(c, i, at)),
                gpa_comparison_dim(c), &a, err);
            const double figures[FIGURES] = {a.tau, a.rho, a.smr, a.hit25};
            for (size_t k = 0; k < FIGURES; k++)
                found[j][k][i] = figures[k];
        }
    }
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

static gpa_status show(struct paper *p, const struct oracle *o,
                       double found[METHODS][FIGURES][MOST], size_t n, gpa_error *err)
{
    const json_t *printed = json_object_get(o->seed1, "table");
    struct grid g = {.name = "oracle",
                     .title = "Diabetes with the authors' model and draws: printed in "
                              "the paper, and here",
                     .columns = 2 + METHODS};
    size_t equal = 0, cells = 0;
    char text[200];
    grid_texts(&g, (const char *const[]){"figure", "whose"}, 2);
    grid_texts(&g, LABELS, METHODS);
    for (size_t k = 0; k < FIGURES; k++) {
        const char *want[METHODS];
        grid_texts(&g, (const char *const[]){FIGURE_NAMES[k], "printed"}, 2);
        for (size_t j = 0; j < METHODS; j++) {
            want[j] = json_string_value(
                json_array_get(json_object_get(printed, LABELS[j]), k));
            grid_text(&g, "%s", want[j] != NULL ? want[j] : "-");
        }
        grid_texts(&g, (const char *const[]){"", "here"}, 2);
        for (size_t j = 0; j < METHODS; j++) {
            char here[64];
            print_cell(found[j][k], n, here, sizeof here);
            grid_text(&g, "%s", here);
            if (strcmp(NAMES[j], "lime") == 0)
                continue; /* its ten samples are random */
            cells++;
            equal += want[j] != NULL && strcmp(want[j], here) == 0;
        }
    }
    gpa_status st = paper_table(p, &g, GPA_OK, err);
    snprintf(
        text, sizeof text,
        "%zu of %zu cells of LC, IG, SV and Z are equal at two decimals. LIME draws "
        "ten random points and cannot be.",
        equal, cells);
    paper_say(p, text);
    return st;
}

gpa_status paper_oracle(struct paper *p, const char *folder, gpa_error *err)
{
    struct oracle o = {.folder = folder};
    double found[METHODS][FIGURES][MOST];
    size_t rows[MOST], n = 0;
    paper_heading(p, "Consistency, with the authors' own model");
    gpa_status st = read_json(&o.expected, folder, "expected.json", err);
    if (st == GPA_OK)
        st = read_json(&o.seed1, folder, "expected_seed_grad1.json", err);
    if (st == GPA_OK)
        st = find_rows(&o, rows, &n, err);
    for (size_t q = 0; q < QUESTIONS && st == GPA_OK; q++)
        st = ask(&o, q, rows, n, err);
    if (st == GPA_OK)
        st = judge(&o, found, n, err);
    if (st == GPA_OK)
        st = show(p, &o, found, n, err);
    for (size_t q = 0; q < QUESTIONS; q++) {
        gpa_comparison_free(o.answer[q]);
        gpa_study_free(o.study[q]);
    }
    json_decref(o.seed1);
    json_decref(o.expected);
    return st;
}
