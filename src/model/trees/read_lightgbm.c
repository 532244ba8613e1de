#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include "model/spec.h"
#include "model/trees/lightgbm.h"
#include <math.h>
#include <string.h>

enum { MAX_INPUTS = 65536 };

/* From the sum of the leaves to the prediction. */
enum link { LINK_NONE, LINK_SQUARE, LINK_EXP, LINK_SIGMOID, LINK_SOFTPLUS };

/* Objectives by the first word of their line; any other is refused by name. */
static const struct {
    const char *name;
    enum link link;
} OBJECTIVES[] = {{"regression", LINK_NONE},
                  {"regression_l1", LINK_NONE},
                  {"huber", LINK_NONE},
                  {"fair", LINK_NONE},
                  {"quantile", LINK_NONE},
                  {"mape", LINK_NONE},
                  {"custom", LINK_NONE},
                  {"poisson", LINK_EXP},
                  {"gamma", LINK_EXP},
                  {"tweedie", LINK_EXP},
                  {"binary", LINK_SIGMOID},
                  {"cross_entropy", LINK_SIGMOID},
                  {"cross_entropy_lambda", LINK_SOFTPLUS}};

struct model {
    gpai_forest *forest;
    size_t trees;
    bool mean; /* random forests: the mean of the trees */
    enum link link;
    double slope; /* of the sigmoid */
    size_t inputs;
    gpai_lightgbm_levels levels;
};

struct reader {
    const gpai_spec *s;
    gpai_key_lines lines;
    gpai_lightgbm_trees trees;
    gpai_lightgbm_tail tail;
    struct model *model;
    char *text;         /* the names, terminated in place */
    const char **names; /* or NULL */
    uint32_t seen;      /* keys of the header, a bit each */
};

/* What is read of the header. */
enum key { CLASSES, OUTPUTS, INPUTS, MEAN, OBJECTIVE, NAMES, INFOS, KEYS };
static const char *const HEADER[KEYS] = {
    "num_class", "num_tree_per_iteration", "max_feature_idx", "average_output",
    "objective", "feature_names",          "feature_infos"};

static bool has(const struct reader *r, enum key key)
{
    return (r->seen >> key & 1) != 0;
}

static gpa_status refuse(const struct reader *r, const char *what, const char *text,
                         size_t length, gpa_error *err)
{
    return gpai_fail_file(err, GPA_UNSUPPORTED, r->s->rest,
                          "line %zu: %s '%s' is not supported", r->lines.line, what,
                          gpai_show(text, length).text);
}

/* `binary sigmoid:1`, `regression sqrt`, `quantile alpha:0.5`, … */
static gpa_status take_objective(struct reader *r, const gpai_key_line *l,
                                 gpa_error *err)
{
    const char *at = l->value, *end = l->value + l->length;
    const char *space = memchr(at, ' ', l->length);
    size_t length = space != NULL ? (size_t)(space - at) : l->length, i = 0;
    const size_t known = sizeof OBJECTIVES / sizeof OBJECTIVES[0];
    while (i < known && !gpai_word_is(at, length, OBJECTIVES[i].name))
        i++;
    if (i == known)
        return refuse(r, "the objective", at, length, err);
    r->model->link = OBJECTIVES[i].link;
    for (at += length; at < end; at += length) {
        at++;
        space = memchr(at, ' ', (size_t)(end - at));
        length = space != NULL ? (size_t)(space - at) : (size_t)(end - at);
        if (gpai_word_is(at, length, "sqrt"))
            r->model->link = LINK_SQUARE;
        else if (length > 8 && memcmp(at, "sigmoid:", 8) == 0) {
            gpai_key_line one = {l->key, at + 8, l->key_length, length - 8};
            gpa_status st = gpai_key_numbers(&r->lines, &one, 1, &r->model->slope, err);
            if (st != GPA_OK)
                return st;
        }
    }
    return GPA_OK;
}

