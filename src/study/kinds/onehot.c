#include "base/alloc.h"
#include "base/status.h"
#include "study/kinds/parts.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Columns of 0 and 1 of which one is 1 in every row: the levels of one choice. */

enum {
    ENOUGH = 20,      /* rows */
    TRUST_ROWS = 200, /* rows before one that has no 1 is a mistake, not a rare level */
    CLEAR = 10,       /* without a name in common: rows of a level for each mistake */
    MOST_WORK = 64    /* times all numbers, in the search for neighbours */
};

struct binary {
    size_t input;
    size_t prefix; /* characters of its name; 0: none */
    size_t ones;   /* rows with a 1 */
    bool used;
    uint64_t *one, *other; /* by row, a bit: it is 1, it is neither 0 nor 1 */
};

struct search {
    gpai_known_kinds *k;
    const gpai_kind_column *columns;
    size_t n, words, tolerated, groups;
    struct binary *all;
    size_t n_all;
    uint64_t *bits;          /* of all of them */
    uint64_t *any, *several; /* by row: of some columns one is 1; more than one is */
    size_t work;             /* numbers that may still be added up */
};

static const char *name_of(const struct search *s, const struct binary *b)
{
    return s->columns[b->input].name;
}

/* Groups are sought by their names three times: what adds up to 1; then by shorter
 * names of groups, as those of levels may hold separators, and only what is beyond
 * doubt; then what has a level dropped. */
enum pass { LONG_FULL, SHORT, LONG };

/* Where the name of the group ends: at the last of _ = . : [ or, without one, at the
 * first blank. `first`: at the first of them all. 0: nowhere. */
static size_t prefix_of(const char *name, bool first)
{
    static const char separators[] = "_=.:[";
    size_t end = 0;
    for (size_t i = 1; name[0] != '\0' && name[i] != '\0'; i++)
        if (strchr(separators, name[i]) != NULL && (end == 0 || !first))
            end = i;
    for (size_t i = 1; end == 0 && name[0] != '\0' && name[i] != '\0'; i++)
        if (name[i] == ' ')
            end = i;
    return end;
}

static bool is_binary(const gpai_known_kinds *k, size_t i, const gpai_kind_column *c)
{
    const gpa_input *in = &k->input[i];
    return in->kind == GPA_KIND_FLAG && in->levels == 2 && in->level[0] == 0 &&
           in->level[1] == 1 && isnan(in->missing) &&
           (c->writing == GPA_WRITING_NUMBER || c->boolean);
}

static size_t ones_in(const uint64_t *bits, size_t words)
{
    size_t n = 0;
    for (size_t w = 0; w < words; w++)
        n += (size_t)__builtin_popcountll(bits[w]);
    return n;
}

/* Up to 64 rows as bits. Of 0 and 1 the lowest bit of the exponent tells which it is;
 * anything else differs from what that bit stands for. */
static uint64_t read_word(const double *v, size_t step, size_t rows, uint64_t *other)
{
    static const double ONE = 1;
    uint64_t one, bits, word = 0, odd = 0;
    memcpy(&one, &ONE, sizeof one);
    for (size_t j = 0; j < rows; j++) {
        memcpy(&bits, &v[j * step], sizeof bits);
        uint64_t bit = bits >> 52 & 1;
        word |= bit << j;
        odd |= bits ^ (one & (0 - bit));
    }
    *other = 0;
    for (size_t j = 0; j < rows && odd != 0; j++) /* -0 is 0, too */
        if (v[j * step] != 0 && v[j * step] != 1)
            *other |= UINT64_C(1) << j;
    return word & ~*other;
}

/* A column as bits; false when too many are neither 0 nor 1. */
static bool read_bits(const struct search *s, struct binary *b, uint64_t *bits)
{
    const gpai_kind_column *c = &s->columns[b->input];
    size_t step = c->stride > 1 ? c->stride : 1;
    b->one = bits;
    b->other = bits + s->words;
    for (size_t w = 0; 64 * w < s->n; w++) {
        size_t rows = s->n - 64 * w < 64 ? s->n - 64 * w : 64;
        b->one[w] = read_word(c->value + 64 * w * step, step, rows, &b->other[w]);
    }
    b->ones = ones_in(b->one, s->words);
    return ones_in(b->other, s->words) <= s->tolerated;
}

