#include "model/trees/xgboost_file.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/json.h"
#include "model/trees/ubj.h"
#include <string.h>

/* The end of the string that begins at `at`, or of the text. */
static size_t past_string(const char *bytes, size_t at, size_t size)
{
    for (at++; at < size && bytes[at] != '"'; at++)
        at += bytes[at] == '\\';
    return at + 1;
}

/* Blanks a word that is there, and the sign before it; an empty string stays, which is
 * no number either. */
static size_t blank(char *bytes, size_t at, const char *word)
{
    size_t n = strlen(word);
    memset(bytes + at, ' ', n);
    memcpy(bytes + at, "\"\"", 2);
    if (at > 0 && bytes[at - 1] == '-')
        bytes[at - 1] = ' ';
    return at + n;
}

/* XGBoost writes NaN as the threshold of categorical splits, which JSON does not
 * know. */
static void blank_words(char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        if (bytes[at] == '"')
            at = past_string(bytes, at, size);
        else if (size - at >= 3 && memcmp(bytes + at, "NaN", 3) == 0)
            at = blank(bytes, at, "NaN");
        else if (size - at >= 8 && memcmp(bytes + at, "Infinity", 8) == 0)
            at = blank(bytes, at, "Infinity");
        else
            at++;
    }
}

static gpa_status parse_text(json_t **out, const char *bytes, size_t size,
                             const char *file, gpa_error *err)
{
    if (strstr(bytes, "NaN") == NULL && strstr(bytes, "Infinity") == NULL)
        return gpai_json_parse(out, bytes, size, file, err);
    char *copy = gpai_strndup(bytes, size);
    if (copy == NULL)
        return gpai_nomem(err, "xgboost");
    blank_words(copy, size);
    gpa_status st = gpai_json_parse(out, copy, size, file, err);
    gpai_free(copy);
    return st;
}

/* In the binary form the length of a key follows the brace, in the text form a
 * quote. */
gpa_status gpai_xgboost_parse(json_t **out, const char *bytes, size_t size,
                              const char *file, gpa_error *err)
{
    size_t start = strspn(bytes, " \t\r\n");
    if (size > 1 && bytes[0] == '{' && strchr("\"} \t\r\n", bytes[1]) == NULL)
        return gpai_ubj_parse(out, bytes, size, file, err);
    if (start < size && bytes[start] == '{')
        return parse_text(out, bytes, size, file, err);
    return gpai_fail(err, GPA_DATA,
                     "%s: neither JSON nor UBJ; save the model with "
                     "save_model(\"NAME.json\")",
                     gpai_show_path(file).text);
}
