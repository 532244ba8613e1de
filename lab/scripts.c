#include "lab/scripts.h"
#include "base/status.h"
#include "console/out.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The folder of this program, as far as its name tells; whether it is a build's. */
static bool find_own(struct scripts *s, const char *program)
{
    char path[4100];
    const char *slash = strrchr(program, '/');
    snprintf(s->own, sizeof s->own, "%.*s", slash != NULL ? (int)(slash - program) : 0,
             program);
    snprintf(path, sizeof path, "%s/build.ninja", s->own);
    return slash != NULL && access(path, R_OK) == 0;
}

gpa_status scripts_open(struct scripts *s, const char *program, const char *work,
                        const char *name, gpa_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool made, built = find_own(s, program); /* `made`: nobody asks, folders stay */
    s->name = name;
    if (work != NULL)
        snprintf(s->work, sizeof s->work, "%s", work);
    else if (built)
        snprintf(s->work, sizeof s->work, "%s/%s", s->own, name);
    else if (cache != NULL && cache[0] == '/')
        snprintf(s->work, sizeof s->work, "%s/gpa/%s", cache, name);
    else if (home != NULL)
        snprintf(s->work, sizeof s->work, "%s/.cache/gpa/%s", home, name);
    else
        return gpai_fail(err, GPA_INVALID,
                         "%s: nowhere to keep models: give --work DIR", name);
    return out_folder(NULL, s->work, &made, err);
}

/* Where $GPA_LAB says, beside the program in a build folder, or installed. */
gpa_status scripts_find(const struct scripts *s, const char *script,
                        char path[SCRIPT_PATH], gpa_error *err)
{
    const char *named = getenv("GPA_LAB"), *own = s->own[0] != '\0' ? s->own : NULL;
    const struct {
        const char *folder, *below;
    } places[] = {
        {named, ""}, {own, "/lab"}, {own, "/../share/gpa/lab"}, {GPA_LAB_SCRIPTS, ""}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].folder == NULL)
            continue;
        snprintf(path, SCRIPT_PATH, "%s%s/%s", places[i].folder, places[i].below,
                 script);
        if (access(path, R_OK) == 0)
            return GPA_OK;
    }
    return gpai_fail(err, GPA_IO,
                     "%s: its scripts are neither beside gpa-lab nor in %s; set "
                     "GPA_LAB to where %s is",
                     s->name, GPA_LAB_SCRIPTS, script);
}

bool scripts_made(const char *folder)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/about.json", folder); /* it is written last */
    return access(path, R_OK) == 0;
}

extern char **environ;
enum { NO_SKLEARN = 4, MOST_WORDS = 12 }; /* how prepare.sh ends without scikit-learn */

gpa_status scripts_make(const struct scripts *s, const char *what, const char *folder,
                        const char *const *more, gpa_error *err)
{
    char script[SCRIPT_PATH];
    const char *said[MOST_WORDS + 1] = {script, what, folder};
    char *words[MOST_WORDS + 1]; /* the same: posix_spawn leaves them as they are */
    pid_t child = 0;
    int status = 0;
    gpa_status st = scripts_find(s, "prepare.sh", script, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; more[i] != NULL && i + 3 < MOST_WORDS; i++)
        said[i + 3] = more[i];
    memcpy(words, said, sizeof words);
    int failed = posix_spawn(&child, script, NULL, NULL, words, environ);
    while (failed == 0 && waitpid(child, &status, 0) < 0)
        failed = errno == EINTR ? 0 : errno;
    if (failed != 0)
        return gpai_fail(err, GPA_IO, "%.300s: %s", script, strerror(failed));
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_SKLEARN)
        return gpai_fail(err, GPA_IO,
                         "%s: no Python here has scikit-learn, which trains the model; "
                         "type: apt-get install python3-sklearn",
                         what);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return gpai_fail(
            err, GPA_IO,
            "%s: the model could not be trained; what %.200s said is above", what,
            script);
    return GPA_OK;
}