static gpa_status collect(struct search *s, gpa_error *err)
{
    size_t m = 0;
    for (size_t i = 0; i < s->k->d; i++)
        if (is_binary(s->k, i, &s->columns[i]))
            s->all[m++] = (struct binary){.input = i};
    s->bits = gpai_calloc(2 * m + 2, s->words * sizeof *s->bits);
    if (s->bits == NULL)
        return gpai_nomem(err, "kinds");
    s->any = s->bits + 2 * m * s->words;
    s->several = s->any + s->words;
    for (size_t j = 0; j < m; j++) {
        s->all[s->n_all] = s->all[j];
        if (read_bits(s, &s->all[s->n_all], s->bits + 2 * j * s->words))
            s->n_all++;
    }
    return GPA_OK;
}

static void clear(struct search *s)
{
    memset(s->any, 0, s->words * sizeof *s->any);
    memset(s->several, 0, s->words * sizeof *s->several);
}

/* One column more; a row with another number counts as one with several. */
static void add(struct search *s, const struct binary *b)
{
    for (size_t w = 0; w < s->words; w++) {
        s->several[w] |= (s->any[w] & b->one[w]) | b->other[w];
        s->any[w] |= b->one[w];
    }
}

/* How many rows have no 1, and how many more than one. */
static void count(const struct search *s, size_t *none, size_t *more)
{
    *more = ones_in(s->several, s->words);
    *none = 0;
    for (size_t w = 0; w < s->words; w++)
        *none += (size_t)__builtin_popcountll(s->any[w] | s->several[w]);
    *none = s->n - *none;
}

/* The characters that all names begin with, up to a separator; 0: none. */
static size_t common_prefix(const struct search *s, struct binary *const *of, size_t m)
{
    const char *name = name_of(s, of[0]);
    size_t same = strlen(name), end = 0;
    for (size_t i = 1; i < m; i++) {
        const char *other = name_of(s, of[i]);
        size_t j = 0;
        while (j < same && name[j] == other[j] && name[j] != '\0')
            j++;
        same = j;
    }
    for (size_t i = 1; i < same; i++)
        if (strchr("_=.:[ ", name[i]) != NULL)
            end = i;
    return end;
}

/* A name and labels for people: region[T.north] is the level north of region. */
static gpa_status name_group(struct search *s, struct binary *const *of, size_t m,
                             size_t prefix, gpa_error *err)
{
    const char *first = name_of(s, of[0]);
    const char *bracket = memchr(first, '[', prefix);
    size_t shown =
        bracket != NULL && bracket > first ? (size_t)(bracket - first) : prefix;
    char *name = prefix > 0 ? gpai_kinds_text(s->k, "%.*s", (int)shown, first)
                            : gpai_kinds_text(s->k, "%s/%s%s", first, name_of(s, of[1]),
                                              m > 2 ? "/\xe2\x80\xa6" : "");
    if (name == NULL)
        return gpai_nomem(err, "kinds");
    for (size_t i = 0; i < m; i++) {
        gpa_input *in = &s->k->input[of[i]->input];
        const char *label = name_of(s, of[i]) + (prefix > 0 ? prefix + 1 : 0);
        size_t length = strlen(label);
        in->name = name;
        if (memchr(first, '[', prefix + 1) != NULL && length > 1 &&
            label[length - 1] == ']')
            length--;
        in->label = gpai_kinds_text(s->k, "%.*s", (int)length, label);
        if (in->label == NULL)
            return gpai_nomem(err, "kinds");
    }
    return GPA_OK;
}

