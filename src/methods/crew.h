#ifndef GPAI_METHODS_CREW_H
#define GPAI_METHODS_CREW_H
#include <gpa/model.h>

/* Jobs on several workers, each with a model handle of its own. Results are taken in
 * the order of the jobs, on the calling thread; nothing a job depends on is shared, so
 * the number of workers does not show in them. */
typedef struct gpai_crew {
    const char *unit; /* for messages */
    void *ctx;
    size_t jobs;

    /* Does job i, on any thread; *result is NULL before, and dropped after a failure.
     */
    gpa_status (*run)(void *ctx, gpa_model *m, size_t i, void **result, gpa_error *err);

    /* Takes the result of job i; anything but GPA_OK ends the work. */
    gpa_status (*take)(void *ctx, size_t i, const void *result, gpa_error *err);

    void (*drop)(void *result); /* frees a result, also NULL */

    /* Called a few times a second while the calling thread waits for its workers;
     * anything but GPA_OK ends the work. NULL: nobody wants to look. */
    gpa_status (*look)(void *ctx, gpa_error *err);
} gpai_crew;

/* All jobs on up to `threads` workers; with one, on the calling thread. The first
 * failure in the order of the jobs is the one returned. */
gpa_status gpai_crew_run(const gpai_crew *c, gpa_model *m, size_t threads,
                         gpa_error *err);

#endif
