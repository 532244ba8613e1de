#ifndef GPAI_MODEL_EXEC_HELLO_H
#define GPAI_MODEL_EXEC_HELLO_H
#include "model/exec/frames.h"
#include "model/exec/wire.h"

/* What a child says before it is asked anything. */
typedef struct gpai_hello {
    size_t inputs;      /* 0: any number */
    const char **names; /* as many, or NULL */
    char *text;         /* that they point into */
} gpai_hello;

/* Hears it out; what went wrong goes into `what`. To be closed in any case. */
gpai_talk gpai_hello_hear(gpai_hello *h, gpai_child *c, int64_t deadline,
                          char what[GPAI_WRONG]);
void gpai_hello_close(gpai_hello *h);

/* Whether a child that was started later says the same; if not, what is the matter. */
bool gpai_hello_same(const gpai_hello *first, const gpai_hello *later,
                     char what[GPAI_WRONG]);

#endif