static gpa_status make_group(struct search *s, struct binary *const *of, size_t m,
                             size_t prefix, bool dropped, gpa_error *err)
{
    gpa_status st = name_group(s, of, m, prefix, err);
    if (st != GPA_OK)
        return st;
    const char *reason =
        gpai_kinds_text(s->k,
                        dropped ? "%zu columns never together, one level dropped"
                                : "%zu columns that sum to 1",
                        m);
    if (reason == NULL)
        return gpai_nomem(err, "kinds");
    s->groups++;
    for (size_t i = 0; i < m; i++) {
        gpa_input *in = &s->k->input[of[i]->input];
        in->kind = GPA_KIND_CHOICE;
        in->group = s->groups;
        in->dropped = dropped;
        if (in->writing != GPA_WRITING_LEVEL) {
            in->levels = 0;
            in->level = NULL;
            in->level_name = NULL;
        }
        s->k->reason[of[i]->input] = reason;
        of[i]->used = true;
    }
    return GPA_OK;
}

/* Rows with two ones that chance would make. */
static double by_chance(const struct search *s, struct binary *const *of, size_t m)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < m; i++) {
        double p = (double)of[i]->ones / (double)s->n;
        sum += p;
        squares += p * p;
    }
    return (double)s->n * (sum * sum - squares) / 2;
}

/* Whether each of m columns would meet the others three times by chance: then none of
 * them is there only because it is rare. */
static bool each_by_chance(const struct search *s, struct binary *const *of, size_t m)
{
    double all = 0;
    for (size_t i = 0; i < m; i++)
        all += (double)of[i]->ones;
    for (size_t i = 0; i < m; i++) {
        double ones = (double)of[i]->ones;
        if (ones * (all - ones) < 3.0 * (double)s->n)
            return false;
    }
    return true;
}

/* m columns of one prefix: a group when they add up to 1, or when they never come
 * together though chance would have had it. Mistakes weaken that: of 3 expected and
 * none seen, 5 and 1, 7 and 2, the chance is 1 in 20. In few rows one that has no 1 is
 * rather a level that was dropped. */
static gpa_status try_prefix(struct search *s, enum pass pass, struct binary *const *of,
                             size_t m, gpa_error *err)
{
    size_t none = 0, more = 0;
    clear(s);
    for (size_t i = 0; i < m; i++)
        add(s, of[i]);
    count(s, &none, &more);
    bool never =
        more <= s->tolerated && by_chance(s, of, m) >= 3.0 + 2.0 * (double)more;
    bool full = none + more <= s->tolerated;
    if (none + more > 0 && s->n < TRUST_ROWS)
        full = full && never && none == 0;
    if (pass == SHORT) {
        never = more == 0 && each_by_chance(s, of, m);
        full = never && none == 0;
    }
    if (!full && (!never || pass == LONG_FULL))
        return GPA_OK;
    size_t prefix = pass == SHORT ? common_prefix(s, of, m) : of[0]->prefix;
    return make_group(s, of, m, prefix, !full, err);
}

struct named {
    const char *name;
    struct binary *of;
};

static int by_prefix(const void *a, const void *b)
{
    const struct named *s = a, *t = b;
    size_t m = s->of->prefix, n = t->of->prefix;
    int order = memcmp(s->name, t->name, m < n ? m : n);
    if (order != 0 || m != n)
        return order != 0 ? order : m < n ? -1 : 1;
    return s->of->input < t->of->input ? -1 : 1;
}

static bool same_prefix(const struct named *a, const struct named *b)
{
    return a->of->prefix == b->of->prefix &&
           memcmp(a->name, b->name, a->of->prefix) == 0;
}

/* Goes through the columns that have no group yet, by their prefixes. */
static gpa_status by_names(struct search *s, enum pass pass, gpa_error *err)
{
    struct named *named = gpai_calloc(s->n_all + 1, sizeof *named);
    struct binary **of = gpai_calloc(s->n_all + 1, sizeof *of);
    gpa_status st = GPA_OK;
    size_t m = 0;
    if (named == NULL || of == NULL) {
        st = gpai_nomem(err, "kinds");
        goto done;
    }
    for (size_t i = 0; i < s->n_all; i++) {
        struct binary *b = &s->all[i];
        b->prefix = prefix_of(name_of(s, b), pass == SHORT);
        if (!b->used && b->prefix > 0)
            named[m++] = (struct named){name_of(s, b), b};
    }
    qsort(named, m, sizeof *named, by_prefix);
    for (size_t i = 0, j = 0; i < m && st == GPA_OK; i = j) {
        for (j = i; j < m && same_prefix(&named[i], &named[j]); j++)
            of[j - i] = named[j].of;
        if (j - i >= 2)
            st = try_prefix(s, pass, of, j - i, err);
    }
done:
    gpai_free(of);
    gpai_free(named);
    return st;
}

