#ifndef GPA_CLI_SAY_H
#define GPA_CLI_SAY_H
#include <gpa/status.h>
#include <stddef.h>

/* Exit codes of the command; frozen (gpa(1)). */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_CONDITION = 1, /* --fail-above */
    EXIT_USAGE = 2,
    EXIT_DATA = 3, /* cannot read or write, malformed or empty data */
    EXIT_MODEL = 4,
    EXIT_WEAK = 5, /* --strict, and something did not converge or hit its budget */
    EXIT_STOPPED = 130
};

/* One line on standard error, "gpa: …", safe for terminals whatever is in it. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fills `err` and returns the status. */
gpa_status fail(gpa_error *err, gpa_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says the message of a failed call and returns the exit code that goes with it. */
int give_up(gpa_status status, const gpa_error *err);

/* calloc that never gives NULL for an empty array. */
void *room(size_t n, size_t size);

#endif
