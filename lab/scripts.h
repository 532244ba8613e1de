#ifndef GPA_LAB_SCRIPTS_H
#define GPA_LAB_SCRIPTS_H
#include <gpa/status.h>
#include <stdbool.h>

/* The scripts that train models, and where what they make is kept. */
struct scripts {
    const char *name; /* "paper", "tables" */
    char own[4000];   /* the folder of this program; "": it was found on the PATH */
    char work[4096];  /* what is kept */
};

/* For a program started by this name. The place is `work`, or if that is NULL a folder
 * `name` beside the build, or in the user's cache. It is made if need be. */
gpa_status scripts_open(struct scripts *s, const char *program, const char *work,
                        const char *name, gpa_error *err);

/* Where a script is, and room for its path. */
enum { SCRIPT_PATH = 4200 };
gpa_status scripts_find(const struct scripts *s, const char *script,
                        char path[SCRIPT_PATH], gpa_error *err);

/* Whether `folder` is complete. */
bool scripts_made(const char *folder);

/* Has prepare.sh make `folder`: `what` names it there and in messages, `more` (ended by
 * NULL) are further words for the script. */
gpa_status scripts_make(const struct scripts *s, const char *what, const char *folder,
                        const char *const *more, gpa_error *err);

#endif