/* Whether from column i on some columns can add up to 1, by their counts alone. */
static bool may_add_up(const struct search *s, size_t i)
{
    size_t ones = 0, slack = 0;
    for (; i < s->n_all && !s->all[i].used && ones <= s->n + slack; i++) {
        ones += s->all[i].ones;
        slack += s->tolerated;
        if (ones + s->tolerated >= s->n && ones <= s->n + slack)
            return true;
    }
    return false;
}

/* The most columns from i on that add up to 1 in all rows but a few. Without a name in
 * common a few must be very few beside the rows of each level, or a rare flag would be
 * taken in. */
static size_t longest(struct search *s, size_t i)
{
    size_t best = 0, rarest = s->n, none = 0, more = 0;
    clear(s);
    for (size_t m = 1; i + m <= s->n_all && !s->all[i + m - 1].used; m++) {
        const struct binary *b = &s->all[i + m - 1];
        if (s->work < s->n)
            break;
        s->work -= s->n;
        add(s, b);
        rarest = b->ones < rarest ? b->ones : rarest;
        count(s, &none, &more);
        if (more > s->tolerated)
            break;
        if (m >= 2 && none + more <= s->tolerated && CLEAR * (none + more) <= rarest)
            best = m;
    }
    return best;
}

static gpa_status by_neighbours(struct search *s, gpa_error *err)
{
    struct binary **of = gpai_calloc(s->n_all + 1, sizeof *of);
    gpa_status st = of == NULL ? gpai_nomem(err, "kinds") : GPA_OK;
    for (size_t i = 0; i < s->n_all && st == GPA_OK; i++) {
        size_t m = s->all[i].used || !may_add_up(s, i) ? 0 : longest(s, i);
        for (size_t j = 0; j < m; j++)
            of[j] = &s->all[i + j];
        if (m >= 2)
            st = make_group(s, of, m, common_prefix(s, of, m), false, err);
    }
    gpai_free(of);
    return st;
}

gpa_status gpai_kinds_renumber(gpai_known_kinds *k, gpa_error *err)
{
    size_t most = 0, next = 0;
    for (size_t i = 0; i < k->d; i++)
        most = k->input[i].group > most ? k->input[i].group : most;
    size_t *number = gpai_calloc(most + 1, sizeof *number);
    if (number == NULL)
        return gpai_nomem(err, "kinds");
    for (size_t i = 0; i < k->d; i++) {
        gpa_input *in = &k->input[i];
        if (in->group == 0)
            continue;
        if (number[in->group] == 0)
            number[in->group] = ++next;
        in->group = number[in->group];
    }
    gpai_free(number);
    return GPA_OK;
}

gpa_status gpai_kinds_infer_groups(gpai_known_kinds *k, const gpai_kind_column *columns,
                                   size_t n, gpa_error *err)
{
    struct search s = {.k = k,
                       .columns = columns,
                       .n = n,
                       .words = n / 64 + 1,
                       .tolerated = gpai_kinds_tolerated(n),
                       .work = n * k->d > SIZE_MAX / MOST_WORK ? SIZE_MAX
                                                               : MOST_WORK * n * k->d};
    gpa_status st = GPA_OK;
    if (n < ENOUGH)
        return GPA_OK;
    s.all = gpai_calloc(k->d, sizeof *s.all);
    if (s.all == NULL) {
        st = gpai_nomem(err, "kinds");
        goto done;
    }
    st = collect(&s, err);
    for (enum pass pass = LONG_FULL; pass <= LONG && st == GPA_OK; pass++)
        st = by_names(&s, pass, err);
    if (st == GPA_OK)
        st = by_neighbours(&s, err);
    if (st == GPA_OK)
        st = gpai_kinds_renumber(k, err);
done:
    gpai_free(s.bits);
    gpai_free(s.all);
    return st;
}
