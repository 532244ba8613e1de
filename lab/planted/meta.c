#include "lab/planted/meta.h"
#include "console/say.h"
#include "lab/write.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static gpa_status read_all(FILE *f, const char *path, char **text, gpa_error *err)
{
    size_t size = 0, used = 0;
    do {
        size = size > 0 ? 2 * size : 4096;
        char *more = realloc(*text, size);
        if (more == NULL)
            return fail(err, GPA_NOMEM, "out of memory");
        *text = more;
        used += fread(more + used, 1, size - 1 - used, f);
        more[used] = '\0';
    } while (used == size - 1 && used < MOST_BYTES);
    if (ferror(f))
        return fail(err, GPA_IO, "%.200s: %s", path, strerror(errno));
    if (used >= MOST_BYTES || strlen(*text) != used)
        return fail(err, GPA_DATA, "%.200s: %s", path,
                    used >= MOST_BYTES ? "too large" : "a zero byte in the text");
    return GPA_OK;
}

gpa_status meta_read(const char *path, char **text, gpa_error *err)
{
    *text = NULL;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return fail(err, GPA_IO, "%.200s: %s", path, strerror(errno));
    gpa_status st = read_all(f, path, text, err);
    fclose(f);
    if (st != GPA_OK) {
        free(*text);
        *text = NULL;
    }
    return st;
}

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Behind the string that starts at p; NULL when it does not end. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++) {
        if (*p == '\\')
            p++;
        if (*p == '\0')
            return NULL;
    }
    return p + 1;
}

/* Behind the value that starts at p; NULL when it does not end. Brackets are counted,
 * not matched in kind: whoever reads the value checks it. */
static const char *skip_value(const char *p)
{
    size_t depth = 0;
    do {
        if (*p == '\0')
            return NULL;
        if (*p == '"') {
            p = skip_string(p);
            if (p == NULL)
                return NULL;
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            if (depth == 0)
                return NULL;
            depth--;
            p++;
        } else if (depth > 0) {
            p++;
        } else {
            size_t length = strcspn(p, " \t\r\n,:]}[{\"");
            return length > 0 ? p + length : NULL;
        }
    } while (depth > 0);
    return p;
}

bool meta_find(const char *object, const char *key, struct span *value)
{
    size_t length = strlen(key);
    const char *p = skip_space(object);
    if (*p != '{')
        return false;
    p = skip_space(p + 1);
    while (*p == '"') {
        const char *name = p + 1, *end = skip_string(p);
        if (end == NULL)
            return false;
        bool found =
            (size_t)(end - 1 - name) == length && memcmp(name, key, length) == 0;
        p = skip_space(end);
        if (*p != ':')
            return false;
        p = skip_space(p + 1);
        end = skip_value(p);
        if (end == NULL)
            return false;
        *value = (struct span){p, (size_t)(end - p)};
        if (found)
            return true;
        p = skip_space(end);
        if (*p == ',')
            p = skip_space(p + 1);
    }
    return false;
}

bool meta_number(struct span value, double *number)
{
    char word[64];
    if (value.length >= sizeof word)
        return false;
    memcpy(word, value.at, value.length);
    word[value.length] = '\0';
    return word_real(word, number);
}

bool meta_string(struct span value, char *out, size_t size)
{
    if (value.length < 2 || value.at[0] != '"' || value.length - 2 >= size ||
        memchr(value.at, '\\', value.length) != NULL)
        return false;
    memcpy(out, value.at + 1, value.length - 2);
    out[value.length - 2] = '\0';
    return true;
}

bool meta_next(struct span array, size_t *at, struct span *element)
{
    if (array.at[0] != '[')
        return false;
    const char *p = skip_space(array.at + (*at > 0 ? *at : 1));
    if (*p == ',')
        p = skip_space(p + 1);
    const char *end = *p != ']' ? skip_value(p) : NULL;
    if (end == NULL)
        return false;
    *element = (struct span){p, (size_t)(end - p)};
    *at = (size_t)(end - array.at);
    return true;
}
