#ifndef GPAI_MODEL_SPEC_H
#define GPAI_MODEL_SPEC_H
#include "data/value.h"
#include "model/model.h"

/* A spec taken apart, with the options that came with it. All borrowed. */
typedef struct gpai_spec {
    const char *text; /* as given */
    const char *rest; /* what follows the colon: a path or a name; all of a bare file */
    const char *config; /* never NULL */
    size_t batch_rows;
    double timeout;   /* seconds; 0: for ever */
    size_t workers;   /* children or connections at most; 0: one per handle at work */
    const char *auth; /* "env:NAME", "file:PATH" or NULL */
} gpai_spec;

/* The adapters. */
typedef gpa_status gpai_open(gpa_model **out, const gpai_spec *s, gpa_error *err);
gpai_open gpai_plugin_open, gpai_exec_open;
gpai_open gpai_v2_open, gpai_mlflow_open, gpai_tfserving_open;

/* The same for model files: `bytes` is what is in s->rest, followed by a zero that does
 * not count. */
typedef gpa_status gpai_open_bytes(gpa_model **out, const gpai_spec *s,
                                   const char *bytes, size_t size, gpa_error *err);
gpai_open_bytes gpai_xgboost_open, gpai_lightgbm_open, gpai_onnx_open;

/* The same for model files that are JSON: `root` is what is in s->rest. */
typedef gpa_status gpai_open_json(gpa_model **out, const gpai_spec *s,
                                  const gpai_value *root, gpa_error *err);
gpai_open_json gpai_mlp_open, gpai_linear_open, gpai_trees_open;

/* A handle on the model in a JSON file, whose d inputs are called as its "variables"
 * say, if it has any; GPA_DATA for a list of another length. `self` belongs to the
 * handle from here on, and is closed also when this fails. */
gpa_status gpai_model_named(gpa_model **out, const gpai_model_ops *ops, void *self,
                            size_t d, const gpai_spec *s, const gpai_value *root,
                            gpa_error *err);

#endif
