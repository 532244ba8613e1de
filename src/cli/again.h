#ifndef GPA_CLI_AGAIN_H
#define GPA_CLI_AGAIN_H
#include "cli/load.h"
#include "cli/out.h"

/* A command that `gpa verify` runs again: its result goes to memory, and says about
 * itself what the saved one says, wherever the files are now. */
struct again {
    const char *options, *spec;              /* as saved */
    const char *input_digest, *model_digest; /* likewise; NULL: not known */
    bool page;                               /* HTML, not JSON */
    struct memory result;
    bool differs; /* the data or the model are not what they were: it ended there */
};

/* The place of the result and its format. */
void again_open(struct again *g, struct out *o, gpa_format *format);

/* Whether the model answers as it did; GPA_STOPPED when it does not. */
gpa_status again_check(struct again *g, const struct load *l, gpa_error *err);

/* "sha256:…" of a file. */
gpa_status file_digest(const char *path, char *digest, gpa_error *err);

#endif
