#ifndef GPA_CLI_ARGS_H
#define GPA_CLI_ARGS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Commands that take options, as bits. */
enum { IN_SCORE = 1, IN_EXPLAIN = 2, IN_METHODS = 4 };

enum option_kind {
    FLAG,        /* no argument */
    TEXT,        /* any text */
    LIST,        /* any text, and the option may be given again */
    CHOICE,      /* one of the words in the argument's name: a|b|c */
    COUNT,       /* a whole number between least and most */
    REAL,        /* a finite number */
    POSITIVE,    /* above 0 */
    NOT_NEGATIVE /* 0 or more */
};

/* Everything there is to know about an option, once:
 * X(identifier, name, kind, argument, commands, least, most, kept, later, help).
 * `kept`: it shapes the result, so it is written into it. `later`: words of a choice
 * that are known but not made yet. A line without name is a heading of the help. */
#define BOTH (IN_SCORE | IN_EXPLAIN)
#define ALL  (BOTH | IN_METHODS)
#define OPTION_LIST(X)                                                                 \
    X(HEAD_DATA, NULL, FLAG, NULL, BOTH, 0, 0, 0, NULL, "Model and data")              \
    X(MODEL, "model", TEXT, "SPEC", BOTH, 0, 0, 1, NULL,                               \
      "the model: mlp:FILE, linear:FILE, plugin:FILE.so, builtin:sinusoid2d, or FILE") \
    X(TARGET, "target", TEXT, "COL", BOTH, 0, 0, 1, NULL,                              \
      "the observed y (default: the last column)")                                     \
    X(FEATURES, "features", TEXT, "A,B,...", BOTH, 0, 0, 1, NULL,                      \
      "the model's inputs, in its order (default: the names it knows, or all but the " \
      "target and id)")                                                                \
    X(DROP, "drop", TEXT, "A,B,...", BOTH, 0, 0, 1, NULL,                              \
      "columns that are no inputs")                                                    \
    X(ID, "id", TEXT, "COL", BOTH, 0, 0, 1, NULL,                                      \
      "a column that names rows in the output (default: their numbers from 0)")        \
    X(NO_HEADER, "no-header", FLAG, NULL, BOTH, 0, 0, 1, NULL,                         \
      "the first line is data; columns are called x1, x2, ...")                        \
    X(REFERENCE, "reference", TEXT, "FILE", BOTH, 0, 0, 1, NULL,                       \
      "background rows, for --scale reference")                                        \
    X(SIGMA, "sigma", POSITIVE, "S", BOTH, 0, 0, 1, NULL,                              \
      "standard deviation of y - f (default: over the rows of FILE)")                  \
    X(MODEL_CONFIG, "model-config", TEXT, "TEXT", BOTH, 0, 0, 1, NULL,                 \
      "text handed to a plugin")                                                       \
    X(MODEL_TIMEOUT, "model-timeout", POSITIVE, "SECONDS", BOTH, 0, 0, 0, NULL,        \
      "time a call of a model outside this process may take (default: 60)")            \
    X(HEAD_ROWS, NULL, FLAG, NULL, BOTH, 0, 0, 0, NULL, "Rows")                        \
    X(ROWS, "rows", TEXT, "63,68,70-75", BOTH, 0, 0, 1, NULL, "these rows, from 0")    \
    X(TOP, "top", COUNT, "K", BOTH, 1, UINT64_MAX, 1, NULL,                            \
      "the K rows of highest score (explain's default: --top 1)")                      \
    X(THRESHOLD, "threshold", REAL, "S", BOTH, 0, 0, 1, NULL,                          \
      "the rows whose score exceeds S")                                                \
    X(ALL_ROWS, "all", FLAG, NULL, BOTH, 0, 0, 1, NULL, "every row (score's default)") \
    X(COLLECTIVE, "collective", FLAG, NULL, IN_EXPLAIN, 0, 0, 1, NULL,                 \
      "one change shared by all chosen rows")                                          \
    X(HEAD_METHOD, NULL, FLAG, NULL, IN_EXPLAIN, 0, 0, 0, NULL, "Method")              \
    X(SCALE, "scale", TEXT, "data|reference|none|FILE.json", IN_EXPLAIN, 0, 0, 1,      \
      NULL, "unit in which each input's change is measured (default: data)")           \
    X(FREEZE, "freeze", LIST, "A,B", IN_EXPLAIN, 0, 0, 1, NULL,                        \
      "inputs that may not move")                                                      \
    X(BOUNDS, "bounds", LIST, "COL=LO:HI", IN_EXPLAIN, 0, 0, 1, NULL,                  \
      "an input that may move only so far, in its own unit; may be repeated")          \
    X(INTEGER, "integer", LIST, "A,B", IN_EXPLAIN, 0, 0, 1, NULL,                      \
      "inputs that move in whole steps")                                               \
    X(ONEHOT, "onehot", LIST, "A,B,C", IN_EXPLAIN, 0, 0, 1, NULL,                      \
      "inputs of which exactly one is 1 and that move together; may be repeated")      \
    X(SOLVER, "solver", CHOICE, "fast|thorough|paper|paper-det", IN_EXPLAIN, 0, 0, 1,  \
      NULL, "how the most probable change is found (default: fast)")                   \
    X(MARGINALS, "marginals", CHOICE, "exact|surrogate|plugin|paper|none", IN_EXPLAIN, \
      0, 0, 1, NULL,                                                                   \
      "which distribution of each change (default: exact, surrogate for models "       \
      "outside "                                                                       \
      "this process)")                                                                 \
    X(MARGINAL_ROWS, "marginal-rows", COUNT, "N", IN_EXPLAIN, 16, 100000000, 1, NULL,  \
      "model rows that exact and surrogate may ask (default: 4096 and 512)")           \
    X(ETA, "eta", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                            \
      "precision of the change's prior")                                               \
    X(NU, "nu", NOT_NEGATIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL, "its l1 share")          \
    X(A0, "a0", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                              \
      "shape of the noise precision's prior")                                          \
    X(B0, "b0", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                              \
      "its rate; overrides --sigma, --cb and --noise")                                 \
    X(CB, "cb", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                              \
      "virtual samples: the rate is divided by it")                                    \
    X(KAPPA, "kappa", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                        \
      "first step length of the paper's solver")                                       \
    X(NOISE, "noise", CHOICE, "constant|local", IN_EXPLAIN, 0, 0, 1, NULL,             \
      "one noise scale, or b(x) from the rows around x (default: local)")              \
    X(SLOPE_SD, "slope-sd", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                  \
      "spread of the points that give a slope (default: 1)")                           \
    X(SLOPE_NODES, "slope-nodes", TEXT, "K|FILE", IN_EXPLAIN, 0, 0, 1, NULL,           \
      "how many of them, or the very ones, one per line")                              \
    X(DELTA_INIT, "delta-init", TEXT, "FILE", IN_EXPLAIN, 0, 0, 1, NULL,               \
      "first change, one number per input and line")                                   \
    X(MAX_ITER, "max-iter", COUNT, "N", IN_EXPLAIN, 1, 1000000000, 1, NULL,            \
      "iterations at most")                                                            \
    X(TOL, "tol", POSITIVE, "X", IN_EXPLAIN, 0, 0, 1, NULL,                            \
      "relative change at which to stop")                                              \
    X(SEED, "seed", COUNT, "N", IN_EXPLAIN, 0, UINT64_MAX, 1, NULL,                    \
      "everything random: same seed, same bytes (default: 1)")                         \
    X(BUDGET, "budget", COUNT, "N", IN_EXPLAIN, 1, 1000000000000000, 1, NULL,          \
      "model rows per explanation at most")                                            \
    X(HEAD_RUN, NULL, FLAG, NULL, ALL, 0, 0, 0, NULL, "Running and output")            \
    X(THREADS, "threads", COUNT, "N", IN_EXPLAIN, 1, 1024, 0, NULL,                    \
      "workers; the answer does not depend on it (default: cores)")                    \
    X(BATCH, "batch", COUNT, "N", BOTH, 1, 1000000000, 0, NULL,                        \
      "rows per call of the model at most (default: 4096)")                            \
    X(FAIL_ABOVE, "fail-above", REAL, "S", BOTH, 0, 0, 0, NULL,                        \
      "exit 1 when a score exceeds S")                                                 \
    X(STRICT, "strict", FLAG, NULL, IN_EXPLAIN, 0, 0, 0, NULL,                         \
      "exit 5 when something did not converge or hit its budget")                      \
    X(JSON, "json", FLAG, NULL, ALL, 0, 0, 0, NULL, "results as JSON")                 \
    X(CSV, "csv", FLAG, NULL, ALL, 0, 0, 0, NULL, "results as CSV")                    \
    X(HTML, "html", TEXT, "OUT", IN_EXPLAIN, 0, 0, 0, NULL,                            \
      "also write a page with pictures")                                               \
    X(OUT, "out", TEXT, "FILE", ALL, 0, 0, 0, NULL,                                    \
      "results into FILE, complete or not at all (default: standard output)")          \
    X(PROGRESS, "progress", CHOICE, "auto|always|never", BOTH, 0, 0, 0, NULL,          \
      "progress on standard error (auto: on a terminal)")                              \
    X(COLOR, "color", CHOICE, "auto|always|never", BOTH, 0, 0, 0, NULL,                \
      "colours in tables (auto: on a terminal, unless NO_COLOR is set)")               \
    X(HELP, "help", FLAG, NULL, ALL, 0, 0, 0, NULL, "this text")

enum option_id {
#define X(id, name, kind, arg, commands, least, most, kept, later, help) OPT_##id,
    OPTION_LIST(X)
#undef X
        OPTIONS
};

enum { REPEATS = 256 };

/* What was given on the command line, by option. */
struct args {
    const char *command; /* as typed */
    unsigned bit;        /* IN_… */
    const char *usage;
    const char *file; /* "-" when none is named */
    bool given[OPTIONS];
    const char *text[OPTIONS];
    uint64_t count[OPTIONS];
    double real[OPTIONS];
    struct { /* every LIST option, in the order given */
        int option;
        const char *text;
    } repeat[REPEATS];
    size_t repeats;
};

/* Reads the words after the command. Says what is wrong and gives false. `--help` ends
 * the reading. */
bool args_read(struct args *a, int argc, char **argv);

/* The options of a command, for its help. */
void args_list(unsigned bit);

/* The options that shape the result as a JSON object, in a canonical order; to be
 * freed. `rows` replaces the text of --rows. NULL without memory. */
char *args_json(const struct args *a, const char *rows);

/* Whether text is one of the words in "a|b|c". */
bool args_one_of(const char *text, const char *words);

#endif
