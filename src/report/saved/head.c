#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include "report/saved/saved.h"
#include <string.h>

/* What holds for a whole result. */

static bool is_long_list(const gpai_token *key)
{
    return gpai_json_token_is(key, "explanations") || gpai_json_token_is(key, "rows");
}

/* Cuts the long list into its values. */
static void cut(gpai_reader *r, gpa_saved *s, gpai_slice list)
{
    gpai_slice value;
    if (s->items != NULL)
        gpai_read_fail(r, NULL, "two lists of results");
    gpai_walk w = gpai_walk_open(r, list, '[');
    while (gpai_walk_next(&w, NULL, &value)) {
        (void)gpai_walk_open(r, value, '{'); /* no memory for what is no result */
        s->items = gpai_read_grow(r, s->items, s->n_items, sizeof *s->items);
        if (r->status == GPA_OK)
            s->items[s->n_items++] = value;
    }
    if (s->items == NULL) /* so that a second list is seen */
        s->items = gpai_read_room(r, 1, sizeof *s->items);
}

/* The options without blanks, as the command writes them. */
static void keep_options(gpai_reader *r, gpa_saved *s, gpai_slice value)
{
    gpai_json_scan scan = {value.at, value.at + value.size, 1, r->name, false};
    gpai_token token;
    char *to = gpai_read_room(r, value.size + 1, 1);
    gpai_free(s->options);
    s->options = to;
    while (r->status == GPA_OK) {
        r->status = gpai_json_next(&scan, &token, r->err);
        if (r->status != GPA_OK || token.kind == 0)
            break;
        bool quoted = token.kind == 's';
        size_t length = token.length + 2 * quoted;
        memcpy(to, token.text - quoted, length);
        to += length;
    }
}

/* Read from its digits: a seed may be larger than what trees hold as a whole number. */
static void keep_seed(gpai_reader *r, gpa_saved *s, gpai_slice value)
{
    uint64_t seed = 0;
    for (size_t i = 0; i < value.size; i++) {
        uint64_t digit = (uint64_t)(value.at[i] - '0');
        if (value.at[i] < '0' || value.at[i] > '9' || seed > (UINT64_MAX - digit) / 10)
            gpai_read_fail(r, "seed", "not a whole number below 2^64");
        seed = 10 * seed + digit;
    }
    s->info.seed = seed;
}

/* A key's text, to be freed; NULL without memory. */
static char *key_text(gpai_reader *r, const gpai_token *key)
{
    char *name = gpai_read_room(r, key->length + 1, 1);
    if (name != NULL)
        gpai_json_decode(key, name);
    return name;
}

void gpai_saved_members(gpai_reader *r, gpa_saved *s, gpai_slice text)
{
    gpai_token key;
    gpai_slice value, list = {NULL, 0};
    gpai_walk w = gpai_walk_open(r, text, '{');
    while (gpai_walk_next(&w, &key, &value)) {
        if (is_long_list(&key) && s->kind != GPA_SAVED_PAGE) {
            cut(r, s, value);
            list = value;
        } else if (gpai_json_token_is(&key, "options")) {
            keep_options(r, s, value);
        } else if (gpai_json_token_is(&key, "seed")) {
            keep_seed(r, s, value);
        }
    }
    gpai_walk_end(&w);
    if (r->status == GPA_OK)
        r->status = gpai_json_parse_around(&s->head, text.at, text.size, list.at,
                                           list.size, r->name, r->err);
}

/* Which format it is; other results of ours are told so. */
static void take_kind(gpai_reader *r, gpa_saved *s)
{
    const char *format = gpai_read_text(r, s->head, "format", false);
    if (format == NULL)
        return;
    if (s->kind == GPA_SAVED_PAGE) {
        if (strcmp(format, "gpa-receipt/1") != 0)
            gpai_read_fail(r, "format", "not gpa-receipt/1");
        return;
    }
    s->kind = strcmp(format, "gpa-explanation/1") == 0  ? GPA_SAVED_EXPLANATIONS
              : strcmp(format, "gpa-comparison/1") == 0 ? GPA_SAVED_COMPARISON
                                                        : 0;
    if (s->kind == 0)
        r->status = gpai_fail(r->err, GPA_UNSUPPORTED,
                              "%s: its format is '%s', not gpa-explanation/1 or "
                              "gpa-comparison/1",
                              r->name, gpai_show_text(format).text);
    else if (s->items == NULL)
        gpai_read_fail(r, s->kind == GPA_SAVED_EXPLANATIONS ? "explanations" : "rows",
                       "missing");
}

