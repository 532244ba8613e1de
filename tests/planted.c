#include "support.h"

#include "planted.h"
#include <jansson.h>

const char *const planted_names[PLANTED_SETS] = {"diabetes", "lin10", "inter10", "sin2",
                                                 "fried10"};

static gpa_table *read_table(const char *set, const char *ending, const char *text)
{
    char name[64], path[4096];
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_error err;
    snprintf(name, sizeof name, "planted/%s%s", set, ending);
    if (shared_file(path, sizeof path, name) == NULL)
        return NULL;
    gpa_table_options_init(&opt);
    opt.text_column = text;
    if (gpa_table_read(&t, path, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return t;
}

/* Sigma and the scale of every input, from the set's description. */
static bool read_meta(struct planted_set *s)
{
    char name[64], path[4096];
    snprintf(name, sizeof name, "planted/%s.meta.json", s->name);
    if (shared_file(path, sizeof path, name) == NULL)
        return false;
    json_t *meta = json_load_file(path, 0, NULL);
    assert_non_null(meta);
    s->sigma = json_number_value(json_object_get(meta, "sigma_yf"));
    json_t *scale = json_object_get(meta, "scale");
    s->d = json_array_size(scale);
    assert_in_range(s->d, 1, PLANTED_INPUTS);
    for (size_t k = 0; k < s->d; k++)
        s->scale[k] = json_number_value(json_array_get(scale, k));
    json_decref(meta);
    return true;
}

static bool open_model(struct planted_set *s)
{
    char path[4096], spec[4200];
    gpa_model_options opt;
    gpa_error err;
    gpa_model_options_init(&opt);
    if (strcmp(s->name, "diabetes") == 0) {
        if (shared_file(path, sizeof path, "oracle/diabetes/model.json") == NULL)
            return false;
        snprintf(spec, sizeof spec, "mlp:%s", path);
    } else {
        const char *plugin = getenv("GPA_TEST_PLANTED_PLUGIN");
        if (plugin == NULL) {
            print_message("SKIP: no GPA_TEST_PLANTED_PLUGIN: %s is NOT checked\n",
                          s->name);
            return false;
        }
        snprintf(spec, sizeof spec, "plugin:%s", plugin);
        opt.config = s->name;
    }
    if (gpa_model_open(&s->model, spec, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return true;
}

static const double *numbers(const gpa_table *t, const char *name)
{
    size_t column;
    assert_int_equal(gpa_table_find(t, name, &column, NULL), GPA_OK);
    const double *v = gpa_table_numbers(t, column, NULL);
    assert_non_null(v);
    return v;
}

/* The d columns from the first one on whose name starts like this. */
static double *matrix(const gpa_table *t, const char *start, size_t d)
{
    size_t columns[PLANTED_INPUTS], first = 0;
    while (strncmp(gpa_table_name(t, first), start, strlen(start)) != 0)
        first++;
    for (size_t k = 0; k < d; k++)
        columns[k] = first + k;
    double *x = calloc(gpa_table_rows(t) * d, sizeof *x);
    assert_non_null(x);
    assert_int_equal(gpa_table_matrix(t, columns, d, true, x, NULL), GPA_OK);
    return x;
}

/* "3;7" marks inputs 3 and 7. */
static void read_guilty(struct planted_case *c, const char *text)
{
    while (text != NULL && *text != '\0') {
        char *end;
        unsigned long k = strtoul(text, &end, 10);
        assert_in_range(k, 0, PLANTED_INPUTS - 1);
        c->guilty[k] = true;
        text = *end == ';' ? end + 1 : end;
    }
}

static void read_cases(struct planted_set *s)
{
    const gpa_table *t = s->case_table;
    size_t rows = gpa_table_rows(t), kind, culprits, at = 0;
    assert_int_equal(gpa_table_find(t, "kind", &kind, NULL), GPA_OK);
    assert_int_equal(gpa_table_find(t, "culprits", &culprits, NULL), GPA_OK);
    const double *size = numbers(t, "N"), *number = numbers(t, "case");
    s->x = matrix(t, "x_", s->d);
    s->repair = matrix(t, "dtrue_", s->d);
    s->cases = calloc(rows, sizeof *s->cases);
    assert_non_null(s->cases);
    while (at < rows) {
        struct planted_case *c = &s->cases[s->n_cases];
        assert_int_equal((size_t)number[at], s->n_cases++);
        c->kind = gpa_table_text(t, at, kind);
        c->n = (size_t)size[at];
        c->x = s->x + at * s->d;
        c->y = numbers(t, "y") + at;
        c->source = numbers(t, "source") + at;
        c->repair = s->repair + at * s->d;
        read_guilty(c, gpa_table_text(t, at, culprits));
        at += c->n;
    }
}

bool planted_open(struct planted_set *s, const char *name)
{
    *s = (struct planted_set){.name = name};
    s->case_table = read_table(name, ".csv", "culprits");
    if (s->case_table != NULL)
        s->batch_table = read_table(name, ".batch.csv", NULL);
    if (s->batch_table == NULL || !read_meta(s) || !open_model(s)) {
        planted_close(s);
        return false;
    }
    read_cases(s);
    s->n_batch = gpa_table_rows(s->batch_table);
    s->batch = matrix(s->batch_table, gpa_table_name(s->batch_table, 1), s->d);
    s->batch_row = numbers(s->batch_table, "row");
    return true;
}

void planted_close(struct planted_set *s)
{
    free(s->cases);
    free(s->x);
    free(s->repair);
    free(s->batch);
    gpa_table_free(s->case_table);
    gpa_table_free(s->batch_table);
    gpa_model_free(s->model);
}

size_t planted_reference(const struct planted_set *s, const struct planted_case *c,
                         double *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_batch; i++) {
        bool own = false;
        for (size_t t = 0; t < c->n; t++)
            own = own || s->batch_row[i] == c->source[t];
        if (!own)
            memcpy(out + kept++ * s->d, s->batch + i * s->d, s->d * sizeof *out);
    }
    return kept;
}
