#ifndef GPAI_BASE_CPU_H
#define GPAI_BASE_CPU_H
#include <stddef.h>

/* Vectorised loops are compiled several times: on x86-64 for AVX-512, for AVX2 and
 * plain, in this order, elsewhere plain only. Every file that has such sets asks here
 * which of them the processor lacks. */
#if defined(__x86_64__) && defined(__GNUC__)
#define GPAI_X86 1
#else
#define GPAI_X86 0
#endif

/* How many of the sets, from the first, this machine cannot run. Every machine with
 * AVX-512 has AVX2. */
static inline size_t gpai_cpu_lacks(void)
{
#if GPAI_X86
    if (__builtin_cpu_supports("avx512f"))
        return 0;
    return __builtin_cpu_supports("avx2") ? 1 : 2;
#else
    return 0;
#endif
}

#endif
