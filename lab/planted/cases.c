#include "lab/planted/cases.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "lab/planted/kinds.h"
#include "study/study.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char ENDING[] = ".meta.json";
enum { MOST_BYTES = 64 << 20 }; /* of a description, which may hold a model */

/* The length of NAME in NAME.meta.json; 0: it is no such file. */
static size_t stem(const char *file)
{
    size_t length = strlen(file), ending = strlen(ENDING);
    bool fits = length > ending && file[0] != '.' &&
                strcmp(file + length - ending, ENDING) == 0;
    return fits ? length - ending : 0;
}

static int is_set(const struct dirent *entry)
{
    return stem(entry->d_name) > 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct dirent *const *)a)->d_name,
                  (*(struct dirent *const *)b)->d_name);
}

/* Every word of "A,B" must be a set; the others are forgotten. */
static gpa_status keep_named(struct case_list *l, const char *words, const char *path,
                             gpa_error *err)
{
    size_t kept = 0;
    for (const char *p = words; p != NULL;) {
        char word[256];
        size_t length = strcspn(p, ","), i = 0;
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        while (i < l->n && strcmp(l->sets[i]->d_name, word) != 0)
            i++;
        if (i == l->n)
            return gpai_fail(err, GPA_INVALID, "--set: no set '%.80s' in %.200s", word,
                             path);
        if (i >= kept) { /* not named before */
            struct dirent *set = l->sets[i];
            l->sets[i] = l->sets[kept];
            l->sets[kept++] = set;
        }
        p = p[length] == ',' ? p + length + 1 : NULL;
    }
    for (size_t i = kept; i < l->n; i++)
        free(l->sets[i]);
    l->n = kept;
    qsort(l->sets, l->n, sizeof *l->sets, by_name);
    return GPA_OK;
}

gpa_status cases_list(struct case_list *l, const gpai_options *a, gpa_error *err)
{
    const char *path = a->text[OPT_CASES];
    int n = scandir(path, &l->sets, is_set, NULL);
    if (n < 0)
        return gpai_fail(err, GPA_IO, "%.200s: %s", path, strerror(errno));
    if (n == 0)
        return gpai_fail(err, GPA_DATA, "%.200s: no file *%s", path, ENDING);
    l->n = (size_t)n;
    for (size_t i = 0; i < l->n; i++)
        l->sets[i]->d_name[stem(l->sets[i]->d_name)] = '\0';
    qsort(l->sets, l->n, sizeof *l->sets, by_name);
    return a->given[OPT_SET] ? keep_named(l, a->text[OPT_SET], path, err) : GPA_OK;
}

void cases_list_free(struct case_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->sets[i]);
    free(l->sets);
    *l = (struct case_list){0};
}

/* As the study of a command line would, with another model in it. */
static gpa_status open_model(struct fault_set *s, const gpai_options *a,
                             const char *spec, const char *config, gpa_error *err)
{
    gpai_options o = *a;
    o.given[OPT_MODEL] = true;
    o.text[OPT_MODEL] = spec;
    o.text[OPT_MODEL_CONFIG] = config;
    gpa_status st = gpai_study_from(&s->study, &o, err);
    if (st == GPA_OK)
        st = gpai_study_open_model(s->study, err);
    if (st == GPA_OK)
        s->model = gpa_study_model(s->study);
    return st;
}

/* `text` with every {set} replaced by the name of the set. */
static void fill_in(gpa_text *t, const char *text, const char *name)
{
    static const char MARK[] = "{set}";
    for (const char *p; (p = strstr(text, MARK)) != NULL; text = p + strlen(MARK)) {
        gpai_text_bytes(t, text, (size_t)(p - text));
        gpai_text_add(t, name);
    }
    gpai_text_add(t, text);
}

