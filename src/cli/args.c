#include "cli/args.h"
#include "cli/say.h"
#include "cli/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name;
    enum option_kind kind;
    const char *argument;
    unsigned commands;
    uint64_t least, most;
    bool kept;
    const char *help;
};

static const struct option TABLE[OPTIONS] = {
#define X(id, name, kind, arg, commands, least, most, kept, help)                      \
    {name, kind, arg, commands, least, most, kept, help},
    OPTION_LIST(X)
#undef X
};

bool args_one_of(const char *text, const char *words)
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

static bool wrong(const struct args *a)
{
    if (a->usage != NULL)
        fprintf(stderr, "usage: %s\n", a->usage);
    return false;
}

/* Finds an option of these commands by the first `length` letters of `name`. */
static int find(unsigned commands, const char *name, size_t length)
{
    for (int i = 0; i < OPTIONS; i++)
        if (TABLE[i].name != NULL && (TABLE[i].commands & commands) != 0 &&
            strlen(TABLE[i].name) == length &&
            strncmp(TABLE[i].name, name, length) == 0)
            return i;
    return -1;
}

static bool unknown(const struct args *a, const char *word)
{
    const char *names[OPTIONS];
    char bare[64];
    size_t n = 0;
    for (int i = 0; i < OPTIONS; i++)
        if (TABLE[i].name != NULL && (TABLE[i].commands & a->bit) != 0)
            names[n++] = TABLE[i].name;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    const char *name = bare + strspn(bare, "-");
    const char *near = word_nearest(name, names, n);
    if (find(EVERY, name, strlen(name)) >= 0)
        say("%s: '%s' belongs to another command; 'gpa %s --help' lists what there is",
            a->command, bare, a->command);
    else if (near != NULL)
        say("%s: unknown option '%s'; did you mean '--%s'?", a->command, bare, near);
    else
        say("%s: unknown option '%s'; 'gpa %s --help' lists what there is", a->command,
            bare, a->command);
    return wrong(a);
}

static bool bad_choice(const struct option *o, const char *text)
{
    say("--%s: '%s' is none of %s", o->name, text, o->argument);
    return false;
}

static bool take_count(const struct option *o, const char *text, uint64_t *value)
{
    if (word_count(text, value) && *value >= o->least && *value <= o->most)
        return true;
    if (o->most == UINT64_MAX)
        say("--%s: '%s' is not a whole number from %ju up, below 2^64", o->name, text,
            (uintmax_t)o->least);
    else
        say("--%s: '%s' is not a whole number from %ju to %ju", o->name, text,
            (uintmax_t)o->least, (uintmax_t)o->most);
    return false;
}

static bool take_real(const struct option *o, const char *text, double *value)
{
    if (!word_real(text, value))
        say("--%s: '%s' is not a finite number", o->name, text);
    else if (o->kind == POSITIVE && *value <= 0)
        say("--%s: %s is out of range, must be above 0", o->name, text);
    else if (o->kind == NOT_NEGATIVE && *value < 0)
        say("--%s: %s is out of range, must be 0 or more", o->name, text);
    else
        return true;
    return false;
}

static bool take(struct args *a, int i, const char *text)
{
    const struct option *o = &TABLE[i];
    a->given[i] = true;
    a->text[i] = text;
    switch (o->kind) {
    case FLAG:
    case TEXT:
        return true;
    case LIST:
        if (a->repeats == REPEATS) {
            say("--%s: given more than %d times", o->name, REPEATS);
            return false;
        }
        a->repeat[a->repeats].option = i;
        a->repeat[a->repeats++].text = text;
        return true;
    case CHOICE:
        return args_one_of(text, o->argument) || bad_choice(o, text);
    case COUNT:
        return take_count(o, text, &a->count[i]);
    case REAL:
    case POSITIVE:
    case NOT_NEGATIVE:
        return take_real(o, text, &a->real[i]);
    }
    return false;
}

