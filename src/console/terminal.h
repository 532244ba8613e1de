#ifndef GPAI_CONSOLE_TERMINAL_H
#define GPAI_CONSOLE_TERMINAL_H
#include "study/options.h"
#include <gpa/status.h>
#include <gpa/study.h>
#include <stdbool.h>
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

/* The notes of a study; NULL has none. */
void say_notes(const gpa_study *s);

/* Says the message of a failed call and returns the exit code that goes with it. */
int give_up(gpa_status status, const gpa_error *err);

/* What was printed must have arrived: a full disk is an error. The exit code. */
int say_printed(void);

/* Seconds since some moment: how long something takes. */
double seconds_now(void);

/* A line on standard error that says how far the work is. */
struct progress {
    bool brief; /* nobody asked: what took no time leaves no line behind */
    bool on, shown;
    const char *label;
    double start, last; /* seconds */
    double share;       /* of the time, that the model took; said where it is above 0 */
};

/* `mode`: "auto" (when standard error is a terminal; also NULL), "always" or "never".
 */
void progress_start(struct progress *p, const char *mode, const char *label);
/* At most five times a second, and at the end. */
void progress_show(struct progress *p, size_t done, size_t total);
/* Before the last of them: seconds in which the model was asked, by so many threads. */
void progress_model(struct progress *p, double seconds, size_t threads);
/* Makes way for other output. */
void progress_hide(struct progress *p);

/* How tables are to look on this terminal: colours, letters, width. */
void look_at_terminal(gpa_report_info *info, const gpai_options *a);

#endif
