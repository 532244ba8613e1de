#include "study/limits.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/nearest.h"
#include "base/text/words.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

/* The input called `name` (of `length` letters). */
static gpa_status find_input(const gpa_study *s, const char *option, const char *name,
                             size_t length, size_t *input, gpa_error *err)
{
    char word[200];
    if (length >= sizeof word)
        return gpai_fail(err, GPA_INVALID, "--%s: a name of %zu letters", option,
                         length);
    memcpy(word, name, length);
    word[length] = '\0';
    for (size_t k = 0; k < s->d; k++)
        if (strcmp(s->inputs[k], word) == 0) {
            *input = k;
            return GPA_OK;
        }
    const char *near = gpai_nearest(word, s->inputs, s->d);
    return near != NULL ? gpai_fail(err, GPA_INVALID,
                                    "--%s: no input is called '%s'; did you mean '%s'?",
                                    option, word, near)
                        : gpai_fail(err, GPA_INVALID, "--%s: no input is called '%s'",
                                    option, word);
}

/* Calls `take` with every piece of "A,B,C". */
typedef gpa_status (*take_fn)(gpai_limit_options *m, const gpa_study *s,
                              const char *piece, size_t length, size_t number,
                              gpa_error *err);

static gpa_status each(gpai_limit_options *m, const gpa_study *s, enum option_id id,
                       take_fn take, gpa_error *err)
{
    size_t number = 0;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < s->given.repeats && st == GPA_OK; i++) {
        if (s->given.repeat[i].option != (int)id)
            continue;
        number++;
        for (const char *p = s->given.repeat[i].text; p != NULL && st == GPA_OK;) {
            size_t length = strcspn(p, ",");
            st = take(m, s, p, length, number, err);
            p = p[length] == ',' ? p + length + 1 : NULL;
        }
    }
    return st;
}

static gpa_status take_frozen(gpai_limit_options *m, const gpa_study *s,
                              const char *piece, size_t length, size_t number,
                              gpa_error *err)
{
    size_t k;
    (void)number;
    gpa_status st = find_input(s, "freeze", piece, length, &k, err);
    if (st == GPA_OK)
        m->frozen[k] = 1;
    return st;
}

static gpa_status take_integer(gpai_limit_options *m, const gpa_study *s,
                               const char *piece, size_t length, size_t number,
                               gpa_error *err)
{
    size_t k;
    (void)number;
    gpa_status st = find_input(s, "integer", piece, length, &k, err);
    if (st == GPA_OK)
        m->integer[k] = 1;
    return st;
}

static gpa_status take_onehot(gpai_limit_options *m, const gpa_study *s,
                              const char *piece, size_t length, size_t number,
                              gpa_error *err)
{
    size_t k;
    gpa_status st = find_input(s, "onehot", piece, length, &k, err);
    if (st == GPA_OK && m->onehot[k] != 0)
        st = gpai_fail(err, GPA_INVALID, "--onehot: '%s' is named twice", s->inputs[k]);
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
    return gpai_word_real(word, value);
}

/* COL=LO:HI. The name may hold = and :, so the last ones count. */
static gpa_status take_bounds(gpai_limit_options *m, const gpa_study *s,
                              const char *piece, size_t length, size_t number,
                              gpa_error *err)
{
    size_t k, colon = length, equals;
    (void)number;
    while (colon > 0 && piece[colon - 1] != ':')
        colon--;
    for (equals = colon; equals > 0 && piece[equals - 1] != '=';)
        equals--;
    if (equals == 0)
        return gpai_fail(err, GPA_INVALID, "--bounds: '%.*s' is not COL=LO:HI",
                         (int)(length < 100 ? length : 100), piece);
    gpa_status st = find_input(s, "bounds", piece, equals - 1, &k, err);
    if (st != GPA_OK)
        return st;
    if (!read_bound(piece + equals, colon - 1 - equals, &m->lower[k]) ||
        !read_bound(piece + colon, length - colon, &m->upper[k]) ||
        m->lower[k] > m->upper[k])
        return gpai_fail(
            err, GPA_INVALID,
            "--bounds: '%.*s': LO and HI are numbers, LO not above HI; one of "
            "them may be left out",
            (int)(length < 100 ? length : 100), piece);
    return GPA_OK;
}

gpa_status gpai_limit_options_read(gpai_limit_options *m, gpa_study *s, gpa_error *err)
{
    gpa_explain_options *opt = &s->explain;
    m->frozen = gpai_calloc(s->d, sizeof *m->frozen);
    m->integer = gpai_calloc(s->d, sizeof *m->integer);
    m->lower = gpai_calloc(s->d, sizeof *m->lower);
    m->upper = gpai_calloc(s->d, sizeof *m->upper);
    m->onehot = gpai_calloc(s->d, sizeof *m->onehot);
    if (m->frozen == NULL || m->integer == NULL || m->lower == NULL ||
        m->upper == NULL || m->onehot == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    for (size_t k = 0; k < s->d; k++)
        m->lower[k] = m->upper[k] = (double)NAN;
    gpa_status st = each(m, s, OPT_FREEZE, take_frozen, err);
    if (st == GPA_OK)
        st = each(m, s, OPT_BOUNDS, take_bounds, err);
    if (st == GPA_OK)
        st = each(m, s, OPT_INTEGER, take_integer, err);
    if (st == GPA_OK)
        st = each(m, s, OPT_ONEHOT, take_onehot, err);
    opt->frozen = s->given.given[OPT_FREEZE] ? m->frozen : NULL;
    opt->lower = s->given.given[OPT_BOUNDS] ? m->lower : NULL;
    opt->upper = s->given.given[OPT_BOUNDS] ? m->upper : NULL;
    opt->integer = s->given.given[OPT_INTEGER] ? m->integer : NULL;
    opt->onehot = s->given.given[OPT_ONEHOT] ? m->onehot : NULL;
    return st;
}

void gpai_limit_options_free(gpai_limit_options *m)
{
    gpai_free(m->onehot);
    gpai_free(m->upper);
    gpai_free(m->lower);
    gpai_free(m->integer);
    gpai_free(m->frozen);
}
