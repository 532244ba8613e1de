#include "base/cpu.h"
#include "base/text/nearest.h"
#include "cli/commands.h"
#include "console/args.h"
#include "console/describe.h"
#include "console/out.h"
#include "console/terminal.h"
#include "serve/serve.h"
#include "watch/watch.h"
#include <errno.h>
#include <gpa/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The help is printed from this table and that of the options, so it cannot lie. */
static const struct command COMMANDS[] = {
    {"score", "anomaly score of every row, worst first",
     "gpa score --model SPEC [options] [FILE]", IN_SCORE, cmd_score,
     "How surprising is the observed y of each row to the model? The score is\n"
     "-ln N(y | f(x), sigma^2). FILE is CSV with a header, JSON lines, .npy, Parquet "
     "or\n"
     "SQLite (data.db?table=rows), also .gz or .zst; '-' or nothing is standard "
     "input.\n",
     "  printf 'x1,x2,y\\n0.5,0,1\\n0.2,0,1.6\\n0,0,2.1\\n' | gpa score --model "
     "builtin:sinusoid2d\n"
     "  gpa score --model mlp:model.json --target y --top 10 data.csv\n"
     "  gpa score --model model.json --fail-above 8 --json data.csv\n",
     NULL},
    {"explain", "which inputs are responsible, how surely, which way",
     "gpa explain --model SPEC [options] [FILE]", IN_EXPLAIN, cmd_explain,
     "Which change of the inputs would make the observed y plausible to the model, "
     "and\n"
     "how sure is it? FILE is CSV with a header, JSON lines, .npy, Parquet or SQLite\n"
     "(data.db?table=rows), also .gz or .zst; '-' or nothing is standard input.\n",
     "  printf 'x1,x2,y\\n0.5,0,1\\n' | gpa explain --model builtin:sinusoid2d --sigma "
     "0.3\n"
     "  gpa explain --model mlp:model.json --target y --rows 63,68 data.csv\n"
     "  gpa explain --model model.json --top 5 --html report.html --json data.csv\n",
     NULL},
    {"compare", "all methods side by side, with their consistency",
     "gpa compare --model SPEC [options] [FILE]", IN_COMPARE, cmd_compare,
     "What would each method have said? Every method on the same rows, how far each "
     "agrees\nwith gpa, and whether it would notice if y had gone the other way.\n",
     "  gpa compare --model model.json --top 5 --reference train.csv data.csv\n"
     "  gpa compare --model model.json --methods gpa,lc,lime --rows 63 --json "
     "data.csv\n"
     "  gpa compare --model model.json --top 3 --html compare.html data.csv\n",
     NULL},
    {"model", "probe a model: inputs, speed, safe to rely on?",
     "gpa model --model SPEC [options] [FILE]", IN_MODEL, cmd_model,
     "Asks a model about random rows, or those of FILE: how many inputs, how long a "
     "call "
     "of\n1 to 10000 rows takes, whether the same rows give the same answers, alone, "
     "together and\non several threads, and which --batch and --threads suit it.\n",
     "  gpa model --model model.json\n"
     "  gpa model --model 'exec:python3 -m gpa.worker model.joblib' data.csv\n"
     "  gpa model --model mlflow:http://127.0.0.1:5000 --inputs 8 --json\n",
     NULL},
    {.name = "paper", .summary = "the experiments of the paper"},
    {"methods", "what each method needs and gives", "gpa methods [--json|--csv]",
     IN_METHODS, cmd_methods, "Lists the attribution methods in this library.\n",
     "  gpa methods\n"
     "  gpa methods --json\n",
     NULL},
    {.name = "bench", .summary = "planted faults: who names the culprit?"},
    {"report", "pictures and a page from a saved result",
     "gpa report [options] RESULT.json", IN_REPORT, cmd_report,
     "Shows a result that was saved with --json (of explain or compare) as a table, or "
     "with\n"
     "--html and --svg as a page and pictures. All pictures need --json-full; what "
     "cannot\n"
     "be drawn is named.\n",
     "  gpa explain --model model.json --top 3 --json-full --out result.json data.csv\n"
     "  gpa report result.json\n"
     "  gpa report --html page.html --svg pictures result.json\n",
     NULL},
    {"merge", "shards of one job put together", "gpa merge [options] SHARD.json...",
     IN_MERGE, cmd_merge,
     "Puts together what 'gpa explain --shard' wrote: the bytes of one run, as JSON, "
     "or "
     "with\n--csv, --html and the like (which want shards made with --json-full). A "
     "shard that is\nmissing, or is of another question than the others, is named. One "
     "that is there twice\nis fine.\n",
     "  gpa score --model model.json --json --out s.json data.csv\n"
     "  gpa explain --model model.json --all --scores s.json --shard 1/2 --out 1.json "
     "data.csv\n"
     "  gpa explain --model model.json --all --scores s.json --shard 2/2 --out 2.json "
     "data.csv\n"
     "  gpa merge --out all.json 1.json 2.json\n",
     NULL},
    {"verify", "makes a result again and compares",
     "gpa verify [options] REPORT [FILE]", IN_VERIFY, cmd_verify,
     "REPORT is a result of explain or compare, JSON or a page. Its receipt says what "
     "made\n"
     "it: the options, the seed, digests of the data and of the model's answers. That "
     "is\n"
     "done again and compared, number by number. FILE is the data, where it is "
     "elsewhere\n"
     "now. A program or server is asked only when --model names it again.\n",
     "  gpa verify result.json\n"
     "  gpa verify page.html moved/data.csv\n"
     "  gpa verify --model 'exec:python3 -m gpa.worker model.joblib' result.json\n",
     NULL},
    {"serve", "a local page to explore rows and ask what if",
     "gpa serve --model SPEC [options] FILE", IN_SERVE, cmd_serve,
     "Prints the address of a page that shows which rows are strange, who is "
     "responsible,\nand what would have to be different, and serves it to this machine "
     "until it is\ninterrupted. The address holds a secret: whoever has it can ask.\n",
     "  gpa serve --model mlp:model.json --target y data.csv\n"
     "  gpa serve --model model.json --open data.csv\n"
     "  gpa serve --model model.json --port 8080 --token-file token "
     "--base-url /gpa/ data.csv\n",
     NULL},
    {"watch", "lines in, explained anomalies and episodes out",
     "gpa watch --model SPEC [options] [FILE|-]", IN_WATCH, cmd_watch,
     "Reads rows as they come, a line each: objects of JSON, or CSV with a header. "
     "Each "
     "row\nthat surprises the model is explained at once; those that follow one "
     "another and share\na culprit are one episode, which opens, is updated and "
     "closes. A line of JSON out per\nevent (on a terminal a line for people).\n",
     "  tail -n +1 -F rows.jsonl | gpa watch --model model.json --reference "
     "history.csv --id ts\n"
     "  mosquitto_sub -t 'plant/#' | gpa watch --model model.json --target y "
     "--warm-up 500\n"
     "  gpa watch --model model.json --reference history.csv --only episodes "
     "--json day.csv\n",
     NULL},
};
enum { N_COMMANDS = sizeof COMMANDS / sizeof COMMANDS[0] };

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(COMMANDS[i].name, name) == 0)
            return &COMMANDS[i];
    return NULL;
}

