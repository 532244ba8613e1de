#ifndef GPAI_MODEL_EXEC_CHILD_H
#define GPAI_MODEL_EXEC_CHILD_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { GPAI_TAIL = 2048 };

/* A process that was started to compute a model, and our ends of its pipes. It runs in
 * a process group of its own, led by a guard that ends the group when this process is
 * gone, however that came about. */
typedef struct gpai_child {
    struct gpai_child *next; /* in a list of idle ones */
    pid_t pid, group, owner; /* owner: who started it */
    bool guarded;            /* the group is the guard's */
    int to, from, words;     /* its standard input, output and error; -1: closed */
    int life;                /* the guard waits until nobody holds it */
    char tail[GPAI_TAIL];    /* the last it wrote to standard error */
    size_t tail_used;
    bool gone;  /* it ended by itself, and `status` is what waitpid says */
    int status; /* -1: nobody knows */
} gpai_child;

/* Starts a program, found along PATH, without a shell. Gives 0, or an error number as
 * errno has them. */
int gpai_child_start(gpai_child **out, char **argv);

/* Reads what there is on its standard error. False: no more will come. */
bool gpai_child_listen(gpai_child *c);

bool gpai_child_is_dead(const gpai_child *c);

/* Closes its standard input and output, which tells it to leave. */
void gpai_child_hang_up(gpai_child *c);

/* Ends the whole group, and leaves no zombie. Patiently: with a moment to leave by
 * itself first. Takes half a second at most. */
void gpai_child_end(gpai_child *c, bool patiently);

#endif