/* Cuts the copied names at their blanks; LightGBM allows none inside a name. */
static gpa_status take_names(struct reader *r, const gpai_key_line *l, gpa_error *err)
{
    size_t n = gpai_key_words(l), k = 0;
    if (!has(r, INPUTS) || n != r->trees.inputs)
        return gpai_bad_file(err, r->s->rest, "line %zu: %zu names for %zu inputs",
                             r->lines.line, n, r->trees.inputs);
    r->text = gpai_strndup(n > 0 ? l->value : "", n > 0 ? l->length : 0);
    r->names = gpai_calloc(n, sizeof *r->names);
    if (r->text == NULL || r->names == NULL)
        return gpai_nomem(err, "lightgbm");
    for (char *at = r->text; k < n; k++) {
        at += strspn(at, " \t");
        r->names[k] = at;
        at += strcspn(at, " \t");
        if (*at != '\0')
            *at++ = '\0';
    }
    return GPA_OK;
}

/* Made-up names (Column_0, Column_1, …) say nothing. */
static bool made_up(const struct reader *r)
{
    for (size_t k = 0; k < r->trees.inputs; k++)
        if (strncmp(r->names[k], "Column_", 7) != 0)
            return false;
    return true;
}

static gpa_status take_header(struct reader *r, const gpai_key_line *l, gpa_error *err)
{
    size_t n = 0, key = KEYS;
    gpa_status st = gpai_key_once(&r->lines, l, HEADER, KEYS, &r->seen, &key, err);
    if (st != GPA_OK)
        return st;
    switch (key) {
    case CLASSES:
    case OUTPUTS:
        st = gpai_key_count(&r->lines, l, 1000000, &n, err);
        return st == GPA_OK && n != 1
                   ? refuse(r, "more than one output:", l->value, l->length, err)
                   : st;
    case INPUTS:
        st = gpai_key_count(&r->lines, l, MAX_INPUTS - 1, &n, err);
        r->trees.inputs = n + 1;
        return st;
    case MEAN:
        r->model->mean = true;
        return GPA_OK;
    case OBJECTIVE:
        return l->value != NULL ? take_objective(r, l, err) : GPA_OK;
    case NAMES:
        return take_names(r, l, err);
    case INFOS:
        r->tail.infos = l->value;
        r->tail.infos_length = l->length;
        return GPA_OK;
    default: /* much of the rest only LightGBM needs */
        return GPA_OK;
    }
}

/* What follows `key` in a line, or NULL. */
static const char *after(const gpai_key_line *l, const char *key, size_t *length)
{
    size_t whole = l->value != NULL ? l->key_length + 1 + l->length : l->key_length;
    size_t n = strlen(key);
    if (whole < n || memcmp(l->key, key, n) != 0)
        return NULL;
    *length = whole - n;
    return l->key + n;
}

static gpa_status twice(const struct reader *r, const char *what, gpa_error *err)
{
    return gpai_bad_file(err, r->s->rest, "line %zu: '%s' a second time", r->lines.line,
                         what);
}

/* What stands behind the trees: the parameters of the training, names of categories. */
static gpa_status read_tail(struct reader *r, gpa_error *err)
{
    gpai_key_line l;
    gpai_lightgbm_tail *t = &r->tail;
    while (gpai_key_lines_next(&r->lines, &l)) {
        size_t n = 0;
        const char *declared = after(&l, "[categorical_feature: ", &n);
        if (declared != NULL && t->declared != NULL)
            return twice(r, "categorical_feature", err);
        if (declared != NULL && n > 0 && declared[n - 1] == ']') {
            t->declared = declared;
            t->declared_length = n - 1;
        }
        const char *lists = after(&l, "pandas_categorical:", &n);
        if (lists != NULL && t->lists != NULL)
            return twice(r, "pandas_categorical", err);
        if (lists != NULL) {
            t->lists = lists;
            t->lists_length = n;
        }
    }
    r->model->inputs = r->trees.inputs;
    return gpai_lightgbm_levels_read(&r->model->levels, r->trees.inputs, t, r->s->rest,
                                     err);
}

