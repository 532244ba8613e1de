#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/number.h"
#include "study/kinds/facts.h"
#include "study/kinds/parts.h"
#include <math.h>
#include <stdio.h>

/* What one column is. The rules are asked in order; each tolerates the few rows that
 * break it, so that a spoilt row does not decide what its column is. Such values must
 * stand apart from the others: the end of a long tail is no mistake. Nothing is held
 * because of a tolerated row, except for row numbers. */

enum {
    ENOUGH = 30,    /* rows that make a rule out of what may be chance */
    MANY = 200,     /* rows of which one may be a mistake that does not stand apart */
    SOME = 20,      /* texts that may be names of rows */
    FEW = 8,        /* rows for 0 and 1, and for a 0 that is the least */
    MOST_STEPS = 25 /* steps from low to high; more are numbers that are rounded */
};

struct column {
    gpai_known_kinds *k;
    size_t i, rows;
    const gpai_kind_column *data;
    gpai_facts f; /* without the missing code */
    size_t tolerated;
    gpa_input *in; /* what is being filled */
};

/* A value; NaN when it is missing. */
static double at(const struct column *c, size_t row)
{
    double v = c->data->value[row * (c->data->stride > 1 ? c->data->stride : 1)];
    return !isfinite(v) || v == c->in->missing ? (double)NAN : v;
}

static gpa_status put(struct column *c, gpa_kind kind, const char *reason,
                      gpa_error *err)
{
    c->in->kind = kind;
    c->k->reason[c->i] = reason;
    return reason == NULL ? gpai_nomem(err, "kinds") : GPA_OK;
}

/* Numbers within a reason. */
struct shown {
    char text[GPAI_REAL_SIZE];
};

static struct shown show(double v)
{
    struct shown s;
    gpai_real_digits(s.text, v, 6);
    return s;
}

/* ---- text ---- */

static size_t count_texts(const struct column *c, size_t *count, size_t *first)
{
    size_t n = 0;
    for (size_t row = 0; row < c->rows; row++) {
        double code = at(c, row);
        if (isnan(code))
            continue;
        size_t l = (size_t)code;
        if (count[l]++ == 0)
            first[l] = row;
        n++;
    }
    return n;
}

static gpa_status infer_text(struct column *c, gpa_error *err)
{
    size_t levels = c->data->levels, seen = 0;
    size_t *count = gpai_calloc(2 * levels + 1, sizeof *count);
    gpa_status st =
        gpai_kinds_put_levels(c->k, c->i, NULL, c->data->level_name, levels, err);
    if (count == NULL)
        st = gpai_nomem(err, "kinds");
    if (st != GPA_OK)
        goto done;
    size_t *first = count + levels, n = count_texts(c, count, first);
    for (size_t l = 0; l < levels; l++)
        seen += count[l] > 0;
    if (seen <= 1)
        st = put(c, GPA_KIND_HELD,
                 gpai_kinds_text(c->k, seen == 1 ? GPAI_ONE_VALUE : "no values"), err);
    else if (!c->data->known && n >= SOME && seen > SOME && 2 * seen > n)
        st = put(c, GPA_KIND_HELD,
                 gpai_kinds_text(c->k, "%zu of %zu texts distinct", seen, n), err);
    else
        st = put(c, levels == 2 ? GPA_KIND_FLAG : GPA_KIND_CHOICE,
                 gpai_kinds_text(c->k, "%zu levels", seen), err);
    if (st == GPA_OK && c->in->kind != GPA_KIND_HELD)
        st = gpai_kinds_mark_rare(c->k, c->i, count, first, err);
done:
    gpai_free(count);
    return st;
}

/* ---- a number that stands for a missing value ---- */

static const double CODES[] = {-1, -9, -99, -999, -9999};
enum { N_CODES = sizeof CODES / sizeof CODES[0] };

struct signs {
    size_t code[N_CODES], negative, other; /* other: negative, and no code */
    size_t low;                            /* from 0 to 1 */
    double least;                          /* not negative */
};

