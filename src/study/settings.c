#include "study/settings.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/nearest.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include "data/table.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

gpa_status gpai_option_numbers(const gpai_options *o, enum option_id id,
                               const double **out, size_t *n, double **owned,
                               gpa_error *err)
{
    *out = o->numbers[id].at;
    *n = o->numbers[id].n;
    if (*out != NULL)
        return GPA_OK;
    gpa_status st = gpa_numbers_read(o->text[id], owned, n, err);
    *out = *owned;
    return st;
}

static gpa_status read_slopes(gpa_study *s, gpa_error *err)
{
    const char *text = s->given.text[OPT_SLOPE_NODES];
    uint64_t count = 0;
    if (text == NULL)
        return GPA_OK;
    if (gpai_word_count(text, &count)) {
        if (count < 1 || count > 1000000)
            return gpai_fail(err, GPA_INVALID,
                             "--slope-nodes: %s is not within 1 to 1000000", text);
        s->explain.slope_nodes = (size_t)count;
        return GPA_OK;
    }
    return gpai_option_numbers(&s->given, OPT_SLOPE_NODES, &s->explain.slope_list,
                               &s->explain.slope_list_length, &s->slopes, err);
}

static gpa_status read_start(gpa_study *s, gpa_error *err)
{
    const char *path = s->given.text[OPT_DELTA_INIT];
    size_t n = 0;
    if (path == NULL)
        return GPA_OK;
    gpa_status st = gpai_option_numbers(&s->given, OPT_DELTA_INIT,
                                        &s->explain.delta_init, &n, &s->start, err);
    if (st == GPA_OK && n != s->d)
        st =
            gpai_fail(err, GPA_INVALID,
                      "--delta-init: %zu numbers in %.200s, %zu inputs", n, path, s->d);
    return st;
}

/* The words of the choices are the library's own names: which of them was given? */
#define TAKE_WORD(field, type, id, name_of)                                            \
    for (int i = 0; s->given.given[id] && name_of((type)i) != NULL; i++)               \
        if (strcmp(s->given.text[id], name_of((type)i)) == 0)                          \
    s->explain.field = (type)i

static void take_words(gpa_study *s)
{
    TAKE_WORD(solver, gpa_solver, OPT_SOLVER, gpa_solver_name);
    TAKE_WORD(marginals, gpa_marginals, OPT_MARGINALS, gpa_marginals_name);
    TAKE_WORD(noise, gpa_noise, OPT_NOISE, gpa_noise_name);
    TAKE_WORD(culprit, gpa_culprit_mode, OPT_CULPRIT, gpa_culprit_mode_name);
    TAKE_WORD(plausible, gpa_plausible, OPT_PLAUSIBLE, gpa_plausible_name);
    TAKE_WORD(missing, gpa_missing, OPT_MISSING, gpa_missing_name);
}

