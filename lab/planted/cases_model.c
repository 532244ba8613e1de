#include "lab/planted/cases_model.h"
#include "console/say.h"
#include "lab/planted/meta.h"
#include "lab/write.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static gpa_status open_model(gpa_model **out, const gpai_options *a, const char *spec,
                             const char *config, gpa_error *err)
{
    gpa_model_options opt;
    gpa_model_options_init(&opt);
    opt.config = config;
    if (a->given[OPT_BATCH])
        opt.batch_rows = (size_t)a->count[OPT_BATCH];
    if (a->given[OPT_MODEL_TIMEOUT])
        opt.timeout = a->real[OPT_MODEL_TIMEOUT];
    return gpa_model_open(out, spec, &opt, err);
}

/* `text` with every {set} replaced by the name of the set; to be freed. */
static char *fill_in(const char *text, const char *name)
{
    static const char MARK[] = "{set}";
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    if (f == NULL)
        return NULL;
    for (const char *p; (p = strstr(text, MARK)) != NULL; text = p + strlen(MARK)) {
        fwrite(text, 1, (size_t)(p - text), f);
        fputs(name, f);
    }
    fputs(text, f);
    if (fclose(f) == 0)
        return out;
    free(out);
    return NULL;
}

static gpa_status open_given(struct fault_set *s, const gpai_options *a, gpa_error *err)
{
    const char *text = a->text[OPT_MODEL_CONFIG];
    char *config = fill_in(text != NULL ? text : "", s->name);
    s->model_name = fill_in(a->text[OPT_MODEL], s->name);
    gpa_status st = config != NULL && s->model_name != NULL
                        ? open_model(&s->model, a, s->model_name, config, err)
                        : fail(err, GPA_NOMEM, "out of memory");
    free(config);
    return st;
}

/* The message about a file without a name as one about the set. */
static gpa_status blame_description(const struct fault_set *s, const char *path,
                                    gpa_error *err)
{
    char text[sizeof err->message];
    size_t length = strlen(path);
    bool named = strncmp(err->message, path, length) == 0;
    memcpy(text, err->message, sizeof text);
    return fail(err, err->status, "%.80s.meta.json: model%s%.370s", s->name,
                named ? "" : ": ", named ? text + length : text);
}

/* A model that stands in the description itself. Models are read from files, so it goes
 * into one without a name, which nothing can leave behind. */
static gpa_status open_object(struct fault_set *s, const gpai_options *a,
                              struct span object, const char *type, gpa_error *err)
{
    char spec[64];
    s->model_name = strdup(type);
    FILE *f = tmpfile();
    if (f == NULL || s->model_name == NULL ||
        fwrite(object.at, 1, object.length, f) != object.length || fflush(f) != 0) {
        int why = errno;
        if (f != NULL)
            fclose(f);
        return fail(err, GPA_IO, "no temporary file for a model: %s", strerror(why));
    }
    rewind(f);
    snprintf(spec, sizeof spec, "%s:/dev/fd/%d", type, fileno(f));
    gpa_status st = open_model(&s->model, a, spec, NULL, err);
    fclose(f);
    return st == GPA_OK ? st : blame_description(s, spec + strlen(type) + 1, err);
}

/* A model named in words, the last of which is a file or a directory with model.json,
 * seen from the directory of the cases. */
static gpa_status open_named(struct fault_set *s, const gpai_options *a,
                             const char *words, bool *found, gpa_error *err)
{
    char path[4096];
    struct stat info;
    const char *last = strrchr(words, ' ');
    last = last != NULL ? last + 1 : words;
    const char *ending[] = {"", "/model.json"};
    for (size_t i = 0; i < 2; i++) {
        int n =
            snprintf(path, sizeof path, "%s/%s%s", a->text[OPT_CASES], last, ending[i]);
        if (n < 0 || (size_t)n >= sizeof path || stat(path, &info) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        *found = true;
        s->model_name = strdup(path);
        return s->model_name != NULL ? open_model(&s->model, a, path, NULL, err)
                                     : fail(err, GPA_NOMEM, "out of memory");
    }
    return GPA_OK;
}

gpa_status cases_model(struct fault_set *s, const gpai_options *a, const char *meta,
                       char reason[REASON_SIZE], gpa_error *err)
{
    struct span model = {"", 0}, word;
    char text[1024] = "", type[32] = "";
    bool found = false;
    if (a->given[OPT_MODEL] && a->given[OPT_SET])
        return open_given(s, a, err);
    if (meta_find(meta, "model", &model)) {
        if (meta_find(model.at, "type", &word))
            meta_string(word, type, sizeof type);
        if (strcmp(type, "mlp") == 0 || strcmp(type, "linear") == 0)
            return open_object(s, a, model, type, err);
        if (meta_string(model, text, sizeof text)) {
            gpa_status st = open_named(s, a, text, &found, err);
            if (st != GPA_OK || found)
                return st;
        }
    }
    if (a->given[OPT_MODEL])
        return open_given(s, a, err);
    snprintf(reason, REASON_SIZE, "its model is %s%.40s; give it with --model SPEC",
             text[0] != '\0'                ? "not where its description says"
             : type[0] == '\0'              ? "not in its description"
             : strcmp(type, "formula") == 0 ? "a "
                                            : "of type ",
             type);
    return GPA_OK;
}
