#ifndef GPAI_MODEL_ONNX_OPS_ENSEMBLE_H
#define GPAI_MODEL_ONNX_OPS_ENSEMBLE_H
#include "model/onnx/node.h"

/* What TreeEnsembleRegressor says: parallel lists about nodes, and about the weights of
 * leaves. All but the tensors are the file's. */
typedef struct gpai_onnx_ensemble {
    size_t nodes;
    const int64_t *tree, *node, *input, *yes, *no;
    const int64_t *tracks; /* NULL: nothing goes the yes-way because it is missing */
    const ProtobufCBinaryData *mode;
    gpai_onnx_value threshold;
    size_t leaves;
    const int64_t *leaf_tree, *leaf_node, *leaf_target;
    gpai_onnx_value weight, base;
    bool average; /* of the trees, not their sum */
} gpai_onnx_ensemble;

/* Reads the attributes and checks the lengths of the lists; refuses what is not a plain
 * sum or average for one target. */
gpa_status gpai_onnx_ensemble_read(gpai_onnx_node *o, gpai_onnx_ensemble *e);

#endif
