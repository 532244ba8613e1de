#ifndef GPA_CLI_STREAM_H
#define GPA_CLI_STREAM_H
#include "console/out.h"
#include <gpa/saved.h>

/* Explanations on their way into one report, one after the other. */
struct stream {
    gpa_format format;
    const gpa_report_info *info;
    gpa_text *text;  /* where it is written, */
    struct out *out; /* and where that goes after each; NULL: it stays there */
    size_t count;
    bool begun;
};

gpa_status stream_add(struct stream *s, const gpa_explanation *e, gpa_error *err);
gpa_status stream_end(struct stream *s, gpa_error *err);

/* A saved result, explanations or a comparison, written again as the command that made
 * it would. */
gpa_status stream_saved(struct stream *s, const gpa_saved *from, gpa_error *err);

#endif
