#include "base/cpu.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The names that users have for the sets; on x86-64 plain code is SSE2. */
static const struct {
    const char *name;
    size_t set;
} NAMES[] = {{"scalar", GPAI_CPU_COUNT - 1},
#if GPAI_X86
             {"sse2", 2},
             {"avx2", 1},
             {"avx512", 0}
#endif
};

/* What the machine itself cannot run. */
static size_t machine_lacks(void)
{
#if GPAI_X86
    if (__builtin_cpu_supports("avx512f"))
        return 0;
    return __builtin_cpu_supports("avx2") ? 1 : 2;
#else
    return 0;
#endif
}

static bool find(const char *name, size_t *set)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(NAMES[i].name, name) == 0) {
            *set = NAMES[i].set;
            return true;
        }
    return false;
}

bool gpai_cpu_has(const char *name)
{
    size_t set = 0;
    return find(name, &set) && set >= machine_lacks();
}

size_t gpai_cpu_lacks(void)
{
    static atomic_int known; /* 0: not yet; looked up once, as others may change it */
    int lacks = atomic_load_explicit(&known, memory_order_relaxed) - 1;
    if (lacks >= 0)
        return (size_t)lacks;
    size_t least = machine_lacks(), wanted = least;
    const char *name = getenv("GPA_ISA");
    if (name != NULL && find(name, &wanted) && wanted < least)
        wanted = least;
    atomic_store_explicit(&known, (int)wanted + 1, memory_order_relaxed);
    return wanted;
}
