#ifndef GPAI_POWERS_OF_5_H
#define GPAI_POWERS_OF_5_H
#include <stdint.h>

enum { FIVES = 27 }; /* 5^27 is the largest power that fits 64 bits */

static const uint64_t POWER_OF_5[FIVES + 1] = {UINT64_C(1),
                                               UINT64_C(5),
                                               UINT64_C(25),
                                               UINT64_C(125),
                                               UINT64_C(625),
                                               UINT64_C(3125),
                                               UINT64_C(15625),
                                               UINT64_C(78125),
                                               UINT64_C(390625),
                                               UINT64_C(1953125),
                                               UINT64_C(9765625),
                                               UINT64_C(48828125),
                                               UINT64_C(244140625),
                                               UINT64_C(1220703125),
                                               UINT64_C(6103515625),
                                               UINT64_C(30517578125),
                                               UINT64_C(152587890625),
                                               UINT64_C(762939453125),
                                               UINT64_C(3814697265625),
                                               UINT64_C(19073486328125),
                                               UINT64_C(95367431640625),
                                               UINT64_C(476837158203125),
                                               UINT64_C(2384185791015625),
                                               UINT64_C(11920928955078125),
                                               UINT64_C(59604644775390625),
                                               UINT64_C(298023223876953125),
                                               UINT64_C(1490116119384765625),
                                               UINT64_C(7450580596923828125)};

#endif
