#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

_Noreturn void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", program, what);
    exit(1);
}

_Noreturn void stop_at(const char *what, const char *word)
{
    fprintf(stderr, "%s: %s: '%s'\n", program, what, word);
    exit(1);
}

void must(gpa_status st, const gpa_error *err)
{
    if (st != GPA_OK)
        stop(err->message);
}

void *take(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size);
    if (p == NULL)
        stop("out of memory");
    return p;
}

gpa_marginals marginals_of(const char *word)
{
    for (int i = 0; gpa_marginals_name((gpa_marginals)i) != NULL; i++)
        if (strcmp(gpa_marginals_name((gpa_marginals)i), word) == 0)
            return (gpa_marginals)i;
    stop_at("no such marginals", word);
}

double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.28318530717958647693 * uniform(state));
}
