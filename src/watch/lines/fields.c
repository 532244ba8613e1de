#include "watch/lines/fields.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "data/formats.h"
#include "data/json.h"
#include "data/table.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

/* Lines are read one by one: what the readers say of where goes. */
static const char SOURCE[] = "input", SOURCE_LINE[] = "input: line 1: ";
static const size_t NO_ROLE = SIZE_MAX;

const char *trouble_word(enum trouble t)
{
    static const char *const WORDS[TROUBLES] = {[FINE] = "fine",
                                                [BLANK] = "blank",
                                                [OVER_LONG] = "over-long",
                                                [MALFORMED] = "malformed",
                                                [BAD_VALUE] = "value",
                                                [MISSING_VALUE] = "missing",
                                                [DUPLICATE] = "duplicate",
                                                [NO_Y] = "no-y",
                                                [NO_ROW] = "no-row",
                                                [NO_MODEL] = "model",
                                                [NO_PREDICTION] = "prediction",
                                                [DROPPED] = "dropped"};
    return WORDS[t];
}

bool line_is_blank(const struct line *line)
{
    size_t i = 0;
    while (i < line->length && (line->text[i] == ' ' || line->text[i] == '\t'))
        i++;
    return i == line->length;
}

bool line_is_json(const struct line *line)
{
    size_t i = 0;
    while (i < line->length && (line->text[i] == ' ' || line->text[i] == '\t'))
        i++;
    return i < line->length && line->text[i] == '{';
}

void fields_close(struct fields *f)
{
    gpai_free(f->role);
    gpai_free(f->got);
    gpai_free(f->scratch);
    *f = (struct fields){.s = NULL};
}

static const char *name_of(const struct fields *f, size_t role)
{
    return role < f->s->d    ? f->s->inputs[role]
           : role == f->s->d ? gpa_study_target(f->s)
                             : f->id_name;
}

static size_t roles_of(const struct fields *f)
{
    return f->s->d + 1 + (f->id_name != NULL);
}

gpa_status fields_open(struct fields *f, const gpa_study *s, const char *id_name,
                       gpa_error *err)
{
    const char *unit;
    *f = (struct fields){.s = s, .id_name = id_name, .got = gpai_calloc(s->d + 2, 1)};
    for (size_t role = 0; role < roles_of(f); role++) {
        (void)gpai_name_unit(name_of(f, role), &unit);
        f->units = f->units || unit != NULL;
    }
    return f->got != NULL ? GPA_OK : gpai_nomem(err, "watch");
}

/* What a column or key is to us. Keys come in the same order in most lines, so that the
 * one behind the last is tried first. */
static size_t role_of(const struct fields *f, const char *name, size_t length,
                      size_t guess)
{
    size_t roles = roles_of(f);
    for (size_t i = 0; i < roles; i++) {
        size_t role = guess + i < roles ? guess + i : guess + i - roles;
        const char *known = name_of(f, role);
        if (strncmp(known, name, length) == 0 && known[length] == '\0')
            return role;
    }
    return NO_ROLE;
}

/* The same but for a unit, "speed [1/min]", which either name may have. */
static size_t measured_role_of(const struct fields *f, const char *name)
{
    const char *unit, *its;
    size_t length = gpai_name_unit(name, &unit);
    if (unit != NULL)
        return role_of(f, name, length, 0);
    for (size_t role = 0; f->units && role < roles_of(f); role++) {
        size_t n = gpai_name_unit(name_of(f, role), &its);
        if (its != NULL && n == length && strncmp(name_of(f, role), name, n) == 0)
            return role;
    }
    return NO_ROLE;
}

/* How often each role was found, in `got`: by its name, by its name but for a unit. */
enum { BY_NAME = 1, BY_NAME_TWICE = 2, MEASURED = 4, MEASURED_TWICE = 8 };
static const size_t BUT_FOR_UNIT = SIZE_MAX / 2 + 1; /* in `role`, while it is read */

static size_t column_role(struct fields *f, const char *name)
{
    size_t role = role_of(f, name, strlen(name), 0);
    if (role != NO_ROLE) {
        f->got[role] |= f->got[role] & BY_NAME ? BY_NAME_TWICE : BY_NAME;
        return role;
    }
    role = measured_role_of(f, name);
    if (role == NO_ROLE)
        return NO_ROLE;
    f->got[role] |= f->got[role] & MEASURED ? MEASURED_TWICE : MEASURED;
    return role | BUT_FOR_UNIT;
}

