#ifndef GPA_MODEL_H
#define GPA_MODEL_H
#include <gpa/input.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Anything that turns rows of inputs into predictions, and counts what it was asked.
 */
typedef struct gpa_model gpa_model;

/**
 * A batch of predictions: `n` rows of `d` inputs in `x` (row-major), one prediction per
 * row into `y`. Non-zero stops the computation with GPA_MODEL. A prediction may be NaN
 * or infinite where the model has none.
 */
typedef int (*gpa_predict_fn)(void *ctx, const double *x, size_t n, size_t d,
                              double *y);

/** How a model is reached. Fill with gpa_model_options_init. */
typedef struct gpa_model_options {
    size_t struct_size;
    const char *config; /* text handed to a plugin's open function; NULL is "" */
    size_t batch_rows;  /* rows per call at most */
    double timeout;     /* seconds a call may take, for models outside this process */
    size_t workers;     /* children or connections at most; 0: one per handle at work */
    const char *auth; /* where a server's secret is: "env:NAME" or "file:PATH"; NULL */
} gpa_model_options;

#define gpa_model_options_init(opt) gpa_model_options_init_sized((opt), sizeof *(opt))
GPA_API void gpa_model_options_init_sized(gpa_model_options *opt, size_t size);

/**
 * A model made of a C function. `ctx` is passed through and stays the caller's. The
 * function is never entered by two threads at once, whatever the number of workers.
 */
GPA_API GPA_CHECKED gpa_status gpa_model_from_callback(gpa_model **out,
                                                       gpa_predict_fn predict,
                                                       void *ctx, size_t d,
                                                       gpa_error *err);

/**
 * A model named by a spec: `builtin:sinusoid2d`, `plugin:PATH.so`, a model file
 * (`mlp:FILE`, `linear:FILE`, `trees:FILE`, `xgboost:FILE`, `lightgbm:FILE`,
 * `onnx:FILE`, or a bare file name recognised by its content), a child process
 * (`exec:COMMAND ARG…`) or a server (`v2:URL`, `mlflow:URL`, `tfserving:URL`). `opt`
 * may be NULL. GPA_INVALID for a spec nobody knows, GPA_IO and GPA_DATA for files,
 * GPA_UNSUPPORTED for what a file contains and this library does not know, GPA_MODEL
 * for a plugin, child or server that refuses.
 */
GPA_API GPA_CHECKED gpa_status gpa_model_open(gpa_model **out, const char *spec,
                                              const gpa_model_options *opt,
                                              gpa_error *err);

/** How a number x is compared with a threshold t, and leaves are added up. */
typedef enum gpa_tree_arithmetic {
    GPA_TREE_FLOAT_LT = 0,  /* (float)x < (float)t goes left; sums of floats */
    GPA_TREE_DOUBLE_LE = 1, /* x <= t goes left; sums of doubles */
    GPA_TREE_FLOAT_LE = 2   /* (float)x <= t goes left; sums of doubles */
} gpa_tree_arithmetic;

/** What is made of the sum over the trees. */
typedef enum gpa_tree_output {
    GPA_TREE_IDENTITY = 0,
    GPA_TREE_EXP = 1,
    GPA_TREE_LOGISTIC = 2 /* 1 / (1 + exp(-sum)) */
} gpa_tree_output;

/** Regression trees as arrays, an entry for each node, one tree after the other. Fill
 * with gpa_trees_init. */
typedef struct gpa_trees {
    size_t struct_size;
    size_t inputs, n;            /* of a row; trees */
    const size_t *start;         /* n + 1: tree i is start[i] up to start[i + 1] */
    const int32_t *input;        /* that is compared here; negative: a leaf */
    const int32_t *left, *right; /* nodes below, counted from the tree's first */
    const double *threshold;     /* infinite: all numbers go left */
    const double *value;         /* of a leaf */
    const uint8_t *missing_left; /* whether a missing input (NaN) goes left; NULL: a row
                                  * that misses one has no prediction */
    gpa_tree_arithmetic arithmetic;
    gpa_tree_output output;
    double base, divide;      /* (base + sum over trees) / divide; 0 and 1 */
    const char *const *names; /* of the inputs, or NULL */
} gpa_trees;

