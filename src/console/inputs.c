#define _XOPEN_SOURCE 700 /* realpath */
#include "console/inputs.h"
#include <errno.h>
#include <glob.h>
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
    split(real, folder, sizeof folder, &name);
    if (found && stat(folder, &there) == 0) {
        id->folder_device = there.st_dev;
        id->folder_inode = there.st_ino;
    }
    free(real);
    return found;
}

bool file_same(const struct file_id *a, const struct file_id *b)
{
    return a->device == b->device && a->inode == b->inode &&
           strcmp(a->name, b->name) == 0;
}

static bool is_file(const struct stat *there, const struct file_id *output)
{
    return S_ISREG(there->st_mode) && output->name[0] == '\0' &&
           there->st_dev == output->device && there->st_ino == output->inode;
}

/* A file, or one of which a part is asked for: data.db?table=rows. */
static bool find_file(const char *text, struct stat *there)
{
    char path[PATH_MAX];
    const char *end = strchr(text, '?');
    if (stat(text, there) == 0)
        return true;
    snprintf(path, sizeof path, "%.*s", end != NULL ? (int)(end - text) : 0, text);
    return end != NULL && end - text < PATH_MAX && stat(path, there) == 0;
}

/* Whether a text is the output's name, or that of the folder it lies in. */
static bool names(const char *text, const struct file_id *output)
{
    struct stat there;
    if (text == NULL || text[0] == '\0' || !find_file(text, &there))
        return false;
    return is_file(&there, output) ||
           (S_ISDIR(there.st_mode) && output->name[0] == '\0' &&
            there.st_dev == output->folder_device &&
            there.st_ino == output->folder_inode);
}

/* The words of a command, quotes and backslashes undone as a shell does, and what
 * stands behind an equals sign in them. */
static bool command_reads(const char *command, const struct file_id *output)
{
    char *word = malloc(strlen(command) + 1);
    bool reads = word == NULL; /* rather refuse than destroy */
    for (const char *p = command; word != NULL && *p != '\0' && !reads;) {
        char quote = '\0';
        size_t n = 0;
        for (p += strspn(p, " \t"); *p != '\0' && (quote != '\0' || !strchr(" \t", *p));
             p++) {
            if (quote != '\'' && *p == '\\' && p[1] != '\0')
                word[n++] = *++p;
            else if (*p == quote)
                quote = '\0';
            else if (quote == '\0' && (*p == '"' || *p == '\''))
                quote = *p;
            else
                word[n++] = *p;
        }
        word[n] = '\0';
        const char *equals = strchr(word, '=');
        reads = names(word, output) || (equals != NULL && names(equals + 1, output));
    }
    free(word);
    return reads;
}

/* A model may be named for every set of cases at once: l-{set}.json. */
static bool pattern_reads(const char *text, const struct file_id *output)
{
    static const char SET[] = "{set}";
    const char *set = strstr(text, SET);
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool reads = false;
    if (set == NULL)
        return false;
    snprintf(pattern, sizeof pattern, "%.*s*%s", (int)(set - text), text,
             set + sizeof SET - 1);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            reads = reads || names(found.gl_pathv[i], output);
    globfree(&found);
    return reads;
}

/* What an option names: FILE, KIND:FILE, or exec: and a command. */
static bool option_reads(const char *text, const struct file_id *output)
{
    const char *colon = strchr(text, ':'), *rest = colon != NULL ? colon + 1 : text;
    return names(text, output) || names(rest, output) || pattern_reads(rest, output) ||
           (strncmp(text, "exec:", 5) == 0 && command_reads(rest, output));
}

static bool standard_input_is(const struct file_id *output)
{
    struct stat there;
    return fstat(STDIN_FILENO, &there) == 0 && is_file(&there, output);
}

bool file_is_input(const gpai_options *given, const struct file_id *output,
                   const char **what)
{
    static const struct {
        enum option_id id;
        const char *what;
    } READ[] = {{OPT_MODEL, "the model"},
                {OPT_VERIFY_MODEL, "the model"},
                {OPT_REFERENCE, "the reference rows"},
                {OPT_VERIFY_REFERENCE, "the reference rows"},
                {OPT_MODEL_AUTH, "the secret"},
                {OPT_SCALE, "the units"},
                {OPT_SCORES, "the scores"},
                {OPT_SLOPE_NODES, "the slope nodes"},
                {OPT_DELTA_INIT, "the first change"},
                {OPT_BASELINE, "the baseline"},
                {OPT_SV_DRAWS, "the draws"},
                {OPT_CASES, "the cases"},
                {OPT_DATA, "the data"},
                {OPT_ORACLE, "the oracle"}};
    bool standard = given->file != NULL && strcmp(given->file, "-") == 0;
    *what = given->bit == IN_REPORT  ? "the result"
            : given->bit == IN_MERGE ? "a shard"
                                     : "the data";
    if (standard ? standard_input_is(output) : names(given->file, output))
        return true;
    if (names(given->second, output))
        return true;
    for (size_t i = 0; i < given->n_files; i++)
        if (names(given->files[i], output))
            return true;
    for (size_t i = 0; i < sizeof READ / sizeof READ[0]; i++) {
        *what = READ[i].what;
        if (given->text[READ[i].id] != NULL &&
            option_reads(given->text[READ[i].id], output))
            return true;
    }
    return false;
}
