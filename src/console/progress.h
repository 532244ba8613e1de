#ifndef GPA_CONSOLE_PROGRESS_H
#define GPA_CONSOLE_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>

/* A line on standard error that says how far the work is. */
struct progress {
    bool on, shown;
    const char *label;
    double start, last; /* seconds */
};

/* `mode`: "auto" (when standard error is a terminal; also NULL), "always" or "never".
 */
void progress_start(struct progress *p, const char *mode, const char *label);
/* At most five times a second, and at the end. */
void progress_show(struct progress *p, size_t done, size_t total);
/* Makes way for other output. */
void progress_hide(struct progress *p);

#endif
