#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/utf8.h"
#include "study/kinds/facts.h"
#include "study/kinds/parts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds and levels as the user says. */

/* The values of a column with how often each occurs, ascending, and the row in which
 * each comes first; never too many to count. */
struct values {
    size_t n, m; /* rows that are not missing, different values */
    double *value;
    size_t *count, *first;
};

static size_t place_of(const struct values *v, double value)
{
    size_t from = 0, to = v->m;
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        *(v->value[middle] <= value ? &from : &to) = middle;
    }
    return from;
}

static double at(const gpai_kind_column *c, size_t row)
{
    double v = c->value[row * (c->stride > 1 ? c->stride : 1)];
    return isfinite(v) ? v + 0.0 : (double)NAN; /* 0 and -0 are one value */
}

static gpa_status find_values(struct values *v, const gpai_kind_column *c, size_t rows,
                              gpa_error *err)
{
    *v = (struct values){.value = gpai_calloc(rows + 1, sizeof *v->value),
                         .count = gpai_calloc(rows + 1, sizeof *v->count),
                         .first = gpai_calloc(rows + 1, sizeof *v->first)};
    if (v->value == NULL || v->count == NULL || v->first == NULL)
        return gpai_nomem(err, "kinds");
    for (size_t row = 0; row < rows; row++)
        if (!isnan(at(c, row)))
            v->value[v->n++] = at(c, row);
    gpai_sort(v->value, v->n);
    v->m = gpai_sorted_distinct(v->value, v->n, (double)NAN);
    for (size_t row = rows; row-- > 0;) {
        if (isnan(at(c, row)))
            continue;
        size_t place = place_of(v, at(c, row));
        v->count[place]++;
        v->first[place] = row;
    }
    return GPA_OK;
}

static void free_values(struct values *v)
{
    gpai_free(v->value);
    gpai_free(v->count);
    gpai_free(v->first);
}

struct order {
    size_t count, first, place;
};

static int most_seen(const void *a, const void *b)
{
    const struct order *s = a, *t = b;
    if (s->count != t->count)
        return s->count > t->count ? -1 : 1;
    return s->first < t->first ? -1 : 1;
}

/* The places of the `most` most frequent values, ascending: the others are dropped. */
static gpa_status keep_most(struct values *v, size_t most, gpa_error *err)
{
    struct order *o = gpai_calloc(v->m + 1, sizeof *o);
    size_t *place = gpai_calloc(most, sizeof *place);
    gpa_status st = GPA_OK;
    if (o == NULL || place == NULL) {
        st = gpai_nomem(err, "kinds");
        goto done;
    }
    for (size_t i = 0; i < v->m; i++)
        o[i] = (struct order){v->count[i], v->first[i], i};
    qsort(o, v->m, sizeof *o, most_seen);
    most = v->m < most ? v->m : most;
    for (size_t i = 0; i < most; i++)
        place[i] = o[i].place;
    gpai_sort_indices(place, most);
    for (size_t i = 0; i < most; i++) {
        v->value[i] = v->value[place[i]];
        v->count[i] = v->count[place[i]];
        v->first[i] = v->first[place[i]];
    }
    v->m = most;
done:
    gpai_free(place);
    gpai_free(o);
    return st;
}

static gpa_status refuse(const gpai_kind_column *c, gpa_kind kind, const char *why,
                         gpa_error *err)
{
    return gpai_fail(err, GPA_INVALID, "--kind %s=%s: %s", gpai_show_text(c->name).text,
                     gpa_kind_name(kind), why);
}

/* The most frequent values as levels: those of a flag are all but mistakes. */
static gpa_status take_levels(gpai_known_kinds *k, size_t i, gpa_kind kind,
                              const gpai_kind_column *c, size_t n, gpa_error *err)
{
    struct values v;
    size_t kept = 0;
    char why[96];
    gpa_status st = find_values(&v, c, n, err);
    if (st != GPA_OK)
        goto done;
    size_t rows = v.n, m = v.m;
    st = keep_most(&v, kind == GPA_KIND_FLAG ? 2 : GPAI_MOST_PROPOSED, err);
    for (size_t l = 0; l < v.m; l++)
        kept += v.count[l];
    if (st != GPA_OK)
        goto done;
    snprintf(why, sizeof why, "it has %zu value%s, and a %s %s", m, m == 1 ? "" : "s",
             gpa_kind_name(kind), kind == GPA_KIND_FLAG ? "has two" : "needs two");
    if (v.m < 2 || (kind == GPA_KIND_FLAG && rows - kept > gpai_kinds_tolerated(rows)))
        st = refuse(c, kind, why, err);
    else
        st = gpai_kinds_put_levels(k, i, v.value, NULL, v.m, err);
done:
    free_values(&v);
    return st;
}

