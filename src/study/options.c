#include "study/options.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/nearest.h"
#include "base/text/text.h"
#include "base/text/words.h"
#include <string.h>
#include <unistd.h>

const gpai_option GPAI_OPTIONS[OPTIONS] = {
#define X(id, name, kind, arg, commands, least, most, kept, help)                      \
    {name, OPTION_##kind, arg, commands, least, most, kept, help},
    OPTION_LIST_ALL(X)
#undef X
};

int gpai_options_find(unsigned commands, const char *name, size_t length)
{
    for (int i = 0; i < OPTIONS; i++) {
        const gpai_option *o = &GPAI_OPTIONS[i];
        if (o->name != NULL && (o->commands & commands) != 0 &&
            strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return i;
    }
    return -1;
}

const char *gpai_options_nearest(unsigned commands, const char *name)
{
    const char *names[OPTIONS];
    size_t n = 0;
    for (int i = 0; i < OPTIONS; i++)
        if (GPAI_OPTIONS[i].name != NULL && (GPAI_OPTIONS[i].commands & commands) != 0)
            names[n++] = GPAI_OPTIONS[i].name;
    return gpai_nearest(name, names, n);
}

unsigned gpai_options_command(const char *name)
{
    static const struct {
        const char *name;
        unsigned bit;
    } COMMANDS[] = {
        {"score", IN_SCORE}, {"explain", IN_EXPLAIN}, {"compare", IN_COMPARE},
        {"model", IN_MODEL}, {"bench", IN_BENCH},     {"methods", IN_METHODS},
        {"paper", IN_PAPER}, {"report", IN_REPORT},   {"verify", IN_VERIFY},
        {"serve", IN_SERVE}, {"watch", IN_WATCH},     {"merge", IN_MERGE}};
    for (size_t i = 0; name != NULL && i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
        if (strcmp(COMMANDS[i].name, name) == 0)
            return COMMANDS[i].bit;
    return 0;
}

void gpai_options_become(gpai_options *o, const char *command)
{
    size_t kept = 0;
    o->command = command;
    o->bit = gpai_options_command(command);
    for (int i = 0; i < OPTIONS; i++)
        o->given[i] = o->given[i] && (GPAI_OPTIONS[i].commands & o->bit) != 0;
    for (size_t i = 0; i < o->repeats; i++)
        if (o->given[o->repeat[i].option])
            o->repeat[kept++] = o->repeat[i];
    o->repeats = kept;
    for (int i = 0; i < OPTIONS; i++)
        if (!o->given[i])
            o->text[i] = NULL;
}

/* Whether text is one of the words in "a|b|c". */
static bool one_of(const char *text, const char *words)
{
    size_t length = strlen(text);
    for (const char *p = words; p != NULL && length > 0;) {
        if (strncmp(p, text, length) == 0 && (p[length] == '|' || p[length] == '\0'))
            return true;
        p = strchr(p, '|');
        p = p != NULL ? p + 1 : NULL;
    }
    return false;
}

static gpa_status take_count(const gpai_option *o, const char *text, uint64_t *value,
                             gpa_error *err)
{
    if (gpai_word_count(text, value) && *value >= o->least && *value <= o->most)
        return GPA_OK;
    if (o->most == UINT64_MAX)
        return gpai_fail(err, GPA_INVALID,
                         "--%s: '%.200s' is not a whole number from %ju up, below 2^64",
                         o->name, text, (uintmax_t)o->least);
    return gpai_fail(err, GPA_INVALID,
                     "--%s: '%.200s' is not a whole number from %ju to %ju", o->name,
                     text, (uintmax_t)o->least, (uintmax_t)o->most);
}

static gpa_status take_real(const gpai_option *o, const char *text, double *value,
                            gpa_error *err)
{
    if (!gpai_word_real(text, value))
        return gpai_fail(err, GPA_INVALID, "--%s: '%.200s' is not a finite number",
                         o->name, text);
    if (o->kind == OPTION_POSITIVE && *value <= 0)
        return gpai_fail(err, GPA_INVALID,
                         "--%s: %.200s is out of range, must be above 0", o->name,
                         text);
    if (o->most > 0 && *value >= (double)o->most)
        return gpai_fail(err, GPA_INVALID,
                         "--%s: %.200s is out of range, must be below %ju", o->name,
                         text, (uintmax_t)o->most);
    if (o->kind == OPTION_NOT_NEGATIVE && *value < 0)
        return gpai_fail(err, GPA_INVALID,
                         "--%s: %.200s is out of range, must be 0 or more", o->name,
                         text);
    return GPA_OK;
}

static gpa_status take_repeated(gpai_options *o, int i, const char *text,
                                gpa_error *err)
{
    if (o->repeats == GPAI_REPEATS)
        return gpai_fail(err, GPA_INVALID, "--%s: given more than %d times",
                         GPAI_OPTIONS[i].name, GPAI_REPEATS);
    o->repeat[o->repeats].option = i;
    o->repeat[o->repeats++].text = text;
    return GPA_OK;
}

/* Whether an argument is, or may be, the name of a file or folder. */
static bool names_file(const char *argument)
{
    return strstr(argument, "FILE") != NULL || strstr(argument, "DIR") != NULL ||
           strcmp(argument, "OUT") == 0;
}

gpa_status gpai_options_take(gpai_options *o, int i, const char *text, gpa_error *err)
{
    const gpai_option *option = &GPAI_OPTIONS[i];
    uint64_t count = 0;
    double real = 0;
    gpa_status st = GPA_OK;
    switch (option->kind) {
    case OPTION_FLAG:
        break;
    case OPTION_TEXT:
        if (text[0] == '\0' && names_file(option->argument))
            st = gpai_fail(err, GPA_INVALID, "--%s needs %s, not an empty name",
                           option->name, option->argument);
        break;
    case OPTION_LIST:
        st = take_repeated(o, i, text, err);
        break;
    case OPTION_CHOICE:
        if (!one_of(text, option->argument))
            st = gpai_fail(err, GPA_INVALID, "--%s: '%.200s' is none of %s",
                           option->name, text, option->argument);
        break;
    case OPTION_COUNT:
        st = take_count(option, text, &count, err);
        break;
    case OPTION_REAL:
    case OPTION_POSITIVE:
    case OPTION_NOT_NEGATIVE:
        st = take_real(option, text, &real, err);
        break;
    }
    if (st != GPA_OK)
        return st; /* what was refused leaves no trace */
    o->given[i] = true;
    o->text[i] = text;
    o->count[i] = count;
    o->real[i] = real;
    o->numbers[i].at = NULL;
    return GPA_OK;
}

bool gpai_options_is(const gpai_options *o, enum option_id id, const char *word)
{
    return o->given[id] && o->text[id] != NULL && strcmp(o->text[id], word) == 0;
}

uint64_t gpai_options_count(const gpai_options *o, enum option_id id,
                            uint64_t automatic)
{
    return o->given[id] ? o->count[id] : automatic;
}

size_t gpai_options_threads(const gpai_options *o, size_t jobs)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n =
        (size_t)gpai_options_count(o, OPT_THREADS, cores > 0 ? (uint64_t)cores : 1);
    return n < jobs ? n : jobs;
}

const char *gpai_options_stray(const gpai_options *o)
{
    for (int i = 0; i < OPTIONS; i++)
        if (o->given[i] && !GPAI_OPTIONS[i].kept)
            return GPAI_OPTIONS[i].name;
    return NULL;
}

static void record_list(gpa_text *t, const gpai_options *o, int i)
{
    gpai_text_add(t, "[");
    for (size_t k = 0; k < o->repeats; k++)
        if (o->repeat[k].option == i) {
            gpai_json_comma(t);
            gpai_json_string(t, o->repeat[k].text);
        }
    gpai_text_add(t, "]");
}

static void record_numbers(gpa_text *t, const double *numbers, size_t n)
{
    gpai_text_add(t, "[");
    for (size_t i = 0; i < n; i++) {
        gpai_json_comma(t);
        gpai_json_number(t, numbers[i]);
    }
    gpai_text_add(t, "]");
}

static void record_value(gpa_text *t, const gpai_options *o, int i)
{
    switch (GPAI_OPTIONS[i].kind) {
    case OPTION_FLAG:
        gpai_text_add(t, "true");
        break;
    case OPTION_TEXT:
    case OPTION_CHOICE:
        if (o->numbers[i].at != NULL)
            record_numbers(t, o->numbers[i].at, o->numbers[i].n);
        else
            gpai_json_string(t, o->text[i]);
        break;
    case OPTION_LIST:
        record_list(t, o, i);
        break;
    case OPTION_COUNT:
        gpai_text_printf(t, "%ju", (uintmax_t)o->count[i]);
        break;
    case OPTION_REAL:
    case OPTION_POSITIVE:
    case OPTION_NOT_NEGATIVE:
        gpai_json_number(t, o->real[i]);
        break;
    }
}

void gpai_options_record(gpa_text *t, const gpai_options *o, const char *rows)
{
    gpai_text_printf(t, "{\"command\":\"%s\"", o->command);
    if (o->file != NULL)
        gpai_json_text_field(t, "file", o->file);
    for (int i = 0; i < OPTIONS; i++) {
        if (!o->given[i] || !GPAI_OPTIONS[i].kept)
            continue;
        gpai_json_key(t, GPAI_OPTIONS[i].name);
        if (i == OPT_ROWS && rows != NULL)
            gpai_json_string(t, rows);
        else
            record_value(t, o, i);
    }
    gpai_text_add(t, "}");
}
