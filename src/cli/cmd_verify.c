#include "cli/again.h"
#include "cli/commands.h"
#include "cli/out.h"
#include "cli/retell.h"
#include "cli/say.h"
#include <errno.h>
#include <gpa/saved.h>
#include <gpa/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct args *a;
    gpa_saved *saved;
    char **words; /* those of the command after its name */
    int n_words;
    struct args command;
    struct again again;
    char *options;
    bool retold; /* a page that was made from a saved result, so it is again */
};

static const struct {
    const char *name;
    unsigned bit;
    int (*run)(const struct args *a);
} COMMANDS[] = {{"explain", IN_EXPLAIN, cmd_explain},
                {"compare", IN_COMPARE, cmd_compare}};
enum { N_COMMANDS = sizeof COMMANDS / sizeof COMMANDS[0] };

static const char *name_of(const struct run *r)
{
    return strcmp(r->a->file, "-") != 0 ? r->a->file : "standard input";
}

/* The command's words, as main gives them to a command. */
static gpa_status take_words(struct run *r, gpa_error *err)
{
    size_t n = 0;
    while (gpa_saved_word(r->saved, n) != NULL)
        n++;
    if (n == 0)
        return fail(err, GPA_DATA,
                    "%.200s: no command in it, so that it cannot be made again",
                    name_of(r));
    r->words = room(n, sizeof *r->words);
    if (r->words == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    for (; (size_t)r->n_words + 1 < n; r->n_words++) {
        r->words[r->n_words] = strdup(gpa_saved_word(r->saved, (size_t)r->n_words + 1));
        if (r->words[r->n_words] == NULL)
            return fail(err, GPA_NOMEM, "out of memory");
    }
    return GPA_OK;
}

/* Reads them; a file from elsewhere may say nothing that is not part of a result. */
static gpa_status read_words(struct run *r, gpa_error *err)
{
    const char *name = gpa_saved_word(r->saved, 0);
    struct args *c = &r->command;
    c->command = name;
    for (size_t i = 0; i < N_COMMANDS; i++)
        c->bit = strcmp(COMMANDS[i].name, name) == 0 ? COMMANDS[i].bit : c->bit;
    if (c->bit == 0)
        return fail(err, GPA_DATA, "%.200s: made by '%.40s', not explain or compare",
                    name_of(r), name);
    if (!args_read(c, r->n_words, r->words))
        return fail(err, GPA_DATA, "%.200s: these options are not the command's",
                    name_of(r));
    const char *stray = args_stray(c);
    if (stray != NULL)
        return fail(err, GPA_DATA, "%.200s: --%s is not part of a result", name_of(r),
                    stray);
    r->options = args_json(c, NULL);
    return r->options != NULL ? GPA_OK : fail(err, GPA_NOMEM, "out of memory");
}

/* Whether a model is a file that is only read. */
static bool is_harmless(const char *spec)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789+-_";
    static const char *const harmless[] = {
        "mlp:", "linear:", "trees:", "xgboost:", "lightgbm:", "onnx:", "builtin:"};
    if (spec[strspn(spec, letters)] != ':')
        return true;
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        if (strncmp(spec, harmless[i], strlen(harmless[i])) == 0)
            return true;
    return false;
}

/* What may be said on this command line instead of in the report. */
static gpa_status take_places(struct run *r, gpa_error *err)
{
    static const enum option_id passed[] = {OPT_MODEL_TIMEOUT, OPT_MODEL_WORKERS,
                                            OPT_MODEL_AUTH,    OPT_BATCH,
                                            OPT_THREADS,       OPT_PROGRESS};
    const struct args *a = r->a;
    struct args *c = &r->command;
    const char *spec = c->text[OPT_MODEL];
    if (spec == NULL)
        return fail(err, GPA_DATA, "%.200s: no model in it", name_of(r));
    r->again.spec = spec;
    if (a->given[OPT_VERIFY_MODEL])
        c->text[OPT_MODEL] = a->text[OPT_VERIFY_MODEL];
    else if (!is_harmless(spec))
        return fail(err, GPA_INVALID,
                    "the report asks a program or server, %.200s; if you trust it, "
                    "say so with --model",
                    spec);
    if (a->given[OPT_VERIFY_REFERENCE] && c->given[OPT_REFERENCE])
        c->text[OPT_REFERENCE] = a->text[OPT_VERIFY_REFERENCE];
    if (a->second != NULL)
        c->file = a->second;
    else if (strcmp(c->file, "-") == 0)
        return fail(err, GPA_INVALID,
                    "the data came from standard input; name them: gpa verify REPORT "
                    "FILE");
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++) {
        c->given[passed[i]] = a->given[passed[i]];
        c->text[passed[i]] = a->text[passed[i]];
        c->count[passed[i]] = a->count[passed[i]];
        c->real[passed[i]] = a->real[passed[i]];
    }
    return GPA_OK;
}

