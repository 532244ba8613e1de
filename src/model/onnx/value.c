#include "model/onnx/value.h"

/* In the order of their numbers in files. */
static const char *const names[] = {
    "undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
    "int32",     "int64",  "string",    "bool",       "float16", "double",
    "uint32",    "uint64", "complex64", "complex128", "bfloat16"};

const char *gpai_onnx_type_name(int64_t type)
{
    const int64_t n = sizeof names / sizeof names[0];
    return type >= 0 && type < n ? names[type] : "an unknown type";
}

bool gpai_onnx_type_store(int64_t type, gpai_onnx_store *store)
{
    if (type == GPAI_ONNX_FLOAT)
        *store = GPAI_ONNX_NARROW;
    else if (type == GPAI_ONNX_DOUBLE)
        *store = GPAI_ONNX_WIDE;
    else
        *store = GPAI_ONNX_WHOLE;
    return type == GPAI_ONNX_FLOAT || type == GPAI_ONNX_DOUBLE ||
           type == GPAI_ONNX_INT32 || type == GPAI_ONNX_INT64 || type == GPAI_ONNX_BOOL;
}

bool gpai_onnx_count(const gpai_onnx_shape *s, size_t most, size_t *n)
{
    *n = 1;
    for (size_t i = 0; i < s->rank; i++) {
        if (s->dim[i] != 0 && *n > most / s->dim[i])
            return false;
        *n *= s->dim[i];
    }
    return true;
}
