#include "console/args.h"
#include "console/describe.h"
#include "console/out.h"
#include "console/terminal.h"
#include "lab/paper/paper.h"
#include "lab/planted/planted.h"
#include <stdio.h>
#include <string.h>

/* The laboratory: what `gpa paper` and `gpa bench` start. It speaks as they do. */

static const struct command PAPER = {
    .name = "paper",
    .usage = "gpa paper [sinusoid|diabetes|boston|california|table|all] [options]",
    .bit = IN_PAPER,
    .about =
        "Runs the experiments of the GPA paper with models trained here (which takes\n"
        "scikit-learn), prints the tables and writes a page with every figure. Without "
        "a\n"
        "name it runs all of them.\n",
    .examples = "  gpa paper sinusoid\n"
                "  gpa paper all --data cal_housing.data --html paper.html\n"
                "  gpa paper table --solver fast\n"};

static const struct command BENCH = {
    .name = "bench",
    .usage = "gpa bench planted --cases DIR [options]\n"
             "       gpa bench planted --model SPEC --plant K [options] [FILE]\n"
             "       gpa bench planted --tables [options]",
    .bit = IN_BENCH,
    .about =
        "Spoils normal rows on purpose, so that the culprit is known, and asks every "
        "method\n"
        "who it was. With --plant the rows are your own and the model is yours; with "
        "--cases\n"
        "they come from files; with --tables six tables with text, flags, counts and "
        "gaps "
        "are\n"
        "made, and models trained (which takes scikit-learn). 90 % intervals of shares "
        "are\n"
        "exact, others are from drawing the cases again, 1000 times.\n",
    .examples = "  gpa bench planted --model model.json --plant 40 data.csv\n"
                "  gpa bench planted --cases planted --json\n"
                "  gpa bench planted --tables --seed 2\n"
                "  gpa bench planted --cases planted --model plugin:f.so "
                "--model-config '{set}'\n",
    .second = "planted"};

int main(int argc, char **argv)
{
    gpai_options a;
    int code;
    out_prepare();
    const char *word = argc > 1 ? argv[1] : "";
    bool wants_help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
                      strcmp(word, "-h") == 0;
    if (wants_help)
        word = argc > 2 ? argv[2] : "";
    if (wants_help && strcmp(word, "--json") == 0)
        return describe_commands((const struct command[]){PAPER, BENCH}, 2);
    const struct command *c = strcmp(word, PAPER.name) == 0   ? &PAPER
                              : strcmp(word, BENCH.name) == 0 ? &BENCH
                                                              : NULL;
    if (c == NULL) {
        say("gpa-lab is there for 'gpa paper' and 'gpa bench'; see their --help");
        return EXIT_USAGE;
    }
    if (wants_help)
        return command_help(c);
    if (!command_read(c, argc - 2, argv + 2, &a, &code))
        return code;
    return c == &PAPER ? paper_run(&a, argv[0]) : planted_run(&a, argv[0]);
}
