#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include "model/trees/lightgbm.h"
#include <math.h>
#include <string.h>

bool gpai_key_lines_next(gpai_key_lines *k, gpai_key_line *out)
{
    if (k->at >= k->end)
        return false;
    size_t left = (size_t)(k->end - k->at);
    const char *stop = memchr(k->at, '\n', left);
    size_t length = stop != NULL ? (size_t)(stop - k->at) : left;
    const char *line = k->at;
    k->at += stop != NULL ? length + 1 : length;
    k->line++;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    const char *equals = memchr(line, '=', length);
    *out = (gpai_key_line){.key = line, .key_length = length};
    if (equals != NULL) {
        out->key_length = (size_t)(equals - line);
        out->value = equals + 1;
        out->length = length - out->key_length - 1;
    }
    return true;
}

bool gpai_key_is(const gpai_key_line *l, const char *key)
{
    return gpai_word_is(l->key, l->key_length, key);
}

gpa_status gpai_key_once(const gpai_key_lines *k, const gpai_key_line *l,
                         const char *const keys[], size_t n, uint32_t *seen,
                         size_t *which, gpa_error *err)
{
    for (*which = 0; *which < n && !gpai_key_is(l, keys[*which]);)
        ++*which;
    uint32_t bit = *which < n ? (uint32_t)1 << *which : 0;
    if ((*seen & bit) != 0)
        return gpai_bad_file(err, k->file, "line %zu: '%s' a second time", k->line,
                             keys[*which]);
    *seen |= bit;
    return GPA_OK;
}

/* The next word of [*at, end); its length, 0 at the end. */
static size_t word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    const char *stop = *at;
    while (stop < end && *stop != ' ' && *stop != '\t')
        stop++;
    return (size_t)(stop - *at);
}

size_t gpai_key_words(const gpai_key_line *l)
{
    const char *at = l->value, *end = l->value == NULL ? NULL : l->value + l->length;
    size_t n = 0;
    for (size_t length; at != NULL && (length = word(&at, end)) > 0; at += length)
        n++;
    return n;
}

static bool read_number(const char *text, size_t length, double *value)
{
    if (gpai_number(text, length, value) == GPAI_NUMBER)
        return true;
    bool minus = length > 0 && text[0] == '-';
    if (length - minus != 3 || memcmp(text + minus, "inf", 3) != 0)
        return false;
    *value = minus ? -HUGE_VAL : HUGE_VAL;
    return true;
}

gpa_status gpai_key_numbers(const gpai_key_lines *k, const gpai_key_line *l, size_t n,
                            double *out, gpa_error *err)
{
    gpai_shown key = gpai_show(l->key, l->key_length);
    const char *at = l->value, *end = l->value == NULL ? NULL : l->value + l->length;
    size_t i = 0;
    for (size_t length; at != NULL && (length = word(&at, end)) > 0; at += length, i++)
        if (i == n || !read_number(at, length, &out[i]))
            return gpai_bad_file(
                err, k->file, "line %zu: %s: %s '%s'", k->line, key.text,
                i == n ? "one too many:" : "no number:", gpai_show(at, length).text);
    if (i < n)
        return gpai_bad_file(err, k->file, "line %zu: %s: %zu numbers, expected %zu",
                             k->line, key.text, i, n);
    return GPA_OK;
}

gpa_status gpai_key_count(const gpai_key_lines *k, const gpai_key_line *l, size_t most,
                          size_t *out, gpa_error *err)
{
    double value = 0;
    gpa_status st = gpai_key_numbers(k, l, 1, &value, err);
    if (st != GPA_OK)
        return st;
    if (!(value >= 0 && value <= (double)most) || value != floor(value))
        return gpai_bad_file(err, k->file, "line %zu: %s: not within 0 to %zu", k->line,
                             gpai_show(l->key, l->key_length).text, most);
    *out = (size_t)value;
    return GPA_OK;
}

enum { MAX_LEAVES = 1 << 24, MAX_CATEGORIES = 1 << 24 };

/* Bits of decision_type. */
enum { CATEGORICAL = 1, DEFAULT_LEFT = 2, MISSING_SHIFT = 2 };

/* The lists of a tree, in the order in which `fields` holds them, and what else is read
 * of it. */
