#ifndef GPAI_STUDY_OPTIONS_H
#define GPAI_STUDY_OPTIONS_H
#include <gpa/report.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The commands that take options, as bits. */
enum {
    IN_SCORE = 1,
    IN_EXPLAIN = 2,
    IN_METHODS = 4,
    IN_BENCH = 8,
    IN_COMPARE = 16,
    IN_MODEL = 32,
    IN_PAPER = 64,
    IN_REPORT = 128,
    IN_VERIFY = 256,
    IN_SERVE = 512,
    IN_WATCH = 1024,
    IN_MERGE = 2048
};

enum option_kind {
    OPTION_FLAG,        /* no argument */
    OPTION_TEXT,        /* any text */
    OPTION_LIST,        /* any text, and the option may be given again */
    OPTION_CHOICE,      /* one of the words in the argument's name: a|b|c */
    OPTION_COUNT,       /* a whole number between least and most */
    OPTION_REAL,        /* a finite number */
    OPTION_POSITIVE,    /* above 0; below most, if that is not 0 */
    OPTION_NOT_NEGATIVE /* 0 or more */
};

/* Everything there is to know about an option, once:
 * X(identifier, name, kind, argument, commands, least, most, kept, help).
 * `kept`: it shapes the result, so it is written into it. A line without name is a
 * heading of the help. */
