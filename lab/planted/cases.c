#include "lab/planted/cases.h"
#include "console/say.h"
#include "lab/planted/cases_model.h"
#include "lab/planted/meta.h"
#include "lab/write.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ENDING[] = ".meta.json";

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool append(struct case_list *l, const char *name, size_t length)
{
    char **more = realloc(l->names, (l->n + 1) * sizeof *more);
    if (more == NULL)
        return false;
    l->names = more;
    more[l->n] = room(length + 1, 1);
    if (more[l->n] == NULL)
        return false;
    memcpy(more[l->n++], name, length);
    return true;
}

static bool listed(const struct case_list *l, const char *name, size_t length)
{
    for (size_t i = 0; i < l->n; i++)
        if (strlen(l->names[i]) == length && memcmp(l->names[i], name, length) == 0)
            return true;
    return false;
}

static gpa_status read_directory(struct case_list *l, const char *path, gpa_error *err)
{
    struct dirent *entry;
    size_t ending = strlen(ENDING);
    DIR *dir = opendir(path);
    if (dir == NULL)
        return fail(err, GPA_IO, "%.200s: %s", path, strerror(errno));
    bool room_left = true;
    while (room_left && (entry = readdir(dir)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length > ending && entry->d_name[0] != '.' &&
            strcmp(entry->d_name + length - ending, ENDING) == 0)
            room_left = append(l, entry->d_name, length - ending);
    }
    closedir(dir);
    if (!room_left)
        return fail(err, GPA_NOMEM, "out of memory");
    if (l->n == 0)
        return fail(err, GPA_DATA, "%.200s: no file *%s", path, ENDING);
    qsort(l->names, l->n, sizeof *l->names, by_name);
    return GPA_OK;
}

/* Keeps the sets named by "A,B". */
static gpa_status keep_named(struct case_list *l, const char *wanted, const char *path,
                             gpa_error *err)
{
    struct case_list kept = {0};
    gpa_status st = GPA_OK;
    for (const char *p = wanted; p != NULL && st == GPA_OK;) {
        size_t length = strcspn(p, ",");
        if (!listed(l, p, length))
            st = fail(err, GPA_INVALID, "--set: no set '%.*s' in %.200s",
                      length < 80 ? (int)length : 80, p, path);
        else if (!listed(&kept, p, length) && !append(&kept, p, length))
            st = fail(err, GPA_NOMEM, "out of memory");
        p = p[length] == ',' ? p + length + 1 : NULL;
    }
    cases_list_free(l);
    *l = kept;
    if (st == GPA_OK)
        qsort(l->names, l->n, sizeof *l->names, by_name);
    return st;
}

gpa_status cases_list(struct case_list *l, const gpai_options *a, gpa_error *err)
{
    const char *path = a->text[OPT_CASES];
    gpa_status st = read_directory(l, path, err);
    if (st == GPA_OK && a->given[OPT_SET])
        st = keep_named(l, a->text[OPT_SET], path, err);
    return st;
}

void cases_list_free(struct case_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->names[i]);
    free(l->names);
    *l = (struct case_list){0};
}

/* A set on its way from the files. */
struct reading {
    struct fault_set *set;
    const gpai_options *a;
    char *meta;         /* the text of NAME.meta.json */
    char (*inputs)[80]; /* d names */
    gpa_table *cases, *batch;
    size_t *columns; /* d, to choose with */
    double *x, *repair;
};

static gpa_status bad_meta(const struct reading *r, const char *key, gpa_error *err)
{
    return fail(err, GPA_DATA, "%.200s%s: no usable '%s'", r->set->name, ENDING, key);
}

static size_t count(struct span array)
{
    struct span element;
    size_t at = 0, n = 0;
    while (meta_next(array, &at, &element))
        n++;
    return n;
}

