#include "study/inputs.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include "data/table.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

/* From columns to inputs: texts become codes, dates numbers; then kinds are found, and
 * the model is told. */

/* COL=REST of a repeated option: the REST for input k, NULL when it is not named. */
static const char *given_for(const gpa_study *s, int option, size_t k)
{
    const char *found = NULL;
    for (size_t i = 0, length; i < s->given.repeats; i++) {
        const char *text = s->given.repeat[i].text;
        if (s->given.repeat[i].option == option &&
            gpai_study_named(s, text, &length) == k)
            found = text + length + 1;
    }
    return found;
}

/* A word of "a,b,"c,d"" from *text on, to be freed; moves on to the next. */
static char *next_word(const char **text)
{
    const char *p = *text;
    size_t n = 0;
    char *word = gpai_calloc(strlen(p) + 1, 1);
    bool quoted = *p == '"';
    for (p += quoted; word != NULL && *p != '\0'; p++) {
        if (quoted && *p == '"' && p[1] != '"') {
            p++;
            break;
        }
        if (!quoted && *p == ',')
            break;
        p += quoted && *p == '"'; /* "" stands for one */
        word[n++] = *p;
    }
    *text = *p == ',' ? p + 1 : NULL;
    return word;
}

void gpai_names_free(gpai_names *l)
{
    for (size_t i = 0; i < l->n; i++)
        gpai_free(l->name[i]);
    gpai_free(l->name);
    *l = (gpai_names){0};
}

static gpa_status add_name(gpai_names *l, size_t *room, char *name, gpa_error *err)
{
    if (name != NULL && gpai_grow(&l->name, room, l->n + 1, sizeof *l->name)) {
        l->name[l->n++] = name;
        return GPA_OK;
    }
    gpai_free(name);
    return gpai_nomem(err, "study");
}

/* The names that fix the codes of an input: --levels, else the model file's. */
static gpa_status given_names(const gpa_study *s, size_t k, gpai_names *l,
                              gpa_error *err)
{
    const char *text = given_for(s, OPT_LEVELS, k), *name;
    gpa_status st = GPA_OK;
    size_t room = 0;
    while (text != NULL && st == GPA_OK)
        st = add_name(l, &room, next_word(&text), err);
    if (l->n == 0)
        while (st == GPA_OK && (name = gpa_model_level(s->model, k, l->n)) != NULL)
            st = add_name(l, &room, gpai_strdup(name), err);
    return st;
}

/* What --levels does not know cannot be given to a model that takes codes alone; one
 * that takes text gets it as it is. */
static gpa_status check_known(gpa_study *s, size_t k, const gpai_source *c,
                              gpa_error *err)
{
    if (given_for(s, OPT_LEVELS, k) == NULL || c->names.n >= c->levels.n)
        return GPA_OK;
    const char *other = c->levels.name[c->names.n];
    if (!gpa_model_takes_text(s->model))
        return gpai_fail(err, GPA_DATA,
                         "--levels: column \"%.80s\" has '%.80s', which is none of "
                         "its %zu levels",
                         s->inputs[k], other, c->names.n);
    gpai_study_tell(s,
                    "%.80s also has %.40s, which --levels does not name: it is taken "
                    "as one more level",
                    gpai_show_text(s->inputs[k]).text, gpai_show_text(other).text);
    return GPA_OK;
}

static gpa_status refuse_text(const gpa_study *s, size_t k, gpa_error *err)
{
    gpa_error why = {0};
    const gpa_table *t = s->table;
    size_t column = s->columns[k];
    if (gpa_table_numbers(t, column, &why) != NULL && s->reference_table != NULL) {
        t = s->reference_table;
        column = s->reference_columns[k];
        (void)gpa_table_numbers(t, column, &why);
    }
    if (gpai_table_meant_as_numbers(t, column))
        return gpai_fail(err, GPA_DATA, "%s", why.message);
    return gpai_fail(
        err, GPA_DATA,
        "%.380s; --levels %.60s=a,b,... names the codes that the model knows",
        why.message, s->inputs[k]);
}

/* Numbers like 007 are text to a model that takes text. */
static bool is_text(const gpa_study *s, size_t k)
{
    return !gpa_table_is_numeric(s->table, s->columns[k]) ||
           (gpa_model_takes_text(s->model) &&
            gpai_table_padded(s->table, s->columns[k])) ||
           (s->reference_columns != NULL &&
            !gpa_table_is_numeric(s->reference_table, s->reference_columns[k]));
}

/* Whether the numbers of a column are the names of levels in the model file (10, 20,
 * True) rather than its codes: one of them that is no code, or is a name and no code.
 */
