#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/slurp.h"
#include "model/http/transport/http.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_BYTES = 1 << 14, TELLING = 6 };

/* Headers that say how a request is to be read: the place of a secret must not change
 * them. */
static const char *const ours[] = {
    "Accept",     "Accept-Encoding",   "Connection", "Content-Encoding",
    "Host",       "Content-Length",    "Expect",     "Inference-Header-Content-Length",
    "Keep-Alive", "Content-Type",      "Trailer",    "Proxy-Connection",
    "TE",         "Transfer-Encoding", "Upgrade",
};

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
                         "--model-auth: must be env:NAME or file:PATH, the place of "
                         "the secret; the secret itself would be seen by others");
    const char *name = where + strlen("env:"), *value = getenv(name);
    if (value == NULL)
        return gpai_fail(err, GPA_INVALID, "--model-auth: no environment variable '%s'",
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
        return gpai_fail(err, GPA_INVALID, "--model-auth: the secret is empty");
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)secret[i] < ' ' || secret[i] == 127)
            return gpai_fail(err, GPA_INVALID,
                             "--model-auth: the secret has a line break or another "
                             "control character inside");
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        size_t n = strlen(ours[i]);
        if (strncasecmp(secret, ours[i], n) == 0 && secret[n] == ':')
            return gpai_fail(err, GPA_INVALID,
                             "--model-auth: holds the header %s, which is not its to "
                             "set; give a token, or a header such as X-Api-Key: KEY",
                             ours[i]);
    }
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

/* Behind the header's name and, in Authorization, behind the scheme. */
static const char *secret_in(const char *header)
{
    const char *value = strchr(header, ':') + 1;
    value += strspn(value, " ");
    const char *blank = strchr(value, ' ');
    if (strncasecmp(header, "Authorization:", 14) == 0 && blank != NULL)
        value = blank + strspn(blank, " ");
    return value;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

/* The character that a text begins with, which may be quoted; its number of bytes. */
static size_t unquote(const char *text, char *c)
{
    static const char *const before[] = {"%", "\\x", "\\u00"};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        size_t n = strlen(before[i]);
        if (strncmp(text, before[i], n) != 0 || !isxdigit((unsigned char)text[n]) ||
            !isxdigit((unsigned char)text[n + 1]))
            continue;
        const char digits[3] = {text[n], text[n + 1], '\0'};
        *c = (char)(unsigned char)strtoul(digits, NULL, 16);
        return n + 2;
    }
    bool slash = text[0] == '\\' && text[1] != '\0';
    *c = text[slash];
    return slash ? 2 : 1;
}

/* How many characters a text and a secret begin with are the same, whatever their
 * case; *bytes of the text. */
static size_t common(const char *text, const char *secret, size_t *bytes)
{
    size_t n = 0;
    *bytes = 0;
    for (size_t size = 0; secret[n] != '\0' && text[*bytes] != '\0'; n++) {
        char c;
        size = unquote(text + *bytes, &c);
        if (lower(c) != lower(secret[n]))
            size = lower(text[*bytes]) == lower(secret[n]) ? 1 : 0;
        if (size == 0)
            break;
        *bytes += size;
    }
    return n;
}

/* Bytes at text[at] that tell something of the secret. A short secret counts as a word
 * of its own only. */
static size_t telling(const char *text, size_t at, const char *secret)
{
    size_t most = 0, all = strlen(secret), bytes;
    for (size_t i = 0; i < all; i++) {
        size_t n = common(text + at, secret + i, &bytes);
        bool word = n == all && (at == 0 || !isalnum((unsigned char)text[at - 1])) &&
                    !isalnum((unsigned char)text[at + bytes]);
        if ((n >= TELLING || word) && bytes > most)
            most = bytes;
    }
    return most;
}

void gpai_auth_blank(const char *header, char *text, size_t size)
{
    static const char stars[] = "***";
    const char *secret = secret_in(header);
    for (size_t at = 0; text[at] != '\0'; at++) {
        size_t n = telling(text, at, secret), rest = strlen(text + at + n);
        if (n == 0)
            continue;
        if (at + strlen(stars) >= size) { /* no room for them: it ends here */
            text[at] = '\0';
            return;
        }
        size_t room = size - at - sizeof stars;
        memmove(text + at + strlen(stars), text + at + n, rest < room ? rest : room);
        memcpy(text + at, stars, strlen(stars));
        at += strlen(stars) - 1;
        text[at + 1 + (rest < room ? rest : room)] = '\0';
    }
}
