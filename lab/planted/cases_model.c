#include "lab/planted/cases_model.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "study/study.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* As the study of a command line would, with another model in it. */
static gpa_status open_model(struct fault_set *s, const gpai_options *a,
                             const char *spec, const char *config, gpa_error *err)
{
    gpai_options o = *a;
    o.given[OPT_MODEL] = true;
    o.text[OPT_MODEL] = spec;
    o.text[OPT_MODEL_CONFIG] = config;
    gpa_status st = gpai_study_from(&s->study, &o, err);
    if (st == GPA_OK)
        st = gpai_study_open_model(s->study, err);
    if (st == GPA_OK)
        s->model = gpa_study_model(s->study);
    return st;
}

/* `text` with every {set} replaced by the name of the set. */
static void fill_in(gpa_text *t, const char *text, const char *name)
{
    static const char MARK[] = "{set}";
    for (const char *p; (p = strstr(text, MARK)) != NULL; text = p + strlen(MARK)) {
        gpai_text_bytes(t, text, (size_t)(p - text));
        gpai_text_add(t, name);
    }
    gpai_text_add(t, text);
}

static gpa_status open_given(struct fault_set *s, const gpai_options *a, gpa_error *err)
{
    const char *config = a->text[OPT_MODEL_CONFIG];
    gpa_text *t = NULL; /* both, one behind the other */
    gpa_status st = gpa_text_new(&t, err);
    if (st != GPA_OK)
        return st;
    fill_in(t, a->text[OPT_MODEL], s->name);
    gpai_text_bytes(t, "", 1);
    size_t second = t->length;
    fill_in(t, config != NULL ? config : "", s->name);
    st = gpai_text_seal(t, 0, err);
    s->model_name = st == GPA_OK ? gpai_strdup(t->data) : NULL;
    if (st == GPA_OK)
        st = s->model_name != NULL
                 ? open_model(s, a, s->model_name, t->data + second, err)
                 : gpai_nomem(err, "bench");
    gpa_text_free(t);
    return st;
}

/* The message about a file without a name as one about the set. */
static gpa_status blame_description(const struct fault_set *s, const char *path,
                                    gpa_error *err)
{
    const gpa_error was = *err;
    size_t length = strlen(path);
    bool named = strncmp(was.message, path, length) == 0;
    return gpai_fail(err, was.status, "%.80s.meta.json: model%s%.370s", s->name,
                     named ? "" : ": ", was.message + (named ? length : 0));
}

/* A model that stands in the description itself. Models are read from files, so it goes
 * into one without a name, which nothing can leave behind. */
static gpa_status open_object(struct fault_set *s, const gpai_options *a,
                              const json_t *object, const char *type, gpa_error *err)
{
    char spec[64];
    FILE *f = tmpfile();
    s->model_name = gpai_strdup(type);
    if (f == NULL || s->model_name == NULL || json_dumpf(object, f, 0) != 0 ||
        fflush(f) != 0) {
        int why = errno;
        if (f != NULL)
            fclose(f);
        return gpai_fail(err, GPA_IO, "no temporary file for a model: %s",
                         strerror(why));
    }
    rewind(f);
    snprintf(spec, sizeof spec, "%s:/dev/fd/%d", type, fileno(f));
    gpa_status st = open_model(s, a, spec, NULL, err);
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
        s->model_name = gpai_strdup(path);
        return s->model_name != NULL ? open_model(s, a, path, NULL, err)
                                     : gpai_nomem(err, "bench");
    }
    return GPA_OK;
}

gpa_status cases_model(struct fault_set *s, const gpai_options *a, const json_t *meta,
                       char reason[REASON_SIZE], gpa_error *err)
{
    const json_t *model = json_object_get(meta, "model");
    const char *type = json_string_value(json_object_get(model, "type"));
    const char *words = json_string_value(model);
    bool found = false;
    if (a->given[OPT_MODEL] && a->given[OPT_SET])
        return open_given(s, a, err);
    if (type != NULL && (strcmp(type, "mlp") == 0 || strcmp(type, "linear") == 0))
        return open_object(s, a, model, type, err);
    if (words != NULL) {
        gpa_status st = open_named(s, a, words, &found, err);
        if (st != GPA_OK || found)
            return st;
    }
    if (a->given[OPT_MODEL])
        return open_given(s, a, err);
    snprintf(reason, REASON_SIZE, "its model is %s%.40s; give it with --model SPEC",
             words != NULL                  ? "not where its description says"
             : type == NULL                 ? "not in its description"
             : strcmp(type, "formula") == 0 ? "a "
                                            : "of type ",
             type != NULL ? type : "");
    return GPA_OK;
}