#define gpa_trees_init(trees) gpa_trees_init_sized((trees), sizeof *(trees))
GPA_API void gpa_trees_init_sized(gpa_trees *trees, size_t size);

/**
 * A model made of trees in memory, which are copied: what `trees:FILE` reads, without
 * the file. GPA_INVALID for arguments out of range, GPA_DATA for nodes that make no
 * tree.
 */
GPA_API GPA_CHECKED gpa_status gpa_model_from_trees(gpa_model **out,
                                                    const gpa_trees *trees,
                                                    gpa_error *err);

/**
 * A second handle on the same model, for another thread. Its counters start at 0. The
 * handles may be used at the same time and freed in any order.
 */
GPA_API GPA_CHECKED gpa_status gpa_model_clone(gpa_model **out, const gpa_model *m,
                                               gpa_error *err);

/** Frees a model; NULL is fine. */
GPA_API void gpa_model_free(gpa_model *m);

/** Predictions of `n` rows. Non-finite ones are passed on, not refused. */
GPA_API GPA_CHECKED gpa_status gpa_model_predict(gpa_model *m, const double *x,
                                                 size_t n, double *y, gpa_error *err);

/** Number of inputs; 0 while a model that takes any number has not been told. */
GPA_API size_t gpa_model_dim(const gpa_model *m);

/**
 * Says how many inputs a row has and what they are called (`names` may be NULL), for
 * models that do not know it themselves, such as `mlflow:` and some `exec:`; to be
 * called before the model is cloned or asked. Other models only check the number:
 * GPA_INVALID when it is another.
 */
GPA_API GPA_CHECKED gpa_status gpa_model_set_inputs(gpa_model *m, size_t d,
                                                    const char *const *names,
                                                    gpa_error *err);

/**
 * Says what the `d` inputs are, after gpa_model_set_inputs and before the model is
 * cloned or asked: rows are numbers everywhere, and a model that takes text gets the
 * names of levels, and dates, in place of the numbers that `writing` says stand for
 * them. Copied. GPA_INVALID for text that this kind of model cannot take.
 */
GPA_API GPA_CHECKED gpa_status gpa_model_set_kinds(gpa_model *m,
                                                   const gpa_input *inputs, size_t d,
                                                   gpa_error *err);

/** Whether inputs may be text: child processes, servers; C functions, which are given
 * the codes. */
GPA_API bool gpa_model_takes_text(const gpa_model *m);

/** The name of the level with code `i` of input `k`, where the model file has names for
 * codes (LightGBM's pandas_categorical); NULL beyond the last, and elsewhere. */
GPA_API const char *gpa_model_level(const gpa_model *m, size_t k, size_t i);

/** Name of input `k` as the model file knows it, or NULL. */
GPA_API const char *gpa_model_variable(const gpa_model *m, size_t k);

/** The spec it was opened with; "callback" for a C function,
 * "trees" for arrays. */
GPA_API const char *gpa_model_spec(const gpa_model *m);

/** Whether predictions are computed inside this process (a row costs microseconds). */
GPA_API bool gpa_model_in_process(const gpa_model *m);

/** Whether the model is known to refuse missing inputs (NaN). */
GPA_API bool gpa_model_refuses_missing(const gpa_model *m);

/** Rows asked so far through this handle. */
GPA_API uint64_t gpa_model_rows(const gpa_model *m);

/** Calls of gpa_model_predict so far through this handle, before batches split them. */
GPA_API uint64_t gpa_model_calls(const gpa_model *m);

/** Seconds that predictions took so far, through all handles on this model together. */
GPA_API double gpa_model_seconds(const gpa_model *m);

/** Rows per call of the underlying model at most. */
GPA_API size_t gpa_model_batch(const gpa_model *m);

/** Sets it; 0 leaves it as it is. */
GPA_API void gpa_model_set_batch(gpa_model *m, size_t rows);

#ifdef __cplusplus
}
#endif
#endif
