/* Compiles the file GPAI_LOOPS once per instruction set (base/cpu.h). No include guard:
 * it is not for headers, and a file has one GPAI_LOOPS. */
#include "base/cpu.h"

#if GPAI_X86
#define LANES    8
#define TARGET   __attribute__((target("avx512f")))
#define NAMED(x) avx512_##x
#include "base/cpu_loops.h"

#define LANES    4
#define TARGET   __attribute__((target("avx2")))
#define NAMED(x) avx2_##x
#include "base/cpu_loops.h"
#endif

#define LANES 2
#define TARGET
#define NAMED(x) plain_##x
#include "base/cpu_loops.h"
