#include "base/alloc.h"
#include "base/status.h"
#include "study/study.h"
#include <stdio.h>
#include <string.h>

/* A list of columns under construction, and for every column whether it is in it. */
struct list {
    size_t *columns, n;
    bool *has;
};

static bool make_list(struct list *l, size_t all)
{
    l->columns = gpai_calloc(all, sizeof *l->columns);
    l->has = gpai_calloc(all, sizeof *l->has);
    return l->columns != NULL && l->has != NULL;
}

static void add(struct list *l, size_t column)
{
    l->columns[l->n++] = column;
    l->has[column] = true;
}

static void empty(struct list *l)
{
    while (l->n > 0)
        l->has[l->columns[--l->n]] = false;
}

/* Finds a column; when there is none the message names the option too. */
static gpa_status find_column(const gpa_table *t, const char *option, const char *name,
                              size_t *column, gpa_error *err)
{
    gpa_error why;
    gpa_status st = gpa_table_find(t, name, column, &why);
    if (st == GPA_OK)
        return st;
    return gpai_fail(err, st, "--%s: %.440s", option, why.message);
}

/* Finds each name of "A,B,C". The list has room for every column of the table. */
static gpa_status parse_names(const gpa_table *t, const char *option, const char *names,
                              struct list *out, gpa_error *err)
{
    char *copy = gpai_strdup(names);
    gpa_status st = GPA_OK;
    if (copy == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    for (char *p = copy, *next; st == GPA_OK && p != NULL; p = next) {
        size_t column = 0;
        next = strchr(p, ',');
        if (next != NULL)
            *next++ = '\0';
        st = find_column(t, option, p, &column, err);
        if (st == GPA_OK && out->has[column])
            st = gpai_fail(err, GPA_INVALID, "--%s: '%s' twice", option, p);
        if (st == GPA_OK)
            add(out, column);
    }
    gpai_free(copy);
    return st;
}

/* What is known of the model, which may not be made yet. */
static size_t model_dim(const gpa_study *s)
{
    return s->model != NULL ? gpa_model_dim(s->model) : s->function.d;
}

static const char *model_input(const gpa_study *s, size_t k)
{
    if (s->model != NULL)
        return gpa_model_variable(s->model, k);
    return s->function.names != NULL ? s->function.names[k] : NULL;
}

/* The inputs by the names the model knows. A model that knows none, or a file that has
 * none of them (columns x1, x2, …), leaves the list empty: columns then count by their
 * order. Some but not all of them is a mistake that must not pass in silence. */
static gpa_status by_model(gpa_study *s, struct list *out, gpa_error *err)
{
    size_t d = model_dim(s), column = 0, found = 0;
    const char *missing = NULL;
    for (size_t k = 0; k < d; k++) {
        const char *name = model_input(s, k);
        if (name == NULL)
            return GPA_OK;
        bool there = gpa_table_find(s->table, name, &column, NULL) == GPA_OK;
        if (there && out->has[column])
            return gpai_fail(
                err, GPA_INVALID,
                "the model names its input '%.60s' twice; give --features in "
                "the model's order",
                name);
        if (!there || column == s->target || column == s->id)
            missing = missing != NULL ? missing : name;
        else if (found++ < gpa_table_columns(s->table))
            add(out, column);
    }
    if (missing == NULL)
        return GPA_OK;
    empty(out);
    if (found == 0) {
        if (!s->given.given[OPT_NO_HEADER])
            gpai_study_say(
                s,
                "warning: no column is called as an input of the model ('%.60s', ...): "
                "columns count by their order; --features would say it surely",
                missing);
        return GPA_OK;
    }
    if (s->target != GPAI_NO_COLUMN &&
        strcmp(missing, gpa_table_name(s->table, s->target)) == 0)
        return gpai_fail(
            err, GPA_INVALID,
            "the model's input '%.60s' was taken as the target (the last column "
            "unless --target says otherwise): give --target",
            missing);
    return gpai_fail(
        err, GPA_INVALID,
        "the model's input '%.60s' is no input column of the data, but %zu of its %zu "
        "inputs are; rename the column, or give --features in the model's order",
        missing, found, d);
}

static void all_but(const gpa_study *s, const struct list *dropped, struct list *out)
{
    for (size_t c = 0; c < gpa_table_columns(s->table); c++)
        if (c != s->target && c != s->id && !dropped->has[c])
            add(out, c);
}

static gpa_status check_features(const gpa_study *s, const struct list *inputs,
                                 gpa_error *err)
{
    for (size_t i = 0; i < inputs->n; i++) {
        const char *role = inputs->columns[i] == s->target ? "target"
                           : inputs->columns[i] == s->id   ? "id"
                                                           : NULL;
        if (role != NULL)
            return gpai_fail(err, GPA_INVALID, "--features: '%s' is the %s",
                             gpa_table_name(s->table, inputs->columns[i]), role);
    }
    return GPA_OK;
}

/* "a, b, c, …" within a message. */
static void list_names(const gpa_table *t, const struct list *l, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < l->n && used + 40 < size; i++) {
        const char *name = gpa_table_name(t, l->columns[i]);
        const char *more = i == 8 ? ", ..." : "";
        int n = snprintf(out + used, size - used, "%s%.20s%s", i > 0 ? ", " : "", name,
                         more);
        used += n > 0 ? (size_t)n : 0;
        if (i == 8)
            return;
    }
}

