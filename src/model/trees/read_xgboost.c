#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "data/json.h"
#include "model/spec.h"
#include "model/trees/xgboost.h"
#include <math.h>
#include <string.h>

enum { MAX_INPUTS = 1 << 20 };

/* How sums become predictions, and predictions (base_score) sums. */
enum link { IDENTITY, LOGISTIC, EXP };

/* binary:logitraw takes base_score as it is since version 1.7, as here. */
static const struct {
    const char *name;
    enum link link;
} objectives[] = {
    {"reg:squarederror", IDENTITY},
    {"reg:linear", IDENTITY},
    {"reg:squaredlogerror", IDENTITY},
    {"reg:absoluteerror", IDENTITY},
    {"reg:pseudohubererror", IDENTITY},
    {"reg:quantileerror", IDENTITY},
    {"reg:logistic", LOGISTIC},
    {"binary:logistic", LOGISTIC},
    {"binary:logitraw", IDENTITY},
    {"reg:gamma", EXP},
    {"reg:tweedie", EXP},
    {"count:poisson", EXP},
};

/* A model as it predicts: trees, or the weights of gblinear with the bias behind them.
 * Constant once it is read. */
struct xgboost {
    gpai_forest *forest;
    float *weight;
    float base;
    enum link link;
    gpai_tree_levels levels;
};

/* Bit for bit XGBoost's own: floats, and the C library's expf. */
static float logistic(float sum)
{
    float x = 88.7F < -sum ? 88.7F : -sum;
    return 1.0F / (expf(x) + 1.0F + 1e-16F);
}

static void predict_linear(const struct xgboost *m, const double *x, size_t n, size_t d,
                           double *y)
{
    for (size_t r = 0; r < n; r++, x += d) {
        float sum = m->weight[d] + m->base;
        for (size_t k = 0; k < d; k++)
            if (!isnan(x[k]))
                sum += (float)x[k] * m->weight[k];
        y[r] = (double)sum;
    }
}

static void compute(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y)
{
    const struct xgboost *m = self;
    (void)scratch;
    if (m->forest != NULL)
        gpai_forest_predict(m->forest, x, n, d, y);
    else
        predict_linear(m, x, n, d, y);
    for (size_t r = 0; m->link == LOGISTIC && r < n; r++)
        y[r] = (double)logistic((float)y[r]);
    for (size_t r = 0; m->link == EXP && r < n; r++)
        y[r] = (double)expf((float)y[r]);
}

static void close_model(void *self)
{
    struct xgboost *m = self;
    if (m == NULL)
        return;
    gpai_forest_free(m->forest);
    gpai_tree_levels_free(&m->levels);
    gpai_free(m->weight);
    gpai_free(m);
}

static const char *level(const void *self, size_t k, size_t i)
{
    const struct xgboost *m = self;
    return gpai_tree_levels_name(&m->levels, k, i);
}

static const gpai_model_ops ops = {
    .kind = "xgboost",
    .compute = compute,
    .close = close_model,
    .level = level,
    .in_process = true,
};

static gpa_status read_objective(struct xgboost *m, const gpai_value *learner,
                                 const char *file, gpa_error *err)
{
    const char *name =
        gpai_value_text(gpai_value_get(gpai_value_get(learner, "objective"), "name"));
    if (name == NULL)
        return gpai_bad_file(err, file, "objective: missing, or without a name");
    for (size_t i = 0; i < sizeof objectives / sizeof objectives[0]; i++) {
        if (strcmp(name, objectives[i].name) == 0) {
            m->link = objectives[i].link;
            return GPA_OK;
        }
    }
    return gpai_fail_file(err, GPA_UNSUPPORTED, file,
                          "objective: '%s' is not supported (regression, "
                          "binary:logistic and binary:logitraw are)",
                          gpai_show_text(name).text);
}

