#include "console/args.h"
#include "base/status.h"
#include "console/terminal.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool wrong(const char *usage)
{
    if (usage != NULL)
        fprintf(stderr, "usage: %s\n", usage);
    return false;
}

static bool unknown(const gpai_options *a, const char *usage, const char *word)
{
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    const char *name = bare + strspn(bare, "-");
    const char *near = gpai_options_nearest(a->bit, name);
    if (gpai_options_find(~0u, name, strlen(name)) >= 0)
        say("%s: '%s' belongs to another command; 'gpa %s --help' lists what there is",
            a->command, bare, a->command);
    else if (near != NULL)
        say("%s: unknown option '%s'; did you mean '--%s'?", a->command, bare, near);
    else
        say("%s: unknown option '%s'; 'gpa %s --help' lists what there is", a->command,
            bare, a->command);
    return wrong(usage);
}

static bool take(gpai_options *a, int option, const char *text)
{
    gpa_error err;
    if (gpai_options_take(a, option, text, &err) == GPA_OK)
        return true;
    say("%s", err.message);
    return false;
}

/* Takes the option in argv[*at], and its argument behind = or in the next word. */
static bool take_option(gpai_options *a, const char *usage, int argc, char **argv,
                        int *at)
{
    const char *word = argv[*at], *name = word + 2, *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    int i = strcmp(word, "-h") == 0 ? OPT_HELP : -1;
    if (i < 0 && word[1] == '-')
        i = gpai_options_find(a->bit, name, length);
    if (i < 0)
        return unknown(a, usage, word);
    const gpai_option *o = &GPAI_OPTIONS[i];
    const char *text = equals != NULL ? equals + 1 : NULL;
    if (o->kind == OPTION_FLAG && text != NULL) {
        say("%s: --%s takes no argument", a->command, o->name);
        return wrong(usage);
    }
    if (o->kind != OPTION_FLAG && text == NULL) {
        if (*at + 1 >= argc) {
            say("%s: --%s needs %s", a->command, o->name, o->argument);
            return wrong(usage);
        }
        text = argv[++*at];
    }
    return take(a, i, text);
}

/* "-", or "-?table=rows" of a database that comes that way. */
static bool is_stdin(const char *word)
{
    return word[0] == '-' && (word[1] == '\0' || word[1] == '?');
}

/* Standard input ends where its first reader stops. */
static bool reads_once(const gpai_options *a)
{
    static const enum option_id READ[] = {
        OPT_MODEL,    OPT_REFERENCE,   OPT_VERIFY_MODEL, OPT_VERIFY_REFERENCE,
        OPT_SCALE,    OPT_SLOPE_NODES, OPT_DELTA_INIT,   OPT_BASELINE,
        OPT_SV_DRAWS, OPT_SCORES};
    const char *dashes = "", *first = NULL;
    if (a->file != NULL && is_stdin(a->file))
        first = "FILE";
    for (size_t i = 0; i < sizeof READ / sizeof READ[0]; i++) {
        if (!a->given[READ[i]] || !is_stdin(a->text[READ[i]]))
            continue;
        const char *name = GPAI_OPTIONS[READ[i]].name;
        if (first != NULL) {
            say("%s: standard input can be read once, and both %s%s and --%s name it",
                a->command, dashes, first, name);
            return false;
        }
        first = name;
        dashes = "--";
    }
    return true;
}

bool args_read(gpai_options *a, const char *usage, int argc, char **argv)
{
    bool ended = false, any = a->bit == IN_MERGE;
    a->files = any ? argv : NULL; /* what was read makes room for them */
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
        } else if (!ended && word[0] == '-' && !is_stdin(word)) {
            if (!take_option(a, usage, argc, argv, &at))
                return false;
            if (a->given[OPT_HELP])
                return true;
        } else if (a->file != NULL && a->bit == IN_VERIFY && a->second == NULL) {
            a->second = word;
        } else if ((a->file != NULL && !any) || a->bit == IN_METHODS) {
            bool flag =
                a->given[OPT_CSV] || a->given[OPT_JSON] || a->given[OPT_JSON_FULL];
            say("%s: unexpected word '%s'%s", a->command, word,
                flag ? ": there is one FILE; --out FILE says where results go" : "");
            return wrong(usage);
        } else if (word[0] == '\0') {
            say("%s: the file's name is empty", a->command);
            return wrong(usage);
        } else {
            a->file = a->file != NULL ? a->file : word;
            if (any)
                a->files[a->n_files++] = argv[at];
        }
    }
    if (a->file == NULL && (a->bit & (IN_MODEL | IN_PAPER)) == 0)
        a->file = "-";
    return reads_once(a);
}

