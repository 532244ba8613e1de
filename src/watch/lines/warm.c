#include "watch/lines/warm.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "data/table.h"
#include <string.h>

enum { RAW_MOST = 128 << 20, LEAST = 20 }; /* bytes; rows */

gpa_status warm_open(struct warm *w, const gpai_options *a, gpa_error *err)
{
    *w = (struct warm){.wanted = gpai_options_count(a, OPT_WARM_UP, 200),
                       .no_header = a->given[OPT_NO_HEADER],
                       .id = a->text[OPT_ID],
                       .target = a->text[OPT_TARGET],
                       .wait = a->given[OPT_WAIT]};
    if (w->wait && (!seen_open(&w->has_x) || !seen_open(&w->has_y)))
        return gpai_nomem(err, "watch");
    gpa_status st = gpa_text_new(&w->header, err);
    if (st == GPA_OK)
        st = gpa_text_new(&w->rows, err);
    return st == GPA_OK ? gpa_text_new(&w->raw, err) : st;
}

void warm_close(struct warm *w)
{
    seen_close(&w->has_x);
    seen_close(&w->has_y);
    gpa_text_free(w->header);
    gpa_text_free(w->rows);
    gpa_text_free(w->raw);
    *w = (struct warm){.wanted = 0};
}

/* `joined`: they are objects of JSON, whatever the lines are. */
static gpa_status read_table(const struct warm *w, const gpa_text *rows, bool joined,
                             gpa_table **out, gpa_error *err)
{
    gpa_table_options opt;
    gpa_text *all = NULL;
    gpa_table_options_init(&opt);
    opt.text_column = w->id;
    opt.no_header = w->no_header && !joined;
    gpa_status st = gpa_text_new(&all, err);
    if (st != GPA_OK)
        return st;
    if (!joined)
        gpai_text_bytes(all, w->header->data, w->header->length);
    gpai_text_bytes(all, rows->data, rows->length);
    st = gpai_text_seal(all, 0, err);
    if (st == GPA_OK)
        st = gpa_table_parse(out, all->data, all->length, "the first lines", &opt, err);
    gpa_text_free(all);
    return st;
}

/* Marks rows that have a word where their column has numbers. */
static void find_words(const gpa_table *t, const char *id, bool *word)
{
    for (size_t k = 0; k < t->n_columns; k++) {
        bool names = id != NULL && strcmp(gpa_table_name(t, k), id) == 0;
        double value;
        if (names || !gpai_table_meant_as_numbers(t, k))
            continue;
        for (size_t row = 0; row < t->n_rows; row++) {
            const char *cell = gpa_table_text(t, row, k);
            word[row] =
                word[row] || (cell[0] != '\0' &&
                              gpai_number(cell, strlen(cell), &value) != GPAI_NUMBER);
        }
    }
}

/* Takes such rows out, a line each: they will be said when their turn comes. How many
 * there were. */
static gpa_status take_words_out(gpa_text *rows, const gpa_table *t, const char *id,
                                 uint64_t *words, gpa_error *err)
{
    char *from = rows->data, *to = from, *last = from + rows->length;
    bool *word = gpai_calloc(t->n_rows, sizeof *word);
    if (word == NULL)
        return gpai_nomem(err, "watch");
    find_words(t, id, word);
    for (size_t row = 0; row < t->n_rows && from < last; row++) {
        char *end = memchr(from, '\n', (size_t)(last - from));
        size_t length = (size_t)((end != NULL ? end + 1 : last) - from);
        memmove(to, from, length);
        to += word[row] ? 0 : length;
        *words += word[row];
        from += length;
    }
    gpai_text_cut(rows, (size_t)(to - rows->data));
    gpai_free(word);
    return GPA_OK;
}

/* Of a row that came on several lines: that whose cell says something. */
static size_t line_with(const gpa_table *t, const size_t *next, size_t row,
                        size_t column)
{
    while (gpai_table_missing(t, row, column) && next[row] > 0)
        row = next[row];
    return row;
}