static int help(void)
{
    printf("gpa %s: which inputs of a black-box regression model are responsible for a "
           "deviation\n\nusage: gpa COMMAND [options] [FILE]\n\nCommands:\n",
           gpa_version());
    for (size_t i = 0; i < N_COMMANDS; i++)
        printf("  %-9s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
    printf("\n'gpa COMMAND --help' (or 'gpa help COMMAND') says more; 'gpa --version' "
           "gives the\nversion. Try it:\n\n%s",
           find("explain")->examples);
    return say_printed();
}

static int unknown(const char *word)
{
    const char *names[N_COMMANDS + 1] = {"help"};
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i + 1] = COMMANDS[i].name;
    const char *near = gpai_nearest(word, names, N_COMMANDS + 1);
    if (near != NULL)
        say("unknown command '%s'; did you mean '%s'?", word, near);
    else
        say("unknown command '%s'; 'gpa --help' lists them", word);
    fprintf(stderr, "usage: gpa COMMAND [options] [FILE]\n");
    return EXIT_USAGE;
}

/* Paper and bench are commands of gpa-lab, which lies where this program does: in its
 * folder, or both on the PATH. The words are handed on; this returns on failure only.
 */
static int start_lab(const struct command *c, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    int folder = slash != NULL ? (int)(slash + 1 - argv[0]) : 0;
    char path[4200]; /* a longer one leads nowhere either */
    snprintf(path, sizeof path, "%.*sgpa-lab", folder, argv[0]);
    argv[0] = path;
    execvp(path, argv);
    say("%s: gpa-lab does this and cannot be started from %.*s: %s; 'make build' and "
        "'make install' put it beside gpa",
        c->name, folder > 0 ? folder : 8, folder > 0 ? path : "the PATH",
        strerror(errno));
    return EXIT_DATA;
}

static int run(const struct command *c, int argc, char **argv)
{
    gpai_options a;
    int code;
    return command_read(c, argc - 2, argv + 2, &a, &code) ? c->run(&a) : code;
}

int main(int argc, char **argv)
{
    out_prepare();
    const char *word = argc > 1 ? argv[1] : NULL, *set = getenv("GPA_ISA");
    if (set != NULL && !gpai_cpu_has(set)) {
        say("GPA_ISA: '%s' is no instruction set that this machine has; there are "
            "scalar, sse2, avx2 and avx512",
            set);
        return EXIT_USAGE;
    }
    if (word == NULL) {
        say("which command? 'gpa --help' lists them");
        fprintf(stderr, "usage: gpa COMMAND [options] [FILE]\n");
        return EXIT_USAGE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("gpa %s\n", gpa_version());
        return say_printed();
    }
    bool wants_help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
                      strcmp(word, "-h") == 0;
    if (wants_help && argc < 3)
        return help();
    if (wants_help && strcmp(argv[2], "--json") == 0)
        return describe_commands(COMMANDS, N_COMMANDS);
    const struct command *c = find(wants_help ? argv[2] : word);
    if (c == NULL)
        return unknown(wants_help ? argv[2] : word);
    if (c->run == NULL)
        return start_lab(c, argv);
    return wants_help ? command_help(c) : run(c, argc, argv);
}