/* Names but for a unit count where there is no other of that name, as in tables. */
static gpa_status settle_header(struct fields *f, gpa_error *err)
{
    for (size_t i = 0; i < f->columns; i++)
        if (f->role[i] != NO_ROLE && f->role[i] >= BUT_FOR_UNIT) {
            f->role[i] -= BUT_FOR_UNIT;
            if (f->got[f->role[i]] != MEASURED)
                f->role[i] = NO_ROLE;
        }
    for (size_t role = 0; role < roles_of(f); role++) {
        bool twice = f->got[role] & BY_NAME_TWICE;
        if (!twice && (f->got[role] == MEASURED || f->got[role] & BY_NAME))
            continue;
        return gpai_fail(
            err, GPA_INVALID, "the header of the lines has %s '%.80s', which is %s",
            twice ? "two columns" : "no column", gpai_show_text(name_of(f, role)).text,
            role < f->s->d    ? "an input"
            : role == f->s->d ? "the target"
                              : "the --id");
    }
    return GPA_OK;
}

static bool make_room(struct fields *f, size_t length)
{
    return gpai_grow(&f->scratch, &f->room, length + 1, 1);
}

static gpa_status read_header(struct fields *f, const struct line *line, gpa_error *err)
{
    gpai_csv_reader r = {line->text, line->text + line->length, 1, ',', SOURCE, err};
    gpai_csv_cell c = {.last = false};
    size_t room = 0;
    if (line->length >= 3 && memcmp(line->text, "\xef\xbb\xbf", 3) == 0)
        r.at += 3;
    r.separator = f->separator = gpai_csv_separator(&r);
    memset(f->got, 0, f->s->d + 2);
    while (!c.last) {
        gpa_status st = gpai_csv_next(&r, &c);
        if (st != GPA_OK)
            return st;
        if (!gpai_grow(&f->role, &room, f->columns + 1, sizeof *f->role) ||
            !make_room(f, c.length))
            return gpai_nomem(err, "watch");
        gpai_csv_copy(&c, f->scratch);
        f->role[f->columns++] = column_role(f, f->scratch);
    }
    return settle_header(f, err);
}

bool fields_again(struct fields *f, const struct line *line)
{
    struct fields old = *f;
    if (!f->csv || line->cut || f->s->given.given[OPT_NO_HEADER])
        return false;
    f->role = NULL;
    f->columns = 0;
    bool is = read_header(f, line, NULL) == GPA_OK;
    gpai_free(is ? old.role : f->role);
    if (!is) {
        f->role = old.role;
        f->columns = old.columns;
        f->separator = old.separator;
    }
    return is;
}

/* Without a header the columns are those of the reference, as they stand. */
static gpa_status take_columns(struct fields *f, const struct line *line,
                               gpa_error *err)
{
    const gpa_study *s = f->s;
    const gpai_csv_reader r = {line->text, line->text + line->length, 1, ',', SOURCE,
                               err};
    f->separator = gpai_csv_separator(&r);
    f->columns = gpa_table_columns(s->table);
    f->role = gpai_calloc(f->columns, sizeof *f->role);
    if (f->role == NULL)
        return gpai_nomem(err, "watch");
    for (size_t c = 0; c < f->columns; c++) {
        size_t k = 0;
        while (k < s->d && s->columns[k] != c)
            k++;
        f->role[c] = k < s->d         ? k
                     : c == s->target ? s->d
                     : c == s->id     ? s->d + 1
                                      : NO_ROLE;
    }
    return GPA_OK;
}

gpa_status fields_begin(struct fields *f, const struct line *line, bool *header,
                        gpa_error *err)
{
    f->csv = !line_is_json(line);
    *header = f->csv && !f->s->given.given[OPT_NO_HEADER];
    if (f->csv && !*header)
        return take_columns(f, line, err);
    return f->csv ? read_header(f, line, err) : GPA_OK;
}

static bool is_plain(const struct fields *f, size_t role)
{
    return role == f->s->d ||
           (role < f->s->d && f->s->sources[role].writing == GPA_WRITING_NUMBER);
}

static enum trouble bad_value(const struct fields *f, size_t role, const char *text,
                              gpa_error *why)
{
    bool comma =
        is_plain(f, role) && f->s->table->commas == 0 && gpai_decimal_comma(text);
    (void)gpai_fail(why, GPA_DATA, "'%.80s' is no value of '%.80s'%s",
                    gpai_show_text(text).text, gpai_show_text(name_of(f, role)).text,
                    comma ? ": decimal commas are read where the rows of --reference "
                            "have them"
                          : "");
    return BAD_VALUE;
}

