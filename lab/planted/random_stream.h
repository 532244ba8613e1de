#ifndef GPA_LAB_DICE_H
#define GPA_LAB_DICE_H
#include <stddef.h>
#include <stdint.h>

/* Random numbers from a seed and the name of what they are for, so that nothing depends
 * on the order in which things are done. */
struct dice {
    uint64_t state;
};

struct dice dice_make(uint64_t seed, const char *purpose, uint64_t number);
double dice_unit(struct dice *d);            /* [0, 1) */
size_t dice_below(struct dice *d, size_t n); /* 0 to n - 1 */

#endif
