#ifndef GPAI_MODEL_H
#define GPAI_MODEL_H
#include <gpa/model.h>

/* What an adapter gives the handle: the ways to reach one kind of model. A table of
 * these is static and constant; `self` is the adapter's own data. */
typedef struct gpai_model_ops {
    const char *kind; /* for messages: "plugin" */

    /* Predictions of n > 0 rows of d inputs. Non-finite ones are fine. */
    gpa_status (*predict)(void *self, const double *x, size_t n, size_t d, double *y,
                          gpa_error *err);

    /* A second instance for another thread, which may predict at the same time as this
     * one. NULL: predict does not change self, so that all handles share it. */
    gpa_status (*clone)(void **out, const void *self, gpa_error *err);

    void (*close)(void *self); /* NULL: nothing to free */

    bool in_process;
    bool refuses_missing;
    bool serialise; /* never let two handles predict at the same time */
} gpai_model_ops;

/* What the handle tells about a model. All borrowed. */
typedef struct gpai_model_info {
    const char *spec;
    size_t d;
    size_t batch_rows;            /* 0: GPAI_BATCH_ROWS */
    const char *const *variables; /* d names, or NULL */
} gpai_model_info;

enum { GPAI_BATCH_ROWS = 4096 };

/* A handle on an adapter's model. `self` belongs to the handle from here on, and is
 * closed also when this fails. */
gpa_status gpai_model_wrap(gpa_model **out, const gpai_model_ops *ops, void *self,
                           const gpai_model_info *info, gpa_error *err);

#endif
