#include "base/status.h"
#include "base/text/text.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "console/args.h"
#include "console/terminal.h"
#include "report/saved/verify.h"
#include "study/study.h"
#include <errno.h>
#include <gpa/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct run {
    const gpai_options *a;
    gpa_saved *saved;
    const gpa_report_info *info; /* of the report */
    char **words;                /* those of the command after its name */
    int n_words;
    gpai_options command;
    const char *spec; /* of the model, as in the report */
    gpa_study *study;
    gpa_text *record; /* the options as the command writes them down */
    gpa_text *again;  /* the result made again */
    bool differs;     /* the data or the model are not what they were: it ended there */
};

static const char *name_of(const struct run *r)
{
    return strcmp(r->a->file, "-") != 0 ? r->a->file : "standard input";
}

/* The command's words, as main gives them to a command. */
static gpa_status take_words(struct run *r, gpa_error *err)
{
    size_t n = 0;
    while (gpai_saved_word(r->saved, n) != NULL)
        n++;
    if (n == 0)
        return gpai_fail(err, GPA_DATA,
                         "%.200s: no command in it, so that it cannot be made again",
                         name_of(r));
    r->words = calloc(n, sizeof *r->words);
    if (r->words == NULL)
        return gpai_nomem(err, "verify");
    for (; (size_t)r->n_words + 1 < n; r->n_words++) {
        r->words[r->n_words] =
            strdup(gpai_saved_word(r->saved, (size_t)r->n_words + 1));
        if (r->words[r->n_words] == NULL)
            return gpai_nomem(err, "verify");
    }
    return GPA_OK;
}

/* Reads them; a file from elsewhere may say nothing that is not part of a result. */
static gpa_status read_words(struct run *r, gpa_error *err)
{
    gpai_options *c = &r->command;
    c->command = gpai_saved_word(r->saved, 0);
    c->bit = gpai_options_command(c->command);
    if (c->bit != IN_EXPLAIN && c->bit != IN_COMPARE)
        return gpai_fail(err, GPA_DATA,
                         "%.200s: made by '%.40s', not explain or compare", name_of(r),
                         c->command);
    if (!args_read(c, NULL, r->n_words, r->words))
        return gpai_fail(err, GPA_DATA, "%.200s: these options are not the command's",
                         name_of(r));
    const char *stray = gpai_options_stray(c);
    if (stray != NULL)
        return gpai_fail(err, GPA_DATA, "%.200s: --%s is not part of a result",
                         name_of(r), stray);
    gpa_status st = gpa_text_new(&r->record, err);
    if (st != GPA_OK)
        return st;
    gpai_options_record(r->record, c, NULL);
    return gpai_text_seal(r->record, 0, err);
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
                                            OPT_MODEL_AUTH, OPT_BATCH, OPT_THREADS};
    const gpai_options *a = r->a;
    gpai_options *c = &r->command;
    r->spec = c->text[OPT_MODEL];
    if (r->spec == NULL)
        return gpai_fail(err, GPA_DATA, "%.200s: no model in it", name_of(r));
    if (a->given[OPT_VERIFY_MODEL])
        c->text[OPT_MODEL] = a->text[OPT_VERIFY_MODEL];
    else if (!is_harmless(r->spec))
        return gpai_fail(err, GPA_INVALID,
                         "the report asks a program or server, %.200s; if you trust "
                         "it, say so with --model",
                         r->spec);
    if (a->given[OPT_VERIFY_REFERENCE] && c->given[OPT_REFERENCE])
        c->text[OPT_REFERENCE] = a->text[OPT_VERIFY_REFERENCE];
    if (a->second != NULL)
        c->file = a->second;
    else if (strcmp(c->file, "-") == 0)
        return gpai_fail(err, GPA_INVALID,
                         "the data came from standard input; name them: gpa verify "
                         "REPORT FILE");
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++) {
        c->given[passed[i]] = a->given[passed[i]];
        c->text[passed[i]] = a->text[passed[i]];
        c->count[passed[i]] = a->count[passed[i]];
        c->real[passed[i]] = a->real[passed[i]];
    }
    return GPA_OK;
}

/* A report may name anything as its data: only a file that ends is read. */
static gpa_status check_file(const char *path, gpa_error *err)
{
    struct stat there;
    if (stat(path, &there) == 0)
        return S_ISREG(there.st_mode)
                   ? GPA_OK
                   : gpai_fail(err, GPA_IO, "%.300s: not a file", path);
    if (errno != ENOENT)
        return GPA_OK; /* reading says what it is */
    return gpai_fail(err, GPA_IO,
                     "%.300s: not found here; say where it is: gpa verify REPORT FILE "
                     "(and the model with --model)",
                     path);
}

static gpa_status prepare(struct run *r, gpa_error *err)
{
    gpa_status st = gpa_saved_read(&r->saved, r->a->file, err);
    if (st == GPA_OK && gpai_saved_is_shard(r->saved))
        st = gpai_fail(err, GPA_DATA, "%.200s: a shard; 'gpa merge' them all first",
                       name_of(r));
    if (st == GPA_OK)
        st = take_words(r, err);
    if (st == GPA_OK)
        st = read_words(r, err);
    if (st == GPA_OK)
        st = take_places(r, err);
    if (st == GPA_OK)
        st = check_file(r->command.file, err);
    if (st != GPA_OK)
        return st;
    r->info = gpa_saved_info(r->saved);
    r->command.given[OPT_JSON_FULL] = r->info->full;
    return gpa_text_new(&r->again, err);
}

