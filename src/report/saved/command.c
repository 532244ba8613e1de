#include "base/alloc.h"
#include "base/status.h"
#include "report/saved/saved.h"
#include <string.h>

/* The command that made a result, from its options. */

enum { MOST_WORDS = 10000 }; /* no command line has more */

/* Takes over `word`, which may be NULL for lack of memory. */
static gpa_status add(gpa_saved *s, char *word, gpa_error *err)
{
    char **more =
        word != NULL ? gpai_list_grow(s->words, s->n_words, sizeof *more) : NULL;
    if (more == NULL) {
        gpai_free(word);
        return gpai_nomem(err, "report");
    }
    s->words = more;
    if (s->n_words == MOST_WORDS) {
        gpai_free(word);
        return gpai_fail(err, GPA_DATA, "%s: options: more than %d words", s->name.text,
                         MOST_WORDS);
    }
    s->words[s->n_words++] = word;
    return GPA_OK;
}

/* A text's content, a number as it stands. */
static char *content(gpai_slice value)
{
    if (value.at[0] != '"')
        return gpai_strndup(value.at, value.size);
    const gpai_token token = {
        .kind = 's', .escaped = true, .text = value.at + 1, .length = value.size - 2};
    char *text = gpai_calloc(value.size, 1);
    if (text != NULL)
        gpai_json_decode(&token, text);
    return text;
}

static gpa_status add_option(gpa_saved *s, const char *name, const gpai_slice *value,
                             gpa_error *err)
{
    size_t length = strlen(name);
    char *word = gpai_calloc(length + 3, 1);
    if (word != NULL) {
        memcpy(word, "--", 2);
        memcpy(word + 2, name, length);
    }
    gpa_status st = add(s, word, err);
    return st == GPA_OK && value != NULL ? add(s, content(*value), err) : st;
}

static gpa_status strange(const gpa_saved *s, const char *name, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA, "%s: options: no option of a command: %s",
                     s->name.text, gpai_show_text(name).text);
}

static gpa_status add_list(gpa_saved *s, const char *name, gpai_slice list,
                           gpa_error *err)
{
    gpai_walk w;
    gpai_slice value;
    gpa_status st = gpai_walk_open(&w, list, s->name.text, '[', err);
    while (gpai_walk_more(&w, NULL, &value, &st, err))
        st = value.at[0] == '"' ? add_option(s, name, &value, err)
                                : strange(s, name, err);
    return st;
}

static gpa_status add_member(gpa_saved *s, const char *name, gpai_slice value,
                             gpa_error *err)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char first = value.at[0];
    if (name[0] == '\0' || name[0] == '-' || name[strspn(name, fine)] != '\0')
        return strange(s, name, err);
    if (first == '[')
        return add_list(s, name, value, err);
    if (value.size == 4 && memcmp(value.at, "true", 4) == 0)
        return add_option(s, name, NULL, err);
    if (first == '"' || first == '-' || (first >= '0' && first <= '9'))
        return add_option(s, name, &value, err);
    return strange(s, name, err);
}

gpa_status gpai_saved_command(gpa_saved *s, gpa_error *err)
{
    const json_t *options = json_object_get(s->head, "options");
    const char *command = json_string_value(json_object_get(options, "command"));
    const char *file = json_string_value(json_object_get(options, "file"));
    gpai_walk w;
    gpai_token key;
    gpai_slice value;
    if (command == NULL)
        return GPA_OK; /* made by another program, without options */
    gpa_status st = add(s, gpai_strdup(command), err);
    if (st == GPA_OK)
        st = gpai_walk_open(&w, (gpai_slice){s->options, strlen(s->options)},
                            s->name.text, '{', err);
    while (gpai_walk_more(&w, &key, &value, &st, err)) {
        if (gpai_json_token_is(&key, "command") || gpai_json_token_is(&key, "file"))
            continue;
        char *name = gpai_calloc(key.length + 1, 1);
        if (name == NULL)
            return gpai_nomem(err, "report");
        gpai_json_decode(&key, name);
        st = add_member(s, name, value, err);
        gpai_free(name);
    }
    if (st == GPA_OK && file != NULL) {
        st = add(s, gpai_strdup("--"), err);
        if (st == GPA_OK)
            st = add(s, gpai_strdup(file), err);
    }
    return st;
}
