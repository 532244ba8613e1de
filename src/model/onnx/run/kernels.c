#include "base/cpu.h"
#include "model/net.h"
#include "model/onnx/run/program.h"
#include <math.h>
#include <string.h>

#define SAME(x, y) ((x) == (y))
#define EACH1(X)   X(0)
#define EACH4(X)   X(0) X(1) X(2) X(3)

#if GPAI_X86
#define REAL     float
#define M(name)  name##f
#define TARGET   __attribute__((target("avx2")))
#define NAMED(x) avx2_narrow_##x
#include "model/onnx/run/kernel.h"

#define REAL     double
#define M(name)  name
#define TARGET   __attribute__((target("avx2")))
#define NAMED(x) avx2_wide_##x
#include "model/onnx/run/kernel.h"
#endif

#define REAL    float
#define M(name) name##f
#define TARGET
#define NAMED(x) plain_narrow_##x
#include "model/onnx/run/kernel.h"

#define REAL    double
#define M(name) name
#define TARGET
#define NAMED(x) plain_wide_##x
#include "model/onnx/run/kernel.h"

static const gpai_onnx_kernels sets[] = {
#if GPAI_X86
    {avx2_narrow_all, avx2_wide_all},
#endif
    {plain_narrow_all, plain_wide_all},
};

const gpai_onnx_kernels *gpai_onnx_kernels_at(size_t i)
{
#if GPAI_X86
    i += gpai_cpu_lacks() < 2 ? 0 : 1; /* there is no AVX-512 set */
#endif
    return i < sizeof sets / sizeof sets[0] ? &sets[i] : NULL;
}

void gpai_onnx_compute(const gpai_onnx_kernels *k, const gpai_onnx_call *c)
{
    (c->step->wide ? k->wide : k->narrow)[c->step->kind](c);
}