static void take_reals(gpa_study *s)
{
    gpa_explain_options *e = &s->explain;
    const struct {
        double *to;
        enum option_id id;
    } reals[] = {{&e->eta, OPT_ETA},
                 {&e->nu, OPT_NU},
                 {&e->a0, OPT_A0},
                 {&e->b0, OPT_B0},
                 {&e->cb, OPT_CB},
                 {&e->kappa, OPT_KAPPA},
                 {&e->output_prior, OPT_OUTPUT_PRIOR},
                 {&e->slope_sd, OPT_SLOPE_SD},
                 {&e->tol, OPT_TOL}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        if (s->given.given[reals[i].id])
            *reals[i].to = s->given.real[reals[i].id];
}

/* What may not move, or only so far: arrays over the inputs, as the engine has them. */

/* The input called `name` (of `length` letters). */
gpa_status gpai_study_find_input(const gpa_study *s, const char *option,
                                 const char *name, size_t length, size_t *input,
                                 gpa_error *err)
{
    char word[200];
    if (length >= sizeof word)
        return gpai_fail(err, GPA_INVALID, "--%s: a name of %zu letters", option,
                         length);
    memcpy(word, name, length);
    word[length] = '\0';
    for (size_t k = 0; k < s->d; k++)
        if (strcmp(s->inputs[k], word) == 0 || strcmp(s->called[k], word) == 0) {
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

bool gpai_study_find_group(const gpa_study *s, const char *name, size_t length,
                           size_t *input)
{
    for (size_t k = 0; k < s->d; k++) {
        const gpa_input *in = &s->known.input[k];
        if (in->group == 0 || in->name == NULL || !gpai_word_is(name, length, in->name))
            continue;
        *input = k;
        return true;
    }
    return false;
}

size_t gpai_study_named(const gpa_study *s, const char *text, size_t *length)
{
    size_t found = s->d;
    *length = 0;
    for (size_t i = 0; i < 2 * s->d; i++) {
        const char *name = i % 2 == 0 ? s->inputs[i / 2] : s->called[i / 2];
        size_t n = strlen(name);
        if (n >= *length && strncmp(text, name, n) == 0 && text[n] == '=') {
            *length = n;
            found = i / 2;
        }
    }
    return found;
}

static bool has_dates(const gpa_study *s, size_t k)
{
    return k < s->d && (s->sources[k].writing == GPA_WRITING_DATE ||
                        s->sources[k].writing == GPA_WRITING_TIME);
}

/* A number, or a date where input k has dates. */
static bool read_number(const gpa_study *s, size_t k, const char *text, double *value)
{
    bool time;
    if (gpai_word_real(text, value) || gpai_table_comma(s->table, text, value))
        return true;
    if (!has_dates(s, k) || !gpai_date(text, value, &time))
        return false;
    if (s->sources[k].writing == GPA_WRITING_DATE)
        *value = floor(*value / 86400); /* a column of days has no hours */
    return true;
}

/* A bound of input k, or none where the text is empty. */
static bool read_bound(const gpa_study *s, size_t k, const char *text, size_t length,
                       double *value)
{
    char word[64];
    *value = (double)NAN;
    if (length == 0)
        return true;
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return read_number(s, k, word, value);
}

/* LO:HI of input k, split where both can be read: times hold colons, too. */
static bool read_range(const gpa_study *s, size_t k, const char *text, size_t length,
                       double *low, double *high)
{
    for (size_t colon = 0; colon < length; colon++)
        if (text[colon] == ':' && read_bound(s, k, text, colon, low) &&
            read_bound(s, k, text + colon + 1, length - colon - 1, high))
            return !(*low > *high);
    return false;
}

/* A number moves only as far as it was seen; what has levels or steps does so anyway.
 */
static void take_seen_range(gpa_study *s, size_t k)
{
    bool other = s->by_reference || s->reference.n > s->sample.n;
    const gpa_sample *rows = other ? &s->reference : &s->sample;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < rows->n; i++) {
        double v = rows->x[i * rows->d + k];
        low = isfinite(v) && v < low ? v : low;
        high = isfinite(v) && v > high ? v : high;
    }
    if (s->kinds[k].kind == GPA_KIND_NUMBER && low <= high) {
        s->kinds[k].low = low;
        s->kinds[k].high = high;
    }
}

/* COL=LO:HI, COL=data, or data. The name may hold = and :, so the last = counts. */
static gpa_status take_bounds(gpa_study *s, const char *piece, size_t length,
                              gpa_error *err)
{
    size_t k, equals = length;
    while (equals > 0 && piece[equals - 1] != '=')
        equals--;
    bool data = gpai_word_is(piece + equals, length - equals, "data");
    for (k = 0; data && equals == 0 && k < s->d; k++)
        take_seen_range(s, k);
    if (data && equals == 0)
        return GPA_OK;
    if (equals == 0 || (!data && memchr(piece + equals, ':', length - equals) == NULL))
        return gpai_fail(err, GPA_INVALID,
                         "--bounds: '%.*s' is not COL=LO:HI, COL=data or data",
                         (int)(length < 100 ? length : 100), piece);
    gpa_status st = gpai_study_find_input(s, "bounds", piece, equals - 1, &k, err);
    if (st != GPA_OK)
        return st;
    if (data) {
        take_seen_range(s, k);
        return GPA_OK;
    }
    if (!read_range(s, k, piece + equals, length - equals, &s->limits.lower[k],
                    &s->limits.upper[k]))
        return gpai_fail(
            err, GPA_INVALID,
            "--bounds: '%.*s': LO and HI are %s, LO not above HI; one of them may be "
            "left out",
            (int)(length < 100 ? length : 100), piece,
            has_dates(s, k) ? "numbers or dates" : "numbers");
    return GPA_OK;
}

/* One piece of "A,B,C"; `number` counts how often its option was given. */
static gpa_status take_limit(gpa_study *s, int option, const char *piece, size_t length,
                             size_t number, gpa_error *err)
{
    size_t k = 0;
    if (option == OPT_BOUNDS)
        return take_bounds(s, piece, length, err);
    gpa_status st =
        gpai_study_find_input(s, GPAI_OPTIONS[option].name, piece, length, &k, err);
    if (st != GPA_OK &&
        !(option == OPT_FREEZE && gpai_study_find_group(s, piece, length, &k)))
        return st;
    if (option == OPT_ONEHOT && s->limits.onehot[k] != 0)
        return gpai_fail(err, GPA_INVALID, "--onehot: '%s' is named twice",
                         s->inputs[k]);
    if (option == OPT_ONEHOT)
        s->limits.onehot[k] = number;
    else
        (option == OPT_FREEZE ? s->limits.frozen : s->limits.integer)[k] = 1;
    return GPA_OK;
}

/* How long the piece at the beginning of "A,B,C" is: names may hold commas, so the
 * longest that fits counts. */
static size_t piece_length(const gpa_study *s, int option, const char *text)
{
    char end = option == OPT_BOUNDS ? '=' : ',';
    size_t longest = 0;
    for (size_t i = 0; i < 3 * s->d; i++) {
        size_t k = i / 3;
        const gpa_input *in = &s->known.input[k];
        const char *name = i % 3 == 0   ? s->inputs[k]
                           : i % 3 == 1 ? s->called[k]
                                        : in->name;
        size_t n = name != NULL ? strlen(name) : 0;
        if (n > longest && strncmp(text, name, n) == 0 &&
            (text[n] == end || (text[n] == '\0' && end == ',')))
            longest = n;
    }
    return longest + strcspn(text + longest, ",");
}

/* Every piece of every repetition of an option. */
static gpa_status take_limits(gpa_study *s, int option, gpa_error *err)
{
    size_t number = 0;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < s->given.repeats && st == GPA_OK; i++) {
        if (s->given.repeat[i].option != option)
            continue;
        number++;
        for (const char *p = s->given.repeat[i].text; p != NULL && st == GPA_OK;) {
            size_t length = piece_length(s, option, p);
            st = take_limit(s, option, p, length, number, err);
            p = p[length] == ',' ? p + length + 1 : NULL;
        }
    }
    return st;
}

static bool is_bounded(const gpai_limit_options *m, size_t k)
{
    return !isnan(m->lower[k]) || !isnan(m->upper[k]);
}

/* Text moves from level to level, whatever its codes are. */
static gpa_status refuse_text(const gpa_study *s, gpa_error *err)
{
    const gpai_limit_options *m = &s->limits;
    for (size_t k = 0; k < s->d; k++) {
        const char *option = m->onehot[k] != 0  ? "onehot"
                             : m->integer[k]    ? "integer"
                             : is_bounded(m, k) ? "bounds"
                                                : NULL;
        if (option != NULL && s->kinds[k].writing == GPA_WRITING_LEVEL)
            return gpai_fail(err, GPA_INVALID,
                             "--%s: '%.80s' is text, which has levels only", option,
                             s->inputs[k]);
    }
    return GPA_OK;
}

/* Whether the columns of a group by hand are those of one that was found. */
static bool is_found(const gpa_study *s, size_t number)
{
    size_t k = 0;
    while (k < s->d && s->limits.onehot[k] != number)
        k++;
    if (k == s->d || s->kinds[k].group == 0)
        return false;
    for (size_t j = 0; j < s->d; j++)
        if ((s->limits.onehot[j] == number) != (s->kinds[j].group == s->kinds[k].group))
            return false;
    return true;
}

/* Groups by hand: those that were found keep their names, the others are numbered from
 * `from` on. */
static void settle_group(gpa_study *s, size_t number, size_t from)
{
    bool found = is_found(s, number);
    for (size_t k = 0; k < s->d; k++) {
        gpa_input *in = &s->kinds[k];
        if (s->limits.onehot[k] != number)
            continue;
        if (!found) {
            gpai_kinds_limit(&s->known, k, GPA_KIND_CHOICE, (double)NAN, (double)NAN);
            in->group = from + number;
        }
        in->kind = GPA_KIND_CHOICE;
        in->inferred = in->dropped = false;
    }
}

/* What was demanded of an input is what it is. */
static void settle_input(gpa_study *s, size_t k)
{
    const gpai_limit_options *m = &s->limits;
    const gpa_input *in = &s->kinds[k];
    bool bounded = is_bounded(m, k), whole = in->kind == GPA_KIND_WHOLE;
    if (m->onehot[k] != 0 || m->frozen[k] || !(bounded || m->integer[k]))
        return;
    m->integer[k] = m->integer[k] || whole;
    gpai_kinds_limit(&s->known, k, m->integer[k] ? GPA_KIND_WHOLE : GPA_KIND_NUMBER,
                     bounded ? m->lower[k] : in->low, bounded ? m->upper[k] : in->high);
}

static gpa_status settle_kinds(gpa_study *s, gpa_error *err)
{
    size_t groups = 0, by_hand = 0;
    gpa_status st = refuse_text(s, err);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < s->d; k++) {
        size_t number = s->limits.onehot[k];
        groups = s->kinds[k].group > groups ? s->kinds[k].group : groups;
        by_hand = number > by_hand ? number : by_hand;
    }
    for (size_t k = 0; k < s->d; k++)
        settle_input(s, k);
    for (size_t number = 1; number <= by_hand; number++)
        settle_group(s, number, groups);
    for (size_t k = 0; k < s->d; k++)
        if (s->limits.frozen[k])
            gpai_kinds_hold(&s->known, k);
    return gpai_kinds_renumber(&s->known, err);
}

