#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include "data/json.h"
#include "model/trees/lightgbm.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* LightGBM's Python package writes the categories of every categorical column of a data
 * frame at the end of the file, in the order of the columns, but not which columns they
 * were. They are found by what fits: unordered columns became categorical features,
 * ordered ones numbers (their codes), and those without a use "none". Features may also
 * be categorical without being one of these columns. */

enum { MAX_CELLS = 1 << 24 };

enum feature_kind { NOTHING, NUMBERS, CODES };

/* What the file says of a feature. */
struct feature {
    enum feature_kind kind;
    bool categorical; /* by its values, or by the parameters of the training */
    bool whole;
    double low, high;
};

struct reader {
    size_t inputs, categorical;
    struct feature *feature;
    gpai_lightgbm_levels *to;
    gpa_error *err;
};

/* The numbers of "[0:7]" or "-1:3:0:2". */
static bool read_range(struct feature *f, const char *word, size_t length)
{
    const char *at = word, *end = word + length;
    f->low = HUGE_VAL;
    f->high = -HUGE_VAL;
    f->whole = true;
    while (at < end) {
        double value = 0;
        const char *colon = memchr(at, ':', (size_t)(end - at));
        const char *stop = colon != NULL ? colon : end;
        if (gpai_number(at, (size_t)(stop - at), &value) != GPAI_NUMBER)
            return false;
        f->low = fmin(f->low, value);
        f->high = fmax(f->high, value);
        f->whole = f->whole && value == floor(value);
        at = stop + (colon != NULL);
    }
    return f->low <= f->high;
}

static bool read_info(struct feature *f, const char *word, size_t length)
{
    if (gpai_word_is(word, length, "none"))
        return true;
    bool span = length > 2 && word[0] == '[' && word[length - 1] == ']';
    f->kind = span ? NUMBERS : CODES;
    f->categorical = !span;
    return span ? read_range(f, word + 1, length - 2) : read_range(f, word, length);
}

/* feature_infos: one word for each input. False when it is something else. */
static bool read_infos(struct reader *r, const gpai_lightgbm_tail *tail)
{
    const char *at = tail->infos, *end = at != NULL ? at + tail->infos_length : at;
    size_t k = 0;
    while (at != NULL && at < end && k < r->inputs) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        const char *stop = space != NULL ? space : end;
        if (!read_info(&r->feature[k++], at, (size_t)(stop - at)))
            return false;
        at = stop + (space != NULL);
    }
    return k == r->inputs;
}

/* Features that were declared categorical: "[categorical_feature: 0,3]". */
static void read_declared(struct reader *r, const gpai_lightgbm_tail *tail)
{
    const char *at = tail->declared;
    const char *end = at != NULL ? at + tail->declared_length : at;
    while (at != NULL && at < end) {
        double value = 0;
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        if (gpai_number(at, (size_t)(stop - at), &value) == GPAI_NUMBER && value >= 0 &&
            value < (double)r->inputs)
            r->feature[(size_t)value].categorical = true;
        at = stop + (comma != NULL);
    }
}

/* Whether a list of n categories can be that of a feature. */
static bool fits(const struct feature *f, size_t n)
{
    bool within = f->high <= (double)n - 1;
    if (f->kind == NUMBERS) /* its codes; a missing one is no number */
        return within && f->whole && f->low >= 0;
    return f->kind == NOTHING || within;
}

/* In how many ways (2: or more) the first j lists are those of some of the first i
 * features, in this order, and every categorical one has its list when there are enough
 * of them: ways[j][i]. */
static void count_ways(const struct reader *r, unsigned char *ways)
{
    const gpai_tree_levels *to = &r->to->of;
    bool each = to->lists >= r->categorical;
    size_t width = r->inputs + 1;
    for (size_t j = 0; j <= to->lists; j++) {
        for (size_t i = 0; i <= r->inputs; i++) {
            const struct feature *f = i > 0 ? &r->feature[i - 1] : NULL;
            unsigned n = i == 0 && j == 0;
            if (i > 0 && !(each && f->categorical))
                n += ways[j * width + i - 1];
            if (i > 0 && j > 0 && fits(f, gpai_tree_levels_size(to, j)))
                n += ways[(j - 1) * width + i - 1];
            ways[j * width + i] = (unsigned char)(n > 2 ? 2 : n);
        }
    }
}

/* The one way there is, from behind. */
static void follow(const struct reader *r, const unsigned char *ways)
{
    gpai_lightgbm_levels *to = r->to;
    bool each = to->of.lists >= r->categorical;
    size_t width = r->inputs + 1, j = to->of.lists;
    for (size_t i = r->inputs; i > 0 && j > 0; i--) {
        const struct feature *f = &r->feature[i - 1];
        if (!(each && f->categorical) && ways[j * width + i - 1] > 0)
            continue;
        to->of.list_of[i - 1] = j--;
        to->ordered += f->kind == NUMBERS;
        to->is_ordered[i - 1] = f->kind == NUMBERS;
    }
}