static gpa_status open_given(struct fault_set *s, const gpai_options *a, gpa_error *err)
{
    const char *config = a->text[OPT_MODEL_CONFIG];
    gpa_text *t = NULL; /* both, one behind the other */
    gpa_status st = gpa_text_new(&t, err);
    if (st != GPA_OK)
        return st;
    fill_in(t, a->text[OPT_MODEL], s->name);
    gpai_text_bytes(t, "", 1);
    size_t second = t->length;
    fill_in(t, config != NULL ? config : "", s->name);
    st = gpai_text_seal(t, 0, err);
    s->model_name = st == GPA_OK ? gpai_strdup(t->data) : NULL;
    if (st == GPA_OK)
        st = s->model_name != NULL
                 ? open_model(s, a, s->model_name, t->data + second, err)
                 : gpai_nomem(err, "bench");
    gpa_text_free(t);
    return st;
}

/* The message about a file without a name as one about the set. */
static gpa_status blame_description(const struct fault_set *s, const char *path,
                                    gpa_error *err)
{
    const gpa_error was = *err;
    size_t length = strlen(path);
    bool named = strncmp(was.message, path, length) == 0;
    return gpai_fail(err, was.status, "%.80s.meta.json: model%s%.370s", s->name,
                     named ? "" : ": ", was.message + (named ? length : 0));
}

/* A model that stands in the description itself. Models are read from files, so it goes
 * into one without a name, which nothing can leave behind. */
static gpa_status open_object(struct fault_set *s, const gpai_options *a,
                              const json_t *object, const char *type, gpa_error *err)
{
    char spec[64];
    FILE *f = tmpfile();
    s->model_name = gpai_strdup(type);
    if (f == NULL || s->model_name == NULL || json_dumpf(object, f, 0) != 0 ||
        fflush(f) != 0) {
        int why = errno;
        if (f != NULL)
            fclose(f);
        return gpai_fail(err, GPA_IO, "no temporary file for a model: %s",
                         strerror(why));
    }
    rewind(f);
    snprintf(spec, sizeof spec, "%s:/dev/fd/%d", type, fileno(f));
    gpa_status st = open_model(s, a, spec, NULL, err);
    fclose(f);
    return st == GPA_OK ? st : blame_description(s, spec + strlen(type) + 1, err);
}

/* A word of an exec: command, whatever is in it. */
static void put_word(gpa_text *t, const char *word)
{
    gpai_text_add(t, " ");
    for (; *word != '\0'; word++) {
        if (strchr(" \t\"'\\", *word) != NULL)
            gpai_text_add(t, "\\");
        gpai_text_bytes(t, word, 1);
    }
}

/* A pickle in a Python process of its own. */
static gpa_status open_pickle(struct fault_set *s, const gpai_options *a,
                              const char *python, const char *worker, gpa_error *err)
{
    gpa_text *t = NULL;
    gpa_status st = gpa_text_new(&t, err);
    if (st != GPA_OK)
        return st;
    gpai_text_add(t, "exec:");
    put_word(t, python);
    put_word(t, worker);
    put_word(t, s->model_name);
    st = gpai_text_seal(t, 0, err);
    if (st == GPA_OK)
        st = open_model(s, a, t->data, NULL, err);
    gpa_text_free(t);
    return st;
}

static bool is_pickle(const char *path)
{
    static const char PICKLE[] = ".joblib";
    size_t length = strlen(path), ending = strlen(PICKLE);
    return length > ending && strcmp(path + length - ending, PICKLE) == 0;
}

/* A model named in words, the last of which is a file or a directory with model.json,
 * seen from the directory of the cases. */
