#include "study/jobs/question.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/show.h"
#include "base/text/text.h"
#include "data/json.h"
#include "study/study.h"
#include <gpa/version.h>
#include <string.h>

/* Numbers that no option spells out: those of files, and what was worked out of them.
 */
static gpa_status digest_settings(const gpa_study *s, char digest[GPA_DIGEST_SIZE],
                                  gpa_error *err)
{
    const double alone[] = {s->sigma, s->explain.spread};
    const struct {
        const double *at;
        size_t n;
    } parts[] = {{alone, 2},
                 {s->center, s->d},
                 {s->unit, s->d},
                 {s->reference.x, s->reference.n * s->d},
                 {s->reference.y, s->reference.n},
                 {s->reference.f, s->reference.n},
                 {s->explain.slope_list, s->explain.slope_list_length},
                 {s->explain.delta_init, s->d}};
    gpa_text *t = NULL;
    gpa_status st = gpa_text_new(&t, err);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && st == GPA_OK; i++) {
        size_t n = parts[i].at != NULL ? parts[i].n : 0;
        gpa_digest(n > 0 ? (const char *)parts[i].at : "", n * sizeof(double), digest);
        gpai_text_printf(t, "%zu %s\n", n, digest);
    }
    if (st == GPA_OK)
        st = gpai_text_seal(t, 0, err);
    if (st == GPA_OK)
        gpa_digest(gpa_text_data(t), gpa_text_length(t), digest);
    gpa_text_free(t);
    return st;
}

gpa_status gpai_study_question(const gpa_study *s, gpa_text *t, gpa_error *err)
{
    char settings[GPA_DIGEST_SIZE];
    size_t start = gpa_text_length(t);
    gpa_status st = digest_settings(s, settings, err);
    if (st != GPA_OK)
        return st;
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "version", gpa_version());
    gpai_json_text_field(t, "input_digest", s->info.input_digest);
    gpai_json_text_field(t, "model_probe_digest", s->info.model_digest);
    gpai_json_text_field(t, "settings_digest", settings);
    gpai_json_key(t, "options");
    gpai_text_add(t, gpa_text_data(s->record));
    gpai_text_add(t, "}");
    return gpai_text_seal(t, start, err);
}

/* Whether two values are the same, and neither is missing. As deep as JSON may be. */
static bool same(const gpai_value *a, const gpai_value *b)
{
    gpai_value_kind kind = gpai_value_is(a);
    if (kind != gpai_value_is(b) || kind == GPAI_VALUE_NONE)
        return false;
    if (kind == GPAI_VALUE_TEXT)
        return strcmp(gpai_value_text(a), gpai_value_text(b)) == 0;
    if (kind == GPAI_VALUE_NUMBER)
        return gpai_value_number(a) == gpai_value_number(b) &&
               gpai_value_whole(a) == gpai_value_whole(b);
    bool equal = gpai_value_is_true(a) == gpai_value_is_true(b) &&
                 gpai_value_items(a) == gpai_value_items(b);
    for (size_t i = 0; i < gpai_value_items(a) && equal; i++)
        equal = same(gpai_value_at(a, i), gpai_value_at(b, i));
    return equal && (kind != GPAI_VALUE_OBJECT || gpai_question_other(a, b) == NULL);
}

bool gpai_question_agree(const gpai_value *a, const gpai_value *b)
{
    return (a == NULL && b == NULL) || same(a, b);
}

const char *gpai_question_other(const gpai_value *mine, const gpai_value *other)
{
    const gpai_value *from[] = {mine, other};
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < gpai_value_members(from[side]); i++) {
            const char *key = gpai_value_key(from[side], i);
            if (!same(gpai_value_get(mine, key), gpai_value_get(other, key)))
                return key;
        }
    return NULL;
}

gpa_status gpai_question_compare(const gpai_value *mine, const gpai_value *other,
                                 const char *name, gpa_error *err)
{
    static const struct {
        const char *key, *says;
    } FIELDS[] = {{"version", "another version of gpa"},
                  {"input_digest", "other data"},
                  {"options", NULL},
                  {"model_probe_digest", "another model: it predicts other values"},
                  {"settings_digest", "other reference rows, units or first values"}};
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        const gpai_value *a = gpai_value_get(mine, FIELDS[i].key);
        const gpai_value *b = gpai_value_get(other, FIELDS[i].key);
        const char *option = FIELDS[i].says == NULL ? gpai_question_other(a, b) : NULL;
        if (option != NULL && strcmp(option, "file") == 0)
            return gpai_fail(err, GPA_DATA, "%.200s is of a file of another name",
                             name);
        if (option != NULL)
            return gpai_fail(err, GPA_DATA, "%.200s is of %s: --%s differs", name,
                             strcmp(option, "model") == 0 ? "another model"
                                                          : "other options",
                             gpai_show_text(option).text);
        if (FIELDS[i].says != NULL && !same(a, b))
            return gpai_fail(err, GPA_DATA, "%.200s is of %s", name, FIELDS[i].says);
    }
    return GPA_OK;
}

gpa_status gpai_question_same(const char *mine, const char *other, const char *name,
                              gpa_error *err)
{
    gpai_value *a = NULL, *b = NULL;
    if (strcmp(mine, other) == 0)
        return GPA_OK;
    gpa_status st = gpai_json_parse(&a, mine, strlen(mine), "question", err);
    if (st == GPA_OK)
        st = gpai_json_parse(&b, other, strlen(other), name, err);
    if (st == GPA_OK)
        st = gpai_question_compare(a, b, name, err);
    gpai_value_free(a);
    gpai_value_free(b);
    return st;
}
