#include "base/alloc.h"
#include "base/text/input.h"
#include "report/saved/saved.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each input is, as json/inputs.c wrote it, and values that are text. */

/* The levels of one input. Those of text are numbered as they stand in the file; texts
 * of rows that are no such level follow behind, and are not proposed. */
struct gpai_saved_levels {
    double *level;
    const char **name;
    unsigned char *rare;
    size_t *sorted; /* the places of the names in the order of strcmp */
    size_t n;
};

struct work {
    gpai_reader *r;
    gpa_saved *s;
    size_t next; /* the first column that is not known yet */
    size_t groups;
};

/* What stands behind the point of a second; moves on. */
static double read_fraction(char **end)
{
    double digits = 0, power = 1;
    if (**end == '.')
        for (++*end; **end >= '0' && **end <= '9' && power < 1e15; ++*end) {
            digits = 10 * digits + (**end - '0');
            power *= 10;
        }
    return digits / power;
}

/* A day as ISO 8601, and behind it the time where there is one. */
static bool read_date(const char *text, bool time, double *out)
{
    char *end = NULL;
    long long year = strtoll(text, &end, 10);
    unsigned long part[5] = {1, 1, 0, 0, 0};
    static const char marks[] = "-- ::";
    for (size_t i = 0; i < (time ? 5 : 2); i++) {
        if (*end != marks[i] || end[1] < '0' || end[1] > '9')
            return false;
        part[i] = strtoul(end + 1, &end, 10);
    }
    double fraction = time ? read_fraction(&end) : 0;
    static const double FAR = 1e10; /* no date that is written is farther away */
    if (*end != '\0' || llabs(year) > (long long)FAR || part[0] < 1 || part[0] > 12 ||
        part[1] < 1 || part[1] > 31 || part[2] > 23 || part[3] > 59 || part[4] > 59)
        return false;
    double days =
        (double)gpai_days_from_date(year, (unsigned)part[0], (unsigned)part[1]);
    *out = time ? 86400 * days + (double)(3600 * part[2] + 60 * part[3] + part[4]) +
                      fraction
                : days;
    return true;
}

/* A text as a level of input k; its number of levels where it is none. */
static size_t find_text(const struct gpai_saved_levels *l, const char *text)
{
    size_t from = 0, to = l->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcmp(l->name[l->sorted[middle]], text) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < l->n && strcmp(l->name[l->sorted[from]], text) == 0;
    return found ? l->sorted[from] : l->n;
}

double gpai_saved_value(gpai_reader *r, const gpa_saved *s, const gpai_value *value,
                        size_t k, const char *key)
{
    const gpa_input *in = s->kinds_known ? &s->column_kinds[k] : NULL;
    const char *text = gpai_value_text(value);
    double out = (double)NAN;
    if (r->status != GPA_OK || gpai_value_is_null(value))
        return out;
    if (gpai_value_is_number(value))
        return gpai_value_number(value);
    bool time = in != NULL && in->writing == GPA_WRITING_TIME;
    bool date = time || (in != NULL && in->writing == GPA_WRITING_DATE);
    bool named = text != NULL && in != NULL && !date && s->levels[k].sorted != NULL;
    size_t at = named ? find_text(&s->levels[k], text) : 0;
    if (text != NULL && date && read_date(text, time, &out))
        return out;
    if (named && at < s->levels[k].n)
        return s->levels[k].level[at];
    gpai_read_fail(r, key, "the value of input %zu is %s", k + 1,
                   text != NULL ? "neither a level nor a date" : "not a number");
    return out;
}

void gpai_saved_row(gpai_reader *r, const gpa_saved *s, const gpai_value *list,
                    const char *key, double *out)
{
    if (!s->kinds_known) {
        gpai_read_numbers(r, list, key, s->d, GPAI_HOLES, out);
        return;
    }
    if (gpai_value_items(list) != s->d)
        gpai_read_fail(r, key, "%zu values, expected %zu", gpai_value_items(list),
                       s->d);
    for (size_t k = 0; k < s->d && r->status == GPA_OK; k++)
        out[k] = gpai_saved_value(r, s, gpai_value_at(list, k), k, key);
}