static enum trouble take_id(struct fields_row *row, const char *text, gpa_error *why)
{
    size_t length = strlen(text);
    if (length > ID_MOST) {
        (void)gpai_fail(why, GPA_DATA, "an id of %zu bytes, more than %d", length,
                        ID_MOST);
        return BAD_VALUE;
    }
    memcpy(row->id, text, length + 1);
    row->id_length = length;
    return FINE;
}

/* A value that is no plain number: a level, a date, true. It ends with a zero. */
static enum trouble take_text(struct fields *f, struct fields_row *row, size_t role,
                              const char *text, gpa_error *why)
{
    bool truth = strcmp(text, "true") == 0;
    double value;
    if (role == f->s->d + 1)
        return take_id(row, text, why);
    if (gpai_study_read_value(f->s, role, text, &value, NULL) != GPA_OK) {
        if (!truth && strcmp(text, "false") != 0)
            return bad_value(f, role, text, why);
        value = truth;
    }
    *(role < f->s->d ? &row->x[role] : &row->y) = value;
    return FINE;
}

/* A piece of text that may be a number. */
static bool take_number(const struct fields *f, struct fields_row *row, size_t role,
                        const char *text, size_t length)
{
    double value;
    if (!is_plain(f, role) || gpai_number(text, length, &value) != GPAI_NUMBER)
        return false;
    *(role < f->s->d ? &row->x[role] : &row->y) = value;
    return true;
}

static enum trouble malformed(gpa_error *why)
{
    (void)why;
    return MALFORMED;
}

static enum trouble take_cell(struct fields *f, struct fields_row *row, size_t role,
                              const gpai_csv_cell *c, gpa_error *why)
{
    if (role == NO_ROLE || take_number(f, row, role, c->text, c->length) ||
        gpai_missing(c->text, c->length))
        return FINE;
    if (!make_room(f, c->length))
        return malformed(why);
    gpai_csv_copy(c, f->scratch);
    return take_text(f, row, role, f->scratch, why);
}

static enum trouble read_csv(struct fields *f, const struct line *line,
                             struct fields_row *row, gpa_error *why)
{
    gpai_csv_reader r = {line->text, line->text + line->length, 1, f->separator, SOURCE,
                         why};
    gpai_csv_cell c = {.last = false};
    enum trouble t = FINE;
    size_t k = 0;
    for (; !c.last && t == FINE; k++) {
        if (gpai_csv_next(&r, &c) != GPA_OK)
            return MALFORMED;
        if (k < f->columns)
            t = take_cell(f, row, f->role[k], &c, why);
    }
    if (t != FINE || k == f->columns)
        return t;
    (void)gpai_fail(why, GPA_DATA, "%zu field%s, expected %zu", k, k == 1 ? "" : "s",
                    f->columns);
    return MALFORMED;
}

static enum trouble unexpected(const gpai_json_scan *s, const gpai_token *token,
                               gpa_error *why)
{
    bool ends = token->kind == 0;
    (void)gpai_json_fail(s, ends ? "the line ends too early" : "unexpected",
                         ends ? NULL : token, why);
    return MALFORMED;
}

/* Skips the rest of a list or object that is nothing to us. */
static enum trouble skip(gpai_json_scan *s, gpa_error *why)
{
    gpai_token token;
    for (size_t depth = 1; depth > 0;) {
        if (gpai_json_next(s, &token, why) != GPA_OK)
            return MALFORMED;
        if (token.kind == 0)
            return unexpected(s, &token, why);
        depth += token.kind == '{' || token.kind == '[';
        depth -= token.kind == '}' || token.kind == ']';
    }
    return FINE;
}

static enum trouble take_token(struct fields *f, struct fields_row *row, size_t role,
                               gpai_json_scan *s, const gpai_token *v, gpa_error *why)
{
    if (v->kind == '{' || v->kind == '[') {
        if (role == NO_ROLE)
            return skip(s, why);
        (void)gpai_fail(why, GPA_DATA, "a list or object is no value of '%.80s'",
                        gpai_show_text(name_of(f, role)).text);
        return BAD_VALUE;
    }
    if (v->kind != 's' && v->kind != 'n' && v->kind != 'w')
        return unexpected(s, v, why);
    if (role == NO_ROLE || gpai_token_is_word(v, "null") ||
        gpai_token_is_word(v, "NaN") ||
        (v->kind == 'n' && take_number(f, row, role, v->text, v->length)))
        return FINE;
    if (!make_room(f, v->length))
        return malformed(why);
    f->scratch[gpai_json_decode(v, f->scratch)] = '\0';
    return take_text(f, row, role, f->scratch, why);
}

