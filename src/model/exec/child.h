#ifndef GPAI_MODEL_EXEC_CHILD_H
#define GPAI_MODEL_EXEC_CHILD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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
    bool gone;   /* it ended by itself, and `status` is what waitpid says */
    int status;  /* -1: nobody knows */
    size_t told; /* how many times it was told what the inputs are */
} gpai_child;

/* Starts a program, found along PATH, without a shell. Gives 0, or an error number as
 * errno has them. */
int gpai_child_start(gpai_child **out, char **argv);

/* Closes its standard input and output, which tells it to leave. */
void gpai_child_hang_up(gpai_child *c);

/* Ends the whole group, and leaves no zombie. Patiently: with a moment to leave by
 * itself first. Takes half a second at most. */
void gpai_child_end(gpai_child *c, bool patiently);

/* Bytes to and from a child, never for longer than until a deadline: a moment of the
 * monotonic clock in nanoseconds. */
int64_t gpai_deadline(double seconds); /* from now; 0 is for ever */

/* How talking to a child went. */
typedef enum gpai_talk {
    GPAI_TALK_FINE,
    GPAI_TALK_ENDED, /* it is no more, or closed its output */
    GPAI_TALK_LATE,
    GPAI_TALK_WRONG, /* what it said makes no sense */
    GPAI_TALK_NOMEM
} gpai_talk;

/* What is still to be sent, piece after piece. */
enum { GPAI_PIECES = 3 };
typedef struct gpai_sending {
    const void *bytes[GPAI_PIECES];
    size_t left[GPAI_PIECES];
} gpai_sending;

size_t gpai_sending_left(const gpai_sending *s);

/* FINE, ENDED or LATE. Waits until `size` bytes have come, of which *got are there
 * already. Sends meanwhile (NULL: nothing to send), and listens to standard error, so
 * that the two never wait for each other. Sending may not be through when this is. */
gpai_talk gpai_wire_read(gpai_child *c, gpai_sending *s, void *into, size_t size,
                         size_t *got, int64_t deadline);

/* What comes from a child that was asked nothing: up to `size` bytes, at once. ENDED:
 * it is no more. */
gpai_talk gpai_wire_stray(gpai_child *c, void *into, size_t size, size_t *got);

#endif