double gpai_saved_level(gpai_reader *r, const gpa_saved *s, const gpai_value *value,
                        size_t k, size_t *hint)
{
    const gpa_input *in = &s->kinds.input[k];
    const char *text = gpai_value_text(value);
    if (text == NULL || in->level_name == NULL)
        return gpai_saved_value(r, s, value, k, "level");
    for (size_t tried = 0; tried < in->levels; tried++) {
        size_t i = (*hint + tried) % in->levels;
        if (strcmp(in->level_name[i], text) != 0)
            continue;
        *hint = i + 1;
        return in->level[i];
    }
    gpai_read_fail(r, "level", "no level of input %zu", k + 1);
    return (double)NAN;
}

/* Room for n levels of input k. */
static struct gpai_saved_levels *levels_room(struct work *w, size_t k, size_t n,
                                             bool names)
{
    struct gpai_saved_levels *l = &w->s->levels[k];
    l->level = gpai_read_room(w->r, n, sizeof *l->level);
    l->name = names ? gpai_read_room(w->r, n, sizeof *l->name) : NULL;
    l->n = w->r->status == GPA_OK ? n : 0;
    return l;
}

static void check_ascending(struct work *w, const struct gpai_saved_levels *l)
{
    for (size_t i = 0; i < l->n && w->r->status == GPA_OK; i++)
        if (!isfinite(l->level[i]) || (i > 0 && !(l->level[i] > l->level[i - 1])))
            gpai_read_fail(w->r, "levels", "entry %zu is not above the one before",
                           i + 1);
}

/* The levels of a flag or choice: texts, names of numbers, or numbers. */
static void take_levels(struct work *w, const gpai_value *o, size_t k)
{
    gpai_reader *r = w->r;
    const gpai_value *list = gpai_read_list(r, o, "levels", true);
    const gpai_value *values = gpai_read_list(r, o, "values", true);
    gpa_input *in = &w->s->column_kinds[k];
    size_t n = gpai_value_items(list);
    bool text = in->writing == GPA_WRITING_LEVEL, named = text || values != NULL;
    if (values != NULL && gpai_value_items(values) != n)
        gpai_read_fail(r, "kinds", "levels and values do not match");
    struct gpai_saved_levels *l = levels_room(w, k, n, named);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++) {
        const gpai_value *one = gpai_value_at(values != NULL ? values : list, i);
        l->level[i] = text ? (double)i : gpai_saved_value(r, w->s, one, k, "levels");
        if (named)
            l->name[i] = gpai_read_text_at(r, list, "levels", i);
    }
    check_ascending(w, l);
}

static double take_limit(struct work *w, const gpai_value *o, const char *key, size_t k)
{
    const gpai_value *value = gpai_value_get(o, key);
    return value != NULL ? gpai_saved_value(w->r, w->s, value, k, key) : (double)NAN;
}

static gpa_writing take_writing(struct work *w, const gpai_value *o)
{
    const char *text = gpai_read_text(w->r, o, "writing", true);
    if (text == NULL)
        return GPA_WRITING_NUMBER;
    if (strcmp(text, "text") == 0)
        return GPA_WRITING_LEVEL;
    if (strcmp(text, "date") != 0 && strcmp(text, "time") != 0)
        gpai_read_fail(w->r, "writing", "not text, date or time");
    return text[0] == 'd' ? GPA_WRITING_DATE : GPA_WRITING_TIME;
}

/* What holds for a column and for a group alike. */
static gpa_input take_kind(struct work *w, const gpai_value *o)
{
    const char *kind = gpai_read_text(w->r, o, "kind", false);
    gpa_input in = {.kind = (gpa_kind)gpai_read_name(w->r, "kind", kind, GPAI_KIND),
                    .writing = take_writing(w, o),
                    .inferred = gpai_read_bool(w->r, o, "inferred"),
                    .whole = gpai_value_is_true(gpai_value_get(o, "whole")),
                    .low = (double)NAN,
                    .high = (double)NAN,
                    .missing = (double)NAN};
    if (gpai_value_get(o, "missing_code") != NULL)
        in.missing = gpai_read_number(w->r, o, "missing_code");
    return in;
}

/* The next column of this name that is not known yet; d: there is none. */
static size_t find_column(const struct work *w, const char *name, size_t from)
{
    const gpa_saved *s = w->s;
    while (from < s->d && (s->column_known[from] || strcmp(s->inputs[from], name) != 0))
        from++;
    return from;
}