static void take_inputs(gpai_reader *r, gpa_saved *s)
{
    const gpai_value *list = gpai_read_list(r, s->head, "features", false);
    s->d = gpai_value_items(list);
    s->inputs = gpai_read_room(r, s->d, sizeof *s->inputs);
    for (size_t k = 0; k < s->d && r->status == GPA_OK; k++)
        s->inputs[k] = gpai_read_text_at(r, list, "features", k);
    if (r->status == GPA_OK && s->d == 0 && s->n_items > 0)
        gpai_read_fail(r, "features", "empty");
    s->info.features = s->inputs;
}

/* What they are measured in, where that was known. */
static void take_units(gpai_reader *r, gpa_saved *s)
{
    const gpai_value *list = gpai_read_list(r, s->head, "units", true);
    s->info.target_unit = gpai_read_text(r, s->head, "target_unit", true);
    if (list == NULL || r->status != GPA_OK)
        return;
    if (gpai_value_items(list) != s->d) {
        gpai_read_fail(r, "units", "%zu of %zu", gpai_value_items(list), s->d);
        return;
    }
    s->units = gpai_read_room(r, s->d, sizeof *s->units);
    for (size_t k = 0; k < s->d && r->status == GPA_OK; k++)
        if (!gpai_value_is_null(gpai_value_at(list, k)))
            s->units[k] = gpai_read_text_at(r, list, "units", k);
    s->info.units = s->units;
}

static void take_scale(gpai_reader *r, gpa_saved *s)
{
    const gpai_value *scale = gpai_read_object(r, s->head, "scale", false);
    const gpai_value *center = gpai_read_list(r, scale, "center", true);
    const gpai_value *unit = gpai_read_list(r, scale, "unit", s->n_items == 0);
    s->scale = gpai_read_room(r, s->d, 2 * sizeof *s->scale);
    if (center != NULL)
        gpai_read_numbers(r, center, "center", s->d, GPAI_HOLES, s->scale);
    if (unit != NULL && r->status == GPA_OK)
        gpai_read_numbers(r, unit, "unit", s->d, GPAI_WHOLE, s->scale + s->d);
    for (size_t k = 0; k < s->d && unit != NULL && r->status == GPA_OK; k++)
        if (!(s->scale[s->d + k] > 0))
            gpai_read_fail(r, "unit", "entry %zu is not above 0", k + 1);
    s->info.center = center != NULL ? s->scale : NULL;
}

static void take_engine(gpai_reader *r, gpa_saved *s)
{
    bool none = s->n_items == 0;
    const char *solver = gpai_read_text(r, s->head, "solver", none);
    const char *marginals = gpai_read_text(r, s->head, "marginals", none);
    s->solver = (gpa_solver)gpai_read_name(r, "solver", solver, GPAI_SOLVER);
    s->marginals =
        (gpa_marginals)gpai_read_name(r, "marginals", marginals, GPAI_MARGINALS);
}

static void take_notes(gpai_reader *r, gpa_saved *s)
{
    const gpai_value *list = gpai_read_list(r, s->head, "notes", true);
    size_t n = gpai_value_items(list);
    s->notes = gpai_read_room(r, n, sizeof *s->notes);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        s->notes[i] = gpai_read_text_at(r, list, "notes", i);
    s->info.notes = s->notes;
    s->info.n_notes = r->status == GPA_OK ? n : 0;
}

/* The target: as saved in full, by its name, or as it was named on the command line. */
static void take_target(gpai_reader *r, gpa_saved *s)
{
    const char *full = gpai_read_text(r, s->head, "target", true);
    const gpai_value *options = gpai_read_object(r, s->head, "options", true);
    s->info.full = gpai_value_get(s->head, "target") != NULL;
    const char *name = gpai_read_text(r, s->head, "target_name", true);
    s->info.target = full != NULL ? full
                     : name != NULL
                         ? name
                         : gpai_value_text(gpai_value_get(options, "target"));
}

