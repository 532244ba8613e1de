#include "model/spec.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/json.h"
#include "data/show.h"
#include "data/slurp.h"
#include <string.h>

/* Model files are read whole; a JSON number in memory is some ten times its text. */
enum { MAX_BYTES = 64 << 20 };

typedef gpa_status (*open_fn)(gpa_model **, const gpai_spec *, gpa_error *);
typedef gpa_status (*open_json_fn)(gpa_model **, const gpai_spec *, const json_t *,
                                   gpa_error *);

/* What may stand before the colon. Those without a function are names that later
 * versions give a meaning. */
static const struct scheme {
    const char *name;
    open_fn open;
    open_json_fn open_json;
} schemes[] = {
    {"builtin", gpai_builtin_open, NULL},
    {"plugin", gpai_plugin_open, NULL},
    {"mlp", NULL, gpai_mlp_open},
    {"linear", NULL, gpai_linear_open},
    {"xgboost", NULL, NULL},
    {"lightgbm", NULL, NULL},
    {"onnx", NULL, NULL},
    {"exec", NULL, NULL},
    {"v2", NULL, NULL},
    {"mlflow", NULL, NULL},
    {"tfserving", NULL, NULL},
};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static const char known[] = "builtin:NAME, plugin:FILE.so, mlp:FILE.json, "
                            "linear:FILE.json or the name of a model file";

static const struct scheme *find(const char *name, size_t length)
{
    for (size_t i = 0; i < SCHEMES; i++) {
        if (strlen(schemes[i].name) == length &&
            memcmp(schemes[i].name, name, length) == 0)
            return &schemes[i];
    }
    return NULL;
}

void gpa_model_options_init_sized(gpa_model_options *opt, size_t size)
{
    const gpa_model_options defaults = {
        .config = NULL, .batch_rows = GPAI_BATCH_ROWS, .timeout = 60};
    if (opt == NULL || size < sizeof opt->struct_size)
        return;
    memset(opt, 0, size);
    memcpy(opt, &defaults, size < sizeof defaults ? size : sizeof defaults);
    opt->struct_size = size;
}

/* The caller's options over fresh defaults, whichever version of the struct it has. */
static gpa_status take_options(gpa_model_options *to, const gpa_model_options *from,
                               gpa_error *err)
{
    gpa_model_options_init(to);
    if (from == NULL)
        return GPA_OK;
    if (from->struct_size < sizeof from->struct_size)
        return gpai_fail(err, GPA_INVALID,
                         "model: options without gpa_model_options_init");
    memcpy(to, from, from->struct_size < sizeof *to ? from->struct_size : sizeof *to);
    if (!(to->timeout >= 0))
        return gpai_fail(err, GPA_INVALID, "model: timeout is negative or NaN");
    return GPA_OK;
}

/* Opens by the "type" in a file, which must be `wanted` when the spec says so. */
static gpa_status open_root(gpa_model **out, const gpai_spec *s, const json_t *root,
                            const struct scheme *wanted, gpa_error *err)
{
    gpai_shown file = gpai_show_path(s->rest);
    const char *type = json_string_value(json_object_get(root, "type"));
    if (wanted == NULL && json_object_get(root, "learner") != NULL)
        return gpai_fail(err, GPA_UNSUPPORTED,
                         "%s: models of xgboost are not in this version", file.text);
    if (type == NULL)
        return gpai_fail(err, GPA_DATA, "%s: type: missing, or not a text", file.text);
    const struct scheme *found = find(type, strlen(type));
    if (found == NULL || found->open_json == NULL)
        return gpai_fail(err, GPA_DATA, "%s: type: '%s' is not mlp or linear",
                         file.text, gpai_show_text(type).text);
    if (wanted != NULL && found != wanted)
        return gpai_fail(err, GPA_DATA, "%s: type: '%s' is not %s", file.text,
                         found->name, wanted->name);
    return found->open_json(out, s, root, err);
}

static bool begins(const char *bytes, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

/* A file is never run because of what is in it: a shared object wants its scheme. */
static gpa_status open_bytes(gpa_model **out, const gpai_spec *s, const char *bytes,
                             size_t size, gpa_error *err)
{
    gpai_shown file = gpai_show_path(s->rest);
    size_t blank = strspn(bytes, " \t\r\n");
    json_t *root = NULL;
    if (begins(bytes, size, "\177ELF"))
        return gpai_fail(
            err, GPA_INVALID,
            "%s: is a shared object or program; say plugin: before its name",
            file.text);
    if (begins(bytes, size, "tree\n"))
        return gpai_fail(err, GPA_UNSUPPORTED,
                         "%s: models of lightgbm are not in this version", file.text);
    if (bytes[blank] != '{')
        return gpai_fail(err, GPA_DATA,
                         "%s: no model file that is known: JSON of type mlp or linear",
                         file.text);
    gpa_status st = gpai_json_parse(&root, bytes, size, s->rest, err);
    if (st == GPA_OK)
        st = open_root(out, s, root, NULL, err);
    json_decref(root);
    return st;
}

static gpa_status open_file(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    gpa_status st = gpai_slurp(&bytes, &size, s->rest, MAX_BYTES, err);
    if (st == GPA_OK)
        st = open_bytes(out, s, bytes, size, err);
    gpai_free(bytes);
    return st;
}

static gpa_status open_json(gpa_model **out, const gpai_spec *s,
                            const struct scheme *scheme, gpa_error *err)
{
    json_t *root = NULL;
    gpa_status st = gpai_json_read(&root, s->rest, MAX_BYTES, err);
    if (st == GPA_OK)
        st = open_root(out, s, root, scheme, err);
    json_decref(root);
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
        return open_file(out, s, err);
    const struct scheme *scheme = find(s->text, length);
    gpai_shown name = gpai_show(s->text, length);
    s->rest = s->text + length + 1;
    if (scheme == NULL)
        return gpai_fail(err, GPA_INVALID, "model: '%s:' is not known; there is %s",
                         name.text, known);
    if (scheme->open == NULL && scheme->open_json == NULL)
        return gpai_fail(err, GPA_UNSUPPORTED, "model: '%s:' is not in this version",
                         name.text);
    if (s->rest[0] == '\0')
        return gpai_fail(err, GPA_INVALID, "model: nothing follows '%s:'", name.text);
    return scheme->open != NULL ? scheme->open(out, s, err)
                                : open_json(out, s, scheme, err);
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
                   .batch_rows = o.batch_rows};
    return open_spec(out, &s, err);
}