#define TABLES  (IN_SCORE | IN_EXPLAIN | IN_COMPARE)
#define ALL     (TABLES | IN_METHODS)
#define DATA    (TABLES | IN_BENCH | IN_SERVE | IN_WATCH)
#define SOLVES  (IN_EXPLAIN | IN_COMPARE)
#define ANSWERS (SOLVES | IN_SERVE)     /* how it is answered */
#define BLAMES  (IN_EXPLAIN | IN_SERVE) /* what only explanations have */
#define WEIGHS  (ANSWERS | IN_WATCH)    /* also where only culprits are asked for */
#define CHARGES (BLAMES | IN_WATCH)
#define MODELS  (DATA | IN_MODEL)
#define ASKS    (MODELS | IN_VERIFY)
#define RUNS    (ALL | IN_BENCH | IN_MODEL | IN_PAPER)
#define WRITES  (RUNS | IN_REPORT | IN_MERGE)
#define SHOWS   (IN_REPORT | IN_MERGE) /* what is saved */
#define EVERY   (WRITES | IN_VERIFY | IN_SERVE | IN_WATCH)
#define OPTION_LIST_ALL(X)                                                             \
    X(HEAD_DATA, NULL, FLAG, NULL, ASKS, 0, 0, 0, "Model and data")                    \
    X(MODEL, "model", TEXT, "SPEC", MODELS, 0, 0, 1,                                   \
      "the model: a model FILE, plugin:FILE.so, exec:COMMAND, v2:URL, mlflow:URL, "    \
      "tfserving:URL or builtin:sinusoid2d")                                           \
    X(VERIFY_MODEL, "model", TEXT, "SPEC", IN_VERIFY, 0, 0, 0,                         \
      "the model, where it is elsewhere now; also says that a program or server in "   \
      "the report may be asked")                                                       \
    X(VERIFY_REFERENCE, "reference", TEXT, "FILE", IN_VERIFY, 0, 0, 0,                 \
      "the reference rows, where they are elsewhere now")                              \
    X(TARGET, "target", TEXT, "COL", MODELS, 0, 0, 1,                                  \
      "the observed y (default: the last column)")                                     \
    X(FEATURES, "features", TEXT, "A,B,...", MODELS, 0, 0, 1,                          \
      "the model's inputs, in its order (default: the names it knows, or all but the " \
      "target and id)")                                                                \
    X(DROP, "drop", TEXT, "A,B,...", MODELS, 0, 0, 1, "columns that are no inputs")    \
    X(ID, "id", TEXT, "COL", DATA, 0, 0, 1,                                            \
      "a column that names rows in the output (default: their numbers from 0)")        \
    X(NO_HEADER, "no-header", FLAG, NULL, MODELS, 0, 0, 1,                             \
      "the first line is data; columns are called x1, x2, ...")                        \
    X(REFERENCE, "reference", TEXT, "FILE", DATA, 0, 0, 1,                             \
      "reference rows: for sv, eig and z (default: other rows of FILE), --scale "      \
      "reference, --plausible reference; "                                             \
      "watch: what is normal")                                                         \
    X(SIGMA, "sigma", POSITIVE, "S", DATA, 0, 0, 1,                                    \
      "standard deviation of y - f (default: over the rows of FILE, without a few "    \
      "that "                                                                          \
      "are grossly off)")                                                              \
    X(MODEL_CONFIG, "model-config", TEXT, "TEXT", MODELS, 0, 0, 1,                     \
      "text handed to a plugin")                                                       \
    X(MODEL_TIMEOUT, "model-timeout", POSITIVE, "SECONDS", ASKS, 0, 0, 0,              \
      "time a call of a model outside this process may take (default: 60)")            \
    X(MODEL_WORKERS, "model-workers", COUNT, "N", ASKS, 1, 1024, 0,                    \
      "child processes or connections at most (default: as many as threads)")          \
    X(MODEL_AUTH, "model-auth", TEXT, "env:NAME|file:PATH", ASKS, 0, 0, 0,             \
      "where the Authorization header of a server is found; never the secret itself")  \
    X(INPUTS, "inputs", COUNT, "N", IN_MODEL, 1, 1000000, 0,                           \
      "how many inputs a row has, for models that take any number")                    \
    X(HEAD_ROWS, NULL, FLAG, NULL, TABLES | IN_WATCH, 0, 0, 0, "Rows")                 \
    X(ROWS, "rows", TEXT, "63,68,70-75", TABLES, 0, 0, 1,                              \
      "these rows, from 0; or, with --id, what they are called")                       \
    X(TOP, "top", COUNT, "K", TABLES, 1, UINT64_MAX, 1,                                \
      "the K rows of highest score (explain's default: --top 1)")                      \
    X(THRESHOLD, "threshold", REAL, "S", TABLES | IN_WATCH, 0, 0, 1,                   \
      "the rows whose score exceeds S")                                                \
    X(ALL_ROWS, "all", FLAG, NULL, TABLES, 0, 0, 1, "every row (score's default)")     \
    X(COLLECTIVE, "collective", FLAG, NULL, IN_EXPLAIN, 0, 0, 1,                       \
      "one change shared by all chosen rows")                                          \
    X(HEAD_BENCH, NULL, FLAG, NULL, IN_BENCH, 0, 0, 0, "Planted faults")               \
    X(CASES, "cases", TEXT, "DIR", IN_BENCH, 0, 0, 1,                                  \
      "sets of cases: NAME.csv, NAME.batch.csv and NAME.meta.json in DIR")             \
    X(WITH_TABLES, "tables", FLAG, NULL, IN_BENCH, 0, 0, 1,                            \
      "six mixed tables with three models each, made by a script")                     \
    X(SET, "set", TEXT, "A,B", IN_BENCH, 0, 0, 1,                                      \
      "only these sets, with --model as their model when it is given")                 \
    X(PER_KIND, "per-kind", COUNT, "N", IN_BENCH, 1, 1000000, 1,                       \
      "only the first N cases of each kind of a set")                                  \
    X(PLANT, "plant", COUNT, "K", IN_BENCH, 1, 10000, 1,                               \
      "plant K faults of one input in rows of FILE, K/2 of two, K/2 of the output "    \
      "and "                                                                           \
      "K/4 shared by five rows; with --tables K of every kind in each (default: 4)")   \
    X(BENCH_WORK, "work", TEXT, "DIR", IN_BENCH, 0, 0, 0,                              \
      "where tables and models are kept (default: tables beside the build, or the "    \
      "user's cache)")                                                                 \
    X(METHODS, "methods", TEXT, "A,B", IN_BENCH | IN_COMPARE, 0, 0, 1,                 \
      "only these (bench: culprit, numbers, culprit-basic, culprit-model, fast, "      \
      "mean, paper-det, z; compare: those of 'gpa methods')")                          \
    X(HEAD_METHOD, NULL, FLAG, NULL, WEIGHS | IN_BENCH, 0, 0, 0, "Method")             \
    X(SCALE, "scale", TEXT, "data|reference|none|FILE.json", WEIGHS | IN_BENCH, 0, 0,  \
      1, "unit in which each input's change is measured (default: data)")              \
    X(KIND, "kind", LIST, "COL=number|whole|flag|choice|held", DATA, 0, 0, 1,          \
      "what an input is, where the rows suggest otherwise; all=number takes every "    \
      "input as any number; may be repeated")                                          \
    X(LEVELS, "levels", LIST, "COL=a,b,c", DATA, 0, 0, 1,                              \
      "names of a coded input's levels, in the order of the codes; may be repeated")   \
    X(UNITS, "units", LIST, "COL=UNIT", DATA, 0, 0, 1,                                 \
      "what an input, or the target, is measured in, for reports; a column called "    \
      "'bmi [kg/m2]' says so itself; may be repeated")                                 \
    X(MISSING, "missing", CHOICE, "ask|hold", CHARGES, 0, 0, 1,                        \
      "an input without a value: ask which one would have been normal, or leave it "   \
      "alone (default: ask)")                                                          \
    X(EDIT, "set", LIST, "COL=VALUE", IN_EXPLAIN | IN_COMPARE, 0, 0, 1,                \
      "explain the rows as if this input, or the target, had another value; may be "   \
      "repeated")                                                                      \
    X(FREEZE, "freeze", LIST, "A,B", WEIGHS, 0, 0, 1, "inputs that may not move")      \
    X(BOUNDS, "bounds", LIST, "COL=LO:HI", WEIGHS, 0, 0, 1,                            \
      "an input that may move only so far, in its own unit; may be repeated; "         \
      "COL=data: only as far as it was seen; data: every number")                      \
    X(INTEGER, "integer", LIST, "A,B", WEIGHS, 0, 0, 1,                                \
      "inputs that move in whole steps")                                               \
    X(ONEHOT, "onehot", LIST, "A,B,C", WEIGHS, 0, 0, 1,                                \
      "inputs of which exactly one is 1 and that move together; may be repeated")      \
    X(SOLVER, "solver", CHOICE, "fast|thorough|paper|paper-det", ANSWERS | IN_PAPER,   \
      0, 0, 1,                                                                         \
      "how the most probable change is found (default: fast; of gpa paper: paper)")    \
    X(MARGINALS, "marginals", CHOICE, "exact|surrogate|plugin|paper|none", BLAMES, 0,  \
      0, 1,                                                                            \
      "which distribution of each change (default: exact, surrogate for models "       \
      "outside this process)")                                                         \
    X(MARGINAL_ROWS, "marginal-rows", COUNT, "N", BLAMES, 16, 100000000, 1,            \
      "model rows that exact asks (default: 4096; up to four times as many when few "  \
      "draws count), and surrogate at most (up to 2048; default: what a whole answer " \
      "leaves of 1000, 200 to 480)")                                                   \
    X(CULPRIT, "culprit", CHOICE, "on|basic|off", CHARGES, 0, 0, 1,                    \
      "probability that each input is responsible: inputs judged jointly, one by "     \
      "one, or not at all (default: on)")                                              \
    X(PLAUSIBLE, "plausible", CHOICE, "data|reference|none", BLAMES, 0, 0, 1,          \
      "which rows say what is plausible: the others of FILE, those of --reference, "   \
      "or none (default: data, of 20 others or of 8 and no larger --reference)")       \
    X(WITNESSES, "witnesses", CHOICE, "sound|all", WEIGHS, 0, 0, 1,                    \
      "which of them count: not those whose outcome contradicts the model, nor those " \
      "that have a number far from all others; or all (default: sound)")               \
    X(OUTPUT_PRIOR, "output-prior", POSITIVE, "P", CHARGES, 0, 1, 1,                   \
      "how likely the observed y or the model is wrong, rather than an input, before " \
      "anything is seen (default: as likely as every single input)")                   \
    X(ETA, "eta", POSITIVE, "X", ANSWERS, 0, 0, 1, "precision of the change's prior")  \
    X(NU, "nu", NOT_NEGATIVE, "X", ANSWERS, 0, 0, 1, "its l1 share")                   \
    X(A0, "a0", POSITIVE, "X", WEIGHS, 0, 0, 1,                                        \
      "shape of the noise precision's prior")                                          \
    X(B0, "b0", POSITIVE, "X", WEIGHS, 0, 0, 1,                                        \
      "its rate; overrides --sigma, --cb and --noise")                                 \
    X(CB, "cb", POSITIVE, "X", WEIGHS, 0, 0, 1,                                        \
      "virtual samples: the rate is divided by it")                                    \
    X(KAPPA, "kappa", POSITIVE, "X", ANSWERS, 0, 0, 1,                                 \
      "first step length of the paper's solver")                                       \
    X(NOISE, "noise", CHOICE, "constant|local", WEIGHS, 0, 0, 1,                       \
      "one noise scale, or b(x) from the rows around x (default: local)")              \
    X(SLOPE_SD, "slope-sd", POSITIVE, "X", ANSWERS, 0, 0, 1,                           \
      "spread of the points that give a slope (default: 1)")                           \
    X(SLOPE_NODES, "slope-nodes", TEXT, "K|FILE", ANSWERS, 0, 0, 1,                    \
      "how many of them, or the very ones, one per line")                              \
    X(DELTA_INIT, "delta-init", TEXT, "FILE", ANSWERS, 0, 0, 1,                        \
      "first change, one number per input and line")                                   \
    X(MAX_ITER, "max-iter", COUNT, "N", ANSWERS, 1, 1000000000, 1,                     \
      "iterations at most")                                                            \
    X(TOL, "tol", POSITIVE, "X", ANSWERS, 0, 0, 1, "relative change at which to stop") \
    X(HEAD_COMPARE, NULL, FLAG, NULL, IN_COMPARE, 0, 0, 0, "Other methods")            \
    X(BASELINE, "baseline", TEXT, "zero|reference|FILE", IN_COMPARE, 0, 0, 1,          \
      "where ig's path begins: all inputs 0, the reference's mean, or one number per " \
      "line (default: zero)")                                                          \
    X(INTERVALS, "intervals", COUNT, "N", IN_COMPARE, 1, 1000000, 1,                   \
      "ig, eig: the paper's trapezoid rule with N intervals (default: fewer points, "  \
      "no larger error)")                                                              \
    X(EIG_ROWS, "eig-rows", COUNT, "N", IN_COMPARE, 1, 1000000000, 1,                  \
      "eig: so many reference rows, drawn at random (default: all)")                   \
    X(LIME_SAMPLES, "lime-samples", COUNT, "N", IN_COMPARE, 2, 10000000, 1,            \
      "lime, baylime: points around the row (default: 1000)")                          \
    X(LIME_L1, "lime-l1", NOT_NEGATIVE, "L", IN_COMPARE, 0, 0, 1,                      \
      "lime: weight of the l1 term (default: eta nu where --eta is given, else 0.2)")  \
    X(LIME_SD, "lime-sd", POSITIVE, "X", IN_COMPARE, 0, 0, 1,                          \
      "lime, baylime: spread of the points, in units (default: 1)")                    \
    X(SV, "sv", CHOICE, "auto|sample|exact", IN_COMPARE, 0, 0, 1,                      \
      "sv: random permutations, or all subsets (default: exact where that asks no "    \
      "more rows)")                                                                    \
    X(SV_CONFIGURATIONS, "sv-configurations", COUNT, "N", IN_COMPARE, 1, 100000000, 1, \
      "sv: permutations, each with a reference row (default: 100)")                    \
    X(SV_ANTITHETIC, "sv-antithetic", FLAG, NULL, IN_COMPARE, 0, 0, 1,                 \
      "sv: each permutation also backwards")                                           \
    X(SV_DRAWS, "sv-draws", TEXT, "FILE", IN_COMPARE, 0, 0, 1,                         \
      "sv: the very draws; a line each, with commas: a reference row from 0, then "    \
      "the inputs' "                                                                   \
      "order from 0")                                                                  \
    X(FLIP, "flip", CHOICE, "on|off", IN_COMPARE, 0, 0, 1,                             \
      "run each method again with y reflected about f(x): does it react? (default: "   \
      "on)")                                                                           \
    X(SEED, "seed", COUNT, "N", WEIGHS | IN_BENCH | IN_MODEL | IN_PAPER, 0,            \
      UINT64_MAX, 1, "everything random: same seed, same bytes (default: 1)")          \
    X(BUDGET, "budget", COUNT, "N", WEIGHS, 1, 1000000000000000, 1,                    \
      "model rows per explanation at most; of compare, only gpa and lc obey")          \
    X(HEAD_PAPER, NULL, FLAG, NULL, IN_PAPER, 0, 0, 0, "Experiments")                  \
    X(DATA, "data", TEXT, "FILE", IN_PAPER, 0, 0, 1,                                   \
      "cal_housing.data, which cannot be shipped, for the California experiments")     \
    X(ORACLE, "oracle", TEXT, "DIR", IN_PAPER, 0, 0, 1,                                \
      "table: with the authors' own Diabetes model and draws in DIR")                  \
    X(WORK, "work", TEXT, "DIR", IN_PAPER, 0, 0, 0,                                    \
      "where models and results are kept (default: paper beside the build, or the "    \
      "user's cache)")                                                                 \
    X(SVG, "svg", TEXT, "DIR", IN_PAPER, 0, 0, 0,                                      \
      "where the figures go (default: figures in --work)")                             \
    X(HEAD_JOBS, NULL, FLAG, NULL, IN_EXPLAIN, 0, 0, 0, "Long jobs")                   \
    X(JOURNAL, "journal", TEXT, "DIR", IN_EXPLAIN, 0, 0, 0,                            \
      "keep every finished explanation in DIR; started again after whatever ended "    \
      "it, the same question goes on there")                                           \
    X(SHARD, "shard", TEXT, "I/N|auto", IN_EXPLAIN, 0, 0, 0,                           \
      "the I-th of N parts of the work, as JSON for 'gpa merge'; auto: as the "        \
      "scheduler says (Slurm, Kubernetes, AWS Batch, PBS and SGE arrays, MPI ranks, "  \
      "GNU parallel)")                                                                 \
    X(SHARDS, "shards", COUNT, "N", IN_EXPLAIN, 1, 1000000000, 0,                      \
      "how many parts there are, where the scheduler does not say it")                 \
    X(SCORES, "scores", TEXT, "FILE", IN_EXPLAIN, 0, 0, 0,                             \
      "what 'gpa score --json --out FILE' found, so that the model is not asked "      \
      "about all rows again")                                                          \
    X(HEAD_SERVE, NULL, FLAG, NULL, IN_SERVE, 0, 0, 0, "Serving")                      \
    X(HOST, "host", TEXT, "ADDRESS", IN_SERVE, 0, 0, 0,                                \
      "where to listen (default: 127.0.0.1, this machine alone); any other address "   \
      "needs --token-file")                                                            \
    X(PORT, "port", COUNT, "N", IN_SERVE, 0, 65535, 0,                                 \
      "which port (default: 0, one that is free)")                                     \
    X(OPEN, "open", FLAG, NULL, IN_SERVE, 0, 0, 0, "open the page in a browser")       \
    X(TOKEN_FILE, "token-file", TEXT, "FILE", IN_SERVE, 0, 0, 0,                       \
      "the secret of the address, 16 to 256 letters on one line; made when it is "     \
      "missing (default: a new one each time)")                                        \
    X(BASE_URL, "base-url", TEXT, "URL", IN_SERVE, 0, 0, 0,                            \
      "where a proxy shows it: /gpa/, or https://host/gpa/ where it also passes on "   \
      "its own name")                                                                  \
    X(HEAD_WATCH, NULL, FLAG, NULL, IN_WATCH, 0, 0, 0, "Watching")                     \
    X(WARM_UP, "warm-up", COUNT, "N", IN_WATCH, 20, 1000000, 1,                        \
      "without --reference the first N lines say what is normal (default: 200)")       \
    X(FOLLOW, "follow", CHOICE, "on|off", IN_WATCH, 0, 0, 1,                           \
      "what is normal follows ordinary rows, slowly, or stays as it was (default: "    \
      "on)")                                                                           \
    X(OPEN_AFTER, "open-after", COUNT, "N", IN_WATCH, 1, 1000000, 1,                   \
      "anomalies that share a culprit and make an episode (default: 3)")               \
    X(CLOSE_AFTER, "close-after", COUNT, "M", IN_WATCH, 1, 1000000000, 1,              \
      "rows without another one that end it (default: 20)")                            \
    X(REBASE, "rebase", FLAG, NULL, IN_WATCH, 0, 0, 1,                                 \
      "an episode that lasts becomes the new normal: y is judged against f and what "  \
      "it lies off by since")                                                          \
    X(REBASE_AFTER, "rebase-after", COUNT, "N", IN_WATCH, 10, 1000000000, 1,           \
      "rows after which it does (default: 1000)")                                      \
    X(WAIT, "wait", TEXT, "N|Ns", IN_WATCH, 0, 0, 1,                                   \
      "y may come later than the inputs, on a line of its own with the same --id: "    \
      "within N rows, or N seconds")                                                   \
    X(EVERY_LINE, "every", FLAG, NULL, IN_WATCH, 0, 0, 1,                              \
      "one line out per line in, the scores of ordinary rows too")                     \
    X(ONLY, "only", CHOICE, "rows|episodes", IN_WATCH, 0, 0, 1,                        \
      "records of rows alone, or of episodes alone (default: both)")                   \
    X(ON_FULL, "on-full", CHOICE, "block|drop", IN_WATCH, 0, 0, 0,                     \
      "when lines come faster than they are judged: let them wait, or drop and count " \
      "them (default: block)")                                                         \
    X(STATE, "state", TEXT, "FILE", IN_WATCH, 0, 0, 0,                                 \
      "where to keep what is known, so that a new start goes on where it was")         \
    X(SAVE_EVERY, "save-every", POSITIVE, "S", IN_WATCH, 0, 0, 0,                      \
      "seconds from one save to the next (default: 10)")                               \
    X(METRICS, "metrics", TEXT, "ADDRESS:PORT", IN_WATCH, 0, 0, 0,                     \
      "counters for Prometheus on this address, e.g. 127.0.0.1:9464")                  \
    X(WATCH_OUT, "out", TEXT, "FILE", IN_WATCH, 0, 0, 0,                               \
      "records are added to FILE; with --state what came after the last save is "      \
      "written anew (default: standard output)")                                       \
    X(HEAD_RUN, NULL, FLAG, NULL, EVERY, 0, 0, 0, "Running and output")                \
    X(THREADS, "threads", COUNT, "N", ANSWERS | IN_BENCH | IN_PAPER | IN_VERIFY, 1,    \
      1024, 0, "workers; the answer does not depend on it (default: cores)")           \
    X(BATCH, "batch", COUNT, "N", ASKS, 1, 1000000000, 0,                              \
      "rows per call of the model at most (default: 4096)")                            \
    X(FAIL_ABOVE, "fail-above", REAL, "S", IN_SCORE | IN_EXPLAIN, 0, 0, 0,             \
      "exit 1 when a score exceeds S")                                                 \
    X(STRICT, "strict", FLAG, NULL, TABLES, 0, 0, 0,                                   \
      "a row that cannot be used ends the run; explain: exit 5 when something did "    \
      "not converge or hit its budget")                                                \
    X(JSON, "json", FLAG, NULL, RUNS | IN_MERGE | IN_WATCH, 0, 0, 0,                   \
      "results as JSON")                                                               \
    X(JSON_FULL, "json-full", FLAG, NULL, SOLVES, 0, 0, 0,                             \
      "as --json, with what 'gpa report' draws pictures from: f along inputs, and "    \
      "rows of FILE (2000 of more)")                                                   \
    X(CSV, "csv", FLAG, NULL, ALL | SHOWS, 0, 0, 0, "results as CSV")                  \
    X(HTML, "html", TEXT, "OUT", SOLVES | IN_PAPER | SHOWS, 0, 0, 0,                   \
      "also write a page with pictures")                                               \
    X(PATHS, "paths", FLAG, NULL, SOLVES | SHOWS, 0, 0, 0,                             \
      "pages name files with their folders, which 'gpa verify' then finds by itself")  \
    X(PICTURES, "svg", TEXT, "DIR", SOLVES | SHOWS, 0, 0, 0,                           \
      "also write pictures as SVG files into DIR, which is made when it is missing")   \
    X(PNG, "png", TEXT, "DIR", SOLVES | SHOWS, 0, 0, 0,                                \
      "the same as PNG files; needs rsvg-convert (librsvg)")                           \
    X(OUT, "out", TEXT, "FILE", WRITES, 0, 0, 0,                                       \
      "results into FILE, complete or not at all (default: standard output)")          \
    X(PROGRESS, "progress", CHOICE, "auto|always|never",                               \
      TABLES | IN_BENCH | IN_PAPER | IN_VERIFY, 0, 0, 0,                               \
      "progress on standard error (auto: on a terminal)")                              \
    X(VERBOSE, "verbose", FLAG, NULL, SOLVES | IN_REPORT, 0, 0, 0,                     \
      "tables: also the change of all inputs together, what the columns mean, "        \
      "settings and cost")                                                             \
    X(COLOR, "color", CHOICE, "auto|always|never", TABLES | IN_REPORT, 0, 0, 0,        \
      "colours in tables (auto: on a terminal, unless NO_COLOR is set)")               \
    X(HELP, "help", FLAG, NULL, EVERY, 0, 0, 0, "this text")

