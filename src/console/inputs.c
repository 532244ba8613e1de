#define _XOPEN_SOURCE 700 /* realpath */
#include "console/inputs.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a path, and the name in it. */
static void split(const char *path, char *folder, size_t size, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    snprintf(folder, size, "%.*s", (int)length, slash == NULL ? "." : path);
}

/* The target of a link as a path from here; to be freed. */
static char *read_link(const char *path)
{
    char target[PATH_MAX], folder[PATH_MAX];
    const char *name;
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = '\0';
    if (target[0] == '/')
        return strdup(target);
    split(path, folder, sizeof folder, &name);
    size_t size = strlen(folder) + (size_t)length + 2;
    char *joined = malloc(size);
    if (joined != NULL)
        snprintf(joined, size, "%s/%s", folder, target);
    return joined;
}

char *file_follow(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as the kernel's own limit */
    struct stat there;
    char *real = realpath(path, NULL);
    if (real != NULL || errno != ENOENT)
        return real;
    char *at = strdup(path);
    for (int i = 0; at != NULL && lstat(at, &there) == 0 && S_ISLNK(there.st_mode);
         i++) {
        char *next = i < MOST_LINKS ? read_link(at) : NULL;
        free(at);
        at = next;
    }
    return at;
}

bool file_identify(const char *path, struct file_id *id)
{
    struct stat there;
    char folder[PATH_MAX];
    const char *name;
    *id = (struct file_id){0};
    char *real = file_follow(path);
    if (real == NULL)
        return false;
    bool found = stat(real, &there) == 0;
    if (!found) {
        split(real, folder, sizeof folder, &name);
        found = stat(folder, &there) == 0 && strlen(name) < sizeof id->name;
        snprintf(id->name, sizeof id->name, "%s", found ? name : "");
    }
    id->device = there.st_dev;
    id->inode = there.st_ino;
    free(real);
    return found;
}

bool file_same(const struct file_id *a, const struct file_id *b)
{
    return a->device == b->device && a->inode == b->inode &&
           strcmp(a->name, b->name) == 0;
}

static bool names_file(const char *text, const struct file_id *output)
{
    struct file_id id;
    struct stat there;
    return text != NULL && text[0] != '\0' && stat(text, &there) == 0 &&
           S_ISREG(there.st_mode) && file_identify(text, &id) && file_same(&id, output);
}

/* A model is a file, KIND:FILE, or exec: and a command, any word of which may be one.
 */
static bool model_reads(const char *spec, const struct file_id *output)
{
    const char *colon = spec != NULL ? strchr(spec, ':') : NULL;
    if (names_file(spec, output) || (colon != NULL && names_file(colon + 1, output)))
        return true;
    if (colon == NULL || strncmp(spec, "exec:", 5) != 0)
        return false;
    char *words = strdup(colon + 1);
    bool reads = false;
    for (char *at = words; at != NULL && *at != '\0' && !reads;) {
        at += strspn(at, " \t\"'");
        size_t length = strcspn(at, " \t\"'");
        char end = at[length];
        at[length] = '\0';
        reads = names_file(at, output);
        at += length + (end != '\0');
    }
    free(words);
    return reads;
}

/* Options that name what is written. */
static bool is_output(int option)
{
    return option == OPT_OUT || option == OPT_HTML || option == OPT_PICTURES ||
           option == OPT_SVG || option == OPT_WORK;
}

bool file_is_input(const gpai_options *given, const struct file_id *output,
                   const char **what)
{
    if (names_file(given->file, output) && strcmp(given->file, "-") != 0) {
        *what = given->bit == IN_REPORT ? "the result" : "the data";
        return true;
    }
    *what = "the data";
    if (names_file(given->second, output))
        return true;
    for (int i = 0; i < OPTIONS; i++) {
        const gpai_option *o = &GPAI_OPTIONS[i];
        if (!given->given[i] || o->kind != OPTION_TEXT || is_output(i))
            continue;
        bool model = i == OPT_MODEL || i == OPT_VERIFY_MODEL;
        *what = model                ? "the model"
                : i == OPT_REFERENCE ? "the reference rows"
                                     : "what an option reads";
        if (model ? model_reads(given->text[i], output)
                  : names_file(given->text[i], output))
            return true;
    }
    return false;
}
