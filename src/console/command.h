#ifndef GPA_CONSOLE_COMMAND_H
#define GPA_CONSOLE_COMMAND_H
#include "study/options.h"

/* A command of one of our programs. */
struct command {
    const char *name, *summary, *usage;
    unsigned bit;                      /* which options it takes */
    int (*run)(const gpai_options *a); /* NULL: another program does it */
    const char *about;
    const char *examples;
    const char *second; /* the word that must follow its name */
};

/* Prints its help, from this and the table of options, so that it cannot lie. The exit
 * code. */
int command_help(const struct command *c);

/* Reads the words after its name. False when there is nothing more to do, with the exit
 * code: they were wrong, which was said, or asked for help, which was given. */
bool command_read(const struct command *c, int argc, char **argv, gpai_options *a,
                  int *code);

#endif
