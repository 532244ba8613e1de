#include "serve/ask/question.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "data/json.h"
#include "serve/serving.h"
#include <stdio.h>
#include <string.h>

static char *keep(struct question *q, char *text)
{
    if (text == NULL ||
        !gpai_grow(&q->kept, &q->kept_room, q->n_kept + 1, sizeof *q->kept)) {
        gpai_free(text);
        return NULL;
    }
    return q->kept[q->n_kept++] = text;
}

static gpa_status set(struct question *q, const char *name, const char *value,
                      gpa_error *err)
{
    if (!gpai_grow(&q->settings, &q->room, q->n + 1, sizeof *q->settings))
        return gpai_nomem(err, "serve");
    q->settings[q->n++] = (gpai_setting){.name = name, .value = value};
    return GPA_OK;
}

static bool is_word(const char *value, const char *const *words)
{
    while (*words != NULL && strcmp(value, *words) != 0)
        words++;
    return *words != NULL;
}

static gpa_status take_until(struct question *q, const char *value, gpa_error *err)
{
    static const char *const WORDS[] = {"all", "change", "verdict", NULL};
    if (value == NULL || !is_word(value, WORDS))
        return gpai_fail(err, GPA_INVALID, "until: all, change or verdict");
    q->until = strcmp(value, "verdict") == 0  ? UNTIL_VERDICT
               : strcmp(value, "change") == 0 ? UNTIL_CHANGE
                                              : UNTIL_ALL;
    return q->until == UNTIL_CHANGE ? set(q, "marginals", "none", err) : GPA_OK;
}

/* Words of reports. */
static gpa_status take_shape(struct question *q, const char *name, const char *value,
                             gpa_error *err)
{
    static const char *const FORMATS[] = {"html", "json", "json-full", "csv",
                                          "svg",  "png",  NULL};
    static const char *const OF[] = {"explain", "compare", NULL};
    const char **to = strcmp(name, "format") == 0    ? &q->format
                      : strcmp(name, "picture") == 0 ? &q->picture
                                                     : &q->of;
    if (value == NULL || (to == &q->format && !is_word(value, FORMATS)) ||
        (to == &q->of && !is_word(value, OF)))
        return gpai_fail(err, GPA_INVALID, "%s: '%.40s' is none", name,
                         value != NULL ? value : "");
    *to = value;
    return GPA_OK;
}

static bool is_shape(const char *name)
{
    return strcmp(name, "format") == 0 || strcmp(name, "picture") == 0 ||
           strcmp(name, "of") == 0;
}

/* Options that a question may set: name as in requests and on the command line. */
static bool is_option(const char *name)
{
    static const char *const NAMES[] = {"set",       "freeze", "bounds",
                                        "marginals", "seed",   NULL};
    return is_word(name, NAMES);
}

static gpa_status take_own(struct question *q, const char *text, gpa_error *err)
{
    if (q->body != NULL)
        return gpai_fail(err, GPA_INVALID, "row: given twice");
    gpa_status st = gpai_json_parse(&q->body, text, strlen(text), "row", err);
    q->own = st == GPA_OK ? 1 : 0;
    q->bare = true;
    if (st == GPA_OK && !gpai_value_is_object(q->body))
        st = gpai_fail(err, GPA_INVALID, "row: an object of columns and values");
    return st;
}

/* A parameter of a request. */
static gpa_status take_param(struct question *q, const char *name, const char *value,
                             gpa_error *err)
{
    bool no = value[0] == '\0';
    if (strcmp(name, "rows") == 0) {
        q->has_rows = true;
        return set(q, "rows", value, err);
    }
    if (strcmp(name, "row") == 0)
        return take_own(q, value, err);
    if (strcmp(name, "collective") == 0) {
        q->collective = strcmp(value, "0") != 0 && strcmp(value, "false") != 0;
        return GPA_OK;
    }
    if (strcmp(name, "profiles") == 0) {
        q->profiles = strcmp(value, "0") != 0 && strcmp(value, "false") != 0;
        return GPA_OK;
    }
    if (strcmp(name, "until") == 0)
        return take_until(q, value, err);
    if (is_shape(name))
        return take_shape(q, name, value, err);
    if (strcmp(name, "download") == 0)
        return GPA_OK;
    if (!is_option(name))
        return gpai_fail(err, GPA_INVALID, "'%.60s' is no part of a question", name);
    q->drop_freeze = q->drop_freeze || strcmp(name, "freeze") == 0;
    q->drop_bounds = q->drop_bounds || strcmp(name, "bounds") == 0;
    q->plain = q->plain && strcmp(name, "marginals") == 0;
    return no && strcmp(name, "set") != 0 ? GPA_OK : set(q, name, value, err);
}