static void take_group(struct work *w, const gpai_value *o, const gpai_value *columns)
{
    gpa_saved *s = w->s;
    gpai_reader *r = w->r;
    const gpai_value *labels = gpai_read_list(r, o, "levels", false);
    size_t n = gpai_value_items(columns), m = gpai_value_items(labels), k = w->next;
    gpa_input in = take_kind(w, o);
    in.group = ++w->groups;
    in.dropped = m == n + 1;
    in.name = gpai_read_text(r, o, "name", false);
    if (r->status == GPA_OK && (n == 0 || (m != n && m != n + 1)))
        gpai_read_fail(r, "kinds", "levels and columns do not match");
    for (size_t i = 0; i < n && r->status == GPA_OK; i++) {
        const char *column = gpai_read_text_at(r, columns, "columns", i);
        in.label = gpai_read_text_at(r, labels, "levels", i + in.dropped);
        k = column != NULL ? find_column(w, column, k) : s->d;
        if (r->status != GPA_OK || k == s->d) {
            gpai_read_fail(r, "columns", "entry %zu is no input", i + 1);
            break;
        }
        s->column_kinds[k] = in;
        s->column_known[k++] = 1;
    }
}

static void take_input(struct work *w, const gpai_value *o)
{
    gpa_saved *s = w->s;
    const gpai_value *columns = gpai_read_list(w->r, o, "columns", true);
    const char *name = gpai_read_text(w->r, o, "name", false);
    size_t k = w->next;
    if (columns != NULL) {
        take_group(w, o, columns);
    } else if (w->r->status == GPA_OK) {
        if (k == s->d || strcmp(s->inputs[k], name) != 0) {
            gpai_read_fail(w->r, "kinds", "they are not those of the inputs");
            return;
        }
        s->column_kinds[k] = take_kind(w, o);
        take_levels(w, o, k);
        s->column_kinds[k].low = take_limit(w, o, "low", k);
        s->column_kinds[k].high = take_limit(w, o, "high", k);
        s->column_known[k] = 1;
    }
    while (w->next < s->d && s->column_known[w->next])
        w->next++;
}

static void take_inputs(struct work *w, const gpai_value *kinds)
{
    gpa_saved *s = w->s;
    s->column_kinds = gpai_read_room(w->r, s->d, sizeof *s->column_kinds);
    s->column_known = gpai_read_room(w->r, s->d, 1);
    s->levels = gpai_read_room(w->r, s->d, sizeof *s->levels);
    s->kinds_known = w->r->status == GPA_OK;
    for (size_t i = 0; i < gpai_value_items(kinds) && w->r->status == GPA_OK; i++)
        take_input(w, gpai_value_at(kinds, i));
    if (w->r->status == GPA_OK && w->next < s->d)
        gpai_read_fail(w->r, "kinds", "input %zu is not among them", w->next + 1);
}

/* A member of the i-th item as a tree that stays; NULL when it is not there. */
static const gpai_value *item_member(struct work *w, size_t i, const char *name)
{
    gpai_token key;
    gpai_slice value;
    gpai_value *tree = NULL;
    gpai_reader *r = w->r;
    gpai_walk walk = gpai_walk_open(r, w->s->items[i], '{');
    while (tree == NULL && gpai_walk_next(&walk, &key, &value))
        if (gpai_json_token_is(&key, name))
            r->status = gpai_json_parse(&tree, value.at, value.size, r->name, r->err);
    return gpai_saved_keep(r, w->s, tree) ? tree : NULL;
}

/* A text and where it stood. */
struct place {
    const char *name;
    size_t at;
};

static int by_name(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order != 0 ? order : p->at < q->at ? -1 : p->at > q->at;
}

/* Rows of several items, a list each. */
struct rows {
    const gpai_value **list;
    size_t n;
};

/* The levels of column k and the texts of its rows. */
struct texts {
    struct place *list;
    size_t n;
};

static void add_text(struct work *w, struct texts *all, const char *text)
{
    all->list = gpai_read_grow(w->r, all->list, all->n, sizeof *all->list);
    if (w->r->status == GPA_OK) {
        all->list[all->n] = (struct place){text, all->n};
        all->n++;
    }
}

static void add_rows(struct work *w, struct texts *all, const gpai_value *rows,
                     size_t k)
{
    for (size_t i = 0; i < gpai_value_items(rows) && w->r->status == GPA_OK; i++) {
        const gpai_value *one = gpai_value_at(gpai_value_at(rows, i), k);
        if (gpai_value_is_text(one))
            add_text(w, all, gpai_value_text(one));
    }
}