static gpa_status prepare(struct run *r, gpa_error *err)
{
    gpa_status st = gpa_saved_read(&r->saved, r->a->file, err);
    if (st == GPA_OK)
        st = take_words(r, err);
    if (st == GPA_OK)
        st = read_words(r, err);
    if (st == GPA_OK)
        st = take_places(r, err);
    if (st != GPA_OK)
        return st;
    const gpa_report_info *info = gpa_saved_info(r->saved);
    r->again.options = r->options;
    r->again.input_digest = info->input_digest;
    r->again.model_digest = info->model_digest;
    bool page = gpa_saved_type(r->saved) == GPA_SAVED_PAGE;
    r->again.page = page && info->full;
    r->retold = page && !info->full;
    r->command.given[OPT_JSON_FULL] = info->full;
    r->command.again = &r->again;
    return GPA_OK;
}

/* Whether the data are those of the report; says so when they are not. */
static gpa_status check_data(struct run *r, gpa_error *err)
{
    char digest[GPA_DIGEST_SIZE];
    const char *file = r->command.file;
    gpa_status st = file_digest(file, digest, err);
    if (st != GPA_OK || r->again.input_digest == NULL ||
        strcmp(digest, r->again.input_digest) == 0)
        return st;
    say("the data changed: %.200s has the digest %s, in the report %.80s", file, digest,
        r->again.input_digest);
    r->again.differs = true;
    return GPA_OK;
}

/* JSON in memory becomes the page that is made from it. */
static gpa_status make_page(struct memory *m, gpa_error *err)
{
    gpa_saved *s = NULL;
    struct memory page = {0};
    struct out o;
    gpa_status st = gpa_saved_parse(&s, m->bytes, m->size, "the new result", err);
    out_open_memory(&o, &page);
    if (st == GPA_OK)
        st = retell(s, gpa_saved_info(s), GPA_FORMAT_HTML, &o, err);
    gpa_saved_free(s);
    free(m->bytes);
    *m = page;
    return st;
}

static int run_again(struct run *r, gpa_error *err)
{
    int code = EXIT_USAGE;
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (COMMANDS[i].bit == r->command.bit)
            code = COMMANDS[i].run(&r->command);
    if (code != EXIT_DONE || !r->retold)
        return code;
    gpa_status st = make_page(&r->again.result, err);
    return st == GPA_OK ? EXIT_DONE : give_up(st, err);
}

/* The saved result and the new one, number by number; what differs goes to `where`. */
static gpa_status compare(const struct run *r, gpa_text *where, gpa_error *err)
{
    gpa_saved *now = NULL;
    const struct memory *m = &r->again.result;
    gpa_status st = gpa_saved_parse(&now, m->bytes, m->size, "the new result", err);
    if (st == GPA_OK)
        st = gpa_saved_difference(where, r->saved, now, err);
    gpa_saved_free(now);
    return st;
}

static int tell_same(const char *words)
{
    printf("%s\n", words);
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return EXIT_DONE;
    say("cannot write standard output: %s", strerror(errno));
    return EXIT_DATA;
}

static int tell_different(const struct run *r, const char *where)
{
    const char *by = gpa_saved_info(r->saved)->version;
    bool other = by != NULL && strcmp(by, gpa_version()) != 0;
    say("the result differs: %s%s%s%s%s%s", where, other ? " (it was made by gpa " : "",
        other ? by : "", other ? ", this is " : "", other ? gpa_version() : "",
        other ? ")" : "");
    return EXIT_CONDITION;
}

static const char *same_words(const struct run *r)
{
    return gpa_saved_type(r->saved) == GPA_SAVED_PAGE
               ? "the same results; the words of the page, made by another version, "
                 "were not compared"
               : "the same result; only its layout or version differs";
}

static int judge(const struct run *r, gpa_error *err)
{
    gpa_text *where = NULL;
    size_t size = 0;
    const char *bytes = gpa_saved_bytes(r->saved, &size);
    if (size == r->again.result.size && memcmp(bytes, r->again.result.bytes, size) == 0)
        return tell_same("the same bytes");
    gpa_status st = gpa_text_new(&where, err);
    if (st == GPA_OK)
        st = compare(r, where, err);
    int code = st != GPA_OK                 ? give_up(st, err)
               : gpa_text_length(where) > 0 ? tell_different(r, gpa_text_data(where))
                                            : tell_same(same_words(r));
    gpa_text_free(where);
    return code;
}

int cmd_verify(const struct args *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_status st = prepare(&r, &err);
    if (st == GPA_OK)
        st = check_data(&r, &err);
    int code = st != GPA_OK ? give_up(st, &err) : EXIT_DONE;
    if (code == EXIT_DONE && !r.again.differs)
        code = run_again(&r, &err);
    if (r.again.differs)
        code = EXIT_CONDITION;
    if (code == EXIT_DONE)
        code = judge(&r, &err);
    for (int i = 0; i < r.n_words; i++)
        free(r.words[i]);
    free(r.words);
    free(r.again.result.bytes);
    free(r.options);
    gpa_saved_free(r.saved);
    return code;
}
