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

/* 2^(63 + bits of 5^k) / 5^k, rounded up: 64 bits, too large by less than 1; not for
 * 5^0. */
static const uint64_t OVER_POWER_OF_5[FIVES + 1] = {0,
                                                    UINT64_C(0xcccccccccccccccd),
                                                    UINT64_C(0xa3d70a3d70a3d70b),
                                                    UINT64_C(0x83126e978d4fdf3c),
                                                    UINT64_C(0xd1b71758e219652c),
                                                    UINT64_C(0xa7c5ac471b478424),
                                                    UINT64_C(0x8637bd05af6c69b6),
                                                    UINT64_C(0xd6bf94d5e57a42bd),
                                                    UINT64_C(0xabcc77118461cefd),
                                                    UINT64_C(0x89705f4136b4a598),
                                                    UINT64_C(0xdbe6fecebdedd5bf),
                                                    UINT64_C(0xafebff0bcb24aaff),
                                                    UINT64_C(0x8cbccc096f5088cc),
                                                    UINT64_C(0xe12e13424bb40e14),
                                                    UINT64_C(0xb424dc35095cd810),
                                                    UINT64_C(0x901d7cf73ab0acda),
                                                    UINT64_C(0xe69594bec44de15c),
                                                    UINT64_C(0xb877aa3236a4b44a),
                                                    UINT64_C(0x9392ee8e921d5d08),
                                                    UINT64_C(0xec1e4a7db69561a6),
                                                    UINT64_C(0xbce5086492111aeb),
                                                    UINT64_C(0x971da05074da7bef),
                                                    UINT64_C(0xf1c90080baf72cb2),
                                                    UINT64_C(0xc16d9a0095928a28),
                                                    UINT64_C(0x9abe14cd44753b53),
                                                    UINT64_C(0xf79687aed3eec552),
                                                    UINT64_C(0xc612062576589ddb),
                                                    UINT64_C(0x9e74d1b791e07e49)};

#endif