static gpa_status read_limits(gpa_study *s, gpa_error *err)
{
    static const int IDS[] = {OPT_FREEZE, OPT_BOUNDS, OPT_INTEGER, OPT_ONEHOT};
    const bool *given = s->given.given;
    gpa_explain_options *e = &s->explain;
    gpai_limit_options *m = &s->limits;
    size_t d = s->d;
    gpa_status st = GPA_OK;
    if (s->given.repeats == 0)
        return GPA_OK;
    m->lower = gpai_calloc(d, 2 * sizeof *m->lower + sizeof *m->onehot + 2);
    if (m->lower == NULL)
        return gpai_nomem(err, "study");
    m->upper = m->lower + d;
    m->onehot = (size_t *)(void *)(m->upper + d);
    m->frozen = (unsigned char *)(m->onehot + d);
    m->integer = m->frozen + d;
    for (size_t k = 0; k < 2 * d; k++)
        m->lower[k] = (double)NAN;
    for (size_t i = 0; i < sizeof IDS / sizeof IDS[0] && st == GPA_OK; i++)
        st = take_limits(s, IDS[i], err);
    if (st == GPA_OK)
        st = settle_kinds(s, err);
    e->frozen = given[OPT_FREEZE] ? m->frozen : NULL;
    e->lower = given[OPT_BOUNDS] ? m->lower : NULL;
    e->upper = given[OPT_BOUNDS] ? m->upper : NULL;
    e->integer = given[OPT_INTEGER] || given[OPT_BOUNDS] ? m->integer : NULL;
    e->onehot = given[OPT_ONEHOT] ? m->onehot : NULL;
    return st;
}

