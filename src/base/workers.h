#ifndef GPAI_BASE_WORKERS_H
#define GPAI_BASE_WORKERS_H
#include <gpa/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far some work is. The caller is told on the calling thread only; workers learn at
 * any time whether it wants no more. */
typedef struct gpai_progress {
    const char *unit;                                      /* for the message */
    int (*tell)(void *ctx, uint64_t done, uint64_t total); /* NULL: nobody listens */
    void *ctx;
    uint64_t total;
    bool alone; /* jobs run on the calling thread: set by gpai_workers_run */
    atomic_uint_least64_t done;
    atomic_bool stop;
} gpai_progress;

/* Tells the caller; GPA_STOPPED when it wants no more. On the calling thread only. */
gpa_status gpai_progress_tell(gpai_progress *p, gpa_error *err);

/* Counts, and tells the caller if this is its thread; GPA_STOPPED as above. */
gpa_status gpai_progress_count(gpai_progress *p, uint64_t by, gpa_error *err);

/* What a job is given to call while it works, as a gpa_progress_fn: non-zero when it is
 * to end. Its own numbers are not the caller's and are dropped. */
int gpai_progress_ends(void *progress, uint64_t done, uint64_t total);

/* Jobs on several workers. Results are taken in the order of the jobs, on the calling
 * thread; nothing a job depends on is shared, so the number of workers does not show in
 * them. */
typedef struct gpai_workers {
    const char *unit; /* for messages */
    void *ctx;
    size_t jobs;

    /* What each worker has for itself; called on the calling thread. */
    gpa_status (*open)(void *ctx, void **own, gpa_error *err);
    void (*close)(void *own);

    /* Does job i, on any thread; *result is NULL before, and dropped after a failure.
     */
    gpa_status (*run)(void *ctx, void *own, size_t i, void **result, gpa_error *err);

    /* Takes the result of job i; anything but GPA_OK ends the work. */
    gpa_status (*take)(void *ctx, size_t i, const void *result, gpa_error *err);

    void (*drop)(void *result); /* frees a result, also NULL */

    /* Told a few times a second while the calling thread waits; may be NULL. */
    gpai_progress *progress;
} gpai_workers;

/* All jobs on up to `threads` workers; with one, on the calling thread, which has `own`
 * for itself. The first failure in the order of the jobs is the one returned. */
gpa_status gpai_workers_run(const gpai_workers *w, void *own, size_t threads,
                            gpa_error *err);

#endif