const char *question_text(struct question *q, const gpai_value *v)
{
    char room[GPAI_NUMBER_ROOM];
    if (gpai_value_is_text(v))
        return gpai_value_text(v);
    if (gpai_value_is_null(v))
        return "";
    if (gpai_value_is_truth(v))
        return gpai_value_is_true(v) ? "true" : "false";
    if (!gpai_value_is_number(v))
        return NULL;
    gpai_number_text(gpai_value_number(v), room);
    return keep(q, gpai_strdup(room));
}

/* Texts, one after the other, as one that is kept. */
static const char *join(struct question *q, const char *a, const char *b, const char *c,
                        const char *d, const char *e)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + strlen(d) + strlen(e) + 1;
    char *text = gpai_calloc(size, 1);
    if (text != NULL)
        snprintf(text, size, "%s%s%s%s%s", a, b, c, d, e);
    return keep(q, text);
}

static gpa_status take_edits(struct question *q, const gpai_value *edits,
                             gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (!gpai_value_is_object(edits))
        return gpai_fail(err, GPA_INVALID, "edits: an object of inputs and values");
    for (size_t i = 0; i < gpai_value_members(edits) && st == GPA_OK; i++) {
        const char *name = gpai_value_key(edits, i);
        const char *value = question_text(q, gpai_value_member(edits, i));
        if (value == NULL)
            return gpai_fail(err, GPA_INVALID, "edits: '%.80s' is no value", name);
        const char *text = join(q, name, "=", value, "", "");
        st = text != NULL ? set(q, "set", text, err) : gpai_nomem(err, "serve");
    }
    q->plain = q->plain && gpai_value_members(edits) == 0;
    return st;
}

static gpa_status take_freeze(struct question *q, const gpai_value *list,
                              gpa_error *err)
{
    gpa_status st = GPA_OK;
    q->drop_freeze = true;
    q->plain = false;
    if (!gpai_value_is_list(list))
        return gpai_fail(err, GPA_INVALID, "freeze: a list of inputs");
    for (size_t i = 0; i < gpai_value_items(list) && st == GPA_OK; i++) {
        const char *name = gpai_value_text(gpai_value_at(list, i));
        st = name != NULL ? set(q, "freeze", name, err)
                          : gpai_fail(err, GPA_INVALID, "freeze: a list of inputs");
    }
    return st;
}

static gpa_status take_bounds(struct question *q, const gpai_value *bounds,
                              gpa_error *err)
{
    gpa_status st = GPA_OK;
    q->drop_bounds = true;
    q->plain = false;
    if (!gpai_value_is_object(bounds))
        return gpai_fail(err, GPA_INVALID, "bounds: an object of inputs and ends");
    for (size_t i = 0; i < gpai_value_members(bounds) && st == GPA_OK; i++) {
        const gpai_value *ends = gpai_value_member(bounds, i);
        const char *low = question_text(q, gpai_value_at(ends, 0));
        const char *high = question_text(q, gpai_value_at(ends, 1));
        const char *range = gpai_value_text(ends), *key = gpai_value_key(bounds, i);
        bool data = range != NULL && strcmp(range, "data") == 0;
        if (!data && (gpai_value_items(ends) != 2 || low == NULL || high == NULL))
            return gpai_fail(err, GPA_INVALID,
                             "bounds: '%.80s' needs [low, high] or \"data\"", key);
        const char *text =
            data ? join(q, key, "=", range, "", "") : join(q, key, "=", low, ":", high);
        st = text != NULL ? set(q, "bounds", text, err) : gpai_nomem(err, "serve");
    }
    return st;
}

/* Row numbers as the command line has them, or how many objects there are. */
static gpa_status take_rows(struct question *q, const gpai_value *rows, gpa_error *err)
{
    size_t n = gpai_value_items(rows);
    char *list = n > 0 && n <= EXPLAIN_ROWS ? gpai_calloc(n, 24) : NULL;
    size_t used = 0;
    if (!gpai_value_is_list(rows) || n == 0 || n > EXPLAIN_ROWS)
        return gpai_fail(err, GPA_INVALID, "rows: a list of 1 to %d rows",
                         (int)EXPLAIN_ROWS);
    if (keep(q, list) == NULL)
        return gpai_nomem(err, "serve");
    for (size_t i = 0; i < n; i++) {
        const gpai_value *row = gpai_value_at(rows, i);
        bool number = gpai_value_is_whole(row) && gpai_value_whole(row) >= 0;
        if (!number && !gpai_value_is_object(row))
            return gpai_fail(err, GPA_INVALID,
                             "rows: numbers of rows from 0, or objects");
        q->has_rows = q->has_rows || number;
        q->own += !number;
        if (number)
            used += (size_t)snprintf(list + used, 24, "%s%jd", used > 0 ? "," : "",
                                     (intmax_t)gpai_value_whole(row));
    }
    return q->has_rows ? set(q, "rows", list, err) : GPA_OK;
}

