#ifndef GPA_LAB_PLANTED_CHANCE_H
#define GPA_LAB_PLANTED_CHANCE_H
#include <stddef.h>
#include <stdint.h>

/* Random numbers from a seed and the name of what they are for, so that nothing depends
 * on the order in which things are done. */
struct random_stream {
    uint64_t state;
};

struct random_stream random_named(uint64_t seed, const char *purpose, uint64_t number);
double random_unit(struct random_stream *s);            /* [0, 1) */
size_t random_below(struct random_stream *s, size_t n); /* 0 to n - 1 */

/* The q-quantile of sorted numbers, between two of them where it lies there. */
double quantile(const double *sorted, size_t n, double q);

/* The exact 90 % interval (Clopper and Pearson 1934) of a share, of which `hits` of n
 * cases were seen: it never claims to be sure. Cases that count in part are allowed,
 * for which it is too wide rather than too narrow. n > 0, 0 <= hits <= n. */
void exact_interval(double hits, double n, double *low, double *high);

#endif
