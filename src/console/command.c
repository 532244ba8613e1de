#include "console/command.h"
#include "console/args.h"
#include "console/say.h"
#include <stdio.h>
#include <string.h>

int command_help(const struct command *c)
{
    printf("usage: %s\n\n%s", c->usage, c->about);
    args_list(c->bit);
    printf("\nExamples:\n%s", c->examples);
    printf("\nExit codes: 0 done; %s2 usage; 3 cannot read or write, bad\ndata; "
           "4 the model failed; %s130 interrupted.\n",
           (c->bit & (IN_SCORE | IN_EXPLAIN)) != 0 ? "1 --fail-above holds; "
           : c->bit == IN_VERIFY                   ? "1 it differs; "
                                                   : "",
           c->bit == IN_EXPLAIN ? "5 --strict and not converged; " : "");
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
