#include "serve/ask/own.h"
#include "base/alloc.h"
#include "base/status.h"
#include <string.h>

/* Cells of rows under way. */
struct cells {
    struct asked *a;
    const gpa_study *s;
    const char **text; /* a row: d inputs, the target */
    const char **ids;  /* NULL: rows have no names */
};

static bool is_target(const gpa_study *s, const char *name)
{
    return strcmp(name, gpa_study_target(s)) == 0 ||
           strcmp(name, s->target_called) == 0;
}

static bool is_id(const gpa_study *s, const char *name)
{
    return s->id != GPAI_NO_COLUMN &&
           strcmp(name, gpa_table_name(s->table, s->id)) == 0;
}

/* A one-hot group by its name: 1 in the column of the level, 0 in the others. */
static gpa_status take_group(const struct cells *c, const char **row, size_t first,
                             const char *level, gpa_error *err)
{
    const gpa_study *s = c->s;
    size_t group = s->kinds[first].group, found = 0;
    for (size_t k = first; k < s->d; k++) {
        const gpa_input *in = &s->kinds[k];
        if (in->group != group)
            continue;
        bool is = strcmp(in->label != NULL ? in->label : s->called[k], level) == 0;
        row[k] = is ? "1" : "0";
        found += is;
    }
    return found > 0 || s->kinds[first].dropped
               ? GPA_OK
               : gpai_fail(err, GPA_INVALID, "'%.80s' has no level '%.80s'",
                           s->kinds[first].name, level);
}

static gpa_status take_cell(const struct cells *c, const char **row, size_t i,
                            const char *name, const gpai_value *v, gpa_error *err)
{
    const gpa_study *s = c->s;
    const char *text = question_text(&c->a->question, v);
    size_t k = s->d;
    if (text == NULL)
        return gpai_fail(err, GPA_INVALID, "row %zu: '%.80s' has no value that is one",
                         i, name);
    if (is_id(s, name)) {
        c->ids[i] = text;
        return GPA_OK;
    }
    if (!is_target(s, name)) {
        if (gpai_study_find_group(s, name, strlen(name), &k))
            return take_group(c, row, k, text, err);
        gpa_error why = {0};
        if (gpai_study_find_input(s, "row", name, strlen(name), &k, &why) != GPA_OK)
            return gpai_fail(err, GPA_INVALID, "row %zu: %.400s", i,
                             why.message + strlen("--row: "));
    }
    row[k] = text;
    return GPA_OK;
}

static gpa_status take_row(const struct cells *c, size_t i, gpa_error *err)
{
    const gpai_value *from = question_own(&c->a->question, i);
    const char **row = c->text + i * (c->s->d + 1);
    gpa_status st = GPA_OK;
    for (size_t m = 0; m < gpai_value_members(from) && st == GPA_OK; m++)
        st = take_cell(c, row, i, gpai_value_key(from, m), gpai_value_member(from, m),
                       err);
    if (c->ids != NULL && c->ids[i] == NULL)
        c->ids[i] = "new";
    return st;
}

gpa_status own_open(struct asked *a, const gpai_options *given, const char *command,
                    gpa_model *model, gpa_error *err)
{
    const gpa_study *s = a->x->on->study;
    size_t n = a->question.own;
    struct cells c = {.a = a, .s = s};
    c.text = gpai_calloc(n, (s->d + 1) * sizeof *c.text);
    c.ids = s->ids != NULL ? gpai_calloc(n, sizeof *c.ids) : NULL;
    gpa_status st = c.text == NULL || (s->ids != NULL && c.ids == NULL)
                        ? gpai_nomem(err, "serve")
                        : GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = take_row(&c, i, err);
    if (st == GPA_OK)
        st = gpai_study_own(&a->study, s, given, command, a->question.settings,
                            a->question.n, c.text, c.ids, n, model, err);
    gpai_free(c.ids);
    gpai_free(c.text);
    return st;
}