/* Stops when a code is out of the question. */
static struct signs count_signs(const struct column *c)
{
    struct signs s = {.least = (double)INFINITY};
    for (size_t row = 0; row < c->rows && s.other <= c->tolerated; row++) {
        double v = at(c, row);
        size_t k = 0;
        if (v >= 0) {
            s.low += v <= 1;
            s.least = v < s.least ? v : s.least;
        }
        if (!(v < 0))
            continue;
        while (k < N_CODES && v != CODES[k])
            k++;
        if (k < N_CODES)
            s.code[k]++;
        else
            s.other++;
        s.negative++;
    }
    return s;
}

/* -1 below 0, 1, 2, … is the start of a scale; below fractions or without 0 and 1 it is
 * a code. */
static bool minus_one_is_code(const struct column *c, const struct signs *s)
{
    if (s->least > 0 || (c->f.n >= ENOUGH && s->low <= c->tolerated))
        return true;
    return c->f.parts > c->tolerated && 2 * s->code[0] < c->f.n;
}

static double missing_code(const struct column *c)
{
    size_t best = 0;
    if (c->f.negative < 2 || (c->f.list != NULL && c->f.m <= 3))
        return (double)NAN;
    struct signs s = count_signs(c);
    for (size_t k = 1; k < N_CODES; k++)
        if (s.code[k] >= s.code[best])
            best = k;
    size_t others = s.negative - s.code[best];
    if (s.other > c->tolerated || others > c->tolerated || s.code[best] < 2 ||
        s.code[best] < 5 * others || (best == 0 && !minus_one_is_code(c, &s)))
        return (double)NAN;
    return CODES[best];
}

/* ---- two values ---- */

static const gpai_value *most_frequent(const gpai_facts *f, const gpai_value *but)
{
    const gpai_value *best = NULL;
    for (size_t l = 0; l < f->m; l++)
        if (&f->list[l] != but && (best == NULL || f->list[l].count > best->count))
            best = &f->list[l];
    return best;
}

static bool usual_pair(double a, double b)
{
    return (a == 0 && b == 1) || (a == 1 && b == 2) || (a == -1 && b == 1);
}

/* Whether a third value is a mistake: it is far off, or it is not the rare end of a
 * count, of which many more rows would have reached it. */
static bool is_stray(const struct column *c, const double pair[2], bool counts,
                     double v)
{
    double apart = v < pair[0] ? pair[0] - v : v > pair[1] ? v - pair[1] : 0;
    return apart > 4 * (pair[1] - pair[0]) || (c->f.n >= MANY && !counts);
}

/* Of n rows with 0 and m with 1 a count that is Poisson has m^2 / 2 n with 2. */
static bool may_be_counts(size_t more, size_t rarer, size_t strays)
{
    double expected = 0.5 * (double)rarer * (double)rarer / (double)more;
    return expected < 3 + 2 * (double)strays;
}

static bool is_flag(const struct column *c, double pair[2])
{
    const gpai_value *a = most_frequent(&c->f, NULL), *b = most_frequent(&c->f, a);
    if (a == NULL || b == NULL)
        return false;
    size_t n = c->f.n, rarer = b->count, strays = n - a->count - b->count;
    pair[0] = a->value < b->value ? a->value : b->value;
    pair[1] = a->value < b->value ? b->value : a->value;
    if (strays == 0)
        return (n >= ENOUGH && rarer >= 2) || c->data->boolean ||
               (n >= FEW && usual_pair(pair[0], pair[1]));
    if (strays > c->tolerated || rarer < 3 * strays || n < ENOUGH)
        return false;
    bool counts = may_be_counts(a->count, rarer, strays);
    for (size_t l = 0; l < c->f.m; l++)
        if (&c->f.list[l] != a && &c->f.list[l] != b &&
            !is_stray(c, pair, counts, c->f.list[l].value))
            return false;
    return true;
}

static gpa_status put_flag(struct column *c, const double pair[2], gpa_error *err)
{
    bool named = c->data->boolean && c->data->levels == 2;
    gpa_status st = gpai_kinds_put_levels(c->k, c->i, pair,
                                          named ? c->data->level_name : NULL, 2, err);
    if (st != GPA_OK)
        return st;
    return put(c, GPA_KIND_FLAG,
               gpai_kinds_text(c->k, "two values %s, %s", show(pair[0]).text,
                               show(pair[1]).text),
               err);
}