static gpa_status take_range(gpai_known_kinds *k, size_t i, const gpai_kind_column *c,
                             size_t n, gpa_error *err)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t row = 0; row < n; row++) {
        double v = at(c, row);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    low = ceil(low);
    high = floor(high);
    if (!(low < high))
        return refuse(c, GPA_KIND_WHOLE, "it has not two whole numbers", err);
    k->input[i].low = low;
    k->input[i].high = high;
    return GPA_OK;
}

/* What was inferred goes; what the values are written as stays. */
static void clear(gpai_known_kinds *k, size_t i)
{
    gpa_input *in = &k->input[i], old = *in;
    *in = (gpa_input){.writing = old.writing,
                      .low = (double)NAN,
                      .high = (double)NAN,
                      .missing = (double)NAN};
    if (old.writing == GPA_WRITING_LEVEL) {
        in->levels = old.levels;
        in->level = old.level;
        in->level_name = old.level_name;
        in->rare = old.rare;
    }
    k->reason[i] = "as said";
}

static const double ZERO_ONE[] = {0, 1};

/* The others of a group that lost a column: they have a level less, so that none of
 * them may be 1; one alone is a flag. */
static void leave_group(gpai_known_kinds *k, size_t group)
{
    size_t left = 0;
    if (group == 0)
        return;
    for (size_t i = 0; i < k->d; i++)
        left += k->input[i].group == group;
    for (size_t i = 0; i < k->d; i++) {
        gpa_input *in = &k->input[i];
        if (in->group != group)
            continue;
        in->dropped = true;
        if (left > 1)
            continue;
        in->kind = GPA_KIND_FLAG;
        in->group = 0;
        in->dropped = false;
        in->name = in->label = NULL;
        if (in->levels == 0) {
            in->levels = 2;
            in->level = ZERO_ONE;
        }
    }
}

/* Its values are written as before. */
static void hold(gpai_known_kinds *k, size_t i)
{
    gpa_input *in = &k->input[i];
    in->kind = GPA_KIND_HELD;
    in->inferred = in->dropped = false;
    in->low = in->high = (double)NAN;
    in->group = 0;
    in->name = in->label = NULL;
    k->reason[i] = "as said";
}

void gpai_kinds_hold(gpai_known_kinds *k, size_t i)
{
    size_t group = k->input[i].group;
    hold(k, i);
    for (size_t j = 0; j < k->d && group > 0; j++)
        if (k->input[j].group == group)
            hold(k, j);
}

void gpai_kinds_limit(gpai_known_kinds *k, size_t i, gpa_kind kind, double low,
                      double high)
{
    gpa_input *in = &k->input[i], old = *in;
    clear(k, i);
    in->kind = kind;
    in->whole = old.whole;
    in->low = low;
    in->high = high;
    in->missing = old.missing;
    leave_group(k, old.group);
}

gpa_status gpai_kinds_set(gpai_known_kinds *k, size_t i, gpa_kind kind,
                          const gpai_kind_column *column, size_t n, gpa_error *err)
{
    bool text = column->writing == GPA_WRITING_LEVEL;
    size_t group = k->input[i].group;
    gpa_status st = GPA_OK;
    if (text && (kind == GPA_KIND_NUMBER || kind == GPA_KIND_WHOLE))
        return refuse(column, kind, "it is text: a choice, or held", err);
    if (text && kind == GPA_KIND_FLAG && column->levels != 2)
        return refuse(column, kind, "its texts are not two", err);
    if (kind == GPA_KIND_HELD) {
        gpai_kinds_hold(k, i);
        return GPA_OK;
    }
    clear(k, i);
    if (!text && (kind == GPA_KIND_FLAG || kind == GPA_KIND_CHOICE))
        st = take_levels(k, i, kind, column, n, err);
    else if (kind == GPA_KIND_WHOLE)
        st = take_range(k, i, column, n, err);
    k->input[i].kind = kind;
    leave_group(k, group);
    return st;
}