/* The value of a level that has a name besides: true is 1. */
static bool level_called(const gpa_input *in, const char *text, double *value)
{
    for (size_t l = 0; in->level_name != NULL && l < in->levels; l++)
        if (strcmp(in->level_name[l], text) == 0) {
            *value = in->level[l];
            return true;
        }
    return false;
}

gpa_status gpai_study_read_value(const gpa_study *s, size_t k, const char *text,
                                 double *value, gpa_error *err)
{
    const gpai_source *c = k < s->d ? &s->sources[k] : NULL;
    bool level = c != NULL && c->writing == GPA_WRITING_LEVEL;
    size_t code = level ? gpai_levels_find(&c->levels, text) : 0;
    *value = level && code < c->levels.n ? (double)code : (double)NAN;
    if (k < s->d && text[0] == '\0' && !gpa_model_refuses_missing(s->model))
        return GPA_OK;
    if (level && code == c->levels.n)
        return gpai_fail(err, GPA_INVALID, "--set: '%.80s' has no level '%.80s'",
                         s->inputs[k], text);
    if (level || (k < s->d && level_called(&s->kinds[k], text, value)) ||
        read_number(s, k, text, value))
        return GPA_OK;
    return gpai_fail(err, GPA_INVALID, "--set: '%.80s' is no value of '%.80s'", text,
                     k < s->d ? s->inputs[k] : gpa_study_target(s));
}