static gpa_status open_named(struct fault_set *s, const gpai_options *a,
                             const char *words, const char *python, const char *worker,
                             bool *found, gpa_error *err)
{
    char path[4096];
    struct stat info;
    const char *last = strrchr(words, ' ');
    last = last != NULL ? last + 1 : words;
    const char *ending[] = {"", "/model.json"};
    for (size_t i = 0; i < 2; i++) {
        int n =
            snprintf(path, sizeof path, "%s/%s%s", a->text[OPT_CASES], last, ending[i]);
        if (n < 0 || (size_t)n >= sizeof path || stat(path, &info) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        if (is_pickle(path) && (worker == NULL || python == NULL))
            continue;
        *found = true;
        s->model_name = gpai_strdup(path);
        if (s->model_name == NULL)
            return gpai_nomem(err, "bench");
        return is_pickle(path) ? open_pickle(s, a, python, worker, err)
                               : open_model(s, a, path, NULL, err);
    }
    return GPA_OK;
}

/* Opens the model of a set: --model for the sets named by --set and for those whose
 * description holds none; else what the description holds or points to. Without any,
 * says why in `reason` and leaves s->model NULL. `meta` is the description. */
static gpa_status find_model(struct fault_set *s, const gpai_options *a,
                             const json_t *meta, const char *worker,
                             char reason[REASON_SIZE], gpa_error *err)
{
    const json_t *model = json_object_get(meta, "model");
    const char *type = json_string_value(json_object_get(model, "type"));
    const char *words = json_string_value(model);
    const char *python = json_string_value(json_object_get(meta, "python"));
    bool found = false;
    if (a->given[OPT_MODEL] && a->given[OPT_SET])
        return open_given(s, a, err);
    if (type != NULL && (strcmp(type, "mlp") == 0 || strcmp(type, "linear") == 0))
        return open_object(s, a, model, type, err);
    if (words != NULL) {
        gpa_status st = open_named(s, a, words, python, worker, &found, err);
        if (st != GPA_OK || found)
            return st;
    }
    if (a->given[OPT_MODEL])
        return open_given(s, a, err);
    snprintf(reason, REASON_SIZE, "its model is %s%.40s; give it with --model SPEC",
             words != NULL                  ? "not where its description says"
             : type == NULL                 ? "not in its description"
             : strcmp(type, "formula") == 0 ? "a "
                                            : "of type ",
             type != NULL ? type : "");
    return GPA_OK;
}

/* A set on its way from the files. */
struct reading {
    struct fault_set *set;
    const gpai_options *a;
    const char *worker;
    json_t *meta;        /* NULL: the description is no JSON */
    const json_t *names; /* of the inputs; in `meta` */
    gpa_table *cases, *batch;
    size_t *columns; /* d, to choose with */
    double *x, *repair;
};

static gpa_status bad_meta(const struct reading *r, const char *key, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA, "%.200s%s: no usable '%s'", r->set->name, ENDING,
                     key);
}

static bool above_zero(const json_t *value, double *number)
{
    *number = json_number_value(value);
    return *number > 0;
}

static gpa_status read_inputs(struct reading *r, gpa_error *err)
{
    struct fault_set *s = r->set;
    const json_t *units = json_object_get(r->meta, "scale");
    r->names = json_object_get(r->meta, "variables");
    s->d = json_array_size(r->names);
    if (s->d == 0)
        return bad_meta(r, "variables", err);
    if (json_array_size(units) != s->d)
        return bad_meta(r, "scale", err);
    r->columns = gpai_calloc(s->d, sizeof *r->columns);
    if (r->columns == NULL)
        return gpai_nomem(err, "bench");
    gpa_status st = faults_inputs(s, err);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < s->d; k++) {
        const json_t *name = json_array_get(r->names, k);
        if (!json_is_string(name) || json_string_length(name) >= 80)
            return bad_meta(r, "variables", err);
    }
    for (size_t k = 0; k < s->d; k++)
        if (!above_zero(json_array_get(units, k), &s->unit[k]))
            return bad_meta(r, "scale", err);
    return above_zero(json_object_get(r->meta, "sigma_yf"), &s->sigma)
               ? GPA_OK
               : bad_meta(r, "sigma_yf", err);
}

static gpa_status path_of(char *path, size_t size, const struct reading *r,
                          const char *ending, gpa_error *err)
{
    int n =
        snprintf(path, size, "%s/%s%s", r->a->text[OPT_CASES], r->set->name, ending);
    if (n < 0 || (size_t)n >= size)
        return gpai_fail(err, GPA_IO, "%.80s: the path is too long", r->set->name);
    return GPA_OK;
}

