/* Chooses the direction numbers of src/base/sobol_table.h and prints that file:
 *
 *     cc -O2 -Isrc tools/make_sobol_table.c -lm -o make_sobol_table
 *     ./make_sobol_table > src/base/sobol_table.h
 *
 * Dimensions take the primitive polynomials in ascending order. Their initial numbers
 * are the best of many random picks, by two measures together:
 *
 * - Pairs with dimensions before it. For 2^m points let t be the least number for which
 *   every dyadic rectangle of area 2^(t - m) holds its 2^t points; a pair costs the sum
 *   of 2^t - 1 over m = 2 .. 14, which is what t adds to the variance of a scrambled
 *   net.
 * - All projections onto it and a window of dimensions before it at once: what it adds
 *   to the mean square error of integration in a weighted Sobolev space under a random
 *   digital shift, (1/n) sum_i prod_j (1 + g w(x_ij)) - 1 with w(x) = 1/6 -
 *   2^(floor(log2 x) - 1), at several n.
 *
 * Picks must also have Sobol's property A (the first 2^d points of d dimensions lie one
 * in each orthant of the cube), up to dimension 64. */
#include "base/sobol_directions.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    DIMENSIONS = 1111,
    POINTS_LOG2 = 14, /* nets of up to 2^14 points are judged */
    EARLY = 64,       /* dimensions judged against all before them */
    WINDOW = 40,      /* how many of the ones before it judge a later dimension */
    ALWAYS = 8,       /* the first ones judge everybody */
    PICKS_EARLY = 20000,
    PICKS_LATE = 1000,
    NEAR = 24, /* dimensions before it in the joint measure, */
    START = 4, /* and the first ones */
    NETS = 4,  /* numbers of points there: 4^4, 4^5, ... */
    SMALLEST_LOG2 = 8,
    POINTS = 1 << (SMALLEST_LOG2 + 2 * (NETS - 1)),
};

static const double WEIGHT = 0.5; /* g above */
static const double PAIRS = 3;    /* weight of the log of the pairs' cost */

static uint32_t times_x(uint32_t a, uint32_t polynomial, int degree)
{
    a <<= 1;
    return a >> degree & 1 ? a ^ polynomial : a;
}

/* x has order 2^degree - 1 modulo the polynomial. */
static bool is_primitive(uint32_t polynomial, int degree)
{
    uint32_t order = 0, a = 1, full = (UINT32_C(1) << degree) - 1;
    do {
        a = times_x(a, polynomial, degree);
        order++;
    } while (a != 1 && order <= full);
    return order == full && a == 1;
}

static int find_polynomials(uint16_t *out)
{
    int found = 1; /* dimension 0 has none */
    for (int degree = 1; found < DIMENSIONS; degree++)
        for (uint32_t p = (1u << degree) + 1; p < 2u << degree && found < DIMENSIONS;
             p += 2)
            if (is_primitive(p, degree))
                out[found++] = (uint16_t)p;
    return found;
}

/* Rows of the generator matrix: bit k of row i is digit i of direction number k. */
static void rows_of(const uint32_t v[32], uint32_t row[POINTS_LOG2])
{
    for (int i = 0; i < POINTS_LOG2; i++) {
        row[i] = 0;
        for (int k = 0; k < POINTS_LOG2; k++)
            row[i] |= (v[k] >> (31 - i) & 1) << k;
    }
}

/* A basis of GF(2)^m in which every vector has its own leading bit. */
static bool add_to_basis(uint32_t *basis, uint32_t row)
{
    while (row != 0) {
        int top = 31 - __builtin_clz(row);
        if (basis[top] == 0) {
            basis[top] = row;
            return true;
        }
        row ^= basis[top];
    }
    return false;
}

/* t of the first 2^m points of two dimensions. */
static int quality(const uint32_t *a, const uint32_t *b, int m)
{
    uint32_t mask = (UINT32_C(1) << m) - 1, from_a[POINTS_LOG2] = {0};
    int strength = m;
    for (int r = 0; r <= m; r++) { /* r rows of a, then as many of b as stay free */
        uint32_t basis[POINTS_LOG2];
        memcpy(basis, from_a, sizeof basis);
        int s = 0;
        while (r + s < strength && add_to_basis(basis, b[s] & mask))
            s++;
        if (r + s < strength)
            strength = r + s;
        if (r < m)
            add_to_basis(from_a, a[r] & mask);
    }
    return m - strength;
}

static double pair_cost(const uint32_t *a, const uint32_t *b, double give_up)
{
    double cost = 0;
    for (int m = POINTS_LOG2; m >= 2 && cost < give_up; m--)
        cost += (double)((1 << quality(a, b, m)) - 1);
    return cost;
}

/* First digits of the first 64 direction numbers, as a row of property A's matrix. */
static uint64_t orthant_row(const uint32_t v[32], uint32_t polynomial)
{
    uint64_t row = 0;
    uint32_t first[64];
    int degree = 31 - __builtin_clz(polynomial);
    for (int k = 0; k < 64; k++) {
        if (k < 32)
            first[k] = v[k] >> 31;
        else { /* the leading digit obeys the recurrence without its shifted term */
            first[k] = first[k - degree];
            for (int i = 1; i < degree; i++)
                if (polynomial >> (degree - i) & 1)
                    first[k] ^= first[k - i];
        }
        row |= (uint64_t)first[k] << k;
    }
    return row;
}