static bool are_names(const gpa_study *s, size_t k, const gpai_names *l)
{
    const double *v = gpa_table_numbers(s->table, s->columns[k], NULL);
    char text[GPAI_NUMBER_ROOM];
    if (l->n == 0 || v == NULL || given_for(s, OPT_LEVELS, k) != NULL)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(v[i]) ||
            (v[i] >= 0 && v[i] < (double)l->n && v[i] == floor(v[i])))
            continue;
        gpai_number_text(v[i], text);
        for (size_t j = 0; j < l->n; j++)
            if (strcmp(l->name[j], text) == 0)
                return true;
        return false;
    }
    return gpai_table_booleans(s->table, s->columns[k]) != NULL;
}

/* Whether --kind takes what may be dates for levels. */
static bool levels_wanted(const gpa_study *s, size_t k)
{
    const char *kind = given_for(s, OPT_KIND, k);
    return kind != NULL && (strcmp(kind, gpa_kind_name(GPA_KIND_FLAG)) == 0 ||
                            strcmp(kind, gpa_kind_name(GPA_KIND_CHOICE)) == 0);
}

/* Namibia is NA among codes of two capitals, and missing by the rules. */
static void tell_of_na(gpa_study *s, size_t k)
{
    const gpai_levels *l = &s->sources[k].levels;
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t cells = 0;
    for (size_t i = 0; i < l->n; i++)
        if (strlen(l->name[i]) != 2 || strspn(l->name[i], capitals) != 2)
            return;
    for (size_t row = 0; row < s->n && l->n > 1; row++) {
        const char *text = gpa_table_text(s->table, row, s->columns[k]);
        cells += text != NULL && strcmp(text, "NA") == 0 &&
                 gpai_table_missing(s->table, row, s->columns[k]);
    }
    if (cells > 0)
        gpai_study_tell(s,
                        "%.80s: NA, in %zu row%s, is taken as missing; if it is a code "
                        "like the others, write it in another way, to the model too",
                        gpai_show_text(s->inputs[k]).text, cells,
                        cells == 1 ? "" : "s");
}

/* Dates that are written in another way than those that are read are texts like any
 * other: nobody would expect it. */
static void tell_of_dates(gpa_study *s, size_t k)
{
    enum { SOME = 8, OF = 20 };
    const gpai_levels *l = &s->sources[k].levels;
    size_t dates = 0;
    for (size_t i = 0; i < l->n; i++)
        dates += gpai_date_elsewhere(l->name[i]) ? 1 : 0;
    if (l->n >= SOME && OF * (l->n - dates) <= l->n)
        gpai_study_tell(s,
                        "%.80s: %.40s and the like are taken as text, not as dates: "
                        "written as 2024-02-29, to the model too, they are dates",
                        gpai_show_text(s->inputs[k]).text,
                        gpai_show_text(l->name[0]).text);
}

/* A column of text: dates, or levels. */
static gpa_status open_text(gpa_study *s, size_t k, gpa_error *err)
{
    gpai_source *c = &s->sources[k];
    size_t other = s->reference_columns != NULL ? s->reference_columns[k] : 0;
    const gpa_table *also = s->reference_columns != NULL ? s->reference_table : NULL;
    bool text = gpa_model_takes_text(s->model);
    gpa_status st = GPA_OK;
    if (!text && c->names.n == 0)
        return refuse_text(s, k, err);
    if (c->names.n == 0 && !levels_wanted(s, k))
        st = gpai_dates_open(&c->dates, s->table, s->columns[k], also, other, err);
    c->writing = c->dates.writing;
    if (st != GPA_OK || c->writing != GPA_WRITING_NUMBER)
        return st;
    c->writing = GPA_WRITING_LEVEL;
    st = gpai_levels_open(&c->levels, s->table, s->columns[k], also, other,
                          (const char *const *)c->names.name, c->names.n, err);
    if (st == GPA_OK) {
        tell_of_na(s, k);
        tell_of_dates(s, k);
    }
    return st == GPA_OK ? check_known(s, k, c, err) : st;
}

static void close_sources(gpa_study *s)
{
    for (size_t k = 0; s->sources != NULL && k < s->d; k++) {
        gpai_levels_close(&s->sources[k].levels);
        gpai_dates_close(&s->sources[k].dates);
        gpai_names_free(&s->sources[k].names);
    }
    gpai_free(s->sources);
    s->sources = NULL;
}

/* Which columns are text, and their codes, over the data and the reference. */
gpa_status gpai_study_open_sources(gpa_study *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    close_sources(s);
    s->sources = gpai_calloc(s->d, sizeof *s->sources);
    if (s->sources == NULL)
        return gpai_nomem(err, "study");
    for (size_t k = 0; k < s->d && st == GPA_OK; k++) {
        st = given_names(s, k, &s->sources[k].names, err);
        if (st == GPA_OK && (is_text(s, k) || are_names(s, k, &s->sources[k].names)))
            st = open_text(s, k, err);
    }
    return st;
}