enum option_id {
#define X(id, name, kind, arg, commands, least, most, kept, help) OPT_##id,
    OPTION_LIST_ALL(X)
#undef X
        OPTIONS
};

typedef struct gpai_option {
    const char *name; /* NULL: a heading */
    enum option_kind kind;
    const char *argument;
    unsigned commands;
    uint64_t least, most;
    bool kept;
    const char *help;
} gpai_option;

extern const gpai_option GPAI_OPTIONS[OPTIONS];

enum { GPAI_REPEATS = 256 };

/* What was given, by option. Texts and numbers are borrowed. */
typedef struct gpai_options {
    const char *command; /* "explain" */
    unsigned bit;        /* IN_… */
    const char *file;    /* the data; "-" is standard input; NULL: none is named */
    const char *second;  /* a second file, for commands that take one */
    char **files;        /* all of them, for commands that take any number */
    size_t n_files;
    bool given[OPTIONS];
    const char *text[OPTIONS];
    uint64_t count[OPTIONS];
    double real[OPTIONS];
    struct { /* numbers in place of a file that has them */
        const double *at;
        size_t n;
    } numbers[OPTIONS];
    struct { /* every OPTION_LIST, in the order given */
        int option;
        const char *text;
    } repeat[GPAI_REPEATS];
    size_t repeats;
} gpai_options;

