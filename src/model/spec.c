#include "model/spec.h"
#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include "data/json.h"
#include "data/slurp.h"
#include <math.h>
#include <string.h>

/* Model files are read whole; a JSON number in memory is some ten times its text. */
enum { MAX_BYTES = 1 << 30 };

/* cos(pi x), exactly 0 at half-integers and +-1 at integers: the argument is brought
 * near 0 before it meets pi. Every subtraction here is exact. */
static double cos_pi(double x)
{
    const double pi = 3.14159265358979323846;
    double r = fabs(fmod(x, 2)); /* NaN for an infinite x */
    if (r > 1)
        r = 2 - r;
    if (r < 0.25)
        return cos(pi * r);
    return r > 0.75 ? -cos(pi * (1 - r)) : sin(pi * (0.5 - r));
}

/* The paper's example: f(x) = 2 cos(pi x1) cos(pi x2). */
static void sinusoid2d(const void *self, void *scratch, const double *x, size_t n,
                       size_t d, double *y)
{
    (void)self;
    (void)scratch;
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * cos_pi(x[i * d]) * cos_pi(x[i * d + 1]);
}

static const gpai_model_ops sinusoid_ops = {.kind = "builtin",
                                            .compute = sinusoid2d,
                                            .in_process = true,
                                            .refuses_missing = true};

static gpa_status open_builtin(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    static const char *const names[] = {"x1", "x2"};
    const gpai_model_info info = {s->text, 2, s->batch_rows, names};
    if (strcmp(s->rest, "sinusoid2d") == 0)
        return gpai_model_wrap(out, &sinusoid_ops, NULL, &info, err);
    return gpai_fail(err, GPA_INVALID, "builtin: no model '%s'; there is sinusoid2d",
                     gpai_show_text(s->rest).text);
}

/* What may stand before the colon: each is opened by one of three functions. */
static const struct scheme {
    const char *name;
    gpai_open *open;
    gpai_open_bytes *open_bytes;
    gpai_open_json *open_json; /* the file's "type" is the name */
} schemes[] = {
    {"builtin", open_builtin, NULL, NULL},
    {"plugin", gpai_plugin_open, NULL, NULL},
    {"mlp", NULL, NULL, gpai_mlp_open},
    {"linear", NULL, NULL, gpai_linear_open},
    {"trees", NULL, NULL, gpai_trees_open},
    {"xgboost", NULL, gpai_xgboost_open, NULL},
    {"lightgbm", NULL, gpai_lightgbm_open, NULL},
    {"onnx", NULL, gpai_onnx_open, NULL},
    {"exec", gpai_exec_open, NULL, NULL},
    {"v2", gpai_v2_open, NULL, NULL},
    {"mlflow", gpai_mlflow_open, NULL, NULL},
    {"tfserving", gpai_tfserving_open, NULL, NULL},
};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static const char known[] =
    "the name of a model file (mlp, linear, trees, xgboost, lightgbm, onnx), "
    "plugin:FILE.so, exec:COMMAND, v2:URL, mlflow:URL, tfserving:URL, builtin:NAME";

static const struct scheme *find(const char *name, size_t length)
{
    for (size_t i = 0; i < SCHEMES; i++) {
        if (gpai_word_is(name, length, schemes[i].name))
            return &schemes[i];
    }
    return NULL;
}

static const gpa_model_options defaults = {
    .struct_size = sizeof defaults, .batch_rows = GPAI_BATCH_ROWS, .timeout = 60};

void gpa_model_options_init_sized(gpa_model_options *opt, size_t size)
{
    gpai_sized_init(opt, size, &defaults, sizeof defaults);
}

/* The caller's options over the defaults. */
static gpa_status take_options(gpa_model_options *to, const gpa_model_options *from,
                               gpa_error *err)
{
    *to = defaults;
    gpa_status st = gpai_sized_copy(
        to, sizeof *to, from, "model: options without gpa_model_options_init", err);
    if (st == GPA_OK && !(to->timeout >= 0))
        st = gpai_fail(err, GPA_INVALID, "model: timeout is negative or NaN");
    return st;
}

