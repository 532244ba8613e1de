#ifndef GPA_SERVE_ASK_ASKED_H
#define GPA_SERVE_ASK_ASKED_H
#include "serve/ask/question.h"
#include "serve/serving.h"

/* A question that a worker has in hand: what was asked, and the study that answers. */
struct asked {
    struct exchange *x;
    struct question question;
    gpa_study *study;
    double began;
};

/* `command`: explain or compare; NULL: as the question says. */
gpa_status asked_open(struct asked *a, struct exchange *x, gpa_model *model,
                      const char *command, gpa_error *err);

/* The line for a shell that asks the same, as a string of JSON, or null where none
 * can; `ends`: its last options. */
void asked_command(gpa_text *t, const struct asked *a, const char *ends);

/* The end, good or bad (then it is told): counts, and frees. */
void asked_close(struct asked *a, gpa_status st, uint64_t model_rows,
                 const gpa_error *err);

#endif