/* "5E-1" or, in later versions, "[5E-1]". */
static bool parse_base(const gpai_value *item, float *base)
{
    const char *text = gpai_value_text(item);
    double v = gpai_value_number(item); /* 0 when it is no number */
    if (text != NULL) {
        size_t n = strlen(text);
        bool list = n > 2 && text[0] == '[' && text[n - 1] == ']';
        if (gpai_number(text + list, n - 2 * list, &v) != GPAI_NUMBER)
            return false;
    } else if (!gpai_value_is_number(item)) {
        return false;
    }
    *base = (float)v;
    return true;
}

/* base_score is a prediction; the sum starts at what becomes it. */
static gpa_status read_base(struct xgboost *m, const gpai_value *param,
                            const char *file, gpa_error *err)
{
    const gpai_value *item = gpai_value_get(param, "base_score");
    float b = 0;
    bool good = parse_base(item, &b) && isfinite(b);
    if (m->link == LOGISTIC) {
        good = good && b > 0 && b < 1;
        m->base = -logf(1.0F / b - 1.0F);
    } else {
        good = good && (m->link == IDENTITY || b > 0);
        m->base = m->link == EXP ? logf(b) : b;
    }
    if (good)
        return GPA_OK;
    const char *text = gpai_value_text(item);
    return gpai_bad_file(err, file,
                         "base_score: '%s' is missing, more than one number, or none "
                         "that the objective allows",
                         text == NULL ? "" : gpai_show_text(text).text);
}

/* One output only. */
static gpa_status read_shape(size_t *inputs, const gpai_value *param, const char *file,
                             gpa_error *err)
{
    size_t classes = 0, targets = 1;
    gpa_status st =
        gpai_xgboost_count(inputs, param, "num_feature", MAX_INPUTS, file, err);
    if (st == GPA_OK)
        st = gpai_xgboost_count(&classes, param, "num_class", INT32_MAX, file, err);
    if (st == GPA_OK && gpai_value_get(param, "num_target") != NULL)
        st = gpai_xgboost_count(&targets, param, "num_target", INT32_MAX, file, err);
    if (st != GPA_OK)
        return st;
    if (*inputs == 0)
        return gpai_bad_file(err, file, "num_feature: 0");
    if (classes > 1 || targets > 1)
        return gpai_fail_file(err, GPA_UNSUPPORTED, file,
                              "%s: %zu; models with several outputs are not supported",
                              classes > 1 ? "num_class" : "num_target",
                              classes > 1 ? classes : targets);
    return GPA_OK;
}

static gpa_status read_linear(struct xgboost *m, const gpai_value *model, size_t inputs,
                              const char *file, gpa_error *err)
{
    gpa_status st = GPA_OK;
    const gpai_value *list = gpai_value_get(model, "weights");
    double *numbers = gpai_calloc(inputs + 1, sizeof *numbers);
    m->weight = gpai_calloc(inputs + 1, sizeof *m->weight);
    st = numbers == NULL || m->weight == NULL
             ? gpai_nomem(err, "xgboost")
             : gpai_json_numbers(list, inputs + 1, numbers, file, "weights", err);
    for (size_t k = 0; st == GPA_OK && k <= inputs; k++)
        m->weight[k] = (float)numbers[k];
    gpai_free(numbers);
    return st;
}

static gpa_status read_booster(struct xgboost *m, const gpai_value *learner,
                               size_t inputs, const char *file, gpa_error *err)
{
    const gpai_value *booster = gpai_value_get(learner, "gradient_booster");
    const gpai_value *model = gpai_value_get(booster, "model"), *weight = NULL;
    const char *name = gpai_value_text(gpai_value_get(booster, "name"));
    if (name == NULL)
        return gpai_bad_file(err, file, "gradient_booster: missing, or without a name");
    if (strcmp(name, "gblinear") == 0)
        return read_linear(m, model, inputs, file, err);
    if (strcmp(name, "dart") == 0) {
        model = gpai_value_get(gpai_value_get(booster, "gbtree"), "model");
        weight = gpai_value_get(booster, "weight_drop");
        if (!gpai_value_is_list(weight))
            return gpai_bad_file(err, file, "weight_drop: missing, or not a list");
    } else if (strcmp(name, "gbtree") != 0) {
        return gpai_fail_file(err, GPA_UNSUPPORTED, file,
                              "gradient_booster: '%s' is not gbtree, dart or gblinear",
                              gpai_show_text(name).text);
    }
    if (!gpai_xgboost_levels(&m->levels, model, inputs))
        return gpai_nomem(err, "xgboost");
    return gpai_xgboost_trees(&m->forest, model, weight, inputs, m->base, file, err);
}

