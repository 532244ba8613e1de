#ifndef GPA_CONSOLE_INPUTS_H
#define GPA_CONSOLE_INPUTS_H
#include "console/out.h"

/* Which file `path` is; false when even its folder cannot be found. */
bool file_identify(const char *path, struct file_id *id);
bool file_same(const struct file_id *a, const struct file_id *b);

/* Where a path leads: links followed, also one to a file that is not there yet. To be
 * freed; NULL with errno. */
char *file_follow(const char *path);

/* Whether an output would destroy something that these options read; *what then is what
 * that is, in words. */
bool file_is_input(const gpai_options *given, const struct file_id *output,
                   const char **what);

#endif
