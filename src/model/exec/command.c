#include "model/exec/command.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one word without its quotes; what is wrong with it, or NULL. */
static const char *take_word(const char **text, char **to)
{
    char quote = '\0';
    const char *p = *text;
    for (; *p != '\0' && (quote != '\0' || !is_blank(*p)); p++) {
        bool escapes = quote == '\0' || (quote == '"' && (p[1] == '"' || p[1] == '\\'));
        if (*p == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*p == '\'' || *p == '"')) {
            quote = *p;
        } else if (*p == '\\' && escapes) {
            if (*++p == '\0')
                return "a backslash at the end";
            *(*to)++ = *p;
        } else {
            *(*to)++ = *p;
        }
    }
    *(*to)++ = '\0';
    *text = p;
    return quote == '\0'   ? NULL
           : quote == '\'' ? "a ' that is not closed"
                           : "a \" that is not closed";
}

gpa_status gpai_command_split(char ***out, const char *text, gpa_error *err)
{
    /* a word takes at least a letter and a blank; its copy is no longer than itself */
    size_t length = strlen(text), most = length / 2 + 2, n = 0;
    const char *rest = text, *wrong = NULL;
    *out = NULL;
    char **words = gpai_calloc(most * sizeof *words + length + 2, 1);
    if (words == NULL)
        return gpai_nomem(err, "exec");
    char *to = (char *)(words + most);
    for (;;) {
        while (is_blank(*rest))
            rest++;
        if (*rest == '\0' || wrong != NULL)
            break;
        words[n++] = to;
        wrong = take_word(&rest, &to);
    }
    if (wrong == NULL && (n == 0 || words[0][0] == '\0'))
        wrong = "no program; write exec:PROGRAM ARGUMENT...";
    if (wrong == NULL) {
        *out = words;
        return GPA_OK;
    }
    gpai_free(words);
    return gpai_fail(err, GPA_INVALID, "exec: %s: %s", gpai_show_path(text).text,
                     wrong);
}
