#ifndef GPA_SERVE_ASK_QUESTION_H
#define GPA_SERVE_ASK_QUESTION_H
#include "data/value.h"
#include "serve/http/request.h"
#include "study/study.h"

/* A question as options of the command: from the parameters of a request, whose names
 * are those of the options, or from its body. */
struct question {
    gpai_setting *settings;
    size_t n, room;
    bool has_rows; /* rows of the table, by number */
    bool collective;
    bool plain; /* only rows are chosen: nothing is changed, held or set */
    bool drop_freeze, drop_bounds; /* those of the command line do not hold */
    enum { UNTIL_ALL, UNTIL_CHANGE, UNTIL_VERDICT } until;
    bool profiles;
    size_t own;                        /* rows of one's own, in `body` */
    bool bare;                         /* and that is the only one */
    const char *format, *picture, *of; /* of a report; NULL: not given */
    gpai_value *body;
    void **kept; /* texts */
    size_t n_kept, kept_room;
};

/* Takes a request; GPA_INVALID says what is wrong. To be freed in any case. */
gpa_status question_take(struct question *q, const struct request *r, gpa_error *err);
void question_free(struct question *q);

/* A value as the command line has it: digits, a name, nothing where it is missing;
 * kept. NULL: it is none. */
const char *question_text(struct question *q, const gpai_value *v);

/* The i-th row of one's own: an object. */
const gpai_value *question_own(const struct question *q, size_t i);

#endif