/* The option of these commands by the first `length` letters of its name; -1: none. */
int gpai_options_find(unsigned commands, const char *name, size_t length);

/* The name of an option of these commands that a mistyped one may have meant; or NULL.
 */
const char *gpai_options_nearest(unsigned commands, const char *name);

/* The bit of a command by its name; 0: none takes options under that name. */
unsigned gpai_options_command(const char *name);

/* The same options for another command; those that it does not have are left out. */
void gpai_options_become(gpai_options *o, const char *command);

/* Takes one option; what is wrong with its text is said with its name. */
gpa_status gpai_options_take(gpai_options *o, int option, const char *text,
                             gpa_error *err);

/* Whether a choice was given and is this word. */
bool gpai_options_is(const gpai_options *o, enum option_id id, const char *word);

/* The count or seed that was given, or the automatic one. */
uint64_t gpai_options_count(const gpai_options *o, enum option_id id,
                            uint64_t automatic);

/* --threads, or the cores there are; no more than there are jobs. */
size_t gpai_options_threads(const gpai_options *o, size_t jobs);

/* The first option given that shapes no result; NULL when all do. */
const char *gpai_options_stray(const gpai_options *o);

/* Writes the options that shape the result as a JSON object, in the order of the
 * table. `rows` (or NULL) replaces the text of --rows. */
void gpai_options_record(gpa_text *t, const gpai_options *o, const char *rows);

#endif
