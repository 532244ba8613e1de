#include "model/http/auth.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/show.h"
#include "data/slurp.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 14 };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What the variable or the file holds, in fresh memory. */
static gpa_status read_secret(char **out, size_t *size, const char *where,
                              gpa_error *err)
{
    if (begins(where, "file:"))
        return gpai_slurp(out, size, where + strlen("file:"), MAX_BYTES, err);
    if (!begins(where, "env:"))
        return gpai_fail(err, GPA_INVALID,
                         "auth: must be env:NAME or file:PATH, the place of the "
                         "secret; the secret itself would be seen by others");
    const char *name = where + strlen("env:"), *value = getenv(name);
    if (value == NULL)
        return gpai_fail(err, GPA_INVALID, "auth: no environment variable '%s'",
                         gpai_show_text(name).text);
    *out = gpai_strdup(value);
    *size = strlen(value);
    return *out == NULL ? gpai_nomem(err, "auth") : GPA_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A line break inside would smuggle in headers of its own. */
static gpa_status check(const char *secret, size_t size, gpa_error *err)
{
    if (size == 0)
        return gpai_fail(err, GPA_INVALID, "auth: the secret is empty");
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)secret[i] < ' ' || secret[i] == 127)
            return gpai_fail(err, GPA_INVALID,
                             "auth: the secret has a line break or another control "
                             "character inside");
    return GPA_OK;
}

/* What has to stand before it to make it a header. */
static const char *complete(const char *secret)
{
    size_t name = strspn(secret, "abcdefghijklmnopqrstuvwxyz-_0123456789"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (name > 0 && secret[name] == ':')
        return "";
    return strchr(secret, ' ') != NULL ? "Authorization: " : "Authorization: Bearer ";
}

gpa_status gpai_auth_header(char **out, const char *where, gpa_error *err)
{
    char *secret = NULL;
    size_t size = 0, blank = 0;
    *out = NULL;
    gpa_status st = read_secret(&secret, &size, where, err);
    if (st != GPA_OK)
        return st;
    while (size > 0 && is_blank(secret[size - 1]))
        secret[--size] = '\0';
    while (blank < size && is_blank(secret[blank]))
        blank++;
    st = check(secret + blank, size - blank, err);
    if (st == GPA_OK) {
        const char *before = complete(secret + blank);
        *out = gpai_calloc(strlen(before) + size + 1, 1);
        if (*out != NULL)
            strcat(strcpy(*out, before), secret + blank);
        else
            st = gpai_nomem(err, "auth");
    }
    memset(secret, 0, size);
    gpai_free(secret);
    return st;
}