/* Every text once: the first `fixed` where they are, the others behind them. */
static void settle(struct work *w, size_t k, const struct texts *all, size_t fixed)
{
    struct gpai_saved_levels *l = &w->s->levels[k];
    const char **name = gpai_read_room(w->r, all->n, sizeof *name);
    double *level = gpai_read_room(w->r, all->n, sizeof *level);
    size_t kept = fixed;
    l->sorted = gpai_read_room(w->r, all->n, sizeof *l->sorted);
    l->rare = gpai_read_room(w->r, all->n, 1);
    for (size_t i = 0, unique = 0; i < all->n && w->r->status == GPA_OK; i++) {
        const struct place *one = &all->list[i];
        bool again = i > 0 && strcmp(one->name, one[-1].name) == 0;
        if (again && one->at < fixed)
            gpai_read_fail(w->r, "levels", "entry %zu is there already", one->at + 1);
        if (again)
            continue;
        size_t at = one->at < fixed ? one->at : kept++;
        l->rare[at] = one->at >= fixed;
        name[at] = one->name;
        level[at] = one->at < fixed ? l->level[at] : (double)at;
        l->sorted[unique++] = at;
    }
    gpai_free(l->name);
    gpai_free(l->level);
    l->name = name;
    l->level = level;
    l->n = w->r->status == GPA_OK ? kept : 0;
}

/* The names of input k, so that texts are found among them. Only text has more than
 * those that `kinds` lists. */
static void take_names(struct work *w, const struct rows *rows, size_t k)
{
    struct gpai_saved_levels *l = &w->s->levels[k];
    struct texts all = {NULL, 0};
    for (size_t i = 0; i < l->n; i++)
        add_text(w, &all, l->name[i]);
    for (size_t i = 0; rows != NULL && i < rows->n; i++)
        add_rows(w, &all, rows->list[i], k);
    if (w->r->status == GPA_OK && all.n > 0)
        qsort(all.list, all.n, sizeof *all.list, by_name);
    settle(w, k, &all, l->n);
    gpai_free(all.list);
    w->s->column_kinds[k].level_name = l->name;
    w->s->column_kinds[k].rare = l->rare;
}

/* The rows of all items and those behind them, where some of their values are text. */
static struct rows all_rows(struct work *w)
{
    gpa_saved *s = w->s;
    bool text = false;
    struct rows rows = {gpai_read_room(w->r, s->n_items + 1, sizeof *rows.list), 0};
    for (size_t k = 0; k < s->d; k++)
        text = text || s->column_kinds[k].writing == GPA_WRITING_LEVEL;
    for (size_t i = 0; text && i < s->n_items && w->r->status == GPA_OK; i++) {
        const gpai_value *x = item_member(w, i, "x");
        if (x != NULL)
            rows.list[rows.n++] = x;
    }
    const gpai_value *behind =
        gpai_value_get(gpai_value_get(s->head, "background"), "x");
    if (behind != NULL && w->r->status == GPA_OK)
        rows.list[rows.n++] = behind;
    return rows;
}

void gpai_saved_kinds(gpai_reader *r, gpa_saved *s)
{
    struct work w = {.r = r, .s = s};
    bool some = s->kind == GPA_SAVED_EXPLANATIONS && s->n_items > 0;
    const gpai_value *kinds = some ? item_member(&w, 0, "kinds") : NULL;
    if (r->status == GPA_OK && kinds != NULL) {
        take_inputs(&w, kinds);
        struct rows rows = {NULL, 0};
        if (r->status == GPA_OK)
            rows = all_rows(&w);
        for (size_t k = 0; k < s->d && r->status == GPA_OK; k++) {
            bool text = s->column_kinds[k].writing == GPA_WRITING_LEVEL;
            if (text || s->levels[k].name != NULL)
                take_names(&w, text ? &rows : NULL, k);
            s->column_kinds[k].levels = s->levels[k].n;
            s->column_kinds[k].level = s->levels[k].level;
        }
        gpai_free(rows.list);
        s->info.inputs = r->status == GPA_OK ? s->column_kinds : NULL;
    }
    if (r->status == GPA_OK)
        r->status = gpai_kinds_make(&s->kinds, &s->info, s->d, r->err);
}

void gpai_saved_kinds_free(gpa_saved *s)
{
    for (size_t k = 0; k < s->d && s->levels != NULL; k++) {
        gpai_free(s->levels[k].level);
        gpai_free(s->levels[k].name);
        gpai_free(s->levels[k].rare);
        gpai_free(s->levels[k].sorted);
    }
    gpai_free(s->levels);
    gpai_free(s->column_known);
    gpai_free(s->column_kinds);
    gpai_kinds_free(&s->kinds);
}
