#include "lab/planted/kinds.h"
#include "base/alloc.h"
#include "base/status.h"
#include <string.h>

/* What is known of a column, and the names of its levels. */
struct known {
    gpai_kind_column column;
    const char **level; /* NULL: they have none */
    size_t levels;
};

static gpa_status read_levels(struct known *c, const json_t *meta, gpa_error *err)
{
    const json_t *names =
        json_object_get(json_object_get(meta, "levels"), c->column.name);
    c->levels = json_array_size(names);
    if (c->levels == 0)
        return GPA_OK;
    c->level = gpai_calloc(c->levels, sizeof *c->level);
    if (c->level == NULL)
        return gpai_nomem(err, "bench");
    for (size_t i = 0; i < c->levels; i++) {
        c->level[i] = json_string_value(json_array_get(names, i));
        if (c->level[i] == NULL)
            return gpai_fail(err, GPA_DATA, "levels of '%.80s': not all are texts",
                             c->column.name);
    }
    return GPA_OK;
}

/* Levels that have names are text for a model that takes text. */
static gpa_status read_column(struct known *c, const struct fault_set *s, size_t k,
                              const json_t *meta, gpa_error *err)
{
    const json_t *name = json_array_get(json_object_get(meta, "variables"), k);
    c->column = (gpai_kind_column){
        .name = json_string_value(name), .value = s->rows + k, .stride = s->d};
    gpa_status st = read_levels(c, meta, err);
    if (st == GPA_OK && c->level != NULL && gpa_model_takes_text(s->model)) {
        c->column.writing = GPA_WRITING_LEVEL;
        c->column.level_name = c->level;
        c->column.levels = c->levels;
    }
    return st;
}

static gpa_status infer(struct fault_set *s, const struct known *known, gpa_error *err)
{
    gpai_kind_column *columns = gpai_calloc(s->d, sizeof *columns);
    if (columns == NULL)
        return gpai_nomem(err, "bench");
    for (size_t k = 0; k < s->d; k++)
        columns[k] = known[k].column;
    gpa_status st = gpai_kinds_infer(&s->known, columns, s->d, s->n_rows, err);
    gpai_free(columns);
    for (size_t k = 0; k < s->d && st == GPA_OK; k++)
        if (known[k].level != NULL && known[k].column.writing == GPA_WRITING_NUMBER)
            st = gpai_kinds_levels(&s->known, k, known[k].level, known[k].levels,
                                   &known[k].column, s->n_rows, err);
    return st;
}

/* --kind COL=KIND, --kind all=number. */
static gpa_status take_kind(struct fault_set *s, const struct known *known,
                            const char *text, gpa_error *err)
{
    const char *equals = strrchr(text, '=');
    size_t k = 0, length = equals != NULL ? (size_t)(equals - text) : 0;
    int kind = GPA_KIND_NUMBER;
    while (equals != NULL && gpa_kind_name((gpa_kind)kind) != NULL &&
           strcmp(gpa_kind_name((gpa_kind)kind), equals + 1) != 0)
        kind++;
    if (equals == NULL || gpa_kind_name((gpa_kind)kind) == NULL)
        return gpai_fail(
            err, GPA_INVALID,
            "--kind: '%.100s' is not COL=number, whole, flag, choice or held", text);
    while (k < s->d && (strlen(known[k].column.name) != length ||
                        strncmp(known[k].column.name, text, length) != 0))
        k++;
    if (k < s->d)
        return gpai_kinds_set(&s->known, k, (gpa_kind)kind, &known[k].column, s->n_rows,
                              err);
    if (strcmp(text, "all=number") != 0)
        return gpai_fail(err, GPA_INVALID, "--kind: %.80s has no input '%.*s'", s->name,
                         (int)length, text);
    gpai_kinds_all_numbers(&s->known);
    return GPA_OK;
}

/* Which columns the description says are one input: numbers from 1 into `group`. */
static const size_t *read_groups(const struct fault_set *s, const json_t *meta,
                                 size_t *group)
{
    json_t *groups = json_object_get(meta, "groups"), *columns, *column;
    const json_t *names = json_object_get(meta, "variables");
    const char *name;
    size_t i, number = 0;
    json_object_foreach(groups, name, columns)
    {
        number++;
        json_array_foreach(columns, i, column) for (size_t k = 0; k < s->d; k++)
        {
            if (json_equal(json_array_get(names, k), column))
                group[k] = number;
        }
    }
    return groups != NULL ? group : NULL;
}

gpa_status kinds_find(struct fault_set *s, const gpai_options *a, const json_t *meta,
                      gpa_error *err)
{
    struct known *known = gpai_calloc(s->d, sizeof *known);
    size_t *group = gpai_calloc(s->d, sizeof *group);
    gpa_status st = known != NULL && group != NULL ? GPA_OK : gpai_nomem(err, "bench");
    for (size_t k = 0; k < s->d && st == GPA_OK; k++)
        st = read_column(&known[k], s, k, meta, err);
    if (st == GPA_OK)
        st = infer(s, known, err);
    for (size_t i = 0; i < a->repeats && st == GPA_OK; i++)
        if (a->repeat[i].option == OPT_KIND)
            st = take_kind(s, known, a->repeat[i].text, err);
    if (st == GPA_OK)
        st = gpa_model_set_kinds(s->model, s->known.input, s->d, err);
    if (st == GPA_OK)
        faults_kinds(s, s->known.input, read_groups(s, meta, group));
    for (size_t k = 0; known != NULL && k < s->d; k++)
        gpai_free(known[k].level);
    gpai_free(known);
    gpai_free(group);
    return st;
}