/* Whether both halves of it came, as far as that can be known. */
static bool is_whole(const struct warm *w, const gpa_table *t, const size_t *next,
                     size_t row, size_t id)
{
    size_t target, others = 0;
    if (w->target == NULL || gpa_table_find(t, w->target, &target, NULL) != GPA_OK)
        return true;
    for (size_t k = 0; k < t->n_columns; k++)
        others += k != id && k != target &&
                  !gpai_table_missing(t, line_with(t, next, row, k), k);
    return others > 0 &&
           !gpai_table_missing(t, line_with(t, next, row, target), target);
}

static void write_cell(gpa_text *to, const gpa_table *t, size_t row, size_t column)
{
    const double *numbers = gpa_table_numbers(t, column, NULL);
    if (gpai_table_missing(t, row, column))
        gpai_text_add(to, "null");
    else if (numbers != NULL)
        (void)gpai_json_number(to, numbers[row]);
    else
        gpai_json_string(to, gpa_table_text(t, row, column));
}

/* Every whole row on one line: those of the same --id are one. */
static gpa_status join(const struct warm *w, const gpa_table *t, size_t id,
                       gpa_text *to, gpa_error *err)
{
    struct map rows = {.slot = NULL};
    size_t *next = gpai_calloc(2 * t->n_rows, sizeof *next), *last = next + t->n_rows;
    bool *more = gpai_calloc(t->n_rows, sizeof *more); /* it belongs to one before */
    gpa_status st = next != NULL && more != NULL && map_open(&rows, t->n_rows)
                        ? GPA_OK
                        : gpai_nomem(err, "watch");
    for (size_t row = 0; st == GPA_OK && row < t->n_rows; row++) {
        if (gpai_table_missing(t, row, id))
            continue; /* on its own */
        const char *name = gpa_table_text(t, row, id);
        uint64_t key = map_key(name, strlen(name)), *first = map_find(&rows, key);
        more[row] = first != NULL;
        if (first == NULL)
            map_put(&rows, key, row);
        else
            next[last[*first]] = row;
        last[first != NULL ? *first : row] = row;
    }
    for (size_t row = 0; st == GPA_OK && row < t->n_rows; row++) {
        if (more[row] || !is_whole(w, t, next, row, id))
            continue;
        for (size_t k = 0; k < t->n_columns; k++) {
            gpai_text_add(to, k == 0 ? "{" : ",");
            gpai_json_string(to, gpa_table_name(t, k));
            gpai_text_add(to, ":");
            write_cell(to, t, line_with(t, next, row, k), k);
        }
        gpai_text_add(to, "}\n");
    }
    map_close(&rows);
    gpai_free(more);
    gpai_free(next);
    return st;
}

static gpa_status join_all(const struct warm *w, gpa_text **out, gpa_error *err)
{
    gpa_table *all = NULL;
    size_t id;
    gpa_status st = read_table(w, w->rows, false, &all, err);
    if (st == GPA_OK)
        st = gpa_table_find(all, w->id, &id, err);
    if (st == GPA_OK)
        st = gpa_text_new(out, err);
    if (st == GPA_OK)
        st = join(w, all, id, *out, err);
    gpa_table_free(all);
    return st == GPA_OK ? gpai_text_seal(*out, 0, err) : st;
}

static gpa_status too_few(uint64_t n, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA,
                     "%ju line%s that %s: %d are needed to say what is normal, or "
                     "give --reference FILE",
                     (uintmax_t)n, n == 1 ? "" : "s", n == 1 ? "is a row" : "are rows",
                     LEAST);
}

gpa_status warm_table(struct warm *w, gpa_table **out, gpa_error *err)
{
    gpa_table *all = NULL;
    gpa_text *joined = NULL;
    uint64_t words = 0;
    if (w->good < LEAST)
        return too_few(w->good, err);
    gpa_status st = w->wait ? join_all(w, &joined, err) : GPA_OK;
    gpa_text *rows = joined != NULL ? joined : w->rows;
    if (st == GPA_OK && read_table(w, rows, joined != NULL, &all, NULL) == GPA_OK)
        st = take_words_out(rows, all, w->id, &words, err);
    if (joined == NULL) { /* then those that are left are kept */
        w->good -= words;
        words = 0;
    }
    if (st == GPA_OK && w->good < LEAST + words)
        st = too_few(w->good - words, err);
    if (st == GPA_OK)
        st = read_table(w, rows, joined != NULL, out, err);
    gpa_table_free(all);
    gpa_text_free(joined);
    return st;
}

