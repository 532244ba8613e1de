#ifndef GPAI_DATA_BITS_H
#define GPAI_DATA_BITS_H
#include <math.h>
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

static inline int gpai_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline void gpai_put_little_endian(unsigned char *to, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++, bits >>= 8)
        to[i] = (unsigned char)bits;
}

static inline double gpai_half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023);
    double value = exponent == 31  ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -value : value;
}

/* A real of 2 bytes, a float of 4 or a double of 8. */
static inline double gpai_bits_real(uint64_t bits, size_t size)
{
    if (size == 2)
        return gpai_half(bits);
    uint32_t low = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return size == sizeof f ? (double)f : d;
}

#endif