/* Takes the option in argv[*at], and its argument behind = or in the next word. */
static bool take_option(struct args *a, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *name = word + 2, *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    int i = strcmp(word, "-h") == 0 ? OPT_HELP : -1;
    if (i < 0 && word[1] == '-')
        i = find(a->bit, name, length);
    if (i < 0)
        return unknown(a, word);
    const char *text = equals != NULL ? equals + 1 : NULL;
    if (TABLE[i].kind == FLAG && text != NULL) {
        say("%s: --%s takes no argument", a->command, TABLE[i].name);
        return wrong(a);
    }
    if (TABLE[i].kind != FLAG && text == NULL) {
        if (*at + 1 >= argc) {
            say("%s: --%s needs %s", a->command, TABLE[i].name, TABLE[i].argument);
            return wrong(a);
        }
        text = argv[++*at];
    }
    return take(a, i, text);
}

bool args_read(struct args *a, int argc, char **argv)
{
    bool ended = false;
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
        } else if (!ended && word[0] == '-' && word[1] != '\0') {
            if (!take_option(a, argc, argv, &at))
                return false;
            if (a->given[OPT_HELP])
                return true;
        } else if (a->file != NULL && a->bit == IN_VERIFY && a->second == NULL) {
            a->second = word;
        } else if (a->file != NULL || a->bit == IN_METHODS) {
            say("%s: unexpected word '%s'", a->command, word);
            return wrong(a);
        } else {
            a->file = word;
        }
    }
    if (a->file == NULL && (a->bit & (IN_MODEL | IN_PAPER)) == 0)
        a->file = "-";
    return true;
}

enum { HELP_INDENT = 28, HELP_WIDTH = 80 };

/* Help text in a column of its own, broken between words. */
static void print_help(const char *text, int column)
{
    if (column > HELP_INDENT - 2) {
        printf("\n");
        column = 0;
    }
    printf("%*s", HELP_INDENT - column, "");
    column = HELP_INDENT;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > HELP_WIDTH) {
            printf("\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
        }
        column += printf("%s%.*s", column > HELP_INDENT ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

void args_list(unsigned bit)
{
    for (int i = 0; i < OPTIONS; i++) {
        const struct option *o = &TABLE[i];
        if ((o->commands & bit) == 0)
            continue;
        if (o->name == NULL) {
            printf("\n%s:\n", o->help);
            continue;
        }
        int used = printf("  --%s%s%s", o->name, o->argument != NULL ? " " : "",
                          o->argument != NULL ? o->argument : "");
        print_help(o->help, used);
    }
}

static void json_list(FILE *f, const struct args *a, int i)
{
    const char *comma = "";
    fputc('[', f);
    for (size_t k = 0; k < a->repeats; k++)
        if (a->repeat[k].option == i) {
            fputs(comma, f);
            word_json(f, a->repeat[k].text);
            comma = ",";
        }
    fputc(']', f);
}

static void json_value(FILE *f, const struct args *a, int i)
{
    switch (TABLE[i].kind) {
    case FLAG:
        fputs("true", f);
        break;
    case TEXT:
    case CHOICE:
        word_json(f, a->text[i]);
        break;
    case LIST:
        json_list(f, a, i);
        break;
    case COUNT:
        fprintf(f, "%ju", (uintmax_t)a->count[i]);
        break;
    case REAL:
    case POSITIVE:
    case NOT_NEGATIVE:
        word_json_real(f, a->real[i]);
        break;
    }
}

const char *args_stray(const struct args *a)
{
    for (int i = 0; i < OPTIONS; i++)
        if (a->given[i] && !TABLE[i].kept)
            return TABLE[i].name;
    return NULL;
}

char *args_json(const struct args *a, const char *rows)
{
    char *json = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&json, &size);
    if (f == NULL)
        return NULL;
    fprintf(f, "{\"command\":\"%s\",\"file\":", a->command);
    word_json(f, a->file);
    for (int i = 0; i < OPTIONS; i++) {
        if (!a->given[i] || !TABLE[i].kept)
            continue;
        fprintf(f, ",\"%s\":", TABLE[i].name);
        if (i == OPT_ROWS && rows != NULL)
            word_json(f, rows);
        else
            json_value(f, a, i);
    }
    fputc('}', f);
    bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad) {
        free(json);
        return NULL;
    }
    return json;
}