/* ---- row numbers ---- */

enum { SAMPLE = 63 };

/* A number in the midst of the column. */
static double middle(const struct column *c)
{
    double some[SAMPLE];
    size_t n = 0, step = c->rows / SAMPLE + 1;
    for (size_t row = 0; row < c->rows; row += step)
        if (gpai_whole(at(c, row)))
            some[n++] = at(c, row);
    gpai_sort(some, n);
    return n > 0 ? some[n / 2] : 0;
}

/* Marks the whole numbers from `from` on, up to 2 n; how many different ones there are,
 * 0 when too many come twice. They lie within [first, last]. */
static size_t mark(const struct column *c, double from, unsigned char *seen,
                   size_t *first, size_t *last)
{
    size_t most = 2 * c->f.n, twice = 0, different = 0;
    *first = most;
    *last = 0;
    for (size_t row = 0; row < c->rows && twice <= c->tolerated; row++) {
        double off = at(c, row) - from;
        size_t place = off >= 0 && off <= (double)most ? (size_t)off : 0;
        if ((double)place != off)
            continue;
        unsigned char bit = (unsigned char)(1u << place % 8);
        bool again = (seen[place / 8] & bit) != 0;
        seen[place / 8] |= bit;
        twice += again;
        different += !again;
        *first = place < *first ? place : *first;
        *last = place > *last ? place : *last;
    }
    return twice <= c->tolerated ? different : 0;
}

/* The most different numbers among any n that follow one another, of 2 n + 1 around the
 * middle; 0 when too many come twice. */
static size_t longest_run(const struct column *c, unsigned char *seen)
{
    size_t n = c->f.n, run = 0, best = 0, first, last;
    size_t different = mark(c, middle(c) - (double)n, seen, &first, &last);
    if (different == 0 || last - first < n)
        return different;
    for (size_t i = first; i <= last; i++) {
        run += seen[i / 8] >> i % 8 & 1;
        if (i >= first + n)
            run -= seen[(i - n) / 8] >> (i - n) % 8 & 1;
        best = run > best ? run : best;
    }
    return best;
}

static gpa_status is_row_number(const struct column *c, bool *yes, gpa_error *err)
{
    *yes = false;
    if (c->f.n < ENOUGH || c->f.parts > c->tolerated || c->f.repeats > c->tolerated)
        return GPA_OK;
    unsigned char *seen = gpai_calloc(c->f.n / 4 + 1, 1);
    if (seen == NULL)
        return gpai_nomem(err, "kinds");
    *yes = longest_run(c, seen) >= c->f.n - c->tolerated;
    gpai_free(seen);
    return GPA_OK;
}

/* ---- whole numbers ---- */

/* Steps of the list: [from, to) without fractions, and without what lies apart. */
struct steps {
    gpai_value *list;
    size_t from, to, left; /* left: rows that may still be cut off */
};

/* The first step when `left` rows are cut off below, or the last when above. */
static size_t core_end(const struct steps *s, bool above)
{
    size_t rows = 0, i = 0, m = s->to - s->from;
    while (i + 1 < m &&
           (rows += s->list[above ? s->to - 1 - i : s->from + i].count) <= s->left)
        i++;
    return above ? s->to - 1 - i : s->from + i;
}

/* The step in the middle of the rows. */
static double middle_step(const struct steps *s)
{
    size_t rows = 0, half = 0, i = s->from;
    for (size_t j = s->from; j < s->to; j++)
        rows += s->list[j].count;
    while (i + 1 < s->to && 2 * (half += s->list[i].count) < rows)
        i++;
    return s->list[i].value;
}

/* How far off a step may be and still be one of those from low to high: as far as these
 * are wide, or twice that on the side to which they thin out. */
static double reach(double low, double high, double middle, bool up)
{
    static const double LEAST = 3;
    double above = high - middle, below = middle - low;
    bool thin = up ? above > 2 * below : below > 2 * above;
    return fmax((thin ? 2 : 1) * (high - low), LEAST);
}