static gpa_status read_meta(struct reading *r, gpa_error *err)
{
    char path[4096];
    struct stat info;
    gpa_status st = path_of(path, sizeof path, r, ENDING, err);
    if (st != GPA_OK)
        return st;
    FILE *f = fopen(path, "rb");
    if (f == NULL || fstat(fileno(f), &info) != 0)
        st = gpai_fail(err, GPA_IO, "%.200s: %s", path, strerror(errno));
    else if (info.st_size > MOST_BYTES)
        st = gpai_fail(err, GPA_DATA, "%.200s: too large", path);
    else
        r->meta = json_loadf(f, 0, NULL);
    if (f != NULL)
        fclose(f);
    return st;
}

static gpa_status read_table(gpa_table **out, const struct reading *r,
                             const char *ending, const char *text, gpa_error *err)
{
    char path[4096];
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.text_column = text;
    gpa_status st = path_of(path, sizeof path, r, ending, err);
    return st == GPA_OK ? gpa_table_read(out, path, &opt, err) : st;
}

static gpa_status numbers(const gpa_table *t, const char *name, const double **out,
                          gpa_error *err)
{
    size_t column = 0;
    gpa_status st = gpa_table_find(t, name, &column, err);
    if (st != GPA_OK)
        return gpai_fail(err, GPA_DATA, "no column '%s'", name);
    *out = gpa_table_numbers(t, column, err);
    return *out != NULL ? GPA_OK : GPA_DATA;
}

/* The inputs' columns, with `prefix` before each name, as a matrix to be freed; what is
 * missing is NaN. */
static gpa_status matrix(const struct reading *r, const gpa_table *t,
                         const char *prefix, double **out, gpa_error *err)
{
    size_t d = r->set->d, n = gpa_table_rows(t);
    char name[100];
    for (size_t k = 0; k < d; k++) {
        snprintf(name, sizeof name, "%s%s", prefix,
                 json_string_value(json_array_get(r->names, k)));
        if (gpa_table_find(t, name, &r->columns[k], err) != GPA_OK)
            return gpai_fail(err, GPA_DATA, "%.80s: no column '%s'", r->set->name,
                             name);
        if (gpa_table_numbers(t, r->columns[k], err) == NULL)
            return GPA_DATA;
    }
    *out = n <= SIZE_MAX / d ? gpai_calloc(n * d, sizeof **out) : NULL;
    if (*out == NULL)
        return gpai_nomem(err, "bench");
    return gpa_table_matrix(t, r->columns, d, false, *out, err);
}

/* "3;7" blames inputs 3 and 7. */
static bool read_culprits(struct fault_set *s, struct fault *f, const char *text)
{
    while (text != NULL && *text != '\0') {
        char *end;
        if (*text < '0' || *text > '9')
            return false;
        unsigned long k = strtoul(text, &end, 10);
        if (k >= s->d || (*end != ';' && *end != '\0'))
            return false;
        faults_blame(s, f, k);
        text = *end == ';' ? end + 1 : end;
    }
    return true;
}

static void copy_case(const struct reading *r, struct fault *f, size_t row,
                      const double *y, const double *source)
{
    size_t d = r->set->d;
    memcpy(f->x, r->x + row * d, f->n * d * sizeof *f->x);
    memcpy(f->y, y + row, f->n * sizeof *f->y);
    memcpy(f->source, source + row, f->n * sizeof *f->source);
    for (size_t t = 0; t < f->n; t++)
        for (size_t k = 0; k < d; k++) {
            f->repair[k] += r->repair[(row + t) * d + k] / (double)f->n;
            f->gap = f->gap || isnan(f->x[t * d + k]);
        }
}

