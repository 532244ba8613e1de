#ifndef GPAI_CONSOLE_ARGS_H
#define GPAI_CONSOLE_ARGS_H
#include "study/options.h"
#include "study/study.h"

/* Reads the words after a command, whose name and bit are set. Says what is wrong, with
 * the usage (NULL: without), and gives false. `--help` ends the reading. */
bool args_read(gpai_options *a, const char *usage, int argc, char **argv);

/* The options of a command, for its help. */
void args_list(unsigned bit);

/* The format that --json and --csv ask for; a table without them. */
gpa_status args_format(const gpai_options *a, gpa_format *format, gpa_error *err);

/* A command of one of our programs. */
struct command {
    const char *name, *summary, *usage;
    unsigned bit;                      /* which options it takes */
    int (*run)(const gpai_options *a); /* NULL: another program does it */
    const char *about;
    const char *examples;
    const char *second; /* the word that must follow its name */
};

/* What the exit codes mean, and of which commands. */
enum { EXITS = 10 };
struct exit_meaning {
    int code;
    unsigned commands;
    const char *means;
};
extern const struct exit_meaning EXIT_MEANINGS[EXITS];

/* Prints its help, from this and the table of options, so that it cannot lie. The exit
 * code. */
int command_help(const struct command *c);

/* Reads the words after its name. False when there is nothing more to do, with the exit
 * code: they were wrong, which was said, or asked for help, which was given. */
bool command_read(const struct command *c, int argc, char **argv, gpai_options *a,
                  int *code);

/* The question of a command line, opened, and what it had to say said. *s is to be
 * freed also when this fails. */
gpa_status ask_study(gpa_study **s, const gpai_options *a, gpa_error *err);

#endif
