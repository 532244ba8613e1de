#include "model/onnx/run/kernels.h"
#include "base/cpu.h"
#include "model/dense.h"
#include <math.h>
#include <string.h>

#define SAME(x, y) ((x) == (y))
#define EACH1(X)   X(0)
#define EACH4(X)   X(0) X(1) X(2) X(3)

#if GPAI_X86
#define REAL     float
#define LANES    8
#define M(name)  name##f
#define TARGET   __attribute__((target("avx2")))
#define NAMED(x) avx2_narrow_##x
#include "model/onnx/run/kernel.h"

#define REAL     double
#define LANES    4
#define M(name)  name
#define TARGET   __attribute__((target("avx2")))
#define NAMED(x) avx2_wide_##x
#include "model/onnx/run/kernel.h"
#endif

#define REAL    float
#define LANES   8
#define M(name) name##f
#define TARGET
#define NAMED(x) plain_narrow_##x
#include "model/onnx/run/kernel.h"

#define REAL    double
#define LANES   4
#define M(name) name
#define TARGET
#define NAMED(x) plain_wide_##x
#include "model/onnx/run/kernel.h"

size_t gpai_onnx_sets(void)
{
#if GPAI_X86
    return gpai_cpu_lacks() < 2 ? 2 : 1;
#else
    return 1;
#endif
}

void gpai_onnx_compute(size_t isa, const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
#if GPAI_X86
    if (gpai_onnx_sets() == 2 && isa == 0) {
        (s->wide ? avx2_wide_all : avx2_narrow_all)[s->kind](c);
        return;
    }
#endif
    (void)isa;
    (s->wide ? plain_wide_all : plain_narrow_all)[s->kind](c);
}