/* How long the target's name is, with its unit or without, in COL=VALUE; 0: it is not
 * the target's. */
static size_t target_named(const gpa_study *s, const char *text)
{
    const char *const names[2] = {gpa_study_target(s), s->target_called};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) == 0 && text[length] == '=')
            return length;
    }
    return 0;
}

/* GROUP=LEVEL of a one-hot group: 1 in the column of the level, 0 in the others. *is:
 * the text begins with the name of one. */
static gpa_status read_group(gpa_study *s, const char *text, bool *is, gpa_error *err)
{
    size_t first = s->d, length = 0, levels = 0;
    for (size_t k = s->d; k-- > 0;) {
        const gpa_input *in = &s->kinds[k];
        size_t n = in->group > 0 && in->name != NULL ? strlen(in->name) : 0;
        if (n > 0 && n >= length && strncmp(text, in->name, n) == 0 && text[n] == '=') {
            first = k;
            length = n;
        }
    }
    *is = first < s->d;
    for (size_t k = first; k < s->d; k++) {
        const gpa_input *in = &s->kinds[k];
        if (in->group != s->kinds[first].group)
            continue;
        const char *level = in->label != NULL ? in->label : s->called[k];
        bool wanted = strcmp(level, text + length + 1) == 0;
        s->edits[s->n_edits++] = (gpai_edit){.input = k, .value = wanted};
        levels += wanted;
    }
    if (*is && levels == 0 && !s->kinds[first].dropped)
        return gpai_fail(err, GPA_INVALID, "--set: '%.80s' has no level '%.80s'",
                         s->kinds[first].name, text + length + 1);
    return GPA_OK;
}

static gpa_status read_edit(gpa_study *s, const char *text, gpa_error *err)
{
    gpai_edit *e = &s->edits[s->n_edits];
    const char *equals = strchr(text, '=');
    size_t name, length = target_named(s, text), k = gpai_study_named(s, text, &name);
    gpa_status st = GPA_OK;
    bool aims = length > 0;
    if (equals == NULL)
        return gpai_fail(err, GPA_INVALID, "--set: '%.100s' is not COL=VALUE", text);
    if (k == s->d && !aims) {
        bool group;
        st = read_group(s, text, &group, err);
        if (group)
            return st;
    }
    e->input = k;
    if (k < s->d && !(aims && length > name))
        equals = text + name;
    else if (aims)
        equals = text + length;
    else
        st = gpai_study_find_input(s, "set", text, (size_t)(equals - text), &e->input,
                                   err);
    if (aims && equals == text + length)
        e->input = s->d;
    if (st == GPA_OK)
        st = gpai_study_read_value(s, e->input, equals + 1, &e->value, err);
    s->n_edits += st == GPA_OK;
    return st;
}

static gpa_status read_edits(gpa_study *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (!s->given.given[OPT_EDIT])
        return st;
    s->edits = gpai_calloc(s->given.repeats, (s->d + 1) * sizeof *s->edits);
    if (s->edits == NULL)
        return gpai_nomem(err, "study");
    for (size_t i = 0; i < s->given.repeats && st == GPA_OK; i++)
        if (s->given.repeat[i].option == OPT_EDIT)
            st = read_edit(s, s->given.repeat[i].text, err);
    return st;
}

/* Rows in which a sensor is stuck cannot say what it would show. */
static void choose_plausible(gpa_study *s)
{
    if (s->explain.plausible == GPA_PLAUSIBLE_AUTO && s->stuck < s->d &&
        s->reference.n >= GPAI_CROWD_LEAST)
        s->explain.plausible = GPA_PLAUSIBLE_REFERENCE;
}

