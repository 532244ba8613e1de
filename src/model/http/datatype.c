#include "model/http/datatype.h"
#include "base/text/shortest.h"
#include "base/text/words.h"
#include "data/bits.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* `size` is 0 for types that are sent as JSON only. Whole numbers lie between least and
 * below; below is 2^63 and 2^64, as the numbers before them are no doubles. */
static const struct kind {
    const char *name, *tensorflow;
    size_t size;
    double least, below;
    bool whole;
} kinds[] = {
    [GPAI_BOOL] = {"BOOL", "DT_BOOL", 1, 0, 2, true},
    [GPAI_UINT8] = {"UINT8", "DT_UINT8", 1, 0, 256, true},
    [GPAI_UINT16] = {"UINT16", "DT_UINT16", 2, 0, 65536, true},
    [GPAI_UINT32] = {"UINT32", "DT_UINT32", 4, 0, 4294967296, true},
    [GPAI_UINT64] = {"UINT64", "DT_UINT64", 8, 0, 18446744073709551616.0, true},
    [GPAI_INT8] = {"INT8", "DT_INT8", 1, -128, 128, true},
    [GPAI_INT16] = {"INT16", "DT_INT16", 2, -32768, 32768, true},
    [GPAI_INT32] = {"INT32", "DT_INT32", 4, -2147483648.0, 2147483648.0, true},
    [GPAI_INT64] = {"INT64", "DT_INT64", 8, -0x1p63, 0x1p63, true},
    [GPAI_FP16] = {"FP16", "DT_HALF", 0, 0, 0, false},
    [GPAI_BF16] = {"BF16", "DT_BFLOAT16", 0, 0, 0, false},
    [GPAI_FP32] = {"FP32", "DT_FLOAT", 4, 0, 0, false},
    [GPAI_FP64] = {"FP64", "DT_DOUBLE", 8, 0, 0, false},
};

gpai_datatype gpai_datatype_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (gpai_word_is(name, length, kinds[i].name) ||
            gpai_word_is(name, length, kinds[i].tensorflow))
            return (gpai_datatype)i;
    return GPAI_NOT_A_TYPE;
}

const char *gpai_datatype_name(gpai_datatype type)
{
    return kinds[type].name;
}

size_t gpai_datatype_size(gpai_datatype type)
{
    return kinds[type].size;
}

/* Units and steps of a search leave a whole number a rounding error away from one. */
static bool nearly_whole(double value)
{
    return fabs(value - nearbyint(value)) <= 1e-9 * fmax(1, fabs(value));
}

const char *gpai_datatype_refuses(gpai_datatype type, double value, bool json)
{
    const struct kind *k = &kinds[type];
    if (!isfinite(value))
        return k->whole ? "has no whole number"
               : json   ? "cannot be written in JSON, which this server wants"
                        : NULL;
    if (!k->whole)
        return type != GPAI_FP64 && fabs(value) > (double)FLT_MAX
                   ? "is too large; keep it smaller with --bounds"
                   : NULL;
    if (!nearly_whole(value))
        return "is not whole; declare it with --integer and --bounds, or --freeze it";
    value = nearbyint(value);
    return value < k->least || value >= k->below
               ? "is out of its range; declare it with --integer and --bounds"
               : NULL;
}

/* As 64 bits, of which a smaller type takes the lower ones. */
static uint64_t whole_bits(double value)
{
    value = nearbyint(value);
    return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

void gpai_datatype_text(gpai_datatype type, double value, char out[GPAI_NUMBER_ROOM])
{
    if (type == GPAI_BOOL)
        strcpy(out, nearbyint(value) == 0 ? "false" : "true");
    else if (kinds[type].whole)
        snprintf(out, GPAI_NUMBER_ROOM, "%.0f", nearbyint(value) + 0.0);
    else if (type == GPAI_FP64)
        gpai_shortest(value, out);
    else
        gpai_shortest_float((float)value, out);
}

static void put_bits(uint64_t bits, size_t size, char *out)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (char)(unsigned char)(bits >> 8 * i & 0xff);
}

void gpai_datatype_put(gpai_datatype type, double value, char *out)
{
    uint64_t bits = 0;
    if (type == GPAI_FP64) {
        memcpy(&bits, &value, sizeof value);
    } else if (type == GPAI_FP32) {
        float single = (float)value;
        uint32_t half = 0;
        memcpy(&half, &single, sizeof single);
        bits = half;
    } else {
        bits = whole_bits(value);
    }
    put_bits(bits, kinds[type].size, out);
}

double gpai_datatype_get(gpai_datatype type, const char *bytes)
{
    size_t size = kinds[type].size;
    uint64_t bits = gpai_little_endian(bytes, size);
    if (!kinds[type].whole)
        return gpai_bits_real(bits, size);
    bool negative = kinds[type].least < 0 && (bits >> (8 * size - 1) & 1) != 0;
    if (!negative)
        return (double)bits;
    bits |= size < 8 ? ~UINT64_C(0) << 8 * size : 0; /* the sign, all the way up */
    return -(double)(~bits + 1);
}