/* Takes back in from the core outwards what lies near enough. */
static void widen(struct steps *s)
{
    size_t low = core_end(s, false), high = core_end(s, true), cut = 0;
    const gpai_value *v = s->list;
    double middle = middle_step(s);
    for (bool more = low <= high; more;) {
        double from = v[low].value, to = v[high].value;
        bool up =
            high + 1 < s->to && v[high + 1].value - to <= reach(from, to, middle, true);
        bool down =
            low > s->from && from - v[low - 1].value <= reach(from, to, middle, false);
        high += up;
        low -= down;
        more = up || down;
    }
    for (size_t i = s->from; i < s->to; i++)
        cut += i < low || i > high ? v[i].count : 0;
    if (low > high || cut > s->left)
        return;
    s->from = low;
    s->to = high + 1;
}

static bool are_steps(const struct column *c, const struct steps *s)
{
    const gpai_value *v = s->list;
    size_t different = s->to - s->from, kept = 0, most = 0;
    for (size_t i = s->from; i < s->to; i++) {
        kept += v[i].count;
        most = v[i].count > most ? v[i].count : most;
    }
    if (different < 2 || kept < 3 * different)
        return false;
    double span = v[s->to - 1].value - v[s->from].value + 1;
    size_t strays = c->f.n - kept;
    if (strays > 0 && (different < 3 || kept - most < 10 * strays ||
                       4 * (double)different < 3 * span))
        return false;
    return span <= MOST_STEPS && 2 * (double)different >= span;
}

static gpa_status is_whole(struct column *c, bool *yes, gpa_error *err)
{
    struct steps s = {.left = c->tolerated - c->f.parts};
    *yes = false;
    if (c->f.list == NULL || c->f.n < ENOUGH || c->f.parts > c->tolerated)
        return GPA_OK;
    s.list = gpai_calloc(c->f.m + 1, sizeof *s.list);
    if (s.list == NULL)
        return gpai_nomem(err, "kinds");
    for (size_t l = 0; l < c->f.m; l++)
        if (gpai_whole(c->f.list[l].value))
            s.list[s.to++] = c->f.list[l];
    if (s.to > 0)
        widen(&s);
    *yes = are_steps(c, &s);
    if (*yes) {
        c->in->low = s.list[s.from].value;
        c->in->high = s.list[s.to - 1].value;
    }
    gpai_free(s.list);
    return GPA_OK;
}

/* ---- numbers ---- */

/* Whether the few negative numbers lie apart from the others: farther below the least
 * of these than a tenth of the column, or 15 rows, reaches above it. */
static bool negative_apart(const struct column *c)
{
    double below = -(double)INFINITY, least = (double)INFINITY;
    size_t near = 0, tenth = c->f.n / 10, half = ENOUGH / 2;
    for (size_t row = 0; row < c->rows; row++) {
        double v = at(c, row);
        if (v < 0)
            below = fmax(below, v);
        else
            least = fmin(least, v);
    }
    for (size_t row = 0; row < c->rows; row++)
        near += at(c, row) >= 0 && at(c, row) < least + (least - below);
    return near >= (tenth > half ? tenth : half);
}

static bool never_negative(const struct column *c)
{
    const gpai_facts *f = &c->f;
    if (f->negative == 0)
        return f->n >= ENOUGH || (f->n >= FEW && f->min == 0);
    return f->n >= ENOUGH && f->negative <= c->tolerated && negative_apart(c);
}

/* Whether a share or a percentage reaches its end, and only mistakes pass it. */
static bool reaches(const struct column *c, double top)
{
    static const double FAR = 5; /* times the end: in another unit */
    size_t there = 0, above = 0, low = 0;
    if (c->f.max < top || (c->f.list != NULL && c->f.m <= 10))
        return false;
    for (size_t row = 0; row < c->rows && above <= c->tolerated; row++) {
        double v = at(c, row);
        there += v == top;
        low += v >= 0 && v < 0.05 * top;
        above += v > top;
        if (v > top && v < FAR * top)
            return false;
    }
    return there >= 2 && low > 0 && above <= c->tolerated;
}