static gpa_status read_inputs(struct reading *r, gpa_error *err)
{
    struct fault_set *s = r->set;
    struct span names, units, element;
    if (!meta_find(r->meta, "variables", &names) || count(names) == 0)
        return bad_meta(r, "variables", err);
    s->d = count(names);
    if (!meta_find(r->meta, "scale", &units) || count(units) != s->d)
        return bad_meta(r, "scale", err);
    s->unit = room(s->d, sizeof *s->unit);
    r->inputs = room(s->d, sizeof *r->inputs);
    r->columns = room(s->d, sizeof *r->columns);
    if (s->unit == NULL || r->inputs == NULL || r->columns == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    size_t at = 0;
    for (size_t k = 0; meta_next(names, &at, &element); k++)
        if (!meta_string(element, r->inputs[k], sizeof r->inputs[k]))
            return bad_meta(r, "variables", err);
    at = 0;
    for (size_t k = 0; meta_next(units, &at, &element); k++)
        if (!meta_number(element, &s->unit[k]) || s->unit[k] <= 0)
            return bad_meta(r, "scale", err);
    if (!meta_find(r->meta, "sigma_yf", &element) || !meta_number(element, &s->sigma) ||
        s->sigma <= 0)
        return bad_meta(r, "sigma_yf", err);
    return GPA_OK;
}

static gpa_status path_of(char *path, size_t size, const struct reading *r,
                          const char *ending, gpa_error *err)
{
    int n =
        snprintf(path, size, "%s/%s%s", r->a->text[OPT_CASES], r->set->name, ending);
    if (n < 0 || (size_t)n >= size)
        return fail(err, GPA_IO, "%.80s: the path is too long", r->set->name);
    return GPA_OK;
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
        return fail(err, GPA_DATA, "no column '%s'", name);
    *out = gpa_table_numbers(t, column, err);
    return *out != NULL ? GPA_OK : GPA_DATA;
}

/* The inputs' columns, with `prefix` before each name, as a matrix to be freed. */
static gpa_status matrix(const struct reading *r, const gpa_table *t,
                         const char *prefix, double **out, gpa_error *err)
{
    size_t d = r->set->d, n = gpa_table_rows(t);
    char name[100];
    for (size_t k = 0; k < d; k++) {
        snprintf(name, sizeof name, "%s%s", prefix, r->inputs[k]);
        if (gpa_table_find(t, name, &r->columns[k], err) != GPA_OK)
            return fail(err, GPA_DATA, "%.80s: no column '%s'", r->set->name, name);
        if (gpa_table_numbers(t, r->columns[k], err) == NULL)
            return GPA_DATA;
    }
    *out = n <= SIZE_MAX / d ? room(n * d, sizeof **out) : NULL;
    if (*out == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    return gpa_table_matrix(t, r->columns, d, true, *out, err);
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
        for (size_t k = 0; k < d; k++)
            f->repair[k] += r->repair[(row + t) * d + k] / (double)f->n;
}

static gpa_status read_cases(struct reading *r, gpa_error *err)
{
    const double *y, *source, *number, *size;
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
        return fail(err, GPA_DATA, "%.80s.csv: no column 'kind' or 'culprits'",
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
            st = fail(err, GPA_DATA, "%.80s.csv: line %zu: %s", r->set->name,
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
    s->row_number = room(s->n_rows, sizeof *s->row_number);
    if (s->row_number == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    memcpy(s->row_number, number, s->n_rows * sizeof *number);
    return GPA_OK;
}

static gpa_status read_set(struct reading *r, char reason[REASON_SIZE], gpa_error *err)
{
    struct fault_set *s = r->set;
    char path[4096];
    gpa_status st = path_of(path, sizeof path, r, ENDING, err);
    if (st == GPA_OK)
        st = meta_read(path, &r->meta, err);
    if (st == GPA_OK)
        st = read_inputs(r, err);
    if (st == GPA_OK)
        st = cases_model(s, r->a, r->meta, reason, err);
    if (st != GPA_OK || s->model == NULL)
        return st;
    if (gpa_model_dim(s->model) != s->d)
        return fail(err, GPA_INVALID, "%.80s: %zu inputs, the model takes %zu", s->name,
                    s->d, gpa_model_dim(s->model));
    st = read_table(&r->cases, r, ".csv", "culprits", err);
    if (st == GPA_OK)
        st = read_table(&r->batch, r, ".batch.csv", NULL, err);
    if (st == GPA_OK)
        st = read_cases(r, err);
    return st == GPA_OK ? read_batch(r, err) : st;
}

gpa_status cases_read(struct fault_set *s, const gpai_options *a, const char *name,
                      char reason[REASON_SIZE], gpa_error *err)
{
    struct reading r = {.set = s, .a = a};
    s->name = strdup(name);
    gpa_status st = s->name != NULL ? read_set(&r, reason, err)
                                    : fail(err, GPA_NOMEM, "out of memory");
    free(r.repair);
    free(r.x);
    free(r.columns);
    free(r.inputs);
    gpa_table_free(r.batch);
    gpa_table_free(r.cases);
    free(r.meta);
    return st;
}
