#ifndef GPAI_DATA_BITS_H
#define GPAI_DATA_BITS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Numbers of files and messages, whatever the order of bytes of this machine. */
static inline uint64_t gpai_little_endian(const void *bytes, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = size; i-- > 0;)
        bits = bits << 8 | ((const unsigned char *)bytes)[i];
    return bits;
}

/* A float of 4 bytes or a double of 8. */
static inline double gpai_bits_real(uint64_t bits, size_t size)
{
    uint32_t low = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return size == sizeof f ? (double)f : d;
}

#endif