static gpa_status read_cases(struct reading *r, gpa_error *err)
{
    const double *y = NULL, *source = NULL, *number = NULL, *size = NULL;
    size_t kind = 0, culprits = 0, rows = gpa_table_rows(r->cases), n;
    gpa_status st = GPA_OK;
    if ((st = numbers(r->cases, "y", &y, err)) != GPA_OK ||
        (st = numbers(r->cases, "source", &source, err)) != GPA_OK ||
        (st = numbers(r->cases, "case", &number, err)) != GPA_OK ||
        (st = numbers(r->cases, "N", &size, err)) != GPA_OK ||
        (st = matrix(r, r->cases, "x_", &r->x, err)) != GPA_OK ||
        (st = matrix(r, r->cases, "dtrue_", &r->repair, err)) != GPA_OK)
        return st;
    if (gpa_table_find(r->cases, "kind", &kind, NULL) != GPA_OK ||
        gpa_table_find(r->cases, "culprits", &culprits, NULL) != GPA_OK)
        return gpai_fail(err, GPA_DATA, "%.80s.csv: no column 'kind' or 'culprits'",
                         r->set->name);
    for (size_t row = 0; row < rows && st == GPA_OK; row += n) {
        struct fault *f;
        const char *name = gpa_table_text(r->cases, row, kind);
        for (n = 1; row + n < rows && number[row + n] == number[row];)
            n++;
        st = faults_add(r->set, name != NULL ? name : "", n, &f, err);
        if (st != GPA_OK)
            return st;
        copy_case(r, f, row, y, source);
        if (size[row] != (double)n ||
            !read_culprits(r->set, f, gpa_table_text(r->cases, row, culprits)))
            st = gpai_fail(err, GPA_DATA, "%.80s.csv: line %zu: %s", r->set->name,
                           gpa_table_line(r->cases, row),
                           size[row] != (double)n ? "N is not the number of its rows"
                                                  : "a culprit that is no input");
    }
    return st;
}

static gpa_status read_batch(struct reading *r, gpa_error *err)
{
    struct fault_set *s = r->set;
    const double *number = NULL;
    s->n_rows = gpa_table_rows(r->batch);
    gpa_status st = numbers(r->batch, "row", &number, err);
    if (st == GPA_OK)
        st = matrix(r, r->batch, "", &s->rows, err);
    if (st != GPA_OK)
        return st;
    s->row_number = gpai_calloc(s->n_rows, sizeof *s->row_number);
    if (s->row_number == NULL)
        return gpai_nomem(err, "bench");
    memcpy(s->row_number, number, s->n_rows * sizeof *number);
    return GPA_OK;
}

static gpa_status read_set(struct reading *r, char reason[REASON_SIZE], gpa_error *err)
{
    struct fault_set *s = r->set;
    gpa_status st = read_meta(r, err);
    if (st == GPA_OK)
        st = read_inputs(r, err);
    if (st == GPA_OK)
        st = find_model(s, r->a, r->meta, r->worker, reason, err);
    if (st != GPA_OK || s->model == NULL)
        return st;
    if (gpa_model_dim(s->model) != s->d)
        return gpai_fail(err, GPA_INVALID, "%.80s: %zu inputs, the model takes %zu",
                         s->name, s->d, gpa_model_dim(s->model));
    st = read_table(&r->cases, r, ".csv", "culprits", err);
    if (st == GPA_OK)
        st = read_table(&r->batch, r, ".batch.csv", NULL, err);
    if (st == GPA_OK)
        st = read_batch(r, err);
    if (st == GPA_OK)
        st = kinds_find(s, r->a, r->meta, err);
    return st == GPA_OK ? read_cases(r, err) : st;
}

gpa_status cases_read(struct fault_set *s, const gpai_options *a, const char *name,
                      const char *worker, char reason[REASON_SIZE], gpa_error *err)
{
    struct reading r = {.set = s, .a = a, .worker = worker};
    s->name = name;
    gpa_status st = read_set(&r, reason, err);
    gpai_free(r.repair);
    gpai_free(r.x);
    gpai_free(r.columns);
    gpa_table_free(r.batch);
    gpa_table_free(r.cases);
    json_decref(r.meta);
    return st;
}
