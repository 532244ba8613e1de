#ifndef GPAI_MODEL_EXEC_CHILDREN_H
#define GPAI_MODEL_EXEC_CHILDREN_H
#include "base/text/show.h"
#include "model/exec/child.h"
#include "model/exec/frames.h"
#include "model/spec.h"
#include <pthread.h>

/* Words of a command line, without a shell: blanks separate; '...' is taken as it
 * stands, "..." too but for \" and \\, and elsewhere a backslash takes the next
 * character as it stands. Nothing else is special. The list ends with NULL and is one
 * block to gpai_free. GPA_INVALID for an open quote, a last backslash or no words. */
gpa_status gpai_command_split(char ***out, const char *text, gpa_error *err);

/* What a child says before it is asked anything. */
typedef struct gpai_hello {
    bool takes_text;    /* it takes text, when it is told what its numbers stand for */
    size_t inputs;      /* 0: any number */
    const char **names; /* as many, or NULL */
    char *text;         /* that they point into */
} gpai_hello;

/* The children of one exec: model, which all handles on it share: started when they are
 * needed, kept while they behave, replaced when they do not. */
typedef struct gpai_children {
    char **argv;
    gpai_shown who;                      /* the command, for messages */
    char called[sizeof(gpai_shown) + 8]; /* "exec: COMMAND" */
    double timeout;                      /* seconds; 0: for ever */
    size_t limit; /* children at most; 0: as many as are asked for */
    pid_t owner;
    gpai_hello hello; /* of the first; the others must say the same */

    gpai_model_kinds
        kinds;           /* what the inputs are; set before there are several handles */
    unsigned char *tell; /* the frame that says it; NULL: all are plain numbers */
    size_t tell_size;
    size_t telling; /* how many there were so far */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    size_t alive;
    gpai_child *idle;
    uint64_t time_outs;
    gpa_error last_time_out;
} gpai_children;

/* Starts the first one and hears its hello. */
gpa_status gpai_children_new(gpai_children **out, const gpai_spec *s, gpa_error *err);
void gpai_children_free(void *children); /* ends them all; NULL is fine */

/* A child for the caller alone; waits while there are as many as there may be, and all
 * are busy. The time that it has counts from when there is one: *deadline is set unless
 * it is set already (not 0). */
gpa_status gpai_children_take(gpai_child **out, gpai_children *p, int64_t *deadline,
                              gpa_error *err);

void gpai_children_give(gpai_children *p, gpai_child *c); /* back, for others */

/* Whether a child that owes no answer is silent, and waits for a question. Bytes that
 * nobody asked for would be taken for the next answer; those of the last one were wrong
 * in number, or in meaning. */
gpai_talk gpai_children_look(gpai_child *c, char what[GPAI_WRONG]);

/* Ends one that was taken, and says why: `what` goes on from its command, with
 * the wrong it said, what it did not do in time, or before what it ended. */
gpa_status gpai_children_lose(gpai_children *p, gpai_child *c, gpai_talk how,
                              const char *what, gpa_error *err);

#endif
