#ifndef GPAI_MODEL_SPEC_H
#define GPAI_MODEL_SPEC_H
#include "model/model.h"
#include <jansson.h>

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
gpa_status gpai_plugin_open(gpa_model **out, const gpai_spec *s, gpa_error *err);
gpa_status gpai_exec_open(gpa_model **out, const gpai_spec *s, gpa_error *err);
gpa_status gpai_v2_open(gpa_model **out, const gpai_spec *s, gpa_error *err);
gpa_status gpai_mlflow_open(gpa_model **out, const gpai_spec *s, gpa_error *err);
gpa_status gpai_tfserving_open(gpa_model **out, const gpai_spec *s, gpa_error *err);

/* The same for model files: `bytes` is what is in s->rest, followed by a zero that does
 * not count. */
gpa_status gpai_xgboost_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                             size_t size, gpa_error *err);
gpa_status gpai_lightgbm_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                              size_t size, gpa_error *err);
gpa_status gpai_onnx_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                          size_t size, gpa_error *err);

/* The same for model files that are JSON: `root` is what is in s->rest. */
gpa_status gpai_mlp_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                         gpa_error *err);
gpa_status gpai_linear_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                            gpa_error *err);
gpa_status gpai_trees_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                           gpa_error *err);

/* A handle on the model in a JSON file, whose d inputs are called as its "variables"
 * say, if it has any; GPA_DATA for a list of another length. `self` belongs to the
 * handle from here on, and is closed also when this fails. */
gpa_status gpai_model_named(gpa_model **out, const gpai_model_ops *ops, void *self,
                            size_t d, const gpai_spec *s, const json_t *root,
                            gpa_error *err);

#endif