/* The numbers of input k, one per row of the data or of the reference. */
static const double *numbers_of(const gpa_study *s, size_t k, const gpa_table *t,
                                size_t column, gpa_error *err)
{
    const gpai_source *c = &s->sources[k];
    size_t skip = t == s->table ? 0 : s->n;
    return c->writing == GPA_WRITING_LEVEL    ? c->levels.code + skip
           : c->writing != GPA_WRITING_NUMBER ? c->dates.value + skip
                                              : gpa_table_numbers(t, column, err);
}

const double *gpai_study_column(const gpa_study *s, size_t k, bool reference)
{
    return numbers_of(s, k, reference ? s->reference_table : s->table,
                      reference ? s->reference_columns[k] : s->columns[k], NULL);
}

/* The rows from `row` to before `end`. */
static gpa_status fill_rows(const gpa_study *s, const gpa_table *t,
                            const size_t *columns, size_t row, size_t end, double *x,
                            gpa_error *err)
{
    for (size_t k = 0; k < s->d; k++) {
        const double *from = numbers_of(s, k, t, columns[k], err);
        if (from == NULL)
            return GPA_DATA;
        for (size_t i = row; i < end; i++)
            x[i * s->d + k] = from[i];
    }
    return GPA_OK;
}

gpa_status gpai_study_fill(const gpa_study *s, const gpa_table *t,
                           const size_t *columns, double *x, gpa_error *err)
{
    return fill_rows(s, t, columns, 0, gpa_table_rows(t), x, err);
}

/* A long table need not be there twice: scores never look at it again, so that its
 * columns go while x is filled, from the end, where memory shrinks in place. */
gpa_status gpai_study_take_inputs(gpa_study *s, gpa_error *err)
{
    enum { PARTS = 16 };
    bool last = s->given.bit == IN_SCORE && s->own_table != NULL && s->y != NULL;
    gpa_status st = GPA_OK;
    for (size_t row, end = s->n; end > 0 && st == GPA_OK; end = row) {
        row = end > s->n / PARTS + 1 ? end - s->n / PARTS - 1 : 0;
        st = fill_rows(s, s->table, s->columns, row, end, s->x, err);
        for (size_t k = 0; last && st == GPA_OK && k < s->d; k++)
            if (s->columns[k] != s->target)
                gpai_table_let_go(s->own_table, s->columns[k], row);
    }
    return st;
}

/* Fewer rows cannot say that an input never changes. */
enum { FEW_ROWS = 8 };

/* The rows that say what the inputs are. */
static size_t judges(const gpa_study *s)
{
    return s->by_reference ? s->reference.n : s->n;
}

gpai_kind_column gpai_study_kind_column(const gpa_study *s, size_t k)
{
    const gpai_source *c = &s->sources[k];
    bool level = c->writing == GPA_WRITING_LEVEL;
    const char *const *truths = gpai_table_booleans(s->table, s->columns[k]);
    return (gpai_kind_column){.name = s->inputs[k],
                              .value = gpai_study_column(s, k, s->by_reference),
                              .stride = 1,
                              .writing = c->writing,
                              .level_name =
                                  level ? (const char *const *)c->levels.name : truths,
                              .levels = level            ? c->levels.n
                                        : truths != NULL ? 2
                                                         : 0,
                              .known = c->names.n > 0,
                              .boolean = truths != NULL};
}

static gpa_status infer(gpa_study *s, gpa_error *err)
{
    gpai_kind_column *columns = gpai_calloc(s->d, sizeof *columns);
    if (columns == NULL)
        return gpai_nomem(err, "study");
    for (size_t k = 0; k < s->d; k++)
        columns[k] = gpai_study_kind_column(s, k);
    size_t n = judges(s);
    gpa_status st = gpai_kinds_infer(&s->known, columns, s->d, n, err);
    for (size_t k = 0; st == GPA_OK && n < FEW_ROWS && k < s->d; k++)
        if (s->known.input[k].kind == GPA_KIND_HELD &&
            s->known.input[k].writing != GPA_WRITING_LEVEL)
            s->known.input[k].kind = GPA_KIND_NUMBER;
    gpai_free(columns);
    return st;
}

/* --kind GROUP=KIND of the group that input k is in: a choice it is. */
static gpa_status set_group(gpa_study *s, size_t k, gpa_kind kind, gpa_error *err)
{
    const gpa_input *in = s->known.input;
    size_t group = in[k].group, levels = in[k].dropped, last = k;
    gpa_status st = GPA_OK;
    for (size_t j = k; j < s->d; j++)
        if (in[j].group == group) {
            levels++;
            last = j;
        }
    if (kind == GPA_KIND_FLAG && levels != 2)
        return gpai_fail(err, GPA_INVALID,
                         "--kind %.80s=flag: it has %zu levels, and a flag has two",
                         in[k].name, levels);
    if (kind == GPA_KIND_FLAG || kind == GPA_KIND_CHOICE)
        return GPA_OK;
    for (size_t j = k; j < s->d && st == GPA_OK; j++) {
        gpai_kind_column c = gpai_study_kind_column(s, j);
        if (in[j].group == group || j == last) /* alone it is no group any more */
            st = gpai_kinds_set(&s->known, j, kind, &c, judges(s), err);
    }
    return st;
}

