#ifndef GPAI_BASE_CPU_H
#define GPAI_BASE_CPU_H
#include <stdbool.h>
#include <stddef.h>

/* Vectorised loops are compiled several times: on x86-64 for AVX-512, for AVX2 and
 * plain, in this order, elsewhere plain only. This is the one mechanism for it:
 *
 *     #define GPAI_LOOPS "engine/math/smooth_loops.h"  what is compiled for every set
 *     #include "base/cpu_sets.h"
 *     #define SET(x) {#x, x##_analyse, x##_risks}
 *     static const gpai_smooth_set SETS[] = {GPAI_CPU_SETS(SET)};
 *
 * and gpai_cpu_at chooses. What the loops may rely on is said in base/cpu_loops.h. */
#if defined(__x86_64__) && defined(__GNUC__)
#define GPAI_X86         1
#define GPAI_CPU_SETS(X) X(avx512), X(avx2), X(plain)
enum { GPAI_CPU_COUNT = 3 };
#else
#define GPAI_X86         0
#define GPAI_CPU_SETS(X) X(plain)
enum { GPAI_CPU_COUNT = 1 };
#endif

/* How many of the sets, from the first, are not used: this machine cannot run them, or
 * the environment says so (GPA_ISA=scalar, sse2, avx2 or avx512, looked at once). Every
 * machine with AVX-512 has AVX2. */
size_t gpai_cpu_lacks(void);

/* Whether there is a set of this name, and this machine can run it. */
bool gpai_cpu_has(const char *name);

/* The i-th of the GPAI_CPU_COUNT sets (each of so many bytes) that this machine has,
 * fastest first; NULL beyond the last. */
static inline const void *gpai_cpu_at(const void *sets, size_t bytes, size_t i)
{
    size_t at = gpai_cpu_lacks() + i;
    return at < GPAI_CPU_COUNT ? (const char *)sets + at * bytes : NULL;
}

#endif