enum field { FEATURE, THRESHOLD, DECISION, LEFT, RIGHT, LEAF, BOUNDARY, BITS, FIELDS };
enum { LEAVES = FIELDS, CATS, LINEAR, KEYS };
static const char *const NAMES[KEYS] = {
    "split_feature", "threshold",  "decision_type",  "left_child",
    "right_child",   "leaf_value", "cat_boundaries", "cat_threshold",
    "num_leaves",    "num_cat",    "is_linear"};

struct tree {
    size_t leaves, cats;   /* cats: categorical splits */
    size_t length[FIELDS]; /* numbers in each list */
    const double *at[FIELDS];
    bool seen[FIELDS];
    gpai_key_line line[FIELDS];
    size_t number[FIELDS]; /* of the line, for messages */
};

static gpa_status bad(const gpai_key_lines *k, const char *what, gpa_error *err)
{
    return gpai_bad_file(err, k->file, "the tree above line %zu: %s", k->line, what);
}

/* Notes where each list stands; the numbers are read when all lengths are known. */
static gpa_status note_lines(struct tree *t, gpai_key_lines *k, gpa_error *err)
{
    gpai_key_line l;
    uint32_t seen = 0;
    gpa_status st = GPA_OK;
    while (st == GPA_OK && gpai_key_lines_next(k, &l) && l.key_length > 0) {
        size_t linear = 0, key = KEYS;
        st = gpai_key_once(k, &l, NAMES, KEYS, &seen, &key, err);
        if (st != GPA_OK)
            return st;
        if (key == LEAVES)
            st = gpai_key_count(k, &l, MAX_LEAVES, &t->leaves, err);
        else if (key == CATS)
            st = gpai_key_count(k, &l, MAX_LEAVES, &t->cats, err);
        else if (key == LINEAR)
            st = gpai_key_count(k, &l, 1, &linear, err);
        if (linear != 0)
            return gpai_fail_file(
                err, GPA_UNSUPPORTED, k->file,
                "line %zu: trees with linear leaves (linear_tree) are not supported",
                k->line);
        if (key < FIELDS) {
            t->seen[key] = true;
            t->line[key] = l;
            t->number[key] = k->line;
        }
    }
    return st;
}

static gpa_status measure(struct tree *t, const gpai_key_lines *k, gpa_error *err)
{
    if (t->leaves < 1)
        return bad(k, "num_leaves is missing or 0", err);
    for (size_t i = 0; i < LEAF; i++)
        t->length[i] = t->leaves - 1;
    t->length[LEAF] = t->leaves;
    t->length[BOUNDARY] = t->cats > 0 ? t->cats + 1 : 0;
    t->length[BITS] = t->cats > 0 ? gpai_key_words(&t->line[BITS]) : 0;
    for (size_t i = 0; i < FIELDS; i++)
        if (t->length[i] > 0 && !t->seen[i])
            return gpai_bad_file(err, k->file, "the tree above line %zu: no %s",
                                 k->line, NAMES[i]);
    /* no memory for numbers that are not there: each takes a digit and a blank */
    for (size_t i = 0; i < FIELDS; i++)
        if (t->length[i] > t->line[i].length / 2 + 1)
            return gpai_bad_file(
                err, k->file, "line %zu: %s: %zu numbers, expected %zu", t->number[i],
                NAMES[i], gpai_key_words(&t->line[i]), t->length[i]);
    return GPA_OK;
}

static gpa_status read_lists(gpai_lightgbm_trees *all, struct tree *t,
                             const gpai_key_lines *k, gpa_error *err)
{
    size_t need = 0;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < FIELDS; i++)
        need += t->length[i];
    if (!gpai_grow(&all->fields, &all->fields_room, need, sizeof *all->fields))
        return gpai_nomem(err, "lightgbm");
    double *at = all->fields;
    for (size_t i = 0; i < FIELDS && st == GPA_OK; i++) {
        gpai_key_lines where = *k;
        where.line = t->number[i];
        if (t->length[i] > 0)
            st = gpai_key_numbers(&where, &t->line[i], t->length[i], at, err);
        t->at[i] = at;
        at += t->length[i];
    }
    return st;
}

/* Children are counted from 0; those below 0 are leaves, ~i. */
static bool child(double value, size_t leaves, int32_t *out)
{
    double splits = (double)leaves - 1;
    if (value != floor(value) || value < -(double)leaves || value >= splits)
        return false;
    *out = value >= 0 ? (int32_t)value : (int32_t)(splits - 1 - value);
    return true;
}