static gpa_status check_number(const gpa_study *s, const struct list *inputs,
                               gpa_error *err)
{
    char names[300];
    size_t d = model_dim(s);
    if (inputs->n == d || (d == 0 && inputs->n > 0)) /* 0: it takes any number */
        return GPA_OK;
    list_names(s->table, inputs, names, sizeof names);
    return gpai_fail(
        err, GPA_INVALID,
        "the model has %zu inputs, the data gives %zu (%s) with target %.40s: use "
        "--features, --drop or --target",
        d, inputs->n, inputs->n > 0 ? names : "none",
        gpa_table_name(s->table, s->target));
}

static gpa_status choose_inputs(gpa_study *s, struct list *inputs, struct list *dropped,
                                gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (s->given.given[OPT_DROP])
        st = parse_names(s->table, "drop", s->given.text[OPT_DROP], dropped, err);
    if (st != GPA_OK)
        return st;
    if (s->given.given[OPT_FEATURES])
        st =
            parse_names(s->table, "features", s->given.text[OPT_FEATURES], inputs, err);
    else if (!s->given.given[OPT_DROP])
        st = by_model(s, inputs, err);
    if (st == GPA_OK && inputs->n == 0)
        all_but(s, dropped, inputs);
    for (size_t i = 0; st == GPA_OK && s->given.given[OPT_FEATURES] && i < dropped->n;
         i++)
        if (inputs->has[dropped->columns[i]])
            st = gpai_fail(err, GPA_INVALID, "'%s' is both in --features and in --drop",
                           gpa_table_name(s->table, dropped->columns[i]));
    if (st == GPA_OK)
        st = check_features(s, inputs, err);
    if (st == GPA_OK)
        st = check_number(s, inputs, err);
    return st;
}

gpa_status gpai_choose_columns(gpa_study *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    size_t all = gpa_table_columns(s->table);
    struct list inputs = {0}, dropped = {0};
    s->target = all - 1;
    s->id = GPAI_NO_COLUMN;
    if (!make_list(&inputs, all) || !make_list(&dropped, all)) {
        st = gpai_fail(err, GPA_NOMEM, "out of memory");
        goto done;
    }
    if (s->given.given[OPT_ID])
        st = find_column(s->table, "id", s->given.text[OPT_ID], &s->id, err);
    if (st == GPA_OK && s->given.given[OPT_TARGET])
        st =
            find_column(s->table, "target", s->given.text[OPT_TARGET], &s->target, err);
    else if (s->id == s->target && all > 1)
        s->target = all - 2; /* the last column that is not the id */
    if (st == GPA_OK)
        st = choose_inputs(s, &inputs, &dropped, err);
done:
    s->columns = inputs.columns;
    s->d = inputs.n;
    gpai_free(inputs.has);
    gpai_free(dropped.has);
    gpai_free(dropped.columns);
    return st;
}