/* Whether the leading d by d minor stays regular with the row of dimension d - 1. */
static bool keeps_property_a(const uint64_t *rows, uint64_t row, int d)
{
    uint64_t basis[64] = {0}, mask = d == 64 ? ~UINT64_C(0) : (UINT64_C(1) << d) - 1;
    for (int i = 0; i < d; i++) {
        uint64_t r = (i + 1 < d ? rows[i] : row) & mask;
        while (r != 0 && basis[63 - __builtin_clzll(r)] != 0)
            r ^= basis[63 - __builtin_clzll(r)];
        if (r == 0)
            return false;
        basis[63 - __builtin_clzll(r)] = r;
    }
    return true;
}

static uint32_t matrix[DIMENSIONS][POINTS_LOG2];
static uint32_t direction[DIMENSIONS][32];
static uint64_t orthant[EARLY];
static uint16_t polynomials[DIMENSIONS];
static double product[POINTS]; /* of 1 + g w over the window, per point */

static double kernel(uint32_t x)
{
    return x == 0 ? 1.0 / 6
                  : 1.0 / 6 - 0.5 / (double)(UINT64_C(1) << (__builtin_clz(x) + 1));
}

static void multiply(const uint32_t v[32])
{
    uint32_t x = 0;
    for (uint32_t i = 0; i < POINTS; x ^= v[__builtin_ctz(++i)])
        product[i] *= 1 + WEIGHT * kernel(x);
}

static void start_window(int dimension)
{
    for (int i = 0; i < POINTS; i++)
        product[i] = 1;
    for (int j = 0; j < dimension; j++)
        if (j < START || j >= dimension - NEAR)
            multiply(direction[j]);
}

/* Sum over the nets of the logarithm of what a dimension adds. */
static double joint_cost(const uint32_t v[32], int nets)
{
    double cost = 0, sum = 0;
    uint32_t x = 0, i = 0;
    for (int k = 0; k < nets; k++) {
        for (; i < UINT32_C(1) << (SMALLEST_LOG2 + 2 * k); x ^= v[__builtin_ctz(++i)])
            sum += product[i] * kernel(x);
        cost += log(fmax(sum / i, 1e-12));
    }
    return cost;
}

static double pairs_cost(int dimension, const uint32_t *rows, double give_up)
{
    double cost = 0;
    int from = dimension <= EARLY ? 0 : dimension - WINDOW;
    for (int j = dimension - 1; j >= from && cost < give_up; j--)
        cost += pair_cost(matrix[j], rows, give_up - cost);
    for (int j = 0; j < ALWAYS && j < from && cost < give_up; j++)
        cost += pair_cost(matrix[j], rows, give_up - cost);
    return cost;
}

static uint32_t best_pick(int dimension)
{
    uint32_t best = 0, v[32], rows[POINTS_LOG2];
    bool early = dimension < EARLY;
    int nets = early ? NETS : NETS - 1;
    double least = 1e300;
    start_window(dimension);
    for (uint32_t pick = 0; pick < (early ? PICKS_EARLY : PICKS_LATE); pick++) {
        gpai_sobol_choice c = {polynomials[dimension], (uint16_t)pick};
        gpai_sobol_directions((uint32_t)dimension, c, v);
        if (early &&
            !keeps_property_a(orthant, orthant_row(v, c.polynomial), dimension + 1))
            continue;
        rows_of(v, rows);
        /* only pairs below `enough` could still win */
        double joint = joint_cost(v, nets), enough = exp((least - joint) / PAIRS);
        double cost = joint + PAIRS * log(1 + pairs_cost(dimension, rows, enough));
        if (cost < least) {
            least = cost;
            best = pick;
        }
    }
    fprintf(stderr, "%d %u %.3f\n", dimension, best, least);
    return best;
}

int main(void)
{
    find_polynomials(polynomials);
    printf("/* Written by tools/make_sobol_table.c: {polynomial, pick} of dimensions "
           "1, 2, ... */\n"
           "/* clang-format off */\n"
           "static const gpai_sobol_choice TABLE[%d] = {\n",
           DIMENSIONS - 1);
    for (int i = 0; i < DIMENSIONS; i++) {
        gpai_sobol_choice c = {polynomials[i], 0};
        if (i > 0) {
            c.pick = (uint16_t)best_pick(i);
            printf("%s{%u, %u},%s", i % 6 == 1 ? "    " : " ", c.polynomial, c.pick,
                   i % 6 == 0 ? "\n" : "");
        }
        gpai_sobol_directions((uint32_t)i, c, direction[i]);
        rows_of(direction[i], matrix[i]);
        if (i < EARLY)
            orthant[i] = i == 0 ? 1 : orthant_row(direction[i], c.polynomial);
    }
    printf("};\n");
    return 0;
}
