#ifndef BENCH_SUPPORT_H
#define BENCH_SUPPORT_H

#include <gpa/gpa.h>
#include <stddef.h>
#include <stdint.h>

/* The name that messages start with; each program defines it. */
extern const char program[];

/* Seconds since some moment, on a clock that is never set. */
double now(void);

/* Every mistake ends the program: nothing here is worth going on without. */
_Noreturn void stop(const char *what);
_Noreturn void stop_at(const char *what, const char *word);
void must(gpa_status st, const gpa_error *err);

/* Zeroed memory for `count` things; never NULL. */
void *take(size_t count, size_t size);

/* Numbers that are the same in every run: between 0 and 1; standard normal. */
double uniform(uint64_t *state);
double normal(uint64_t *state);

/* A word of the command line. */
gpa_marginals marginals_of(const char *word);

#endif
