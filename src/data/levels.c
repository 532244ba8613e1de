#include "data/levels.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "data/table.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* FNV-1a, and its upper half mixed in: slots are chosen by the lower bits. */
static size_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot of a text, or the free one where it belongs. */
static size_t *find_slot(const gpai_levels *l, const char *text)
{
    size_t i = hash_of(text) & (l->n_slots - 1);
    while (l->slot[i] != 0 && strcmp(l->name[l->slot[i] - 1], text) != 0)
        i = (i + 1) & (l->n_slots - 1);
    return &l->slot[i];
}

size_t gpai_levels_find(const gpai_levels *l, const char *text)
{
    size_t found = l->n_slots > 0 ? *find_slot(l, text) : 0;
    return found > 0 ? found - 1 : l->n;
}

static void place_all(gpai_levels *l)
{
    memset(l->slot, 0, l->n_slots * sizeof *l->slot);
    for (size_t i = 0; i < l->n; i++)
        *find_slot(l, l->name[i]) = i + 1;
}

/* Room for one more name, the slots at most half full. */
static bool grow(gpai_levels *l)
{
    if (2 * (l->n + 1) <= l->n_slots)
        return true;
    size_t slots = l->n_slots > 0 ? 2 * l->n_slots : FIRST_SLOTS;
    char **name = gpai_regrow(l->name, slots / 2, sizeof *name);
    if (name == NULL)
        return false;
    l->name = name;
    size_t *slot = gpai_regrow(l->slot, slots, sizeof *slot);
    if (slot == NULL)
        return false;
    l->slot = slot;
    l->n_slots = slots;
    place_all(l);
    return true;
}

/* The code of a text, which is made when it is new. */
static gpa_status code_of(gpai_levels *l, const char *text, size_t *code,
                          gpa_error *err)
{
    if (!grow(l))
        return gpai_nomem(err, "levels");
    size_t *slot = find_slot(l, text);
    if (*slot == 0) {
        l->name[l->n] = gpai_strdup(text);
        if (l->name[l->n] == NULL)
            return gpai_nomem(err, "levels");
        *slot = ++l->n;
    }
    *code = *slot - 1;
    return GPA_OK;
}

static gpa_status give(gpai_levels *l, const gpa_table *t, size_t column,
                       const char *const *given, size_t n_given, gpa_error *err)
{
    const char *name = gpa_table_name(t, column);
    for (size_t i = 0; i < n_given; i++) {
        size_t code = 0;
        gpa_status st = code_of(l, given[i], &code, err);
        if (st != GPA_OK)
            return st;
        if (code != i)
            return gpai_fail(err, GPA_INVALID,
                             "the levels of '%s': \"%s\" is given twice",
                             gpai_show_text(name).text, gpai_show_text(given[i]).text);
    }
    return GPA_OK;
}

/* What a cell that is not missing says. */
static const char *text_of(const gpa_table *t, size_t row, size_t column,
                           char room[GPAI_NUMBER_ROOM])
{
    const double *numbers = t->column[column].numbers;
    if (numbers == NULL || gpai_table_padded(t, column))
        return gpa_table_text(t, row, column);
    const char *const *truths = gpai_table_booleans(t, column);
    if (truths != NULL)
        return truths[numbers[row] != 0];
    gpai_number_text(numbers[row], room);
    return room;
}

static gpa_status read_table(gpai_levels *l, const gpa_table *t, size_t column,
                             double *code, gpa_error *err)
{
    char room[GPAI_NUMBER_ROOM];
    for (size_t row = 0; row < t->n_rows; row++) {
        size_t found = 0;
        code[row] = (double)NAN;
        if (gpai_table_missing(t, row, column))
            continue;
        size_t known = l->n;
        gpa_status st = code_of(l, text_of(t, row, column, room), &found, err);
        if (st != GPA_OK)
            return st;
        if (l->n > known && !gpai_utf8_all(l->name[known]))
            return gpai_fail(err, GPA_DATA,
                             "%s: column \"%s\": '%s' is not UTF-8: save the file as "
                             "UTF-8",
                             t->source.text,
                             gpai_show_text(t->column[column].name).text,
                             gpai_show_text(l->name[known]).text);
        if (l->n > GPAI_MOST_LEVELS)
            return gpai_fail(err, GPA_DATA,
                             "%s: column \"%s\": more than %d different texts cannot "
                             "be an input: leave the column out with --drop",
                             t->source.text,
                             gpai_show_text(t->column[column].name).text,
                             GPAI_MOST_LEVELS);
        code[row] = (double)found;
    }
    return GPA_OK;
}

struct entry {
    char *name;
    size_t code;
};

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* Codes so far are in the order of the rows; beyond the first `fixed` they become that
 * of the texts, which does not depend on the rows. */
static gpa_status order(gpai_levels *l, size_t fixed, size_t rows, gpa_error *err)
{
    size_t n = l->n - fixed;
    struct entry *e = gpai_calloc(n + 1, sizeof *e);
    double *code = gpai_calloc(l->n + 1, sizeof *code);
    gpa_status st = GPA_OK;
    if (e == NULL || code == NULL) {
        st = gpai_nomem(err, "levels");
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        e[i] = (struct entry){l->name[fixed + i], fixed + i};
    qsort(e, n, sizeof *e, by_bytes);
    for (size_t i = 0; i < fixed; i++)
        code[i] = (double)i;
    for (size_t i = 0; i < n; i++) {
        l->name[fixed + i] = e[i].name;
        code[e[i].code] = (double)(fixed + i);
    }
    for (size_t i = 0; i < rows; i++)
        if (!isnan(l->code[i]))
            l->code[i] = code[(size_t)l->code[i]];
    if (l->n > 0)
        place_all(l);
done:
    gpai_free(code);
    gpai_free(e);
    return st;
}

gpa_status gpai_levels_open(gpai_levels *l, const gpa_table *t, size_t column,
                            const gpa_table *other, size_t other_column,
                            const char *const *given, size_t n_given, gpa_error *err)
{
    size_t n = gpa_table_rows(t), rows = n + gpa_table_rows(other);
    *l = (gpai_levels){.code = gpai_calloc(rows, sizeof *l->code)};
    if (l->code == NULL)
        return gpai_nomem(err, "levels");
    gpa_status st = give(l, t, column, given, n_given, err);
    if (st == GPA_OK)
        st = read_table(l, t, column, l->code, err);
    if (st == GPA_OK && other != NULL)
        st = read_table(l, other, other_column, l->code + n, err);
    if (st == GPA_OK)
        st = order(l, n_given, rows, err);
    return st;
}

void gpai_levels_close(gpai_levels *l)
{
    for (size_t i = 0; i < l->n; i++)
        gpai_free(l->name[i]);
    gpai_free(l->name);
    gpai_free(l->code);
    gpai_free(l->slot);
    *l = (gpai_levels){.n = 0};
}