/* Opens by the "type" in a file, which must be `wanted` when the spec says so. */
static gpa_status open_root(gpa_model **out, const gpai_spec *s, const gpai_value *root,
                            const struct scheme *wanted, gpa_error *err)
{
    const char *type = gpai_value_text(gpai_value_get(root, "type"));
    if (type == NULL)
        return gpai_bad_file(err, s->rest, "type: missing, or not a text");
    const struct scheme *found = find(type, strlen(type));
    if (found == NULL || found->open_json == NULL)
        return gpai_bad_file(err, s->rest, "type: '%s' is not mlp, linear or trees",
                             gpai_show_text(type).text);
    if (wanted != NULL && found != wanted)
        return gpai_bad_file(err, s->rest, "type: '%s' is not %s", found->name,
                             wanted->name);
    return found->open_json(out, s, root, err);
}

static bool begins(const char *bytes, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

/* Universal binary JSON: an object whose first key's length follows as a marker and
 * bytes that text never has. */
static bool is_ubj(const char *bytes, size_t size)
{
    return size > 2 && bytes[0] == '{' && strchr("iUIlL$#", bytes[1]) != NULL;
}

/* A protobuf message whose first field is number 1, a small number: ir_version. */
static bool is_onnx(const char *bytes, size_t size)
{
    return size > 2 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 64;
}

/* XGBoost's JSON begins with its learner; it is not quite JSON (NaN), so that it is for
 * its own reader to parse. */
static bool is_xgboost(const char *text)
{
    static const char FIRST[] = "\"learner\"";
    if (*text != '{')
        return false;
    text += 1 + strspn(text + 1, " \t\r\n");
    return strncmp(text, FIRST, sizeof FIRST - 1) == 0;
}

/* JSON of our own has a type. */
static gpa_status open_own_json(gpa_model **out, const gpai_spec *s, const char *bytes,
                                size_t size, const struct scheme *wanted,
                                gpa_error *err)
{
    gpai_value *root = NULL;
    gpa_status st = gpai_json_parse(&root, bytes, size, s->rest, err);
    if (st == GPA_OK)
        st = open_root(out, s, root, wanted, err);
    gpai_value_free(root);
    return st;
}

/* A file is never run because of what is in it: a shared object wants its scheme. */
static gpa_status open_any(gpa_model **out, const gpai_spec *s, const char *bytes,
                           size_t size, gpa_error *err)
{
    size_t blank = strspn(bytes, " \t\r\n");
    if (begins(bytes, size, "\177ELF"))
        return gpai_fail_file(
            err, GPA_INVALID, s->rest,
            "is a shared object or program; say plugin: before its name");
    if (begins(bytes, size, "tree\n") || begins(bytes, size, "tree\r\n"))
        return gpai_lightgbm_open(out, s, bytes, size, err);
    if (is_ubj(bytes, size) || is_xgboost(bytes + blank))
        return gpai_xgboost_open(out, s, bytes, size, err);
    if (is_onnx(bytes, size))
        return gpai_onnx_open(out, s, bytes, size, err);
    if (bytes[blank] == '{')
        return open_own_json(out, s, bytes, size, NULL, err);
    if (begins(bytes, size, "\x80") || begins(bytes, size, "PK\x03\x04"))
        return gpai_bad_file(
            err, s->rest,
            "looks like a Python object; say 'exec:python3 -m gpa.worker FILE'");
    return gpai_bad_file(err, s->rest,
                         "no model file that is known: JSON of type mlp, linear or "
                         "trees, XGBoost (.json, .ubj), LightGBM (.txt), ONNX");
}

/* A model file: the scheme is NULL when its content decides. */
static gpa_status open_file(gpa_model **out, const gpai_spec *s,
                            const struct scheme *scheme, gpa_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    gpa_status st = gpai_slurp(&bytes, &size, s->rest, MAX_BYTES, err);
    if (st == GPA_OK)
        st = scheme == NULL ? open_any(out, s, bytes, size, err)
             : scheme->open_bytes != NULL
                 ? scheme->open_bytes(out, s, bytes, size, err)
                 : open_own_json(out, s, bytes, size, scheme, err);
    gpai_free(bytes);
    return st;
}

/* Letters and digits before a colon are a scheme, so that a slip in one is not taken
 * for a file; "./a:b" is a file. */
static size_t scheme_length(const char *spec)
{
    size_t n = strspn(spec, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789+-_");
    return spec[n] == ':' ? n : 0;
}

static gpa_status open_spec(gpa_model **out, gpai_spec *s, gpa_error *err)
{
    size_t length = scheme_length(s->text);
    s->rest = s->text;
    if (length == 0)
        return open_file(out, s, NULL, err);
    const struct scheme *scheme = find(s->text, length);
    gpai_shown name = gpai_show(s->text, length);
    s->rest = s->text + length + 1;
    if (scheme == NULL)
        return gpai_fail(err, GPA_INVALID, "model: '%s:' is not known; there is %s",
                         name.text, known);
    if (s->rest[0] == '\0')
        return gpai_fail(err, GPA_INVALID, "model: nothing follows '%s:'", name.text);
    return scheme->open != NULL ? scheme->open(out, s, err)
                                : open_file(out, s, scheme, err);
}

gpa_status gpa_model_open(gpa_model **out, const char *spec,
                          const gpa_model_options *opt, gpa_error *err)
{
    gpa_model_options o;
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "model: NULL instead of a handle's place");
    *out = NULL;
    if (spec == NULL || spec[0] == '\0')
        return gpai_fail(err, GPA_INVALID, "model: no spec; there is %s", known);
    gpa_status st = take_options(&o, opt, err);
    if (st != GPA_OK)
        return st;
    gpai_spec s = {.text = spec,
                   .config = o.config != NULL ? o.config : "",
                   .batch_rows = o.batch_rows,
                   .timeout = o.timeout,
                   .workers = o.workers,
                   .auth = o.auth};
    return open_spec(out, &s, err);
}

/* NULL when there are none. The list is gpai_free'd, the names in it belong to `root`.
 */
static gpa_status read_names(const char ***out, const gpai_value *root, size_t d,
                             const char *path, gpa_error *err)
{
    *out = NULL;
    const gpai_value *list = gpai_value_get(root, "variables");
    if (list == NULL || gpai_value_is_null(list))
        return GPA_OK;
    if (!gpai_value_is_list(list))
        return gpai_bad_file(err, path, "variables: not a list of names");
    if (gpai_value_items(list) != d)
        return gpai_bad_file(err, path, "variables: %zu names for %zu inputs",
                             gpai_value_items(list), d);
    const char **names = gpai_calloc(d, sizeof *names);
    if (names == NULL)
        return gpai_nomem(err, "variables");
    for (size_t k = 0; k < d; k++) {
        names[k] = gpai_value_text(gpai_value_at(list, k));
        if (names[k] == NULL) {
            gpai_free(names);
            return gpai_bad_file(err, path, "variables: item %zu is not a name", k + 1);
        }
    }
    *out = names;
    return GPA_OK;
}

gpa_status gpai_model_named(gpa_model **out, const gpai_model_ops *ops, void *self,
                            size_t d, const gpai_spec *s, const gpai_value *root,
                            gpa_error *err)
{
    const char **names = NULL;
    *out = NULL;
    gpa_status st = read_names(&names, root, d, s->rest, err);
    const gpai_model_info info = {s->text, d, s->batch_rows, names};
    if (st == GPA_OK)
        st = gpai_model_wrap(out, ops, self, &info, err);
    else
        ops->close(self);
    gpai_free(names);
    return st;
}