static gpa_status read_all(struct reader *r, gpa_error *err)
{
    gpai_key_line l;
    gpa_status st = GPA_OK;
    bool ended = false;
    while (st == GPA_OK && !ended && gpai_key_lines_next(&r->lines, &l)) {
        ended = gpai_key_is(&l, "end of trees");
        if (gpai_key_is(&l, "Tree") && !has(r, INPUTS))
            st = gpai_bad_file(err, r->s->rest, "no max_feature_idx before the trees");
        else
            st = gpai_key_is(&l, "Tree") ? gpai_lightgbm_tree(&r->trees, &r->lines, err)
                                         : take_header(r, &l, err);
    }
    if (st == GPA_OK && !ended)
        st = gpai_bad_file(err, r->s->rest,
                           "line %zu: the file ends before 'end of trees'",
                           r->lines.line);
    if (st == GPA_OK && r->trees.trees == 0)
        st = gpai_bad_file(err, r->s->rest, "no trees");
    return st;
}

static double convert(const struct model *m, double sum)
{
    switch (m->link) {
    case LINK_NONE:
        return sum;
    case LINK_SQUARE: /* trained on sign(y) sqrt|y| */
        return sum < 0 ? -sum * sum : sum * sum;
    case LINK_EXP:
        return exp(sum);
    case LINK_SIGMOID:
        return 1 / (1 + exp(-m->slope * sum));
    case LINK_SOFTPLUS:
        return log1p(exp(sum));
    }
    return sum;
}

/* Rows that are mended at once. */
enum { BLOCK = 64 };

static size_t scratch_of(const void *self)
{
    const struct model *m = self;
    return m->levels.ordered > 0 ? BLOCK * m->inputs * sizeof(double) : 0;
}

static void compute(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y)
{
    const struct model *m = self;
    if (m->levels.ordered == 0)
        gpai_forest_predict(m->forest, x, n, d, y);
    for (size_t i = 0; m->levels.ordered > 0 && i < n; i += BLOCK) {
        size_t rows = n - i < BLOCK ? n - i : BLOCK;
        memcpy(scratch, x + i * d, rows * d * sizeof *x);
        gpai_lightgbm_levels_mend(&m->levels, scratch, rows, d);
        gpai_forest_predict(m->forest, scratch, rows, d, y + i);
    }
    for (size_t i = 0; i < n && (m->mean || m->link != LINK_NONE); i++)
        y[i] = convert(m, m->mean ? y[i] / (double)m->trees : y[i]);
}

static void close_model(void *self)
{
    struct model *m = self;
    gpai_forest_free(m->forest);
    gpai_lightgbm_levels_free(&m->levels);
    gpai_free(m);
}

static const char *level(const void *self, size_t k, size_t i)
{
    const struct model *m = self;
    return gpai_tree_levels_name(&m->levels.of, k, i);
}

static const gpai_model_ops OPS = {
    .kind = "lightgbm",
    .compute = compute,
    .scratch = scratch_of,
    .close = close_model,
    .level = level,
    .in_process = true,
};

static gpa_status lay_out(struct reader *r, gpa_error *err)
{
    const gpai_lightgbm_trees *t = &r->trees;
    const gpai_forest_spec spec = {.arithmetic = GPAI_FOREST_DOUBLE_LE,
                                   .inputs = t->inputs,
                                   .trees = t->trees,
                                   .start = t->start,
                                   .node = t->node,
                                   .bits = t->bits};
    r->model->trees = t->trees;
    return gpai_forest_new(&r->model->forest, &spec, r->s->rest, err);
}

gpa_status gpai_lightgbm_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                              size_t size, gpa_error *err)
{
    struct reader r = {.s = s, .lines = {bytes, bytes + size, s->rest, 0}};
    *out = NULL;
    r.model = gpai_calloc(1, sizeof *r.model);
    if (r.model == NULL)
        return gpai_nomem(err, "lightgbm");
    r.model->slope = 1;
    gpa_status st = read_all(&r, err);
    if (st == GPA_OK)
        st = read_tail(&r, err);
    if (st == GPA_OK)
        st = lay_out(&r, err);
    if (st == GPA_OK) {
        const gpai_model_info info = {s->text, r.trees.inputs, s->batch_rows,
                                      has(&r, NAMES) && !made_up(&r) ? r.names : NULL};
        struct model *m = r.model;
        r.model = NULL; /* the handle's, also when this fails */
        st = gpai_model_wrap(out, &OPS, m, &info, err);
    }
    if (r.model != NULL)
        close_model(r.model);
    gpai_free(r.names);
    gpai_free(r.text);
    gpai_lightgbm_trees_free(&r.trees);
    return st;
}