static gpa_status match(struct reader *r)
{
    gpai_lightgbm_levels *to = r->to;
    size_t width = r->inputs + 1, lists = to->of.lists;
    if (lists > r->inputs || (lists + 1) > MAX_CELLS / width)
        return GPA_OK;
    unsigned char *ways = gpai_calloc((lists + 1) * width, 1);
    to->of.list_of = gpai_calloc(r->inputs, sizeof *to->of.list_of);
    to->is_ordered = gpai_calloc(r->inputs, sizeof *to->is_ordered);
    if (ways == NULL || to->of.list_of == NULL || to->is_ordered == NULL) {
        gpai_free(ways);
        return gpai_nomem(r->err, "lightgbm");
    }
    count_ways(r, ways);
    if (ways[lists * width + r->inputs] == 1)
        follow(r, ways);
    gpai_free(ways);
    return GPA_OK;
}

/* A category as pandas writes it into a file of data. */
static const char *text_of(const gpai_value *item, char room[GPAI_NUMBER_ROOM])
{
    if (gpai_value_is_text(item))
        return gpai_value_text(item);
    if (gpai_value_is_truth(item))
        return gpai_value_is_true(item) ? "True" : "False";
    if (gpai_value_is_whole(item))
        snprintf(room, GPAI_NUMBER_ROOM, "%lld", (long long)gpai_value_whole(item));
    else if (gpai_value_is_number(item))
        gpai_number_text(gpai_value_number(item), room);
    else
        return NULL;
    return room;
}

static gpa_status take_list(gpai_tree_levels *to, const gpai_value *list,
                            const char *file, gpa_error *err)
{
    if (!gpai_value_is_list(list))
        return gpai_bad_file(err, file, "pandas_categorical: not a list of lists");
    for (size_t i = 0; i < gpai_value_items(list); i++) {
        char number[GPAI_NUMBER_ROOM];
        const char *text = text_of(gpai_value_at(list, i), number);
        if (text == NULL)
            return gpai_bad_file(err, file,
                                 "pandas_categorical: a category that is neither text, "
                                 "number nor truth value");
        if (!gpai_tree_levels_add(to, text, strlen(text)))
            return gpai_nomem(err, "lightgbm");
    }
    return gpai_tree_levels_end(to) ? GPA_OK : gpai_nomem(err, "lightgbm");
}

static gpa_status take_lists(gpai_tree_levels *to, const gpai_value *root,
                             const char *file, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (!gpai_value_is_list(root) && !gpai_value_is_null(root))
        return gpai_bad_file(err, file, "pandas_categorical: not a list");
    for (size_t j = 0; j < gpai_value_items(root) && st == GPA_OK; j++)
        st = take_list(to, gpai_value_at(root, j), file, err);
    return st;
}

gpa_status gpai_lightgbm_levels_read(gpai_lightgbm_levels *to, size_t inputs,
                                     const gpai_lightgbm_tail *tail, const char *file,
                                     gpa_error *err)
{
    struct reader r = {.inputs = inputs, .to = to, .err = err};
    gpai_value *root = NULL;
    if (tail->lists == NULL)
        return GPA_OK;
    gpa_status st = gpai_json_parse(&root, tail->lists, tail->lists_length, file, err);
    if (st == GPA_OK)
        st = take_lists(&to->of, root, file, err);
    gpai_value_free(root);
    if (st != GPA_OK || to->of.lists == 0)
        return st;
    r.feature = gpai_calloc(inputs, sizeof *r.feature);
    if (r.feature == NULL)
        return gpai_nomem(err, "lightgbm");
    if (read_infos(&r, tail)) {
        read_declared(&r, tail);
        for (size_t k = 0; k < inputs; k++)
            r.categorical += r.feature[k].categorical;
        st = match(&r);
    }
    gpai_free(r.feature);
    return st;
}

void gpai_lightgbm_levels_free(gpai_lightgbm_levels *l)
{
    gpai_tree_levels_free(&l->of);
    gpai_free(l->is_ordered);
    l->is_ordered = NULL;
}

void gpai_lightgbm_levels_mend(const gpai_lightgbm_levels *l, double *x, size_t n,
                               size_t d)
{
    for (size_t k = 0; k < d; k++) {
        double codes = l->is_ordered[k]
                           ? (double)gpai_tree_levels_size(&l->of, l->of.list_of[k])
                           : 0;
        for (size_t i = 0; l->is_ordered[k] && i < n; i++)
            if (!(x[i * d + k] >= 0 && x[i * d + k] < codes))
                x[i * d + k] = (double)NAN;
    }
}