/* Whether the data are those of the report; says so when they are not. */
static gpa_status check_data(struct run *r, gpa_error *err)
{
    char is[GPA_DIGEST_SIZE];
    const char *was = r->info->input_digest;
    gpa_status st = gpai_study_digest(r->command.file, is, err);
    r->differs = st == GPA_OK && was != NULL && strcmp(is, was) != 0;
    if (r->differs)
        say("the data changed: %.200s has the digest %s, in the report %.80s",
            r->command.file, is, was);
    return st;
}

/* And whether the model answers as it did. */
static gpa_status open_study(struct run *r, gpa_error *err)
{
    gpa_status st = gpai_study_from(&r->study, &r->command, err);
    if (st == GPA_OK)
        st = gpa_study_open(r->study, err);
    say_notes(r->study);
    const char *was = r->info->model_digest;
    const char *is = r->study != NULL ? r->study->model_digest : "";
    r->differs = is[0] != '\0' && was != NULL && strcmp(is, was) != 0;
    if (r->differs)
        say("the model answers differently: its predictions of the rows have the "
            "digest %.80s, in the report %.80s",
            is, was);
    return r->differs ? GPA_OK : st;
}

static struct results into_text(const struct run *r, gpa_format format,
                                const gpa_report_info *info)
{
    struct results to = {.reports = {{.format = format}},
                         .n_reports = 1,
                         .info = *info,
                         .text = r->again};
    to.info.paths = r->info->paths;
    return to;
}

static gpa_status add(void *ctx, size_t index, const gpa_explanation *e, gpa_error *err)
{
    (void)index;
    return results_add(ctx, e, err);
}

/* The result again; it says about itself what the saved one says, wherever the files
 * are now. */
static gpa_status make_again(struct run *r, gpa_format format, gpa_error *err)
{
    gpa_comparison *c = NULL;
    struct results to = into_text(r, format, gpa_study_info(r->study));
    to.info.options_json = gpa_text_data(r->record);
    to.info.model_spec = r->spec;
    gpa_status st = GPA_OK;
    if (r->command.bit == IN_EXPLAIN) {
        st = gpa_study_explain(r->study, NULL, 0, false, add, &to, err);
        return st == GPA_OK ? results_end(&to, err) : st;
    }
    st = gpa_study_compare(r->study, NULL, 0, &c, err);
    if (st == GPA_OK)
        st = results_comparison(&to, c, err);
    gpa_comparison_free(c);
    return st;
}

/* JSON becomes the page that is made from it. */
static gpa_status make_page(struct run *r, gpa_error *err)
{
    gpa_saved *s = NULL;
    gpa_status st = gpa_saved_parse(&s, gpa_text_data(r->again),
                                    gpa_text_length(r->again), "the new result", err);
    gpa_text_clear(r->again);
    if (st == GPA_OK) {
        struct results to = into_text(r, GPA_FORMAT_HTML, gpa_saved_info(s));
        st = results_saved(&to, s, err);
    }
    gpa_saved_free(s);
    return st;
}

/* A page was made with everything at hand, or from a saved result, and so it is again.
 */
static gpa_status run_again(struct run *r, gpa_error *err)
{
    bool page = gpa_saved_type(r->saved) == GPA_SAVED_PAGE;
    gpa_format format = page && r->info->full ? GPA_FORMAT_HTML : GPA_FORMAT_JSON;
    gpa_status st = make_again(r, format, err);
    return st == GPA_OK && page && !r->info->full ? make_page(r, err) : st;
}

/* The saved result and the new one, number by number; what differs goes to `where`. */
static gpa_status compare(const struct run *r, gpa_text *where, gpa_error *err)
{
    gpa_saved *now = NULL;
    gpa_status st = gpa_saved_parse(&now, gpa_text_data(r->again),
                                    gpa_text_length(r->again), "the new result", err);
    if (st == GPA_OK)
        st = gpai_saved_difference(where, r->saved, now, err);
    gpa_saved_free(now);
    return st;
}

static int tell_same(const char *words)
{
    printf("%s\n", words);
    return say_printed();
}

static int tell_different(const struct run *r, const char *where)
{
    const char *by = r->info->version;
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
    const char *bytes = gpai_saved_bytes(r->saved, &size);
    if (size == gpa_text_length(r->again) &&
        memcmp(bytes, gpa_text_data(r->again), size) == 0)
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

int cmd_verify(const gpai_options *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_status st = prepare(&r, &err);
    if (st == GPA_OK)
        st = check_data(&r, &err);
    if (st == GPA_OK && !r.differs)
        st = open_study(&r, &err);
    if (st == GPA_OK && !r.differs)
        st = run_again(&r, &err);
    int code = st != GPA_OK ? give_up(st, &err)
               : r.differs  ? EXIT_CONDITION
                            : judge(&r, &err);
    for (int i = 0; i < r.n_words; i++)
        free(r.words[i]);
    free(r.words);
    gpa_text_free(r.again);
    gpa_text_free(r.record);
    gpa_study_free(r.study);
    gpa_saved_free(r.saved);
    return code;
}