/* NULL when the model does not tell them. */
static gpa_status read_names(const char ***out, const gpai_value *learner,
                             size_t inputs, const char *file, gpa_error *err)
{
    const gpai_value *list = gpai_value_get(learner, "feature_names");
    *out = NULL;
    if (gpai_value_items(list) == 0)
        return GPA_OK;
    if (gpai_value_items(list) != inputs)
        return gpai_bad_file(err, file, "feature_names: %zu names for %zu inputs",
                             gpai_value_items(list), inputs);
    *out = gpai_calloc(inputs, sizeof **out);
    if (*out == NULL)
        return gpai_nomem(err, "xgboost");
    for (size_t k = 0; k < inputs; k++) {
        (*out)[k] = gpai_value_text(gpai_value_at(list, k));
        if ((*out)[k] == NULL)
            return gpai_bad_file(err, file, "feature_names: item %zu is no name",
                                 k + 1);
    }
    return GPA_OK;
}

static gpa_status read_model(gpa_model **out, const gpai_spec *s,
                             const gpai_value *root, gpa_error *err)
{
    const gpai_value *learner = gpai_value_get(root, "learner");
    const gpai_value *param = gpai_value_get(learner, "learner_model_param");
    const char **names = NULL;
    size_t inputs = 0;
    gpa_status st = GPA_OK;
    struct xgboost *m = gpai_calloc(1, sizeof *m);
    if (m == NULL)
        return gpai_nomem(err, "xgboost");
    if (!gpai_value_is_object(param))
        st = gpai_bad_file(err, s->rest, "no learner with its learner_model_param");
    if (st == GPA_OK)
        st = read_objective(m, learner, s->rest, err);
    if (st == GPA_OK)
        st = read_shape(&inputs, param, s->rest, err);
    if (st == GPA_OK)
        st = read_base(m, param, s->rest, err);
    if (st == GPA_OK)
        st = read_booster(m, learner, inputs, s->rest, err);
    if (st == GPA_OK)
        st = read_names(&names, learner, inputs, s->rest, err);
    if (st == GPA_OK) {
        const gpai_model_info info = {s->text, inputs, s->batch_rows, names};
        st = gpai_model_wrap(out, &ops, m, &info, err);
    } else {
        close_model(m);
    }
    gpai_free(names);
    return st;
}

/* What save_model wrote, JSON or UBJ: in the binary form the length of a key follows
 * the brace, in the text form a quote. `bytes` is followed by a zero. */
static gpa_status parse_file(gpai_value **out, const char *bytes, size_t size,
                             const char *file, gpa_error *err)
{
    size_t start = strspn(bytes, " \t\r\n");
    if (size > 1 && bytes[0] == '{' && strchr("\"} \t\r\n", bytes[1]) == NULL)
        return gpai_ubj_parse(out, bytes, size, file, err);
    if (start < size && bytes[start] == '{')
        return gpai_json_parse_lax(out, bytes, size, file, err);
    return gpai_bad_file(
        err, file,
        "neither JSON nor UBJ; save the model with save_model(\"NAME.json\")");
}

gpa_status gpai_xgboost_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                             size_t size, gpa_error *err)
{
    gpai_value *root = NULL;
    *out = NULL;
    gpa_status st = parse_file(&root, bytes, size, s->rest, err);
    if (st == GPA_OK)
        st = read_model(out, s, root, err);
    gpai_value_free(root);
    return st;
}