gpa_status args_format(const gpai_options *a, gpa_format *format, gpa_error *err)
{
    bool json = a->given[OPT_JSON] || a->given[OPT_JSON_FULL];
    if (a->given[OPT_SHARD] && a->given[OPT_CSV])
        return gpai_fail(err, GPA_INVALID,
                         "%s: a shard is JSON; give --csv to 'gpa merge'", a->command);
    json = json || a->given[OPT_SHARD] || (a->bit == IN_MERGE && !a->given[OPT_CSV]);
    *format = json                ? GPA_FORMAT_JSON
              : a->given[OPT_CSV] ? GPA_FORMAT_CSV
                                  : GPA_FORMAT_TABLE;
    if (json && a->given[OPT_CSV])
        return gpai_fail(err, GPA_INVALID, "%s: only one of --json and --csv",
                         a->command);
    return GPA_OK;
}

enum { HELP_INDENT = 28, HELP_WIDTH = 80 };

/* Words from this column on, in lines that begin at the indent; the column after. */
static int print_words(const char *text, int column, int indent)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > HELP_WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    return column;
}

/* Help text in a column of its own, broken between words. */
static void print_help(const char *text, int column)
{
    if (column > HELP_INDENT - 2) {
        printf("\n");
        column = 0;
    }
    printf("%*s", HELP_INDENT - column, "");
    print_words(text, HELP_INDENT, HELP_INDENT);
    printf("\n");
}

void args_list(unsigned bit)
{
    for (int i = 0; i < OPTIONS; i++) {
        const gpai_option *o = &GPAI_OPTIONS[i];
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

const struct exit_meaning EXIT_MEANINGS[EXITS] = {
    {EXIT_DONE, ~(unsigned)(IN_SERVE | IN_WATCH), "done"},
    {EXIT_DONE, IN_SERVE | IN_WATCH, "done, or interrupted"},
    {EXIT_CONDITION, IN_SCORE | IN_EXPLAIN, "--fail-above holds"},
    {EXIT_CONDITION, IN_VERIFY, "it differs"},
    {EXIT_USAGE, ~0u, "usage"},
    {EXIT_DATA, ~0u, "cannot read or write, bad data"},
    {EXIT_MODEL, ~0u, "the model failed"},
    {EXIT_WEAK, IN_EXPLAIN, "--strict and not converged"},
    {EXIT_STOPPED, ~(unsigned)(IN_SERVE | IN_WATCH), "interrupted"},
    {EXIT_STOPPED, IN_WATCH, "interrupted twice"}};

static void print_exits(unsigned bit)
{
    int column = printf("\nExit codes:") - 1, last = EXITS - 1;
    while (last > 0 && (EXIT_MEANINGS[last].commands & bit) == 0)
        last--;
    for (int i = 0; i <= last; i++) {
        const struct exit_meaning *e = &EXIT_MEANINGS[i];
        char text[80];
        if ((e->commands & bit) == 0)
            continue;
        snprintf(text, sizeof text, "%d %s%s", e->code, e->means, i < last ? ";" : ".");
        column = print_words(text, column, 0);
    }
    printf("\n");
}

int command_help(const struct command *c)
{
    printf("usage: %s\n\n%s", c->usage, c->about);
    args_list(c->bit);
    printf("\nExamples:\n%s", c->examples);
    print_exits(c->bit);
    return say_printed();
}

/* The second word of a command that has one; only --help may stand in its place. */
static bool take_second(const struct command *c, int *argc, char ***argv)
{
    const char *word = *argc > 0 ? **argv : "";
    if (c->second == NULL || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return true;
    if (strcmp(word, c->second) != 0) {
        say("%s: which one? there is 'gpa %s %s'", c->name, c->name, c->second);
        fprintf(stderr, "usage: %s\n", c->usage);
        return false;
    }
    --*argc;
    ++*argv;
    return true;
}

bool command_read(const struct command *c, int argc, char **argv, gpai_options *a,
                  int *code)
{
    *a = (gpai_options){.command = c->name, .bit = c->bit};
    *code = EXIT_USAGE;
    if (!take_second(c, &argc, &argv) || !args_read(a, c->usage, argc, argv))
        return false;
    if (a->given[OPT_HELP])
        *code = command_help(c);
    return !a->given[OPT_HELP];
}

gpa_status ask_study(gpa_study **s, const gpai_options *a, gpa_error *err)
{
    gpa_status st = gpai_study_from(s, a, err);
    if (st == GPA_OK && strcmp(a->file, "-") == 0 && isatty(STDIN_FILENO) == 1)
        say("reading the data from the terminal (or name a file)");
    if (st == GPA_OK)
        st = gpa_study_open(*s, err);
    say_notes(*s);
    return st;
}
