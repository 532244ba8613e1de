#include "cli/limits.h"
#include "cli/say.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The input called `name` (of `length` letters). */
static gpa_status find_input(const struct load *l, const char *option, const char *name,
                             size_t length, size_t *input, gpa_error *err)
{
    char word[200];
    if (length >= sizeof word)
        return fail(err, GPA_INVALID, "--%s: a name of %zu letters", option, length);
    memcpy(word, name, length);
    word[length] = '\0';
    for (size_t k = 0; k < l->d; k++)
        if (strcmp(l->features[k], word) == 0) {
            *input = k;
            return GPA_OK;
        }
    const char *near = word_nearest(word, l->features, l->d);
    return near != NULL
               ? fail(err, GPA_INVALID,
                      "--%s: no input is called '%s'; did you mean '%s'?", option, word,
                      near)
               : fail(err, GPA_INVALID, "--%s: no input is called '%s'", option, word);
}

/* Calls `take` with every piece of "A,B,C". */
typedef gpa_status (*take_fn)(struct limits *m, const struct load *l, const char *piece,
                              size_t length, size_t number, gpa_error *err);

static gpa_status each(struct limits *m, const struct load *l, const struct args *a,
                       enum option_id id, take_fn take, gpa_error *err)
{
    size_t number = 0;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < a->repeats && st == GPA_OK; i++) {
        if (a->repeat[i].option != (int)id)
            continue;
        number++;
        for (const char *p = a->repeat[i].text; p != NULL && st == GPA_OK;) {
            size_t length = strcspn(p, ",");
            st = take(m, l, p, length, number, err);
            p = p[length] == ',' ? p + length + 1 : NULL;
        }
    }
    return st;
}

static gpa_status take_frozen(struct limits *m, const struct load *l, const char *piece,
                              size_t length, size_t number, gpa_error *err)
{
    size_t k;
    (void)number;
    gpa_status st = find_input(l, "freeze", piece, length, &k, err);
    if (st == GPA_OK)
        m->frozen[k] = 1;
    return st;
}

static gpa_status take_integer(struct limits *m, const struct load *l,
                               const char *piece, size_t length, size_t number,
                               gpa_error *err)
{
    size_t k;
    (void)number;
    gpa_status st = find_input(l, "integer", piece, length, &k, err);
    if (st == GPA_OK)
        m->integer[k] = 1;
    return st;
}

static gpa_status take_onehot(struct limits *m, const struct load *l, const char *piece,
                              size_t length, size_t number, gpa_error *err)
{
    size_t k;
    gpa_status st = find_input(l, "onehot", piece, length, &k, err);
    if (st == GPA_OK && m->onehot[k] != 0)
        st = fail(err, GPA_INVALID, "--onehot: '%s' is named twice", l->features[k]);
    if (st == GPA_OK)
        m->onehot[k] = number;
    return st;
}

/* A bound, or nothing where the text is empty. */
static bool read_bound(const char *text, size_t length, double *value)
{
    char word[64];
    if (length == 0)
        return true;
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return word_real(word, value);
}

/* COL=LO:HI. The name may hold = and :, so the last ones count. */
static gpa_status take_bounds(struct limits *m, const struct load *l, const char *piece,
                              size_t length, size_t number, gpa_error *err)
{
    size_t k, colon = length, equals;
    (void)number;
    while (colon > 0 && piece[colon - 1] != ':')
        colon--;
    for (equals = colon; equals > 0 && piece[equals - 1] != '=';)
        equals--;
    if (equals == 0)
        return fail(err, GPA_INVALID, "--bounds: '%.*s' is not COL=LO:HI",
                    (int)(length < 100 ? length : 100), piece);
    gpa_status st = find_input(l, "bounds", piece, equals - 1, &k, err);
    if (st != GPA_OK)
        return st;
    if (!read_bound(piece + equals, colon - 1 - equals, &m->lower[k]) ||
        !read_bound(piece + colon, length - colon, &m->upper[k]) ||
        m->lower[k] > m->upper[k])
        return fail(err, GPA_INVALID,
                    "--bounds: '%.*s': LO and HI are numbers, LO not above HI; one of "
                    "them may be left out",
                    (int)(length < 100 ? length : 100), piece);
    return GPA_OK;
}

gpa_status limits_read(struct limits *m, const struct load *l, const struct args *a,
                       gpa_explain_options *opt, gpa_error *err)
{
    m->frozen = room(l->d, sizeof *m->frozen);
    m->integer = room(l->d, sizeof *m->integer);
    m->lower = room(l->d, sizeof *m->lower);
    m->upper = room(l->d, sizeof *m->upper);
    m->onehot = room(l->d, sizeof *m->onehot);
    if (m->frozen == NULL || m->integer == NULL || m->lower == NULL ||
        m->upper == NULL || m->onehot == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (size_t k = 0; k < l->d; k++)
        m->lower[k] = m->upper[k] = (double)NAN;
    gpa_status st = each(m, l, a, OPT_FREEZE, take_frozen, err);
    if (st == GPA_OK)
        st = each(m, l, a, OPT_BOUNDS, take_bounds, err);
    if (st == GPA_OK)
        st = each(m, l, a, OPT_INTEGER, take_integer, err);
    if (st == GPA_OK)
        st = each(m, l, a, OPT_ONEHOT, take_onehot, err);
    opt->frozen = a->given[OPT_FREEZE] ? m->frozen : NULL;
    opt->lower = a->given[OPT_BOUNDS] ? m->lower : NULL;
    opt->upper = a->given[OPT_BOUNDS] ? m->upper : NULL;
    opt->integer = a->given[OPT_INTEGER] ? m->integer : NULL;
    opt->onehot = a->given[OPT_ONEHOT] ? m->onehot : NULL;
    return st;
}

void limits_free(struct limits *m)
{
    free(m->onehot);
    free(m->upper);
    free(m->lower);
    free(m->integer);
    free(m->frozen);
}