void gpai_saved_head(gpai_reader *r, gpa_saved *s)
{
    take_kind(r, s);
    bool page = s->kind == GPA_SAVED_PAGE;
    s->info.version = gpai_read_text(r, s->head, "version", true);
    s->info.input_digest = gpai_read_text(r, s->head, "input_digest", true);
    s->info.model_digest = gpai_read_text(r, s->head, "model_probe_digest", true);
    const gpai_value *model = gpai_read_object(r, s->head, "model", true);
    s->info.model_spec = model != NULL ? gpai_read_text(r, model, "spec", true) : NULL;
    take_target(r, s);
    if (r->status == GPA_OK && s->options != NULL)
        s->info.options_json = s->options;
    if (page)
        s->info.full = gpai_read_bool(r, s->head, "full");
    s->info.paths = page && gpai_value_is_true(gpai_value_get(s->head, "paths"));
    if (!page) {
        take_inputs(r, s);
        take_units(r, s);
        take_notes(r, s);
    }
    if (s->kind == GPA_SAVED_EXPLANATIONS) {
        take_scale(r, s);
        take_engine(r, s);
    }
}

/* The reference rows that were saved, to see the explained ones against. */

static void check_rows(gpai_reader *r, const gpa_saved *s, size_t n, size_t total)
{
    if (n > total)
        gpai_read_fail(r, "background", "%zu rows of %zu", n, total);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        if (s->reference_rows[i] >= total ||
            (i > 0 && s->reference_rows[i] <= s->reference_rows[i - 1]))
            gpai_read_fail(r, "background", "rows are not ascending below %zu", total);
}

static void take_x(gpai_reader *r, const gpa_saved *s, const gpai_value *o, size_t n,
                   double *x)
{
    const gpai_value *list = gpai_read_list(r, o, "x", false);
    if (r->status == GPA_OK && gpai_value_items(list) != n)
        gpai_read_fail(r, "background", "x has %zu rows, expected %zu",
                       gpai_value_items(list), n);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        gpai_saved_row(r, s, gpai_value_at(list, i), "x", x + i * s->d);
}

/* Room for n rows; their x is checked first, so that no file asks for more than it
 * holds. */
static bool take_room(gpai_reader *r, gpa_saved *s, const gpai_value *o, size_t n)
{
    const gpai_value *x = gpai_read_list(r, o, "x", false);
    size_t first = gpai_value_items(gpai_value_at(x, 0));
    if (r->status == GPA_OK && n > 0 && first != s->d)
        gpai_read_fail(r, "background", "x has %zu inputs, expected %zu", first, s->d);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        if (gpai_value_items(gpai_value_at(x, i)) != s->d)
            gpai_read_fail(r, "background", "row %zu of x is too short or long", i + 1);
    s->reference_rows = gpai_read_room(r, n, sizeof *s->reference_rows);
    s->reference_numbers =
        gpai_read_room(r, n, (s->d + 3) * sizeof *s->reference_numbers);
    return r->status == GPA_OK;
}

void gpai_saved_reference(gpai_reader *r, gpa_saved *s)
{
    const gpai_value *o = gpai_read_object(r, s->head, "background", true);
    if (o == NULL)
        return;
    const gpai_value *rows = gpai_read_list(r, o, "rows", false);
    size_t n = gpai_value_items(rows), d = s->d;
    size_t total = (size_t)gpai_read_count(r, o, "total");
    if (!take_room(r, s, o, n))
        return;
    double *x = s->reference_numbers, *y = x + n * d, *f = y + n, *score = f + n;
    gpai_read_counts(r, rows, "rows", n, s->reference_rows);
    check_rows(r, s, n, total);
    take_x(r, s, o, n, x);
    gpai_read_number_list(r, o, "y", n, GPAI_HOLES, y);
    gpai_read_number_list(r, o, "f", n, GPAI_HOLES, f);
    gpai_read_number_list(r, o, "score", n, GPAI_HOLES, score);
    s->reference = (gpa_background){.struct_size = sizeof(gpa_background),
                                    .n = n,
                                    .d = d,
                                    .total = total,
                                    .rows = s->reference_rows,
                                    .x = x,
                                    .y = y,
                                    .f = f,
                                    .score = score};
    s->info.background = r->status == GPA_OK ? &s->reference : NULL;
}