/* The spread of f over reference rows, asked once, where they say what is normal. */
static gpa_status take_spread(gpa_study *s, gpa_error *err)
{
    enum { PER_INPUT = 24, MOST = 200 }; /* rows */
    const gpa_explain_options *e = &s->explain;
    if (s->base != NULL && !s->own_rows) { /* the same rows, asked already */
        s->explain.spread = s->base->explain.spread;
        return GPA_OK;
    }
    bool own = e->plausible == GPA_PLAUSIBLE_DATA ||
               e->plausible == GPA_PLAUSIBLE_NONE ||
               (e->plausible != GPA_PLAUSIBLE_REFERENCE &&
                (s->sample.n > GPAI_CROWD_ENOUGH || s->sample.n > s->reference.n));
    size_t n = s->reference.n, most = PER_INPUT * s->d, finite = 0;
    bool blames = s->given.bit == IN_EXPLAIN || s->given.bit == IN_COMPARE;
    if (!blames || e->culprit == GPA_CULPRIT_OFF || own || n < GPAI_CROWD_LEAST)
        return GPA_OK;
    most = most < MOST ? most : MOST;
    most = most < n ? most : n;
    double *f = gpai_calloc(most, (s->d + 1) * sizeof *f), *x = f + most;
    if (f == NULL)
        return gpai_nomem(err, "study");
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < most; i++)
        memcpy(x + i * s->d, s->reference.x + i * n / most * s->d, s->d * sizeof *x);
    if (s->reference.f == NULL)
        st = gpa_model_predict(s->model, x, most, f, err);
    for (size_t i = 0; s->reference.f != NULL && i < most; i++)
        f[i] = s->reference.f[i * n / most]; /* known already */
    for (size_t i = 0; i < most; i++)
        if (isfinite(f[i]))
            f[finite++] = f[i];
    if (st == GPA_OK && finite >= GPAI_CROWD_LEAST) {
        double sd = gpai_standard_deviation(f, finite);
        s->explain.spread = sd > 0 && isfinite(sd) ? sd : (double)NAN;
    }
    gpai_free(f);
    return st;
}

/* Noise whose square is no number can be scored, and no more. */
static gpa_status check_noise(const gpa_study *s, gpa_error *err)
{
    static const double LEAST = 1e-150, MOST = 1e150;
    bool scores = s->given.bit != IN_EXPLAIN && s->given.bit != IN_COMPARE;
    bool beyond = s->sigma > 0 && !(s->sigma > LEAST && s->sigma < MOST);
    if (scores || !beyond || !isnan(s->explain.b0))
        return GPA_OK;
    bool small = s->sigma < MOST;
    return gpai_fail(err, GPA_NUMERIC,
                     "the noise of '%.80s', sigma %.3g, is too %s to be reckoned with: "
                     "give it, and what the model predicts, in a unit that is so much "
                     "%s",
                     gpai_show_text(gpa_study_target(s)).text, s->sigma,
                     small ? "small" : "large", small ? "smaller" : "larger");
}

gpa_status gpai_study_settings(gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    gpa_explain_options *e = &s->explain;
    gpa_explain_options_init(e);
    take_words(s);
    choose_plausible(s);
    take_reals(s);
    e->sigma = s->sigma;
    e->every_witness = gpai_options_is(o, OPT_WITNESSES, "all");
    e->seed = gpai_options_count(o, OPT_SEED, e->seed);
    e->max_iter = (size_t)gpai_options_count(o, OPT_MAX_ITER, e->max_iter);
    e->budget = (size_t)o->count[OPT_BUDGET];
    e->marginal_rows = (size_t)o->count[OPT_MARGINAL_ROWS];
    e->unit = s->unit;
    e->inputs = s->kinds;
    e->names = s->called;
    e->reference = s->reference.x != NULL ? &s->reference : NULL;
    gpa_status st = check_noise(s, err);
    if (st == GPA_OK)
        st = read_slopes(s, err);
    if (st == GPA_OK)
        st = read_start(s, err);
    if (st == GPA_OK)
        st = read_limits(s, err);
    if (st == GPA_OK)
        st = take_spread(s, err);
    return st == GPA_OK ? read_edits(s, err) : st;
}