static gpa_status put_number(struct column *c, gpa_error *err)
{
    static const double TOPS[] = {1, 100};
    gpa_input *in = c->in;
    bool nonnegative = never_negative(c), whole = c->f.parts <= c->tolerated;
    in->low = nonnegative ? 0 : (double)NAN;
    for (size_t k = 0; k < 2 && nonnegative && isnan(in->high); k++)
        if (reaches(c, TOPS[k]))
            in->high = TOPS[k];
    in->whole = whole && c->f.n >= ENOUGH;
    char limit[GPAI_REAL_SIZE + 16] = "", rows[48] = "";
    if (!isnan(in->high))
        snprintf(limit, sizeof limit, ", at most %s", show(in->high).text);
    if (in->whole)
        snprintf(rows, sizeof rows, ", whole in %zu rows", c->f.n - c->f.parts);
    return put(c, GPA_KIND_NUMBER,
               gpai_kinds_text(c->k, "%s%s%s",
                               nonnegative ? "never negative" : "number", limit, rows),
               err);
}

static gpa_status infer_date(struct column *c, gpa_error *err)
{
    c->in->whole = c->f.parts == 0 || c->data->writing == GPA_WRITING_DATE;
    bool days = c->data->writing == GPA_WRITING_DATE;
    return put(c, GPA_KIND_NUMBER,
               gpai_kinds_text(c->k, days ? "dates: days" : "times: seconds"), err);
}

/* The rules for values that were not taken out. */
static gpa_status infer_values(struct column *c, gpa_error *err)
{
    double pair[2];
    bool yes = false;
    if (c->f.list != NULL && is_flag(c, pair))
        return put_flag(c, pair, err);
    gpa_status st = is_row_number(c, &yes, err);
    if (st == GPA_OK && yes && !c->data->known)
        return put(c, GPA_KIND_HELD, gpai_kinds_text(c->k, "row numbers"), err);
    if (st == GPA_OK)
        st = is_whole(c, &yes, err);
    if (st == GPA_OK && yes)
        return put(c, GPA_KIND_WHOLE,
                   gpai_kinds_text(c->k, "whole numbers %s%s%s in %zu rows",
                                   show(c->in->low).text, c->in->low < 0 ? " to " : "-",
                                   show(c->in->high).text, c->f.n),
                   err);
    return st == GPA_OK ? put_number(c, err) : st;
}

static gpa_status infer_numbers(struct column *c, gpa_error *err)
{
    gpa_status st = gpai_facts_find(&c->f, c->data, c->rows, (double)NAN, err);
    if (st != GPA_OK)
        return st;
    if (c->f.n == 0 || c->f.min == c->f.max)
        return put(c, GPA_KIND_HELD,
                   gpai_kinds_text(c->k, c->f.n > 0 ? GPAI_ONE_VALUE : "no values"),
                   err);
    if (c->data->writing != GPA_WRITING_NUMBER)
        return infer_date(c, err);
    c->tolerated = gpai_kinds_tolerated(c->f.n);
    double code = missing_code(c);
    if (!isnan(code)) {
        c->in->missing = code;
        gpai_facts_free(&c->f);
        st = gpai_facts_find(&c->f, c->data, c->rows, code, err);
        c->tolerated = gpai_kinds_tolerated(c->f.n);
    }
    return st == GPA_OK ? infer_values(c, err) : st;
}

gpa_status gpai_kinds_infer_column(gpai_known_kinds *k, size_t i,
                                   const gpai_kind_column *column, size_t n,
                                   gpa_error *err)
{
    struct column c = {.k = k, .i = i, .rows = n, .data = column, .in = &k->input[i]};
    *c.in = (gpa_input){.writing = column->writing,
                        .inferred = true,
                        .low = (double)NAN,
                        .high = (double)NAN,
                        .missing = (double)NAN};
    gpa_status st = column->writing == GPA_WRITING_LEVEL ? infer_text(&c, err)
                                                         : infer_numbers(&c, err);
    gpai_facts_free(&c.f);
    return st;
}
