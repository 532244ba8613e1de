#include "cli/columns.h"
#include "cli/say.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of columns under construction. */
struct list {
    size_t *columns, n;
};

static bool among(const struct list *l, size_t column)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->columns[i] == column)
            return true;
    return false;
}

/* Finds a column; when there is none the message names the option too. */
static gpa_status find_column(const gpa_table *t, const char *option, const char *name,
                              size_t *column, gpa_error *err)
{
    gpa_status st = gpa_table_find(t, name, column, err);
    if (st != GPA_INVALID)
        return st;
    char message[sizeof err->message];
    memcpy(message, err->message, sizeof message);
    return fail(err, st, "--%s: %.440s", option, message);
}

/* Finds each name of "A,B,C". The list has room for every column of the table. */
static gpa_status parse_names(const gpa_table *t, const char *option, const char *names,
                              struct list *out, gpa_error *err)
{
    char *copy = strdup(names);
    gpa_status st = GPA_OK;
    if (copy == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (char *p = copy, *next; st == GPA_OK && p != NULL; p = next) {
        size_t column = 0;
        next = strchr(p, ',');
        if (next != NULL)
            *next++ = '\0';
        st = find_column(t, option, p, &column, err);
        if (st == GPA_OK && among(out, column))
            st = fail(err, GPA_INVALID, "--%s: '%s' twice", option, p);
        if (st == GPA_OK)
            out->columns[out->n++] = column;
    }
    free(copy);
    return st;
}

/* The inputs by the names the model knows. A model that knows none, or a file that has
 * none of them (columns x1, x2, …), leaves the list empty: columns then count by their
 * order. Some but not all of them is a mistake that must not pass in silence. */
static gpa_status by_model(const struct load *l, struct list *out, gpa_error *err)
{
    size_t d = gpa_model_dim(l->model), column = 0, found = 0;
    const char *missing = NULL;
    for (size_t k = 0; k < d; k++) {
        const char *name = gpa_model_variable(l->model, k);
        if (name == NULL)
            return GPA_OK;
        bool there = gpa_table_find(l->table, name, &column, NULL) == GPA_OK;
        if (there && among(out, column))
            return fail(err, GPA_INVALID,
                        "the model names its input '%.60s' twice; give --features in "
                        "the model's order",
                        name);
        if (!there || column == l->target || column == l->id)
            missing = missing != NULL ? missing : name;
        else if (found++ < gpa_table_columns(l->table))
            out->columns[out->n++] = column;
    }
    if (missing == NULL)
        return GPA_OK;
    out->n = 0;
    if (found == 0) {
        if (!l->nameless)
            say("warning: no column is called as an input of the model ('%.60s', ...): "
                "columns count by their order; --features would say it surely",
                missing);
        return GPA_OK;
    }
    if (l->target != NO_COLUMN &&
        strcmp(missing, gpa_table_name(l->table, l->target)) == 0)
        return fail(
            err, GPA_INVALID,
            "the model's input '%.60s' was taken as the target (the last column "
            "unless --target says otherwise): give --target",
            missing);
    return fail(
        err, GPA_INVALID,
        "the model's input '%.60s' is no input column of the data, but %zu of its %zu "
        "inputs are; rename the column, or give --features in the model's order",
        missing, found, d);
}

static void all_but(const struct load *l, const struct list *dropped, struct list *out)
{
    for (size_t c = 0; c < gpa_table_columns(l->table); c++)
        if (c != l->target && c != l->id && !among(dropped, c))
            out->columns[out->n++] = c;
}

static gpa_status check_features(const struct load *l, const struct list *inputs,
                                 gpa_error *err)
{
    for (size_t i = 0; i < inputs->n; i++) {
        const char *role = inputs->columns[i] == l->target ? "target"
                           : inputs->columns[i] == l->id   ? "id"
                                                           : NULL;
        if (role != NULL)
            return fail(err, GPA_INVALID, "--features: '%s' is the %s",
                        gpa_table_name(l->table, inputs->columns[i]), role);
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

static gpa_status check_number(const struct load *l, const struct list *inputs,
                               gpa_error *err)
{
    char names[300];
    size_t d = gpa_model_dim(l->model);
    if (inputs->n == d || (d == 0 && inputs->n > 0)) /* 0: it takes any number */
        return GPA_OK;
    list_names(l->table, inputs, names, sizeof names);
    return fail(
        err, GPA_INVALID,
        "the model has %zu inputs, the data gives %zu (%s) with target %.40s: use "
        "--features, --drop or --target",
        d, inputs->n, inputs->n > 0 ? names : "none",
        gpa_table_name(l->table, l->target));
}

static gpa_status check_text(const struct load *l, const struct list *inputs,
                             gpa_error *err)
{
    for (size_t i = 0; i < inputs->n; i++)
        if (gpa_table_numbers(l->table, inputs->columns[i], err) == NULL)
            return GPA_DATA;
    return GPA_OK;
}

static gpa_status choose_inputs(struct load *l, const struct args *a,
                                struct list *inputs, struct list *dropped,
                                gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (a->given[OPT_DROP])
        st = parse_names(l->table, "drop", a->text[OPT_DROP], dropped, err);
    if (st != GPA_OK)
        return st;
    if (a->given[OPT_FEATURES])
        st = parse_names(l->table, "features", a->text[OPT_FEATURES], inputs, err);
    else if (!a->given[OPT_DROP])
        st = by_model(l, inputs, err);
    if (st == GPA_OK && inputs->n == 0)
        all_but(l, dropped, inputs);
    for (size_t i = 0; st == GPA_OK && a->given[OPT_FEATURES] && i < dropped->n; i++)
        if (among(inputs, dropped->columns[i]))
            st = fail(err, GPA_INVALID, "'%s' is both in --features and in --drop",
                      gpa_table_name(l->table, dropped->columns[i]));
    if (st == GPA_OK)
        st = check_features(l, inputs, err);
    if (st == GPA_OK)
        st = check_number(l, inputs, err);
    if (st == GPA_OK)
        st = check_text(l, inputs, err);
    return st;
}

gpa_status choose_columns(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_status st = GPA_OK;
    size_t all = gpa_table_columns(l->table);
    struct list inputs = {.columns = room(all, sizeof(size_t))};
    struct list dropped = {.columns = room(all, sizeof(size_t))};
    l->target = all - 1;
    l->id = NO_COLUMN;
    if (inputs.columns == NULL || dropped.columns == NULL) {
        st = fail(err, GPA_NOMEM, "out of memory");
        goto done;
    }
    if (a->given[OPT_ID])
        st = find_column(l->table, "id", a->text[OPT_ID], &l->id, err);
    if (st == GPA_OK && a->given[OPT_TARGET])
        st = find_column(l->table, "target", a->text[OPT_TARGET], &l->target, err);
    else if (l->id == l->target && all > 1)
        l->target = all - 2; /* the last column that is not the id */
    if (st == GPA_OK)
        st = choose_inputs(l, a, &inputs, &dropped, err);
done:
    l->columns = inputs.columns;
    l->d = inputs.n;
    free(dropped.columns);
    return st;
}