void gpai_kinds_all_numbers(gpai_known_kinds *k)
{
    for (size_t i = 0; i < k->d; i++)
        if (k->input[i].writing != GPA_WRITING_LEVEL) {
            clear(k, i);
            k->input[i].kind = GPA_KIND_NUMBER;
        }
}

/* ---- levels ---- */

/* Whether all values but mistakes are codes of n names. */
static bool are_codes(const struct values *v, size_t n)
{
    size_t others = 0;
    for (size_t i = 0; i < v->m; i++)
        if (!(gpai_whole(v->value[i]) && v->value[i] >= 0 && v->value[i] < (double)n))
            others += v->count[i];
    return others == 0 ||
           (others <= gpai_kinds_tolerated(v->n) && v->m != n && 2 * others < v->n);
}

static gpa_status name_codes(gpai_known_kinds *k, size_t i, const struct values *v,
                             const char *const *names, size_t n, gpa_error *err)
{
    size_t *count = gpai_calloc(2 * n, sizeof *count);
    gpa_status st = count == NULL ? gpai_nomem(err, "kinds")
                                  : gpai_kinds_put_levels(k, i, NULL, names, n, err);
    for (size_t l = 0; l < v->m && st == GPA_OK; l++) {
        double code = v->value[l];
        if (!(code >= 0 && code < (double)n && gpai_whole(code)))
            continue;
        count[(size_t)code] = v->count[l];
        count[n + (size_t)code] = v->first[l];
    }
    if (st == GPA_OK)
        st = gpai_kinds_mark_rare(k, i, count, count + n, err);
    gpai_free(count);
    return st;
}

static gpa_status name_values(gpai_known_kinds *k, size_t i, const char *const *names,
                              size_t n_names, const gpai_kind_column *c, size_t n,
                              gpa_error *err)
{
    struct values v;
    gpa_status st = find_values(&v, c, n, err);
    if (st != GPA_OK)
        goto done;
    if (are_codes(&v, n_names)) {
        st = name_codes(k, i, &v, names, n_names, err);
    } else if (v.m == n_names) {
        st = gpai_kinds_put_levels(k, i, v.value, names, n_names, err);
        if (st == GPA_OK)
            st = gpai_kinds_mark_rare(k, i, v.count, v.first, err);
    } else {
        st = gpai_fail(err, GPA_INVALID,
                       "--levels %s: %zu names for %zu different values, which are not "
                       "the codes 0 to %zu either",
                       gpai_show_text(c->name).text, n_names, v.m, n_names - 1);
    }
done:
    free_values(&v);
    return st;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two levels of one name could not be told apart, nor those that are no text. */
static gpa_status check_names(const char *const *names, size_t n,
                              const gpai_kind_column *c, gpa_error *err)
{
    const char **sorted = gpai_calloc(n, sizeof *sorted);
    gpa_status st = GPA_OK;
    if (sorted == NULL)
        return gpai_nomem(err, "kinds");
    memcpy(sorted, names, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_bytes);
    for (size_t l = 0; l < n && st == GPA_OK; l++)
        if (!gpai_utf8_all(sorted[l]))
            st =
                gpai_fail(err, GPA_INVALID, "--levels %s: '%s' is not UTF-8",
                          gpai_show_text(c->name).text, gpai_show_text(sorted[l]).text);
    for (size_t l = 1; l < n && st == GPA_OK; l++)
        if (strcmp(sorted[l - 1], sorted[l]) == 0)
            st =
                gpai_fail(err, GPA_INVALID, "--levels %s: '%s' is given twice",
                          gpai_show_text(c->name).text, gpai_show_text(sorted[l]).text);
    gpai_free(sorted);
    return st;
}

gpa_status gpai_kinds_levels(gpai_known_kinds *k, size_t i, const char *const *names,
                             size_t n_names, const gpai_kind_column *column, size_t n,
                             gpa_error *err)
{
    size_t group = k->input[i].group;
    gpa_status st = GPA_OK;
    if (n_names < 2)
        return gpai_fail(err, GPA_INVALID, "--levels %s: two names at least",
                         gpai_show_text(column->name).text);
    st = check_names(names, n_names, column, err);
    if (st != GPA_OK)
        return st;
    clear(k, i);
    if (column->writing != GPA_WRITING_LEVEL)
        st = name_values(k, i, names, n_names, column, n, err);
    k->input[i].kind = k->input[i].levels == 2 ? GPA_KIND_FLAG : GPA_KIND_CHOICE;
    leave_group(k, group);
    return st;
}
