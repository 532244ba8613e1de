/* GPAI_LOOPS for one instruction set; no include guard. The loops may use
 *     LANES       doubles in a vector (8, 4 or 2)
 *     TARGET      the attribute that allows the instructions
 *     NAMED(x)    the name x gets in this instance
 *     VD, VL, FN  vectors of doubles and of 64 bits; a small function among the loops
 *     NAMED(load) a vector from any place
 * Every set must do the same operations in the same order, each rounded: then all give
 * the same bytes. */
#define VD NAMED(doubles)
#define VL NAMED(longs)
#define FN TARGET static inline __attribute__((always_inline))
typedef double VD __attribute__((vector_size(8 * LANES), aligned(8), __may_alias__));
typedef unsigned long long VL __attribute__((vector_size(8 * LANES)));

FN VD NAMED(load)(const double *x)
{
    return *(const VD *)x;
}

#include GPAI_LOOPS

#undef FN
#undef VL
#undef VD
#undef LANES
#undef TARGET
#undef NAMED
