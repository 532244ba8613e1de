#include "base/alloc.h"
#include "base/text/words.h"
#include "report/saved/saved.h"

/* The command that made a result, from its options. */

enum { MOST_WORDS = 10000 }; /* no command line has more */

/* Takes over `word`, which may be NULL for lack of memory. */
static void add(gpai_reader *r, gpa_saved *s, char *word)
{
    if (word == NULL)
        gpai_read_nomem(r);
    if (s->n_words == MOST_WORDS)
        gpai_read_fail(r, "options", "more than %d words", MOST_WORDS);
    s->words = gpai_read_grow(r, s->words, s->n_words, sizeof *s->words);
    if (r->status == GPA_OK)
        s->words[s->n_words++] = word;
    else
        gpai_free(word);
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

static void add_option(gpai_reader *r, gpa_saved *s, const char *name,
                       const gpai_slice *value)
{
    size_t length = strlen(name);
    char *word = gpai_calloc(length + 3, 1);
    if (word != NULL) {
        memcpy(word, "--", 2);
        memcpy(word + 2, name, length);
    }
    add(r, s, word);
    if (value != NULL)
        add(r, s, content(*value));
}

static void strange(gpai_reader *r, const char *name)
{
    gpai_read_fail(r, "options", "no option of a command: %s",
                   gpai_show_text(name).text);
}

static void add_list(gpai_reader *r, gpa_saved *s, const char *name, gpai_slice list)
{
    gpai_slice value;
    gpai_walk w = gpai_walk_open(r, list, '[');
    while (gpai_walk_next(&w, NULL, &value))
        if (value.at[0] == '"')
            add_option(r, s, name, &value);
        else
            strange(r, name);
}

/* Whether a list is of numbers: given by a program in place of a file. */
static bool is_numbers(gpai_slice list)
{
    for (size_t i = 0; i < list.size; i++)
        if (list.at[i] == '\0' ||
            strchr("[]0123456789+-.eE, \t\r\n", list.at[i]) == NULL)
            return false;
    return list.size > 2;
}

static void add_member(gpai_reader *r, gpa_saved *s, const char *name, gpai_slice value)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char first = value.at[0];
    if (name[0] == '\0' || name[0] == '-' || name[strspn(name, fine)] != '\0')
        strange(r, name);
    else if (first == '[' && !is_numbers(value))
        add_list(r, s, name, value);
    else if (gpai_word_is(value.at, value.size, "true"))
        add_option(r, s, name, NULL);
    else if (first == '[' || first == '"' || first == '-' ||
             (first >= '0' && first <= '9'))
        add_option(r, s, name, &value);
    else
        strange(r, name);
}

void gpai_saved_command(gpai_reader *r, gpa_saved *s)
{
    const json_t *options = json_object_get(s->head, "options");
    const char *command = json_string_value(json_object_get(options, "command"));
    const char *file = json_string_value(json_object_get(options, "file"));
    gpai_token key;
    gpai_slice value;
    if (command == NULL || r->status != GPA_OK)
        return; /* made by another program, without options */
    add(r, s, gpai_strdup(command));
    gpai_walk w = gpai_walk_open(r, (gpai_slice){s->options, strlen(s->options)}, '{');
    while (gpai_walk_next(&w, &key, &value)) {
        if (gpai_json_token_is(&key, "command") || gpai_json_token_is(&key, "file"))
            continue;
        char *name = gpai_saved_key(r, &key);
        if (name != NULL)
            add_member(r, s, name, value);
        gpai_free(name);
    }
    if (file != NULL) {
        add(r, s, gpai_strdup("--"));
        add(r, s, gpai_strdup(file));
    }
}