/* --kind COL=KIND, checked; --kind all=number, unless a column is called so. */
static gpa_status take_kind(gpa_study *s, const char *text, gpa_error *err)
{
    const char *equals = strrchr(text, '=');
    size_t k = 0, length = equals != NULL ? (size_t)(equals - text) : 0;
    int kind = 0;
    if (equals == NULL)
        return gpai_fail(err, GPA_INVALID, "--kind: '%.100s' is not COL=KIND", text);
    while (gpa_kind_name((gpa_kind)kind) != NULL &&
           strcmp(gpa_kind_name((gpa_kind)kind), equals + 1) != 0)
        kind++;
    if (gpa_kind_name((gpa_kind)kind) == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "--kind: '%.60s' is none of number, whole, flag, choice, held",
                         equals + 1);
    gpa_status st = gpai_study_find_input(s, "kind", text, length, &k, err);
    if (st != GPA_OK && gpai_word_is(text, length, "all") && kind == GPA_KIND_NUMBER) {
        gpai_kinds_all_numbers(&s->known);
        return GPA_OK;
    }
    if (st != GPA_OK && gpai_study_find_group(s, text, length, &k))
        return set_group(s, k, (gpa_kind)kind, err);
    gpai_kind_column c = gpai_study_kind_column(s, k < s->d ? k : 0);
    return st == GPA_OK
               ? gpai_kinds_set(&s->known, k, (gpa_kind)kind, &c, judges(s), err)
               : st;
}

/* --levels COL=a,b,c: the names are in the source already. */
static gpa_status take_levels(gpa_study *s, const char *text, gpa_error *err)
{
    size_t length, k = gpai_study_named(s, text, &length);
    if (k == s->d)
        return gpai_study_find_input(s, "levels", text, strcspn(text, "="), &k, err);
    const gpai_names *l = &s->sources[k].names;
    gpai_kind_column c = gpai_study_kind_column(s, k);
    return gpai_kinds_levels(&s->known, k, (const char *const *)l->name, l->n, &c,
                             judges(s), err);
}

static gpa_status take_words(gpa_study *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < s->given.repeats && st == GPA_OK; i++)
        if (s->given.repeat[i].option == OPT_LEVELS)
            st = take_levels(s, s->given.repeat[i].text, err);
    for (size_t i = 0; i < s->given.repeats && st == GPA_OK; i++)
        if (s->given.repeat[i].option == OPT_KIND)
            st = take_kind(s, s->given.repeat[i].text, err);
    return st;
}

/* The algorithm of the paper takes every input as a number. */
static gpa_status as_published(gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    if (!gpai_options_is(o, OPT_SOLVER, "paper") &&
        !gpai_options_is(o, OPT_SOLVER, "paper-det"))
        return GPA_OK;
    gpai_kinds_all_numbers(&s->known);
    for (size_t k = 0; k < s->d; k++)
        if (s->sources[k].writing == GPA_WRITING_LEVEL)
            return gpai_fail(err, GPA_INVALID,
                             "--solver %s takes numbers only, and '%.80s' is text: "
                             "encode it, or --drop it",
                             o->text[OPT_SOLVER], s->inputs[k]);
    return GPA_OK;
}

static gpa_status find_kinds(gpa_study *s, gpa_error *err)
{
    gpai_study_find_judge(s);
    gpa_status st = infer(s, err);
    if (st == GPA_OK)
        gpai_study_tell_stuck(s);
    if (st == GPA_OK)
        st = gpai_study_suspect(s, err);
    if (st == GPA_OK)
        st = take_words(s, err);
    if (st == GPA_OK)
        st = as_published(s, err);
    s->kinds = s->known.input;
    return st == GPA_OK ? gpa_model_set_kinds(s->model, s->kinds, s->d, err) : st;
}

gpa_status gpai_study_open_inputs(gpa_study *s, gpa_error *err)
{
    const bool *given = s->given.given;
    gpa_status st = GPA_OK;
    if (s->reference_table != NULL || given[OPT_LEVELS] || given[OPT_KIND])
        st = gpai_study_open_sources(s, err); /* codes once more, with all texts */
    if (st == GPA_OK)
        st = gpai_study_take_reference(s, err);
    return st == GPA_OK ? find_kinds(s, err) : st;
}

void gpai_study_close_inputs(gpa_study *s)
{
    close_sources(s);
}