/* Whether a line makes another whole row: by itself, or with what came before. Where
 * nobody said what the target is, each is taken for one. */
static bool completes(struct warm *w, const gpa_table *one)
{
    size_t id, target, others = 0;
    if (!w->wait || w->target == NULL)
        return true;
    if (gpa_table_find(one, w->id, &id, NULL) != GPA_OK ||
        gpai_table_missing(one, 0, id))
        return false;
    const char *name = gpa_table_text(one, 0, id);
    uint64_t key = map_key(name, strlen(name));
    bool y = gpa_table_find(one, w->target, &target, NULL) == GPA_OK &&
             !gpai_table_missing(one, 0, target);
    for (size_t k = 0; k < one->n_columns; k++)
        others += k != id && !gpai_table_missing(one, 0, k);
    bool x = others > y, had_x = seen_before(&w->has_x, key),
         had_y = seen_before(&w->has_y, key);
    if (x && !had_x)
        seen_add(&w->has_x, key);
    if (y && !had_y)
        seen_add(&w->has_y, key);
    return (x || had_x) && (y || had_y) && !(had_x && had_y);
}

/* Whether a line has names of columns in all its cells: a header once more. */
static bool has_names(const gpa_table *one)
{
    size_t k = 0, there;
    for (; k < one->n_columns; k++) {
        const char *cell = gpa_table_text(one, 0, k);
        if (cell == NULL || !gpai_table_lookup(one, cell, strlen(cell), &there))
            return false;
    }
    return true;
}

static void add(gpa_text *t, const struct line *line)
{
    gpai_text_bytes(t, line->text, line->length);
    gpai_text_add(t, "\n");
}

/* A header in the middle. Where it is another one, what is normal is said by the rows
 * below it: those above have their cells in other columns. */
static gpa_status begin_again(struct warm *w, const struct line *line, gpa_error *err)
{
    if (w->header->length == line->length + 1 &&
        memcmp(w->header->data, line->text, line->length) == 0)
        return GPA_OK;
    gpa_text_clear(w->header);
    gpa_text_clear(w->rows);
    add(w->header, line);
    w->good = 0;
    seen_close(&w->has_x);
    seen_close(&w->has_y);
    return !w->wait || (seen_open(&w->has_x) && seen_open(&w->has_y))
               ? gpai_text_seal(w->header, 0, err)
               : gpai_nomem(err, "watch");
}

gpa_status warm_add(struct warm *w, const struct line *line, gpa_error *err)
{
    gpa_table *one = NULL;
    size_t start = w->rows->length;
    add(w->raw, line);
    if (w->raw->length > RAW_MOST)
        return gpai_fail(err, GPA_DATA,
                         "the first lines hold more than %d MiB and too few rows to "
                         "say what is normal: give --reference FILE",
                         RAW_MOST >> 20);
    if (w->header->length == 0 && !w->no_header && !line_is_json(line) &&
        !line_is_blank(line)) {
        add(w->header, line);
        return gpai_text_seal(w->raw, 0, err);
    }
    gpa_text alone = {.data = w->rows->data + start};
    add(w->rows, line);
    alone.data = w->rows->data + start;
    alone.length = w->rows->length - start;
    bool row = !line->cut && read_table(w, &alone, false, &one, NULL) == GPA_OK;
    bool again = row && w->header->length > 0 && has_names(one);
    if (row && !again)
        w->good += completes(w, one);
    else
        gpai_text_cut(w->rows, start);
    gpa_table_free(one);
    gpa_status st = again ? begin_again(w, line, err) : GPA_OK;
    if (st == GPA_OK)
        st = gpai_text_seal(w->raw, 0, err);
    return st == GPA_OK ? gpai_text_seal(w->rows, 0, err) : st;
}

bool warm_enough(const struct warm *w)
{
    return w->good >= w->wanted;
}