/* The command that made a result, from its options. */

enum { MOST_WORDS = 10000 }; /* no command line has more */

/* Takes over `word`, which may be NULL for lack of memory. */
static void add(gpai_reader *r, gpa_saved *s, char *word)
{
    if (word == NULL)
        gpai_read_nomem(r);
    if (s->n_words == MOST_WORDS)
        gpai_read_fail(r, "options", "more than %d words", MOST_WORDS);
    s->words = gpai_read_grow(r, s->words, s->n_words, sizeof *s->words);
    if (r->status == GPA_OK)
        s->words[s->n_words++] = word;
    else
        gpai_free(word);
}

/* A text's content, a number as it stands. */
static char *content(gpai_slice value)
{
    if (value.at[0] != '"')
        return gpai_strndup(value.at, value.size);
    const gpai_token token = {
        .kind = 's', .escaped = true, .text = value.at + 1, .length = value.size - 2};
    char *text = gpai_calloc(value.size, 1);
    if (text != NULL)
        gpai_json_decode(&token, text);
    return text;
}

static void add_option(gpai_reader *r, gpa_saved *s, const char *name,
                       const gpai_slice *value)
{
    size_t length = strlen(name);
    char *word = gpai_calloc(length + 3, 1);
    if (word != NULL) {
        memcpy(word, "--", 2);
        memcpy(word + 2, name, length);
    }
    add(r, s, word);
    if (value != NULL)
        add(r, s, content(*value));
}

static void strange(gpai_reader *r, const char *name)
{
    gpai_read_fail(r, "options", "no option of a command: %s",
                   gpai_show_text(name).text);
}

static void add_list(gpai_reader *r, gpa_saved *s, const char *name, gpai_slice list)
{
    gpai_slice value;
    gpai_walk w = gpai_walk_open(r, list, '[');
    while (gpai_walk_next(&w, NULL, &value))
        if (value.at[0] == '"')
            add_option(r, s, name, &value);
        else
            strange(r, name);
}

/* Whether a list is of numbers: given by a program in place of a file. */
static bool is_numbers(gpai_slice list)
{
    for (size_t i = 0; i < list.size; i++)
        if (list.at[i] == '\0' ||
            strchr("[]0123456789+-.eE, \t\r\n", list.at[i]) == NULL)
            return false;
    return list.size > 2;
}

static void add_member(gpai_reader *r, gpa_saved *s, const char *name, gpai_slice value)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char first = value.at[0];
    if (name[0] == '\0' || name[0] == '-' || name[strspn(name, fine)] != '\0')
        strange(r, name);
    else if (first == '[' && !is_numbers(value))
        add_list(r, s, name, value);
    else if (gpai_word_is(value.at, value.size, "true"))
        add_option(r, s, name, NULL);
    else if (first == '[' || first == '"' || first == '-' ||
             (first >= '0' && first <= '9'))
        add_option(r, s, name, &value);
    else
        strange(r, name);
}

void gpai_saved_command(gpai_reader *r, gpa_saved *s)
{
    const gpai_value *options = gpai_value_get(s->head, "options");
    const char *command = gpai_value_text(gpai_value_get(options, "command"));
    const char *file = gpai_value_text(gpai_value_get(options, "file"));
    gpai_token key;
    gpai_slice value;
    if (command == NULL || r->status != GPA_OK)
        return; /* made by another program, without options */
    add(r, s, gpai_strdup(command));
    gpai_walk w = gpai_walk_open(r, (gpai_slice){s->options, strlen(s->options)}, '{');
    while (gpai_walk_next(&w, &key, &value)) {
        if (gpai_json_token_is(&key, "command") || gpai_json_token_is(&key, "file"))
            continue;
        char *name = key_text(r, &key);
        if (name != NULL)
            add_member(r, s, name, value);
        gpai_free(name);
    }
    if (file != NULL) {
        add(r, s, gpai_strdup("--"));
        add(r, s, gpai_strdup(file));
    }
}
