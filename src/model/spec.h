#ifndef GPAI_SPEC_H
#define GPAI_SPEC_H
#include "model/model.h"
#include <jansson.h>

/* A spec taken apart, with the options that came with it. All borrowed. */
typedef struct gpai_spec {
    const char *text; /* as given */
    const char *rest; /* what follows the colon: a path or a name; all of a bare file */
    const char *config; /* never NULL */
    size_t batch_rows;
} gpai_spec;

/* The adapters. */
gpa_status gpai_builtin_open(gpa_model **out, const gpai_spec *s, gpa_error *err);
gpa_status gpai_plugin_open(gpa_model **out, const gpai_spec *s, gpa_error *err);

/* The same for model files that are JSON: `root` is what is in s->rest. */
gpa_status gpai_mlp_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                         gpa_error *err);
gpa_status gpai_linear_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                            gpa_error *err);

#endif