/* What a key is to us. A name but for a unit gives way to the name itself. */
static enum trouble key_role(struct fields *f, struct fields_row *row,
                             const gpai_json_scan *s, const gpai_token *key,
                             size_t guess, size_t *role, gpa_error *why)
{
    const char *name = key->text;
    size_t length = key->length;
    if (!make_room(f, length))
        return malformed(why);
    if (key->escaped) {
        length = gpai_json_decode(key, f->scratch);
        name = f->scratch;
    }
    *role = role_of(f, name, length, guess);
    unsigned char how = BY_NAME;
    if (*role == NO_ROLE && (f->units || (length > 0 && name[length - 1] == ']'))) {
        memmove(f->scratch, name, length);
        f->scratch[length] = '\0';
        how = MEASURED;
        *role = measured_role_of(f, f->scratch);
    }
    if (*role == NO_ROLE)
        return FINE;
    unsigned char *got = &f->got[*role];
    if (*got & how) {
        (void)gpai_json_fail(s, "the same key twice", key, why);
        return MALFORMED;
    }
    if (how == MEASURED && *got & BY_NAME)
        *role = NO_ROLE;
    else if (*got & MEASURED && *role <= f->s->d)
        *(*role < f->s->d ? &row->x[*role] : &row->y) = (double)NAN;
    *got |= how;
    return FINE;
}

/* One `"key": value`. */
static enum trouble read_member(struct fields *f, struct fields_row *row,
                                gpai_json_scan *s, const gpai_token *key, size_t *guess,
                                gpa_error *why)
{
    gpai_token v;
    size_t role;
    if (key->kind != 's')
        return unexpected(s, key, why);
    enum trouble t = key_role(f, row, s, key, *guess, &role, why);
    if (t != FINE)
        return t;
    *guess = role != NO_ROLE ? role + 1 : *guess;
    if (*guess >= roles_of(f))
        *guess = 0;
    if (gpai_json_next(s, &v, why) != GPA_OK)
        return MALFORMED;
    if (v.kind != ':')
        return unexpected(s, &v, why);
    if (gpai_json_next(s, &v, why) != GPA_OK)
        return MALFORMED;
    return take_token(f, row, role, s, &v, why);
}

static enum trouble read_json(struct fields *f, const struct line *line,
                              struct fields_row *row, gpa_error *why)
{
    gpai_json_scan s = {line->text, line->text + line->length, 1, SOURCE, false};
    gpai_token token;
    size_t guess = 0;
    enum trouble t = FINE;
    memset(f->got, 0, f->s->d + 2);
    if (gpai_json_next(&s, &token, why) != GPA_OK)
        return MALFORMED;
    if (token.kind != '{') {
        (void)gpai_json_fail(&s, "expected an object", &token, why);
        return MALFORMED;
    }
    for (bool first = true; t == FINE; first = false) {
        if (gpai_json_item(&s, '}', first, &token, why) != GPA_OK)
            return MALFORMED;
        if (token.kind == '}')
            break;
        t = read_member(f, row, &s, &token, &guess, why);
    }
    if (t == FINE && gpai_json_next(&s, &token, why) != GPA_OK)
        return MALFORMED;
    return t == FINE && token.kind != 0 ? unexpected(&s, &token, why) : t;
}

enum trouble fields_read(struct fields *f, const struct line *line,
                         struct fields_row *row, gpa_error *why)
{
    row->y = (double)NAN;
    row->id_length = 0;
    row->id[0] = '\0';
    row->any = false;
    for (size_t k = 0; k < f->s->d; k++)
        row->x[k] = (double)NAN;
    why->message[0] = '\0';
    if (line->cut) {
        (void)gpai_fail(why, GPA_DATA, "a line of more than 1 MiB");
        return OVER_LONG;
    }
    if (line_is_blank(line)) {
        (void)gpai_fail(why, GPA_DATA, "an empty line");
        return BLANK;
    }
    if (memchr(line->text, '\0', line->length) != NULL) {
        (void)gpai_fail(why, GPA_DATA, "a byte that is zero");
        return MALFORMED;
    }
    enum trouble t =
        f->csv ? read_csv(f, line, row, why) : read_json(f, line, row, why);
    if (t == MALFORMED && strncmp(why->message, SOURCE_LINE, strlen(SOURCE_LINE)) == 0)
        memmove(why->message, why->message + strlen(SOURCE_LINE),
                strlen(why->message + strlen(SOURCE_LINE)) + 1);
    for (size_t k = 0; k < f->s->d && t == FINE; k++)
        row->any = row->any || !isnan(row->x[k]);
    return t;
}