static gpa_status take_member(struct question *q, const char *key, const gpai_value *v,
                              gpa_error *err)
{
    if (strcmp(key, "rows") == 0)
        return take_rows(q, v, err);
    if (strcmp(key, "row") == 0) {
        q->own++;
        return gpai_value_is_object(v)
                   ? GPA_OK
                   : gpai_fail(err, GPA_INVALID,
                               "row: an object of columns and values");
    }
    if (strcmp(key, "edits") == 0)
        return take_edits(q, v, err);
    if (strcmp(key, "freeze") == 0)
        return take_freeze(q, v, err);
    if (strcmp(key, "bounds") == 0)
        return take_bounds(q, v, err);
    if (strcmp(key, "collective") == 0 || strcmp(key, "profiles") == 0) {
        if (!gpai_value_is_truth(v))
            return gpai_fail(err, GPA_INVALID, "%s: true or false", key);
        *(key[0] == 'c' ? &q->collective : &q->profiles) = gpai_value_is_true(v);
        return GPA_OK;
    }
    if (strcmp(key, "until") == 0)
        return take_until(q, gpai_value_text(v), err);
    if (is_shape(key))
        return take_shape(q, key, gpai_value_text(v), err);
    if (strcmp(key, "marginals") != 0 && strcmp(key, "seed") != 0)
        return gpai_fail(err, GPA_INVALID, "'%.60s' is no part of a question", key);
    const char *value = question_text(q, v);
    q->plain = q->plain && key[0] == 'm';
    return value != NULL ? set(q, key, value, err)
                         : gpai_fail(err, GPA_INVALID, "%s: no value", key);
}

static gpa_status take_body(struct question *q, const struct request *r, gpa_error *err)
{
    gpa_status st =
        gpai_json_parse(&q->body, r->body, r->body_size, "the question", err);
    if (st == GPA_DATA)
        st = err->status = GPA_INVALID;
    if (st == GPA_OK && gpai_value_is_list(q->body)) /* rows of one's own, bare */
        return take_rows(q, q->body, err);
    if (st == GPA_OK && !gpai_value_is_object(q->body))
        st =
            gpai_fail(err, GPA_INVALID, "the question is an object, or a list of rows");
    for (size_t i = 0; st == GPA_OK && i < gpai_value_members(q->body); i++)
        st = take_member(q, gpai_value_key(q->body, i), gpai_value_member(q->body, i),
                         err);
    return st;
}

gpa_status question_take(struct question *q, const struct request *r, gpa_error *err)
{
    gpa_status st = GPA_OK;
    *q = (struct question){.plain = true};
    if (r->method == METHOD_POST)
        st = take_body(q, r, err);
    for (size_t i = 0; r->method != METHOD_POST && st == GPA_OK && i < r->n_params; i++)
        st = take_param(q, r->params[i].name, r->params[i].value, err);
    if (st == GPA_OK && q->has_rows == (q->own > 0))
        st =
            gpai_fail(err, GPA_INVALID,
                      "which rows? \"rows\" are numbers of rows, or rows of one's own");
    if (st == GPA_OK && q->own > EXPLAIN_ROWS)
        st = gpai_fail(err, GPA_INVALID, "more than %d rows", (int)EXPLAIN_ROWS);
    q->plain = q->plain && !q->collective && q->own == 0;
    return st == GPA_OK && q->collective ? set(q, "collective", NULL, err) : st;
}

const gpai_value *question_own(const struct question *q, size_t i)
{
    if (gpai_value_is_list(q->body))
        return gpai_value_at(q->body, i);
    if (q->bare)
        return q->body;
    const gpai_value *rows = gpai_value_get(q->body, "rows");
    return rows != NULL ? gpai_value_at(rows, i) : gpai_value_get(q->body, "row");
}

void question_free(struct question *q)
{
    for (size_t i = 0; i < q->n_kept; i++)
        gpai_free(q->kept[i]);
    gpai_free(q->kept);
    gpai_free(q->settings);
    gpai_value_free(q->body);
}
