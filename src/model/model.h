#ifndef GPAI_MODEL_MODEL_H
#define GPAI_MODEL_MODEL_H
#include <gpa/model.h>

/* What the rows of a call are named in messages: "row 7". */
typedef struct gpai_asked {
    const char *word;     /* NULL: "row" */
    const size_t *number; /* of each; NULL: they count from `first` on */
    size_t first;
} gpai_asked;

static inline const char *gpai_asked_word(gpai_asked a)
{
    return a.word != NULL ? a.word : "row";
}

static inline size_t gpai_asked_number(gpai_asked a, size_t i)
{
    return a.number != NULL ? a.number[i] : a.first + i;
}

/* Those from the k-th on. */
static inline gpai_asked gpai_asked_from(gpai_asked a, size_t k)
{
    return (gpai_asked){a.word, a.number != NULL ? a.number + k : NULL, a.first + k};
}

/* What an adapter gives the handle: the ways to reach one kind of model. A table of
 * these is static and constant; `self` is the adapter's own data. */
typedef struct gpai_model_ops {
    const char *kind; /* for messages: "plugin" */

    /* Predictions of n > 0 rows of d inputs. Non-finite ones are fine. */
    gpa_status (*predict)(void *self, const double *x, size_t n, size_t d, double *y,
                          gpa_error *err);

    /* Instead of `predict`, for models in memory, which cannot fail: the handles share
     * self. Each brings `scratch` of its own (NULL: none needed): so many bytes, from a
     * cache line on. */
    void (*compute)(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y);
    size_t (*scratch)(const void *self);

    /* A second instance for another thread, which may predict at the same time as this
     * one. NULL: predict does not change self, so that all handles share it. */
    gpa_status (*clone)(void **out, const void *self, gpa_error *err);

    void (*close)(void *self); /* NULL: nothing to free */

    /* Instead of `predict`, for adapters that have several batches under way at once:
     * any number of rows, in pieces of at most `batch` that begin where the pieces of
     * predict would. */
    gpa_status (*predict_all)(void *self, const double *x, size_t n, size_t d,
                              gpai_asked asked, size_t batch, double *y,
                              gpa_error *err);

    /* For models that take any number of inputs (d = 0 when wrapped): it is d, and they
     * are called so (names NULL: nobody knows). NULL: nothing to note. */
    gpa_status (*set_inputs)(void *self, size_t d, const char *const *names,
                             gpa_error *err);

    /* What the inputs are, copied by the adapter, which from now on hands text to its
     * model where `writing` says so. NULL: it takes numbers only. */
    gpa_status (*set_kinds)(void *self, const gpa_input *inputs, size_t d,
                            gpa_error *err);

    /* The name of code i of input k, from the model file. NULL: none has names. */
    const char *(*level)(const void *self, size_t k, size_t i);

    bool in_process;
    bool refuses_missing;
    bool serialise; /* never let two handles predict at the same time */
} gpai_model_ops;

/* What the handle tells about a model. All borrowed. */
typedef struct gpai_model_info {
    const char *spec;
    size_t d;
    size_t batch_rows;              /* 0: GPAI_BATCH_ROWS */
    const char *const *input_names; /* d names, or NULL */
} gpai_model_info;

enum { GPAI_BATCH_ROWS = 4096 };

/* A handle on an adapter's model. `self` belongs to the handle from here on, and is
 * closed also when this fails. */
gpa_status gpai_model_wrap(gpa_model **out, const gpai_model_ops *ops, void *self,
                           const gpai_model_info *info, gpa_error *err);

/* gpa_model_predict of rows that have numbers of their own. */
GPA_CHECKED gpa_status gpai_model_predict(gpa_model *m, const double *x, size_t n,
                                          gpai_asked asked, double *y, gpa_error *err);

#endif