/* The set of categories that go left: words of bits between two boundaries. */
static gpa_status take_set(gpai_lightgbm_trees *all, const struct tree *t,
                           gpai_node *node, const gpai_key_lines *k, gpa_error *err)
{
    double index = node->threshold;
    if (!(index >= 0 && index < (double)t->cats) || index != floor(index))
        return bad(k, "a categorical split without its set", err);
    double from = t->at[BOUNDARY][(size_t)index],
           to = t->at[BOUNDARY][(size_t)index + 1];
    if (!(from >= 0 && from < to && to <= (double)t->length[BITS]) ||
        from != floor(from) || to != floor(to))
        return bad(k, "cat_boundaries do not fit cat_threshold", err);
    size_t n = (size_t)to - (size_t)from;
    if (all->words + n > MAX_CATEGORIES)
        return bad(k, "too many categories", err);
    if (!gpai_grow(&all->bits, &all->bits_room, all->words + n, sizeof *all->bits))
        return gpai_nomem(err, "lightgbm");
    node->category = (int32_t)all->words;
    node->category_words = (int32_t)n;
    for (size_t i = 0; i < n; i++) {
        double word = t->at[BITS][(size_t)from + i];
        if (!(word >= 0 && word <= 4294967295.0))
            return bad(k, "cat_threshold out of range", err);
        all->bits[all->words++] = (uint32_t)word;
    }
    return GPA_OK;
}

static gpa_status take_split(gpai_lightgbm_trees *all, const struct tree *t, size_t i,
                             gpai_node *node, const gpai_key_lines *k, gpa_error *err)
{
    static const uint8_t MISSING[] = {GPAI_MISSING_NONE, GPAI_MISSING_ZERO,
                                      GPAI_MISSING_NAN};
    double feature = t->at[FEATURE][i], decision = t->at[DECISION][i];
    *node = (gpai_node){.category = -1, .threshold = t->at[THRESHOLD][i]};
    if (!(feature >= 0 && feature < (double)all->inputs) || feature != floor(feature))
        return bad(k, "split_feature: no such input", err);
    if (!(decision >= 0 && decision < 12) || decision != floor(decision))
        return bad(k, "decision_type: unknown", err);
    if (!child(t->at[LEFT][i], t->leaves, &node->left) ||
        !child(t->at[RIGHT][i], t->leaves, &node->right))
        return bad(k, "a child that is neither split nor leaf", err);
    unsigned bits = (unsigned)decision;
    node->input = (int32_t)feature;
    node->missing = MISSING[bits >> MISSING_SHIFT];
    node->default_left = (bits & DEFAULT_LEFT) != 0;
    if ((bits & CATEGORICAL) == 0)
        return GPA_OK;
    node->missing = GPAI_MISSING_NAN; /* of a category it always goes right */
    node->default_left = false;
    return take_set(all, t, node, k, err);
}

static gpa_status take_tree(gpai_lightgbm_trees *all, const struct tree *t,
                            const gpai_key_lines *k, gpa_error *err)
{
    size_t splits = t->leaves - 1, nodes = splits + t->leaves;
    if (!gpai_grow(&all->start, &all->start_room, all->trees + 2, sizeof *all->start) ||
        !gpai_grow(&all->node, &all->node_room, all->nodes + nodes, sizeof *all->node))
        return gpai_nomem(err, "lightgbm");
    gpai_node *node = all->node + all->nodes;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < splits && st == GPA_OK; i++)
        st = take_split(all, t, i, &node[i], k, err);
    for (size_t i = 0; i < t->leaves; i++)
        node[splits + i] =
            (gpai_node){.input = -1, .category = -1, .threshold = t->at[LEAF][i]};
    all->start[all->trees] = all->nodes;
    all->nodes += nodes;
    all->start[++all->trees] = all->nodes;
    return st;
}

gpa_status gpai_lightgbm_tree(gpai_lightgbm_trees *all, gpai_key_lines *k,
                              gpa_error *err)
{
    struct tree t = {0};
    gpa_status st = note_lines(&t, k, err);
    if (st == GPA_OK)
        st = measure(&t, k, err);
    if (st == GPA_OK)
        st = read_lists(all, &t, k, err);
    return st == GPA_OK ? take_tree(all, &t, k, err) : st;
}

void gpai_lightgbm_trees_free(gpai_lightgbm_trees *t)
{
    gpai_free(t->fields);
    gpai_free(t->bits);
    gpai_free(t->node);
    gpai_free(t->start);
}
