#ifndef GPAI_MODEL_HTTP_DATATYPE_H
#define GPAI_MODEL_HTTP_DATATYPE_H
#include "base/text/number.h"
#include <stdbool.h>
#include <stddef.h>

/* The kinds of numbers that inference servers take and give. */
typedef enum gpai_datatype {
    GPAI_BOOL,
    GPAI_UINT8,
    GPAI_UINT16,
    GPAI_UINT32,
    GPAI_UINT64,
    GPAI_INT8,
    GPAI_INT16,
    GPAI_INT32,
    GPAI_INT64,
    GPAI_FP16,
    GPAI_BF16,
    GPAI_FP32,
    GPAI_FP64,
    GPAI_NOT_A_TYPE
} gpai_datatype;

/* By the name it has in the Open Inference Protocol (FP32) or TensorFlow (DT_FLOAT);
 * GPAI_NOT_A_TYPE for texts and the like. */
gpai_datatype gpai_datatype_find(const char *name, size_t length);
const char *gpai_datatype_name(gpai_datatype type); /* FP32 */

/* Bytes of a number in a binary tensor; 0 when we do not write such tensors. */
size_t gpai_datatype_size(gpai_datatype type);

/* Why a number cannot be sent as this type, in JSON or in binary: words that follow the
 * number in a message. NULL when it can. */
const char *gpai_datatype_refuses(gpai_datatype type, double value, bool json);

/* A number that can be sent, as JSON text and as little-endian bytes. */
void gpai_datatype_text(gpai_datatype type, double value, char out[GPAI_NUMBER_ROOM]);
void gpai_datatype_put(gpai_datatype type, double value, char *out);

/* The number in little-endian bytes. */
double gpai_datatype_get(gpai_datatype type, const char *bytes);

#endif
